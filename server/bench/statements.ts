import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { draftInvoices, noteInvoices } from '../modules/money/billing/actions.ts'
import { generateStatements, runStatements } from '../modules/money/deductions/actions.ts'
import { createPolicy } from '../modules/coverage/eligibility/actions.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { easternDay } from '../kernel/days.ts'
import { type InvoiceDocument, renderInvoice } from '../documents/invoice.ts'
import type { Employers, Runtime } from '../runtime/runtime.ts'
import { line, ratios, secondsOf } from './figures.ts'
import { type Probe, latenciesOf, type Latency } from './latency.ts'
import { call, createEmployer, fillRoster, newPeople, operate } from './partner.ts'
import { measureReconciliation } from './reconciliation.ts'
import { openBench, plantElections, plantEmployer, withoutJobs, type Planted } from './seed.ts'
import { sized } from './sizes.ts'
import { startWithOwnPostgres, type Options, type Service } from './stage.ts'

const employee_count = sized(10_000, 20)
const lines_of_one_page = 10
const many_lines = sized(2000, 20)

type Stage = { service: Service; runtime: Runtime; client: pg.Client; partner: Partner }

/** Somebody at another organization than those that are billed. */
type Partner = { employer_id: string; employee_id: string }

/**
 * What a month of an employer of 10,000 costs, each with medical and dental: lines of a statement and of an invoice per
 * second, beside inserts of the same rows into copies of the tables with the same indexes, but foreign keys; their
 * longest transaction, for which writes of the organization wait; PDFs of one page and of 2,000 lines. And what is
 * noticed of it by those who are served by the process that does it: how long reads and writes take meanwhile, beside a
 * time without. Every round has employers of its own, so the tables grow along.
 */
export async function statements({ rounds, seconds }: Options): Promise<void> {
  const service = await startWithOwnPostgres()
  const stage = { service, ...(await openBench(service)), partner: await plantPartner(service) }
  await stage.client.query('create schema copies')
  for (const table of [...statement_tables, ...invoice_tables]) {
    await stage.client.query(`create table copies.${table} (like ${table} including all)`)
  }
  await measure(stage, seconds)
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round++) figures.push(await measure(stage, seconds))
  report(figures)
}

async function plantPartner(service: Service): Promise<Partner> {
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, sized(1000, 30))
  const [employee] = await call<{ id: string }[]>(service, 'GET', `/v1/employers/${employer_id}/employees`)
  return { employer_id, employee_id: employee!.id }
}

type Figures = Awaited<ReturnType<typeof measure>>

async function measure(stage: Stage, seconds: number) {
  const books = await measureBooks(stage)
  const pdfs = {
    one_page: await pdfsPerSecond(lines_of_one_page, seconds),
    many_lines: await pdfsPerSecond(many_lines, seconds),
  }
  return { ...books, pdfs, latencies: await measureLatencies(stage, seconds) }
}

/** An employer of 10,000 whose plan year began with this month, all of whom have elected. */
async function plant({ runtime, client }: Stage): Promise<Planted> {
  const month = `${easternDay(Date.now()).slice(0, 7)}-01`
  const planted = await plantEmployer(runtime, client, employee_count, month)
  await withoutJobs(runtime, planted.organization_id, (ctx) =>
    createPolicy(ctx, planted, { classification: 'all', waiting_period: 'none' }),
  )
  await recalculateEmployer(runtime, planted)
  await plantElections(client, planted)
  await client.query('analyze')
  return planted
}

const statement_tables = ['deduction_lines', 'deduction_balances']
const invoice_tables = ['invoice_lines']

async function measureBooks(stage: Stage) {
  const planted = await plant(stage)
  await withoutJobs(stage.runtime, planted.organization_id, async (ctx) => {
    await runStatements(ctx, planted, undefined)
    await noteInvoices(ctx, planted.organization_id)
    // We do the work of the jobs that these leave.
    await ctx.db.rows('delete from graphile_worker._private_jobs where key like $1', [`%:${planted.employer_id}`])
  })
  const written = {
    statement: await write(stage, planted, generateStatements, statement_tables),
    invoice: await write(stage, planted, draftInvoices, invoice_tables),
  }
  return { ...written, reconciled: await measureReconciliation(stage.service, stage.client, planted) }
}

