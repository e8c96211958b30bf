import type { HrisProviders } from '../../../integrations/payroll/provider.ts'
import { payroll } from '../../../integrations/payroll/providers.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { tasks } from '../../../worker-tasks.ts'
import type { HrisPerson, SandboxFault } from '../../../integrations/payroll/provider.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { runWaitingJobs } from '../../../test/service/waiting-jobs.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { aWorker, hrisOf, noChange } from '../../../test/clients/hris.ts'

/** The fake payroll of a sandbox with simulated faults: the result of each run, and the roster afterwards. */
const api = useApi()
const hris = hrisOf(api)

afterEach(async () => {
  await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
  api.moveTo('2026-03-10')
})

/** Connects an employer whose payroll has these people, and syncs once. */
async function connectAndSync(people: HrisPerson[]) {
  const connection = await hris.connect({ source: 'sandbox' })
  await hris.report(connection.id, { people })
  expect(await hris.sync(connection.id)).toMatchObject({
    state: 'completed',
    outcome: { counts: { ...noChange, created: people.length } },
  })
  return connection as { id: string; employer_id: string }
}

const workers = (count: number) => Array.from({ length: count }, (_, at) => aWorker({ reference_id: `W-${at}` }))

/** The person affected by the faults about people. */
async function firstOf(employer_id: string) {
  const rows = await hris.roster(employer_id)
  return rows.filter((row) => row.reference_id === 'W-0')
}

