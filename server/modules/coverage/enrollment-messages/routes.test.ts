import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  addPolicy,
  boundToken,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, pick, sure } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** Enrollment messages of a sandbox organization, in its mailbox and as events. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

async function anOpenWindow() {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const nora = (await createEmployee(api, employer_id, { first_name: 'Nora' })).id
  const ines = (await createEmployee(api, employer_id, { first_name: 'Ines' })).id
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    coverage_start: '2026-06-01',
    open_enrollment_start: '2026-03-11',
    open_enrollment_end: '2026-03-31',
  })
  await onDay('2026-03-11')
  const remind = (more: object = {}) =>
    api.post(`/v1/employers/${employer_id}/enrollment-reminders`, { benefit_plan_year_id: plan_year_id, ...more })
  const messages = async (query = '') =>
    (await api.get(`/v1/employers/${employer_id}/enrollment-messages${query}`)).body.data
  const waiveAll = async (employee_id: string) => {
    const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
    for (const { id } of data) await api.post(`/v1/enrollments/${id}/waive`, {})
  }
  return { employer_id, plan_year_id, nora, ines, remind, messages, waiveAll }
}

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const settings = (change: object) => api.put('/v1/enrollment-message-settings', change)
const contentOf = async (id: string) => sure((await api.get(`/v1/enrollment-messages/${id}`)).body.data.content)
const tokenIn = (text: string, before: string) => sure(new RegExp(`${before}(\\S+)`).exec(text)?.[1])

beforeAll(async () => {
  catalog = await importCatalog(api)
})
afterEach(async () => {
  await settings({
    enrollment_messages: 'send',
    sender_name: null,
    reply_to: null,
    dashboard_url: null,
    language: 'both',
  })
})

