import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { keyOf, liesAhead, readWalk, walkJson, walkParameters } from '../../platform/database/numbered-pages.ts'
import { addressJson } from '../../kernel/fields.ts'
import { einDigits, type EmployerDetails, type Subscription, type Taken } from './rules.ts'
import type { EmployerFilter, EmployerSettingsChanges, NewEmployer } from './schemas.ts'

/** SQL: the fields of the Employer of the interface, from a row of employers called `employer`. */
const employerFields = `
  employer.id, employer.organization_id, employer.name, employer.legal_name,
  '**-***' || employer.ein_last_four as ein, employer.reference_id, employer.email, employer.phone_number, employer.active,
  ${addressJson('employer')} as address,
  (select policy.id from benefit_eligibility_policies as policy
    where policy.employer_id = employer.id and policy.organization_id = employer.organization_id
      and policy.archived_at is null) as eligibility_policy_id,
  iso(employer.created_at) as created_at, iso(employer.updated_at) as updated_at`

const settingsFields = `employer.pay_frequency, employer.first_pay_date, employer.deduction_method, employer.census_mode`

const inReachOfEmployer = inReachByNumber('employer.organization_id', 'employer.id')

const jsonOf = (fields: string) => `
  select (select row_to_json(shown) from (select ${fields}) as shown)::text as json
    from employers as employer
   where employer.id = $4 and ${inReachOfEmployer}`

const employerText = jsonOf(employerFields)
const settingsText = jsonOf(settingsFields)

/** The Employer as JSON; undefined out of reach. */
export const findEmployer = (ctx: Ctx, employer_id: string) =>
  ctx.db.json(employerText, [...reachOf(ctx.caller), employer_id])

/** The settings of an employer as JSON; undefined out of reach. */
export const findEmployerSettings = (ctx: Ctx, employer_id: string) =>
  ctx.db.json(settingsText, [...reachOf(ctx.caller), employer_id])

// The book ---------------------------------------------------------------------------------------
// Parameters after the reach: $4 today, $5 whether cancelled employers are shown, then the walk; with filters also
// $11 stages, $12 families, $13 HRIS providers, $14 HRIS states, $15 name pattern, $16 search, $17 EIN hash.

const walk = walkParameters(6)

/** SQL: the connection of an employer, as the book shows it. */
const hrisJson = `
  (select json_build_object('provider', connection.provider, 'provider_label', connection.provider_label, 'status', connection.status)
     from hris_connections as connection
    where connection.employer_id = employer.id and connection.organization_id = employer.organization_id
      and connection.disconnected_at is null)`

/** SQL: whether an employer is among those with such a connection. They are collected once, and not asked for one by one. */
const isConnected = (one: boolean, condition: string) => `
  employer.id in (select connection.employer_id from hris_connections as connection
                   where connection.disconnected_at is null and ${condition}
                     and ${inReachByNumber('connection.organization_id', 'connection.employer_id')}
                     ${one ? 'and connection.organization_id = ($1::text[])[1]' : ''})`

/** SQL: `{eligible, enrolled, percentage}` from a row that counts both; nulls count as 0. */
export const enrollmentRateJson = (row: string): string => `
  json_build_object('eligible', coalesce(${row}.eligible_count, 0), 'enrolled', coalesce(${row}.enrolled_count, 0),
    'percentage', coalesce((200 * ${row}.enrolled_count + ${row}.eligible_count) / nullif(2 * ${row}.eligible_count, 0), 0))`

/**
 * SQL: what an employer offers today, as `benefits`. Its row is kept; where it does not hold today, since the turn of
 * the day has yet to come or an organization lives ahead, the same is asked of its plan years.
 */
const withBenefits = `
  left join employer_benefits as held on held.employer_id = employer.id and held.organization_id = employer.organization_id
  left join lateral (
    select held.* where held.holds_from <= $4::date and held.holds_until > $4::date
    union all
    select fresh.* from employer_benefits_on(employer.id, employer.organization_id, $4::date) as fresh
     where held.holds_from > $4::date or held.holds_until <= $4::date) as benefits on true`

const isCancelled = 'coalesce(employer.subscription_ended_on <= $4::date, false)'
/** The stages in their order (decisions.md, section 3): when each holds, and its day. The last holds if no other does. */
const stages = [
  ['cancelled', isCancelled, 'employer.subscription_ended_on'],
  ['onboarding', 'benefits.latest_coverage_end is null', 'benefits.first_coverage_start'],
  [
    'open_enrollment',
    '$4::date between benefits.open_enrollment_start and benefits.open_enrollment_end',
    'benefits.open_enrollment_end',
  ],
  ['renewal', 'benefits.latest_coverage_end - 90 <= $4::date', 'benefits.latest_coverage_end + 1'],
  ['active', 'true', 'benefits.coverage_start'],
]
const stage = `case ${stages.map(([name, holds]) => `when ${holds} then '${name}'`).join(' ')} end`
const stageDay = `case ${stages.map(([, holds, day]) => `when ${holds} then ${day}`).join(' ')} end`

