import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, boundToken, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

/** An employer whose full-time employees got no offer in 2025. */
const api = useApi()
const tax_year = 2025
let employer_id: string
let ada: { id: string; key: string }
let ben: { id: string; key: string }

async function hire(): Promise<{ id: string; key: string }> {
  const { id } = await createEmployee(api, employer_id, { start_date: '2024-06-03', employee_class: 'Full Time' })
  return { id, key: await boundToken(api, 'employee', id) }
}

const filing = async () => (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`)).body.data
const formsOf = async ({ id, key }: { id: string; key: string }) =>
  (await api.get(`/v1/employees/${id}/tax-forms`, { key })).body.data
const release = () => api.post(`/v1/employers/${employer_id}/forms-1095c/release`, { tax_year })
const derive = async () => {
  await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year })
  await api.work()
}
const printFile = (part = 1) =>
  api.get(`/v1/employers/${employer_id}/forms-1095c/print-file?tax_year=2025&part=${part}`)
const tasks = async () =>
  (await api.get(`/v1/tasks?employer_id=${employer_id}&kind=tax_forms_due,tax_identifiers_missing`)).body.data
    .map(({ kind, people_count, due_on }) => [kind, people_count, due_on])
    .toSorted()
const pdfAt = async (url: string) => {
  const file = await fetch(url)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  return extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
}

beforeAll(async () => {
  employer_id = await createEmployer(api)
  ada = await hire()
  ben = await hire()
})

describe('the release of Forms 1095-C', () => {
  it('is refused before the forms are derived, and before the year is over', async () => {
    expect(codeOf(await release())).toEqual([409, 'forms_not_derived'])
    const now = await api.post(`/v1/employers/${employer_id}/forms-1095c/release`, { tax_year: 2026 })
    expect(codeOf(now)).toEqual([409, 'tax_year_not_over'])
  })

  it('shows employees their forms only after the release', async () => {
    await derive()
    expect(await filing()).toMatchObject({ form_count: 2, released_at: null, released_count: 0, changed_count: 2 })
    expect((await filing()).deadlines).toEqual([
      { jurisdiction: 'IRS', step: 'furnish', form: '1095-C', due_on: '2026-03-02' },
      { jurisdiction: 'IRS', step: 'file', form: '1095-C', due_on: '2026-03-31' },
    ])
    expect(await tasks()).toEqual([
      ['tax_forms_due', 2, '2026-03-02'],
      ['tax_identifiers_missing', 2, '2026-03-02'],
    ])
    expect((await formsOf(ada)).forms).toEqual([])
    const accepted = await release()
    expect(accepted.status, accepted.text).toBe(202)
    await api.work()
    expect(await filing()).toMatchObject({ released_count: 2, corrected_count: 0, changed_count: 0, print_count: 2 })
    const form = only((await formsOf(ada)).forms)
    expect(form).toMatchObject({ tax_year: 2025, form: '1095-C', version: 1, is_corrected: false })
    const { text } = await pdfAt(form.file.download_url)
    for (const part of ['1095-C', '2025', '1H']) expect(text).toContain(part)
  })

  it('of a form that changed is a corrected form, and others stay unchanged', async () => {
    const months = [{ month: 5, line_16: '2E' }]
    await api.put(`/v1/employees/${ada.id}/form-1095c`, { tax_year, reason: 'Union plan', months })
    expect(await filing()).toMatchObject({ changed_count: 1 })
    await release()
    await api.work()
    expect(await filing()).toMatchObject({ released_count: 2, corrected_count: 1, changed_count: 0 })
    expect(only((await formsOf(ben)).forms)).toMatchObject({ version: 1, is_corrected: false })
    const form = only((await formsOf(ada)).forms)
    expect(form).toMatchObject({ version: 2, is_corrected: true })
    expect((await pdfAt(form.file.download_url)).text).toContain('2E')
    expect((await tasks()).map(([kind]) => kind)).toEqual(['tax_identifiers_missing'])
  })
})

describe('the task for missing tax identifiers', () => {
  const identify = ({ id }: { id: string }, tax_identifier: string) =>
    api.put(`/v1/employees/${id}/tax-identifier`, { tax_identifier })

  it('ends when the identifiers are stored, without another derivation', async () => {
    expect(await tasks()).toEqual([['tax_identifiers_missing', 2, '2026-03-02']])
    await identify(ada, '219-09-9999')
    expect(await tasks()).toEqual([['tax_identifiers_missing', 1, '2026-03-02']])
    await identify(ben, '078-05-1120')
    expect(await tasks()).toEqual([])
    expect(await filing()).toMatchObject({ changed_count: 2 })
    await release()
    await api.work()
  })
})

describe('Form 1094-C', () => {
  const path = () => `/v1/employers/${employer_id}/form-1094c` as const

  it('has the counts of each month with reasons', async () => {
    const { data } = (await api.get(`${path()}?tax_year=2025`)).body
    expect(data.form).toMatchObject({
      is_authoritative: { value: true },
      form_count: { value: 2 },
      is_in_group: { value: false },
      uses_98_percent_method: { value: false, reason: 'The employer does not use the method.' },
    })
    expect(data.form!.months[0]).toMatchObject({
      minimum_essential_coverage: { value: true, reason: '0 of 2 full-time employees were offered coverage.' },
      full_time_count: { value: 2 },
      total_count: { value: 2 },
    })
    expect((await api.get(`${path()}?tax_year=2024`)).body.data.form).toBeNull()
    expect((await api.get(path(), { key: api.story.rival_api_key })).status).toBe(404)
  })

  it('is a PDF in the layout of the IRS', async () => {
    const link = await api.get(`${path()}/pdf?tax_year=2025`)
    const { text, totalPages } = await pdfAt(link.body.data.download_url)
    expect(totalPages).toBe(2)
    for (const part of ['1094-C', 'authoritative transmittal', '98% Offer Method', 'Part III'])
      expect(text).toContain(part)
    expect((await api.get(`${path()}/pdf?tax_year=2024`)).status).toBe(404)
  })
})

describe('the consent to electronic delivery', () => {
  const consent = ({ id, key }: { id: string; key: string }, consents: boolean) =>
    api.put(`/v1/employees/${id}/electronic-delivery`, { consents }, { key })

  it('keeps its dates, and removes the form from the print file while it is in force', async () => {
    const none = { consents: false, given_at: null, withdrawn_at: null }
    const { furnisher, electronic_delivery } = await formsOf(ada)
    expect(electronic_delivery).toEqual(none)
    const { legal_name, address, phone_number, email } = (await api.get(`/v1/employers/${employer_id}`)).body.data
    expect(furnisher).toEqual({ legal_name, address, phone_number, email })
    expect((await consent(ada, false)).body.data).toEqual(none)
    const given = (await consent(ada, true)).body.data
    expect(given).toMatchObject({ consents: true, given_at: expect.any(String), withdrawn_at: null })
    expect((await consent(ada, true)).body.data).toEqual(given)
    expect(await filing()).toMatchObject({ print_count: 1, print_parts: [1] })
    const link = await printFile()
    expect((await pdfAt(link.body.data.download_url)).totalPages).toBe(1)
    const withdrawn = (await consent(ada, false)).body.data
    expect(withdrawn).toMatchObject({ consents: false, given_at: given.given_at, withdrawn_at: expect.any(String) })
    const both = await pdfAt((await printFile()).body.data.download_url)
    expect(both.totalPages).toBe(2)
    expect(both.text.match(/Employee Offer of Coverage/g)).toHaveLength(2)
    expect((await printFile(2)).status).toBe(404)
  })

  it('removes a form from the print file; the mailing of the others is recorded and can be undone', async () => {
    const path = `/v1/employers/${employer_id}/forms-1095c/mailing` as const
    const mail = (mailed_on: string, is_mailed?: boolean) => api.put(path, { tax_year, mailed_on, is_mailed })
    const [released_on, day_before_release] = ['2026-03-10', '2026-03-09']
    const stateOf = ({ body }: Awaited<ReturnType<typeof mail>>) => [
      body.data.unmailed_count,
      body.data.mailings.map(({ mailed_on, form_count }) => [mailed_on, form_count]),
    ]
    expect(await filing()).toMatchObject({ print_count: 2, unmailed_count: 2, mailings: [] })
    expect(refusalOf(await mail('2026-03-11'))).toEqual([400, 'invalid_request', 'mailed_on'])
    expect(refusalOf(await mail(day_before_release))).toEqual([409, 'mailed_before_release', 'mailed_on'])
    await consent(ada, true)
    expect(stateOf(await mail(released_on))).toEqual([0, [[released_on, 1]]])
    await consent(ada, false)
    expect(await filing()).toMatchObject({ print_count: 2, unmailed_count: 1 })
    for (let repeated = 0; repeated < 2; repeated++)
      expect(stateOf(await mail(released_on))).toEqual([0, [[released_on, 2]]])
    expect(stateOf(await mail(day_before_release))).toEqual([0, [[released_on, 2]]])
    expect(stateOf(await mail(day_before_release, false))).toEqual([0, [[released_on, 2]]])
    expect(stateOf(await mail(released_on, false))).toEqual([2, []])
    const rival = { key: api.story.rival_api_key }
    expect((await api.put(path, { tax_year, mailed_on: released_on }, rival)).status).toBe(404)
  })

  it('applies to one EIN only', async () => {
    await consent(ada, true)
    const filer = await createEmployer(api)
    const members = [{ employer_id: filer, employer_ids: [employer_id] }]
    const group = await api.post('/v1/ale-groups', { name: 'Another furnisher', members })
    expect((await formsOf(ada)).electronic_delivery).toMatchObject({ consents: false, given_at: null })
    await api.call('DELETE', `/v1/ale-groups/${group.body.data.id}`)
    await api.work()
    expect((await formsOf(ada)).electronic_delivery).toMatchObject({ consents: true })
    await consent(ada, false)
  })

  it('is given by the employee alone', async () => {
    const by_partner = await api.put(`/v1/employees/${ada.id}/electronic-delivery`, { consents: true })
    expect(by_partner.status).toBe(403)
    expect((await consent({ id: ada.id, key: ben.key }, true)).status).toBe(404)
  })
})

describe('a corrected form', () => {
  it('is released for each employee after the employer changed its address', async () => {
    const address = { address_line_1: '9 New Harbor Road', city: 'Albany', state: 'NY', zipcode: '12207' }
    await api.put(`/v1/employers/${employer_id}`, { address })
    expect(await filing()).toMatchObject({ changed_count: 2 })
    await release()
    await api.work()
    expect(await filing()).toMatchObject({ released_count: 2, corrected_count: 2, changed_count: 0 })
    const form = only((await formsOf(ben)).forms)
    expect(form).toMatchObject({ version: 3, is_corrected: true })
    expect((await pdfAt(form.file.download_url)).text).toContain('9 New Harbor Road')
  })

  it('reports part-time months of a person who needed no form, and is replaced if one is due again', async () => {
    const work = async (employee_class: 'Part Time' | 'Full Time') => {
      const body = { effective_date: '2024-06-03', employee_class, reason: 'Wrong class' }
      const answer = await api.post(`/operator/v1/employees/${ben.id}/corrections`, body, { key: api.operator_key })
      expect(answer.status, answer.text).toBe(200)
    }
    await work('Part Time')
    await derive()
    expect(await filing()).toMatchObject({ form_count: 1, changed_count: 1 })
    await release()
    await api.work()
    expect(await filing()).toMatchObject({ form_count: 1, released_count: 1, corrected_count: 2, changed_count: 0 })
    const corrected = only((await formsOf(ben)).forms)
    expect(corrected).toMatchObject({ version: 4, is_corrected: true })
    const { text } = await pdfAt(corrected.file.download_url)
    expect([text.match(/1H/g), text.match(/2B/g)]).toEqual([['1H'], ['2B']])
    await work('Full Time')
    await derive()
    await release()
    await api.work()
    expect(only((await formsOf(ben)).forms)).toMatchObject({ version: 5 })
    expect(await filing()).toMatchObject({ released_count: 2, changed_count: 0 })
  })
})

describe('the print file', () => {
  it('keeps each form in its part, whatever people consent to between two downloads', async () => {
    const many = await createEmployer(api)
    const employees = Array.from({ length: 202 }, () =>
      aPerson({ start_date: '2024-06-03', employee_class: 'Full Time' }),
    )
    await api.post(`/v1/employers/${many}/census-sync`, { employees })
    await api.work()
    const pages = [1, 2, 3].map((page) => api.get(`/v1/employers/${many}/employees?limit=100&page=${page}`))
    const people = (await Promise.all(pages)).flatMap(({ body }) => body.data)
    for (const action of ['derive', 'release'] as const) {
      await api.post(`/v1/employers/${many}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    const state = async () => (await api.get(`/v1/employers/${many}/form-filing?tax_year=2025`)).body.data
    const lastPart = async () => {
      const link = await api.get(`/v1/employers/${many}/forms-1095c/print-file?tax_year=2025&part=2`)
      return (await pdfAt(link.body.data.download_url)).text
    }
    expect(await state()).toMatchObject({ print_count: 202, print_parts: [1, 2] })
    const before = await lastPart()
    const printed = people.filter(({ last_name }) => new RegExp(`${last_name}\\b`).test(before))
    expect(printed).toHaveLength(2)
    const consent = async ({ id }: { id: string }) => {
      const key = await boundToken(api, 'employee', id)
      await api.put(`/v1/employees/${id}/electronic-delivery`, { consents: true }, { key })
    }
    await consent(people.find((one) => !printed.includes(one))!)
    expect(await state()).toMatchObject({ print_count: 201, print_parts: [1, 2] })
    expect(await lastPart()).toBe(before)
    for (const person of printed) await consent(person)
    expect(await state()).toMatchObject({ print_count: 199, print_parts: [1] })
    expect((await api.get(`/v1/employers/${many}/forms-1095c/print-file?tax_year=2025&part=2`)).status).toBe(404)
  })
})

