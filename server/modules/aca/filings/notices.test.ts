import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boundToken, createEmployee, createEmployer, createLiveOrganization } from '../../../test/fixtures.ts'
import { useMailServer } from '../../../test/fakes/mail-server.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { sendNotice } from './notice-actions.ts'
import { noticeOf } from './notice-rules.ts'

/** An employer of a live organization, with one employee who consents to electronic delivery and one who does not. */
const api = useApi()
const server = useMailServer(api)
const tax_year = 2025
const effective_date = '2026-03-02'
let organization_id: string
let options: { key: string }
let employer_id: string
let ada: string
let ben: string

const run = async (action: 'derive' | 'release') => {
  await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year }, options)
  await api.work()
}
const change = (line_16: '2E' | '2B') =>
  api.put(
    `/v1/employees/${ada}/form-1095c`,
    { tax_year, reason: 'Union plan', months: [{ month: 5, line_16 }] },
    options,
  )
const filing = async () => (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`, options)).body.data
const unnotified = async (has_failed_notice: boolean) =>
  (
    await api.get(
      `/v1/employers/${employer_id}/forms-1095c?tax_year=2025&has_failed_notice=${has_failed_notice}`,
      options,
    )
  ).body.data.map(({ employee_id }) => employee_id)
const postedCount = async (id: string) =>
  (await api.get(`/v1/activity?employee_id=${id}&limit=100`, options)).body.data.filter(
    ({ event_name }) => event_name === 'employee.tax_form_posted',
  ).length
/** Makes the retry of a failed job due now. */
const retry = () =>
  api.database.reads.rows('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now())')

async function openOrganization() {
  const live = await createLiveOrganization(api, 'Northwind Benefits')
  organization_id = live.id
  options = { key: live.key }
  const dashboard_url = 'https://portal.example.com/benefits?token={token}'
  await api.put('/v1/enrollment-message-settings', { dashboard_url, language: 'en' }, options)
  employer_id = await createEmployer(api, {}, options)
  const started = { started_on: '2024-01-01' }
  await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, started, { key: api.operator_key })
  const work = { start_date: '2024-06-03', employee_class: 'Full Time' }
  ada = (await createEmployee(api, employer_id, { ...work, email: 'ada@example.com' }, options)).id
  ben = (await createEmployee(api, employer_id, { ...work, email: 'ben@example.com' }, options)).id
  const key = await boundToken(api, 'employee', ada, options)
  await api.put(`/v1/employees/${ada}/electronic-delivery`, { consents: true }, { key })
  await run('derive')
}

beforeAll(openOrganization)
beforeEach(() => {
  server.received.length = 0
  server.faults.clear()
})

describe('the notice of a posted form', () => {
  it('is an email in the words of the regulation, to each person with a consent', async () => {
    await run('release')
    const mail = only(server.received)
    expect(mail).toMatchObject({
      to: [{ address: 'ada@example.com' }],
      subject: 'IMPORTANT TAX RETURN DOCUMENT AVAILABLE: Form 1095-C for 2025',
    })
    for (const part of ['https://portal.example.com,', '"Tax forms"', 'print']) expect(mail.text).toContain(part)
    expect(mail.text).not.toContain('{token}')
    expect([await postedCount(ada), await postedCount(ben)]).toEqual([1, 0])
  })

  it('is sent once for each version of a form', async () => {
    const rows = `select form.employer_id, form.member_id, form.tax_year, form.version from released_forms as form
                   where form.organization_id = $1 and form.employee_id = $2`
    type Key = { employer_id: string; member_id: string; tax_year: number; version: number }
    const key = only(await api.database.reads.rows<Key>(rows, [organization_id, ada]))
    await sendNotice(api.runtime, { organization_id, ...key, work_employer_id: employer_id })
    expect(server.received).toEqual([])
    await change('2E')
    await run('release')
    const mail = only(server.received)
    expect(mail.to).toMatchObject([{ address: 'ada@example.com' }])
    expect(mail.text).toContain('Your corrected Form 1095-C for 2025')
    expect(await postedCount(ada)).toBe(2)
  })

  it('is sent later if the mail server postpones it, with one event', async () => {
    await change('2B')
    server.faults.set('ada@example.com', 451)
    await run('release').catch(() => undefined)
    expect(server.received).toEqual([])
    server.faults.clear()
    await retry()
    await api.work()
    expect(server.received).toHaveLength(1)
    expect(await postedCount(ada)).toBe(3)
  })

  it('records a bounce and publishes it, and the next form sends no email', async () => {
    const bounced = async () =>
      (await api.get(`/v1/activity?employee_id=${ada}&limit=100`, options)).body.data.filter(
        ({ event_name }) => event_name === 'employee.email_bounced',
      ).length
    await change('2E')
    expect(await filing()).toMatchObject({ unnotified_count: 0, print_count: 1 })
    server.faults.set('ada@example.com', 550)
    await run('release')
    expect([server.received.length, await bounced(), await postedCount(ada)]).toEqual([0, 1, 4])
    server.faults.clear()
    await change('2B')
    await run('release')
    expect([server.received.length, await bounced(), await postedCount(ada)]).toEqual([0, 1, 5])
  })

  it('that failed is counted and listed, and the form is in the print file, until a later notice is sent', async () => {
    expect(await filing()).toMatchObject({ unnotified_count: 1, print_count: 2, print_parts: [1] })
    expect(await unnotified(true)).toEqual([ada])
    expect(await unnotified(false)).toEqual([ben])
    const moved = await api.patch(`/v1/employees/${ada}`, { email: 'ada.new@example.com', effective_date }, options)
    expect(moved.status, moved.text).toBe(200)
    await change('2E')
    await run('release')
    expect(only(server.received).to).toMatchObject([{ address: 'ada.new@example.com' }])
    expect(await filing()).toMatchObject({ unnotified_count: 0, print_count: 1 })
    expect(await unnotified(true)).toEqual([])
  })

  it('is not a failure if the organization notifies its people itself', async () => {
    await change('2B')
    server.faults.set('ada.new@example.com', 550)
    await run('release')
    expect(await filing()).toMatchObject({ unnotified_count: 1 })
    await api.put('/v1/enrollment-message-settings', { enrollment_messages: 'events' }, options)
    await change('2E')
    await run('release')
    expect(await filing()).toMatchObject({ unnotified_count: 0 })
  })

  it('of a sandbox organization sends no email, and does not count toward the email rate limit', async () => {
    const minutes = () => api.database.reads.rows('select sender from mail_minutes where sender = $1', [story])
    const story = api.story.organization_id
    const firm = await createEmployer(api)
    const hired = { start_date: '2024-06-03', employee_class: 'Full Time', email: 'eve@example.com' }
    const { id } = await createEmployee(api, firm, hired)
    const key = await boundToken(api, 'employee', id)
    await api.put(`/v1/employees/${id}/electronic-delivery`, { consents: true }, { key })
    for (const action of ['derive', 'release'] as const) {
      await api.post(`/v1/employers/${firm}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    const { data } = (await api.get(`/v1/employers/${firm}/form-filing?tax_year=2025`)).body
    expect(data).toMatchObject({ released_count: 1, unnotified_count: 0, print_count: 0 })
    expect([server.received, await minutes()]).toEqual([[], []])
  })

  it('is in each language of the organization', () => {
    const form = { form_type: '1095-B' as const, tax_year: 2026, is_corrected: false }
    const facts = { ...form, first_name: 'Ana', legal_name: 'A', email: 'a@b.c', page: null }
    const { text, html } = noticeOf({ ...facts, language: 'both' })
    for (const part of ['Your Form 1095-B for 2026', 'Su Formulario 1095-B de 2026']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
  })
})
