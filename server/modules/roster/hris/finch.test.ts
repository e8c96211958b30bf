import { payroll } from '../../../integrations/payroll/providers.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finch } from '../../../integrations/payroll/finch.ts'
import { fakeFinch, finch_token, type FakeFinch, type FinchBehavior, type Worker } from '../../../test/fakes/finch.ts'
import { useApi } from '../../../test/harness.ts'
import { hrisOf, noChange } from '../../../test/clients/hris.ts'

/** Finch's SDK against a local server that returns responses in Finch's published format. */
const api = useApi()
const hris = hrisOf(api)
let fake: FakeFinch

beforeAll(async () => {
  fake = await fakeFinch()
  integrationOf(api.runtime, payroll).finch = finch({ url: fake.url, retries: 2, timeout_ms: 5_000, wait_ms: 10 })
})
afterAll(() => fake.stop())
beforeEach(async () => {
  Object.assign(fake, { behavior: 'well', page_size: 1000, workers: [], requests: [], busy_for: 0, retry_after: {} })
  await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
})

let count = 0
const aWorker = (input: Partial<Worker> = {}): Worker => {
  const number = ++count
  return {
    id: `5d0b4c2e-0000-4000-8000-${String(number).padStart(12, '0')}`,
    first_name: 'Ines',
    last_name: `Duarte ${number}`,
    dob: '1990-05-17',
    emails: [
      { data: `ines${number}@home.example.com`, type: 'personal' },
      { data: `ines${number}@work.example.com`, type: 'work' },
    ],
    phone_numbers: [{ data: `+1 202-555-${String(number).padStart(4, '0')}`, type: 'personal' }],
    gender: 'female',
    residence: { line1: '5 Maple St', line2: null, city: 'Troy', state: 'NY', postal_code: '12180', country: 'US' },
    start_date: '2024-02-01',
    ...input,
  }
}

/** Connects an employer to the fake with these workers and syncs once. */
async function connectAndSync(workers: Worker[]) {
  fake.workers = workers
  const connection = await hris.connect({
    source: 'finch',
    access_token: finch_token,
    provider: 'gusto',
    provider_label: 'Gusto',
  })
  await api.work()
  return connection as { id: string; employer_id: string }
}

