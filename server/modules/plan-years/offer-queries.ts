import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Offer } from './rules.ts'

const withdrawn_offers = statement(
  'plan-years.withdrawOffers',
  `update plan_year_benefits set withdrawn_at = :now
    where plan_year_id = :plan_year_id and organization_id = :organization_id and withdrawn_at is null
      and benefit_id <> all(:benefit_ids::text[])`,
)

const saved_offers = statement(
  'plan-years.saveOffers',
  `insert into plan_year_benefits (organization_id, plan_year_id, benefit_id, position, starts_on, employer_id, during,
                                   choice_group)
   select year.organization_id, year.id, offer.said ->> 'benefit_id', offer.position,
          (offer.said ->> 'starts_on')::date, year.employer_id,
          daterange(year.coverage_start, year.coverage_end, '[]'), offer.said ->> 'choice_group'
     from benefit_plan_years as year
    cross join jsonb_array_elements(:offers::jsonb) with ordinality as offer (said, position)
    where year.id = :plan_year_id and year.organization_id = :organization_id
   on conflict (plan_year_id, organization_id, benefit_id) do update
     set position = excluded.position, starts_on = excluded.starts_on, withdrawn_at = null, during = excluded.during,
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
                                area_version, effective_on, until)
   select :organization_id, :plan_year_id, offer.benefit_id, rate.plan_id, rate.coverage_tier, rate.tier_id,
          rate.premium_in_cents, rate.least_contribution_in_cents, rate.most_contribution_in_cents,
          coalesce(rate.pricing, 'tier'), rate.area_version, '-infinity', 'infinity'
     from jsonb_to_recordset(:offers::jsonb) as offer (benefit_id text, rates jsonb)
    cross join lateral jsonb_to_recordset(offer.rates) as rate (
      plan_id text, coverage_tier text, tier_id text, premium_in_cents bigint, least_contribution_in_cents bigint,
      most_contribution_in_cents bigint, pricing text, area_version int)`,
)

/**
 * Makes these the offers of a plan year, which is written already, in this order. Others are withdrawn; their rows
 * stay, since enrollments are of them.
 */
export async function saveOffers(
  ctx: Ctx,
  organization_id: string,
  plan_year_id: string,
  offers: Offer[],
): Promise<void> {
  const plan_year = { organization_id, plan_year_id }
  const values = { ...plan_year, offers: JSON.stringify(offers) }
  await withdrawn_offers.rows(ctx, { ...plan_year, benefit_ids: offers.map((offer) => offer.benefit_id) })
  await saved_offers.rows(ctx, values)
  await deleted_contributions.rows(ctx, plan_year)
  await inserted_contributions.rows(ctx, { ...plan_year, contributions: values.offers })
  await deleted_rates.rows(ctx, plan_year)
  await inserted_rates.rows(ctx, values)
}
