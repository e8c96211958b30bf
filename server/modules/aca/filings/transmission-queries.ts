import { read, statement } from '../../../database/sql/statement.ts'
import { target_filer } from '../forms/queries.ts'
import type { Transmission } from './air-rules.ts'

/** The transmissions of the EIN of an employer, latest first. Undefined if the employer is out of reach. */
export const listTransmissions = read(
  'filings.listTransmissions',
  `select target.organization_id, coalesce((
     select json_agg(json_build_object(
                       'unique_transmission_id', sent.id, 'type', sent.type, 'is_test', sent.is_test,
                       'form_count', sent.form_count, 'made_at', iso(sent.made_at), 'status', sent.status,
                       'receipt_id', sent.receipt_id, 'errors', sent.errors,
                       'acknowledged_at', iso(sent.acknowledged_at)) order by sent.number desc)
       from form_transmissions as sent
      where sent.employer_id = target.ein_employer_id and sent.organization_id = target.organization_id
        and sent.tax_year = :tax_year::int), '[]') as transmissions
     from (${target_filer}) as target`,
).row<{ organization_id: string; transmissions: TransmissionRow[] }>

type FormYear = { employer_id: string; tax_year: number }

/** An error that the IRS reported. `employee_id`: null if it concerns no released form. */
export type FormError = { unique_record_id: string | null; employee_id: string | null; code: string; message: string }

export type TransmissionRow = {
  unique_transmission_id: string
  type: Transmission['type']
  is_test: boolean
  form_count: number
  made_at: string
  status: 'accepted' | 'accepted_with_errors' | 'rejected' | null
  receipt_id: string | null
  errors: FormError[]
  acknowledged_at: string | null
}

/** An exception of a derived form of an EIN that the IRS would reject. */
export const findBlockingException = statement(
  'filings.findBlockingException',
  `select min(exception) as exception
     from derived_forms as form cross join unnest(form.exceptions) as exception
    where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
      and exception in ('address_missing', 'name_not_accepted')`,
).value

/**
 * Assigns the latest released forms of people to a transmission, and returns their number: those of people with a filed
 * form, or those of people without one. The forms of each transmission are numbered from 1, as public programs do.
 */
export const claimForms = statement(
  'filings.claimForms',
  `with latest as materialized (
     select form.member_id, form.version, row_number() over (order by form.position) as record_number
       from released_forms as form
      where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
        and form.transmission_id is null and (form.is_due or :are_filed::boolean)
        and not exists (
          select from released_forms as later
           where later.employer_id = form.employer_id and later.organization_id = form.organization_id
             and later.tax_year = form.tax_year and later.member_id = form.member_id
             and later.version > form.version)
        and :are_filed::boolean = exists (
          select from released_forms as former
           where former.employer_id = form.employer_id and former.organization_id = form.organization_id
             and former.tax_year = form.tax_year and former.member_id = form.member_id
             and former.transmission_id is not null)
   ), claimed as (
     update released_forms as form set transmission_id = :id, record_number = latest.record_number
       from latest
      where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
        and form.member_id = latest.member_id and form.version = latest.version
     returning form.member_id)
   select count(*)::int from claimed`,
).value

/** Makes the forms of a rejected transmission or a test available to the next transmission. */
export const releaseClaim = statement(
  'filings.releaseClaim',
  `update released_forms set transmission_id = null, record_number = null
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year
      and transmission_id = :id`,
).rows

export const insertTransmission = statement(
  'filings.insertTransmission',
  `insert into form_transmissions (organization_id, id, employer_id, tax_year, number, type, is_test, form_count,
                                   header_sealed, made_at)
   values (:organization_id, :id, :employer_id, :tax_year, :number, :type, :is_test, :form_count, :header_sealed,
           :now)`,
).rows

/**
 * A transmission with its encrypted header. `has_forms`: its forms are not available to another one. `is_latest`: no
 * transmission was made after it.
 */
export const findTransmission = statement(
  'filings.findTransmission',
  `select sent.employer_id, sent.tax_year, sent.is_test, sent.header_sealed,
          sent.status is null or (sent.status <> 'rejected' and not sent.is_test) as has_forms,
          not exists (
            select from form_transmissions as later
             where later.employer_id = sent.employer_id and later.organization_id = sent.organization_id
               and later.tax_year = sent.tax_year and later.number > sent.number) as is_latest
     from form_transmissions as sent
    where sent.id = :id and sent.organization_id = :organization_id`,
).row<FormYear & { is_test: boolean; header_sealed: Buffer; has_forms: boolean; is_latest: boolean }>

/** Records the acknowledgement of the IRS, and the employees whose forms have errors. Replaces an earlier one. */
export const saveAcknowledgement = statement(
  'filings.saveAcknowledgement',
  `update form_transmissions as sent
      set status = :status, receipt_id = :receipt_id, acknowledged_at = :now, errors = coalesce((
            select jsonb_agg(jsonb_build_object(
                     'unique_record_id', input.unique_record_id, 'employee_id', form.employee_id,
                     'code', input.code, 'message', input.message) order by input.at)
              from jsonb_to_recordset(:errors::jsonb)
                as input (at int, unique_record_id text, record_id int, code text, message text)
              left join released_forms as form
                on form.employer_id = sent.employer_id and form.organization_id = sent.organization_id
               and form.tax_year = sent.tax_year and form.record_number = input.record_id
               and form.transmission_id = sent.id), '[]')
    where sent.id = :id and sent.organization_id = :organization_id`,
).rows

/** The next forms of a transmission, by their number in it. */
export const listTransmitted = statement(
  'filings.listTransmitted',
  `select form.record_number, form.document_sealed, former.record_number as former_number,
          former.document_sealed as former_sealed, former.receipt_id
     from released_forms as form
     left join lateral (
       select one.record_number, one.document_sealed, transmission.receipt_id
         from released_forms as one
         join form_transmissions as transmission on transmission.id = one.transmission_id
          and transmission.organization_id = one.organization_id
        where one.employer_id = form.employer_id and one.organization_id = form.organization_id
          and one.tax_year = form.tax_year and one.member_id = form.member_id and one.version < form.version
        order by one.version desc limit 1) as former on true
    where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
      and form.transmission_id = :id and form.record_number > :after
    order by form.record_number limit :most`,
).rows<TransmittedRow>

/** A form of a transmission, and the filed form that it corrects, if any. */
export type TransmittedRow = {
  record_number: number
  document_sealed: Buffer
  former_number: number | null
  former_sealed: Buffer | null
  receipt_id: string | null
}

/** Lists the encrypted tax identifiers of people. People without one are omitted. */
export const listIdentifiers = statement(
  'filings.listIdentifiers',
  `select person_id, sealed from tax_identifiers
    where person_id = any(:person_ids::text[]) and organization_id = :organization_id`,
).rows<{ person_id: string; sealed: Buffer }>
