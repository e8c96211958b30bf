import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { startWorker } from '../../../jobs/worker.ts'
import { useMailServer } from '../../../test/fakes/mail-server.ts'
import {
  createEmployee,
  createEmployer,
  createLiveOrganization,
  importCatalog,
  openPlanYear,
  addPolicy,
} from '../../../test/fixtures.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { noon } from '../../../test/runtime.ts'
import { randomFrom, workerStarter } from '../../../test/service/killed-process.ts'
import { crontab, tasks } from '../../../worker-tasks.ts'

/**
 * Workers are killed while they send reminders. No person gets a reminder twice, and each message gets a final state.
 */
const api = useApi()
const server = useMailServer(api)
const hire = workerStarter()
const kills = Number(process.env.KILLS ?? 4)
const random = randomFrom(Number(process.env.KILL_SEED ?? 20261129))
const people = 12

const isDone = async () => (await api.database.reads.row('select from graphile_worker.jobs limit 1')) === undefined

it('sends each reminder at most once, whenever a worker is killed', async () => {
  const { id, key } = await createLiveOrganization(api, 'Northwind Benefits')
  const options = { key }
  const catalog = await importCatalog(api, [], id)
  const employer_id = await createEmployer(api, {}, options)
  const started = { started_on: '2026-03-01' }
  await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, started, { key: api.operator_key })
  await addPolicy(api, employer_id, {}, options)
  for (let count = 0; count < people; count++) await createEmployee(api, employer_id, {}, options)
  const benefit_plan_year_id = await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-04-01' })
  await api.runDays()
  await api.work()
  const path = `/v1/employers/${employer_id}/enrollment-reminders` as const
  expect((await api.post(path, { benefit_plan_year_id }, options)).body.data.recipients).toHaveLength(people)

  const url = await urlOf(api)
  let killed = 0
  while (killed < kills && !(await isDone())) {
    const { child, loaded, ended } = hire()
    await loaded
    const dies_at = 15 + random(20)
    child.send({ url, keys: inject('secret_keys'), now: noon('2026-03-10'), dies_at, mail: server.settings })
    while (child.signalCode === null && !(await isDone())) await Promise.race([ended, pause(20)])
    child.kill('SIGKILL')
    await ended
    killed++
  }
  expect(killed).toBeGreaterThan(0)
  const worker = await startWorker(api.runtime, url, { tasks, crontab, concurrency: 4 })
  while (!(await isDone())) await pause(20)
  await worker.stop()

  const { data } = (await api.get(`/v1/employers/${employer_id}/enrollment-messages`, options)).body
  const received = Map.groupBy(server.received, ({ messageId }) => messageId)
  expect(data).toHaveLength(people)
  expect([...received.values()].filter((mails) => mails.length > 1)).toEqual([])
  const isFinal = ({ status, reason }: (typeof data)[number]) => status === 'sent' || reason === 'interrupted'
  expect(data.filter((message) => !isFinal(message))).toEqual([])
  const sent = data.filter(({ status }) => status === 'sent')
  expect(sent.filter((message) => !received.has(`<${message.id}@mail.example.com>`))).toEqual([])
})
