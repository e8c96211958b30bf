import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import type { NewManualAdjustment } from './schemas.ts'

export const refusals = declareRefusals({
  month_in_correction_window: [
    422,
    'This month is still within the correction window.',
    'Correct the enrollment. The next statement and invoice carry the correction.',
    'month',
  ],
})

/** Returns why an adjustment can't be booked: its amounts are zero, or its month is within the correction window. */
export function whyNotBook(
  { month, employee_deduction_in_cents, employer_contribution_in_cents }: NewManualAdjustment,
  first_open_month: Day,
): Refusal | RefusalKind | undefined {
  if (employee_deduction_in_cents === 0 && (employer_contribution_in_cents ?? 0) === 0) {
    const message = 'must not be 0 together with employer_contribution_in_cents'
    return invalid({ field: 'employee_deduction_in_cents', message })
  }
  return `${month}-01` >= first_open_month ? refusals.month_in_correction_window : undefined
}
