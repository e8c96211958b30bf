import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  aPerson,
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployee,
  theEmployer,
  theEnrollment,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { correctEnrollment, electEnrollment } from '../../coverage/elections/actions.ts'
import { EnrollmentCorrection } from '../../coverage/elections/schemas.ts'
import { hireEmployee, terminateEmployee } from '../../roster/employees/actions.ts'
import { changeEmployee } from '../../roster/employees/change-actions.ts'
import { EmployeeChanges, NewEmployee } from '../../roster/employees/schemas.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * The employees of one employer through a plan year, day by day. They are hired, leave, and change their class and
 * plans, partly reported weeks late. The worker runs each day and its jobs. All deductions and invoices must agree with
 * the enrollments, and repeating a day must change nothing.
 */
const api = useApi()
const people = caseCount(40, 40)
const seed = Number(process.env.HISTORIES_SEED ?? 20260401)
const first_day = '2026-04-01'
/** Reports end on this day, but invoices still adjust earlier ones. */
const last_reported = '2027-04-20'
const last_day = '2027-06-11'

const action = fc.record({
  who: fc.nat(100_000),
  kind: fc.constantFrom('hire', 'leave', 'class', 'end', 'start', 'elect'),
  days_late: fc.nat(60),
  choice: fc.nat(1),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
const length = 385

let employer_id: string
let plan_ids: Record<string, string[]>
const path = () => `/v1/employers/${employer_id}` as const
const operated = (action: string) => api.post(`/operator${path()}/${action}`, {}, { key: api.operator_key })

type Enrollment = { id: string; employee_id: string; category: string; coverage_start: Day; coverage_end: Day | null }

const enrollmentsOf = (employee_ids: string[] | null) =>
  api.database.reads.rows<Enrollment>(
    `select enrollment.id, enrollment.employee_id, product.category, enrollment.coverage_start, enrollment.coverage_end
       from enrollments as enrollment
       join benefit_products as product on product.id = enrollment.benefit_id and product.organization_id = enrollment.organization_id
      where enrollment.employer_id = $1 and ($2::text[] is null or enrollment.employee_id = any($2))
      order by enrollment.employee_id, product.category`,
    [employer_id, employee_ids],
  )

const employees = async () =>
  (
    await api.database.reads.rows<{ id: string }>('select id from employees where employer_id = $1 order by id', [
      employer_id,
    ])
  ).map(({ id }) => id)

const elect = (some: Enrollment[]) =>
  api.act(async (ctx) => {
    for (const { id, category } of some) {
      const plan_id = plan_ids[category]![0]!
      await electEnrollment(ctx, await theEnrollment(ctx, id), {
        plan_id,
        coverage_tier: 'EE',
        dependent_ids: undefined,
      })
    }
  })

/** One plan bills by days, and another by the middle of the month. */
const partial_months = [
  { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' },
  { carrier: 'Evergreen Health', product_code: 'MVP', benefit: 'Major Medical', plan: 'Major Medical Bronze' },
].map((row, at) => ({ ...row, partial_month_rule: ['daily', '15th_rule'][at] }))

beforeAll(async () => {
  const catalog = await importCatalog(api, partial_months)
  plan_ids = { Medical: [catalog.mvp.plan_id, catalog.mvp.other_plan_id], Dental: [catalog.dental.plan_id] }
  employer_id = await createEmployer(api)
  await api.put(`${path()}/settings`, { pay_frequency: 'bi_weekly', first_pay_date: '2026-04-10' })
  await api.post(`${path()}/benefit-eligibility-policies`, { classification: 'full_time', waiting_period: 'none' })
  await openPlanYear(api, employer_id, catalog, {
    coverage_start: first_day,
    benefits: [catalog.mvp, catalog.dental].map(({ benefit_id }, at) => ({
      benefit_id,
      contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: [62.5, 33.3][at] }],
    })),
  })
  await api.work()
  const census = Array.from({ length: people }, () => aPerson())
  await api.post(`${path()}/census-sync`, { employees: census })
  await api.work()
  const granted = await enrollmentsOf(null)
  await elect(granted.filter((_, at) => at % 5 !== 0))
})

const corrected = (input: object) => EnrollmentCorrection.parse({ reason: 'Corrected', ...input })

/** Runs an action. A refused action changes nothing. */
async function attempt({ who, kind, days_late, choice }: Action, today: Day): Promise<void> {
  const day = addDays(today, -days_late)
  if (kind === 'hire') return hire(day)
  const all = await enrollmentsOf(null)
  const { id, employee_id, category, coverage_start, coverage_end } = all[who % all.length]!
  // These change the first or last day of coverage, which must be in the correction window.
  const changed = { start: coverage_start, elect: coverage_start, end: coverage_end ?? day, leave: day, class: day }[
    kind
  ]
  if (changed < addDays(today, -60)) return
  const plans = plan_ids[category]!
  const plan_id = plans[choice % plans.length]!
  try {
    await api.act(async (ctx) => {
      if (kind === 'leave')
        await terminateEmployee(ctx, await theEmployee(ctx, employee_id), { termination_date: day, reason: 'Left' })
      else if (kind === 'class') {
        const employee_class = choice === 0 ? 'Part Time' : 'Full Time'
        const changes = EmployeeChanges.parse({ effective_date: day, employee_class })
        await changeEmployee(ctx, await theEmployee(ctx, employee_id), changes)
      } else if (kind === 'elect') {
        const election = { plan_id, coverage_tier: 'EE' }
        await correctEnrollment(ctx, await theEnrollment(ctx, id), corrected({ election }))
      } else await correctEnrollment(ctx, await theEnrollment(ctx, id), corrected({ [`coverage_${kind}`]: day }))
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

async function hire(day: Day): Promise<void> {
  const person = NewEmployee.parse(aPerson({ start_date: day }))
  const { id } = await api.act(async (ctx) => hireEmployee(ctx, await theEmployer(ctx, employer_id), person))
  await elect((await enrollmentsOf([id])).filter((_, at) => at !== 1 || day.endsWith('1')))
}

/** All lines and invoices so far, as a hash of their rows. */
const books = async () =>
  (
    await api.database.reads.rows(
      `select (select md5(string_agg(line::text, '' order by line)) from deduction_lines as line) as lines,
              (select md5(string_agg(invoice_lines::text, '' order by invoice_id, position)) from invoice_lines) as billed,
              (select string_agg(id || through_employee_id || generated_at, '' order by id) from deduction_statements) as statements,
              (select md5(string_agg(invoices::text, '' order by invoice_id)) from invoices) as invoices,
              (select count(*) from webhook_events) as events`,
      [],
    )
  )[0]!

/** The latest statement and invoice, and whether jobs are waiting. */
const newest = async () =>
  (await api.database.reads.row<{ waits: boolean; statement: Day | null; invoice_id: string | null }>(
    `select exists (select from graphile_worker.jobs) as waits,
            (select max(period_end_date) from deduction_statements where generated_at is not null) as statement,
            (select max(invoice_id) from invoices where drafted_at is not null) as invoice_id`,
    [],
  ))!

async function live(day: Day) {
  api.moveTo(day)
  await api.runDays()
  if ((await newest()).waits) await api.work()
  return newest()
}

const proof = async (employee_id: string, year: number) =>
  (await api.get(`/v1/employees/${employee_id}/deductions/proof?year=${year}`)).body.data

/** Right after a statement, nothing is outstanding. Checked for every twentieth employee. */
async function statementAgrees(day: Day, at: number): Promise<void> {
  const all_people = await employees()
  for (const id of all_people.filter((_, index) => index % 20 === at % 20)) {
    for (const year of [Number(day.slice(0, 4)), Number(day.slice(0, 4)) - 1]) {
      expect(await proof(id, year), `${id} in ${year} on ${day}`).toMatchObject({ difference_in_cents: 0 })
    }
  }
}

async function invoiceAgrees(invoice_id: string): Promise<void> {
  const { data } = (await api.get(`${path()}/invoices/${invoice_id}/reconciliation`)).body
  expect(data).toMatchObject({ difference_count: 0, lines: { difference_in_cents: 0 } })
}

describe('a year of an employer', () => {
  it(
    'has correct statements and invoices on each of their days, and repeating a day changes nothing',
    { timeout: 400_000 },
    async () => {
      const days = fc.sample(fc.array(action, { maxLength: 3 }), { seed, numRuns: length })
      let before = await newest()
      for (let at = 0, today = '2026-03-11'; today <= last_day; at++, today = addDays(today, 1)) {
        const now = await live(today)
        const stated = now.statement !== before.statement
        const billed = now.invoice_id !== before.invoice_id
        if (stated) await statementAgrees(today, at)
        if (billed) await invoiceAgrees(now.invoice_id!)
        if (stated || billed) {
          const written = await books()
          await operated('payroll-deduction-statements/run')
          await operated('invoices/run')
          await live(today)
          expect(await books()).toEqual(written)
        }
        before = now
        if (first_day < today && today <= last_reported)
          for (const each of days[at % length]!) await attempt(each, today)
      }
      expect([before.statement, before.invoice_id]).toEqual(['2027-06-18', 'INV-000014'])
    },
  )

  it('deducts exactly the sum of the months of the year from each employee', async () => {
    const proofs = []
    for (const id of await employees()) proofs.push(await proof(id, 2026), await proof(id, 2027))
    for (const each of proofs) {
      // Amounts reported after the last paycheck cannot be deducted.
      expect(each.collected_in_cents + each.outstanding_in_cents, each.employee_id).toBe(each.due_in_cents)
      expect(each.difference_in_cents).toBe(0)
    }
    const billed = await api.database.reads.row<{ employees: number; premiums: number; totals: number }>(
      `select sum(employee_deduction_in_cents)::bigint as employees, sum(premium_in_cents)::bigint as premiums,
              (select sum(total_in_cents)::bigint from invoices where voided_at is null) as totals
         from invoice_lines`,
      [],
    )
    expect(billed!.totals).toBe(billed!.premiums)
    expect(billed!.employees).toBe(proofs.reduce((sum, each) => sum + each.due_in_cents, 0))
    expect(proofs.filter((each) => each.corrections_in_cents !== 0).length).toBeGreaterThan(people / 5)
  })
})
