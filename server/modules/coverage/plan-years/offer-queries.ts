import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Offer, Rate, PlanOfBenefit, CatalogBenefit } from './offer-rules.ts'
import type { ContributionStrategy } from './contribution-schemas.ts'
import { inForce } from '../../../database/sql/fragments.ts'
import { areaSummary } from '../../directory/ichra/queries.ts'
import type { Overlap } from './rules.ts'

/** The first day of a period and the day after its last day. A period without one of them is open on that side. */
type Held = { effective_on?: Day | '-infinity'; until?: Day | 'infinity' }

/**
 * The days on which a plan covers no one: from the first day until the day before `until`. Null if it is closed
 * permanently.
 */
export type Closure = { from: Day; until: Day | null }

/** The rows that store the offers of a plan year. `closed_plans` lists the plans that are not offered all the time. */
export type OfferedRows = {
  benefits: (Pick<Offer, 'benefit_id' | 'starts_on' | 'choice_group'> & {
    ends_on: Day | null
    closed_plans: Record<string, Closure[]>
  })[]
  contributions: (Held & { benefit_id: string; contribution_strategy: ContributionStrategy })[]
  rates: (Held & Rate & { benefit_id: string; amendment_id?: string | null; priced_on?: Day | null })[]
}

const withdrawn_offers = statement(
  'plan-years.withdrawOffers',
  `update plan_year_benefits as benefit
      set withdrawn_at = :now,
          -- A withdrawn benefit that an amendment had added covers no one, as if it had never been offered.
          ends_on = case when year.amended_count > 0 then year.coverage_start - 1 end
     from benefit_plan_years as year
    where year.id = :plan_year_id and year.organization_id = :organization_id
      and benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
      and benefit.withdrawn_at is null and benefit.benefit_id <> all(:benefit_ids::text[])`,
)

const saved_offers = statement(
  'plan-years.saveOffers',
  `insert into plan_year_benefits (organization_id, plan_year_id, benefit_id, position, starts_on, ends_on,
                                   closed_plans, employer_id, during, choice_group)
   select year.organization_id, year.id, offer.input ->> 'benefit_id', offer.position,
          (offer.input ->> 'starts_on')::date, (offer.input ->> 'ends_on')::date, offer.input -> 'closed_plans',
          year.employer_id,
          daterange(year.coverage_start, least(year.coverage_end, (offer.input ->> 'ends_on')::date) + 1),
          offer.input ->> 'choice_group'
     from benefit_plan_years as year
    cross join jsonb_array_elements(:offers::jsonb) with ordinality as offer (input, position)
    where year.id = :plan_year_id and year.organization_id = :organization_id
   on conflict (plan_year_id, organization_id, benefit_id) do update
     set position = excluded.position, starts_on = excluded.starts_on, ends_on = excluded.ends_on,
         closed_plans = excluded.closed_plans, withdrawn_at = null, during = excluded.during,
         choice_group = excluded.choice_group`,
)

const deleted_contributions = statement(
  'plan-years.deleteContributions',
  'delete from plan_year_contributions where organization_id = :organization_id and plan_year_id = :plan_year_id',
)

const inserted_contributions = statement(
  'plan-years.insertContributions',
  `insert into plan_year_contributions (organization_id, plan_year_id, benefit_id, effective_on, until,
                                        contribution_strategy)
   select :organization_id, :plan_year_id, input.benefit_id, coalesce(input.effective_on, '-infinity'),
          coalesce(input.until, 'infinity'), input.contribution_strategy
     from jsonb_to_recordset(:contributions::jsonb) as input (
            benefit_id text, effective_on date, until date, contribution_strategy jsonb)`,
)

const deleted_rates = statement(
  'plan-years.deleteRates',
  'delete from plan_year_rates where organization_id = :organization_id and plan_year_id = :plan_year_id',
)

