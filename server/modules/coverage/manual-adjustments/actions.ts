import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { findFirstOpenMonth, insertManualAdjustment } from './queries.ts'
import { whyNotBook } from './rules.ts'
import type { NewManualAdjustment } from './schemas.ts'

/**
 * Books an amount by hand for a month of an enrollment that corrections reach no more: the next statement asks payroll
 * for the employee's part, the next invoice bills both parts. Returns its id and the ManualAdjustment as JSON. 400 when
 * it books nothing, 422 for a month within reach.
 */
export async function bookManualAdjustment(ctx: Ctx, key: EnrollmentKey, said: NewManualAdjustment) {
  refuse(whyNotBook(said, await findFirstOpenMonth(ctx, key)))
  const id = newId('madj')
  const json = await insertManualAdjustment(ctx, key, {
    id,
    month: `${said.month}-01`,
    employee_deduction_in_cents: said.employee_deduction_in_cents,
    employer_contribution_in_cents: said.employer_contribution_in_cents ?? 0,
    tax_classification: said.tax_classification ?? 'Post-tax',
    reason: said.reason,
  })
  return { id, json }
}
