import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import {
  planKey,
  type AllowanceRecord,
  type AreaRecord,
  type BenefitRecord,
  type CarrierRecord,
  type PlanRecord,
  type RateRecord,
} from './rules.ts'
import type { CatalogBenefitChanges } from './schemas.ts'

const tierOrder = (row: string) => `array_position(array['EE', 'ES', 'EC', 'EF'], ${row}.coverage_tier)`

const planFields = `
  select plan.id, plan.name, json_build_object('id', carrier.id, 'name', carrier.name) as carrier, plan.network_names,
         plan.spd_file_url, plan.partial_month_rule, plan.minimum_essential, plan.minimum_value, plan.self_insured,
         plan.facts,
         coalesce((select json_agg(json_build_object('id', rate.id, 'coverage_tier', rate.coverage_tier,
                            'premium_in_cents', rate.premium_in_cents, 'effective_on', rate.effective_on)
                            order by rate.effective_on, ${tierOrder('rate')})
                     from plan_tier_rates as rate
                    where rate.plan_id = plan.id and rate.organization_id = plan.organization_id), '[]') as tier_rates,
         coalesce((select json_agg(json_build_object('state', list.state, 'county', nullif(list.county, ''),
                            'effective_on', list.effective_on, 'rates', list.rates)
                            order by list.state, list.county_key, list.effective_on)
                     from (select distinct on (state, county_key, effective_on) *
                             from plan_area_rates
                            where plan_id = plan.id and organization_id = plan.organization_id
                            order by state, county_key, effective_on, version desc) as list), '[]') as area_rates,
         coalesce((select json_agg(json_build_object('employee_class', allowance.employee_class,
                            'min_age', allowance.min_age, 'max_age', allowance.max_age, 'state', allowance.state,
                            'coverage_tier', allowance.coverage_tier,
                            'allowance_in_cents', allowance.allowance_in_cents) order by allowance.position)
                     from ichra_allowances as allowance
                    where allowance.plan_id = plan.id
                      and allowance.organization_id = plan.organization_id), '[]') as ichra_allowances`

export const findCatalog = read(
  'catalog.findCatalog',
  `select json_build_object(
            'carriers', coalesce((
              select json_agg(json_build_object('id', carrier.id, 'name', carrier.name)
                              order by carrier.name, carrier.id)
                from carriers as carrier where carrier.organization_id = organization.id), '[]'),
            'benefits', coalesce((
              select json_agg(json_build_object('id', benefit.id, 'name', benefit.name,
                       'product_code', benefit.product_code, 'category', benefit.category, 'family', benefit.family,
                       'takes_beneficiaries', benefit.takes_beneficiaries,
                       'required_dependent_fields', benefit.required_dependent_fields,
                       'plans', coalesce((
                          select json_agg((select row_to_json(shown) from (${planFields}) as shown)
                                          order by plan.name, plan.id)
                            from plans as plan
                            join carriers as carrier on carrier.id = plan.carrier_id
                             and carrier.organization_id = plan.organization_id
                           where plan.benefit_id = benefit.id
                             and plan.organization_id = benefit.organization_id), '[]'))
                       order by benefit.name, benefit.id)
                from benefit_products as benefit where benefit.organization_id = organization.id), '[]'))::text as json
     from organizations as organization
    where organization.id = :organization_id and ${inReach('organization.id')}`,
).json

/**
 * SQL: the plans within reach. For a caller of one organization, the equality lets PostgreSQL read the index in its
 * order.
 */
const plansInReach = (is_single_organization: boolean) => `
  from plans as plan
 where ${inReach('plan.organization_id')}
   ${is_single_organization ? 'and plan.organization_id = (:reach_organization_ids::text[])[1]' : ''}`

const listedPlanJson = `
  select row_to_json(shown) as item from (
    select page.id, page.name, page.benefit_id, carrier.name as carrier, page.network_names, page.spd_file_url,
           page.partial_month_rule, page.minimum_essential, page.minimum_value, page.self_insured) as shown`

