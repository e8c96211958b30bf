import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { areaRatesOfPlan } from '../../directory/ichra/queries.ts'
import type { AreaRate } from '../../directory/ichra/rules.ts'
import type { ElectionChanges } from './amended-rules.ts'
import type { Price } from './price-rules.ts'
import { factFields, factSources, type FoundFacts } from './queries.ts'

const wanted = `
  (select theirs.* from unnest(:enrollment_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments where id = wanted.id and organization_id = :organization_id offset 0) as theirs)`

const facts = statement(
  'elections.listEnrollmentFacts',
  `${factFields} from ${wanted} as enrollment ${factSources}
    where enrollment.organization_id = :organization_id order by enrollment.id`,
)

/** What the elections of enrollments are priced by, in the order of their ids. */
export const listEnrollmentFacts = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  facts.rows<FoundFacts>(ctx, { organization_id, enrollment_ids })

const amended = statement(
  'elections.listAmended',
  `select enrollment.id from ${wanted} as enrollment
    where exists (select from plan_year_rates as rate
                   where rate.plan_year_id = enrollment.plan_year_id and rate.organization_id = :organization_id
                     and rate.benefit_id = enrollment.benefit_id and rate.amendment_id is not null)`,
)

/** Those of these enrollments whose benefit was priced anew while its plan year runs. */
export const listAmended = async (ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<string[]> =>
  (await amended.rows<{ id: string }>(ctx, { organization_id, enrollment_ids })).map(({ id }) => id)

const grouped = statement(
  'elections.listGrouped',
  `select enrollment.id from ${wanted} as enrollment
    where exists (select from plan_year_benefits as own
                    join plan_year_benefits as other on other.plan_year_id = own.plan_year_id
                     and other.organization_id = :organization_id and other.choice_group = own.choice_group
                     and other.benefit_id <> own.benefit_id
                   where own.plan_year_id = enrollment.plan_year_id and own.organization_id = :organization_id
                     and own.benefit_id = enrollment.benefit_id)`,
)

/** Those of these enrollments whose benefit is one of several of a choice group in its plan year. */
export const listGrouped = async (ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<string[]> =>
  (await grouped.rows<{ id: string }>(ctx, { organization_id, enrollment_ids })).map(({ id }) => id)

/** A price of a plan year, apart from what depends on where somebody lives. */
export type PlanYearPrice = Omit<Price, 'rates'> & {
  plan_year_id: string
  benefit_id: string
  area_version: number | null
  /** the day whose lists by age and area hold; null: the first day of the plan year */
  priced_on: Day | null
}

const prices = statement(
  'elections.listPlanYearPrices',
  `select rate.plan_year_id, rate.benefit_id, rate.plan_id, rate.coverage_tier, rate.tier_id, rate.premium_in_cents,
          rate.pricing, rate.effective_on::text as effective_on, rate.until::text as until, rate.amendment_id,
          rate.area_version, rate.priced_on
     from plan_year_rates as rate
    where rate.plan_year_id = any(:plan_year_ids) and rate.organization_id = :organization_id`,
)

/** The price lists of plan years, all that ever hold. */
export const listPlanYearPrices = (ctx: Ctx, organization_id: string, plan_year_ids: string[]) =>
  prices.rows<PlanYearPrice>(ctx, { organization_id, plan_year_ids })

const area_rates = statement(
  'elections.listAreaRatesOf',
  `select enrollment.id as enrollment_id, price.plan_id, price.effective_on, ${areaRatesOfPlan('price')} as rates
     from ${wanted} as enrollment
     join employees as employee on employee.id = enrollment.employee_id and employee.organization_id = :organization_id
     join members as member on member.id = employee.member_id and member.organization_id = :organization_id
     join employers as employer on employer.id = employee.employer_id and employer.organization_id = :organization_id
     join benefit_plan_years as year on year.id = enrollment.plan_year_id and year.organization_id = :organization_id
     join (select said.*, :organization_id as organization_id
             from jsonb_to_recordset(:prices::jsonb) as said (
                    plan_year_id text, benefit_id text, plan_id text, effective_on text, area_version int,
                    priced_on date)) as price
       on price.plan_year_id = enrollment.plan_year_id and price.benefit_id = enrollment.benefit_id`,
)

/** A list by age and area of where the employee of an enrollment lives. */
type AreaListOf = { enrollment_id: string; plan_id: string; effective_on: string; rates: AreaRate[] | null }

/** What plans by age cost in the areas where the employees of enrollments live; of other plans nothing. */
export async function listAreaRatesOf(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
  listed: PlanYearPrice[],
): Promise<AreaListOf[]> {
  const by_area = listed.filter(({ pricing, coverage_tier }) => pricing === 'area' && coverage_tier === 'EE')
  if (by_area.length === 0) return []
  return area_rates.rows<AreaListOf>(ctx, { organization_id, enrollment_ids, prices: JSON.stringify(by_area) })
}

const deleted = statement(
  'elections.deletePriceSteps',
  `delete from elections as election
    using (select *, :organization_id as organization_id
             from jsonb_to_recordset(:elections::jsonb) as said (enrollment_id text, effective_on date)) as said
    where election.enrollment_id = said.enrollment_id and election.organization_id = said.organization_id
      and election.effective_on = said.effective_on`,
)

const priced_fields = `
  tier_id text, premium_in_cents bigint, employer_contribution_in_cents bigint, employee_deduction_in_cents bigint,
  domestic_partner_share_in_cents bigint, amendment_id text`

const repriced = statement(
  'elections.saveRepriced',
  `update elections as election
      set tier_id = said.tier_id, premium_in_cents = said.premium_in_cents,
          employer_contribution_in_cents = said.employer_contribution_in_cents,
          employee_deduction_in_cents = said.employee_deduction_in_cents,
          domestic_partner_share_in_cents = said.domestic_partner_share_in_cents,
          amendment_id = said.amendment_id, as_elected = nullif(said.as_elected, 'null'::jsonb)
     from (select *, :organization_id as organization_id
             from jsonb_to_recordset(:elections::jsonb) as said (
                    enrollment_id text, effective_on date, as_elected jsonb, ${priced_fields})) as said
    where election.enrollment_id = said.enrollment_id and election.organization_id = said.organization_id
      and election.effective_on = said.effective_on`,
)

const inserted = statement(
  'elections.insertPriceSteps',
  `with said as materialized (
     select * from jsonb_to_recordset(:elections::jsonb) as said (
       enrollment_id text, effective_on date, plan_id text, coverage_tier text, individual_plan_name text,
       bought_on_exchange boolean, covered jsonb, ${priced_fields})
   ), elected as (
     insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
                            premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents,
                            individual_plan_name, bought_on_exchange, domestic_partner_share_in_cents, follows,
                            amendment_id, elected_at, elected_by)
     select :organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id, premium_in_cents,
            employer_contribution_in_cents, employee_deduction_in_cents, individual_plan_name, bought_on_exchange,
            domestic_partner_share_in_cents, true, amendment_id, :now, null
       from said
     returning enrollment_id)
   insert into covered_dependents (organization_id, enrollment_id, effective_on, dependent_id, covered_until)
   select :organization_id, said.enrollment_id, said.effective_on, one.dependent_id, one.covered_until
     from said cross join lateral jsonb_to_recordset(said.covered) as one (dependent_id text, covered_until date)`,
)

/** Writes what prices change in the elections of enrollments, of many at once. */
export async function savePriced(
  ctx: Ctx,
  organization_id: string,
  changes: (ElectionChanges & { enrollment_id: string })[],
): Promise<void> {
  const leaving = changes.flatMap(({ enrollment_id, deleted: days }) =>
    days.map((effective_on) => ({ enrollment_id, effective_on })),
  )
  const of = (part: 'repriced' | 'inserted') =>
    changes.flatMap((one) => one[part].map((election) => ({ ...election, enrollment_id: one.enrollment_id })))
  const write = async (written: typeof deleted | typeof repriced | typeof inserted, elections: object[]) => {
    if (elections.length > 0) await written.rows(ctx, { organization_id, elections: JSON.stringify(elections) })
  }
  await write(deleted, leaving)
  await write(repriced, of('repriced'))
  await write(inserted, of('inserted'))
}
