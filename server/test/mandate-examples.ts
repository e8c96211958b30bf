import { createEmployer } from './fixtures.ts'
import type { Api } from './harness.ts'
import { first } from './pick.ts'

/** The responses about the measurement of the freight company, and of an employee whose hours are recorded. */
export async function measureFreight(api: Api, api_key: string) {
  const key = { key: api_key }
  const employer_id = first((await api.get('/v1/employers?search=Granite', key)).body.data).id
  const employee = first((await api.get(`/v1/employers/${employer_id}/employees?search=Priya`, key)).body.data)
  const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
  const set = await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies }, key)
  await api.work()
  const status = await api.get(`/v1/employees/${employee.id}/aca-status`, key)
  const statuses = await api.get(`/v1/employers/${employer_id}/aca-statuses`, key)
  const large = await api.get(`/v1/employers/${employer_id}/large-employer-status?year=2026`, key)
  const preview = await api.post(`/v1/employers/${employer_id}/measurement-policies/preview`, { policies }, key)
  await api.work()
  const overview = await api.get(`/v1/employers/${employer_id}/aca-overview`, key)
  const affordability = await api.get(`/v1/employers/${employer_id}/affordability?plan_year_start=2026-01-01`, key)
  return [
    { operation: 'employers_preview_measurement_policies', status: preview.status, body: preview.body },
    { operation: 'employers_get_aca_overview', status: overview.status, body: overview.body },
    { operation: 'employers_get_affordability', status: affordability.status, body: affordability.body },
    { operation: 'employers_set_measurement_policies', status: set.status, body: set.body },
    { operation: 'employees_get_aca_status', status: status.status, body: status.body },
    { operation: 'employers_list_aca_statuses', status: statuses.status, body: statuses.body },
    { operation: 'employers_get_large_employer_status', status: large.status, body: large.body },
  ]
}

/** The responses about hours, an ALE group and an assignment of an employee of the freight company. */
export async function reportHours(api: Api, api_key: string) {
  const key = { key: api_key }
  const employer_id = first((await api.get('/v1/employers?search=Granite', key)).body.data).id
  const employee = first((await api.get(`/v1/employers/${employer_id}/employees?search=Priya`, key)).body.data)
  const path = `/v1/employers/${employer_id}/hours` as const
  const period = { period_starts_on: '2026-02-01', period_ends_on: '2026-02-14', kind: 'worked' }
  await api.post(path, { rows: [{ ...period, employee_id: employee.id, hours: 76.5 }] }, key)
  const corrected = [
    { ...period, employee_id: employee.id, hours: 72 },
    { ...period, reference_id: 'E-0', hours: 40 },
  ]
  const outcome = await api.post(path, { rows: corrected }, key)
  const listed = await api.get(path, key)
  const reports = await api.get(`/v1/employers/${employer_id}/hours-reports`, key)
  const members = [{ employer_id, employer_ids: [await createEmployer(api, { name: 'Copper Cove Cannery' }, key)] }]
  const group = await api.post('/v1/ale-groups', { name: 'Granite Group', members }, key)
  const groups = await api.get('/v1/ale-groups', key)
  const deleted = await api.call('DELETE', `/v1/ale-groups/${group.body.data.id}`, key)
  const worksite = { address_line_1: '7 Pier Rd', city: 'Astoria', state: 'OR', zipcode: '97103', county: 'Clatsop' }
  const assignment = { client_name: 'Harbor Cannery', worksite, starts_on: '2026-03-02', hourly_rate_in_cents: 1850 }
  const assignments = `/v1/employees/${employee.id}/assignments` as const
  const added = await api.post(assignments, assignment, key)
  const assigned = await api.get(assignments, key)
  const removed = await api.call('DELETE', `/v1/assignments/${added.body.data.id}`, key)
  return [
    { operation: 'ale_groups_create', status: group.status, body: group.body },
    { operation: 'ale_groups_list', status: groups.status, body: groups.body },
    { operation: 'ale_groups_delete', status: deleted.status, body: deleted.body },
    { operation: 'employees_add_assignment', status: added.status, body: added.body },
    { operation: 'employees_list_assignments', status: assigned.status, body: assigned.body },
    { operation: 'assignments_delete', status: removed.status, body: removed.body },
    { operation: 'employers_report_hours', status: outcome.status, body: outcome.body },
    { operation: 'employers_list_hours', status: listed.status, body: listed.body },
    { operation: 'employers_list_hours_reports', status: reports.status, body: reports.body },
  ]
}

/** Derives or releases the forms of a tax year, and returns the response. */
async function runForms(
  api: Api,
  { employer_id, tax_year, action }: { employer_id: string; tax_year: number; action: 'derive' | 'release' },
  key: { key: string },
) {
  const accepted = await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year }, key)
  await api.work()
  return accepted
}

/** The responses about tax identifiers and forms of the freight company, for the recorded examples. */
export async function reportTaxForms(api: Api, api_key: string) {
  const key = { key: api_key }
  const employer_id = first((await api.get('/v1/employers?search=Granite', key)).body.data).id
  const employee = first((await api.get(`/v1/employers/${employer_id}/employees?search=Priya`, key)).body.data)
  const path = `/v1/employees/${employee.id}` as const
  const answers = {
    employees_set_tax_identifier: await api.put(`${path}/tax-identifier`, { tax_identifier: '219-09-9999' }, key),
    employees_list_tax_identifiers: await api.get(`${path}/tax-identifier`, key),
    employees_get_form_1095c: await api.get(`${path}/form-1095c`, key),
    employers_set_form_settings: await api.put(
      `/v1/employers/${employer_id}/form-settings`,
      { tax_year: 2026, has_conditional_spouse_offer: false, uses_98_percent_method: false },
      key,
    ),
    employers_update_tax_facts: await api.patch(
      `/v1/employers/${employer_id}/tax-facts`,
      { tax_year: 2026, employees: [{ employee_id: employee.id, w2_wages_in_cents: 6_200_000 }] },
      key,
    ),
    employees_update_tax_facts: await api.patch(
      `${path}/tax-facts`,
      { tax_year: 2026, w2_wages_in_cents: 6_200_000, dry_run: true },
      key,
    ),
    employers_derive_forms_1095c: await runForms(api, { employer_id, tax_year: 2026, action: 'derive' }, key),
    employers_list_forms_1095c: await api.get(`/v1/employers/${employer_id}/forms-1095c?tax_year=2026`, key),
    employers_get_offer_test: await api.get(`/v1/employers/${employer_id}/offer-test?year=2026`, key),
  }
  await runForms(api, { employer_id, tax_year: 2025, action: 'derive' }, key)
  const bound_entity = { type: 'employee', id: employee.id }
  const token = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity }, key)
  const own = { key: token.body.access_token as string }
  const filed = {
    employers_release_forms_1095c: await runForms(api, { employer_id, tax_year: 2025, action: 'release' }, key),
    employers_get_form_filing: await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`, key),
    employers_get_form_1094c: await api.get(`/v1/employers/${employer_id}/form-1094c?tax_year=2025`, key),
    employers_get_print_file: await api.get(`/v1/employers/${employer_id}/forms-1095c/print-file?tax_year=2025`, key),
    employees_set_electronic_delivery: await api.put(`${path}/electronic-delivery`, { consents: true }, own),
    employees_get_tax_forms: await api.get(`${path}/tax-forms`, own),
  }
  return Object.entries({ ...answers, ...filed }).map(([operation, { status, body }]) => ({ operation, status, body }))
}
