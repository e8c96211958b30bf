import { parseEnv } from 'node:util'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { mailer } from '../../../integrations/mail/mailer.ts'
import { runWaitingJobs } from '../../../test/service/waiting-jobs.ts'
import { readConfig } from '../../../kernel/config.ts'
import {
  createEmployee,
  createEmployer,
  createLiveOrganization,
  importCatalog,
  openPlanYear,
  addPolicy,
} from '../../../test/fixtures.ts'
import { useMailServer } from '../../../test/fakes/mail-server.ts'
import { blockOf } from '../../../test/guides/code-blocks.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure } from '../../../test/pick.ts'
import { sendMessage, tasks } from './sending-actions.ts'

/** Email of a live organization through a real SMTP server. */
const api = useApi()
const server = useMailServer(api)
let organization_id: string
let options: { key: string }
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  const live = await createLiveOrganization(api, 'Northwind Benefits')
  organization_id = live.id
  options = { key: live.key }
  catalog = await importCatalog(api, [], organization_id)
  api.moveTo('2026-03-11')
  await api.put(
    '/v1/enrollment-message-settings',
    {
      sender_name: 'Northwind',
      reply_to: 'help@northwind.example.com',
      dashboard_url: 'https://portal.example.com/benefits?token={token}',
    },
    options,
  )
})
beforeEach(() => {
  server.received.length = 0
  server.faults.clear()
})

/** Creates an employer with one person in a new hire's window, and the reminder to that person. */
async function aReminder(email: string) {
  const employer_id = await createEmployer(api, {}, options)
  const started = { started_on: '2026-03-01' }
  await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, started, { key: api.operator_key })
  await addPolicy(api, employer_id, {}, options)
  const person = { first_name: 'José', last_name: 'Núñez', email }
  const employee_id = (await createEmployee(api, employer_id, person, options)).id
  const benefit_plan_year_id = await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-04-01' })
  await api.work()
  const remind = async () => {
    const answer = await api.post(
      `/v1/employers/${employer_id}/enrollment-reminders`,
      { benefit_plan_year_id },
      options,
    )
    expect(answer.status, answer.text).toBe(202)
    return answer.body.data
  }
  await remind()
  const message = async () =>
    first((await api.get(`/v1/employers/${employer_id}/enrollment-messages`, options)).body.data)
  return { employer_id, employee_id, message, remind }
}

/** Makes the retry of a failed job due now. */
const retry = () =>
  api.database.reads.rows('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), now())')

it('sends the email with the sender, reply address and unsubscribe header of RFC 8058', async () => {
  const { message } = await aReminder('jose@example.com')
  expect(await message()).toMatchObject({ status: 'queued', email: 'jose@example.com' })
  expect(server.received).toEqual([])
  await api.work()
  const sent = await message()
  expect(sent).toMatchObject({ status: 'sent', smtp_status: 250, reason: null })
  const mail = only(server.received)
  expect(mail).toMatchObject({
    messageId: `<${sent.id}@mail.example.com>`,
    from: { name: 'Northwind', address: 'benefits@mail.example.com' },
    to: [{ name: 'José Núñez', address: 'jose@example.com' }],
    replyTo: [{ address: 'help@northwind.example.com' }],
  })
  expect(mail.subject).toMatch(
    /^Reminder: choose your .* benefits by April 10 · Recordatorio: elija sus .* el 10 de abril$/,
  )
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value
  expect(header('list-unsubscribe')).toMatch(/^<.*\/unsubscribe\/org_.*>$/)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('auto-submitted')).toBe('auto-generated')
  for (const body of [sure(mail.text), sure(mail.html)]) {
    expect(body).toContain('Hello José')
    expect(body).toContain('Hola, José')
    expect(body).toMatch(/portal\.example\.com\/benefits\?token=org_/)
  }
})

it('marks an address that the server refuses permanently, and sends nothing to it until it changes', async () => {
  server.faults.set('gone@example.com', 550)
  const { message, remind, employee_id } = await aReminder('gone@example.com')
  await api.work()
  expect(await message()).toMatchObject({ status: 'failed', reason: 'bounced', smtp_status: 550 })
  expect(await api.events(employee_id)).toContain('employee.email_bounced')
  await api.database.reads.rows("update enrollment_messages set due_on = due_on - 1 where email = 'gone@example.com'")
  expect(await remind()).toMatchObject({ recipients: [], skipped: [{ employee_id, reason: 'address_bounced' }] })
  await api.patch(`/v1/employees/${employee_id}`, { email: 'here@example.com', effective_date: '2026-03-11' }, options)
  expect(await remind()).toMatchObject({ recipients: [{ employee_id }] })
  await api.work()
  expect(await message()).toMatchObject({ status: 'sent', email: 'here@example.com' })
})

it('tries again after a temporary refusal, with the same Message-ID and link', async () => {
  server.faults.set('later@example.com', 451)
  const { message } = await aReminder('later@example.com')
  await api.work()
  expect(await message()).toMatchObject({ status: 'queued', smtp_status: 451, reason: null })
  server.faults.clear()
  await retry()
  await api.work()
  const sent = await message()
  expect(sent).toMatchObject({ status: 'sent' })
  expect(only(server.received).messageId).toBe(`<${sent.id}@mail.example.com>`)
})

