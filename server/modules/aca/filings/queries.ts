import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { addressJson } from '../../../kernel/fields.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { FormEmployer } from '../forms/document-rules.ts'
import { einEmployerOf, filerColumns, group_eins, target_filer } from '../forms/queries.ts'
import { forms_per_part } from './rules.ts'
import type { FormException, YearCounts } from '../forms/derivation-rules.ts'
import type { FormType } from '../forms/rules.ts'
import type { FormContact } from '../forms/schemas.ts'
import { consents, type FormYearKey } from '../forms/derived-queries.ts'

/** SQL: the latest released form of each person of an EIN and a tax year. */
const latestReleased = (ein_employer_id: string, organization_id: string) => `
  select distinct on (released.member_id) released.*
    from released_forms as released
   where released.employer_id = ${ein_employer_id} and released.organization_id = ${organization_id}
     and released.tax_year = :tax_year::int
   order by released.member_id, released.version desc`

/**
 * SQL: the latest released form of the person of a derived `form`, by one lookup. A join with all released forms took
 * quadratic time until the statistics of the table were current.
 */
const latestOfForm = `
  select version, content_hash, employer_hash from released_forms as released
   where released.employer_id = form.employer_id and released.organization_id = form.organization_id
     and released.tax_year = form.tax_year and released.member_id = form.member_id
   order by version desc limit 1`

/**
 * SQL: whether a row `form` must be furnished on paper: without a consent, or if the notice failed, because an
 * electronic form is furnished only with a notice (26 CFR 301.6056-2(a)(6)).
 */
const isOnPaper = `(not ${consents} or form.notice is not distinct from 'failed')`

/**
 * SQL: the latest released forms that are no longer due: of people without a derived form under the EIN, and those that
 * employers released under their own EIN before their people worked under this one.
 */
const noLongerDue = (ein_employer_id: string, organization_id: string) => `
  select former.employer_id, former.member_id, former.employee_id, former.version, former.employer_hash,
         former.document_sealed
    from (
      select distinct on (released.employer_id, released.member_id) released.*
        from released_forms as released
       where released.organization_id = ${organization_id} and released.tax_year = :tax_year::int
         and (released.employer_id = ${ein_employer_id} or released.employer_id in (
                select member.employer_id from ale_members as member
                 where member.ein_employer_id = ${ein_employer_id} and member.organization_id = ${organization_id}))
       order by released.employer_id, released.member_id, released.version desc) as former
   where former.is_due and not (former.employer_id = ${ein_employer_id} and exists (
           select from derived_forms as form
            where form.employer_id = ${ein_employer_id} and form.organization_id = ${organization_id}
              and form.tax_year = :tax_year::int and form.member_id = former.member_id))`

