import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Offer, Rate } from './rules.ts'
import type { ContributionStrategy } from './schemas.ts'

/** From when on something holds, and before when; absent: always. */
type Held = { effective_on?: Day | '-infinity'; until?: Day | 'infinity' }

/** From when on a plan covers nobody, and before when; null: for good. */
export type Closure = { from: Day; until: Day | null }

/** What a plan year offers, as its tables hold it. `closed_plans`: of plans that are not offered all the time. */
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
          -- Who has elected one that an amendment had added is not covered by it any more, as if it had never been.
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
   select year.organization_id, year.id, offer.said ->> 'benefit_id', offer.position,
          (offer.said ->> 'starts_on')::date, (offer.said ->> 'ends_on')::date, offer.said -> 'closed_plans',
          year.employer_id,
          daterange(year.coverage_start, least(year.coverage_end, (offer.said ->> 'ends_on')::date) + 1),
          offer.said ->> 'choice_group'
     from benefit_plan_years as year
    cross join jsonb_array_elements(:offers::jsonb) with ordinality as offer (said, position)
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
   select :organization_id, :plan_year_id, said.benefit_id, coalesce(said.effective_on, '-infinity'),
          coalesce(said.until, 'infinity'), said.contribution_strategy
     from jsonb_to_recordset(:contributions::jsonb) as said (
            benefit_id text, effective_on date, until date, contribution_strategy jsonb)`,
)

const deleted_rates = statement(
  'plan-years.deleteRates',
  'delete from plan_year_rates where organization_id = :organization_id and plan_year_id = :plan_year_id',
)

const inserted_rates = statement(
  'plan-years.insertRates',
  `insert into plan_year_rates (organization_id, plan_year_id, benefit_id, plan_id, coverage_tier, tier_id,
                                premium_in_cents, least_contribution_in_cents, most_contribution_in_cents, pricing,
                                area_version, effective_on, until, priced_on, amendment_id)
   select :organization_id, :plan_year_id, rate.benefit_id, rate.plan_id, rate.coverage_tier, rate.tier_id,
          rate.premium_in_cents, rate.least_contribution_in_cents, rate.most_contribution_in_cents,
          coalesce(rate.pricing, 'tier'), rate.area_version, coalesce(rate.effective_on, '-infinity'),
          coalesce(rate.until, 'infinity'), rate.priced_on, rate.amendment_id
     from jsonb_to_recordset(:rates::jsonb) as rate (
            benefit_id text, plan_id text, coverage_tier text, tier_id text, premium_in_cents bigint,
            least_contribution_in_cents bigint, most_contribution_in_cents bigint, pricing text, area_version int,
            effective_on date, until date, priced_on date, amendment_id text)`,
)

/**
 * Makes these the offers of a plan year, which is written already, in this order. Others are withdrawn; their rows
 * stay, since enrollments are of them.
 */
export async function saveOfferedRows(
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

/** The same of offers that hold for the whole of a plan year. */
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
 * Writes what a plan year offers by its amendments; `as_opened`: what it was opened with, null once it bears none.
 * Returns how often that was done.
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
  // Who has elected a plan that an amendment had added, and that is taken back, is not covered by it any more.
  await closed_elected.rows(ctx, { organization_id, plan_year_id })
  return written!.amended_count
}