const plans_in_reach = readVariants('catalog.listPlans', { one: [false, true] }, ({ one }) =>
  pageJson(
    `select (${listedPlanJson}) as item, row_number() over (order by page.name, page.id) as position
       from (select plan.* ${plansInReach(one)}
              order by plan.name, plan.id limit :limit::int offset :offset::bigint) as page
       join carriers as carrier on carrier.id = page.carrier_id and carrier.organization_id = page.organization_id`,
    `(select count(*) ${plansInReach(one)})`,
  ),
)

const plansAcrossTenants = distributedList('catalog.plans', {
  from: `plans as page
    join carriers as carrier on carrier.id = page.carrier_id and carrier.organization_id = page.organization_id`,
  row: 'page',
  reach: inReach('page.organization_id'),
  choices: {},
  where: () => 'true',
  order: { by: 'name', oldest_first: true },
  item: listedPlanJson,
  pages: 'by_position',
})

export function listPlans(ctx: ReadCtx, page: Page): Promise<string | undefined> {
  if (spansServers(ctx)) return plansAcrossTenants(ctx, {}, page, {})
  const one = ctx.caller.reach.organization_ids?.length === 1
  return plans_in_reach({ one }).json(ctx, pageValues(page))
}

/**
 * SQL: the partial-month rules of an organization's plans as JSON by plan id, without plans that use the default rule.
 */
export const partialMonthRules = (organization_id: string) => `
  (select coalesce(jsonb_object_agg(id, partial_month_rule), '{}') from plans
    where organization_id = ${organization_id} and partial_month_rule <> 'full_month_on_first')`

// The statements of an import, which runs while the organization is locked.

const name_keys = statement(
  'catalog.findNameKeys',
  'select name, lower(name collate pg_c_utf8) as key from unnest(:names::text[]) as input (name)',
)

/** The normalized form of each name, by which the unique indexes compare names. */
export async function findNameKeys(ctx: Ctx, names: string[]): Promise<Map<string, string>> {
  const rows = await name_keys.rows<{ name: string; key: string }>(ctx, { names })
  return new Map(rows.map(({ name, key }) => [name, key]))
}

export const listKnownCarriers = statement(
  'catalog.listKnownCarriers',
  `select id, name_key as key, name from carriers
    where organization_id = :organization_id and name_key = any(:keys::text[])`,
).rows<CarrierRecord>

export const listKnownBenefits = statement(
  'catalog.listKnownBenefits',
  `select id, name_key as key, name, product_code, category from benefit_products
    where organization_id = :organization_id and name_key = any(:keys::text[])`,
).rows<BenefitRecord>

const offered_benefits = statement(
  'catalog.listOfferedBenefits',
  `select id from unnest(:benefit_ids::text[]) as benefit (id)
    where exists (select from plan_year_benefits
                   where benefit_id = benefit.id and organization_id = :organization_id)`,
)

/** Which of these benefits a plan year offers or has offered. */
export async function listOfferedBenefits(
  ctx: Ctx,
  organization_id: string,
  benefits: BenefitRecord[],
): Promise<string[]> {
  const benefit_ids = benefits.map(({ id }) => id)
  return offered_benefits.column(ctx, { organization_id, benefit_ids })
}

const known_plans = statement(
  'catalog.listKnownPlans',
  `select id, lower(name) as key, name, benefit_id, carrier_id, network_names, spd_file_url, partial_month_rule, facts,
          minimum_essential, minimum_value, self_insured
      from plans
    where organization_id = :organization_id and benefit_id = any(:benefit_ids::text[])`,
)