describe('a sync', () => {
  it('creates, updates, terminates and links people, and publishes the same events as a census', async () => {
    const people = workers(4)
    const { id, employer_id } = await connectAndSync(people)
    const again = await hris.sync(id)
    expect(again).toMatchObject({ cause: 'operator', attempt_count: 1, error: null, outcome: { origin: 'hris' } })
    expect(again.outcome?.counts).toEqual({ ...noChange, unchanged: 4 })
    expect(await api.events(`${again.outcome?.census_sync_id}`)).toEqual(['census_sync.completed'])
    const read = await api.get(`/v1/employers/${employer_id}/census-sync/${again.outcome?.census_sync_id}`)
    expect(read.body.data).toEqual(again.outcome)

    const [first, second, third] = people as [HrisPerson, HrisPerson, HrisPerson]
    await hris.report(id, {
      people: [
        { ...first, last_name: 'Married', employee_class: 'part-time' },
        { ...second, termination_date: '3/9/2026' },
        third,
        aWorker({ date_of_birth: '4/1/1991', start_date: '02/16/2026', gender: 'f', phone: '1 (202) 555-0188' }),
      ],
    })
    const changed = await hris.sync(id)
    expect(changed.outcome?.counts).toEqual({ ...noChange, created: 1, updated: 1, terminated: 2, unchanged: 1 })
    const rows = await hris.roster(employer_id)
    expect(rows.map((row) => [row.reference_id, row.termination_date]).sort()).toEqual([
      [null, null],
      ['W-0', null],
      ['W-1', '2026-03-09'],
      ['W-2', null],
      ['W-3', '2026-03-10'],
    ])
    expect(rows.find((row) => row.reference_id === 'W-0')).toMatchObject({
      last_name: 'Married',
      employee_class: 'Part Time',
    })
    expect(rows.find((row) => row.reference_id === null)).toMatchObject({
      date_of_birth: '1991-04-01',
      hire_date: '2026-02-16',
      gender: 'Female',
      phone: '2025550188',
    })
    const path = `/operator/v1/hris-runs/${changed.id}/people` as const
    const changedTo = async (query = '') =>
      (await api.get(`${path}${query}`, { key: api.operator_key })).body.data.map((one) => [
        one.outcome,
        one.reference_id,
        one.last_name === 'Married',
      ])
    expect((await changedTo()).sort()).toEqual([
      ['created', null, false],
      ['terminated', 'W-1', false],
      ['terminated', 'W-3', false],
      ['updated', 'W-0', true],
    ])
    const differences = (await api.get(path, { key: api.operator_key })).body.data.map((one) => [
      one.reference_id,
      one.differences?.map(({ field, before, after }) => `${field}: ${before} → ${after}`),
    ])
    const reported = ['date_of_birth: null → 1991-04-01', 'start_date: null → 2026-02-16', 'gender: null → Female']
    expect(differences.toSorted()).toEqual([
      [null, expect.arrayContaining(reported)],
      ['W-0', [`last_name: ${first.last_name} → Married`, 'employee_class: null → Part Time']],
      ['W-1', ['termination_date: null → 2026-03-09']],
      ['W-3', ['termination_date: null → 2026-03-10']],
    ])
    expect(await changedTo('?outcome=updated,created&limit=1&page=2')).toEqual([['updated', 'W-0', true]])
    expect((await api.get(`${path}?outcome=gone`, { key: api.operator_key })).status).toBe(400)
    expect((await api.get(path)).status).toBe(401)
  })

  it('reports each unusable row and terminates no person to whom it refers', async () => {
    const people = workers(5)
    const { id, employer_id } = await connectAndSync(people)
    const [a, b, c, d, e] = people as [HrisPerson, HrisPerson, HrisPerson, HrisPerson, HrisPerson]
    await hris.report(id, {
      people: [
        { ...a, email: null },
        { ...b, reference_id: null, date_of_birth: 'unknown' },
        { ...c, reference_id: null, email: 'not an address' },
        { ...d, termination_date: 'soon' },
        { ...e, employee_class: 'Astronaut' },
        aWorker({ date_of_birth: '2012-01-01' }),
      ],
    })
    const { outcome } = await hris.sync(id)
    expect(outcome).toMatchObject({ state: 'completed', counts: { ...noChange, failed: 6 } })
    expect(outcome?.failures).toEqual([
      { index: 0, reference_id: 'W-0', field: 'email', reason: 'invalid_request: is missing' },
      { index: 1, reference_id: null, field: 'date_of_birth', reason: expect.stringContaining('a valid date') },
      { index: 2, reference_id: null, field: 'email', reason: expect.stringContaining('must be an email address') },
      { index: 3, reference_id: 'W-3', field: 'termination_date', reason: expect.stringContaining('a valid date') },
      { index: 4, reference_id: 'W-4', field: 'employee_class', reason: 'invalid_request: is unknown' },
      { index: 5, reference_id: null, field: 'date_of_birth', reason: expect.stringContaining('at least 18') },
    ])
    expect((await hris.roster(employer_id)).map((row) => row.termination_date)).toEqual([null, null, null, null, null])
  })

  it('terminates no one while a row may refer to anyone, until it is confirmed', async () => {
    const people = workers(3)
    const { id, employer_id } = await connectAndSync(people)
    await hris.report(id, { people: [...people.slice(0, 2), { phone: 'n/a', suffix: 'Jr.' }] })
    const held = await hris.sync(id)
    expect(held).toMatchObject({ state: 'held', ended_at: null, outcome: { missing_count: 1, counts: { failed: 1 } } })
    const input = { code: 'held', message: 'The sync would terminate one person. Confirm the run to apply this.' }
    expect(await hris.read(id)).toMatchObject({ status: 'active', last_error: input })
    expect((await hris.operate('POST', `/hris-runs/${held.id}/confirm`)).status).toBe(200)
    await api.work()
    expect(await hris.run(held.id)).toMatchObject({ state: 'completed', outcome: { counts: { terminated: 1 } } })
    expect(await hris.read(id)).toMatchObject({ last_error: null, synced_row_count: 2 })
    expect((await hris.roster(employer_id)).filter((row) => row.termination_date)).toHaveLength(1)
  })

  it('is held when many people are missing, and cannot be confirmed after a later one', async () => {
    const people = workers(10)
    const { id, employer_id } = await connectAndSync(people)
    await hris.report(id, { people: people.slice(0, 2) })
    const held = await hris.sync(id)
    expect(held).toMatchObject({
      state: 'held',
      outcome: { missing_count: 8, counts: { unchanged: 2, terminated: 0 } },
    })
    await hris.report(id, { people })
    expect(await hris.sync(id)).toMatchObject({ state: 'completed', outcome: { counts: { unchanged: 10 } } })
    const late = await hris.operate('POST', `/hris-runs/${held.id}/confirm`)
    expect(codeOf(late)).toEqual([409, 'census_sync_superseded'])
    expect((await hris.roster(employer_id)).every((row) => row.termination_date === null)).toBe(true)
    expect(await hris.read(id)).toMatchObject({ last_error: null })
  })

  it('ignores people who left before they were known, or who have left here too', async () => {
    const people = workers(3)
    const { id, employer_id } = await connectAndSync(people)
    const gone = { termination_date: '2026-03-05' }
    await hris.report(id, {
      people: [
        ...people.slice(1),
        { ...people[0], ...gone },
        aWorker({ start_date: '2012-02-01', termination_date: '2019-05-31' }),
      ],
    })
    expect((await hris.sync(id)).outcome?.counts).toEqual({ ...noChange, unchanged: 3, terminated: 1 })
    // The last day is a day of employment.
    const leaving = aWorker({ termination_date: '2026-03-10' })
    await hris.report(id, { people: [...people.slice(1), { ...people[0], ...gone }, leaving] })
    expect((await hris.sync(id)).outcome?.counts).toEqual({ ...noChange, created: 1, unchanged: 3 })
    api.moveTo('2026-03-20')
    await hris.report(id, { people: [...people.slice(1), { ...people[0], termination_date: '2026-03-06' }] })
    expect((await hris.sync(id)).outcome?.counts).toEqual({ ...noChange, unchanged: 3 })
    expect(await firstOf(employer_id)).toMatchObject([{ termination_date: '2026-03-05', status: 'terminated' }])
  })
})

