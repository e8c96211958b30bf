import type { Api } from './harness.ts'
import { first } from './pick.ts'

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
    employers_set_tax_facts: await api.put(
      `/v1/employers/${employer_id}/tax-facts`,
      { tax_year: 2026, employees: [{ employee_id: employee.id, w2_wages_in_cents: 6_200_000 }] } as never,
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