it('fails a message that the server has not accepted for three days', async () => {
  server.faults.set('full@example.com', 452)
  const { message } = await aReminder('full@example.com')
  await api.work()
  expect(await message()).toMatchObject({ status: 'queued', smtp_status: 452 })
  await api.database.reads.rows(
    "update enrollment_messages set created_at = created_at - interval '3 days' where email = 'full@example.com'",
  )
  await retry()
  await api.work()
  const failed = await message()
  expect(failed).toMatchObject({ status: 'failed', reason: 'not_accepted', smtp_status: 452 })
  expect(failed.finished_at).not.toBe(null)
  expect(server.received).toEqual([])
})

it('never sends a message twice after a connection broke or a process was killed', async () => {
  server.faults.set('cut@example.com', 'hang_up')
  const { message } = await aReminder('cut@example.com')
  await api.work()
  expect(await message()).toMatchObject({ status: 'failed', reason: 'interrupted' })
  expect(server.received).toHaveLength(1)

  const killed = await aReminder('killed@example.com')
  const { id } = await killed.message()
  // A process that is killed while it waits for the mail server leaves the message in this state.
  await api.database.reads.rows("update enrollment_messages set status = 'sending' where id = $1", [id])
  await api.work()
  expect(await killed.message()).toMatchObject({ status: 'failed', reason: 'interrupted' })
  await sendMessage(api.runtime, { organization_id, enrollment_message_id: id })
  expect(server.received).toHaveLength(1)
})

it('cancels a message if the person has enrolled, left or changed the address in the meantime', async () => {
  const { message, employee_id } = await aReminder('quick@example.com')
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`, options)).body
  for (const enrollment of data) await api.post(`/v1/enrollments/${enrollment.id}/waive`, {}, options)
  await api.work()
  expect(await message()).toMatchObject({ status: 'cancelled', reason: 'no_longer_due' })
  const moved = await aReminder('old@example.com')
  const change = { email: 'new@example.com', effective_date: '2026-03-11' }
  await api.patch(`/v1/employees/${moved.employee_id}`, change, options)
  await api.work()
  expect(await moved.message()).toMatchObject({ status: 'cancelled', reason: 'no_longer_due' })
  expect(server.received).toEqual([])
})

it('spreads the emails of a burst over the minutes of an organization, and sends each once', async () => {
  const rate = { ...server.settings, SMTP_PER_MINUTE: 6 }
  api.moveTo('2026-03-12')
  api.runtime.integrations.set(mailer, mailer.open(rate))
  const { employer_id } = await aReminder('first@example.com')
  await api.work()
  for (const email of ['second', 'third', 'fourth', 'fifth', 'sixth'].map((name) => `${name}@example.com`))
    await createEmployee(api, employer_id, { email }, options)
  await api.work()
  const { data } = (await api.get(`/v1/employers/${employer_id}/enrollment-windows`, options)).body
  const { benefit_plan_year_id } = first(data)
  const path = `/v1/employers/${employer_id}/enrollment-reminders` as const
  const reminded = await api.post(path, { benefit_plan_year_id }, options)
  await runWaitingJobs(api.runtime, { plan_enrollment_messages: tasks.plan_enrollment_messages })
  api.runtime.integrations.set(mailer, mailer.open(server.settings))
  expect(reminded.body.data.recipients).toHaveLength(5)
  // The first reminder used one of the two emails of this minute.
  const jobs = await api.database.reads.rows<{ id: string; minute: number }>(
    `select id::text, floor(extract(epoch from run_at - date_trunc('minute', $1::timestamptz)) / 60)::int as minute
       from graphile_worker.jobs order by run_at`,
    [new Date(api.runtime.clock()).toISOString()],
  )
  expect(jobs.map(({ minute }) => minute)).toEqual([0, 1, 1, 2, 2])
  const runAt = (ids: string[], at: string) =>
    api.database.reads.rows('select graphile_worker.reschedule_jobs($1::bigint[], $2::timestamptz)', [ids, at])
  await runAt(
    jobs.map(({ id }) => id),
    '2100-01-01',
  )
  const sent: number[] = []
  for (const minute of [0, 1, 2]) {
    const due = jobs.filter((job) => job.minute === minute)
    await runAt(
      due.map(({ id }) => id),
      '2026-03-11',
    )
    await api.work()
    await api.work()
    sent.push(server.received.length)
  }
  expect(sent).toEqual([2, 4, 6])
  expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(6)
})

it('shows no content of emails outside a sandbox', async () => {
  const { message } = await aReminder('private@example.com')
  const { id } = await message()
  expect((await api.get(`/v1/enrollment-messages/${id}`, options)).body.data.content).toBeNull()
})

it('requires a sender and the public URL with a mail server, as the guide for operators sets them', () => {
  const shown = parseEnv(blockOf('docs/operating/email.md', 'SMTP_URL='))
  expect(readConfig(shown, [mailer])).toMatchObject(shown)
  for (const name of ['SMTP_FROM', 'PUBLIC_URL']) {
    const message = `The setting ${name} is required when SMTP_URL is set.`
    expect(() => readConfig({ ...shown, [name]: '' }, [mailer])).toThrow(message)
  }
})
