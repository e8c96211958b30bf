import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { findBookableMonths, insertManualAdjustment } from './queries.ts'
import { whyNotBook } from './rules.ts'
import type { NewManualAdjustment } from './schemas.ts'

/**
 * Books a manual amount for a month of an enrollment before the correction window. The next statement requests the
 * employee's part from payroll, and the next invoice bills both parts. Returns its id and the `ManualAdjustment` as
 * JSON. Refused with 400 for an empty amount, with 422 for a month that corrections still reach or before go-live.
 */
export async function bookManualAdjustment(ctx: Ctx, key: EnrollmentKey, input: NewManualAdjustment) {
  refuse(whyNotBook(input, (await findBookableMonths(ctx, key))!))
  const id = newId('madj')
  const json = await insertManualAdjustment(ctx, {
    ...key,
    id,
    month: `${input.month}-01`,
    employee_deduction_in_cents: input.employee_deduction_in_cents,
    employer_contribution_in_cents: input.employer_contribution_in_cents ?? 0,
    tax_classification: input.tax_classification ?? 'Post-tax',
    reason: input.reason,
  })
  return { id, json }
}
