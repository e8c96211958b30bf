import { beforeAll, expect, it, describe } from 'vitest'
import type { Db } from '../../../database/query/database.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  createCoveredEmployer,
  boundToken,
} from '../../../test/fixtures.ts'
import { countWaiting, useApi } from '../../../test/harness.ts'
import { pick, sure } from '../../../test/pick.ts'
import { generateStatements } from './actions.ts'
import { codeOf } from '../../../test/response.ts'

/**
 * Five employees with dental for 12.00 per month, paid weekly, written two at a time: three transactions, and one that
 * finds none. Events are also published two at a time, in three more.
 */
const api = useApi()

const position = { organization_id: '', employer_id: '', employer_ids: [''] }
const employees: string[] = []

/** A runtime whose process ends before it commits transaction `n`, so that nothing of it is stored, as after a kill. */
function dyingIn(n: number): Runtime {
  let count = 0
  const transaction: Runtime['database']['transaction'] = (rows_of, work) =>
    api.runtime.database.transaction(rows_of, async (db) => {
      const result = await work(db)
      if (++count === n) throw new Error('killed')
      return result
    })
  return { ...api.runtime, database: { ...api.runtime.database, transaction } }
}

const statements = async () =>
  (await api.get(`/v1/employers/${position.employer_id}/payroll-deduction-statements?limit=100`)).body.data

const snapshots = async () =>
  (await api.get(`/v1/employers/${position.employer_id}/employees`)).body.data.map((one) => one.deductions)

const reported = async () => {
  const events = await Promise.all(employees.map((id) => api.events(id)))
  return events.map((names) => names.filter((name) => name === 'employee.deduction_created').length)
}

/** Moves to the next week: opens a statement, and leaves its job waiting. */
async function nextWeek(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
}

/** Compares balances with the sums of lines, and counts the lines of each statement. */
const books = () =>
  api.database.reads.rows(
    `select statement.line_count, statement.employee_count, count(line.*) as lines, sum(line.amount_in_cents) as total,
            statement.total_in_cents, (select sum(collected_in_cents) from deduction_balances)
              = (select sum(amount_in_cents) from deduction_lines) as balanced
       from deduction_statements as statement
       left join deduction_lines as line on line.statement_id = statement.id
      group by statement.id, statement.organization_id, statement.line_count, statement.employee_count,
               statement.total_in_cents, statement.period_end_date
      order by statement.period_end_date`,
  )

