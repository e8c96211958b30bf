import { ichra_notice_days } from '../../directory/ichra/rules.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { inForce } from '../../../database/sql/fragments.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { tier_names } from '../../directory/catalog/schemas.ts'
import { enrollmentRateJson, saveBookEntries } from '../../directory/employers/queries.ts'
import type { RenewalTerms, Offer } from './offer-rules.ts'
import type { PlanYear } from './rules.ts'

const inReachOfYear = inReach('year.organization_id', 'year.employer_id')

const located = read(
  'plan-years.locatePlanYear',
  `select year.id as benefit_plan_year_id, year.organization_id, year.employer_id from benefit_plan_years as year
    where year.id = :benefit_plan_year_id and (:employer_id::text is null or year.employer_id = :employer_id)
      and ${inReachOfYear}`,
)

export type PlanYearKey = EmployerKey & { benefit_plan_year_id: string }

/** Finds a plan year within reach. With `employer_id`, only if it belongs to that employer. */
export const locatePlanYear = (
  ctx: ReadCtx,
  { benefit_plan_year_id, employer_id = null }: { benefit_plan_year_id: string; employer_id?: string | null },
) => located.row<PlanYearKey>(ctx, { benefit_plan_year_id, employer_id })

/**
 * SQL: a part of the contribution strategies of all `offered` benefits: each entry with the id of its benefit and
 * additional fields.
 */
const strategyPart = (part: string, more = `'{}'::jsonb`) => `
  select coalesce(json_agg(jsonb_build_object('benefit_id', offered.benefit_id) || entry.input || ${more}
                           order by offered.position, entry.position), '[]')
    from offered
   cross join lateral jsonb_array_elements(offered.contribution_strategy -> '${part}')
              with ordinality as entry (input, position)`

/** SQL: an ICHRA class with the field names that similar services use, for their clients. */
const aliasFields = `jsonb_build_object(
  'contribution_class_id', 'iccl_0' || left(md5(year.id || offered.benefit_id || entry.position), 25),
  'amount_in_cents', entry.input -> 'allowance_in_cents',
  'employment', coalesce(entry.input ->> 'employee_class', 'Unspecified'),
  'compensation', 'Unspecified',
  'family_status', coalesce(entry.input ->> 'coverage_tier', 'Unspecified'),
  'location', case when entry.input ->> 'state' is null then 'Unspecified' else 'State' end,
  'location_value', entry.input -> 'state')`

/** SQL: a coverage level in words. */
const tierName = (column: string) =>
  `case ${column} ${Object.entries(tier_names)
    .map(([tier, name]) => `when '${tier}' then '${name}'`)
    .join(' ')} end`

/** SQL: whether a price or contribution is in force on the day that selects the shown prices of a row `year`. */
const isShownPrice = (row: string) => inForce(row, 'shown_day(year.coverage_start, year.coverage_end, :today)')

const plan_year_facts = sqlFile(new URL('plan-year-facts.sql', import.meta.url), {
  enrollment_rate: enrollmentRateJson,
  priced_tiers: sqlFile(new URL('priced-tiers.sql', import.meta.url), { in_force: isShownPrice, tier_name: tierName }),
  contribution_rules: strategyPart('contribution_tiers'),
  ichra_classes: strategyPart('ichra_contribution_classes', aliasFields),
  in_force: isShownPrice,
  ichra_notice_days: String(ichra_notice_days),
})

const whole_plan_year = sqlFile(new URL('whole-plan-year.sql', import.meta.url))

export const plan_years_with_facts = `benefit_plan_years as year cross join lateral (${plan_year_facts}) as facts`

const listed = read(
  'plan-years.listPlanYears',
  sqlFile(new URL('list-plan-years.sql', import.meta.url), { plan_year_facts, in_reach: inReach }),
)

/** The plan years of an employer as the whole response, newest first. Undefined if the employer is out of reach. */
export const listPlanYears = (ctx: ReadCtx, employer_id: string, year: number | undefined) =>
  listed.json(ctx, { employer_id, year: year ?? null })

