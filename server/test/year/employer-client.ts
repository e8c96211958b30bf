import { expect } from 'vitest'
import { addDays, type Day } from '../../kernel/days.ts'
import type { ApiResponse } from '../response.ts'
import { anEmployer } from '../fixtures.ts'
import type { Api, CallOptions } from '../harness.ts'
import { pick, sure } from '../pick.ts'

/** Formats 1234 cents as 12.34. */
export const dollars = (cents: number): string => (cents / 100).toFixed(2)

type Row = Record<string, unknown>
type Relative = [relationship: 'spouse' | 'child' | 'domestic_partner', first_name: string, date_of_birth: Day]

/** Returns the body of a response. Fails unless the request succeeded. */
export function done<Body>(answer: ApiResponse<Body>): Body {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/**
 * An employer in a test over HTTP, with requests of a partner (API key), of employees (tokens) and of the operator, on
 * the clock of a sandbox organization. People and plans are identified by their names, and `people` and `plans` hold
 * their ids. Amounts are in dollars.
 */
export class EmployerClient {
  readonly api: Api
  employer_id = ''
  readonly people = new Map<string, string>()
  readonly plans = new Map<string, { plan_id: string; benefit_id: string }>()
  /** The ids of plan years by the label that `status` appends to the name of the benefit. */
  readonly years = new Map<string, string>()
  readonly #names = new Map<string, string>()
  #today: Day = '2026-03-10'
  #isStop: (day: Day) => boolean = () => false
  #last_event = ''

  constructor(api: Api) {
    this.api = api
  }

  // The calendar

  /** Moves the clock to the first day of the story. Pay periods begin where `beginsPeriod` is true. */
  async begin(day: Day, beginsPeriod: (day: Day) => boolean): Promise<void> {
    await this.#turnTo(day)
    // Invoices are drafted on the first of a month and issued on the fourth.
    this.#isStop = (each) => /-0[14]$/.test(each) || beginsPeriod(each)
  }

  /** Moves the clock to a day, and runs the worker on each day on which statements and invoices are generated. */
  async until(day: Day): Promise<void> {
    await this.api.work()
    for (let next = addDays(this.#today, 1); next <= day; next = addDays(next, 1))
      if (next === day || this.#isStop(next)) await this.#turnTo(next)
  }

  async #turnTo(today: Day): Promise<void> {
    done(await this.api.put(`/operator/v1/organizations/${this.#organization}/clock`, { today }, this.#operator))
    this.#today = today
    await this.api.work()
  }

  // The operator

  get #operator(): CallOptions {
    return { key: this.api.operator_key }
  }
  get #organization(): string {
    return this.api.story.organization_id
  }

  operate = <Path extends string>(path: Path, body: object = {}) =>
    this.api.post(`/operator/v1/${path}`, body, this.#operator)
  administer = async (input: object) =>
    done(await this.api.patch(`/operator/v1/employers/${this.employer_id}/administration`, input, this.#operator))

  /** Imports a catalog and saves its plans by name. */
  async stock(rows: Row[]): Promise<void> {
    const path = `/operator/v1/organizations/${this.#organization}/catalog` as const
    done(await this.api.post(`${path}/import`, { rows }, this.#operator))
    const { benefits } = done(await this.api.get(path, this.#operator)).data
    for (const benefit of benefits)
      for (const plan of benefit.plans) this.plans.set(plan.name, { plan_id: plan.id, benefit_id: benefit.id })
  }

  /** Opens a plan year with a label for its enrollments, and returns its id. */
  async offers(called: string, year: Row): Promise<string> {
    const path = `/operator/v1/employers/${this.employer_id}/benefit-plan-years` as const
    const { id } = done(await this.api.post(path, year, this.#operator)).data
    return this.#called(id, called)
  }
  /** Copies a plan year for the next one and returns its id. */
  async renews(plan_year_id: string, called: string, input: Row): Promise<string> {
    const { id } = done(await this.operate(`benefit-plan-years/${plan_year_id}/copy`, input)).data
    return this.#called(id, called)
  }
  async #called(id: string, called: string): Promise<string> {
    this.years.set(called, id)
    await this.api.work()
    return id
  }

  /** The operator's tasks: the kind of each, its subject, and the operation that closes it. */
  async tasks(): Promise<string[]> {
    const path = `/operator/v1/tasks?employer_id=${this.employer_id}` as const
    const { data } = done(await this.api.get(path, this.#operator))
    return Promise.all(
      data
        .filter(({ kind }) => kind !== 'invoice_drafted')
        .map(async (one) => `${one.kind}: ${await this.#nameOf(one.resource_id)}, by ${one.action.operation}`),
    )
  }

  // The partner

  /** Creates the employer as a client of the partner, and follows its events from now on. */
  async joins(input: Row, settings: Row): Promise<void> {
    this.employer_id = done(await this.api.post('/v1/employers', anEmployer(input))).data.id
    this.#names.set(this.employer_id, 'The employer')
    done(await this.api.put(`/v1/employers/${this.employer_id}/settings`, settings))
    this.#last_event = sure(done(await this.api.get('/v1/webhook-events?limit=1')).data[0]).id
  }

  async adopts(policy: Row): Promise<void> {
    done(await this.api.post(`/v1/employers/${this.employer_id}/benefit-eligibility-policies`, policy))
    await this.api.work()
  }

  /** Submits a census, runs the worker, and returns the outcome. Saves new people by name. */
  async census(employees: Row[]) {
    const path = `/v1/employers/${this.employer_id}/census-sync` as const
    const census_sync_id = sure(done(await this.api.post(path, { employees })).data.census_sync_id)
    this.#names.set(census_sync_id, 'A census')
    await this.api.work()
    await this.#meetEveryone()
    return done(await this.api.get(`${path}/${census_sync_id}`)).data
  }

  async hires(input: Row): Promise<string> {
    const { id } = done(await this.api.post(`/v1/employers/${this.employer_id}/employees`, input)).data
    await this.#meetEveryone()
    return id
  }

  async #meetEveryone(): Promise<void> {
    for (let page = 1, total_pages = 1; page <= total_pages; page++) {
      const path = `/v1/employers/${this.employer_id}/employees?limit=100&page=${page}` as const
      const { data, pagination } = done(await this.api.get(path))
      for (const { first_name, id } of data) {
        if (!this.people.has(first_name)) this.people.set(first_name, id)
        this.#names.set(id, first_name)
      }
      ;({ total_pages } = pagination)
    }
  }

  idOf = (name: string): string => sure(this.people.get(name))
  /** Sends a request about a person and returns the unchecked response. */
  requests = <Path extends string>(name: string, path: Path, body: object = {}) =>
    this.api.post(`/v1/employees/${this.idOf(name)}/${path}`, body)
  changes = async (name: string, input: Row) => done(await this.api.patch(`/v1/employees/${this.idOf(name)}`, input))

  /** The events since the last call, in order, except those of paydays. */
  async #unread() {
    const unread = []
    for (;;) {
      const { data } = done(await this.api.get(`/v1/webhook-events?after=${this.#last_event}&limit=100`))
      unread.push(...data.filter(({ event_name }) => event_name !== 'employee.deduction_created'))
      this.#last_event = data.at(-1)?.id ?? this.#last_event
      if (data.length < 100) return unread
    }
  }

  /** The events since the last call, by day. */
  async news(): Promise<Record<Day, string[]>> {
    const news: Record<Day, string[]> = {}
    for (const { event_name, resource_id, created_at } of await this.#unread())
      (news[created_at.slice(0, 10)] ??= []).push(`${await this.#nameOf(resource_id)}: ${event_name}`)
    return news
  }

  /** The number of events since the last call, by name. */
  async counts(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const { event_name } of await this.#unread()) counts[event_name] = (counts[event_name] ?? 0) + 1
    return counts
  }

  async #nameOf(id: string): Promise<string> {
    const known = this.#names.get(id)
    if (known !== undefined || !id.startsWith('enrl_')) return known ?? id
    const { employee_id, benefit, benefit_plan_year_id } = done(await this.api.get(`/v1/enrollments/${id}`)).data
    const year = [...this.years].find(([, id]) => id === benefit_plan_year_id)?.[0]
    const called = [benefit.name, year].filter(Boolean).join(' ')
    const name = `${this.#names.get(employee_id)}'s ${called}`
    this.#names.set(id, name)
    return name
  }

  // An employee

  async #asSelf(name: string): Promise<CallOptions> {
    const bound_entity = { type: 'employee', id: this.idOf(name) }
    const body = { grant_type: 'client_credentials', bound_entity }
    return { key: done(await this.api.post('/v1/auth/access-tokens', body)).access_token }
  }

  /** Adds family members, who are identified by their first names too. Returns their ids. */
  async brings(name: string, ...relatives: Relative[]): Promise<string[]> {
    const self = await this.#asSelf(name)
    const ids: string[] = []
    for (const [relationship, first_name, date_of_birth] of relatives) {
      const input = { relationship, first_name, last_name: 'Kin', date_of_birth }
      const { id } = done(await this.api.post(`/v1/employees/${this.idOf(name)}/dependents`, input, self)).data
      this.#names.set(id, first_name)
      ids.push(id)
    }
    return ids
  }

  /** A person's latest enrollment in the benefit of a plan that has not ended. */
  async enrollment(name: string, plan: string) {
    const { benefit_id } = sure(this.plans.get(plan))
    const path = `/v1/employees/${this.idOf(name)}/enrollments?limit=100` as const
    return pick(done(await this.api.get(path)).data, ({ benefit, status }) => {
      return benefit.id === benefit_id && status !== 'inactive'
    })
  }

  async elects(name: string, plan: string, coverage_tier: string, more: Row = {}) {
    const self = await this.#asSelf(name)
    const { id } = await this.enrollment(name, plan)
    const { plan_id } = sure(this.plans.get(plan))
    return done(await this.api.post(`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier, ...more }, self)).data
  }
  async waives(name: string, plan: string, reason = 'Covered by a spouse'): Promise<void> {
    const { id } = await this.enrollment(name, plan)
    done(await this.api.post(`/v1/enrollments/${id}/waive`, { reason }, await this.#asSelf(name)))
  }

  /** Reports a life event as the employee and returns its id. */
  async reports(name: string, type: string, occurred_on: Day): Promise<string> {
    const path = `/v1/employees/${this.idOf(name)}/qualifying-life-events` as const
    return done(await this.api.post(path, { type, occurred_on }, await this.#asSelf(name))).data.id
  }
  approves = async (life_event_id: string) =>
    done(await this.operate(`qualifying-life-events/${life_event_id}/approve`)).data

  /** All enrollments of a person, oldest first: the status, the tier, and the days of coverage. */
  async status(name: string): Promise<string[]> {
    const path = `/v1/employees/${this.idOf(name)}/enrollments?limit=100` as const
    const { data } = done(await this.api.get(path))
    const input = data.toReversed().map(async (one) => {
      const called = (await this.#nameOf(one.id)).split("'s ")[1]
      const days = [`from ${one.coverage_start}`, one.coverage_end && `until ${one.coverage_end}`]
      return [called, one.status, one.plan?.name, one.coverage_tier, ...days].filter(Boolean).join(', ')
    })
    return Promise.all(input)
  }

  /**
   * The outcome for each person in the next plan year, by the benefit of a plan: the new election and deduction, or
   * the reason for having no election.
   */
  async renewal(called: string, plan: string): Promise<Record<string, string>> {
    const { benefit_id } = sure(this.plans.get(plan))
    const path = `/v1/employers/${this.employer_id}/benefit-plan-years/${sure(this.years.get(called))}/renewal` as const
    const input: Record<string, string> = {}
    for (let page = 1, total_pages = 1; page <= total_pages; page++) {
      const { data, pagination } = done(await this.api.get(`${path}?limit=100&page=${page}`))
      for (const row of data.filter((row) => row.benefit_id === benefit_id)) {
        const price = [row.premium_in_cents, row.employee_deduction_in_cents].map((cents) => dollars(cents ?? 0))
        const answer = row.plan ? [row.plan.name, row.coverage_tier, price.join(', of it ')] : [row.answer]
        input[row.member_first_name] = [row.outcome, row.reason, ...answer].filter(Boolean).join(' ')
      }
      ;({ total_pages } = pagination)
    }
    return input
  }

  // Money

  /** The deductions of a payday by person: each line of the statement in dollars. */
  async paycheck(payday: Day): Promise<Record<string, string>> {
    const path = `/v1/employers/${this.employer_id}/payroll-deduction-statements?limit=100` as const
    const statement = pick(done(await this.api.get(path)).data, (one) => one.period_end_date === payday)
    const csv = await (await fetch(statement.csv.download_url)).text()
    const [head = '', ...lines] = csv.replace('\uFEFF', '').trim().split('\r\n')
    const taken: Record<string, string[]> = {}
    for (const line of lines) {
      const cells = line.split(',')
      const cell = (name: string) => sure(cells[head.split(',').indexOf(name)])
      const kind = cell('kind') === 'deduction' ? '' : ` ${cell('kind')}`
      const year = cell('year') === payday.slice(0, 4) ? '' : ` of ${cell('year')}`
      const tax = cell('tax_classification') === 'Pre-tax' ? '' : ' post-tax'
      ;(taken[cell('first_name')] ??= []).push(`${cell('benefit_name')}${kind}${year} ${cell('amount')}${tax}`)
    }
    return Object.fromEntries(Object.entries(taken).map(([name, input]) => [name, input.join(', ')]))
  }

  /** The total of a payday. */
  async collected(payday: Day): Promise<string> {
    const path = `/v1/employers/${this.employer_id}/payroll-deduction-statements?limit=100` as const
    const statement = pick(done(await this.api.get(path)).data, (one) => one.period_end_date === payday)
    return dollars(statement.total_in_cents)
  }

  /** Reports the deductions that payroll made on a payday. */
  async took(payday: Day, actuals: Row[]) {
    const path = `/v1/employers/${this.employer_id}/payroll-deduction-statements` as const
    const { id } = pick(done(await this.api.get(`${path}?limit=100`)).data, (one) => one.period_end_date === payday)
    return done(await this.api.post(`${path}/${id}/actuals`, { actuals })).data
  }

  /** The amount that a person owes for a year, and how much is deducted. */
  async proof(name: string, year: number) {
    const path = `/v1/employees/${this.idOf(name)}/deductions/proof?year=${year}` as const
    const all = done(await this.api.get(path)).data
    const taken = all.taken_in_cents
    return {
      due: dollars(all.due_in_cents),
      requested: dollars(all.requested_in_cents),
      taken: taken === null ? null : dollars(taken),
      outstanding: dollars(all.outstanding_in_cents),
      difference: dollars(all.difference_in_cents),
    }
  }

  /** The latest invoice of a month. */
  async invoice(period: string) {
    const path = `/v1/employers/${this.employer_id}/invoices?limit=100&include_drafts=true` as const
    return pick(done(await this.api.get(path)).data, (one) => one.period === period)
  }

  /** The content of an invoice: the total, the employees' part, and the lines of each person. */
  async bill(period: string): Promise<Record<string, string>> {
    const invoice = await this.invoice(period)
    const path = `/v1/employers/${this.employer_id}/invoices/${invoice.invoice_id}/lines?limit=100` as const
    const input: Record<string, string[]> = {}
    for (const line of done(await this.api.get(path)).data) {
      const month = line.kind === 'coverage' ? '' : ` ${line.kind} of ${line.month}`
      const [name = ''] = line.employee_name.split(' ')
      ;(input[name] ??= []).push(`${line.benefit_name}${month} ${line.coverage_tier} ${dollars(line.premium_in_cents)}`)
    }
    const lines = Object.entries(input).map(([name, texts]) => [name, texts.join(', ')])
    const total = `${dollars(invoice.total_in_cents)}, of it employees ${dollars(invoice.employee_deduction_in_cents)}`
    return { total, ...Object.fromEntries(lines) }
  }

  /** Performs an operator's action on the latest invoice of a month. */
  async settles(period: string, action: 'issue' | 'pay' | 'void'): Promise<void> {
    const { invoice_id } = await this.invoice(period)
    done(await this.operate(`employers/${this.employer_id}/invoices/${invoice_id}/${action}`))
  }

  /** Whether the amounts billed for a month, and for the months in its correction window, equal the amounts due. */
  async reconciles(period: string): Promise<boolean> {
    const { invoice_id } = await this.invoice(period)
    const path = `/v1/employers/${this.employer_id}/invoices/${invoice_id}/reconciliation` as const
    const { difference_count, lines } = done(await this.api.get(path)).data
    return difference_count === 0 && lines.difference_in_cents === 0
  }
}
