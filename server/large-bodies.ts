import { sent_catalog } from './modules/directory/catalog/schemas.ts'
import { sent_document, sent_translation, sent_version } from './modules/directory/documents/schemas.ts'
import { sent_census } from './modules/roster/census/schemas.ts'
import { sent_members } from './modules/roster/groups/schemas.ts'
import { sent_roster, sent_sandbox_payroll } from './modules/roster/hris/schemas.ts'
import { sent_premiums } from './modules/directory/ichra/schemas.ts'
import { sent_attachment } from './modules/directory/files/schemas.ts'
import { sent_actuals } from './modules/money/payroll-actuals/schemas.ts'
import { sent_hours } from './modules/aca/hours/schemas.ts'
import type { SentBody } from './http/endpoint.ts'

/**
 * The bodies with many rows and the large bodies, by their operations. The validation thread loads these schemas and
 * nothing else of their modules.
 */
export const large_bodies: Record<string, SentBody> = {
  dependents_attach: sent_attachment,
  documents_create: sent_document,
  documents_replace: sent_version,
  documents_translate: sent_translation,
  employers_record_payroll_actuals: sent_actuals,
  employers_report_hours: sent_hours,
  employers_submit_census_sync: sent_census,
  groups_submit_member_sync: sent_members,
  life_events_attach: sent_attachment,
  operator_import_catalog: sent_catalog,
  operator_import_lowest_cost_silver_premiums: sent_premiums,
  operator_set_sandbox_payroll: sent_sandbox_payroll,
  operator_upload_hris_file: sent_roster,
}
