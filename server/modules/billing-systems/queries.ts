import type { BillingSystem } from '../../platform/billing-system.ts'
import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'

/** The BillingSystemSettings of an organization as JSON; undefined out of reach. */
export const findBillingSystem = (ctx: Ctx, organization_id: string) =>
  ctx.db.json(
    `select row_to_json(shown)::text as json from (
       select organization.id as organization_id, coalesce(chosen.billing_system, 'built_in') as billing_system,
              coalesce(chosen.billing_system = 'built_in' or chosen.stripe_secret_key_sealed is not null
                       and chosen.stripe_webhook_secret_sealed is not null, true) as configured,
              chosen.stripe_secret_key_sealed is not null as stripe_secret_key_set,
              chosen.stripe_webhook_secret_sealed is not null as stripe_webhook_secret_set, iso(chosen.updated_at) as updated_at
         from organizations as organization left join billing_systems as chosen on chosen.organization_id = organization.id
        where organization.id = $4 and ${inReachByNumber('organization.id')}) as shown`,
    [...reachOf(ctx.caller), organization_id],
  )

/** Whether an organization has a secret key of Stripe. The organization is locked. */
export const hasSecretKey = async (ctx: Ctx, organization_id: string): Promise<boolean> =>
  (await ctx.db.row('select from billing_systems where organization_id = $1 and stripe_secret_key_sealed is not null', [
    organization_id,
  ])) !== undefined

export type ChosenSystem = {
  billing_system: BillingSystem
  stripe_secret_key_sealed: Buffer | null
  stripe_webhook_secret_sealed: Buffer | null
}

/** Saves the billing system of an organization; a secret that is null stays as it is. */
export const saveBillingSystem = (ctx: Ctx, organization_id: string, chosen: ChosenSystem) =>
  ctx.db.rows(
    `insert into billing_systems as kept (organization_id, billing_system, stripe_secret_key_sealed, stripe_webhook_secret_sealed, updated_at)
     values ($1, $2, $3, $4, $5)
     on conflict (organization_id) do update
       set billing_system = $2, updated_at = $5,
           stripe_secret_key_sealed = coalesce($3, kept.stripe_secret_key_sealed),
           stripe_webhook_secret_sealed = coalesce($4, kept.stripe_webhook_secret_sealed)`,
    [
      organization_id,
      chosen.billing_system,
      chosen.stripe_secret_key_sealed,
      chosen.stripe_webhook_secret_sealed,
      ctx.now,
    ],
  )