const bookRow = `
  select ${employerFields}, employer.id as employer_id,
         ${enrollmentRateJson('counts')} as enrollment_rate_summary,
         coalesce(benefits.families, '{}') as benefit_families, ${hrisJson} as hris_status,
         json_build_object('stage', ${stage}, 'as_of_date', ${stageDay}) as benefit_lifecycle_stage`

const matches = (one: boolean) => `
  ($11::text[] = '{}' or ${stage} = any($11))
  and ($12::text[] = '{}' or benefits.families && $12)
  and ($13::text[] = '{}' or ${isConnected(one, 'connection.provider = any($13)')})
  and ($14::text[] = '{}' or ${isConnected(one, 'connection.status = any($14)')})
  and ($15::text is null or employer.name ilike $15 or employer.legal_name ilike $15
    or employer.id = $16 or employer.ein_hash = $17::bytea
    or employer.id in (select admin.employer_id from employer_admins as admin
                        where lower(admin.email) = lower($16::text) and admin.disabled_at is null
                          and ${inReachByNumber('admin.organization_id', 'admin.employer_id')}))`

/**
 * SQL: the employers of the book. A caller of one organization is told so by an equality besides: an index is
 * read in its order for that, and not for inReachByNumber.
 */
const book = (one: boolean, joins = '') => `
  from employers as employer ${joins}
 where ${inReachOfEmployer} ${one ? 'and employer.organization_id = ($1::text[])[1]' : ''}`

/** SQL: how many employers the book shows: the counters of the organizations, less the cancelled, which an index finds. */
const countedTotal = (one: boolean) => `
  (select coalesce(sum(organization.employer_count), 0)::bigint from organizations as organization
    where ${inReachByNumber('organization.id')})
  - case when $5::boolean then 0 else (select count(*) ${book(one)} and employer.subscription_ended_on <= $4::date) end`

/** SQL: rows of the book from the keys of a page: JSON is built for them only. */
const rowsOf = (keys: string) => `
  select (select row_to_json(shown) from (${bookRow}) as shown) as item,
         row_number() over (order by page.created_at desc, page.id desc) as position, ${keyOf('page')} as key
    from (select employer.id, employer.organization_id, employer.created_at ${keys} and ${liesAhead('employer', walk)}
           order by employer.created_at desc, employer.id desc limit ${walk.$limit}::int offset ${walk.$offset}::bigint) as page
    join employers as employer using (id, organization_id)
    ${withBenefits}
    left join benefit_plan_years as counts on counts.id = benefits.plan_year_id and counts.organization_id = benefits.organization_id`

const isShown = `($5::boolean or not ${isCancelled})`

/** SQL: a page of the whole book, newest first. Who walks it has what lies ahead counted, since employers are cancelled meanwhile. */
function wholeText(one: boolean): string {
  const shown = `${book(one)} and ${isShown}`
  const totals = `
    select total, case when ${walk.$behind}::bigint = 0 then total
                       else (select count(*) ${shown} and ${liesAhead('employer', walk)}) end as ahead
      from (select ${countedTotal(one)} as total) as counted`
  return walkJson(rowsOf(shown), totals, walk)
}

/** SQL: a page of what the filters keep. They are asked once, for the page and its totals. */
const filteredText = (one: boolean) => `
  with kept as materialized (
    select employer.id, employer.organization_id, employer.created_at ${book(one, withBenefits)}
       and ${isShown} and ${matches(one)})
  ${walkJson(
    rowsOf('from kept as employer where true'),
    `select count(*) as total, count(*) filter (where ${liesAhead('kept', walk)}) as ahead from kept`,
    walk,
  )}`

const bookOfOne = { whole: wholeText(true), filtered: filteredText(true) }
const bookOfMany = { whole: wholeText(false), filtered: filteredText(false) }

