import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, inject, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { crontab, tasks } from '../../../worker-tasks.ts'
import { runDays } from '../../../daily-run.ts'
import { startWorker } from '../../../jobs/worker.ts'
import { aPerson, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { electAll, workerStarter, randomFrom } from '../../../test/service/killed-process.ts'
import { noon } from '../../../test/runtime.ts'

/**
 * Kills workers with SIGKILL while they write statements and invoices. Each is a real process with a statement in
 * flight to PostgreSQL, which may be a commit. A seed determines which one.
 */
const api = useApi()
/** Statements and invoices are written in chunks of 1,000, so there are two. */
const people = 1100
/** A statement and an invoice, its PDF, a statement, and both again. */
const days = ['2026-04-01', '2026-04-04', '2026-04-16', '2026-05-01']
const kills_a_day = 2

let position: { organization_id: string; employer_id: string }
let url: string
const path = () => `/v1/employers/${position.employer_id}` as const

const random = randomFrom(Number(process.env.KILL_SEED ?? 20260401))

const hire = workerStarter()
let spare: ReturnType<typeof hire> | undefined

/** The days in between run at once, so that a worker has one day of work. */
async function runDaysBefore(day: Day): Promise<void> {
  api.moveTo(addDays(day, -1))
  await api.runDays()
  await api.work()
  api.moveTo(day)
}

const isDone = async (day: Day) =>
  (await api.database.reads.row<{ done: boolean }>(
    `select not exists (select from graphile_worker.jobs)
            and not exists (select from organizations where daily_run_on < $1) as done`,
    [day],
  ))!.done

/** The first worker of a day dies in its daily run, and later ones usually in the middle of the jobs. */
const diesAt = (left: number): number => (left === kills_a_day ? 1 + random(60) : 35 + random(45))

/**
 * Runs one worker on a day until it dies, or until no work remains and it is killed. Returns whether all work is done.
 */
async function workAndDie(day: Day, left: number): Promise<boolean> {
  const { child, loaded, ended } = spare ?? hire()
  spare = day === days.at(-1) && left === 1 ? undefined : hire()
  await loaded
  child.send({ url, keys: inject('secret_keys'), now: noon(day), dies_at: diesAt(left) })
  while (child.signalCode === null && !(await isDone(day))) await Promise.race([ended, pause(20)])
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
  return isDone(day)
}

/** Lets a worker in this process finish the remaining work of a day. */
async function workOffRest(day: Day): Promise<void> {
  await runDays(api.runtime)
  const worker = await startWorker(api.runtime, url, { tasks, crontab, concurrency: 4 })
  while (!(await isDone(day))) await pause(20)
  await worker.stop()
}

/**
 * Visible data is complete: each statement has all its lines, and each employee shows the amounts of the latest
 * statement.
 */
async function expectNothingHalf(): Promise<void> {
  const [{ body: statements }, { body: invoices }, { body: roster }] = await Promise.all([
    api.get(`${path()}/payroll-deduction-statements`),
    api.get(`${path()}/invoices?include_drafts=true`),
    api.get(`${path()}/employees?limit=100&page=${1 + random(people / 100)}`),
  ])
  for (const { line_count, total_in_cents, employee_count } of statements.data) {
    expect({ line_count, employee_count }).toEqual({ line_count: paying.lines, employee_count: paying.employees })
    expect(Math.abs(total_in_cents - paying.total_in_cents / 2)).toBeLessThan(paying.lines)
  }
  for (const { line_count, total_in_cents } of invoices.data) {
    expect({ line_count, total_in_cents }).toEqual({ line_count: people, total_in_cents: premium_in_cents })
  }
  const newest = statements.data[0]?.period_end_date
  for (const { deductions } of roster.data) {
    for (const { period_end_date } of deductions) expect(period_end_date).toBe(newest)
  }
}

/** From the elections: the employees with a deduction, and the total cost. */
let paying: { lines: number; employees: number; total_in_cents: number }
let premium_in_cents: number

beforeAll(async () => {
  const catalog = await importCatalog(api)
  position = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
  url = await urlOf(api)
  spare = hire()
  await api.put(`${path()}/settings`, { pay_frequency: 'semi_monthly' })
  await api.post(`${path()}/benefit-eligibility-policies`, { classification: 'all', waiting_period: 'none' })
  const dental = {
    benefit_id: catalog.dental.benefit_id,
    contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 3_200 }],
  }
  await openPlanYear(api, position.employer_id, catalog, { coverage_start: '2026-04-01', benefits: [dental] })
  await api.post(`${path()}/census-sync`, { employees: Array.from({ length: people }, () => aPerson()) })
  await api.work()
  await api.database.reads.rows(electAll, [position.employer_id, position.organization_id])
  const [sums] = await api.database.reads.rows<typeof paying & { premium_in_cents: number }>(
    `select count(*) filter (where paid > 0) as lines, count(distinct employee_id) filter (where paid > 0) as employees,
            sum(paid)::int as total_in_cents, sum(premium_in_cents)::int as premium_in_cents
       from (select *, employee_deduction_in_cents as paid from elections
               join enrollments on enrollments.id = enrollment_id where employer_id = $1) as elected`,
    [position.employer_id],
  )
  ;({ premium_in_cents, ...paying } = sums!)
})

