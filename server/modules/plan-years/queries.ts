import type { EmployerKey } from '../auth/queries.ts'
import { inReach } from '../../platform/caller.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { isId } from '../../kernel/ids.ts'
import { foldName } from '../../kernel/person-names.ts'
import { keyOf, keysetPageJson, liesAhead, readKeysetPage } from '../../platform/database/pages.ts'
import { statement, variants } from '../../platform/database/statement.ts'
import { enrollmentRateJson } from '../employers/queries.ts'
import { namePattern } from '../people/queries.ts'
import type { CatalogBenefit, Offer, PlanOfBenefit, PlanYear, RenewalTerms } from './rules.ts'
import type { PlanYearEnrollmentFilter } from './schemas.ts'

const inReachOfYear = inReach('year.organization_id', 'year.employer_id')

const located = statement(
  'plan-years.locatePlanYear',
  `select year.id as benefit_plan_year_id, year.organization_id, year.employer_id from benefit_plan_years as year
    where year.id = :benefit_plan_year_id and (:employer_id::text is null or year.employer_id = :employer_id)
      and ${inReachOfYear}`,
)

/** A plan year, and whose. */
export type PlanYearKey = EmployerKey & { benefit_plan_year_id: string }

/** A plan year within reach; with `employer_id`, of that employer. */
export const locatePlanYear = (
  ctx: Ctx,
  { benefit_plan_year_id, employer_id = null }: { benefit_plan_year_id: string; employer_id?: string | null },
) => located.row<PlanYearKey>(ctx, { benefit_plan_year_id, employer_id })

/** SQL: a benefit that a plan year `year` offers, with its product. */
const offered = `
  plan_year_benefits as benefit
  join benefit_products as product on product.id = benefit.benefit_id
   and product.organization_id = benefit.organization_id
 where benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
   and benefit.withdrawn_at is null`

/** SQL: the price list of the leading benefit, with its plans. */
const leadingRates = (joins = '') => `
  plan_year_rates as rate
  join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
  ${joins}
 where rate.plan_year_id = year.id and rate.organization_id = year.organization_id
   and rate.benefit_id = lead.benefit_id`

const cheapestRate = leadingRates(
  'join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id',
)

/** SQL: a running year is active even while its window is open; what is still to come is in open enrollment then. */
const status = `
  case when year.coverage_end < :today::date then 'inactive'
       when year.coverage_start <= :today then 'active'
       when :today between year.open_enrollment_start and year.open_enrollment_end then 'open_enrollment'
       else 'upcoming' end`

/** SQL: plan years with what their single fields speak of, the leading benefit. */
const years = `
  benefit_plan_years as year
 cross join lateral (
   select benefit.benefit_id, product.family, product.name from ${offered} order by benefit.position limit 1) as lead
  left join lateral (
   select rate.premium_in_cents, carrier.name as carrier
     from ${cheapestRate}
    order by rate.coverage_tier <> 'EE', rate.premium_in_cents, plan.name, plan.id limit 1) as cheapest on true
 cross join lateral (
   select array(select distinct network
                  from ${leadingRates('cross join unnest(plan.network_names) as network')}
                 order by network) as network_names,
          (select plan.spd_file_url from ${leadingRates()} and plan.spd_file_url is not null
            order by plan.name, plan.id limit 1) as spd_file_url
  ) as papers
 cross join lateral (
   select min(rate.premium_in_cents - rate.most_contribution_in_cents) as least_deduction,
          max(rate.premium_in_cents - rate.least_contribution_in_cents) as most_deduction,
          min(rate.least_contribution_in_cents) as least_contribution,
          max(rate.most_contribution_in_cents) as most_contribution
     from ${leadingRates()}) as costs`

const rangeJson = (least: string, most: string) => `
  case when ${least} is not null then json_build_object('min_cents', ${least}, 'max_cents', ${most}) end`