/** The state of the forms of the EIN of an employer. Undefined if the employer is out of reach. */
export const findFiling = read(
  'filings.findFiling',
  `select target.id as employer_id, target.ein_employer_id, target.organization_id,
          coalesce(form_year.form_type, '1095-C') as form_type, iso(form_year.derived_at) as derived_at,
          iso(form_year.released_at) as released_at,
          coalesce((form_year.counts ->> 'unreported_hours_count')::int, 0) as unreported_hours_count,
          derived.form_count, derived.states, released.released_count, released.corrected_count,
          released.print_count, released.print_parts, released.unnotified_count, released.unmailed_count,
          (select coalesce(json_agg(row_to_json(mailing) order by mailing.mailed_on), '[]')
             from (select form.mailed_on, mailer.name as recorded_by_name, count(*)::int as form_count
                     from released_forms as form
                     left join users as mailer on mailer.id = form.mailed_by
                    where form.employer_id = target.ein_employer_id and form.organization_id = target.organization_id
                      and form.tax_year = :tax_year::int and form.mailed_on is not null
                    group by form.mailed_on, mailer.name) as mailing) as mailings,
          furnished.furnished_on, derived.exceptions, same.unchanged_counts,
          derived.form_count - same.known_count as unreleased_count, ${filerColumns('filer')},
          (select count(*)::int from (${noLongerDue('target.ein_employer_id', 'target.organization_id')}) as former)
            as not_due_count
     from (${target_filer}) as target
     join employers as filer on filer.id = target.ein_employer_id and filer.organization_id = target.organization_id
     left join form_years as form_year on form_year.employer_id = target.ein_employer_id
      and form_year.organization_id = target.organization_id and form_year.tax_year = :tax_year::int
    cross join lateral (
      select count(*)::int as form_count,
             coalesce(array_agg(distinct form.state) filter (where form.state is not null), '{}') as states,
             (select coalesce(json_object_agg(one.exception, one.form_count), '{}')
                from (select exception, count(*)::int as form_count
                        from derived_forms as found cross join unnest(found.exceptions) as exception
                       where found.employer_id = target.ein_employer_id
                         and found.organization_id = target.organization_id and found.tax_year = :tax_year::int
                       group by exception) as one) as exceptions
        from derived_forms as form
       where form.employer_id = target.ein_employer_id and form.organization_id = target.organization_id
         and form.tax_year = :tax_year::int) as derived
    cross join lateral (
      select coalesce(json_object_agg(by_employer.employer_hash, by_employer.form_count), '{}') as unchanged_counts,
             coalesce(sum(by_employer.known_count), 0)::int as known_count
        from (
          select released.employer_hash, count(*)::int as known_count,
                 count(*) filter (where released.content_hash = form.content_hash)::int as form_count
            from derived_forms as form
           cross join lateral (${latestOfForm}) as released
           where form.employer_id = target.ein_employer_id and form.organization_id = target.organization_id
             and form.tax_year = :tax_year::int
           group by released.employer_hash) as by_employer) as same
    cross join lateral (
      select count(*) filter (where form.is_due)::int as released_count,
             count(*) filter (where form.version > 1)::int as corrected_count,
             count(*) filter (where form.is_on_paper)::int as print_count,
             count(*) filter (where form.is_on_paper and form.consents)::int as unnotified_count,
             count(*) filter (where form.is_on_paper and form.mailed_on is null)::int as unmailed_count,
             coalesce(array_agg(distinct (form.position - 1) / ${forms_per_part} + 1) filter (where form.is_on_paper),
                      '{}') as print_parts
        from (select form.*, not form.consents or form.notice is not distinct from 'failed' as is_on_paper
                from (select form.*, ${consents} as consents
                        from (${latestReleased('target.ein_employer_id', 'target.organization_id')}) as form
                      offset 0) as form) as form) as released
    cross join lateral (
      select case when bool_and(first.furnished_on is not null) then max(first.furnished_on) end as furnished_on
        from (select min(least(form.mailed_on, case when form.notice <> 'failed'
                                                    then (form.released_at at time zone 'America/New_York')::date end))
                       as furnished_on
                from released_forms as form
               where form.employer_id = target.ein_employer_id and form.organization_id = target.organization_id
                 and form.tax_year = :tax_year::int
               group by form.member_id) as first) as furnished`,
).row<FilingRow>

/** The state of the forms of an EIN and a tax year. */
export type FilingRow = FormEmployer & {
  form_type: FormType
  employer_id: string
  ein_employer_id: string
  organization_id: string
  derived_at: string | null
  released_at: string | null
  form_count: number
  unreported_hours_count: number
  states: string[]
  released_count: number
  corrected_count: number
  print_count: number
  print_parts: number[]
  /** The derived forms of people without any released form. */
  unreleased_count: number
  unnotified_count: number
  unmailed_count: number
  furnished_on: Day | null
  mailings: { mailed_on: Day; recorded_by_name: string | null; form_count: number }[]
  /** The numbers of derived forms by exception. */
  exceptions: Partial<Record<FormException, number>>
  /** The derived forms that equal the latest released ones, by the hash of the employer on the latter. */
  unchanged_counts: Record<string, number>
  /** The released forms that are no longer due. */
  not_due_count: number
}

/** The ALE members of the aggregated ALE group of an employer. Empty if the employer is out of reach. */
export const listTransmittalFacts = read(
  'filings.listTransmittalFacts',
  `select target.organization_id, filer.legal_name, filer.ein_last_four, filer.ein_sealed,
          members.ein_employer_id = target.ein_employer_id as is_own,
          coalesce(form_year.form_type, '1095-C') as form_type, iso(form_year.derived_at) as derived_at,
          form_year.counts, form_year.contact,
          coalesce(form_year.uses_98_percent_method, false) as uses_98_percent_method
     from (${target_filer}) as target
    cross join lateral (${group_eins}) as members
     join employers as filer on filer.id = members.ein_employer_id and filer.organization_id = target.organization_id
     left join form_years as form_year on form_year.employer_id = members.ein_employer_id
      and form_year.organization_id = target.organization_id and form_year.tax_year = :tax_year::int
    order by filer.legal_name, filer.id`,
).rows<TransmittalFacts>

/** An ALE member of the aggregated ALE group of an employer. `counts` is null before the first derivation. */
export type TransmittalFacts = {
  organization_id: string
  legal_name: string
  ein_last_four: string
  ein_sealed: Buffer
  is_own: boolean
  form_type: FormType
  derived_at: string | null
  counts: YearCounts | null
  contact: FormContact | null
  uses_98_percent_method: boolean
}

/** A released form of a person with a consent. `work_employer_id`: the employer of the employment. */
export type PostedForm = { member_id: string; version: number; work_employer_id: string }

