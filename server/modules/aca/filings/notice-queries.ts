import { statement } from '../../../database/sql/statement.ts'
import type { FormType } from '../forms/rules.ts'
import { consents } from '../forms/derived-queries.ts'

export type NoticeState = 'published' | 'queued' | 'sending' | 'sent' | 'failed'

/** A notice and its recipient. `consents`: the consent is in force. `is_reachable`: the address has not bounced. */
export type NoticeFacts = {
  notice: NoticeState | null
  employee_id: string
  form_type: FormType
  released_at: string
  first_name: string
  last_name: string
  email: string | null
  consents: boolean
  is_reachable: boolean
  legal_name: string
  filer_email: string
}

/** Locks a released form, and returns the facts of its notice. */
export const lockNotice = statement(
  'filings.lockNotice',
  `select form.notice, form.employee_id, form_year.form_type, iso(form.released_at) as released_at,
          member.first_name, member.last_name, member.email, filer.legal_name, filer.email as filer_email,
          ${consents} as consents, member.email is not null and not exists (
            select from bounced_addresses as bounced
             where bounced.member_id = member.id and bounced.organization_id = :organization_id
               and bounced.email_key = member.email_key) as is_reachable
     from released_forms as form
     join members as member on member.id = form.member_id and member.organization_id = :organization_id
     join employers as filer on filer.id = form.employer_id and filer.organization_id = :organization_id
     join form_years as form_year on form_year.employer_id = form.employer_id
      and form_year.organization_id = :organization_id and form_year.tax_year = form.tax_year
    where form.employer_id = :employer_id and form.organization_id = :organization_id and form.tax_year = :tax_year
      and form.member_id = :member_id and form.version = :version
      for no key update of form`,
).row<NoticeFacts>

export const saveNotice = statement(
  'filings.saveNotice',
  `update released_forms set notice = :notice
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year
      and member_id = :member_id and version = :version`,
).rows
