import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../modules.ts'
import { codeOf } from './response.ts'
import { createCoveredEmployer, createEmployee, createEmployer, importCatalog, boundToken } from './fixtures.ts'
import { useApi } from './harness.ts'
import { first, only, sure } from './pick.ts'

/**
 * All operations that tokens bound to one employee or one employer may call (docs/design/access/roles-and-tokens.md).
 * Browsers use such tokens, so each operation is listed here deliberately.
 */
const by_either = [
  'get_token',
  'employees_get',
  'employees_list_enrollments',
  'employees_explain_eligibility',
  'employees_list_paychecks',
  'employees_prove_deductions',
  'enrollments_get',
  'enrollments_get_history',
  'life_events_list_attachments',
  'dependents_list_attachments',
]
const by_employees = [
  'enrollments_elect',
  'enrollments_waive',
  'employees_answer_enrollments',
  'employees_get_confirmation',
  'employees_list_confirmations',
  'employees_get_benefits_statement',
  'employees_get_benefits_statement_pdf',
  'beneficiaries_list',
  'beneficiaries_designate',
  'beneficiaries_list_history',
  'employees_get_enrollment_draft',
  'employees_list_enrollment_agreements',
  'employees_save_enrollment_draft',
  'employees_discard_enrollment_draft',
  'employees_update_contact',
  'dependents_list',
  'dependents_create',
  'dependents_update',
  'dependents_end',
  'dependents_attach',
  'dependents_detach',
  'life_events_list',
  'life_events_create',
  'life_events_attach',
  'life_events_detach',
  'employees_get_tax_forms',
  'employees_set_electronic_delivery',
  'employees_list_documents',
  'employees_open_document',
]
const by_employers = [
  'documents_list',
  'documents_get',
  'documents_get_link',
  'employers_get',
  'employers_get_aca_overview',
  'employers_get_offer_test',
  'employers_list_employees',
  'employers_list_notes',
  'employees_list_notes',
  'employers_get_enrollment_schedule',
  'employers_list_enrollment_messages',
  'employers_list_enrollment_window_people',
  'employers_list_enrollment_windows',
  'employers_get_hris',
  'employers_list_benefit_plan_years',
  'employers_get_benefit_plan_year',
  'employers_list_benefit_plan_year_enrollments',
  'employers_summarize_benefit_plan_year_enrollments',
  'employers_list_invoices',
  'employers_list_invoice_lines',
  'employers_get_invoice_pdf',
  'employers_get_invoice_reconciliation',
  'employers_list_payroll_deduction_statements',
  'employers_remind_to_enroll',
  'employers_set_enrollment_schedule',
]

it.each([
  ['employee_token', [...by_either, ...by_employees]],
  ['employer_token', [...by_either, ...by_employers]],
] as const)('opens exactly the listed operations to an %s', (kind, operations) => {
  const allowed = endpoints.filter(({ allows }) => allows.includes(kind)).map(({ operation }) => operation)
  expect(allowed.toSorted()).toEqual(operations.toSorted())
})

it('lets employer tokens only read, remind employees to enroll, and schedule reminders', () => {
  const writes = endpoints.filter(({ allows, method }) => allows.includes('employer_token') && method !== 'GET')
  expect(writes.map(({ operation }) => operation)).toEqual([
    'employers_remind_to_enroll',
    'employers_set_enrollment_schedule',
  ])
})

/** The ids in paths for which the test below has a resource. */
const named = [
  'employer_id',
  'employee_id',
  'enrollment_id',
  'dependent_id',
  'life_event_id',
  'attachment_id',
  'statement_id',
]
const writes = endpoints.filter(
  ({ method, path, params = {}, allows }) =>
    method !== 'GET' &&
    !allows.includes('employer_token') &&
    path.startsWith('/v1/') &&
    Object.keys(params).every((name) => named.includes(name)),
)

