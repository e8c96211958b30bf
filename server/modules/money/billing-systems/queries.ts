import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'

/** The BillingSystemSettings of an organization as JSON. Undefined if out of reach. */
export const findBillingSystem = read(
  'billing-systems.findBillingSystem',
  `select row_to_json(shown)::text as json from (
     select organization.id as organization_id, coalesce(chosen.billing_system, 'built_in') as billing_system,
            coalesce(chosen.billing_system = 'built_in' or chosen.stripe_secret_key_sealed is not null
                     and chosen.stripe_webhook_secret_sealed is not null, true) as configured,
            chosen.stripe_secret_key_sealed is not null as stripe_secret_key_set,
            chosen.stripe_webhook_secret_sealed is not null as stripe_webhook_secret_set,
            iso(chosen.updated_at) as updated_at
       from organizations as organization
       left join billing_systems as chosen on chosen.organization_id = organization.id
      where organization.id = :organization_id and ${inReach('organization.id')}) as shown`,
).json

/** Whether an organization has a Stripe secret key. The organization must be locked. */
export const hasSecretKey = statement(
  'billing-systems.hasSecretKey',
  `select from billing_systems where organization_id = :organization_id and stripe_secret_key_sealed is not null`,
).exists

/** Saves the billing system of an organization. A null secret keeps the stored one. */
export const saveBillingSystem = statement(
  'billing-systems.saveBillingSystem',
  `insert into billing_systems as kept
     (organization_id, billing_system, stripe_secret_key_sealed, stripe_webhook_secret_sealed, updated_at)
   values (:organization_id, :billing_system, :stripe_secret_key_sealed, :stripe_webhook_secret_sealed, :now)
   on conflict (organization_id) do update
     set billing_system = :billing_system, updated_at = :now,
         stripe_secret_key_sealed = coalesce(:stripe_secret_key_sealed, kept.stripe_secret_key_sealed),
         stripe_webhook_secret_sealed = coalesce(:stripe_webhook_secret_sealed, kept.stripe_webhook_secret_sealed)`,
).rows
