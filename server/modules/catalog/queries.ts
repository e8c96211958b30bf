import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import { pageJson } from '../../platform/database/numbered-pages.ts'
import {
  planKey,
  type AllowanceRecord,
  type BenefitRecord,
  type CarrierRecord,
  type PlanRecord,
  type RateRecord,
} from './rules.ts'

// Reads ----------------------------------------------------------------------------------------------

const tierOrder = (row: string) => `array_position(array['EE', 'ES', 'EC', 'EF'], ${row}.coverage_tier)`

const planFields = `
  select plan.id, plan.name, json_build_object('id', carrier.id, 'name', carrier.name) as carrier, plan.network_names, plan.spd_file_url,
         coalesce((select json_agg(json_build_object('id', rate.id, 'coverage_tier', rate.coverage_tier,
                            'premium_in_cents', rate.premium_in_cents, 'effective_on', rate.effective_on)
                            order by rate.effective_on, ${tierOrder('rate')})
                     from plan_tier_rates as rate
                    where rate.plan_id = plan.id and rate.organization_id = plan.organization_id), '[]') as tier_rates,
         coalesce((select json_agg(json_build_object('employee_class', allowance.employee_class, 'min_age', allowance.min_age,
                            'max_age', allowance.max_age, 'state', allowance.state, 'coverage_tier', allowance.coverage_tier,
                            'allowance_in_cents', allowance.allowance_in_cents) order by allowance.position)
                     from ichra_allowances as allowance
                    where allowance.plan_id = plan.id and allowance.organization_id = plan.organization_id), '[]') as ichra_allowances`

const catalogText = `
  select json_build_object(
           'carriers', coalesce((
             select json_agg(json_build_object('id', carrier.id, 'name', carrier.name) order by carrier.name, carrier.id)
               from carriers as carrier where carrier.organization_id = organization.id), '[]'),
           'benefits', coalesce((
             select json_agg(json_build_object('id', benefit.id, 'name', benefit.name, 'product_code', benefit.product_code,
                      'category', benefit.category, 'family', benefit.family,
                      'plans', coalesce((
                         select json_agg((select row_to_json(shown) from (${planFields}) as shown) order by plan.name, plan.id)
                           from plans as plan join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
                          where plan.benefit_id = benefit.id and plan.organization_id = benefit.organization_id), '[]'))
                      order by benefit.name, benefit.id)
               from benefit_products as benefit where benefit.organization_id = organization.id), '[]'))::text as json
    from organizations as organization
   where organization.id = $4 and ${inReachByNumber('organization.id')}`

/** The Catalog of an organization as JSON; undefined out of reach. */
export const findCatalog = (ctx: Ctx, organization_id: string) =>
  ctx.db.json(catalogText, [...reachOf(ctx.caller), organization_id])

/** SQL: the plans within reach. A caller of one organization is told so by an equality besides: its index is read in its order for that. */
const plansInReach = (one: boolean) => `
  from plans as plan
 where ${inReachByNumber('plan.organization_id')} ${one ? 'and plan.organization_id = ($1::text[])[1]' : ''}`

const plansText = (one: boolean) =>
  pageJson(
    `select (select row_to_json(shown) from (
               select page.id, page.name, page.benefit_id, carrier.name as carrier, page.network_names, page.spd_file_url) as shown) as item,
            row_number() over (order by page.name, page.id) as position
       from (select plan.* ${plansInReach(one)} order by plan.name, plan.id limit $4::int offset $6::bigint) as page
       join carriers as carrier on carrier.id = page.carrier_id and carrier.organization_id = page.organization_id`,
    `(select count(*) ${plansInReach(one)})`,
    '$4',
    '$5',
  )

const plansOfOne = plansText(true)
const plansOfMany = plansText(false)

/** A page of the plans within reach as the whole answer, by name. */
export function listPlans(ctx: Ctx, page: Page): Promise<string | undefined> {
  const one = ctx.caller.reach.organization_ids?.length === 1
  return ctx.db.json(one ? plansOfOne : plansOfMany, [...reachOf(ctx.caller), page.limit, page.page, offsetOf(page)])
}

// An import, while the organization is locked --------------------------------------------------------

/** What makes names equal to the unique indexes, by name. */
export async function findNameKeys(ctx: Ctx, names: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.rows<{ name: string; key: string }>(
    'select name, lower(name collate pg_c_utf8) as key from unnest($1::text[]) as said (name)',
    [names],
  )
  return new Map(rows.map(({ name, key }) => [name, key]))
}

export const listKnownCarriers = (ctx: Ctx, organization_id: string, keys: string[]) =>
  ctx.db.rows<CarrierRecord>(
    'select id, lower(name) as key, name from carriers where organization_id = $1 and lower(name) = any($2::text[])',
    [organization_id, keys],
  )

export const listKnownBenefits = (ctx: Ctx, organization_id: string, keys: string[]) =>
  ctx.db.rows<BenefitRecord>(
    `select id, lower(name) as key, name, product_code, category from benefit_products
      where organization_id = $1 and lower(name) = any($2::text[])`,
    [organization_id, keys],
  )