export async function listKnownPlans(
  ctx: Ctx,
  organization_id: string,
  benefits: BenefitRecord[],
): Promise<PlanRecord[]> {
  const benefit_ids = benefits.map(({ id }) => id)
  const plans = await known_plans.rows<PlanRecord>(ctx, { organization_id, benefit_ids })
  const key_of_benefit = new Map(benefits.map(({ id, key }) => [id, key]))
  return plans.map((plan) => ({ ...plan, key: planKey(key_of_benefit.get(plan.benefit_id)!, plan.key) }))
}

export const listKnownRates = statement(
  'catalog.listKnownRates',
  `select id, plan_id, coverage_tier, effective_on, premium_in_cents from plan_tier_rates
    where organization_id = :organization_id and plan_id = any(:plan_ids::text[])`,
).rows<RateRecord>

/** The latest premium list of each plan, area and effective day. */
export const listKnownAreaRates = statement(
  'catalog.listKnownAreaRates',
  `select distinct on (plan_id, state, county_key, effective_on)
          plan_id, state, county, county_key, effective_on, version, rates
     from plan_area_rates
    where organization_id = :organization_id and plan_id = any(:plan_ids::text[])
    order by plan_id, state, county_key, effective_on, version desc`,
).rows<AreaRecord>

export const listKnownAllowances = statement(
  'catalog.listKnownAllowances',
  `select plan_id, position, employee_class, min_age, max_age, state, coverage_tier, allowance_in_cents
     from ichra_allowances
    where organization_id = :organization_id and plan_id = any(:plan_ids::text[])`,
).rows<AllowanceRecord>

/** A statement that writes records from a JSON array. */
type Writer = { rows(ctx: Ctx, values: { organization_id: string; records: string }): Promise<unknown> }

/** Writes records of an organization. Does nothing without records. */
async function write(ctx: Ctx, writer: Writer, organization_id: string, records: object[]): Promise<void> {
  if (records.length > 0) await writer.rows(ctx, { organization_id, records: JSON.stringify(records) })
}

const saved_carriers = statement(
  'catalog.saveCarriers',
  `insert into carriers (id, organization_id, name, created_at, updated_at)
   select id, :organization_id, name, :now, :now
     from jsonb_to_recordset(:records::jsonb) as carrier (id text, name text)`,
)

export const saveCarriers = (ctx: Ctx, organization_id: string, carriers: CarrierRecord[]) =>
  write(ctx, saved_carriers, organization_id, carriers)

const saved_benefits = statement(
  'catalog.saveBenefits',
  `insert into benefit_products (id, organization_id, product_code, category, name, created_at, updated_at)
   select id, :organization_id, product_code, category, name, :now, :now
     from jsonb_to_recordset(:records::jsonb) as benefit (id text, product_code text, category text, name text)
   on conflict (id, organization_id) do update set category = excluded.category, updated_at = excluded.updated_at`,
)

export const saveBenefits = (ctx: Ctx, organization_id: string, benefits: BenefitRecord[]) =>
  write(ctx, saved_benefits, organization_id, benefits)

export const locateOrganizationOfBenefit = read(
  'catalog.locateOrganizationOfBenefit',
  `select product.organization_id from benefit_products as product
    where product.id = :benefit_id and product.organization_id = :organization_id
      and ${inReach('product.organization_id')}`,
).row<{ organization_id: string }>

const saved_requirements = statement(
  'catalog.saveRequirements',
  `update benefit_products
      set takes_beneficiaries = coalesce(:takes_beneficiaries, takes_beneficiaries),
          required_dependent_fields = coalesce(:required_dependent_fields, required_dependent_fields), updated_at = :now
    where id = :benefit_id and organization_id = :organization_id`,
)

/** Saves the data that a benefit requires. Omitted settings stay. */
export const saveRequirements = (
  ctx: Ctx,
  key: { organization_id: string; benefit_id: string },
  { takes_beneficiaries, required_dependent_fields: fields }: CatalogBenefitChanges,
) =>
  saved_requirements.rows(ctx, {
    ...key,
    // Null keeps the setting.
    takes_beneficiaries: (takes_beneficiaries ?? null) as boolean,
    required_dependent_fields: (fields ? [...new Set(fields)].sort() : null) as string[],
  })

