import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { addressJson } from '../../../kernel/fields.ts'
import type { EmployerDetails, Subscription, Taken } from './rules.ts'
import type { NewEmployer, EmployerAdministration, EmployerSettingsChanges } from './schemas.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'

export const employerFields = `
  employer.id, employer.organization_id, employer.name, employer.legal_name,
  '**-***' || employer.ein_last_four as ein, employer.reference_id, employer.email, employer.phone_number,
  employer.active, ${addressJson('employer')} as address,
  (select policy.id from benefit_eligibility_policies as policy
    where policy.employer_id = employer.id and policy.organization_id = employer.organization_id
      and policy.archived_at is null and policy.benefit_ids = '{}') as eligibility_policy_id,
  -- Tokens bound to an employer see no members of the organization.
  (select json_build_object('user_id', account.id, 'name', account.name)
     from memberships as membership join users as account on account.id = membership.user_id
    where membership.organization_id = employer.organization_id and membership.user_id = employer.owner_user_id
      and membership.ended_at is null and :reach_employer_id::text is null) as owner,
  iso(employer.created_at) as created_at, iso(employer.updated_at) as updated_at`

const inReachOfEmployer = inReach('employer.organization_id', 'employer.id')

export const findEmployer = read(
  'employers.findEmployer',
  `select (select row_to_json(shown) from (select ${employerFields}) as shown)::text as json
     from employers as employer
    where employer.id = :employer_id and ${inReachOfEmployer}`,
  { batch: 8 },
).json

/** SQL: `{eligible, enrolled, percentage}`, from a row with both counts. Null counts as 0. */
export const enrollmentRateJson = (row: string): string => `
  json_build_object('eligible', coalesce(${row}.eligible_count, 0), 'enrolled', coalesce(${row}.enrolled_count, 0),
    'percentage',
    coalesce((200 * ${row}.enrolled_count + ${row}.eligible_count) / nullif(2 * ${row}.eligible_count, 0), 0))`

export type LockedEmployer = EmployerDetails & {
  id: string
  organization_id: string
  ein_hash: Buffer
  ein_last_four: string
}

/** Locks an employer within reach, to serialize its changes. Undefined if out of reach. */
export const lockEmployer = statement(
  'employers.lockEmployer',
  `select employer.id, employer.organization_id, employer.ein_hash, employer.ein_last_four, employer.name,
          employer.legal_name, employer.email, employer.phone_number, employer.reference_id, employer.owner_user_id,
          employer.active, employer.address_line_1,
          employer.address_line_2, employer.city, employer.state, employer.zipcode
     from employers as employer
    where employer.id = :employer_id and ${inReachOfEmployer}
      for no key update`,
).row<LockedEmployer>

/** The values that are unique within an organization. */
export type EmployerIdentifiers = {
  /** The hashes of the EIN under each key. */
  ein_hashes: Buffer[]
  name: string
  legal_name: string
  email: string
  phone_number: string | null
}

const others = `employers as other
  where other.organization_id = :organization_id and other.id is distinct from :employer_id::text`

const taken = statement(
  'employers.findTaken',
  `select exists (select from ${others} and other.ein_hash = any(:ein_hashes::bytea[])) as ein,
          exists (select from ${others} and other.name_key = lower(:name collate pg_c_utf8)) as name,
          exists (select from ${others}
                     and other.legal_name_key = lower(:legal_name collate pg_c_utf8)) as legal_name,
          exists (select from ${others} and other.email_key = lower(:email)) as email,
          exists (select from ${others} and other.phone_number = :phone_number) as phone_number`,
)

/** Which values other employers of the organization already have. Reliable only while the organization is locked. */
export const findTaken = async (
  ctx: Ctx,
  organization_id: string,
  employer_id: string | null,
  identifiers: EmployerIdentifiers,
): Promise<Taken> => (await taken.row<Taken>(ctx, { ...identifiers, organization_id, employer_id }))!

export type EmployerRecord = { id: string; organization_id: string; ein_sealed: Buffer; ein_hash: Buffer } & NewEmployer

