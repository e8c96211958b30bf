import type { Ctx } from '../../../runtime/ctx.ts'
import type { Fact } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { requestRecalculation } from '../../directory/employers/actions.ts'
import { archivePolicies, findBenefitsOfPolicies, insertPolicy, saveEligibilities, saveStandings } from './queries.ts'
import { policyOf, whyNotFor } from './rules.ts'
import type { NewBenefitEligibilityPolicy } from './schemas.ts'

/**
 * Makes a policy the current one of an employer, for some benefits or for all that have none of their own, archives
 * what it replaces, and returns its id. What follows for the employees is a job.
 */
export async function createPolicy(
  ctx: Ctx,
  employer: EmployerKey,
  said: NewBenefitEligibilityPolicy,
): Promise<string> {
  const { employer_id, organization_id } = employer
  const policy = policyOf(newId('epol'), said)
  refuse(whyNotFor(policy.benefit_ids, await findBenefitsOfPolicies(ctx, employer, policy.benefit_ids)))
  await archivePolicies(ctx, employer, policy.benefit_ids)
  await insertPolicy(ctx, { ...policy, organization_id, employer_id })
  await recordEvents(ctx, [
    { event_name: 'employer.eligibility_policy_created', organization_id, resource_id: employer_id },
  ])
  await requestRecalculation(ctx, { organization_id, employer_id })
  return policy.id
}

/**
 * Settles who of these employees is eligible from which day to which, by their employment, class and policy; returns
 * what is to be told of those who became eligible today or are no longer. The organization is locked.
 */
export async function settleEligibility(ctx: Ctx, organization_id: string, employee_ids: string[]): Promise<Fact[]> {
  // The second is sent behind the first, and follows from what that wrote.
  const [, changed] = await Promise.all([
    saveEligibilities(ctx, organization_id, employee_ids),
    saveStandings(ctx, organization_id, employee_ids),
  ])
  return changed.map(({ employee_id, eligible }) => ({
    event_name: eligible ? 'employee.eligibility_granted' : 'employee.eligibility_terminated',
    organization_id,
    resource_id: employee_id,
  }))
}