/** Like `listPlanYears`, but with all fields of each plan year. */
export const listWholePlanYears = read(
  'plan-years.listWholePlanYears',
  `select '{"data":[' || coalesce((
            select string_agg((${whole_plan_year})::text, ',' order by year.coverage_start desc, year.id desc)
              from ${plan_years_with_facts}
             where year.employer_id = employer.id and year.organization_id = employer.organization_id), '')
            || ']}' as json
     from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).json

const found = read(
  'plan-years.findPlanYear',
  `select (${whole_plan_year})::text as json from ${plan_years_with_facts}
    where year.id = :plan_year_id and (:employer_id::text is null or year.employer_id = :employer_id)
      and ${inReachOfYear}`,
)

/**
 * One `BenefitPlanYear` as JSON. Undefined if it is out of reach, or belongs to another employer than `employer_id`.
 */
export const findPlanYear = (ctx: ReadCtx, plan_year_id: string, employer_id: string | null = null) =>
  found.json(ctx, { plan_year_id, employer_id })

// The following statements return facts for the rules. The organization must be locked, and the plan year or employer
// must be in reach.

/** Returns a stored plan year with the offers on its last day, in their order. */
export const findStoredPlanYear = statement(
  'plan-years.findStoredPlanYear',
  `select year.year, year.coverage_start, year.coverage_end, year.open_enrollment_start, year.open_enrollment_end,
          year.offered_states, year.renewal, year.plan_successors, year.as_opened is not null as is_amended,
          (select json_agg(json_build_object(
                    'benefit_id', benefit.benefit_id, 'starts_on', benefit.starts_on,
                    'choice_group', benefit.choice_group,
                    'contribution_strategy', contribution.contribution_strategy,
                    'rates', (select coalesce(json_agg(json_build_object(
                                       'plan_id', rate.plan_id, 'coverage_tier', rate.coverage_tier,
                                       'tier_id', rate.tier_id, 'premium_in_cents', rate.premium_in_cents,
                                       'pricing', rate.pricing, 'area_version', rate.area_version,
                                       'min_contribution_in_cents', rate.min_contribution_in_cents,
                                       'max_contribution_in_cents', rate.max_contribution_in_cents)
                                       order by rate.plan_id, rate.coverage_tier), '[]')
                                from plan_year_rates as rate
                               where rate.plan_year_id = benefit.plan_year_id
                                 and rate.organization_id = benefit.organization_id
                                 and rate.benefit_id = benefit.benefit_id
                                 and ${inForce('rate', 'year.coverage_end')}))
                    order by benefit.position)
             from plan_year_benefits as benefit
             join plan_year_contributions as contribution on contribution.plan_year_id = benefit.plan_year_id
              and contribution.organization_id = benefit.organization_id
              and contribution.benefit_id = benefit.benefit_id
              and ${inForce('contribution', 'year.coverage_end')}
            where benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
              and benefit.withdrawn_at is null and coalesce(benefit.ends_on >= year.coverage_end, true)) as offers
     from benefit_plan_years as year where year.id = :plan_year_id and year.organization_id = :organization_id`,
).row<PlanYear & RenewalTerms & { is_amended: boolean; offers: Offer[] }>

/** Whether an employee with an enrollment that is not inactive has elected a benefit of the plan year. */
export const hasElections = statement(
  'plan-years.hasElections',
  `select 1 as found from enrollments as enrollment
    where enrollment.plan_year_id = :plan_year_id and enrollment.organization_id = :organization_id
      and coalesce(enrollment.inactive_on > :today, true)
      and exists (select from elections as election
                   where election.enrollment_id = enrollment.id
                     and election.organization_id = enrollment.organization_id)
    limit 1`,
).exists

const saved = statement(
  'plan-years.savePlanYear',
  `insert into benefit_plan_years (id, organization_id, employer_id, year, coverage_start, coverage_end,
                                   open_enrollment_start, open_enrollment_end, offered_states, renewal,
                                   plan_successors, created_at, updated_at)
   values (:id, :organization_id, :employer_id, :year, :coverage_start, :coverage_end, :open_enrollment_start,
           :open_enrollment_end, :offered_states, :renewal, :plan_successors::jsonb, :now, :now)
   on conflict (id, organization_id) do update
     set year = excluded.year, coverage_start = excluded.coverage_start, coverage_end = excluded.coverage_end,
         open_enrollment_start = excluded.open_enrollment_start, open_enrollment_end = excluded.open_enrollment_end,
         offered_states = excluded.offered_states, renewal = excluded.renewal,
         plan_successors = excluded.plan_successors, renewed_on = null, updated_at = excluded.updated_at`,
)

/** Saves a plan year, new or changed. */
export const savePlanYear = (
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  id: string,
  year: PlanYear & RenewalTerms,
) =>
  saved.rows(ctx, {
    ...year,
    plan_successors: JSON.stringify(year.plan_successors),
    id,
    organization_id,
    employer_id,
  })

const saved_terms = statement(
  'plan-years.saveRenewalTerms',
  `update benefit_plan_years
      set renewal = :renewal, plan_successors = :plan_successors::jsonb, renewed_on = null, updated_at = :now
    where id = :plan_year_id and organization_id = :organization_id`,
)

/** Saves how a plan year continues the previous one, and marks it as not renewed yet. */
export const saveRenewalTerms = (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id: plan_year_id }: PlanYearKey,
  { renewal, plan_successors }: RenewalTerms,
) => saved_terms.rows(ctx, { organization_id, plan_year_id, renewal, plan_successors: JSON.stringify(plan_successors) })

/** Marks a plan year as renewed, for all employees with something to carry over. */
export const saveRenewedOn = statement(
  'plan-years.saveRenewedOn',
  `update benefit_plan_years set renewed_on = :today where id = :plan_year_id and organization_id = :organization_id`,
).rows

/** Lists the next employers with an outdated row in the employers book. */
export const listBenefitsToRefresh = statement(
  'plan-years.listBenefitsToRefresh',
  `select employer_id from employer_benefits
    where organization_id = :organization_id and valid_until <= :today and employer_id > :after
    order by employer_id limit :most`,
).column

/** SQL: whether such employers exist. */
export const hasDailyBenefits = `
  exists (select from employer_benefits as held
           where held.organization_id = organization.id and held.valid_until <= daily_run.day)`

const saved_benefits = statement(
  'plan-years.saveEmployerBenefits',
  `insert into employer_benefits
   select benefits.*
     from employers as employer
    cross join lateral employer_benefits_on(employer.id, :organization_id, :today) as benefits
    where employer.id = any(:employer_ids::text[]) and employer.organization_id = :organization_id
   on conflict (employer_id, organization_id) do update
     set first_coverage_start = excluded.first_coverage_start, plan_year_id = excluded.plan_year_id,
         coverage_start = excluded.coverage_start, coverage_end = excluded.coverage_end,
         latest_coverage_end = excluded.latest_coverage_end, open_enrollment_start = excluded.open_enrollment_start,
         open_enrollment_end = excluded.open_enrollment_end, families = excluded.families,
         valid_from = excluded.valid_from, valid_until = excluded.valid_until`,
)

/** Updates the rows of employers in the employers book from their plan years. */
export async function saveEmployerBenefits(ctx: Ctx, organization_id: string, employer_ids: string[]) {
  await saved_benefits.rows(ctx, { organization_id, employer_ids })
  await saveBookEntries(ctx, { organization_id, employer_ids })
}

/** Changes of the counts of a plan year or of one of its benefits, and the number of granted enrollments. */
export type CountChange = {
  plan_year_id: string
  benefit_id: string | null
  eligible: number
  enrolled: number
  granted: number
}

const countsAdded = `
  eligible_count = eligible_count + added.eligible, enrolled_count = enrolled_count + added.enrolled
    from jsonb_to_recordset(:changes::jsonb)
         as added (plan_year_id text, benefit_id text, eligible bigint, enrolled bigint, granted bigint)`

const added_to_years = statement(
  'plan-years.addToYearCounts',
  `update benefit_plan_years as year set enrollment_count = enrollment_count + added.granted, ${countsAdded}
    where year.id = added.plan_year_id and year.organization_id = :organization_id and added.benefit_id is null`,
)

const added_to_benefits = statement(
  'plan-years.addToBenefitCounts',
  `update plan_year_benefits as benefit set ${countsAdded}
    where benefit.plan_year_id = added.plan_year_id and benefit.benefit_id = added.benefit_id
      and benefit.organization_id = :organization_id`,
)

/** Adds to the counts of plan years (`benefit_id` null) and of their benefits. The organization must be locked. */
export async function addToPlanYearCounts(ctx: Ctx, organization_id: string, changes: CountChange[]): Promise<void> {
  if (changes.length === 0) return
  const values = { organization_id, changes: JSON.stringify(changes) }
  await Promise.all([added_to_years.rows(ctx, values), added_to_benefits.rows(ctx, values)])
}