const inserted = statement(
  'employers.insertEmployer',
  `insert into employers
     (id, organization_id, name, legal_name, ein_sealed, ein_hash, ein_last_four, reference_id, email, phone_number,
      address_line_1, address_line_2, city, state, zipcode, created_at, updated_at)
   values
     (:id, :organization_id, :name, :legal_name, :ein_sealed, :ein_hash, :ein_last_four, :reference_id, :email,
      :phone_number, :address_line_1, :address_line_2, :city, :state, :zipcode, :now, :now)`,
)

export async function insertEmployer(ctx: Ctx, employer: EmployerRecord): Promise<void> {
  const { address, ein, reference_id = null, phone_number = null, ...fields } = employer
  await inserted.rows(ctx, { ...fields, ...address, ein_last_four: ein.slice(-4), reference_id, phone_number })
}

export const insertEmployerAdmin = statement(
  'employers.insertEmployerAdmin',
  `insert into employer_admins (id, organization_id, employer_id, email, created_at)
   values (:id, :organization_id, :employer_id, :email, :now)`,
).rows

const saved = statement(
  'employers.saveEmployer',
  `update employers
      set name = :name, legal_name = :legal_name, email = :email, phone_number = :phone_number,
          reference_id = :reference_id, owner_user_id = :owner_user_id,
          active = :active, address_line_1 = :address_line_1,
          address_line_2 = :address_line_2, city = :city, state = :state, zipcode = :zipcode, updated_at = :now
    where id = :id and organization_id = :organization_id`,
)

export const saveEmployer = (ctx: Ctx, { id, organization_id }: LockedEmployer, details: EmployerDetails) =>
  saved.rows(ctx, { ...details, id, organization_id })

/** Marks employers as changed. The daily run then also considers facts about them that were deleted. */
export const touchEmployers = statement(
  'employers.touchEmployers',
  `update employers set updated_at = :now
    where id = any(:employer_ids::text[]) and organization_id = :organization_id`,
).rows

/** Whether a user is a current member of an organization. */
export const isMember = statement(
  'employers.isMember',
  `select from memberships
    where organization_id = :organization_id and user_id = :user_id and ended_at is null`,
).exists

const inReachOfSubscription = inReach('subscription.organization_id', 'subscription.employer_id')

export const findLatestSubscription = statement(
  'employers.findLatestSubscription',
  `select subscription.id, subscription.employer_id, subscription.started_on, subscription.ended_on
     from employer_subscriptions as subscription
    where subscription.employer_id = :employer_id and ${inReachOfSubscription}
    order by subscription.started_on desc limit 1`,
).row<Subscription>

/** Whether an employer within reach has an active subscription on a day. */
export const hasActiveSubscription = statement(
  'employers.hasActiveSubscription',
  `select 1 as found from employer_subscriptions as subscription
    where subscription.employer_id = :employer_id and subscription.span @> :day::date and ${inReachOfSubscription}`,
).exists

/**
 * SQL: the lapses of an employer as JSON `[ended_on, resumed_on]`: days without service, including those before the
 * go-live day, whose `ended_on` is '-infinity'. A subscription that was resumed in time has no lapse.
 */
export const lapsesJson = (employer_id: string, organization_id: string) => `
  (select coalesce(json_agg(json_build_array(coalesce(lower(lapse)::text, '-infinity'), upper(lapse))), '[]')
     from unnest((
       select datemultirange(daterange(null, null))
              - range_agg(daterange(nullif(served.from_on, '-infinity'), nullif(served.to_on, 'infinity')))
              + (select case when administered_from is null then '{}'
                             else datemultirange(daterange(null, administered_from)) end
                   from employers where id = ${employer_id} and organization_id = ${organization_id})
         from served_days(${employer_id}, ${organization_id}) as served)) as lapse)`

export const insertSubscription = statement(
  'employers.insertSubscription',
  `insert into employer_subscriptions (id, organization_id, employer_id, started_on, created_at)
   values (:id, :organization_id, :employer_id, :started_on, :now)`,
).rows

export const saveSubscriptionEnd = statement(
  'employers.saveSubscriptionEnd',
  'update employer_subscriptions set ended_on = :ended_on where id = :id and organization_id = :organization_id',
).rows

