import type { Ctx } from '../../../runtime/ctx.ts'
import type { NewEvent } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { requestRecalculation } from '../../directory/employers/actions.ts'
import {
  archivePolicies,
  findBenefitsOfPolicies,
  insertPolicy,
  saveEligibilities,
  saveEligibilityStatuses,
} from './queries.ts'
import { policyOf, whyNotFor } from './rules.ts'
import type { NewBenefitEligibilityPolicy } from './schemas.ts'

/**
 * Creates a policy for some benefits, or for all benefits without a policy of their own, and archives the policies that
 * it replaces. Returns its id. A job updates the employees.
 */
export async function createPolicy(
  ctx: Ctx,
  employer: EmployerKey,
  input: NewBenefitEligibilityPolicy,
): Promise<string> {
  const { employer_id, organization_id } = employer
  const policy = policyOf(newId('epol'), input)
  refuse(whyNotFor(policy.benefit_ids, await findBenefitsOfPolicies(ctx, employer, policy.benefit_ids)))
  await archivePolicies(ctx, { ...employer, benefit_ids: policy.benefit_ids })
  await insertPolicy(ctx, { ...policy, organization_id, employer_id })
  await recordEvents(ctx, [
    { event_name: 'employer.eligibility_policy_created', organization_id, resource_id: employer_id },
  ])
  await requestRecalculation(ctx, { organization_id, employer_id })
  return policy.id
}

/**
 * Calculates the periods of eligibility of these employees from their employment, class and policy, and their status
 * today. Returns the events for changes of the status. The organization must be locked.
 */
export async function settleEligibility(
  ctx: Ctx,
  organization_id: string,
  employee_ids: string[],
): Promise<NewEvent[]> {
  // Both statements are sent in this order, and the second reads the rows that the first wrote.
  const [, changed] = await Promise.all([
    saveEligibilities(ctx, { organization_id, employee_ids }),
    saveEligibilityStatuses(ctx, { organization_id, employee_ids }),
  ])
  return changed.map(({ employee_id, eligible }) => ({
    event_name: eligible ? 'employee.eligibility_granted' : 'employee.eligibility_terminated',
    organization_id,
    resource_id: employee_id,
  }))
}