describe('released forms', () => {
  it('remain with their employee when the employer joins and leaves another EIN', async () => {
    const filer = await createEmployer(api)
    const members = [{ employer_id: filer, employer_ids: [employer_id] }]
    const group = await api.post('/v1/ale-groups', { name: 'One EIN', members })
    expect(group.status, group.text).toBe(201)
    expect((await formsOf(ada)).forms).toHaveLength(1)
    expect((await formsOf(ada)).furnisher.email).toBe((await api.get(`/v1/employers/${filer}`)).body.data.email)
    expect(await filing()).toMatchObject({ released_count: 0 })
    await api.call('DELETE', `/v1/ale-groups/${group.body.data.id}`)
    await api.work()
    expect((await formsOf(ada)).forms).toHaveLength(1)
    expect(await filing()).toMatchObject({ released_count: 2 })
  })

  it('are visible only to their employee and to partners with the scope tax', async () => {
    const path = `/v1/employees/${ada.id}/tax-forms` as const
    for (const key of [ben.key, api.story.rival_api_key]) expect((await api.get(path, { key })).status).toBe(404)
    const scopes = ['read', 'write', 'people']
    const { api_key: key } = (await api.post('/v1/api-keys', { name: 'No tax', scopes })).body.data
    const employer = `/v1/employers/${employer_id}` as const
    for (const one of [path, `${employer}/form-filing`, `${employer}/forms-1095c/print-file`] as const)
      expect((await api.get(one, { key })).status).toBe(403)
    const rival = { key: api.story.rival_api_key }
    expect((await api.get(`${employer}/form-filing?tax_year=2025`, rival)).status).toBe(404)
    expect((await api.post(`${employer}/forms-1095c/release`, { tax_year }, rival)).status).toBe(404)
    expect((await api.get(`${employer}/form-filing?tax_year=1999`)).status).toBe(400)
  })
})

