import type { NewActual } from './schemas.ts'

/** An enrollment that a row may be about; one that the statement has no line of is asked for 0. */
export type RequestedDeduction = {
  employee_id: string
  reference_id: string | null
  enrollment_id: string
  /** as its lines call it; null without a line */
  benefit_name: string | null
  requested_in_cents: number
}

/** What was taken for an enrollment, beside what was asked for. */
export type RecordedActual = {
  employee_id: string
  enrollment_id: string
  requested_in_cents: number
  taken_in_cents: number
}

export type ActualFailure = { index: number; field: string; reason: string }

/**
 * Finds what rows of payroll are about. Rows of one enrollment add up, since a file may have a row for each line. A row
 * that can't be told, or could be of several, is a failure; the others count.
 */
export function matchActuals(rows: NewActual[], requested: RequestedDeduction[]) {
  const byEmployee = grouped(requested, ({ employee_id }) => employee_id)
  const byReference = grouped(requested, ({ reference_id }) => reference_id)
  const recorded = new Map<string, RecordedActual>()
  const failures: ActualFailure[] = []
  for (const [index, row] of rows.entries()) {
    const found = findRequested(row, byEmployee, byReference)
    if ('reason' in found) {
      failures.push({ index, ...found })
      continue
    }
    const { employee_id, enrollment_id, requested_in_cents } = found
    const before = recorded.get(enrollment_id)?.taken_in_cents ?? 0
    const taken_in_cents = before + row.taken_in_cents
    recorded.set(enrollment_id, { employee_id, enrollment_id, requested_in_cents, taken_in_cents })
  }
  return { recorded: [...recorded.values()], failures }
}

type Requests = Map<string | null, RequestedDeduction[]>

function grouped(all: RequestedDeduction[], keyOf: (one: RequestedDeduction) => string | null): Requests {
  const groups: Requests = new Map()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

function findRequested(row: NewActual, byEmployee: Requests, byReference: Requests) {
  const { employee_id, reference_id, enrollment_id, benefit_name } = row
  const field = employee_id ? 'employee_id' : 'reference_id'
  if (!employee_id && !reference_id) return { field, reason: 'names nobody: send employee_id or reference_id' }
  const theirs = (employee_id ? byEmployee.get(employee_id) : byReference.get(reference_id!)) ?? []
  if (theirs.length === 0) return { field, reason: 'has nothing in this statement' }
  if (!employee_id && new Set(theirs.map((one) => one.employee_id)).size > 1)
    return { field, reason: 'is of several employees in this statement: send employee_id' }
  const named = enrollment_id
    ? theirs.filter((one) => one.enrollment_id === enrollment_id)
    : theirs.filter((one) => one.benefit_name !== null && (!benefit_name || isSameName(one.benefit_name, benefit_name)))
  const which = enrollment_id ? 'enrollment_id' : 'benefit_name'
  if (named.length === 0) return { field: which, reason: 'is none of the employee in this statement' }
  if (named.length > 1) return { field: which, reason: 'could be several of the employee: send enrollment_id' }
  return named[0]!
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