/**
 * Seconds of some work, of its longest transaction, and of plain inserts of the rows that it wrote; the first table has
 * the lines.
 */
async function write(
  { runtime, client }: Stage,
  planted: Planted,
  work: (runtime: Runtime, employers: Employers) => Promise<void>,
  tables: string[],
) {
  let longest = 0
  const transaction: Runtime['database']['transaction'] = async (rows_of, inside) => {
    const started = performance.now()
    const result = await runtime.database.transaction(rows_of, inside)
    longest = Math.max(longest, performance.now() - started)
    return result
  }
  const timed = { ...runtime, database: { ...runtime.database, transaction } }
  const taken = await secondsOf(() => work(timed, { ...planted, employer_ids: [planted.employer_id] }))
  const counts: number[] = []
  let copied = 0
  for (const table of tables) {
    await client.query('drop table if exists rows')
    await client.query(`create temp table rows (like ${table})`)
    await client.query(`insert into rows select * from ${table} where organization_id = $1`, [planted.organization_id])
    copied += await secondsOf(async () => {
      const { rowCount } = await client.query(`insert into copies.${table} select * from rows`)
      counts.push(rowCount!)
    })
  }
  return { lines_per_second: counts[0]! / taken, inserts_per_second: counts[0]! / copied, longest, taken }
}

async function pdfsPerSecond(line_count: number, seconds: number): Promise<number> {
  const document = documentOf(line_count)
  let count = 0
  let taken = 0
  for (; taken < seconds; count++) taken += await secondsOf(() => renderInvoice(document))
  return count / taken
}

function documentOf(line_count: number): InvoiceDocument {
  const amounts = { premium_in_cents: 9_300, employer_contribution_in_cents: 4_650, employee_deduction_in_cents: 4_650 }
  const of = (name: keyof typeof amounts) => amounts[name] * line_count
  const address = { address_line_1: '1 Post Rd', address_line_2: null, city: 'Albany', state: 'NY', zipcode: '12207' }
  return {
    invoice_id: 'INV-000001',
    organization_name: 'Brokerage',
    employer: { name: 'Foundry', legal_name: 'Foundry LLC', ...address },
    period: '2026-11-01',
    status: 'open',
    drafted_on: '2026-11-01',
    issued_on: '2026-11-04',
    due_on: '2026-12-04',
    voided_on: null,
    void_reason: null,
    replaced_by: null,
    lines: newPeople(line_count).map(({ first_name, last_name }) => ({
      employee_name: `${first_name} ${last_name}`,
      benefit_name: 'Essential Care',
      plan_name: 'Base',
      coverage_tier: 'EE',
      month: '2026-11-01',
      kind: 'coverage',
      cause: null,
      ...amounts,
    })),
    totals: {
      premium_in_cents: of('premium_in_cents'),
      employer_contribution_in_cents: of('employer_contribution_in_cents'),
      employee_deduction_in_cents: of('employee_deduction_in_cents'),
    },
  }
}

const situations = ['nothing else', 'a statement', 'an invoice', 'its PDF'] as const
type Situation = (typeof situations)[number]

const kinds = ['a read', 'a list', 'a write', 'a write there'] as const
type Kind = (typeof kinds)[number]