describe('a reported termination', () => {
  it('fails and terminates no one if it may be about a current employee', async () => {
    const people = workers(3)
    const { id, employer_id } = await connectAndSync(people)
    const gone = { termination_date: '2026-03-05' }
    const renamed = { ...people[0], reference_id: 'W-9', ...gone }
    const married = { ...people[1], reference_id: null, last_name: 'Married', ...gone }
    const client = aWorker({ reference_id: 'W-2', date_of_birth: '1971-07-07', ...gone })
    await hris.report(id, { people: [renamed, married, client] })
    const { outcome } = await hris.sync(id)
    expect(outcome?.counts).toEqual({ ...noChange, failed: 3 })
    expect(outcome?.failures.map((one) => [one.field, one.reason.split(':')[0]])).toEqual([
      ['reference_id', 'ambiguous_person'],
      ['email', 'email_taken'],
      ['reference_id', 'reference_of_other_person'],
    ])
    expect((await hris.roster(employer_id)).every((row) => row.termination_date === null)).toBe(true)
  })

  it('is ignored if it may be about a former employee', async () => {
    const [leaver, ...people] = workers(3)
    const { id } = await connectAndSync([leaver!, ...people])
    await hris.report(id, { people: [{ ...leaver, termination_date: '2026-03-05' }, ...people] })
    await hris.sync(id)
    const married = { ...leaver, reference_id: null, last_name: 'Married', termination_date: '2026-03-05' }
    await hris.report(id, { people: [married, ...people] })
    expect((await hris.sync(id)).outcome?.counts).toEqual({ ...noChange, unchanged: 3 })
  })
})

it('holds the sync when a mistyped reference would hide that another person is missing', async () => {
  const people = workers(3)
  const { id, employer_id } = await connectAndSync(people)
  const [a, b, c] = people as [HrisPerson, HrisPerson, HrisPerson]
  const elsewhere = aWorker()
  const mistyped = { ...elsewhere, reference_id: a.reference_id }
  await hris.report(id, { people: [a, b, mistyped] })
  expect(await hris.sync(id)).toMatchObject({ state: 'held', outcome: { missing_count: 1, counts: { failed: 1 } } })
  await hris.report(id, { people: [a, b, { ...b, email: elsewhere.email }] })
  expect(await hris.sync(id)).toMatchObject({ state: 'completed', outcome: { counts: { failed: 1, terminated: 1 } } })
  expect((await hris.roster(employer_id)).filter((row) => row.termination_date)).toMatchObject([
    { reference_id: c.reference_id },
  ])
})

