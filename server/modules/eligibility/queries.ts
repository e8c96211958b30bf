import { inReach, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { NewBenefitEligibilityPolicy } from './schemas.ts'

const inReachOfPolicy = inReach('policy.organization_id', 'policy.employer_id')

/** The organization of a policy within reach. */
export const findPolicyPlace = (ctx: Ctx, policy_id: string) =>
  ctx.db.row<{ organization_id: string }>(
    `select policy.organization_id from benefit_eligibility_policies as policy where policy.id = $4 and ${inReachOfPolicy}`,
    [...reachOf(ctx.caller), policy_id],
  )

const policyText = `
  select (select row_to_json(shown) from (
            select policy.id, policy.archived_at is null as active, policy.classification, policy.employer_id, policy.waiting_period,
                   iso(policy.created_at) as created_at, iso(policy.updated_at) as updated_at) as shown)::text as json
    from benefit_eligibility_policies as policy
   where policy.id = $4 and ${inReachOfPolicy}`

/** The BenefitEligibilityPolicy as JSON; undefined out of reach. */
export const findPolicy = (ctx: Ctx, policy_id: string) => ctx.db.json(policyText, [...reachOf(ctx.caller), policy_id])

/** Archives the active policy of an employer, if it has one. */
export const archiveActivePolicy = (ctx: Ctx, organization_id: string, employer_id: string) =>
  ctx.db.rows(
    `update benefit_eligibility_policies set archived_at = $3, updated_at = $3
      where employer_id = $1 and organization_id = $2 and archived_at is null`,
    [employer_id, organization_id, ctx.now],
  )

export type PolicyRecord = { id: string; organization_id: string; employer_id: string } & NewBenefitEligibilityPolicy

export const insertPolicy = (ctx: Ctx, policy: PolicyRecord) =>
  ctx.db.rows(
    `insert into benefit_eligibility_policies (id, organization_id, employer_id, classification, waiting_period, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)`,
    [policy.id, policy.organization_id, policy.employer_id, policy.classification, policy.waiting_period, ctx.now],
  )