/** A page of the employer book as the whole answer. */
export function listEmployers(ctx: Ctx, filter: EmployerFilter): Promise<string | undefined> {
  const { benefit_family, benefit_lifecycle_stage: wanted_stages, hris_provider, hris_status, search } = filter
  const one = ctx.caller.reach.organization_ids?.length === 1
  const filtered =
    search !== undefined ||
    [benefit_family, wanted_stages, hris_provider, hris_status].some((values) => values.length > 0)
  const with_cancelled = filter.include_cancelled || wanted_stages.includes('cancelled')
  const asked = [...reachOf(ctx.caller), ctx.today, with_cancelled]
  const texts = one ? bookOfOne : bookOfMany
  if (!filtered) return readWalk(ctx, texts.whole, filter, asked)

  const digits = search && einDigits(search)
  return readWalk(ctx, texts.filtered, filter, asked, [
    wanted_stages,
    benefit_family.map((family) => family.toUpperCase()),
    hris_provider,
    hris_status,
    search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`,
    search ?? null,
    digits ? ctx.secrets.lookupHash(digits) : null,
  ])
}

// Writes -----------------------------------------------------------------------------------------

/** What is known of an employer while it is locked. */
export type LockedEmployer = EmployerDetails & {
  id: string
  organization_id: string
  ein_hash: Buffer
  ein_last_four: string
}

/** Locks an employer within reach, so that one writer at a time changes it; undefined out of reach. */
export const lockEmployer = (ctx: Ctx, employer_id: string) =>
  ctx.db.row<LockedEmployer>(
    `select employer.id, employer.organization_id, employer.ein_hash, employer.ein_last_four, employer.name, employer.legal_name,
            employer.email, employer.phone_number, employer.reference_id, employer.active, employer.address_line_1,
            employer.address_line_2, employer.city, employer.state, employer.zipcode
       from employers as employer
      where employer.id = $4 and ${inReachOfEmployer}
        for no key update`,
    [...reachOf(ctx.caller), employer_id],
  )

/** The values that are unique within an organization. */
export type Claims = { ein_hash: Buffer; name: string; legal_name: string; email: string; phone_number: string | null }

const others = 'employers as other where other.organization_id = $1 and other.id is distinct from $2::text'

/** Which values employers of the organization hold, other than `employer_id`. Exact while the organization is locked. */
export const findTaken = async (
  ctx: Ctx,
  organization_id: string,
  employer_id: string | null,
  claims: Claims,
): Promise<Taken> =>
  (await ctx.db.row<Taken>(
    `select exists (select from ${others} and other.ein_hash = $3) as ein,
            exists (select from ${others} and lower(other.name) = lower($4 collate pg_c_utf8)) as name,
            exists (select from ${others} and lower(other.legal_name) = lower($5 collate pg_c_utf8)) as legal_name,
            exists (select from ${others} and lower(other.email) = lower($6)) as email,
            exists (select from ${others} and other.phone_number = $7) as phone_number`,
    [organization_id, employer_id, claims.ein_hash, claims.name, claims.legal_name, claims.email, claims.phone_number],
  ))!

export type EmployerRecord = { id: string; organization_id: string; ein_sealed: Buffer; ein_hash: Buffer } & NewEmployer

/** Writes a new employer. */
export async function insertEmployer(ctx: Ctx, employer: EmployerRecord): Promise<void> {
  const { address } = employer
  await ctx.db.rows(
    `insert into employers (id, organization_id, name, legal_name, ein_sealed, ein_hash, ein_last_four, reference_id, email, phone_number,
                            address_line_1, address_line_2, city, state, zipcode, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      employer.id,
      employer.organization_id,
      employer.name,
      employer.legal_name,
      employer.ein_sealed,
      employer.ein_hash,
      employer.ein.slice(-4),
      employer.reference_id,
      employer.email,
      employer.phone_number,
      address.address_line_1,
      address.address_line_2,
      address.city,
      address.state,
      address.zipcode,
      ctx.now,
    ],
  )
}

export const insertEmployerAdmin = (ctx: Ctx, admin: { organization_id: string; employer_id: string; email: string }) =>
  ctx.db.rows('insert into employer_admins (organization_id, employer_id, email, created_at) values ($1, $2, $3, $4)', [
    admin.organization_id,
    admin.employer_id,
    admin.email,
    ctx.now,
  ])

/** Saves the details of an employer that the caller has locked. */
export const saveEmployer = (ctx: Ctx, { id, organization_id }: LockedEmployer, details: EmployerDetails) =>
  ctx.db.rows(
    `update employers
        set name = $3, legal_name = $4, email = $5, phone_number = $6, reference_id = $7, active = $8, address_line_1 = $9,
            address_line_2 = $10, city = $11, state = $12, zipcode = $13, updated_at = $14
      where id = $1 and organization_id = $2`,
    [
      id,
      organization_id,
      details.name,
      details.legal_name,
      details.email,
      details.phone_number,
      details.reference_id,
      details.active,
      details.address_line_1,
      details.address_line_2,
      details.city,
      details.state,
      details.zipcode,
      ctx.now,
    ],
  )

/** Saves the settings that are given; `first_pay_date` null clears it. */
export const saveEmployerSettings = (ctx: Ctx, employer_id: string, settings: EmployerSettingsChanges) =>
  ctx.db.rows(
    `update employers as employer
        set pay_frequency = coalesce($5, pay_frequency), first_pay_date = case when $6 then $7::date else first_pay_date end,
            deduction_method = coalesce($8, deduction_method), census_mode = coalesce($9, census_mode)
      where employer.id = $4 and ${inReachOfEmployer}`,
    [
      ...reachOf(ctx.caller),
      employer_id,
      settings.pay_frequency,
      settings.first_pay_date !== undefined,
      settings.first_pay_date,
      settings.deduction_method,
      settings.census_mode,
    ],
  )

// Subscriptions ----------------------------------------------------------------------------------

const inReachOfSubscription = inReachByNumber('subscription.organization_id', 'subscription.employer_id')

/** The subscription of an employer that started last. */
export const findLatestSubscription = (ctx: Ctx, employer_id: string) =>
  ctx.db.row<Subscription>(
    `select subscription.id, subscription.employer_id, subscription.started_on, subscription.ended_on
       from employer_subscriptions as subscription
      where subscription.employer_id = $4 and ${inReachOfSubscription}
      order by subscription.started_on desc limit 1`,
    [...reachOf(ctx.caller), employer_id],
  )

/** Whether an employer within reach has an active subscription on a day. */
export async function hasActiveSubscription(ctx: Ctx, employer_id: string, day: Day): Promise<boolean> {
  const found = await ctx.db.row(
    `select 1 as found from employer_subscriptions as subscription
      where subscription.employer_id = $4 and subscription.span @> $5::date and ${inReachOfSubscription}`,
    [...reachOf(ctx.caller), employer_id, day],
  )
  return found !== undefined
}

/** SQL: the lapses of an employer, JSON of `[ended_on, resumed_on]`: the days after its first subscription that none spans. */
export const lapsesJson = (employer_id: string, organization_id: string) => `
  (select coalesce(json_agg(json_build_array(lower(lapse), upper(lapse))), '[]')
     from unnest((select datemultirange(daterange(min(started_on), null)) - range_agg(span) from employer_subscriptions
                   where employer_id = ${employer_id} and organization_id = ${organization_id})) as lapse)`

export const insertSubscription = (ctx: Ctx, organization_id: string, subscription: Subscription) =>
  ctx.db.rows(
    `insert into employer_subscriptions (id, organization_id, employer_id, started_on, created_at) values ($1, $2, $3, $4, $5)`,
    [subscription.id, organization_id, subscription.employer_id, subscription.started_on, ctx.now],
  )

export const saveSubscriptionEnd = (ctx: Ctx, organization_id: string, { id, ended_on }: Subscription) =>
  ctx.db.rows('update employer_subscriptions set ended_on = $3 where id = $1 and organization_id = $2', [
    id,
    organization_id,
    ended_on,
  ])

/** Notes at the employer when its latest subscription ends, for the book. */
export const noteSubscriptionEnd = (ctx: Ctx, organization_id: string, { employer_id, ended_on }: Subscription) =>
  ctx.db.rows('update employers set subscription_ended_on = $3 where id = $1 and organization_id = $2', [
    employer_id,
    organization_id,
    ended_on,
  ])

/** The same for the employers of an organization whose subscription begins today. */
export const saveSubscriptionsBeginning = (ctx: Ctx, organization_id: string) =>
  ctx.db.rows(
    `update employers as employer set subscription_ended_on = subscription.ended_on
       from employer_subscriptions as subscription
      where subscription.started_on = $2 and subscription.organization_id = $1
        and employer.id = subscription.employer_id and employer.organization_id = $1`,
    [organization_id, ctx.today],
  )

/** SQL: whether a subscription begins. */
export const hasSubscriptionsBeginning = `
  exists (select from employer_subscriptions as subscription
           where subscription.started_on = turning.day and subscription.organization_id = organization.id)`

/** Counts employees added to an employer's roster. */
export const addToRosterCount = (
  ctx: Ctx,
  { organization_id, employer_id }: { organization_id: string; employer_id: string },
  added: number,
) =>
  ctx.db.rows('update employers set employee_count = employee_count + $3 where id = $1 and organization_id = $2', [
    employer_id,
    organization_id,
    added,
  ])