beforeAll(async () => {
  const catalog = await importCatalog(api)
  position.organization_id = api.story.organization_id
  position.employer_id = await createEmployer(api)
  position.employer_ids = [position.employer_id]
  await api.put(`/v1/employers/${position.employer_id}/settings`, {
    pay_frequency: 'weekly',
    first_pay_date: '2026-03-20',
  })
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${position.employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, position.employer_id, catalog, { coverage_start: '2026-04-01' })
  await api.work()
  for (let count = 0; count < 5; count++) {
    const { id } = await createEmployee(api, position.employer_id)
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const dental = pick(data, (one) => one.benefit.category === 'Dental')
    await api.post(`/v1/enrollments/${dental.id}/elect`, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
    employees.push(id)
  }
})

const weeks = ['2026-03-28', '2026-04-04', '2026-04-11']

it.each(weeks.map((day, index) => [index + 1, day]))(
  'a job that is killed in transaction %i is invisible, and continues where it stopped',
  async (n, day) => {
    await nextWeek(day)
    const before = await statements()
    const shown = await snapshots()
    await expect(generateStatements(dyingIn(n), position, 2)).rejects.toThrow('killed')
    expect(await statements()).toEqual(before)
    expect(await snapshots()).toEqual(shown)
    expect(await reported()).toEqual(employees.map(() => n - 1))
    await generateStatements(api.runtime, position, 2)
    const after = await statements()
    expect(after).toHaveLength(n)
    expect(after[0]).toMatchObject({ employee_count: 5, line_count: 5 })
    expect(await reported()).toEqual(employees.map(() => n))
  },
)

it('a job killed while it publishes events has a complete statement, and publishes each event once', async () => {
  await nextWeek('2026-04-18')
  await expect(generateStatements(dyingIn(6), position, 2)).rejects.toThrow('killed')
  expect((await statements())[0]).toMatchObject({ employee_count: 5, line_count: 5 })
  expect(await reported()).toEqual([4, 4, 4, 4, 3])
  await api.work()
  expect(await reported()).toEqual(employees.map(() => 4))
})

it('a job that runs twice, concurrently or again, writes each line once', async () => {
  await nextWeek('2026-04-25')
  await Promise.all([generateStatements(api.runtime, position, 2), generateStatements(api.runtime, position, 3)])
  await api.work()
  await generateStatements(api.runtime, position)
  expect(await reported()).toEqual(employees.map(() => 5))
  const all = await books()
  expect(all).toHaveLength(5)
  for (const each of all as { total: number; total_in_cents: number }[]) {
    expect(each).toMatchObject({ line_count: 5, employee_count: 5, lines: 5, balanced: true })
    expect(Number(each.total)).toBe(each.total_in_cents)
  }
})

let newcomer: { id: string }

async function hire(): Promise<void> {
  newcomer = await createEmployee(api, position.employer_id, { start_date: '2026-05-02' })
}

async function waive(): Promise<void> {
  const { data } = (await api.get(`/v1/employees/${newcomer.id}/enrollments`)).body
  const answer = await api.post(`/v1/enrollments/${data[0]!.id}/waive`, {})
  expect(answer.status, answer.text).toBe(200)
}

/** A runtime that reports each chunk once it has its lock, and then continues. */
function reportingOfEach(comes: () => Promise<void>): Runtime {
  const transaction: Runtime['database']['transaction'] = (rows_of, work, timeout_ms) => {
    const insideOf = (db: Db): Db => ({
      ...db,
      rows: async (text, values) => {
        if (text.includes('roster_number >')) await comes()
        return db.rows(text, values)
      },
    })
    return api.runtime.database.transaction(rows_of, (db) => work(insideOf(db)), timeout_ms)
  }
  return { ...api.runtime, database: { ...api.runtime.database, transaction } }
}

it.each([
  ['an employee', '2026-05-02', 6, hire],
  ['an election', '2026-05-09', 7, waive],
])(
  'a chunk ends early for a request that waits to write %s, which runs next',
  async (_, day, weeks_reported, write) => {
    await nextWeek(day)
    const chunks: { through: string | null; written: number }[] = []
    const noteChunk = async () => {
      const chunk = await api.database.reads.row<(typeof chunks)[0]>(
        `select through_employee_id as through,
              (select count(*) from employees) +
              (select count(*) from enrollments where answer = 'waived') as written
         from deduction_statements where generated_at is null`,
      )
      chunks.push(chunk!)
    }
    let waiting: Promise<unknown> | undefined
    const runtime = reportingOfEach(async () => {
      await noteChunk()
      if (waiting) return
      waiting = write()
      await expect.poll(() => countWaiting(api)).toBe(1)
      // Wait for the same time again while holding the lock. Until then, the chunk would not end.
      const has_row_at = performance.now()
      await expect.poll(() => performance.now()).toBeGreaterThan(2 * has_row_at - began_at)
    })
    const began_at = performance.now()
    await generateStatements(runtime, position, 10)
    await waiting
    const [first, second] = chunks
    expect(first!.through).toBeNull()
    expect(employees.slice(0, 4)).toContain(second!.through)
    expect(second!.written).toBe(first!.written + 1)
    expect(chunks).toHaveLength(2)
    expect(await reported()).toEqual(employees.map(() => weeks_reported))
    const all = await books()
    expect(all).toHaveLength(weeks_reported)
    for (const each of all) expect(each).toMatchObject({ line_count: 5, employee_count: 5, lines: 5, balanced: true })
  },
)

describe('statements of several employers', () => {
  const api = useApi()
  const operator = () => ({ key: api.operator_key })

  type Page = { data: readonly { id: string }[]; next_offset: string | null }
  const idsOf = ({ data }: Pick<Page, 'data'>) => data.map(({ id }) => id)

  let bakery: string
  let mill: string
  /** The ids of each employer's statements, newest first. */
  let of_bakery: string[]
  let of_mill: string[]

  const list = async (query = '', key = api.story.api_key) =>
    (await api.get(`/v1/payroll-deduction-statements${query}`, { key })).body
  const of = async (employer_id: string) =>
    idsOf((await api.get(`/v1/employers/${employer_id}/payroll-deduction-statements`)).body)

  /** All pages of a list with this limit. */
  async function walk(query: string, limit: number): Promise<string[]> {
    const walked: string[] = []
    let offset: string | null = ''
    while (offset !== null) {
      const page: Page = await list(`?${query}limit=${limit}&offset=${offset}`)
      walked.push(...idsOf(page))
      offset = page.next_offset
    }
    return walked
  }

  beforeAll(async () => {
    const catalog = await importCatalog(api)
    bakery = await createCoveredEmployer(api, catalog)
    mill = await createCoveredEmployer(api, catalog, { name: 'Grist & 100% Mill' })
    await createEmployer(api, { name: 'Grist Without Statements' })
    await api.put(`/v1/employers/${bakery}/settings`, { pay_frequency: 'monthly' })
    await api.put(`/v1/employers/${mill}/settings`, { pay_frequency: 'semi_monthly' })
    for (const day of ['2026-04-01', '2026-04-16', '2026-05-01']) {
      api.moveTo(day)
      await api.runDays()
      await api.work()
    }
    of_bakery = await of(bakery)
    of_mill = await of(mill)
  })

  describe('the list of statements across employers', () => {
    it('shows the employer of each, latest period first', async () => {
      const { data, pagination, next_offset } = await list()
      const ends = data.map(({ period_end_date }) => period_end_date)
      expect(ends).toEqual(ends.toSorted().toReversed())
      expect(idsOf({ data }).toSorted()).toEqual([...of_bakery, ...of_mill].toSorted())
      expect(new Set(ends).size).toBeGreaterThan(2)
      expect([pagination, next_offset]).toEqual([{ limit: 20, next_offset: null }, null])
      const {
        employer_name,
        csv,
        csv_file_url: _,
        ...alone
      } = sure(data.find(({ employer_id }) => employer_id === mill))
      expect(employer_name).toBe('Grist & 100% Mill')
      const known = sure((await api.get(`/v1/employers/${mill}/payroll-deduction-statements`)).body.data[0])
      expect(alone).toEqual({ ...known, csv: undefined, csv_file_url: undefined })
      expect((await api.get(new URL(csv.download_url).pathname, { key: null })).text).toMatch(/^employee_id,/)
    })

    it('can be filtered by the months in which periods end, and by a name', async () => {
      const endsIn = async (month: string) =>
        (await list('?limit=100')).data
          .filter(({ period_end_date }) => period_end_date.startsWith(month))
          .map(({ id }) => id)
      for (const [query, wanted] of [
        ['?period_from=2026-04&period_to=2026-04', await endsIn('2026-04')],
        ['?period_from=2026-05', await endsIn('2026-05')],
        ['?period_to=2026-03', await endsIn('2026-03')],
        ['?search=grist', of_mill],
        ['?search=100%25 mill', of_mill],
        ['?search=GRIST&period_from=2026-06', []],
        ['?search=nobody', []],
      ] as const)
        expect([query, idsOf(await list(query))]).toEqual([query, wanted])
      expect(await endsIn('2026-04')).not.toEqual([])
    })

    it('continues after the previous page with any limit', async () => {
      const whole = idsOf(await list('?limit=100'))
      for (const limit of [1, 2, 3]) {
        expect(await walk('', limit)).toEqual(whole)
        expect(await walk('search=grist&', limit)).toEqual(of_mill)
      }
    })

    it('names an invalid filter, and refuses a cursor of another organization', async () => {
      for (const [query, field] of [
        ['?period_from=2026', 'period_from'],
        ['?period_to=2026-13', 'period_to'],
        ['?limit=101', 'limit'],
        ['?offset=20', 'offset'],
      ] as const) {
        const answer = await api.get(`/v1/payroll-deduction-statements${query}`)
        expect([query, answer.status, answer.error.details[0]?.field]).toEqual([query, 400, field])
      }
      const { next_offset } = await list('?limit=1')
      const foreign = await api.get(`/v1/payroll-deduction-statements?offset=${next_offset}`, {
        key: api.story.rival_api_key,
      })
      expect(codeOf(foreign)).toEqual([400, 'invalid_request'])
    })

    it('requires a role for money in the organization, and rejects bound tokens', async () => {
      expect((await list('', api.story.rival_api_key)).data).toEqual([])
      const key = await boundToken(api, 'employer', bakery)
      expect((await api.get('/v1/payroll-deduction-statements', { key })).status).toBe(403)
    })

    it('can be read by operators for each organization and employer', async () => {
      const at = `/operator/v1/organizations/${api.story.organization_id}/payroll-deduction-statements` as const
      expect(idsOf((await api.get(`${at}?search=grist`, operator())).body)).toEqual(of_mill)
      const own = await api.get(`/operator/v1/employers/${mill}/payroll-deduction-statements`, operator())
      expect(idsOf(own.body)).toEqual(of_mill)
      const nowhere = '/operator/v1/organizations/org_01kdq7b4w8e9rs2mh3n5t6v7xz/payroll-deduction-statements'
      for (const path of [nowhere, `${nowhere}?offset=x`])
        expect((await api.get(path as never, operator())).status, path).toBe(404)
    })
  })
})