/** How long requests take while the worker of the same process does nothing else, a statement, an invoice, its PDF. */
async function measureLatencies(stage: Stage, seconds: number): Promise<Record<Situation, Record<Kind, Latency>>> {
  const { service, client } = stage
  const planted = await plant(stage)
  const { organization_id, employer_id } = planted
  const path = `/employers/${employer_id}`
  const asked = questions(stage, planted)
  const beside = async (begin: () => Promise<unknown>, is_done: string) => {
    await begin()
    const over = awaitRow(client, is_done, organization_id)
    const [taken] = await Promise.all([latenciesOf(asked, seconds, over), over])
    return taken
  }
  // Not counted: the first requests after so many rows were planted.
  await latenciesOf(asked, sized(1, 0.1))
  return {
    'nothing else': await latenciesOf(asked, seconds),
    'a statement': await beside(
      () => operate(service, 'POST', `${path}/payroll-deduction-statements/run`, {}),
      'select from deduction_statements where organization_id = $1 and generated_at is not null',
    ),
    'an invoice': await beside(
      () => operate(service, 'POST', `${path}/invoices/run`, {}),
      'select from invoices where organization_id = $1 and drafted_at is not null',
    ),
    'its PDF': await beside(
      () => operate(service, 'POST', `${path}/invoices/INV-000001/issue`, {}),
      'select from invoice_pdfs where organization_id = $1',
    ),
  }
}

/** Requests at another organization, and a write at the one that is billed. */
function questions({ service, partner }: Stage, { organization_id, employer_id }: Planted) {
  const list = `/v1/employers/${partner.employer_id}/employees`
  // Like nobody of the planted rosters.
  const person = () => {
    const [row] = newPeople(1)
    const names = { first_name: 'Bea', email: `bea.${row!.email}`, reference_id: `B-${row!.reference_id}` }
    return { ...row, ...names, start_date: easternDay(Date.now()) }
  }
  return {
    'a read': { every: 20, ask: () => call(service, 'GET', `/v1/employees/${partner.employee_id}`) },
    'a list': { every: 50, ask: () => call(service, 'GET', list) },
    'a write': { every: 100, ask: () => call(service, 'POST', list, person()) },
    'a write there': {
      every: 200,
      ask: () => call(service, 'POST', `/v1/employers/${employer_id}/employees`, person(), organization_id),
    },
  } satisfies Record<Kind, Probe>
}

async function awaitRow(client: pg.Client, text: string, organization_id: string): Promise<void> {
  while ((await client.query(text, [organization_id])).rowCount === 0) await sleep(20)
}

function report(figures: Figures[]): void {
  const of = (pick: (figure: Figures) => number) => figures.map(pick)
  for (const name of ['statement', 'invoice'] as const) {
    const written = of((figure) => figure[name].lines_per_second)
    const inserted = of((figure) => figure[name].inserts_per_second)
    console.log(`  the ${name} of 10,000 employees`)
    console.log(
      line(
        'in all',
        of((figure) => figure[name].taken),
        'seconds',
      ),
    )
    console.log(line('written', written, 'lines/s'))
    console.log(line('insert', inserted, 'lines/s, into copies'))
    console.log(line('ratio', ratios(written, inserted)))
    console.log(
      line(
        'longest',
        of((figure) => figure[name].longest),
        'ms of one transaction',
      ),
    )
  }
  console.log('  the reconciliation of an invoice of 10,000 employees')
  for (const when of ['at_once', 'settled', 'late'] as const) {
    const series = of(({ reconciled }) => reconciled[when])
    console.log(line(when.replace('_', ' '), series, 'seconds'))
  }
  const one_page = of(({ pdfs }) => pdfs.one_page)
  const many = of(({ pdfs }) => pdfs.many_lines)
  console.log('  PDFs')
  console.log(line('one page', one_page, 'PDFs/s'))
  console.log(line('2,000 lines', many, 'PDFs/s'))
  console.log(line('ratio', ratios(one_page, many)))
  for (const kind of kinds) {
    for (const what of ['median', 'p99'] as const) {
      const series = (situation: Situation) => of(({ latencies }) => latencies[situation][kind][what])
      console.log(`  ${kind}, ${what}, beside`)
      for (const situation of situations) console.log(line(situation, series(situation), 'ms'))
      for (const situation of situations.slice(1)) {
        console.log(line('ratio', ratios(series(situation), series('nothing else')), `beside ${situation}`))
      }
    }
  }
}