const commonFields = `
  year.id, year.id as benefit_plan_year_id, lead.benefit_id, year.year, lead.family, lead.name as product_name,
  cheapest.carrier, papers.network_names, cheapest.premium_in_cents,
  ${rangeJson('costs.least_deduction', 'costs.most_deduction')} as employee_contribution,
  ${rangeJson('costs.least_contribution', 'costs.most_contribution')} as employer_contribution,
  ${status} as status, year.coverage_start, year.coverage_end,
  year.open_enrollment_start, year.open_enrollment_end, year.offered_states, year.renewal, year.plan_successors`

const benefitsJson = (more = '') => `
  (select json_agg(json_build_object('id', product.id, 'category', product.category, 'name', product.name,
                                     'product_code', product.product_code ${more}) order by benefit.position)
     from ${offered}) as benefits`

const rollUp = `
  array(select distinct upper(product.family) from ${offered} order by 1) as benefit_families,
  ${enrollmentRateJson('year')} as enrollment_rate`

/** SQL: a part of the contribution strategies of all benefits, each entry with its benefit's id. */
const strategyPart = (part: string) => `
  (select coalesce(json_agg(jsonb_build_object('benefit_id', benefit.benefit_id) || entry.said
                            order by benefit.position, entry.position), '[]')
     from (select benefit.benefit_id, benefit.position, benefit.contribution_strategy -> '${part}' as said
             from ${offered}) as benefit
    cross join lateral jsonb_array_elements(benefit.said) with ordinality as entry (said, position))`

const policyJson = `
  (select row_to_json(shown) from (
     select policy.id, true as active, policy.classification, policy.employer_id, policy.waiting_period,
            iso(policy.created_at) as created_at, iso(policy.updated_at) as updated_at
       from benefit_eligibility_policies as policy
      where policy.employer_id = year.employer_id and policy.organization_id = year.organization_id
        and policy.archived_at is null) as shown)`

const rowJson = `
  select row_to_json(shown) from (
    select ${commonFields}, ${benefitsJson()}, ${rollUp},
           :today between year.coverage_start and year.coverage_end as is_current) as shown`

const detailJson = `
  select row_to_json(shown) from (
    select ${commonFields}, ${benefitsJson(`, 'enrollment_rate', ${enrollmentRateJson('benefit')}`)},
           ${rollUp}, papers.spd_file_url,
           json_build_object('contribution_tiers', ${strategyPart('contribution_tiers')},
             'ichra_contribution_classes', ${strategyPart('ichra_contribution_classes')}) as contribution_strategy,
           ${policyJson} as eligibility_policy) as shown`

/** SQL: `{ data: [...] }` of an employer's plan years, newest first; no row out of reach. */
const listText = (item: string, condition: string) => `
  select '{"data":[' || coalesce((
           select string_agg((${item})::text, ',' order by year.coverage_start desc) from ${years}
            where year.employer_id = employer.id
              and year.organization_id = employer.organization_id ${condition}), '') || ']}' as json
    from employers as employer
   where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`

const listed = statement('plan-years.listPlanYears', listText(rowJson, 'and (:year::int is null or year.year = :year)'))

/** An employer's plan years as the whole answer, newest first; undefined out of reach. */
export const listPlanYears = (ctx: Ctx, employer_id: string, year: number | undefined) =>
  listed.json(ctx, { employer_id, year: year ?? null })

const listed_whole = statement('plan-years.listWholePlanYears', listText(detailJson, ''))

/** The same with each in full. */
export const listWholePlanYears = (ctx: Ctx, employer_id: string) => listed_whole.json(ctx, { employer_id })

const found = statement(
  'plan-years.findPlanYear',
  `select (${detailJson})::text as json from ${years}
    where year.id = :plan_year_id and (:employer_id::text is null or year.employer_id = :employer_id)
      and ${inReachOfYear}`,
)

/** One BenefitPlanYear as JSON; undefined out of reach, and when it is not of the employer that is given. */
export const findPlanYear = (ctx: Ctx, plan_year_id: string, employer_id: string | null = null) =>
  found.json(ctx, { plan_year_id, employer_id })

