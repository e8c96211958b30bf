import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import type { NewActual } from './schemas.ts'

/**
 * An enrollment that a row may match. If the statement has no line for it, the requested amount is 0. `is_reimbursed`:
 * the employee bought the plan, and payroll pays out claims.
 */
export type RequestedDeduction = {
  employee_id: string
  reference_id: string | null
  enrollment_id: string
  /** The name in the lines of the statement. Null without a line. */
  benefit_name: string | null
  requested_in_cents: number
  is_reimbursed: boolean
}

/** The actual deduction of an enrollment, with the requested one. */
export type RecordedActual = {
  employee_id: string
  enrollment_id: string
  requested_in_cents: number
  taken_in_cents: number
}

/**
 * Matches payroll rows to enrollments. Rows of the same enrollment add up, because a file may have one per line. A row
 * that matches no enrollment, or several, is a failure; the others count. Yields once per row.
 */
export function* matchActuals(rows: NewActual[], requested: RequestedDeduction[]) {
  const people = peopleOf(requested)
  const recorded = new Map<string, RecordedActual>()
  const failures: { index: number; field: string; reason: string }[] = []
  for (const [index, found] of (yield* mapInSteps(rows, (row) => findRequested(row, people))).entries()) {
    if ('reason' in found) {
      failures.push({ index, ...found })
      continue
    }
    const { employee_id, enrollment_id, is_reimbursed } = found
    const before = recorded.get(enrollment_id)?.taken_in_cents ?? 0
    const taken_in_cents = before + rows[index]!.taken_in_cents
    // Payroll reports claims when it pays them out. The statement requests no amount for them, so nothing can be short.
    const requested_in_cents = is_reimbursed ? taken_in_cents : found.requested_in_cents
    recorded.set(enrollment_id, { employee_id, enrollment_id, requested_in_cents, taken_in_cents })
  }
  return { recorded: [...recorded.values()], failures }
}

type RequestedDeductions = { requests: Map<string, RequestedDeduction[]>; holders: Map<string, Set<string>> }

/** The requested deductions by employee, and the employees with each reference. Most employers have no references. */
function peopleOf(requested: RequestedDeduction[]): RequestedDeductions {
  const requests: RequestedDeductions['requests'] = new Map()
  const holders: RequestedDeductions['holders'] = new Map()
  for (const deduction of requested) {
    requests.getOrInsertComputed(deduction.employee_id, () => []).push(deduction)
    if (deduction.reference_id !== null)
      holders.getOrInsertComputed(deduction.reference_id, () => new Set()).add(deduction.employee_id)
  }
  return { requests, holders }
}

function findRequested(row: NewActual, { requests, holders }: RequestedDeductions) {
  const { employee_id, reference_id, enrollment_id, benefit_name } = row
  const field = employee_id ? 'employee_id' : 'reference_id'
  if (!employee_id && !reference_id)
    return { field, reason: 'does not identify an employee: send employee_id or reference_id' }
  const [holder, another] = employee_id ? [employee_id] : (holders.get(reference_id!) ?? [])
  if (another) return { field, reason: 'belongs to several employees in this statement: send employee_id' }
  const own_requests = holder ? requests.get(holder) : undefined
  if (!own_requests) return { field, reason: 'has no lines in this statement' }
  const named = enrollment_id
    ? own_requests.filter((request) => request.enrollment_id === enrollment_id)
    : own_requests.filter(
        (request) => request.benefit_name !== null && (!benefit_name || isSameName(request.benefit_name, benefit_name)),
      )
  const key_field = enrollment_id ? 'enrollment_id' : 'benefit_name'
  if (named.length === 0) return { field: key_field, reason: 'does not belong to the employee in this statement' }
  if (named.length > 1)
    return { field: key_field, reason: 'matches several enrollments of the employee: send enrollment_id' }
  return named[0]!
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
