import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { NewManualAdjustment } from './schemas.ts'

export const refusals = declareRefusals({
  month_within_reach: [
    422,
    'Corrections still reach this month: set the enrollment right, and money follows.',
    'Correct the enrollment: statement and invoice follow by themselves.',
  ],
})

/** Why an adjustment can't be booked: it books nothing, or corrections still reach its month. */
export function whyNotBook(
  { month, employee_deduction_in_cents, employer_contribution_in_cents }: NewManualAdjustment,
  first_open_month: Day,
): Refusal | RefusalKind | undefined {
  if (employee_deduction_in_cents === 0 && (employer_contribution_in_cents ?? 0) === 0) {
    const message = 'must not be 0 together with employer_contribution_in_cents'
    return new Refusal(generic.invalid_request, [{ field: 'employee_deduction_in_cents', message }])
  }
  return `${month}-01` >= first_open_month ? refusals.month_within_reach : undefined
}