const inserted_rates = statement(
  'plan-years.insertRates',
  `insert into plan_year_rates (organization_id, plan_year_id, benefit_id, plan_id, coverage_tier, tier_id,
                                premium_in_cents, min_contribution_in_cents, max_contribution_in_cents, pricing,
                                area_version, effective_on, until, priced_on, amendment_id)
   select :organization_id, :plan_year_id, rate.benefit_id, rate.plan_id, rate.coverage_tier, rate.tier_id,
          rate.premium_in_cents, rate.min_contribution_in_cents, rate.max_contribution_in_cents,
          coalesce(rate.pricing, 'tier'), rate.area_version, coalesce(rate.effective_on, '-infinity'),
          coalesce(rate.until, 'infinity'), rate.priced_on, rate.amendment_id
     from jsonb_to_recordset(:rates::jsonb) as rate (
            benefit_id text, plan_id text, coverage_tier text, tier_id text, premium_in_cents bigint,
            min_contribution_in_cents bigint, max_contribution_in_cents bigint, pricing text, area_version int,
            effective_on date, until date, priced_on date, amendment_id text)`,
)

/**
 * Saves the offers of an existing plan year in this order. Other offers are withdrawn, but their rows stay, since
 * enrollments refer to them.
 */
async function saveOfferedRows(
  ctx: Ctx,
  organization_id: string,
  plan_year_id: string,
  { benefits, contributions, rates }: OfferedRows,
): Promise<void> {
  const plan_year = { organization_id, plan_year_id }
  await withdrawn_offers.rows(ctx, { ...plan_year, benefit_ids: benefits.map((offer) => offer.benefit_id) })
  await saved_offers.rows(ctx, { ...plan_year, offers: JSON.stringify(benefits) })
  await deleted_contributions.rows(ctx, plan_year)
  await inserted_contributions.rows(ctx, { ...plan_year, contributions: JSON.stringify(contributions) })
  await deleted_rates.rows(ctx, plan_year)
  await inserted_rates.rows(ctx, { ...plan_year, rates: JSON.stringify(rates) })
}

/** Saves offers that apply to a whole plan year. */
export const saveOffers = (ctx: Ctx, organization_id: string, plan_year_id: string, offers: Offer[]): Promise<void> =>
  saveOfferedRows(ctx, organization_id, plan_year_id, {
    benefits: offers.map(({ benefit_id, starts_on, choice_group }) => ({
      benefit_id,
      starts_on,
      choice_group,
      ends_on: null,
      closed_plans: {},
    })),
    contributions: offers.map(({ benefit_id, contribution_strategy }) => ({ benefit_id, contribution_strategy })),
    rates: offers.flatMap(({ benefit_id, rates }) => rates.map((rate) => ({ ...rate, benefit_id }))),
  })

const saved_terms = statement(
  'plan-years.saveAmendedYear',
  `update benefit_plan_years
      set coverage_end = :coverage_end, as_opened = :as_opened::jsonb, amended_count = amended_count + 1,
          updated_at = :now
    where id = :plan_year_id and organization_id = :organization_id
   returning amended_count`,
)

const closed_elected = statement(
  'plan-years.closeElectedPlans',
  `update plan_year_benefits as benefit
      set closed_plans = benefit.closed_plans || elected.closed_plans
     from (select enrollment.benefit_id,
                  jsonb_object_agg(
                    election.plan_id,
                    jsonb_build_array(jsonb_build_object('from', year.coverage_start, 'until', null))) as closed_plans
             from benefit_plan_years as year
             join enrollments as enrollment
               on enrollment.plan_year_id = year.id and enrollment.organization_id = year.organization_id
             join elections as election
               on election.enrollment_id = enrollment.id and election.organization_id = enrollment.organization_id
            where year.id = :plan_year_id and year.organization_id = :organization_id
              and not exists (
                select from plan_year_rates as rate
                 where rate.plan_year_id = year.id and rate.organization_id = year.organization_id
                   and rate.benefit_id = enrollment.benefit_id and rate.plan_id = election.plan_id)
            group by enrollment.benefit_id) as elected
    where benefit.plan_year_id = :plan_year_id and benefit.organization_id = :organization_id
      and benefit.benefit_id = elected.benefit_id`,
)

/**
 * Saves the offers of a plan year after its amendments. `as_opened` contains the original offers, and is null if there
 * are no amendments. Returns the number of saved amendments so far.
 */