const saved_plans = statement(
  'catalog.savePlans',
  `insert into plans (id, organization_id, benefit_id, carrier_id, name, network_names, spd_file_url,
                      partial_month_rule, facts, minimum_essential, minimum_value, self_insured, created_at,
                      updated_at)
   select id, :organization_id, benefit_id, carrier_id, name, network_names, spd_file_url, partial_month_rule, facts,
          minimum_essential, minimum_value, self_insured, :now, :now
     from jsonb_to_recordset(:records::jsonb)
          as plan (id text, benefit_id text, carrier_id text, name text, network_names text[], spd_file_url text,
                   partial_month_rule text, facts jsonb, minimum_essential boolean, minimum_value boolean,
                   self_insured boolean)
   on conflict (id, organization_id) do update
     set carrier_id = excluded.carrier_id, network_names = excluded.network_names,
         spd_file_url = excluded.spd_file_url, partial_month_rule = excluded.partial_month_rule,
         facts = excluded.facts, minimum_essential = excluded.minimum_essential,
         minimum_value = excluded.minimum_value, self_insured = excluded.self_insured,
         updated_at = excluded.updated_at`,
)

export const savePlans = (ctx: Ctx, organization_id: string, plans: PlanRecord[]) =>
  write(ctx, saved_plans, organization_id, plans)

const saved_rates = statement(
  'catalog.saveRates',
  `insert into plan_tier_rates (id, organization_id, plan_id, coverage_tier, effective_on, premium_in_cents, created_at)
   select id, :organization_id, plan_id, coverage_tier, effective_on, premium_in_cents, :now
     from jsonb_to_recordset(:records::jsonb)
          as rate (id text, plan_id text, coverage_tier text, effective_on date, premium_in_cents bigint)
   on conflict (id, organization_id) do update set premium_in_cents = excluded.premium_in_cents`,
)

export const saveRates = (ctx: Ctx, organization_id: string, rates: RateRecord[]) =>
  write(ctx, saved_rates, organization_id, rates)

const inserted_area_rates = statement(
  'catalog.insertAreaRates',
  `insert into plan_area_rates (organization_id, plan_id, state, county, effective_on, version, rates, created_at)
   select :organization_id, plan_id, state, county, effective_on, version, rates, :now
     from jsonb_to_recordset(:records::jsonb)
          as list (plan_id text, state text, county text, effective_on date, version int, rates jsonb)`,
)

/** Adds new versions of premium lists. Plan years that were opened with an earlier version keep it. */
export const insertAreaRates = (ctx: Ctx, organization_id: string, lists: AreaRecord[]) =>
  write(ctx, inserted_area_rates, organization_id, lists)

const allowances_deleted = statement(
  'catalog.deleteAllowances',
  'delete from ichra_allowances where organization_id = :organization_id and plan_id = any(:plan_ids::text[])',
)

const allowances_inserted = statement(
  'catalog.insertAllowances',
  `insert into ichra_allowances (organization_id, plan_id, position, employee_class, min_age, max_age, state,
                                 coverage_tier, allowance_in_cents)
   select :organization_id, plan_id, position, employee_class, min_age, max_age, state,
          coverage_tier, allowance_in_cents
     from jsonb_to_recordset(:allowances::jsonb)
          as allowance (plan_id text, position int, employee_class text, min_age int, max_age int, state text,
                        coverage_tier text, allowance_in_cents bigint)`,
)

export async function replaceAllowances(
  ctx: Ctx,
  organization_id: string,
  plan_ids: string[],
  allowances: AllowanceRecord[],
): Promise<void> {
  if (plan_ids.length === 0) return
  await allowances_deleted.rows(ctx, { organization_id, plan_ids })
  await allowances_inserted.rows(ctx, { organization_id, allowances: JSON.stringify(allowances) })
}
