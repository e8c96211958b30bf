import { newId } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import { actorOf } from '../../directory/evidence/queries.ts'
import { requireEmployed } from '../dependents/actions.ts'
import { findBeneficiaries, insertDesignation } from './queries.ts'
import { refusals, storedBeneficiaries } from './rules.ts'
import type { BeneficiariesInput } from './schemas.ts'

/**
 * Designates the beneficiaries of a benefit in place of earlier ones, which stay in the history. Refused with 422 if
 * the benefit takes no beneficiaries or the employee can't be enrolled in it.
 */
export async function designateBeneficiaries(
  ctx: Ctx,
  { organization_id, employee_id }: Pick<EmployeeKey, 'organization_id' | 'employee_id'>,
  benefit_id: string,
  input: BeneficiariesInput,
): Promise<void> {
  await requireEmployed(ctx, organization_id)
  if (!(await findBeneficiaries(ctx, { organization_id, employee_id, benefit_id })))
    throw new Refusal(refusals.benefit_takes_no_beneficiaries)
  const { caller, caller_id } = actorOf(ctx)
  await insertDesignation(ctx, {
    organization_id,
    id: newId('bdes'),
    employee_id,
    benefit_id,
    caller,
    caller_id: caller_id as string,
    beneficiaries: JSON.stringify(storedBeneficiaries(input)),
  })
}