/** Which of these benefits a plan year offers, or did before it withdrew them. */
export async function listOfferedBenefits(
  ctx: Ctx,
  organization_id: string,
  benefits: BenefitRecord[],
): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `select id from unnest($2::text[]) as benefit (id)
      where exists (select from plan_year_benefits where benefit_id = benefit.id and organization_id = $1)`,
    [organization_id, benefits.map(({ id }) => id)],
  )
  return rows.map(({ id }) => id)
}

/** All plans of these benefits. */
export async function listKnownPlans(
  ctx: Ctx,
  organization_id: string,
  benefits: BenefitRecord[],
): Promise<PlanRecord[]> {
  const plans = await ctx.db.rows<PlanRecord>(
    `select id, lower(name) as key, name, benefit_id, carrier_id, network_names, spd_file_url from plans
      where organization_id = $1 and benefit_id = any($2::text[])`,
    [organization_id, benefits.map(({ id }) => id)],
  )
  const key_of_benefit = new Map(benefits.map(({ id, key }) => [id, key]))
  return plans.map((plan) => ({ ...plan, key: planKey(key_of_benefit.get(plan.benefit_id)!, plan.key) }))
}

export const listKnownRates = (ctx: Ctx, organization_id: string, plan_ids: string[]) =>
  ctx.db.rows<RateRecord>(
    `select id, plan_id, coverage_tier, effective_on, premium_in_cents from plan_tier_rates
      where organization_id = $1 and plan_id = any($2::text[])`,
    [organization_id, plan_ids],
  )

export const listKnownAllowances = (ctx: Ctx, organization_id: string, plan_ids: string[]) =>
  ctx.db.rows<AllowanceRecord>(
    `select plan_id, position, employee_class, min_age, max_age, state, coverage_tier, allowance_in_cents from ichra_allowances
      where organization_id = $1 and plan_id = any($2::text[])`,
    [organization_id, plan_ids],
  )

/** Runs a statement whose parameters are the organization, records as JSON and the instant; not at all without records. */
async function write(ctx: Ctx, text: string, organization_id: string, records: object[]): Promise<void> {
  if (records.length > 0) await ctx.db.rows(text, [organization_id, JSON.stringify(records), ctx.now])
}

export const saveCarriers = (ctx: Ctx, organization_id: string, carriers: CarrierRecord[]) =>
  write(
    ctx,
    `insert into carriers (id, organization_id, name, created_at, updated_at)
     select id, $1, name, $3, $3 from jsonb_to_recordset($2::jsonb) as carrier (id text, name text)`,
    organization_id,
    carriers,
  )

export const saveBenefits = (ctx: Ctx, organization_id: string, benefits: BenefitRecord[]) =>
  write(
    ctx,
    `insert into benefit_products (id, organization_id, product_code, category, name, created_at, updated_at)
     select id, $1, product_code, category, name, $3, $3
       from jsonb_to_recordset($2::jsonb) as benefit (id text, product_code text, category text, name text)
     on conflict (id, organization_id) do update set category = excluded.category, updated_at = excluded.updated_at`,
    organization_id,
    benefits,
  )

export const savePlans = (ctx: Ctx, organization_id: string, plans: PlanRecord[]) =>
  write(
    ctx,
    `insert into plans (id, organization_id, benefit_id, carrier_id, name, network_names, spd_file_url, created_at, updated_at)
     select id, $1, benefit_id, carrier_id, name, network_names, spd_file_url, $3, $3
       from jsonb_to_recordset($2::jsonb)
            as plan (id text, benefit_id text, carrier_id text, name text, network_names text[], spd_file_url text)
     on conflict (id, organization_id) do update
       set carrier_id = excluded.carrier_id, network_names = excluded.network_names, spd_file_url = excluded.spd_file_url,
           updated_at = excluded.updated_at`,
    organization_id,
    plans,
  )

export const saveRates = (ctx: Ctx, organization_id: string, rates: RateRecord[]) =>
  write(
    ctx,
    `insert into plan_tier_rates (id, organization_id, plan_id, coverage_tier, effective_on, premium_in_cents, created_at)
     select id, $1, plan_id, coverage_tier, effective_on, premium_in_cents, $3
       from jsonb_to_recordset($2::jsonb)
            as rate (id text, plan_id text, coverage_tier text, effective_on date, premium_in_cents bigint)
     on conflict (id, organization_id) do update set premium_in_cents = excluded.premium_in_cents`,
    organization_id,
    rates,
  )

/** Replaces all allowances of plans. */
export async function replaceAllowances(
  ctx: Ctx,
  organization_id: string,
  plan_ids: string[],
  allowances: AllowanceRecord[],
): Promise<void> {
  if (plan_ids.length === 0) return
  await ctx.db.rows('delete from ichra_allowances where organization_id = $1 and plan_id = any($2::text[])', [
    organization_id,
    plan_ids,
  ])
  await ctx.db.rows(
    `insert into ichra_allowances (organization_id, plan_id, position, employee_class, min_age, max_age, state, coverage_tier, allowance_in_cents)
     select $1, plan_id, position, employee_class, min_age, max_age, state, coverage_tier, allowance_in_cents
       from jsonb_to_recordset($2::jsonb)
            as allowance (plan_id text, position int, employee_class text, min_age int, max_age int, state text, coverage_tier text,
                          allowance_in_cents bigint)`,
    [organization_id, JSON.stringify(allowances)],
  )
}
