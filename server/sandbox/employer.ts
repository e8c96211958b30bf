import type { z } from 'zod'
import { locateEmployee, type EmployeeKey, type EmployerKey } from '../modules/access/auth/queries.ts'
import { amendPlanYear } from '../modules/coverage/amendments/actions.ts'
import { NewAmendment } from '../modules/coverage/amendments/schemas.ts'
import { markInvoicePaid, runInvoiceDay, voidInvoice } from '../modules/money/billing/actions.ts'
import { listInvoices, type InvoiceKey } from '../modules/money/billing/queries.ts'
import { days_as_draft } from '../modules/money/billing/rules.ts'
import type { Invoice } from '../modules/money/billing/schemas.ts'
import type { CoverageTier } from '../modules/directory/catalog/schemas.ts'
import { listStatements } from '../modules/money/deductions/queries.ts'
import type { StatementPage } from '../modules/money/deductions/schemas.ts'
import { addDependent, endDependent } from '../modules/coverage/dependents/actions.ts'
import { locateDependent } from '../modules/coverage/dependents/queries.ts'
import { NewDependent } from '../modules/coverage/dependents/schemas.ts'
import { correctEnrollment, electEnrollment, waiveEnrollment } from '../modules/coverage/elections/actions.ts'
import { EnrollmentCorrection } from '../modules/coverage/elections/schemas.ts'
import { createPolicy } from '../modules/coverage/eligibility/actions.ts'
import type { NewBenefitEligibilityPolicy } from '../modules/coverage/eligibility/schemas.ts'
import { hireEmployee, rehireEmployee, terminateEmployee } from '../modules/roster/employees/actions.ts'
import { changeEmployee } from '../modules/roster/employees/change-actions.ts'
import { EmployeeChanges, NewEmployee, Rehire } from '../modules/roster/employees/schemas.ts'
import {
  administerEmployer,
  createEmployer,
  endSubscription,
  updateEmployerSettings,
} from '../modules/directory/employers/actions.ts'
import { EmployerSettingsChanges, NewEmployer } from '../modules/directory/employers/schemas.ts'
import { listEnrollments, type EnrollmentKey } from '../modules/coverage/enrollments/queries.ts'
import type { EnrollmentPage } from '../modules/coverage/enrollments/schemas.ts'
import {
  connectEmployer,
  pauseConnection,
  resumeConnection,
  setSandboxPayroll,
} from '../modules/roster/hris/actions.ts'
import type { ConnectionKey } from '../modules/roster/hris/queries.ts'
import { NewHrisConnection, SandboxPayroll } from '../modules/roster/hris/schemas.ts'
import { approveLifeEvent, declineLifeEvent, reportLifeEvent } from '../modules/coverage/life-events/actions.ts'
import { locateLifeEvent } from '../modules/coverage/life-events/queries.ts'
import type { LifeEventKey } from '../modules/coverage/life-events/schemas.ts'
import { NewLifeEvent } from '../modules/coverage/life-events/schemas.ts'
import { recordActuals } from '../modules/money/payroll-actuals/actions.ts'
import { NewActual } from '../modules/money/payroll-actuals/schemas.ts'
import { changePlanYear, copyPlanYear, openPlanYear } from '../modules/coverage/plan-years/actions.ts'
import type { PlanYearKey } from '../modules/coverage/plan-years/queries.ts'
import { NewPlanYear, PlanYearChanges, PlanYearCopy } from '../modules/coverage/plan-years/schemas.ts'
import { saveWages } from '../modules/directory/ichra/queries.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, type Day } from '../kernel/days.ts'
import { HrisError, type HrisPerson } from '../integrations/payroll/provider.ts'
import { periodOn, type PayCalendar } from '../kernel/pay-calendar.ts'
import type { CatalogIds } from './catalog.ts'
import { nextMonth, type Timeline } from './timeline.ts'

type More = Partial<z.input<typeof NewEmployee>>
/** An offered benefit, by name. `plans` are the names of its plans, by default all. */
type Offered = { benefit: string; plans?: string[] } & Omit<
  z.input<typeof NewPlanYear>['benefits'][number],
  'benefit_id' | 'plan_ids'
>
/** The employer contribution to a benefit, by name. */
type Contributed = Pick<Offered, 'benefit' | 'contribution_tiers'>
/** By the name of a plan, the tier to elect in it or `waived` for its benefit. */
type Choices = Record<string, CoverageTier | 'waived'>

type OpenEnrollmentDays = { open_enrollment_start: Day; open_enrollment_end: Day }

/** The employer contribution as percentages of the premium: for employees who enroll alone, and for all others. */
export const share = (alone: number, others: number): Pick<Offered, 'contribution_tiers'> => ({
  contribution_tiers: [
    { coverage_tier: 'EE', method: 'percentage', percentage: alone },
    { method: 'percentage', percentage: others },
  ],
})