describe('Finch', () => {
  it('reads people from directory, individual and employment, and requests no other data', async () => {
    const { id, employer_id } = await connectAndSync([
      aWorker({ employment: { type: 'employee', subtype: 'part_time' } }),
    ])
    expect(fake.requests).toEqual([
      'GET /employer/directory?limit=1000&offset=0',
      'POST /employer/individual',
      'POST /employer/employment',
    ])
    expect((await hris.runs(id))[0]).toMatchObject({ state: 'completed', counts: { ...noChange, created: 1 } })
    expect(await hris.shown(employer_id)).toMatchObject({ provider: 'gusto', status: 'active', synced_row_count: 1 })
    expect(await hris.roster(employer_id)).toMatchObject([
      {
        reference_id: fake.workers[0]!.id,
        first_name: 'Ines',
        email: `ines${count}@work.example.com`,
        phone: `202555${String(count).padStart(4, '0')}`,
        date_of_birth: '1990-05-17',
        gender: 'Female',
        employee_class: 'Part Time',
        hire_date: '2024-02-01',
        address: { address_line_1: '5 Maple St', zipcode: '12180' },
      },
    ])
  })

  it('reports terminations, rehires, contractors and people who live abroad', async () => {
    const stays = aWorker()
    const { id, employer_id } = await connectAndSync([stays, aWorker(), aWorker()])
    const [, leaves, returns] = fake.workers as [Worker, Worker, Worker]
    const left = { employment_status: 'terminated', is_active: false, end_date: '2026-03-06' } as const
    fake.workers = [stays, { ...leaves, ...left }, { ...returns, ...left }]
    expect((await hris.sync(id)).outcome?.counts).toEqual({ ...noChange, unchanged: 1, terminated: 2 })
    fake.workers = [
      stays,
      { ...leaves, ...left },
      { ...returns, end_date: '2026-03-06', latest_rehire_date: '2026-03-09' },
      aWorker({ ...left, start_date: '2012-02-01', end_date: '2020-01-31' }),
      aWorker({ ...left, end_date: null }),
      aWorker({
        employment: { type: 'contractor', subtype: null },
        residence: { line1: '1 King St', line2: null, city: 'Toronto', state: 'ON', postal_code: 'M5H', country: 'CA' },
      }),
      aWorker({ start_date: '2026-04-01', employment_status: 'prehire', is_active: false }),
      aWorker({ emails: null }),
    ]
    const { outcome } = await hris.sync(id)
    expect(outcome?.counts).toEqual({ ...noChange, unchanged: 3, rehired: 1, created: 1, failed: 2 })
    expect(outcome?.failures.map((one) => [one.field, one.reference_id])).toEqual([
      ['start_date', fake.workers[6]!.id],
      ['email', fake.workers[7]!.id],
    ])
    const rows = await hris.roster(employer_id)
    const of = ({ id }: Worker) => rows.filter((row) => row.reference_id === id)
    expect(of(returns).map((row) => [row.hire_date, row.status])).toEqual([
      ['2026-03-09', 'active'],
      ['2024-02-01', 'terminated'],
    ])
    expect(of(fake.workers[5]!)).toMatchObject([{ employee_class: 'Individual Contractor', address: null }])
  })

  it('accepts people without an active flag, and with the last day of a former employment', async () => {
    const back = { start_date: '2026-03-02', end_date: '2025-06-30' }
    const { id, employer_id } = await connectAndSync([
      aWorker(back),
      aWorker({ is_active: null }),
      aWorker({ is_active: null, employment_status: 'terminated' }),
      aWorker({ is_active: null, employment_status: 'retired', end_date: '2025-06-30' }),
    ])
    expect((await hris.runs(id))[0]).toMatchObject({ counts: { ...noChange, created: 2, unchanged: 1 } })
    const rows = await hris.roster(employer_id)
    expect(rows.map(({ hire_date, termination_date }) => [hire_date, termination_date]).sort()).toEqual([
      ['2024-02-01', null],
      ['2026-03-02', null],
    ])
  })

  it('is read page by page and in batches', async () => {
    fake.page_size = 400
    const { id } = await connectAndSync(Array.from({ length: 1_050 }, () => aWorker()))
    expect(fake.requests.filter((request) => request.startsWith('GET'))).toEqual([
      'GET /employer/directory?limit=1000&offset=0',
      'GET /employer/directory?limit=1000&offset=400',
      'GET /employer/directory?limit=1000&offset=800',
    ])
    expect(fake.requests.filter((request) => request.startsWith('POST'))).toHaveLength(6)
    expect((await hris.runs(id))[0]).toMatchObject({ state: 'completed', counts: { ...noChange, created: 1_050 } })
  })

  it.each([
    ['without Retry-After', {}],
    ['with a Retry-After of a day', { 'retry-after': '86400' }],
    ['with a Retry-After in the past', { 'retry-after': 'Mon, 09 Mar 2026 00:00:00 GMT' }],
  ])('is retried by its SDK when it limits our rate %s', async (_, retry_after) => {
    const { id } = await connectAndSync([aWorker()])
    Object.assign(fake, { behavior: 'busy', busy_for: 2, requests: [], retry_after })
    expect(await hris.sync(id)).toMatchObject({ state: 'completed', attempt_count: 1 })
    expect(fake.requests).toHaveLength(5)
    expect(fake.headers['x-stainless-retry-count']).toBe('0')
  })

  const troubles: [FinchBehavior, string][] = [
    ['busy', 'rate_limited'],
    ['failing', 'unavailable'],
    ['half', 'incomplete'],
    ['uncounted', 'incomplete'],
    ['preparing', 'incomplete'],
    ['leaving', 'incomplete'],
    ['pending', 'incomplete'],
    ['garbage', 'unreadable'],
  ]
  it.each(troubles)('applies nothing and is retried later with the fault %s', async (behavior, code) => {
    const { id, employer_id } = await connectAndSync([aWorker(), aWorker(), aWorker()])
    const now = [...fake.workers.slice(1), aWorker()]
    Object.assign(fake, { behavior, busy_for: Infinity, workers: now, page_size: 2 })
    const run = await hris.sync(id)
    expect(run).toMatchObject({ state: 'waiting', error: { code }, outcome: null })
    expect(run.error?.message).not.toContain('example.com')
    expect(await hris.roster(employer_id)).toHaveLength(3)
    expect(await hris.read(id)).toMatchObject({ status: 'active', last_error: { code } })
    Object.assign(fake, { behavior: 'well', workers: now })
    await hris.dueNow()
    await api.work()
    expect(await hris.run(run.id)).toMatchObject({
      state: 'completed',
      outcome: { counts: { created: 1, terminated: 1 } },
    })
  })

  it.each(['reauthenticate', 'reauthenticate_batch'] as const)(
    'makes the connection inactive until it is resumed when it requires a new sign-in (%s)',
    async (behavior) => {
      const { id, employer_id } = await connectAndSync([aWorker()])
      fake.behavior = behavior
      expect(await hris.sync(id)).toMatchObject({
        state: 'failed',
        error: { code: 'access_lost', message: expect.stringContaining('(401 reauthenticate_user)') },
      })
      expect(await hris.shown(employer_id)).toMatchObject({ status: 'inactive', last_sync_on: '2026-03-10' })
      expect(await hris.waiting()).toBe(0)
      fake.behavior = 'well'
      await hris.resume(id)
      await api.work()
      expect(await hris.read(id)).toMatchObject({ status: 'active', last_error: null })
    },
  )

  it('receives the renewed access token', async () => {
    fake.workers = [aWorker()]
    const { id } = await hris.connect({ source: 'finch', access_token: 'expired' })
    await api.work()
    expect(await hris.read(id)).toMatchObject({ status: 'inactive', last_error: { code: 'access_lost' } })
    const operator = { key: api.operator_key }
    const lost = async () =>
      (await api.get('/operator/v1/tasks?kind=hris_access_lost', operator)).body.data.map((one) => one.resource_id)
    const failing = async () =>
      (await api.get('/operator/v1/hris-connections?failing=true', operator)).body.data.map((one) => one.id)
    expect(await lost()).toContain(id)
    expect(await failing()).toContain(id)
    await hris.renew(id, finch_token)
    await api.work()
    expect(await hris.read(id)).toMatchObject({ status: 'active' })
    expect(await lost()).not.toContain(id)
    expect(await failing()).not.toContain(id)
  })

  it('may be unavailable', async () => {
    const { id } = await connectAndSync([aWorker()])
    const { finch: there } = integrationOf(api.runtime, payroll)
    integrationOf(api.runtime, payroll).finch = finch({ url: 'http://127.0.0.1:9', retries: 0 })
    expect(await hris.sync(id)).toMatchObject({ state: 'waiting', error: { code: 'unavailable' } })
    integrationOf(api.runtime, payroll).finch = there
  })

  it('does not appear in the log or the job table with its access token', async () => {
    const lines: string[] = []
    const { log } = api.runtime
    api.runtime.log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    try {
      const { id } = await connectAndSync([aWorker()])
      fake.behavior = 'failing'
      await hris.sync(id)
    } finally {
      api.runtime.log = log
    }
    const { rows } = await api.database.pool.query(
      'select row_to_json(j)::text as text from graphile_worker._private_jobs as j',
    )
    const everything = JSON.stringify([lines, rows])
    expect(rows.length).toBeGreaterThan(0)
    expect(everything).toContain('500 server_error')
    expect(everything).not.toContain(finch_token)
    expect(everything).not.toContain('jane.doe')
  })
})