export async function saveTerms(
  ctx: Ctx,
  { organization_id, benefit_plan_year_id: plan_year_id }: { organization_id: string; benefit_plan_year_id: string },
  { coverage_end, as_opened, rows }: { coverage_end: Day; as_opened: object | null; rows: OfferedRows },
): Promise<number> {
  const written = await saved_terms.row<{ amended_count: number }>(ctx, {
    organization_id,
    plan_year_id,
    coverage_end,
    as_opened: as_opened && JSON.stringify(as_opened),
  })
  await saveOfferedRows(ctx, organization_id, plan_year_id, rows)
  // Ends the coverage by plans that a withdrawn amendment had added.
  await closed_elected.rows(ctx, { organization_id, plan_year_id })
  return written!.amended_count
}

/**
 * Returns which of these benefits other plan years of the employer offer on overlapping days. If the days are in the
 * wrong order, which is refused later, only the first day counts.
 */
export const listOfferOverlaps = statement(
  'plan-years.listOfferOverlaps',
  `select benefit.benefit_id, year.id as plan_year_id, year.coverage_start, year.coverage_end
     from benefit_plan_years as year
     join plan_year_benefits as benefit
       on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
    where year.employer_id = :employer_id and year.organization_id = :organization_id
      and year.id is distinct from :plan_year_id::text
      and benefit.during && daterange(:coverage_start, greatest(:coverage_start::date, :coverage_end::date), '[]')
      and benefit.withdrawn_at is null and benefit.benefit_id = any(:benefit_ids::text[])
    order by array_position(:benefit_ids, benefit.benefit_id), year.coverage_start`,
).rows<Overlap>

/**
 * Returns benefits of the organization's catalog by id, with the rates of their plans on a day. Unknown benefits are
 * missing in the result.
 */
export const findCatalogBenefits = statement(
  'plan-years.findCatalogBenefits',
  `select product.id, product.family, product.product_code, array(
            select json_build_object(
              'id', plan.id, 'area', (${areaSummary('plan', ':day')}),
              'rates', (select coalesce(json_agg(rate order by rate.coverage_tier), '[]')
                          from (select distinct on (coverage_tier) coverage_tier, id as tier_id, premium_in_cents
                                  from plan_tier_rates
                                 where plan_id = plan.id and organization_id = plan.organization_id
                                   and effective_on <= :day
                                 order by coverage_tier, effective_on desc) as rate),
              'allowances', (select coalesce(json_agg(json_build_object(
                                      'employee_class', allowance.employee_class, 'min_age', allowance.min_age,
                                      'max_age', allowance.max_age, 'state', allowance.state,
                                      'coverage_tier', allowance.coverage_tier,
                                      'allowance_in_cents', allowance.allowance_in_cents)
                                      order by allowance.position), '[]')
                               from ichra_allowances as allowance
                              where allowance.plan_id = plan.id and allowance.organization_id = plan.organization_id))
              from plans as plan
             where plan.benefit_id = product.id and plan.organization_id = product.organization_id
             order by plan.name, plan.id) as plans
     from benefit_products as product
    where product.id = any(:benefit_ids) and product.organization_id = :organization_id`,
).rows<CatalogBenefit & { product_code: string }>

/** Lists the plans that an employer offered before a day: for each benefit, those at the end of its last plan year. */
export const listFormerPlans = statement(
  'plan-years.listFormerPlans',
  `select distinct former.benefit_id, rate.plan_id
     from (select distinct on (benefit.benefit_id) benefit.benefit_id, benefit.plan_year_id, year.coverage_end
             from benefit_plan_years as year
             join plan_year_benefits as benefit on benefit.plan_year_id = year.id
              and benefit.organization_id = year.organization_id
            where year.employer_id = :employer_id and year.organization_id = :organization_id
              and year.coverage_end < :coverage_start
            order by benefit.benefit_id, year.coverage_end desc) as former
     join plan_year_rates as rate on rate.plan_year_id = former.plan_year_id
      and rate.organization_id = :organization_id and rate.benefit_id = former.benefit_id
      and ${inForce('rate', 'former.coverage_end')}`,
).rows<PlanOfBenefit>