describe('an employer whose people work under another EIN since the derivation', () => {
  const join = async (filer: string, own: string) => {
    const members = [{ employer_id: filer, employer_ids: [own] }]
    const group = await api.post('/v1/ale-groups', { name: 'Another EIN', members })
    expect(group.status, group.text).toBe(201)
  }
  const kindsOf = async (id: string) =>
    (await api.get(`/v1/tasks?employer_id=${id}&kind=tax_forms_due,tax_identifiers_missing`)).body.data
      .map(({ kind }) => kind)
      .toSorted()
  const hireAt = async (id: string) =>
    createEmployee(api, id, { start_date: '2024-06-03', employee_class: 'Full Time' })

  it('has no tasks for forms that it does not file', async () => {
    const [filer, own] = [await createEmployer(api), await createEmployer(api)]
    await hireAt(own)
    await api.post(`/v1/employers/${own}/forms-1095c/derive`, { tax_year })
    await api.work()
    expect(await kindsOf(own)).toEqual(['tax_forms_due', 'tax_identifiers_missing'])
    await join(filer, own)
    expect(await kindsOf(own)).toEqual([])
  })

  it('gets corrected forms without employment when the other EIN releases its forms', async () => {
    const [filer, own] = [await createEmployer(api), await createEmployer(api)]
    const { id } = await hireAt(own)
    const run = async (employer: string, action: 'derive' | 'release') => {
      await api.post(`/v1/employers/${employer}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    await run(own, 'derive')
    await run(own, 'release')
    await join(filer, own)
    await run(filer, 'derive')
    const { data } = (await api.get(`/v1/employers/${filer}/form-filing?tax_year=2025`)).body
    expect(data).toMatchObject({ form_count: 1, changed_count: 2 })
    await run(filer, 'release')
    const { forms } = await formsOf({ id, key: await boundToken(api, 'employee', id) })
    expect(forms.map(({ version }) => version).toSorted()).toEqual([1, 2])
    const former = forms.find(({ is_corrected }) => is_corrected)!
    const { text } = await pdfAt(former.file.download_url)
    expect([text.match(/1H/g), text.match(/2A/g)]).toEqual([['1H'], ['2A']])
  })

  it('gets no forms of the other EIN from a derivation that was requested before', async () => {
    const [filer, own] = [await createEmployer(api), await createEmployer(api)]
    await hireAt(own)
    await api.post(`/v1/employers/${own}/forms-1095c/derive`, { tax_year })
    await join(filer, own)
    await api.work()
    const { data } = (await api.get(`/v1/employers/${filer}/form-filing?tax_year=2025`)).body
    expect(data).toMatchObject({ derived_at: null, form_count: 0 })
  })
})

describe('the unreleased forms of an employer', () => {
  it('are those of people without any released form, even while another form is no longer due', async () => {
    employer_id = await createEmployer(api)
    const { id } = await hire()
    await derive()
    expect(await filing()).toMatchObject({ form_count: 1, unreleased_count: 1 })
    await release()
    await api.work()
    expect(await filing()).toMatchObject({ form_count: 1, released_count: 1, unreleased_count: 0 })
    const body = { effective_date: '2024-06-03', employee_class: 'Part Time', reason: 'Wrong class' }
    await api.post(`/operator/v1/employees/${id}/corrections`, body, { key: api.operator_key })
    await hire()
    await derive()
    expect(await filing()).toMatchObject({ form_count: 1, released_count: 1, unreleased_count: 1 })
  })
})