describe('a payroll system with faulty data about people', () => {
  const report = async (fault: SandboxFault, people = workers(3)) => {
    const connection = await connectAndSync(people)
    await hris.report(connection.id, { fault })
    const run = await hris.sync(connection.id)
    return { ...connection, run, first: await firstOf(connection.employer_id) }
  }

  it('fails the second row of a person and keeps one person', async () => {
    const { run, first } = await report('duplicate')
    expect(run.outcome).toMatchObject({ counts: { ...noChange, unchanged: 3, failed: 1 } })
    expect(run.outcome?.failures).toEqual([
      { index: 3, reference_id: 'W-0', field: 'reference_id', reason: expect.stringMatching(/^repeated_person: /) },
    ])
    expect(first).toHaveLength(1)
  })

  it('uses the current employment of a person who has a row for each employment, in any order', async () => {
    const people = workers(2)
    const [first, second] = people as [HrisPerson, HrisPerson]
    const { id, employer_id } = await connectAndSync(people)
    const former = (person: HrisPerson, termination_date: string) => ({
      ...person,
      reference_id: 'FORMER',
      start_date: '2015-01-01',
      termination_date,
    })
    const newcomer = aWorker()
    await hris.report(id, {
      people: [former(first, '2026-02-20'), first, second, former(newcomer, '2019-05-31'), newcomer],
    })
    const { outcome } = await hris.sync(id)
    expect(outcome?.counts).toEqual({ ...noChange, unchanged: 2, created: 1, failed: 2 })
    expect(outcome?.failures.map((one) => [one.index, one.reason.split(':')[0]])).toEqual([
      [0, 'repeated_person'],
      [3, 'repeated_person'],
    ])
    expect((await hris.roster(employer_id)).map((row) => row.termination_date)).toEqual([null, null, null])
  })

  it('fails a row with a last day before the first day instead of ignoring it', async () => {
    const people = workers(1)
    const { id } = await connectAndSync(people)
    await hris.report(id, {
      people: [...people, aWorker({ start_date: '2026-03-02', termination_date: '2020-05-31' })],
    })
    const { outcome } = await hris.sync(id)
    expect(outcome?.failures).toMatchObject([{ index: 1, field: 'termination_date' }])
  })

  it('updates the person when their email address changes', async () => {
    const people = workers(3)
    const { run, first } = await report('changed_email', people)
    expect(run.outcome?.counts).toEqual({ ...noChange, updated: 1, unchanged: 2 })
    expect(first).toMatchObject([{ email: `changed.${people[0]!.email}` }])
  })

  it('schedules a termination in the future and keeps the person until then', async () => {
    const { run, first, id, employer_id } = await report('future_termination')
    expect(run.outcome?.counts).toEqual({ ...noChange, terminated: 1, unchanged: 2 })
    expect(first).toMatchObject([{ termination_date: '2026-04-09', status: 'active' }])
    await hris.report(id, {})
    await hris.sync(id)
    api.moveTo('2026-04-10')
    await api.runDays()
    expect(await firstOf(employer_id)).toMatchObject([{ status: 'terminated' }])
  })

  it('creates a second employment for a former employee who is rehired', async () => {
    const people = workers(3)
    const connection = await connectAndSync(people)
    await hris.report(connection.id, { people: [{ ...people[0], termination_date: '2026-03-09' }, ...people.slice(1)] })
    await hris.sync(connection.id)
    await hris.report(connection.id, { fault: 'rehire' })
    expect((await hris.sync(connection.id)).outcome?.counts).toEqual({ ...noChange, rehired: 1, unchanged: 2 })
    const [back, former] = await firstOf(connection.employer_id)
    expect([back!.member_id, back!.hire_date, former!.status]).toEqual([former!.member_id, '2026-03-10', 'terminated'])
  })
})

