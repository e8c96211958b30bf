import type { Ctx } from '../../platform/ctx.ts'
import { recordEvents } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { lockedEmployer } from '../employers/actions.ts'
import { archiveActivePolicy, insertPolicy } from './queries.ts'
import type { NewBenefitEligibilityPolicy } from './schemas.ts'

/** Makes a policy the current one of an employer, archives the former, and returns the id of the new one. */
export async function createPolicy(
  ctx: Ctx,
  employer_id: string,
  policy: NewBenefitEligibilityPolicy,
): Promise<string> {
  const { organization_id } = await lockedEmployer(ctx, employer_id)
  const id = newId('epol')
  await archiveActivePolicy(ctx, organization_id, employer_id)
  await insertPolicy(ctx, { ...policy, id, organization_id, employer_id })
  await recordEvents(ctx, [
    { event_name: 'employer.eligibility_policy_created', organization_id, resource_id: employer_id },
  ])
  return id
}
