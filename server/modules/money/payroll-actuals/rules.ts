import { each } from '../../../kernel/slices.ts'
import type { NewActual } from './schemas.ts'

/**
 * An enrollment that a row may be about; one that the statement has no line of is asked for 0. `is_reimbursed`: the
 * employee bought the plan, and what payroll gives back are claims.
 */
export type RequestedDeduction = {
  employee_id: string
  reference_id: string | null
  enrollment_id: string
  /** as its lines call it; null without a line */
  benefit_name: string | null
  requested_in_cents: number
  is_reimbursed: boolean
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
 * that can't be told, or could be of several, is a failure; the others count. One step for each row.
 */
export function* matchActuals(rows: NewActual[], requested: RequestedDeduction[]) {
  const people = peopleOf(requested)
  const recorded = new Map<string, RecordedActual>()
  const failures: ActualFailure[] = []
  for (const [index, found] of (yield* each(rows, (row) => findRequested(row, people))).entries()) {
    if ('reason' in found) {
      failures.push({ index, ...found })
      continue
    }
    const { employee_id, enrollment_id, is_reimbursed } = found
    const before = recorded.get(enrollment_id)?.taken_in_cents ?? 0
    const taken_in_cents = before + rows[index]!.taken_in_cents
    // Nothing falls short where no statement asks: claims are told when they are given back.
    const requested_in_cents = is_reimbursed ? taken_in_cents : found.requested_in_cents
    recorded.set(enrollment_id, { employee_id, enrollment_id, requested_in_cents, taken_in_cents })
  }
  return { recorded: [...recorded.values()], failures }
}

type AskedOfPeople = { requests: Map<string, RequestedDeduction[]>; holders: Map<string, Set<string>> }

/** What is asked for by employee, and who holds each reference. Most employers have no references. */
function peopleOf(all: RequestedDeduction[]): AskedOfPeople {
  const requests: AskedOfPeople['requests'] = new Map()
  const holders: AskedOfPeople['holders'] = new Map()
  for (const one of all) {
    requests.getOrInsertComputed(one.employee_id, () => []).push(one)
    if (one.reference_id !== null) holders.getOrInsertComputed(one.reference_id, () => new Set()).add(one.employee_id)
  }
  return { requests, holders }
}

function findRequested(row: NewActual, { requests, holders }: AskedOfPeople) {
  const { employee_id, reference_id, enrollment_id, benefit_name } = row
  const field = employee_id ? 'employee_id' : 'reference_id'
  if (!employee_id && !reference_id) return { field, reason: 'names nobody: send employee_id or reference_id' }
  const [holder, another] = employee_id ? [employee_id] : (holders.get(reference_id!) ?? [])
  if (another) return { field, reason: 'is of several employees in this statement: send employee_id' }
  const theirs = holder ? requests.get(holder) : undefined
  if (!theirs) return { field, reason: 'has nothing in this statement' }
  const named = enrollment_id
    ? theirs.filter((one) => one.enrollment_id === enrollment_id)
    : theirs.filter((one) => one.benefit_name !== null && (!benefit_name || isSameName(one.benefit_name, benefit_name)))
  const which = enrollment_id ? 'enrollment_id' : 'benefit_name'
  if (named.length === 0) return { field: which, reason: 'is none of the employee in this statement' }
  if (named.length > 1) return { field: which, reason: 'could be several of the employee: send enrollment_id' }
  return named[0]!
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