/** SQL: Pending while a window is open or still to come: that of the grant, open enrollment, or a life event. */
const electionStatus = `
  case enrollment.answer when 'enrolled' then 'Enrolled' when 'waived' then 'Waived'
  else case when coalesce(enrollment.inactive_on > :today::date, true)
             and (enrollment.window_ends_on >= :today or place.open_enrollment_end >= :today or exists (
                    select from qualifying_life_events as event
                     where event.employee_id = enrollment.employee_id
                       and event.organization_id = enrollment.organization_id
                       and event.decision = 'approved' and event.window_end >= :today))
            then 'Pending' else 'Expired' end end`

const policyStatus = `
  case when enrollment.answer = 'enrolled' then
    case when enrollment.coverage_end < enrollment.coverage_start then 'Cancelled'
         when enrollment.coverage_start > :today then 'Coverage Upcoming'
         when enrollment.coverage_end < :today then 'Coverage Ended'
         else 'Coverage Effective' end end`

/**
 * SQL: the election of a row `enrollment` in force today, on the last day of coverage that has ended, or the first one.
 */
export const electionInForce = `
  select * from elections
   where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
     and effective_on <= least(:today::date, enrollment.coverage_end)
   order by effective_on desc limit 1`

/**
 * SQL: whether a row `covered` of an election in force is of somebody who is covered on that day, or is going to be.
 */
export const coveredNow = `
  coalesce(covered.covered_until >= greatest(least(:today::date, enrollment.coverage_end), enrollment.coverage_start),
           true)`

const elected = `
  select election.*, plan.name as plan, carrier.name as carrier
    from (${electionInForce}) as election
    join plans as plan on plan.id = election.plan_id and plan.organization_id = election.organization_id
    join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id`

const dependentCount = `
  (select count(*) from covered_dependents as covered
    where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
      and covered.effective_on = elected.effective_on and ${coveredNow})`

/**
 * SQL: the row of a `page`. Asked for each, and not joined: the planner takes a page of unknown length for a tenth of
 * all, and would read the whole tables of enrollments and people for it.
 */
const enrollmentJson = `
  select row_to_json(shown) from (
    select employee.member_id, enrollment.employee_id, employee.reference_id as employee_external_reference_id,
           member.first_name as member_first_name, member.last_name as member_last_name,
           ${electionStatus} as election_status, ${policyStatus} as policy_status, ${dependentCount} as dependent_count,
           elected.carrier, elected.plan, elected.coverage_tier as tier, elected.premium_in_cents,
           elected.employer_contribution_in_cents, elected.employee_deduction_in_cents,
           enrollment.id as enrollment_id, enrollment.benefit_id, product.name as benefit_name
      from enrollments as enrollment
      join employees as employee on employee.id = enrollment.employee_id
       and employee.organization_id = enrollment.organization_id
      join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
      join benefit_products as product on product.id = enrollment.benefit_id
       and product.organization_id = enrollment.organization_id
      left join lateral (${elected}) as elected on true
     where enrollment.id = page.id and enrollment.organization_id = page.organization_id) as shown`

/** SQL: whom the id of a membership in a group means, which names it for good, or the reference of a present one. */
const groupMembers = `
  select member_id from group_members as membership
   where membership.id = :search and membership.organization_id = place.organization_id
   union
  select membership.member_id from groups as club
   cross join lateral (
     select member_id from group_members
      where group_id || reference_id = club.id || :search and organization_id = club.organization_id
        and left_at is null offset 0) as membership
   where club.organization_id = place.organization_id`

/**
 * SQL: the people whom a search means, each by an index, and those whose name it is part of, by the index of the
 * roster. They are found before their enrollments, of which there are several for each.
 */