describe('reminders', () => {
  it('list the recipients and show the email in a dry run, and send nothing', async () => {
    api.moveTo('2026-03-10')
    const { remind, messages, nora, ines, waiveAll } = await anOpenWindow()
    await waiveAll(ines)
    const dry = await remind({ dry_run: true, employee_ids: [nora, ines, 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz'] })
    expect(dry.status, dry.text).toBe(200)
    expect(dry.body.data).toMatchObject({
      enrollment_messages: 'send',
      recipients: [{ employee_id: nora }],
      skipped: [
        { employee_id: ines, reason: 'answered' },
        { employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz', reason: 'not_in_plan_year' },
      ],
    })
    expect(dry.body.data.preview?.subject).toMatch(/^Reminder: choose your .* benefits by March 31 · Recordatorio: /)
    expect(await messages()).toEqual([])
  })

  it('reach the mailbox of a sandbox, and each person at most once a day', async () => {
    api.moveTo('2026-03-10')
    const { remind, messages, nora, ines, waiveAll, employer_id, plan_year_id } = await anOpenWindow()
    await waiveAll(ines)
    const sent = await remind()
    expect(sent.status, sent.text).toBe(202)
    expect(sent.body.data).toMatchObject({ recipients: [{ employee_id: nora }], skipped: [], preview: null })
    const message = only(await messages())
    expect(message).toMatchObject({
      employee_id: nora,
      kind: 'reminder',
      occasion: 'request',
      status: 'sent',
      due_on: '2026-03-11',
    })
    const { text, download_url } = await contentOf(message.id)
    expect(text).toContain('Hello Nora')
    const page = await fetch(download_url)
    expect(page.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups .*; default-src 'none'; /)
    expect(page.headers.get('content-disposition')).toMatch(/^inline; /)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await page.text()).toContain('Hello Nora')
    const again = await remind()
    expect(again.body.data).toMatchObject({
      recipients: [],
      skipped: [{ employee_id: nora, reason: 'messaged_today' }],
    })
    api.moveTo('2026-03-12')
    expect((await remind({ status: ['in_progress'] })).body.data.recipients).toEqual([])
    expect((await remind()).body.data.recipients).toEqual([{ employee_id: nora }])
    expect(await messages('?status=sent')).toHaveLength(2)
    const people = await api.get(`/v1/employers/${employer_id}/enrollment-windows/${plan_year_id}/people`)
    expect(pick(people.body.data, (row) => row.employee_id === nora)).toMatchObject({
      email_status: 'reachable',
      last_message: { due_on: '2026-03-12', kind: 'reminder', status: 'sent' },
    })
  })

  it('are events if the partner sends them, one for each person', async () => {
    api.moveTo('2026-03-10')
    const { remind, messages, nora } = await anOpenWindow()
    await settings({ enrollment_messages: 'events' })
    expect((await remind({ employee_ids: [nora] })).body.data).toMatchObject({
      enrollment_messages: 'events',
      recipients: [{ employee_id: nora }],
    })
    expect(only(await messages())).toMatchObject({ status: 'published', email: null })
    const { data } = (await api.get('/v1/webhook-events?event_name=enrollment.reminder_due')).body
    const event = only(data)
    const enrollment = (await api.get(`/v1/enrollments/${event.resource_id}` as `/v1/enrollments/${string}`)).body.data
    expect(enrollment).toMatchObject({ employee_id: nora, status: 'pending' })
  })

  it('are sent and scheduled by the employer with its token, for its own employees only', async () => {
    api.moveTo('2026-03-10')
    const { employer_id, plan_year_id, nora, ines, remind } = await anOpenWindow()
    const other = await anOpenWindow()
    const as_hr = { key: await boundToken(api, 'employer', employer_id) }
    const at = (employer: string) => `/v1/employers/${employer}` as const
    const body = { benefit_plan_year_id: plan_year_id, employee_ids: [nora, other.nora] }
    const sent = await api.post(`${at(employer_id)}/enrollment-reminders`, body, as_hr)
    expect(sent.status, sent.text).toBe(202)
    expect(sent.body.data).toMatchObject({
      recipients: [{ employee_id: nora }],
      skipped: [{ employee_id: other.nora, reason: 'not_in_plan_year' }],
    })
    const { data } = (await api.get(`${at(employer_id)}/enrollment-messages`, as_hr)).body
    expect(only(data)).toMatchObject({ employee_id: nora, status: 'sent' })
    expect((await remind()).body.data.recipients).toEqual([{ employee_id: ines }])
    const schedule = await api.put(`${at(employer_id)}/enrollment-schedule`, { one_day_before: true }, as_hr)
    expect(schedule.body.data).toMatchObject({ one_day_before: true, half_way: false })
    const theirs = { benefit_plan_year_id: other.plan_year_id }
    for (const refused of [
      await api.post(`${at(other.employer_id)}/enrollment-reminders`, theirs, as_hr),
      await api.get(`${at(other.employer_id)}/enrollment-messages`, as_hr),
      await api.put(`${at(other.employer_id)}/enrollment-schedule`, { opening: true }, as_hr),
    ])
      expect(codeOf(refused)).toEqual([404, 'not_found'])
    expect(codeOf(await api.post(`${at(employer_id)}/enrollment-reminders`, theirs, as_hr))).toEqual([
      400,
      'invalid_request',
    ])
    expect(await other.messages()).toEqual([])
    const all = await api.get('/v1/enrollment-messages?limit=2')
    expect(all.body.data).toMatchObject([
      { employee_id: ines, employer_id },
      { employee_id: nora, employer_id },
    ])
    expect(first(all.body.data).employer_name).toBe((await api.get(at(employer_id))).body.data.name)
    expect((await api.get('/v1/enrollment-messages?status=failed')).body.data).toEqual([])
    expect((await api.get('/v1/enrollment-messages', { key: api.story.rival_api_key })).body.data).toEqual([])
    expect(codeOf(await api.get('/v1/enrollment-messages', as_hr))).toEqual([403, 'forbidden'])
  })

  it('are refused for a plan year of another employer, and hidden from other organizations', async () => {
    api.moveTo('2026-03-10')
    const { employer_id, messages, remind } = await anOpenWindow()
    const other = await createEmployer(api)
    const wrong = await api.post(`/v1/employers/${other}/enrollment-reminders`, {
      benefit_plan_year_id: (await anOpenWindow()).plan_year_id,
    })
    expect(codeOf(wrong)).toEqual([400, 'invalid_request'])
    expect(wrong.error.details).toMatchObject([{ field: 'benefit_plan_year_id' }])
    await remind()
    const { id } = first(await messages())
    const rival = { key: api.story.rival_api_key }
    expect(codeOf(await api.get(`/v1/enrollment-messages/${id}`, rival))).toEqual([404, 'not_found'])
    const path = `/v1/employers/${employer_id}/enrollment-messages` as const
    expect(codeOf(await api.get(path, rival))).toEqual([404, 'not_found'])
    expect(codeOf(await api.get(`/v1/employers/${employer_id}/enrollment-schedule`, rival))).toEqual([404, 'not_found'])
  })
})

describe('a link', () => {
  it('is redeemed once, within 3 days, by its own organization, and contains no personal data', async () => {
    api.moveTo('2026-03-10')
    const { remind, messages, nora } = await anOpenWindow()
    await settings({ dashboard_url: 'https://portal.example.com/benefits?token={token}', language: 'en' })
    await remind({ employee_ids: [nora] })
    const { id } = first(await messages())
    const { text, html } = await contentOf(id)
    const token = tokenIn(text, 'Choose my benefits: https://portal.example.com/benefits\\?token=')
    expect(token).not.toMatch(/nora|empl_|@/i)
    expect(html).toContain(`token=${token}`)
    const redeem = (options = {}) => api.post('/v1/enrollment-links', { token }, options)
    expect(codeOf(await redeem({ key: api.story.rival_api_key }))).toEqual([409, 'link_not_valid'])
    const repeatable = { headers: { 'idempotency-key': 'the-first-visit' } }
    expect((await redeem(repeatable)).body.data).toMatchObject({ employee_id: nora })
    expect((await redeem(repeatable)).body.data).toMatchObject({ employee_id: nora })
    expect(codeOf(await redeem())).toEqual([409, 'link_not_valid'])
    expect(first(await messages()).link_used_at).not.toBeNull()
    const forged = await api.post('/v1/enrollment-links', { token: `${token.slice(0, -4)}AAAA` })
    expect(codeOf(forged)).toEqual([409, 'link_not_valid'])
  })

  it('expires after 3 days, and ends when the address changes', async () => {
    api.moveTo('2026-03-10')
    const { remind, messages, nora, ines } = await anOpenWindow()
    await settings({ dashboard_url: 'https://portal.example.com/{token}', language: 'en' })
    await remind()
    const tokens = new Map<string, string>()
    for (const { id, employee_id } of await messages())
      tokens.set(employee_id, tokenIn((await contentOf(id)).text, 'https://portal.example.com/'))
    const changed = await api.patch(`/v1/employees/${ines}`, {
      email: 'ines.new@example.com',
      effective_date: '2026-03-11',
    })
    expect(changed.status, changed.text).toBe(200)
    const redeem = (employee_id: string) => api.post('/v1/enrollment-links', { token: sure(tokens.get(employee_id)) })
    expect(codeOf(await redeem(ines))).toEqual([409, 'link_not_valid'])
    api.moveTo('2026-03-15')
    expect(codeOf(await redeem(nora))).toEqual([409, 'link_not_valid'])
  })
})

describe('the page of this service', () => {
  /** The link in the email to Nora, and requests of a browser to its pages. */
  async function aLink() {
    api.moveTo('2026-03-10')
    const { remind, messages, nora, ines } = await anOpenWindow()
    await settings({ language: 'en' })
    await remind({ employee_ids: [nora] })
    const { text } = await contentOf(first(await messages()).id)
    const link = tokenIn(text, 'Choose my benefits: ')
    const send = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, api.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html', ...headers },
      })
    const begin = () => send(link, { origin: api.url })
    return { link, send, begin, nora, ines }
  }
  const cookieOf = (response: Response) => sure(response.headers.get('set-cookie')).split(';')[0]!

  it('exchanges the link once for tokens of the employee, for an hour', async () => {
    const { link, send, begin, nora, ines } = await aLink()
    const shown = await fetch(link, { headers: { accept: 'text/html' } })
    expect(await shown.text()).toContain('Continue · Continuar')
    expect((await send(link)).status).toBe(403)
    expect((await send(link, { origin: 'https://evil.example.com' })).status).toBe(403)
    const begun = await begin()
    expect([begun.status, begun.headers.get('location')]).toEqual([303, '/benefits'])
    expect(begun.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax; Max-Age=3600/)
    expect((await begin()).status).toBe(409)
    const cookie = cookieOf(begun)
    // The back button of a phone returns to the link, which continues the visit in this browser.
    const back = await fetch(link, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
    const sent = await send(link, { cookie, origin: api.url })
    expect([back, sent].map(({ headers }) => headers.get('location'))).toEqual(['/benefits', '/benefits'])
    const path = '/benefits/access-token'
    expect((await send(path, { cookie })).status).toBe(403)
    expect((await send(path, { origin: api.url })).status).toBe(401)
    const issued = await send(path, { cookie, origin: api.url })
    const { access_token: key, expires_in } = (await issued.json()) as { access_token: string; expires_in: number }
    expect(expires_in).toBe(900)
    expect((await api.get('/v1/auth/token', { key })).body.data).toMatchObject({
      kind: 'employee_token',
      bound_entity: { type: 'employee', id: nora },
    })
    const { data } = (await api.get(`/v1/employees/${nora}/enrollments`, { key })).body
    const from_page = { key, headers: { origin: api.url } }
    expect((await api.post(`/v1/enrollments/${first(data).id}/waive`, {}, from_page)).status).toBe(200)
    expect(codeOf(await api.get(`/v1/employees/${ines}/enrollments`, { key }))).toEqual([404, 'not_found'])
    const entries = (await api.get('/v1/audit-entries?operation=open_enrollment_link')).body.data
    expect(first(entries)).toMatchObject({ resource_id: nora, actor: { kind: 'employee_token' } })
    api.moveTo('2026-03-12')
    expect((await send(path, { cookie, origin: api.url })).status).toBe(401)
    expect((await send(link, { cookie, origin: api.url })).status).toBe(409)
    expect((await fetch(`${api.url}/benefits`, { headers: { cookie, accept: 'text/html' } })).status).toBe(409)
  })

  it('works below the path of PUBLIC_URL', async () => {
    const { public_url } = api.runtime.settings
    const origin = 'https://benefits.example.com'
    api.runtime.settings.public_url = `${origin}/portal`
    const { link, send } = await aLink()
    expect(link).toMatch(/^https:\/\/benefits\.example\.com\/portal\/benefits\//)
    const path = link.slice(`${origin}/portal`.length)
    const shown = await fetch(api.url + path, { headers: { accept: 'text/html' } })
    expect(await shown.text()).toContain(`action="/portal${path}"`)
    const begun = await send(path, { origin })
    expect(begun.headers.get('location')).toBe('/portal/benefits')
    const dashboard = await fetch(`${api.url}/benefits`, { headers: { cookie: cookieOf(begun), accept: 'text/html' } })
    const text = await dashboard.text()
    expect(text).toContain('token-url="/portal/benefits/access-token"')
    expect(text).toContain('href="/portal/benefits?lang=es"')
    expect(text).toContain('src="/portal/widgets/')
    api.runtime.settings.public_url = public_url
  })

  it('refuses the links of an organization that has a page of its own, and forged links', async () => {
    const { link, begin, send } = await aLink()
    expect((await send(`${link.slice(0, -4)}AAAA`, { origin: api.url })).status).toBe(409)
    await settings({ dashboard_url: 'https://portal.example.com/{token}' })
    expect((await begin()).status).toBe(409)
    await settings({ dashboard_url: null })
    expect((await begin()).status).toBe(303)
  })
})

it('unsubscribes from reminders with the link of an email, but not from invitations', async () => {
  api.moveTo('2026-03-10')
  const { remind, messages, nora, employer_id } = await anOpenWindow()
  await remind({ employee_ids: [nora] })
  const { id } = first(await messages())
  const token = tokenIn((await contentOf(id)).text, '/unsubscribe/')
  const url = `${api.url}/unsubscribe/${token}`
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('Stop enrollment reminders?')
  api.moveTo('2026-03-12')
  expect((await remind({ dry_run: true, employee_ids: [nora] })).body.data.recipients).toHaveLength(1)
  // The one-click request of a mail program (RFC 8058).
  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200)
  expect((await remind({ dry_run: true, employee_ids: [nora] })).body.data.skipped).toEqual([
    { employee_id: nora, reason: 'unsubscribed' },
  ])
  expect((await fetch(`${url}x/undo`, { method: 'POST' })).status).toBe(409)
  expect(await (await fetch(`${url}/undo`, { method: 'POST' })).text()).toContain('Reminders continue')
  expect((await remind({ dry_run: true, employee_ids: [nora] })).body.data.recipients).toHaveLength(1)
  await api.put(`/v1/employers/${employer_id}/enrollment-schedule`, { opening: true })
  expect((await fetch(`${url}x`, { method: 'POST', body, headers })).status).toBe(409)
})

describe('the schedule', () => {
  it('is off by default, keeps entries that are not sent, and creates messages on its days by the clock', async () => {
    api.moveTo('2026-04-10')
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}/enrollment-schedule` as const
    expect((await api.get(path)).body.data).toEqual({
      opening: false,
      half_way: false,
      three_days_before: false,
      one_day_before: false,
      updated_at: null,
    })
    await addPolicy(api, employer_id)
    const { id } = await createEmployee(api, employer_id)
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2026-06-01',
      open_enrollment_start: '2026-04-11',
      open_enrollment_end: '2026-04-30',
    })
    await api.put(path, { opening: true, half_way: true })
    await api.put(path, { three_days_before: true, one_day_before: true })
    expect((await api.get(path)).body.data).toMatchObject({ opening: true, one_day_before: true })
    for (let day = Temporal.PlainDate.from('2026-04-11'); day.toString() <= '2026-05-01'; day = day.add({ days: 1 }))
      await onDay(day.toString())
    const { data } = (await api.get(`/v1/employers/${employer_id}/enrollment-messages`)).body
    expect(data.map((row) => [row.employee_id, row.due_on, row.kind, row.occasion, row.status])).toEqual([
      [id, '2026-04-29', 'reminder', 'one_day_before', 'sent'],
      [id, '2026-04-27', 'reminder', 'three_days_before', 'sent'],
      [id, '2026-04-20', 'reminder', 'half_way', 'sent'],
      [id, '2026-04-11', 'invitation', 'opening', 'sent'],
    ])
    expect((await contentOf(sure(data.at(-1)).id)).text).not.toContain('/unsubscribe/')
  })
})

describe('the settings', () => {
  it('show the defaults, and refuse an address of a page that is not https', async () => {
    expect((await api.get('/v1/enrollment-message-settings')).body.data).toMatchObject({
      enrollment_messages: 'send',
      delivery: 'mailbox',
      language: 'both',
      dashboard_url: null,
    })
    for (const dashboard_url of ['http://portal.example.com', 'portal', 'https://a.example.com/{id}']) {
      const refused = await settings({ dashboard_url })
      expect(codeOf(refused), dashboard_url).toEqual([400, 'invalid_request'])
      expect(refused.error.details).toMatchObject([{ field: 'dashboard_url' }])
    }
  })
})