/** A version of a form to release. */
type NewVersion = { member_id: string; employee_id: string; version: number; content_hash: string }

/** A derived form that differs from the latest released one. */
export type UnreleasedForm = NewVersion & { content: string }

/** The next derived forms that differ from the latest released ones, in content or in the employer. */
export const listUnreleased = statement(
  'filings.listUnreleased',
  `select form.member_id, form.employee_id, form.content, form.content_hash,
          coalesce(released.version, 0) + 1 as version
     from derived_forms as form
     left join lateral (${latestOfForm}) as released on true
    where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
      and form.member_id > :after and (released.content_hash is distinct from form.content_hash
           or released.employer_hash is distinct from :employer_hash)
    order by form.member_id limit :most`,
).rows<UnreleasedForm>

/** The next released forms that are no longer due, under the EIN or a former one. */
export const listNotDue = statement(
  'filings.listNotDue',
  `${noLongerDue(':employer_id', ':organization_id')} limit :most`,
).rows<FormNotDue>

/** A released form of a person for whom no form is due. */
export type FormNotDue = {
  employer_id: string
  member_id: string
  employee_id: string
  version: number
  employer_hash: string
  document_sealed: Buffer
}

const inserted = statement(
  'filings.insertReleased',
  `with form as (
   insert into released_forms (organization_id, employer_id, tax_year, member_id, version, position, employee_id,
                               content_hash, employer_hash, is_due, document_sealed, released_at)
   select :organization_id, :employer_id, :tax_year, input.member_id, input.version,
          input.ordinality + coalesce((
            select max(released.position) from released_forms as released
             where released.employer_id = :employer_id and released.organization_id = :organization_id
               and released.tax_year = :tax_year), 0),
          input.employee_id, input.content_hash, input.employer_hash, :is_due, input.document_sealed, :now
     from unnest(:member_ids::text[], :versions::int[], :employee_ids::text[], :content_hashes::text[],
                 :employer_hashes::text[], :documents_sealed::bytea[]) with ordinality
       as input (member_id, version, employee_id, content_hash, employer_hash, document_sealed, ordinality)
   returning *)
   select form.member_id, form.version, worker.employer_id as work_employer_id
     from form
     join employees as worker on worker.id = form.employee_id and worker.organization_id = form.organization_id
    where ${consents}`,
)

/** Stores released forms of an EIN. Returns those of people who consent to electronic delivery. */
export const insertReleased = (
  ctx: Ctx,
  { is_due, ...key }: FormYearKey & { is_due: boolean },
  forms: (NewVersion & { employer_hash: string; document_sealed: Buffer })[],
) =>
  inserted.rows<PostedForm>(ctx, {
    ...key,
    is_due,
    member_ids: forms.map(({ member_id }) => member_id),
    versions: forms.map(({ version }) => version),
    employee_ids: forms.map(({ employee_id }) => employee_id),
    content_hashes: forms.map(({ content_hash }) => content_hash),
    employer_hashes: forms.map(({ employer_hash }) => employer_hash),
    documents_sealed: forms.map(({ document_sealed }) => document_sealed),
  })

/** SQL: the consent of the person of a row `owner` to its EIN, as an ElectronicDelivery of the API. */
const deliveryJson = `
  (select json_build_object('consents', delivery.given_at is not null and delivery.withdrawn_at is null,
                            'given_at', iso(delivery.given_at), 'withdrawn_at', iso(delivery.withdrawn_at))
     from (select 1) as one
     left join electronic_deliveries as delivery
       on delivery.member_id = owner.member_id and delivery.organization_id = owner.organization_id
      and delivery.employer_id = owner.ein_employer_id)`

/**
 * The released forms of an employee under the EIN of the employment, and those released for this employment under a
 * former EIN. Undefined if the employee is out of reach.
 */
export const findTaxForms = read(
  'filings.findTaxForms',
  `select owner.organization_id, ${deliveryJson} as electronic_delivery,
          json_build_object('legal_name', filer.legal_name, 'address', ${addressJson('filer')},
                            'phone_number', filer.phone_number, 'email', filer.email) as furnisher, coalesce((
     select json_agg(json_build_object(
                       'id', released.employer_id || '.' || released.member_id || '.' || released.tax_year || '.'
                             || released.version,
                       'tax_year', released.tax_year, 'form', (
                         select form_type from form_years as form_year
                          where form_year.employer_id = released.employer_id
                            and form_year.organization_id = released.organization_id
                            and form_year.tax_year = released.tax_year), 'version', released.version,
                       'released_at', iso(released.released_at))
                     order by released.tax_year desc, released.released_at desc)
       from (select distinct on (released.tax_year, released.employer_id) released.*
               from released_forms as released
              where released.member_id = owner.member_id and released.organization_id = owner.organization_id
                and (released.employee_id = owner.id or released.employer_id = owner.ein_employer_id)
              order by released.tax_year, released.employer_id, released.version desc) as released), '[]') as forms
     from (
       select employee.id, employee.organization_id, employee.member_id,
              ${einEmployerOf('employee.employer_id', 'employee.organization_id')} as ein_employer_id
         from employees as employee
        where employee.id = :employee_id
          and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')} offset 0) as owner
     join employers as filer on filer.id = owner.ein_employer_id and filer.organization_id = owner.organization_id`,
).row<TaxFormsRow>

