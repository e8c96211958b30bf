import { beforeAll, expect, it } from 'vitest'
import type { Db } from '../../../database/query/database.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { countWaiting, useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { generateStatements } from './actions.ts'

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
    `select statement.line_count, statement.employee_count, count(line.*) as lines, sum(line.amount_in_cents) as total, statement.total_in_cents,
            (select sum(collected_in_cents) from deduction_balances) = (select sum(amount_in_cents) from deduction_lines) as balanced
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

it('a job that is killed while it publishes events has a complete statement, and publishes each event once', async () => {
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
      // Wait as long again while holding the lock. Until then, the chunk would not end.
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