const foundPeople = `
  meant as materialized (
    select employee.id from place
     cross join lateral (
       select id from employees
        where id = :search::text and employer_id = place.employer_id and organization_id = place.organization_id
        union
       select id from employees
        where member_id = :search and employer_id = place.employer_id and organization_id = place.organization_id
        union
       select id from employees
        where reference_id = :search and employer_id = place.employer_id and organization_id = place.organization_id
        union
       select employee.id from (${groupMembers}) as grouped
        cross join lateral (
          select * from employees
           where member_id = grouped.member_id and organization_id = place.organization_id offset 0) as employee
        where employee.employer_id = place.employer_id) as employee),
  found as materialized (
    select id from meant
     union all
    select employee.id from place
      join employees as employee on employee.employer_id = place.employer_id
       and employee.organization_id = place.organization_id
     where :pattern::text is not null and employee.search_key like :pattern
       and employee.id <> all (array(select id from meant)))`

const inPlanYear = 'enrollment.plan_year_id = place.id and enrollment.organization_id = place.organization_id'
const ofAll = `place join enrollments as enrollment on ${inPlanYear}`

/** From so many found on, their enrollments are looked for among all of the plan year, and not for each of them. */
const many = 500

/**
 * SQL: the enrollments of the found. Each is looked up, whatever is believed of the table; of many, all of the plan
 * year are read and compared with them ("is true" keeps that from becoming a look-up for each again).
 */
const ofFound = `place cross join lateral (
    select theirs.* from found
     cross join lateral (
       select * from enrollments
        where employee_id = found.id and organization_id = place.organization_id offset 0) as theirs
     where theirs.plan_year_id = place.id and (select count(*) from found) < ${many}
     union all
    select enrollment.* from enrollments as enrollment
     where ${inPlanYear} and (select count(*) from found) >= ${many}
       and (enrollment.employee_id in (select id from found)) is true) as enrollment`

const newest = 'order by enrollment.created_at desc, enrollment.id desc limit :limit offset :offset'

/** SQL: all of a plan year, by its index in the order of the list. */
const wholePage = `cross join lateral (
  select * from enrollments as enrollment where ${inPlanYear} and ${liesAhead('enrollment')} ${newest}) as page`
const wholeTotals = `
  select enrollment_count as total, enrollment_count - :behind::bigint * :limit::int as ahead from place`

/** SQL: what the filters keep. They are asked once, for the page and its totals. */
const keptPage = `cross join (select * from kept as enrollment where ${liesAhead('enrollment')} ${newest}) as page`
const keptTotals = `
  select counted.* from place cross join (
    select count(*) as total, count(*) filter (where ${liesAhead('kept')}) as ahead from kept) as counted`

const listed_enrollments = variants(
  'plan-years.listPlanYearEnrollments',
  { statuses: [false, true], search: [false, true] },
  ({ statuses, search }) => {
    const filtered = statuses || search
    const place = `
      place as materialized (
        select year.id, year.organization_id, year.employer_id, year.open_enrollment_end, year.enrollment_count
          from benefit_plan_years as year
         where year.id = :benefit_plan_year_id and year.employer_id = :employer_id and ${inReachOfYear})`
    const kept = `
      kept as materialized (
        select enrollment.id, enrollment.organization_id, enrollment.created_at from ${search ? ofFound : ofAll}
        ${statuses ? `where lower(${electionStatus}) = any(:election_statuses::text[])` : ''})`
    const ctes = [place, ...(search ? [foundPeople] : []), ...(filtered ? [kept] : [])]
    const rows = `
      select (${enrollmentJson}) as item,
             row_number() over (order by page.created_at desc, page.id desc) as position, ${keyOf('page')} as key
        from place ${filtered ? keptPage : wholePage}`
    return `with ${ctes.join(', ')} ${keysetPageJson(rows, filtered ? keptTotals : wholeTotals)}`
  },
)

/** A page of a plan year's enrollments as the whole answer, newest first; undefined out of reach. */
export function listPlanYearEnrollments(
  ctx: Ctx,
  place: { employer_id: string; benefit_plan_year_id: string },
  { election_status: election_statuses, search, ...page }: PlanYearEnrollmentFilter,
): Promise<string | undefined> {
  const chosen = listed_enrollments({ statuses: election_statuses.length > 0, search: search !== undefined })
  const pattern = search === undefined ? null : patternOf(search)
  return readKeysetPage(ctx, chosen, page, { ...place, election_statuses, search: search ?? null, pattern })
}