describe('a payroll system that fails', () => {
  const reasons: [SandboxFault, string][] = [
    ['late', 'unavailable'],
    ['half_page', 'incomplete'],
    ['server_errors', 'unavailable'],
    ['rate_limited', 'rate_limited'],
    ['garbage', 'unreadable'],
  ]

  it.each(reasons)('(%s) applies nothing, and is retried until the fault is gone', async (fault, code) => {
    const people = workers(3)
    const { id, employer_id } = await connectAndSync(people)
    await hris.report(id, { people: [...people.slice(0, 2), aWorker()], fault, times: 2 })
    const before = await hris.roster(employer_id)
    const run = await hris.sync(id)
    expect(run).toMatchObject({ state: 'waiting', attempt_count: 1, error: { code }, outcome: null, ended_at: null })
    expect(await hris.read(id)).toMatchObject({ status: 'active', last_error: { code }, synced_row_count: 3 })
    expect(await hris.roster(employer_id)).toEqual(before)
    for (let attempt = 2; attempt <= 3; attempt++) {
      await hris.dueNow()
      await api.work()
    }
    expect(await hris.run(run.id)).toMatchObject({
      state: 'completed',
      attempt_count: 3,
      error: null,
      outcome: { counts: { ...noChange, created: 1, unchanged: 2, terminated: 1 } },
    })
    expect(await hris.read(id)).toMatchObject({ last_error: null, synced_row_count: 3 })
    expect(await hris.waiting()).toBe(0)
  })

  it('fails after ten attempts, until the next night', async () => {
    const { id } = await connectAndSync(workers(2))
    await hris.report(id, { fault: 'server_errors' })
    const { id: run_id } = await hris.sync(id)
    for (let attempt = 2; attempt <= 10; attempt++) {
      await hris.dueNow()
      await api.work()
    }
    expect(await hris.run(run_id)).toMatchObject({ state: 'failed', attempt_count: 10, error: { code: 'unavailable' } })
    expect(await hris.waiting()).toBe(0)
    expect(await hris.read(id)).toMatchObject({ status: 'active', next_sync_on: '2026-03-11' })
  })

  it('makes the connection inactive when access is lost, until it is resumed', async () => {
    const { id, employer_id } = await connectAndSync(workers(2))
    await hris.report(id, { fault: 'access_lost' })
    expect(await hris.sync(id)).toMatchObject({ state: 'failed', error: { code: 'access_lost' } })
    expect(await hris.read(id)).toMatchObject({ status: 'inactive', next_sync_on: null })
    await hris.report(id, {})
    await hris.resume(id)
    expect(await hris.shown(employer_id)).toMatchObject({ status: 'active' })
    await api.work()
    expect((await hris.runs(id))[0]).toMatchObject({ state: 'completed', counts: { unchanged: 2 } })
    expect(await hris.read(id)).toMatchObject({ last_error: null, next_sync_on: '2026-03-11' })
  })

  it('terminates no one when it returns no people', async () => {
    const { id, employer_id } = await connectAndSync(workers(2))
    await hris.report(id, { people: [] })
    expect(await hris.sync(id)).toMatchObject({ state: 'failed', error: { code: 'incomplete' } })
    expect((await hris.roster(employer_id)).every((row) => row.termination_date === null)).toBe(true)
  })

  it('applies nothing if the connection is paused while fetching', async () => {
    const { id, employer_id } = await connectAndSync(workers(2))
    await hris.report(id, { people: workers(1) })
    const providers = integrationOf(api.runtime, payroll)
    const pausing_providers: HrisProviders = {
      ...providers,
      sandbox: {
        fetch: async (call) => {
          await hris.pause(id)
          return providers.sandbox.fetch(call)
        },
      },
    }
    api.runtime.integrations.set(payroll, pausing_providers)
    const run = await hris.sync(id)
    api.runtime.integrations.set(payroll, providers)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'paused' }, outcome: null })
    expect(await hris.roster(employer_id)).toHaveLength(2)
    expect(await hris.waiting()).toBe(0)
  })
})

