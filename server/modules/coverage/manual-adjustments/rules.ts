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
  month_before_go_live: [
    422,
    'This month starts before the go-live day of the employer, so it is neither deducted nor billed here.',
    'Settle the amount with the earlier administrator, or book it for the first month after go-live.',
    'month',
  ],
})

/** The months of an employer that adjustments can be booked for: before the first open one. */
export type BookableMonths = { first_open_month: Day; administered_from: Day | null }

/**
 * Returns why an adjustment can't be booked: its amounts are zero, or its month is within the correction window or
 * before go-live.
 */
export function whyNotBook(
  { month, employee_deduction_in_cents, employer_contribution_in_cents }: NewManualAdjustment,
  { first_open_month, administered_from }: BookableMonths,
): Refusal | RefusalKind | undefined {
  if (employee_deduction_in_cents === 0 && (employer_contribution_in_cents ?? 0) === 0) {
    const message = 'must not be 0 together with employer_contribution_in_cents'
    return invalid({ field: 'employee_deduction_in_cents', message })
  }
  if (`${month}-01` >= first_open_month) return refusals.month_in_correction_window
  return `${month}-01` < (administered_from ?? '') ? refusals.month_before_go_live : undefined
}