describe('employer tokens', () => {
  const api = useApi()
  /** One resource of the employer for each id in paths. */
  const ids: Record<string, string> = {}
  const keys = { employee: '', colleague: '', employer: '', other_employer: '', rival_employer: '' }
  const outsiders = ['colleague', 'other_employer', 'rival_employer'] as const

  beforeAll(async () => {
    const employer_id = await createCoveredEmployer(api, await importCatalog(api))
    const employee_id = only((await api.get(`/v1/employers/${employer_id}/employees`)).body.data).id
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
    await api.patch(`/v1/employees/${employee_id}/contact`, { phone: '4155550123' })
    const enrollment = first((await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data)
    const spouse = { relationship: 'spouse', first_name: 'Ivo', last_name: 'Costa', date_of_birth: '1989-02-11' }
    const dependent = await api.post(`/v1/employees/${employee_id}/dependents`, spouse)
    const marriage = { type: 'marriage', occurred_on: '2026-03-01' }
    const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, marriage)
    const document = { file_name: 'certificate.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
    const life_event_id = event.body.data.id
    const attached = await api.post(`/v1/qualifying-life-events/${life_event_id}/attachments`, document)
    api.moveTo('2026-04-01')
    await api.runDays()
    await api.work()
    const statements = (await api.get(`/v1/employers/${employer_id}/payroll-deduction-statements`)).body.data
    Object.assign(ids, { employer_id, employee_id, life_event_id })
    ids.enrollment_id = enrollment.id
    ids.dependent_id = dependent.body.data.id
    ids.attachment_id = only(attached.body.data.attachments).id
    ids.statement_id = first(statements).id
    const rival = { key: api.story.rival_api_key }
    keys.employee = await boundToken(api, 'employee', employee_id)
    keys.colleague = await boundToken(api, 'employee', (await createEmployee(api, employer_id)).id)
    keys.employer = await boundToken(api, 'employer', employer_id)
    keys.other_employer = await boundToken(api, 'employer', await createEmployer(api))
    keys.rival_employer = await boundToken(api, 'employer', await createEmployer(api, {}, rival), rival)
  })

  it.each([
    '/v1/employees/{employee_id}',
    '/v1/employees/{employee_id}/enrollments',
    '/v1/employees/{employee_id}/eligibility',
    '/v1/employees/{employee_id}/paychecks',
    '/v1/employees/{employee_id}/deductions/proof',
    '/v1/enrollments/{enrollment_id}',
    '/v1/enrollments/{enrollment_id}/history',
    '/v1/qualifying-life-events/{life_event_id}/attachments',
  ])('read %s of their own employees, and outsiders get a 404', async (template) => {
    const path = filled(template)
    for (const kind of ['employee', 'employer'] as const)
      expect(codeOf(await api.get(path, { key: keys[kind] })), kind).toEqual([200, undefined])
    for (const kind of outsiders)
      expect(codeOf(await api.get(path, { key: keys[kind] })), kind).toEqual([404, 'not_found'])
  })

  it('read the phone number, written paychecks and documents of an employee', async () => {
    const { employee_id, life_event_id } = ids
    const as_employer = { key: keys.employer }
    const { phone } = (await api.get(`/v1/employees/${employee_id}`, as_employer)).body.data
    expect(phone).toBe('4155550123')
    const paychecks = (await api.get(`/v1/employees/${employee_id}/paychecks`, as_employer)).body.data
    expect(paychecks.map(({ statement_id }) => statement_id)).toContain(ids.statement_id)
    const path = `/v1/qualifying-life-events/${life_event_id}/attachments` as const
    const document = only((await api.get(path, as_employer)).body.data)
    expect(document).toMatchObject({ id: ids.attachment_id, file_name: 'certificate.pdf' })
    expect(await (await fetch(sure(document.file).download_url)).text()).toBe('%PDF-1.7')
  })

  it('read the statements of their employer with the lines as CSV, and get a 404 elsewhere', async () => {
    const path = `/v1/employers/${ids.employer_id}/payroll-deduction-statements` as const
    const { csv } = first((await api.get(path, { key: keys.employer })).body.data)
    expect(await (await fetch(csv.download_url)).text()).toContain(ids.employee_id)
    for (const kind of ['employee', ...outsiders] as const)
      expect(codeOf(await api.get(path, { key: keys[kind] })), kind).toEqual([404, 'not_found'])
    const all = await api.get('/v1/payroll-deduction-statements', { key: keys.employer })
    expect(codeOf(all)).toEqual([403, 'forbidden'])
  })

  it.each(['', '/employees', '/hris', '/benefit-plan-years', '/invoices', '/payroll-deduction-statements'])(
    'read /v1/employers/{employer_id}%s of their employer, and its employees get a 404',
    async (rest) => {
      const path = `/v1/employers/${ids.employer_id}${rest}` as const
      expect(codeOf(await api.get(path, { key: keys.employer }))).toEqual([200, undefined])
      for (const kind of ['employee', ...outsiders] as const)
        expect(codeOf(await api.get(path, { key: keys[kind] })), kind).toEqual([404, 'not_found'])
    },
  )

  it.each(writes)('get a 403 for $operation, and a 404 at another employer', async ({ method, path }) => {
    const sent = (key: string) => api.call(method, filled(path), { key, raw: '{' })
    expect(codeOf(await sent(keys.employer))).toEqual([403, 'forbidden'])
    if (path.includes('{')) expect(codeOf(await sent(keys.other_employer))).toEqual([404, 'not_found'])
  })

  const filled = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => sure(ids[name]))
})