export const fixed = (amount_in_cents: number): Pick<Offered, 'contribution_tiers'> => ({
  contribution_tiers: [{ method: 'fixed', amount_in_cents }],
})

/**
 * An employer in a timeline. Each method adds an action on a day. People and dependents are identified by their first
 * names.
 */
export class Employer {
  readonly #timeline: Timeline
  readonly #catalog_ids: CatalogIds
  readonly #ids = new Map<string, string>()
  #pay_calendar: PayCalendar = { pay_frequency: 'bi_weekly', first_pay_date: null }
  readonly #hired: HrisPerson[] = []
  #administered_from: Day | undefined

  constructor(timeline: Timeline, catalog_ids: CatalogIds) {
    this.#timeline = timeline
    this.#catalog_ids = catalog_ids
  }

  joins(day: Day, input: z.input<typeof NewEmployer>): void {
    this.#timeline.record(day, { operation: 'employers_create', fields: Object.keys(input) }, async (ctx) => {
      const id = await createEmployer(ctx, this.#timeline.organization_id, NewEmployer.parse(input))
      this.#ids.set('employer', id)
      return id
    })
  }

  leaves(day: Day): void {
    this.#timeline.on(day, (ctx) => endSubscription(ctx, this.key(), day))
  }

  /** The operator takes the employer over. Coverage before `administered_from` is stored but not charged. */
  startsAdministration(day: Day, administered_from: Day): void {
    this.#administered_from = administered_from
    this.#timeline.on(day, (ctx) => administerEmployer(ctx, this.key(), { administered_from }))
  }

  /** Sets the pay calendar, before benefits are offered. */
  settles(day: Day, input: z.input<typeof EmployerSettingsChanges>): void {
    const settings = EmployerSettingsChanges.parse(input)
    const { pay_frequency = 'bi_weekly', first_pay_date = null } = settings
    this.#pay_calendar = { pay_frequency, first_pay_date }
    this.#timeline.record(day, { operation: 'employers_update_settings', fields: Object.keys(input) }, async (ctx) => {
      await updateEmployerSettings(ctx, this.key(), settings)
      return this.#id('employer')
    })
  }

  adopts(day: Day, policy: NewBenefitEligibilityPolicy): void {
    const requested = { operation: 'create_benefit_eligibility_policy', fields: Object.keys(policy) }
    this.#timeline.record(day, requested, (ctx) => createPolicy(ctx, this.key(), policy))
  }

  offers(day: Day, year: Omit<z.input<typeof NewPlanYear>, 'benefits'>, offered: Offered[]): void {
    if (year.open_enrollment_start) this.#timeline.turns(year.open_enrollment_start)
    this.#scheduleBilling(this.#administered_from ?? year.coverage_start)
    const benefits = this.#benefits(offered)
    this.#name(day, 'plan year', (ctx) => openPlanYear(ctx, this.key(), NewPlanYear.parse({ ...year, benefits })))
  }

  /** Opens the next plan year with changed offers. Employees who submit nothing are carried over. */
  renews(day: Day, window: OpenEnrollmentDays, offered: Offered[]): void {
    this.#timeline.turns(window.open_enrollment_start)
    this.#timeline.turns(addDays(window.open_enrollment_end, 1))
    const changes = PlanYearChanges.parse({ benefits: this.#benefits(offered) })
    this.#name(day, 'plan year', async (ctx) => {
      const next = await copyPlanYear(ctx, this.#planYear(), PlanYearCopy.parse(window))
      await changePlanYear(ctx, { ...this.#planYear(), benefit_plan_year_id: next }, changes)
      return next
    })
  }

  /** The operator amends the employer contributions of the plan year starting on a day. */
  amends(day: Day, effective_on: Day, reason: string, contributed: Contributed[]): void {
    const contributions = contributed.map(({ benefit, ...input }) => ({
      ...input,
      benefit_id: this.#catalog_ids.benefits.get(benefit)!,
    }))
    const amendment = NewAmendment.parse({ effective_on, reason, contributions })
    this.#timeline.on(day, (ctx) => amendPlanYear(ctx, this.#planYear(), amendment))
  }

  #benefits(offered: Offered[]) {
    return offered.map(({ benefit, plans, ...one }) => ({
      ...one,
      benefit_id: this.#catalog_ids.benefits.get(benefit)!,
      plan_ids: plans?.map((plan) => this.#catalog_ids.plans.get(plan)!.plan_id),
    }))
  }

  #planYear(): PlanYearKey {
    return { ...this.key(), benefit_plan_year_id: this.#id('plan year') }
  }

  /** Adds the days on which statements and invoices are generated, from the start of coverage. */
  #scheduleBilling(since: Day): void {
    const { today } = this.#timeline
    for (let day = since; day <= today; day = nextMonth(day)) this.#timeline.turns(addDays(day, days_as_draft))
    let period = periodOn(this.#pay_calendar, since)
    for (; period.start <= today; period = periodOn(this.#pay_calendar, addDays(period.end, 1)))
      this.#timeline.turns(period.start)
  }

  /** Payroll reports that it deducted nothing from an employee for a benefit on the last payday. */
  takesNothing(day: Day, name: string, benefit_name: string): void {
    this.#timeline.on(day, async (ctx) => {
      const page = await listStatements(ctx, this.#id('employer'), { limit: 1, page: 1 })
      const [statement] = (JSON.parse(page!) as z.output<typeof StatementPage>).data
      const key = { ...this.key(), statement_id: statement!.id }
      const taken = { employee_id: this.#id(name), benefit_name, taken_in_cents: 0 }
      await recordActuals(ctx, key, [NewActual.parse(taken)])
    })
  }

  /** The employer pays the invoice of the month of that day. */
  pays(day: Day): void {
    this.#timeline.on(day, async (ctx) => markInvoicePaid(ctx, await this.#invoice(ctx)))
  }

  /**
   * The operator voids the invoice of the month of that day, and has it drafted again from the facts known on that day.
   */
  redrafts(day: Day): void {
    this.#timeline.on(day, async (ctx) => {
      const invoice = await this.#invoice(ctx)
      await voidInvoice(ctx, invoice, 'Drafted before a change of the roster was reported.')
      await runInvoiceDay(ctx, invoice)
    })
  }

  hires(day: Day, name: string, date_of_birth: Day, start_date: Day, more: More = {}): void {
    const [first_name = '', last_name = ''] = name.split(' ')
    const email = `${first_name}.${last_name}@example.com`.toLowerCase()
    const reference_id = `${first_name[0]}${last_name[0]}-${date_of_birth.slice(0, 4)}`
    const hire = NewEmployee.parse({ first_name, last_name, email, date_of_birth, start_date, reference_id, ...more })
    this.#hired.push({
      first_name,
      last_name,
      email,
      date_of_birth,
      start_date,
      reference_id,
      employee_class: more.employee_class ?? 'Full Time',
    })
    this.#name(day, first_name, async (ctx) => (await hireEmployee(ctx, this.key(), hire)).id)
  }

  rehires(day: Day, name: string, more: More): void {
    const rehire = Rehire.parse({ start_date: day, ...more })
    this.#name(day, name, async (ctx) => rehireEmployee(ctx, await this.#employee(ctx, name), rehire))
  }

  changes(day: Day, name: string, input: More): void {
    const changes = EmployeeChanges.parse({ effective_date: day, ...input })
    this.#timeline.on(day, async (ctx) => changeEmployee(ctx, await this.#employee(ctx, name), changes))
  }

  /** The employer reports an employee's monthly wage starting on a day. */
  earns(day: Day, name: string, monthly_wage_in_cents: number): void {
    const wage = { monthly_wage_in_cents, effective_on: day }
    this.#timeline.record(day, { operation: 'employees_set_wage', fields: Object.keys(wage) }, async (ctx) => {
      const { employee_id } = await this.#employee(ctx, name)
      await saveWages(ctx, this.#timeline.organization_id, [{ ...wage, employee_id }])
      return employee_id
    })
  }

  loses(day: Day, name: string, termination_date: Day, reason: string): void {
    this.#timeline.on(day, async (ctx) =>
      terminateEmployee(ctx, await this.#employee(ctx, name), { termination_date, reason }),
    )
  }

  adds(day: Day, name: string, input: z.input<typeof NewDependent>): void {
    const dependent = NewDependent.parse(input)
    this.#name(day, dependent.first_name, async (ctx) => addDependent(ctx, await this.#employee(ctx, name), dependent))
  }

  ends(day: Day, dependent: string): void {
    this.#timeline.on(day, async (ctx) =>
      endDependent(ctx, (await locateDependent(ctx, { dependent_id: this.#id(dependent) }))!),
    )
  }

  /** An employee submits choices for benefits. */
  chooses(day: Day, name: string, choices: Choices): void {
    this.#timeline.on(day, async (ctx) => {
      const enrollments = await this.#enrollments(ctx, name)
      for (const [plan, choice] of Object.entries(choices)) {
        const { plan_id, benefit_id } = this.#catalog_ids.plans.get(plan)!
        const enrollment = enrollments.get(benefit_id)!
        if (choice === 'waived') await waiveEnrollment(ctx, enrollment, { reason: 'Covered elsewhere' })
        else await electEnrollment(ctx, enrollment, { plan_id, coverage_tier: choice, dependent_ids: undefined })
      }
    })
  }

  /** The operator enrolls an employee after the enrollment window. */
  corrects(day: Day, name: string, plan: string, reason: string): void {
    this.#timeline.on(day, async (ctx) => {
      const { plan_id, benefit_id } = this.#catalog_ids.plans.get(plan)!
      const enrollments = await this.#enrollments(ctx, name)
      const election = { plan_id, coverage_tier: 'EE' as const, dependent_ids: undefined }
      await correctEnrollment(ctx, enrollments.get(benefit_id)!, EnrollmentCorrection.parse({ reason, election }))
    })
  }

  /** An employee reports a life event, which is identified by its type. */
  reports(day: Day, name: string, input: z.input<typeof NewLifeEvent>): void {
    const event = NewLifeEvent.parse(input)
    this.#name(day, `${name}'s ${input.type}`, async (ctx) =>
      reportLifeEvent(ctx, await this.#employee(ctx, name), event),
    )
  }

  approves(day: Day, event: string): void {
    this.#timeline.on(day, async (ctx) => approveLifeEvent(ctx, await this.#lifeEvent(ctx, event)))
  }

  declines(day: Day, event: string, reason: string): void {
    this.#timeline.on(day, async (ctx) => declineLifeEvent(ctx, await this.#lifeEvent(ctx, event), reason))
  }

  /** Connects a payroll system, which maintains the roster starting on a day. */
  connects(day: Day, input: z.input<typeof NewHrisConnection>): void {
    const wanted = NewHrisConnection.parse(input)
    this.#name(day, 'connection', (ctx) => connectEmployer(ctx, this.key(), wanted))
  }

  /** The payroll system reports all hired people. */
  syncs(day: Day): void {
    this.answers(day, this.#hired)
  }

  /** The payroll system omits a person by mistake. */
  syncsWithout(day: Day, name: string): void {
    const others = this.#hired.filter(({ first_name }) => first_name !== name)
    this.answers(day, others)
  }

  losesAccess(day: Day): void {
    const error = new HrisError('access_lost', 'Finch rejected the access token. Let the employer sign in again.')
    this.answers(day, error)
  }

  /**
   * Sets the response of the payroll system to a sync, which starts now for files and was requested earlier otherwise.
   */
  answers(day: Day, answer: HrisPerson[] | HrisError): void {
    this.#timeline.on(day, async (ctx) => {
      this.#timeline.jobs.answers.set(this.#id('connection'), answer)
      await ctx.enqueue('collect_hris_files', {})
    })
  }

  pauses(day: Day): void {
    this.#timeline.on(day, (ctx) => pauseConnection(ctx, this.#connection()))
  }

  resumes(day: Day): void {
    this.#timeline.on(day, (ctx) => resumeConnection(ctx, this.#connection()))
  }

  /** Sets the people in the sandbox's fake payroll. */
  employs(day: Day, people: HrisPerson[]): void {
    this.#timeline.on(day, (ctx) => setSandboxPayroll(ctx, this.#connection(), SandboxPayroll.parse({ people })))
  }

  /** The latest enrollment of an employee in each benefit. */
  async #enrollments(ctx: Ctx, name: string): Promise<Map<string, EnrollmentKey>> {
    const page = await listEnrollments(ctx, this.#id(name), { limit: 100, page: 1 })
    const { data } = JSON.parse(page!) as z.output<typeof EnrollmentPage>
    const employee = { ...this.key(), employee_id: this.#id(name) }
    return new Map(data.map(({ id, benefit }) => [benefit.id, { ...employee, enrollment_id: id }] as const).reverse())
  }

  /** The invoice of the current month, which is the latest. */
  async #invoice(ctx: Ctx): Promise<InvoiceKey> {
    const { items } = (await listInvoices(ctx, this.#id('employer'), {
      limit: 1,
      include_drafts: true,
      statuses: [],
      period_from: null,
      period_to: null,
      after: undefined,
    }))!
    const { invoice_id } = JSON.parse(items) as z.output<typeof Invoice>
    return { ...this.key(), invoice_id }
  }

  /** The ids of the employer. Available after it has joined. */
  key(): EmployerKey {
    return { employer_id: this.#id('employer'), organization_id: this.#timeline.organization_id }
  }

  #connection(): ConnectionKey {
    return { ...this.key(), hris_connection_id: this.#id('connection') }
  }

  async #employee(ctx: Ctx, name: string): Promise<EmployeeKey> {
    return (await locateEmployee(ctx, { employee_id: this.#id(name) }))!
  }

  async #lifeEvent(ctx: Ctx, event: string): Promise<LifeEventKey> {
    return (await locateLifeEvent(ctx, { life_event_id: this.#id(event) }))!
  }

  #id(name: string): string {
    return this.#ids.get(name)!
  }

  #name(day: Day, name: string, action: (ctx: Ctx) => Promise<string>): void {
    this.#timeline.on(day, async (ctx) => void this.#ids.set(name, await action(ctx)))
  }
}
