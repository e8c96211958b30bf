import readWorkbook from 'read-excel-file/node'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailer } from '../../../integrations/mail/mailer.ts'
import { addDays } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { useMailServer } from '../../../test/fakes/mail-server.ts'
import { aMember, aMemberKey, createEmployee, createEmployer, createLiveOrganization } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { nextDue } from './rules.ts'
import { sendExport } from './actions.ts'

/** Exports of a live organization through a real SMTP server. */
const api = useApi()
const server = useMailServer(api)
const path = '/v1/scheduled-exports'
let organization_id: string
let options: { key: string }
let employer_id: string
let admin: string
let seller: string

beforeAll(async () => {
  const live = await createLiveOrganization(api, 'Northwind Benefits')
  organization_id = live.id
  options = { key: live.key }
  admin = await aReader('ADMIN', 'ada@northwind.example.com')
  seller = await aReader('SALES', 'sam@northwind.example.com')
  employer_id = await createEmployer(api, { name: '=Sum & Sons' }, options)
  const started = { started_on: '2026-03-01' }
  await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, started, { key: api.operator_key })
  for (const first_name of ['Ada', 'Ben']) await createEmployee(api, employer_id, { first_name }, options)
  await api.work()
})
beforeEach(() => {
  server.received.length = 0
  server.faults.clear()
})

/** A member with an email address. */
async function aReader(role: 'ADMIN' | 'OPERATIONS' | 'SALES', email: string): Promise<string> {
  const { user_id } = await aMember(api, organization_id, role)
  await api.database.reads.rows('update users set email = $2 where id = $1', [user_id, email])
  return user_id
}