const noted_subscription_end = statement(
  'employers.noteSubscriptionEnd',
  `update employers set subscription_ended_on = :ended_on
    where id = :employer_id and organization_id = :organization_id`,
)

/** Saves the end of the latest subscription on the employer and in the book. */
export async function noteSubscriptionEnd(ctx: Ctx, organization_id: string, subscription: Subscription) {
  await noted_subscription_end.rows(ctx, { ...subscription, organization_id })
  await saveBookEntries(ctx, { organization_id, employer_ids: [subscription.employer_id] })
}

const saved_subscriptions_beginning = statement(
  'employers.saveSubscriptionsBeginning',
  `update employers as employer set subscription_ended_on = subscription.ended_on
     from employer_subscriptions as subscription
    where subscription.started_on = :today and subscription.organization_id = :organization_id
      and employer.id = subscription.employer_id and employer.organization_id = :organization_id
   returning employer.id`,
)

/** Saves the subscription ends, also in the book, for employers whose subscription starts today. */
export async function saveSubscriptionsBeginning(ctx: Ctx, organization_id: string) {
  const employer_ids = await saved_subscriptions_beginning.column(ctx, { organization_id })
  if (employer_ids.length > 0) await saveBookEntries(ctx, { organization_id, employer_ids })
}

/** SQL: whether a subscription starts, or an entry of the book expires. */
export const hasDailyBook = `
  (exists (select from employer_subscriptions as subscription
            where subscription.started_on = daily_run.day and subscription.organization_id = organization.id)
   or exists (select from book_entries as entry
               where entry.organization_id = organization.id and entry.valid_until <= daily_run.day))`

/** The next employers whose entry in the book is no longer valid. */
export const listEntriesToRefresh = statement(
  'employers.listEntriesToRefresh',
  `select employer_id from book_entries
    where organization_id = :organization_id and valid_until <= :today and employer_id > :after
    order by employer_id limit :most`,
).column

/** Updates the book entries of employers from their plan years and subscriptions. */
export const saveBookEntries = statement(
  'employers.saveBookEntries',
  `update book_entries as entry
      set stage = fresh.stage, families = fresh.families, provider = fresh.provider, hris_status = fresh.hris_status,
          valid_from = fresh.valid_from, valid_until = fresh.valid_until
     from (select distinct unnest(:employer_ids::text[]) as id) as employer
    cross join lateral book_entry_on(employer.id, :organization_id, :today) as fresh
    where entry.employer_id = employer.id and entry.organization_id = :organization_id`,
).rows

export const addToRosterCount = statement(
  'employers.addToRosterCount',
  `update employers set employee_count = employee_count + :added
    where id = :employer_id and organization_id = :organization_id`,
).rows

/** A stored EIN, and the position of its employer in the book. */
export type KeptEin = { id: string; ein_sealed: Buffer; ein_hash: Buffer; created_at: string }

/** The stored EINs of an organization, newest employer first, starting after a position. */
export const listKeptEins = statement(
  'employers.listKeptEins',
  `select id, ein_sealed, ein_hash, created_at::text as created_at from employers
    where organization_id = :organization_id and (created_at, id) < (:before_at::timestamptz, :before_id::text)
      and created_at > '-infinity'
    order by created_at desc, id desc limit :most`,
).rows<KeptEin>

/** Saves EINs that were encrypted with another key. */
export const saveKeptEins = statement(
  'employers.saveKeptEins',
  `update employers as employer set ein_sealed = fresh.ein_sealed, ein_hash = fresh.ein_hash
     from unnest(:id::text[], :sealed::bytea[], :hash::bytea[]) as fresh (id, ein_sealed, ein_hash)
    where employer.id = fresh.id and employer.organization_id = :organization_id`,
).rows

export const findEmployerSettings = read(
  'employers.findEmployerSettings',
  `select (select row_to_json(shown) from (
             select employer.pay_frequency, employer.first_pay_date, employer.deduction_method, employer.census_mode,
                    employer.census_values, employer.deductions_per_year, employer.final_deductions,
                    employer.arrears_limit_percent, employer.administered_from,
                    employer.correction_reach_months) as shown)::text as json
     from employers as employer
    where employer.id = :employer_id and ${inReachOfEmployer}`,
).json