/** What a name is compared with; null for an id, and for what holds nothing that a name could. */
function patternOf(search: string): string | null {
  const is_id = (['mbr', 'empl', 'grpmbr'] as const).some((prefix) => isId(prefix, search))
  return is_id || foldName(search) === '' ? null : namePattern(search)
}

// Facts for the rules. The organization is locked, and the plan year or employer found within reach.

const stored = statement(
  'plan-years.findStoredPlanYear',
  `select year.year, year.coverage_start, year.coverage_end, year.open_enrollment_start, year.open_enrollment_end,
          year.offered_states, year.renewal, year.plan_successors,
          (select json_agg(json_build_object(
                    'benefit_id', benefit.benefit_id, 'starts_on', benefit.starts_on,
                    'contribution_strategy', benefit.contribution_strategy,
                    'rates', (select coalesce(json_agg(json_build_object(
                                       'plan_id', rate.plan_id, 'coverage_tier', rate.coverage_tier,
                                       'tier_id', rate.tier_id, 'premium_in_cents', rate.premium_in_cents,
                                       'least_contribution_in_cents', rate.least_contribution_in_cents,
                                       'most_contribution_in_cents', rate.most_contribution_in_cents)
                                       order by rate.plan_id, rate.coverage_tier), '[]')
                                from plan_year_rates as rate
                               where rate.plan_year_id = benefit.plan_year_id
                                 and rate.organization_id = benefit.organization_id
                                 and rate.benefit_id = benefit.benefit_id))
                    order by benefit.position)
             from plan_year_benefits as benefit
            where benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
              and benefit.withdrawn_at is null) as offers
     from benefit_plan_years as year where year.id = :plan_year_id and year.organization_id = :organization_id`,
)

/** A plan year as it is stored, with what it offers in its order. */
export const findStoredPlanYear = (ctx: Ctx, organization_id: string, plan_year_id: string) =>
  stored.row<PlanYear & RenewalTerms & { offers: Offer[] }>(ctx, { organization_id, plan_year_id })

const overlapping = statement(
  'plan-years.overlapsPlanYear',
  `select 1 as found from benefit_plan_years
    where employer_id = :employer_id and organization_id = :organization_id and id is distinct from :plan_year_id::text
      and coverage_start <= :coverage_end and coverage_end >= :coverage_start limit 1`,
)

/** Whether an employer has a plan year in a time, other than `plan_year_id`. */
export const overlapsPlanYear = async (
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  plan_year_id: string | null,
  { coverage_start, coverage_end }: PlanYear,
): Promise<boolean> =>
  (await overlapping.row(ctx, { organization_id, employer_id, plan_year_id, coverage_start, coverage_end })) !==
  undefined

const elected_of = statement(
  'plan-years.hasElections',
  `select 1 as found from enrollments as enrollment
    where enrollment.plan_year_id = :plan_year_id and enrollment.organization_id = :organization_id
      and coalesce(enrollment.inactive_on > :today, true)
      and exists (select from elections as election
                   where election.enrollment_id = enrollment.id
                     and election.organization_id = enrollment.organization_id)
    limit 1`,
)

/** Whether somebody has elected a benefit of a plan year and is not inactive. */
export const hasElections = async (ctx: Ctx, organization_id: string, plan_year_id: string): Promise<boolean> =>
  (await elected_of.row(ctx, { organization_id, plan_year_id })) !== undefined