const schedule = async (input: object) => {
  const answer = await api.post(
    path,
    { name: 'Book', list: 'employers', format: 'csv', frequency: 'daily', recipient_user_ids: [admin], ...input },
    options,
  )
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const shown = async (id: string) => (await api.get(`${path}/${id}`, options)).body.data
let today = '2026-03-10'
/** Runs the next day, and sends what is due. Each test begins on March 10, but no day runs twice. */
const runNextDay = async () => {
  today = addDays(today, 1)
  api.moveTo(today)
  await api.runDays()
  await api.work()
}
const remove = (id: string) => api.call('DELETE', `${path}/${id}`, options)
/** Makes the retry of a failed job due now. */
const retry = () =>
  api.database.reads.rows('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now())')

describe('scheduled exports', () => {
  it('send a list as CSV to each recipient on the day, once, with the columns of the console', async () => {
    const { id, next_on } = await schedule({
      list: 'employees',
      parameters: { employer_id, employment_status: 'active' },
    })
    expect(next_on).toBe('2026-03-11')
    await runNextDay()
    const mail = only(server.received)
    expect(mail).toMatchObject({ subject: 'Book, March 11, 2026', from: { name: 'Northwind Benefits' } })
    expect(mail.text).toContain('2 rows')
    const file = only(mail.attachments)
    expect([file.filename, file.mimeType]).toEqual(['employees-2026-03-11.csv', 'text/csv'])
    const text = new TextDecoder().decode(file.content as ArrayBuffer)
    expect(text.split('\r\n')[0]).toBe('First name,Last name,Email,Status,Class,Hired,Terminated,Enrollments,Reference')
    expect(text).toMatch(/\r\nAda,.*,Active,/)
    await api.runDays()
    await api.work()
    expect(server.received).toHaveLength(1)
    const { latest_on, latest_deliveries, next_on: following } = await shown(id)
    expect([latest_on, following]).toEqual(['2026-03-11', '2026-03-12'])
    expect(only(latest_deliveries)).toMatchObject({ user_id: admin, status: 'sent', row_count: 2 })
    await remove(id)
    await runNextDay()
    expect(server.received).toHaveLength(1)
  })

  it('send Excel files with typed cells, and only what the recipient may see', async () => {
    const recipient_user_ids = [admin, seller]
    const { id } = await schedule({ name: 'Employers', format: 'xlsx', recipient_user_ids })
    await runNextDay()
    expect(server.received.map(({ to }) => to?.[0]?.address).toSorted()).toEqual([
      'ada@northwind.example.com',
      'sam@northwind.example.com',
    ])
    const file = only(first(server.received).attachments)
    expect(file.filename).toBe(`employers-${today}.xlsx`)
    const [{ data }] = (await readWorkbook(Buffer.from(file.content as ArrayBuffer))) as unknown as [
      { data: unknown[][] },
    ]
    expect(data[0]!.slice(0, 2)).toEqual(['Employer', 'Legal name'])
    expect(data[1]!.slice(0, 1)).toEqual(['=Sum & Sons'])
    await remove(id)
  })

  it('neutralize formulas in CSV files', async () => {
    const { id } = await schedule({})
    await runNextDay()
    const text = new TextDecoder().decode(only(only(server.received).attachments).content as ArrayBuffer)
    expect(text).toContain(`\r\n"'=Sum & Sons",`)
    await remove(id)
  })

  it('send nothing to members who have left or whose role no longer reads the list', async () => {
    const leaver = await aReader('OPERATIONS', 'lee@northwind.example.com')
    const { id } = await schedule({ list: 'invoices', recipient_user_ids: [leaver] })
    const membership = `/operator/v1/organizations/${organization_id}/members/${leaver}` as const
    await api.call('DELETE', membership, { key: api.operator_key })
    await runNextDay()
    expect(server.received).toEqual([])
    expect(only((await shown(id)).latest_deliveries)).toMatchObject({ status: 'failed', reason: 'no_access' })
    await remove(id)
  })

  it('try again after a temporary refusal, and never send a file twice after a broken connection', async () => {
    const address = 'ada@northwind.example.com'
    await schedule({})
    server.faults.set(address, 451)
    await runNextDay()
    const { id } = first((await api.get(path, options)).body.data)
    const delivery = async () => only((await shown(id)).latest_deliveries)
    expect(await delivery()).toMatchObject({ status: 'queued', reason: null })
    server.faults.clear()
    await retry()
    await api.work()
    expect(await delivery()).toMatchObject({ status: 'sent' })
    expect(server.received).toHaveLength(1)
    server.faults.set(address, 'hang_up')
    await runNextDay()
    expect(await delivery()).toMatchObject({ status: 'failed', reason: 'interrupted' })
    const killed = sure(
      await api.database.reads.row<{ id: string }>(
        `update export_deliveries set status = 'sending' where scheduled_export_id = $1 and due_on = $2
         returning id`,
        [id, today],
      ),
    )
    const received = server.received.length
    await sendExport(api.runtime, { organization_id, export_delivery_id: killed.id })
    expect([server.received.length, (await delivery()).reason]).toEqual([received, 'interrupted'])
    await remove(id)
  })

  it('are due on the next day, Monday or first of the month, and a missed day is made up once', async () => {
    // March 10, 2026 is a Tuesday.
    expect((['daily', 'weekly', 'monthly'] as const).map((frequency) => nextDue(frequency, '2026-03-10'))).toEqual([
      '2026-03-11',
      '2026-03-16',
      '2026-04-01',
    ])
    expect([nextDue('weekly', '2026-03-16'), nextDue('monthly', '2026-12-01')]).toEqual(['2026-03-23', '2027-01-01'])
    const { id } = await schedule({ frequency: 'weekly' })
    today = addDays(today, 8)
    await runNextDay()
    expect([server.received.length, (await shown(id)).next_on]).toEqual([1, nextDue('weekly', today)])
    await remove(id)
  })

  it.each([
    ['a list without its employer', { list: 'employees' }, 'parameters.employer_id'],
    ['an unknown filter', { parameters: { color: 'red' } }, 'parameters.color'],
    [
      'the name of a method',
      { list: 'employees', parameters: { employer_id: newId('empr'), toString: '\0' } },
      'parameters.toString',
    ],
    ['a page', { parameters: { page: '2' } }, 'parameters.page'],
    [
      'an invalid filter',
      { parameters: { benefit_lifecycle_stage: ['gone'] } },
      'parameters.benefit_lifecycle_stage[0]',
    ],
    [
      'an unknown employer',
      { list: 'employees', parameters: { employer_id: newId('empr') } },
      'parameters.employer_id',
    ],
    ['a recipient of another organization', { recipient_user_ids: [newId('usr')] }, 'recipient_user_ids[0]'],
    ['no recipients', { recipient_user_ids: [] }, 'recipient_user_ids'],
    ['an unknown list', { list: 'secrets' }, 'list'],
  ])('are refused with %s, and the error names the field', async (_, input, field) => {
    const body = { name: 'X', list: 'employers', format: 'csv', frequency: 'daily', recipient_user_ids: [admin] }
    expect(refusalOf(await api.post(path, { ...body, ...input }, options))).toEqual([400, 'invalid_request', field])
  })

  it('refuse recipients whose role cannot read the list, callers without a role, and other organizations', async () => {
    const body = { name: 'X', list: 'invoices', format: 'csv', frequency: 'daily', recipient_user_ids: [seller] }
    expect(refusalOf(await api.post(path, body, options))).toEqual([400, 'invalid_request', 'recipient_user_ids[0]'])
    const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
    expect(codeOf(await api.post(path, body, { key: sales }))).toEqual([403, 'forbidden'])
    const { id } = await schedule({})
    const rival = { key: api.story.rival_api_key }
    expect((await api.get(`${path}/${id}`, rival)).status).toBe(404)
    expect((await api.call('DELETE', `${path}/${id}`, rival)).status).toBe(404)
    expect((await api.get(path, rival)).body.data).toEqual([])
    await remove(id)
    expect((await remove(id)).status).toBe(404)
  })

  it('send no email from a sandbox', async () => {
    const member = await aMember(api, api.story.organization_id, 'ADMIN')
    const body = {
      name: 'X',
      list: 'employers',
      format: 'csv',
      frequency: 'daily',
      recipient_user_ids: [member.user_id],
    }
    const { id } = (await api.post(path, body)).body.data
    await runNextDay()
    expect(server.received).toEqual([])
    const { latest_deliveries } = (await api.get(`${path}/${id}`)).body.data
    expect(only(latest_deliveries)).toMatchObject({ status: 'not_sent', row_count: null })
    await api.call('DELETE', `${path}/${id}`)
  })

  it('are limited to 50', async () => {
    const ids = []
    for (let count = 0; count < 50; count++) ids.push((await schedule({ name: `Export ${count}` })).id)
    const body = { name: 'X', list: 'employers', format: 'csv', frequency: 'daily', recipient_user_ids: [admin] }
    expect(codeOf(await api.post(path, body, options))).toEqual([409, 'too_many_scheduled_exports'])
    for (const id of ids) await remove(id)
  })
})

it('requires a mail server in a live organization', async () => {
  api.runtime.integrations.set(mailer, undefined)
  const body = { name: 'X', list: 'employers', format: 'csv', frequency: 'daily', recipient_user_ids: [admin] }
  expect(codeOf(await api.post(path, body, options))).toEqual([409, 'exports_need_email'])
  api.runtime.integrations.set(mailer, mailer.open(server.settings))
})