/** The pay frequency and deductions per year of an employer. Undefined if out of reach. */
export const findPayCalendar = statement(
  'employers.findPayCalendar',
  `select employer.pay_frequency, employer.deductions_per_year
     from employers as employer where employer.id = :employer_id and ${inReachOfEmployer}`,
).row<{ pay_frequency: PayCalendar['pay_frequency']; deductions_per_year: number | null }>

const saved_settings = statement(
  'employers.saveEmployerSettings',
  `update employers as employer
      set pay_frequency = coalesce(:pay_frequency, pay_frequency),
          first_pay_date = case when :sets_first_pay_date then :first_pay_date::date else first_pay_date end,
          payroll_calendar_set_at = case when :pay_frequency is not null or :sets_first_pay_date then :now
                                         else payroll_calendar_set_at end,
          deduction_method = coalesce(:deduction_method, deduction_method),
          census_mode = coalesce(:census_mode, census_mode),
          census_values = coalesce(:census_values::jsonb, census_values),
          deductions_per_year = :deductions_per_year,
          final_deductions = coalesce(:final_deductions, final_deductions),
          arrears_limit_percent = coalesce(:arrears_limit_percent, arrears_limit_percent)
    where employer.id = :employer_id and ${inReachOfEmployer}`,
)

/** Saves the given settings. A null `first_pay_date` clears it. `deductions_per_year` is the value after the change. */
export const saveEmployerSettings = (
  ctx: Ctx,
  employer_id: string,
  settings: EmployerSettingsChanges,
  deductions_per_year: number | null,
) =>
  saved_settings.rows(ctx, {
    employer_id,
    pay_frequency: settings.pay_frequency ?? null,
    sets_first_pay_date: settings.first_pay_date !== undefined,
    first_pay_date: settings.first_pay_date ?? null,
    deduction_method: settings.deduction_method ?? null,
    census_mode: settings.census_mode ?? null,
    census_values: settings.census_values ? JSON.stringify(settings.census_values) : null,
    final_deductions: settings.final_deductions ?? null,
    arrears_limit_percent: settings.arrears_limit_percent ?? null,
    deductions_per_year,
  })

/**
 * Whether a month with manually booked amounts would be within a wider correction window, or before a new go-live day.
 * Null changes nothing.
 */
export const wouldAffectBooked = statement(
  'employers.wouldAffectBooked',
  `select from employers as employer
    where employer.id = :employer_id and employer.organization_id = :organization_id
      and exists (select from manual_adjustments as booked
                   where booked.employer_id = :employer_id and booked.organization_id = :organization_id
                     and (employer.correction_reach_months < :window_months::int
                          and booked.month >=
                              date_trunc('month', :today::date) - make_interval(months => :window_months)
                          or booked.month < :administered_from::date)
                   group by booked.enrollment_id, booked.month
                  having sum(booked.employee_deduction_in_cents) <> 0
                      or sum(booked.employer_contribution_in_cents) <> 0)`,
).exists

const administration_saved = statement(
  'employers.saveAdministration',
  `update employers as employer
      set administered_from = input.administered_from, correction_reach_months = input.correction_reach_months,
          updated_at = :now
     from (select case when :sets_administered_from then :administered_from::date
                       else administered_from end as administered_from,
                  coalesce(:correction_reach_months, correction_reach_months) as correction_reach_months
             from employers where id = :employer_id and organization_id = :organization_id) as input
    where employer.id = :employer_id and employer.organization_id = :organization_id
      and (employer.administered_from is distinct from input.administered_from
           or employer.correction_reach_months <> input.correction_reach_months)
   returning employer.id`,
)

/** Saves the given administration settings. A null `administered_from` clears it. Returns whether anything changed. */
export const saveAdministration = (ctx: Ctx, employer: EmployerKey, input: EmployerAdministration) =>
  administration_saved.exists(ctx, {
    ...employer,
    sets_administered_from: input.administered_from !== undefined,
    administered_from: input.administered_from ?? null,
    correction_reach_months: input.correction_reach_months ?? null,
  })