it('workers that are killed in the middle of their days write each statement, invoice, line, event and PDF once', async () => {
  let kills = 0
  for (const day of days) {
    await runDaysBefore(day)
    let done = false
    for (let left = kills_a_day; left > 0 && !done; left--) {
      done = await workAndDie(day, left)
      kills++
      await expectNothingHalf()
    }
    if (done) continue
    await workOffRest(day)
    await expectNothingHalf()
  }
  expect(kills).toBeGreaterThan(days.length)

  const { data: statements } = (await api.get(`${path()}/payroll-deduction-statements`)).body
  expect(statements.map((one) => one.period_end_date)).toEqual(['2026-05-15', '2026-04-30', '2026-04-15'])
  // Nine months over 18 periods: the first k of them collect ⌊k ÷ 2 × a month⌋ of each enrollment.
  const [taken] = await api.database.reads.rows(
    `select (select count(*) from deduction_lines) as lines,
            (select count(distinct (statement_id, enrollment_id)) from deduction_lines where kind = 'deduction' and year = 2026) as reported,
            (select count(*) from elections as election
               full join deduction_balances as balance on balance.enrollment_id = election.enrollment_id
              where coalesce(collected_in_cents, 0) is distinct from 3 * employee_deduction_in_cents / 2) as wrong_balances,
            (select count(*) from deduction_statements as statement
              where total_in_cents <> (select sum(amount_in_cents) from deduction_lines where statement_id = statement.id)) as wrong_totals`,
    [],
  )
  expect(taken).toEqual({ lines: 3 * paying.lines, reported: 3 * paying.lines, wrong_balances: 0, wrong_totals: 0 })

  const { data: invoices } = (await api.get(`${path()}/invoices?include_drafts=true`)).body
  expect(invoices).toMatchObject([
    { invoice_id: 'INV-000002', period: '2026-05', status: 'draft', drafted_on: '2026-05-01' },
    { invoice_id: 'INV-000001', period: '2026-04', status: 'open', issued_on: '2026-04-04' },
  ])
  const billed = await api.database.reads.rows(
    `select count(*) as lines, count(distinct enrollment_id) as reported, min(position) as first, max(position) as last,
            sum(premium_in_cents) as premium_in_cents, (select invoice_count from invoice_counters) as numbers,
            (select count(*) from invoice_pdfs where invoice_id = line.invoice_id) as pdfs
       from invoice_lines as line group by invoice_id order by invoice_id`,
    [],
  )
  const counts = { lines: people, reported: people, first: 1, last: people, numbers: 2 }
  const whole = { ...counts, premium_in_cents: String(premium_in_cents) }
  expect(billed).toEqual([
    { ...whole, pdfs: 1 },
    { ...whole, pdfs: 0 },
  ])

  const events = await api.database.reads.rows(
    `select event_name, count(*) as count, count(distinct resource_id) as resources from webhook_events
      where event_name in ('employee.deduction_created', 'invoice.issued') group by event_name order by event_name`,
    [],
  )
  expect(events).toEqual([
    { event_name: 'employee.deduction_created', count: 3 * paying.employees, resources: paying.employees },
    { event_name: 'invoice.issued', count: 1, resources: 1 },
  ])
  for (const { invoice_id } of invoices) {
    const operator = { key: api.operator_key }
    const { body } = await api.get(`/operator${path()}/invoices/${invoice_id}/reconciliation`, operator)
    expect(body.data).toMatchObject({ difference_count: 0, lines: { line_count: people, difference_in_cents: 0 } })
  }
})