const catalog_benefits = statement(
  'plan-years.findCatalogBenefits',
  `select product.id, product.family, array(
            select json_build_object(
              'id', plan.id,
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
)

/**
 * Benefits of the organization's catalog by id, with the rates of their plans on a day. Those it has not are missing.
 */
export const findCatalogBenefits = (ctx: Ctx, organization_id: string, benefit_ids: string[], day: string) =>
  catalog_benefits.rows<CatalogBenefit>(ctx, { organization_id, benefit_ids, day })

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

/** Writes a plan year, new or changed. */
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

/** Writes how a plan year follows on the one before; it is to be renewed by that. */
export const saveRenewalTerms = (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id: plan_year_id }: PlanYearKey,
  { renewal, plan_successors }: RenewalTerms,
) => saved_terms.rows(ctx, { organization_id, plan_year_id, renewal, plan_successors: JSON.stringify(plan_successors) })

const former_plans = statement(
  'plan-years.listFormerPlans',
  `select distinct former.benefit_id, rate.plan_id
     from (select distinct on (benefit.benefit_id) benefit.benefit_id, benefit.plan_year_id
             from benefit_plan_years as year
             join plan_year_benefits as benefit on benefit.plan_year_id = year.id
              and benefit.organization_id = year.organization_id
            where year.employer_id = :employer_id and year.organization_id = :organization_id
              and year.coverage_end < :coverage_start
            order by benefit.benefit_id, year.coverage_end desc) as former
     join plan_year_rates as rate on rate.plan_year_id = former.plan_year_id
      and rate.organization_id = :organization_id and rate.benefit_id = former.benefit_id`,
)

/** The plans that an employer offered before a day, of each benefit those of its last plan year. */
export const listFormerPlans = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, coverage_start: Day) =>
  former_plans.rows<PlanOfBenefit>(ctx, { organization_id, employer_id, coverage_start })

const withdrawn_offers = statement(
  'plan-years.withdrawOffers',
  `update plan_year_benefits set withdrawn_at = :now
    where plan_year_id = :plan_year_id and organization_id = :organization_id and withdrawn_at is null
      and benefit_id <> all(:benefit_ids::text[])`,
)

const saved_offers = statement(
  'plan-years.saveOffers',
  `insert into plan_year_benefits (organization_id, plan_year_id, benefit_id, position, starts_on,
                                   contribution_strategy)
   select :organization_id, :plan_year_id, offer.said ->> 'benefit_id', offer.position,
          (offer.said ->> 'starts_on')::date, offer.said -> 'contribution_strategy'
     from jsonb_array_elements(:offers::jsonb) with ordinality as offer (said, position)
   on conflict (plan_year_id, organization_id, benefit_id) do update
     set position = excluded.position, starts_on = excluded.starts_on, withdrawn_at = null,
         contribution_strategy = excluded.contribution_strategy`,
)

const deleted_rates = statement(
  'plan-years.deleteRates',
  'delete from plan_year_rates where organization_id = :organization_id and plan_year_id = :plan_year_id',
)

const inserted_rates = statement(
  'plan-years.insertRates',
  `insert into plan_year_rates (organization_id, plan_year_id, benefit_id, plan_id, coverage_tier, tier_id,
                                premium_in_cents, least_contribution_in_cents, most_contribution_in_cents)
   select :organization_id, :plan_year_id, offer.benefit_id, rate.*
     from jsonb_to_recordset(:offers::jsonb) as offer (benefit_id text, rates jsonb)
    cross join lateral jsonb_to_recordset(offer.rates) as rate (
      plan_id text, coverage_tier text, tier_id text, premium_in_cents bigint, least_contribution_in_cents bigint,
      most_contribution_in_cents bigint)`,
)

/**
 * Makes these the offers of a plan year, in this order. Others are withdrawn; their rows stay, since enrollments are of
 * them.
 */
export async function saveOffers(
  ctx: Ctx,
  organization_id: string,
  plan_year_id: string,
  offers: Offer[],
): Promise<void> {
  const place = { organization_id, plan_year_id }
  const said = { ...place, offers: JSON.stringify(offers) }
  await withdrawn_offers.rows(ctx, { ...place, benefit_ids: offers.map((offer) => offer.benefit_id) })
  await saved_offers.rows(ctx, said)
  await deleted_rates.rows(ctx, place)
  await inserted_rates.rows(ctx, said)
}

const benefits_to_turn = statement(
  'plan-years.listBenefitsToTurn',
  `select employer_id from employer_benefits
    where organization_id = :organization_id and holds_until <= :today and employer_id > :after
    order by employer_id limit :most`,
)

/** The next employers whose row in the book holds no longer today. */
export async function listBenefitsToTurn(
  ctx: Ctx,
  organization_id: string,
  { after, most }: DailyChunk,
): Promise<string[]> {
  const chunk = { organization_id, after: after ?? '', most }
  const rows = await benefits_to_turn.rows<{ employer_id: string }>(ctx, chunk)
  return rows.map((row) => row.employer_id)
}

/** SQL: whether there are such employers. */
export const hasDailyBenefits = `
  exists (select from employer_benefits as held
           where held.organization_id = organization.id and held.holds_until <= turning.day)`

const saved_benefits = statement(
  'plan-years.saveEmployerBenefits',
  `insert into employer_benefits
   select benefits.*
     from (select distinct unnest(:employer_ids::text[]) as id) as employer
    cross join lateral employer_benefits_on(employer.id, :organization_id, :today) as benefits
   on conflict (employer_id, organization_id) do update
     set first_coverage_start = excluded.first_coverage_start, plan_year_id = excluded.plan_year_id,
         coverage_start = excluded.coverage_start, coverage_end = excluded.coverage_end,
         latest_coverage_end = excluded.latest_coverage_end, open_enrollment_start = excluded.open_enrollment_start,
         open_enrollment_end = excluded.open_enrollment_end, families = excluded.families,
         holds_from = excluded.holds_from, holds_until = excluded.holds_until`,
)

/** Brings the book's row of employers into step with their plan years. */
export const saveEmployerBenefits = (ctx: Ctx, organization_id: string, employer_ids: string[]) =>
  saved_benefits.rows(ctx, { organization_id, employer_ids })

/** By how much the counts of a plan year change, or of one of its benefits. */
export type CountChange = { plan_year_id: string; benefit_id: string | null; eligible: number; enrolled: number }

const countsAdded = `
  eligible_count = eligible_count + added.eligible, enrolled_count = enrolled_count + added.enrolled
    from jsonb_to_recordset(:changes::jsonb)
         as added (plan_year_id text, benefit_id text, eligible bigint, enrolled bigint)`

const added_to_years = statement(
  'plan-years.addToYearCounts',
  `update benefit_plan_years as year set ${countsAdded}
    where year.id = added.plan_year_id and year.organization_id = :organization_id and added.benefit_id is null`,
)

const added_to_benefits = statement(
  'plan-years.addToBenefitCounts',
  `update plan_year_benefits as benefit set ${countsAdded}
    where benefit.plan_year_id = added.plan_year_id and benefit.benefit_id = added.benefit_id
      and benefit.organization_id = :organization_id`,
)

/** Adds to the counts of plan years (`benefit_id` null) and of their benefits. The organization is locked. */
export async function addToPlanYearCounts(ctx: Ctx, organization_id: string, changes: CountChange[]): Promise<void> {
  const values = { organization_id, changes: JSON.stringify(changes) }
  await added_to_years.rows(ctx, values)
  await added_to_benefits.rows(ctx, values)
}

const added_enrollments = statement(
  'plan-years.addToEnrollmentCounts',
  `update benefit_plan_years as year set enrollment_count = enrollment_count + added.count
     from (select id, count(*) as count from unnest(:plan_year_ids::text[]) as granted (id) group by id) as added
    where year.id = added.id and year.organization_id = :organization_id`,
)

/** Adds enrollments that were granted to the totals of their plan years: one id of a plan year for each. */
export const addToEnrollmentCounts = (ctx: Ctx, organization_id: string, plan_year_ids: string[]) =>
  added_enrollments.rows(ctx, { organization_id, plan_year_ids })