describe('the nightly sync', () => {
  // This day is later than the days of all tests above.
  const moveToEve = () => api.moveTo('2026-05-03')

  it('fetches each due connection once, but neither paused nor former ones', async () => {
    moveToEve()
    const [active, paused, former] = [
      await connectAndSync(workers(1)),
      await connectAndSync(workers(1)),
      await connectAndSync(workers(1)),
    ]
    await hris.pause(paused.id)
    await hris.disconnect(former.id)
    api.moveTo('2026-05-04')
    await api.runDays()
    await api.runDays()
    await api.work()
    const causes = async ({ id }: { id: string }) => (await hris.runs(id)).map((run) => `${run.cause} ${run.state}`)
    expect(await causes(active)).toEqual(['schedule completed', 'operator completed'])
    expect(await causes(paused)).toEqual(['operator completed'])
    expect(await causes(former)).toEqual(['operator completed'])
    expect(await hris.read(active.id)).toMatchObject({ next_sync_on: '2026-05-05' })
    expect(await hris.shown(active.employer_id)).toMatchObject({ last_sync_on: '2026-05-04' })
  })

  it('does not fetch an employer without a subscription, and reports why', async () => {
    api.moveTo('2026-05-04')
    const { id, employer_id } = await connectAndSync(workers(1))
    await hris.operate('POST', `/employers/${employer_id}/subscriptions/end`, { ended_on: '2026-05-05' })
    api.moveTo('2026-05-05')
    await api.runDays()
    await api.work()
    expect((await hris.runs(id))[0]).toMatchObject({
      state: 'failed',
      error: { code: 'employer_has_no_active_subscription' },
    })
  })
})

describe('a worker that is killed', () => {
  /** Returns a runtime that throws at the start of transaction number `at` and counts transactions in `begun`. */
  function runtimeFailingAt(at: number) {
    const runtime: Runtime & { begun: number } = { ...api.runtime, begun: 0 }
    runtime.database = {
      ...api.runtime.database,
      transactionOfJob: (rows_of, work) => {
        if (++runtime.begun === at) throw new Error('killed')
        return api.runtime.database.transactionOfJob(rows_of, work)
      },
    }
    return runtime
  }

  const of_a_run = 'before any transaction of a run, between fetching and applying, and between chunks'
  it(`${of_a_run}, leaves the whole run to the next worker`, async () => {
    const people = workers(1_010)
    const kept = people.slice(0, 1_000)
    let last = Infinity
    for (let at = 1; at <= last; at++) {
      const { id } = await connectAndSync(
        people.map((person, n) => ({
          ...person,
          email: `w${at}.${n}@example.com`,
          phone: null,
          last_name: `Died ${at} ${n}`,
        })),
      )
      await hris.report(id, {
        people: [
          ...kept.map((person, n) => ({
            ...person,
            email: `w${at}.${n}@example.com`,
            phone: null,
            last_name: `Died ${at} ${n}`,
          })),
          aWorker({ reference_id: 'NEW', email: `new${at}@example.com` }),
        ],
      })
      api.wait(1000)
      const { body } = await hris.operate('POST', `/hris-connections/${id}/sync`)
      const runtime = runtimeFailingAt(at)
      await runWaitingJobs(runtime, tasks)
      if (runtime.begun < at) last = at
      await hris.dueNow()
      await api.work()
      expect(await hris.run(body.data.id), `killed before transaction ${at}`).toMatchObject({
        state: 'completed',
        outcome: {
          row_count: 1_001,
          processed_count: 1_001,
          counts: { ...noChange, created: 1, unchanged: 1_000, terminated: 10 },
        },
      })
      expect(await hris.runs(id)).toHaveLength(2)
      expect(await hris.read(id)).toMatchObject({ synced_row_count: 1_001 })
    }
    // The transactions: start, submission, two chunks, completion, a check for more work, and the connection's update.
    expect(last).toBeGreaterThan(7)
  })
})
