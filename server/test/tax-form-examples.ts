import type { Api } from './harness.ts'
import { first } from './pick.ts'

/** Derives the forms of the current year, and returns the response. */
async function deriveForms(api: Api, employer_id: string, key: { key: string }) {
  const tax_year = 2026
  const accepted = await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year }, key)
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
    employers_derive_forms_1095c: await deriveForms(api, employer_id, key),
    employers_list_forms_1095c: await api.get(`/v1/employers/${employer_id}/forms-1095c?tax_year=2026`, key),
    employers_get_offer_test: await api.get(`/v1/employers/${employer_id}/offer-test?year=2026`, key),
  }
  return Object.entries(answers).map(([operation, { status, body }]) => ({ operation, status, body }))
}