/** The released forms of a person, the consent to electronic delivery, and the employer that furnishes them. */
export type TaxFormsRow = {
  organization_id: string
  furnisher: object
  electronic_delivery: object
  forms: { id: string; tax_year: number; form: FormType; version: number; released_at: string }[]
}

/** The ElectronicDelivery of an employee as JSON. */
export const findDelivery = statement(
  'filings.findDelivery',
  `select ${deliveryJson}::text as json
     from (
       select employee.organization_id, employee.member_id,
              ${einEmployerOf('employee.employer_id', 'employee.organization_id')} as ein_employer_id
         from employees as employee
        where employee.id = :employee_id and employee.organization_id = :organization_id offset 0) as owner`,
).json

/** Records a consent for the EIN of the employer, unless one is in force. */
export const saveConsent = statement(
  'filings.saveConsent',
  `insert into electronic_deliveries as delivery (organization_id, employer_id, member_id, given_at)
   values (:organization_id, ${einEmployerOf(':employer_id', ':organization_id')}, :member_id, :now)
   on conflict (member_id, organization_id, employer_id) do update set given_at = excluded.given_at, withdrawn_at = null
    where delivery.withdrawn_at is not null`,
).rows

/** Withdraws the consent of a person for the EIN of the employer, if one is in force. */
export const withdrawConsent = statement(
  'filings.withdrawConsent',
  `update electronic_deliveries as delivery set withdrawn_at = :now
     from (select ${einEmployerOf(':employer_id', ':organization_id')} as ein_employer_id offset 0) as filer
    where delivery.member_id = :member_id and delivery.organization_id = :organization_id
      and delivery.employer_id = filer.ein_employer_id and delivery.withdrawn_at is null`,
).rows

/** A released form. `version` counts the releases of a person. */
export type ReleasedKey = FormYearKey & { member_id: string; version: number }

/** The encrypted document of a released form. */
export const findReleased = statement(
  'filings.findReleased',
  `select document_sealed from released_forms
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year
      and member_id = :member_id and version = :version`,
).row<{ document_sealed: Buffer }>

const printed = statement(
  'filings.listPrinted',
  `select form.document_sealed
     from (${latestReleased(':employer_id', ':organization_id')}) as form
    where form.position > :after and form.position <= :last and ${isOnPaper}
    order by form.position`,
)

/**
 * The encrypted documents of a part of the print file: the latest released forms to furnish on paper. Parts are
 * cut by position, so that a consent or a later release between two downloads moves no form to another part.
 */
export const listPrinted = (ctx: Ctx, key: FormYearKey, part: number) =>
  printed.rows<{ document_sealed: Buffer }>(ctx, {
    ...key,
    after: (part - 1) * forms_per_part,
    last: part * forms_per_part,
  })

/**
 * Records that the unmailed forms of a day's print file were mailed on that day, or removes that record. Forms that
 * were corrected after the day were in its print file too. Returns whether there were any forms. The forms of the day
 * are listed once, because a lookup of the later versions of each form took quadratic time until the statistics of the
 * table were current.
 */
export const saveMailing = statement(
  'filings.saveMailing',
  `update released_forms as form
      set mailed_on = case when :is_mailed then :mailed_on::date end,
          mailed_by = case when :is_mailed then :user_id::text end
     from (select ${einEmployerOf(':employer_id', ':organization_id')} as ein_employer_id offset 0) as filer
    where form.employer_id = filer.ein_employer_id and form.organization_id = :organization_id
      and form.tax_year = :tax_year
      and case when :is_mailed then form.mailed_on is null and ${isOnPaper} and (form.member_id, form.version) in (
                 select distinct on (released.member_id) released.member_id, released.version
                   from released_forms as released
                  where released.employer_id = ${einEmployerOf(':employer_id', ':organization_id')}
                    and released.organization_id = :organization_id and released.tax_year = :tax_year
                    and (released.released_at at time zone 'America/New_York')::date <= :mailed_on::date
                  order by released.member_id, released.version desc)
               else form.mailed_on = :mailed_on::date end
   returning form.member_id`,
).exists
