import fc from 'fast-check'
import { addDays, type Day } from '../../kernel/days.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { amendPlanYear, withdrawAmendment } from '../../modules/coverage/amendments/actions.ts'
import { locateAmendment } from '../../modules/coverage/amendments/queries.ts'
import type { NewAmendment } from '../../modules/coverage/amendments/schemas.ts'
import { electEnrollment, waiveEnrollment } from '../../modules/coverage/elections/actions.ts'
import { reinstateEmployee } from '../../modules/roster/employee-corrections/actions.ts'
import { terminateEmployee } from '../../modules/roster/employees/actions.ts'
import { administerEmployer, endSubscription, grantSubscription } from '../../modules/directory/employers/actions.ts'
import { bookManualAdjustment } from '../../modules/coverage/manual-adjustments/actions.ts'
import { NewManualAdjustment } from '../../modules/coverage/manual-adjustments/schemas.ts'
import { copyPlanYear } from '../../modules/coverage/plan-years/actions.ts'
import { locatePlanYear } from '../../modules/coverage/plan-years/queries.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { theEmployee, theEmployer, theEnrollment } from '../fixtures.ts'
import { pick } from '../pick.ts'
import { benefits, catalogPrice, ModelEmployer, ModelYear, plans, type Benefit, type Plan } from './year-model.ts'

/** Random years of employers. The engine performs each action, and the model receives those that succeed. */

export const first_day = '2026-01-05'
export const people = ['a', 'b', 'c', 'd']
export const months = Array.from({ length: 18 }, (_, at) =>
  Temporal.PlainDate.from('2026-01-01').add({ months: at }).toString(),
)

/** The number of attempts of each action in a history. */
const often = {
  reprice: 3,
  contribute: 3,
  close: 2,
  end: 1,
  withdraw: 3,
  answer: 4,
  terminate: 2,
  reinstate: 2,
  leave: 1,
  resume: 1,
  take_over: 1,
  book: 1,
}
type Kind = keyof typeof often
export const kinds = Object.keys(often) as Kind[]

/** The parameters of an action: a person, a number of days, and a choice among the options. */
export const details = fc.record({
  who: fc.nat(people.length - 1),
  days: fc.integer({ min: -45, max: 30 }),
  choice: fc.nat(1000),
})
export type Details = typeof details extends fc.Arbitrary<infer T> ? T : never
export type Action = { kind: Kind } & Details

const tried = kinds.flatMap((kind) => Array.from({ length: often[kind] }, () => kind))
/** All actions in a random order. Three of four employers that leave try to return soon after. */
const actions = fc
  .tuple(
    fc.shuffledSubarray(tried, { minLength: tried.length }),
    fc.array(details, { minLength: tried.length, maxLength: tried.length }),
    fc.nat(3),
  )
  .map(([order, input, stays_away]) => {
    const others: Kind[] = order.filter((kind) => kind !== 'resume')
    const resumes_at = stays_away ? others.indexOf('leave') + 1 : 0
    return others.toSpliced(resumes_at, 0, 'resume').map((kind, at): Action => ({ kind, ...input[at]! }))
  })

export const history = fc.record({
  /** Two of three steps have an action. */
  actions,
  window_months: fc.constantFrom(12, 12, 12, 3),
  elected: fc.array(fc.constantFrom('silver', 'silver', 'bronze', null), { minLength: 4, maxLength: 4 }),
  dental: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  renews_on: fc.constantFrom('2026-10-05', '2026-11-04', '2026-12-04'),
  has_window: fc.boolean(),
  has_successor: fc.boolean(),
})
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never

export const capital = (plan: string) => plan[0]!.toUpperCase() + plan.slice(1)
export const rows = (Object.keys(plans) as Plan[]).flatMap((plan) =>
  Array.from({ length: 24 }, (_, at) => {
    const effective_on = Temporal.PlainDate.from('2026-01-01').add({ months: at }).toString()
    const medical = { carrier: 'Evergreen Health', product_code: 'MVP', benefit: 'Year Medical' }
    const dental = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Year Dental' }
    const of = plans[plan] === 'medical' ? medical : dental
    const premium_in_cents = catalogPrice(plan, effective_on)
    return { ...of, plan: `Year ${capital(plan)}`, coverage_tier: 'EE', premium_in_cents, effective_on }
  }),
)

export const benefit_ids = {} as Record<Benefit, string>
export const plan_ids = {} as Record<Plan, string>
export const contributed = (percentage: number) => [
  { coverage_tier: null, method: 'percentage' as const, percentage: percentage / 10 },
]
export const opened_at: Record<Benefit, number> = { medical: 625, dental: 333 }

/** An employer of the test with its model. */
export class Position {
  readonly history: History
  readonly employer_id: string
  readonly ids = new Map<string, string>()
  readonly year_ids: string[]
  readonly model: ModelEmployer
  due_on: Day | null = null
  is_renewed = false
  successor = false
  /** By person and benefit, the last possible day of coverage in the previous plan year at the last step. */
  readonly #ends = new Map<string, string>()

  constructor(history: History, employer_id: string, plan_year_id: string) {
    this.history = history
    this.employer_id = employer_id
    this.year_ids = [plan_year_id]
    const year = new ModelYear('2026-01-01', '2026-12-31', ['silver', 'bronze', 'ppo'], opened_at)
    this.model = new ModelEmployer(year, first_day)
  }

  keys = (): [string, Benefit][] => people.flatMap((person) => benefits.map((one): [string, Benefit] => [person, one]))

  /** The keys whose coverage in the previous plan year ends on another day than at the last call. */
  moved(): Set<string> {
    const [year, next] = this.model.years as [ModelYear, ModelYear | undefined]
    const moved = new Set<string>()
    for (const [person, benefit] of this.keys()) {
      const key = `${person} ${benefit}`
      const end = this.model.lastCovered(year, person, benefit)
      const last = this.model.lastDayOf(person)
      const theirs = `${end} ${next && last && last < next.end ? last : ''}`
      if (this.#ends.get(key) !== theirs) moved.add(key)
      this.#ends.set(key, theirs)
    }
    return moved
  }

  /**
   * Renews the coverage of people who were covered on the last day, have not submitted, are still eligible, and are
   * offered the plan or its successor. Also runs on later days for people who become eligible again.
   */
  renew(keys: Iterable<string>, today: Day): void {
    const [year, next] = this.model.years as [ModelYear, ModelYear]
    for (const key of keys) {
      const [person, benefit] = key.split(' ') as [string, Benefit]
      if (next.held(key)?.answered || addDays(year.end, 1) !== next.start) continue
      const last = this.model.lastDayOf(person)
      if ((last !== null && last < next.start) || this.model.hasLost(person, today)) continue
      const had = this.model.covering(year, person, benefit, year.end)
      const plan = had === 'silver' && this.successor ? 'gold' : had
      if (plan && next.offers(plan, next.start)) next.answer(key, 'renewed', plan)
    }
  }
}

export const counts = new Map<string, number>()
const note = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1)

/** Attempts an action and returns whether it succeeded. A refused action has no effect. */
export async function attempt(ctx: Ctx, kind: string, work: () => Promise<boolean>): Promise<boolean> {
  let is_done = false
  await ctx.db.rows('savepoint action')
  try {
    is_done = await work()
    if (is_done) note(kind)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.db.rows('rollback to savepoint action')
  }
  await ctx.db.rows('release savepoint action')
  return is_done
}

const keyOfYear = async (ctx: Ctx, id: string) => (await locatePlanYear(ctx, { benefit_plan_year_id: id }))!

/** The plan year of an action: the first as long as it runs, and sometimes the next. */
const yearOf = (position: Position, today: Day, choice: number) =>
  today >= '2027-01-01' || (position.year_ids.length === 2 && choice % 3 === 0) ? position.year_ids.length - 1 : 0

/** Whether a fact about the first plan year may affect months outside the correction window of invoices. */
const isClosed = (position: Position, today: Day): boolean => today >= '2027-01-01' && position.year_ids.length === 1

/** A first of a month in a plan year, or the first day of the plan year. */
function dayIn(year: ModelYear, choice: number): Day {
  const firsts = [year.start, ...months.filter((month) => year.start < month && month <= year.end)]
  return firsts[choice % firsts.length]!
}

async function amend(
  ctx: Ctx,
  position: Position,
  at: number,
  input: ModelYear['amendments'][number]['input'],
): Promise<boolean> {
  if (isClosed(position, ctx.today)) return false
  const subject = {
    ...('reprices' in input && { repriced_plan_ids: input.reprices.map((plan) => plan_ids[plan]) }),
    ...('contributes' in input && {
      contributions: [
        { benefit_id: benefit_ids[input.contributes], contribution_tiers: contributed(input.percentage) },
      ],
    }),
    ...('closes' in input && { closed_plan_ids: [plan_ids[input.closes]] }),
    ...('coverage_end' in input && { coverage_end: input.coverage_end }),
  }
  const key = await keyOfYear(ctx, position.year_ids[at]!)
  const body = { effective_on: input.effective_on, reason: 'Random', ...subject } as NewAmendment
  const id = await amendPlanYear(ctx, key, body)
  position.model.years[at]!.amendments.push({ id, input, withdrawn: false })
  return true
}

/** A person's enrollments without a submission, by plan year and benefit. */
export const answerable = (ctx: Ctx, employee_id: string) =>
  ctx.db.rows<{ id: string; plan_year_id: string; benefit_id: string }>(
    `select enrollment.id, plan_year_id, benefit_id from enrollments as enrollment
       join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where employee_id = $1 and answer is null and coalesce(inactive_on > $2, true)
      order by year.coverage_start, benefit_id, enrollment.id`,
    [employee_id, ctx.today],
  )

/** Withdraws the last active amendment of a plan year. False if no amendment can be withdrawn. */
async function withdrawLast(ctx: Ctx, position: Position, at: number): Promise<boolean> {
  const { last } = position.model.years[at]!
  if (!last) return false
  const key = { benefit_plan_year_id: position.year_ids[at]!, amendment_id: last.id }
  await withdrawAmendment(ctx, (await locateAmendment(ctx, key))!, 'Random')
  last.withdrawn = true
  return true
}

/** Possible go-live days of an employer for which all months are within the correction window of invoices. */
const go_live_days = [null, '2026-01-01', '2026-02-01', '2026-03-15', '2026-06-01', '2026-08-31']
export const last_take_over = '2026-12-31'

export async function takeOver(ctx: Ctx, position: Position, administered_from: Day | null): Promise<boolean> {
  if (ctx.today > last_take_over || administered_from === position.model.administered_from) return false
  await administerEmployer(ctx, await theEmployer(ctx, position.employer_id), { administered_from })
  position.model.administered_from = administered_from
  return true
}

export const does: Record<Action['kind'], (ctx: Ctx, position: Position, action: Action) => Promise<boolean>> = {
  reprice: async (ctx, position, { choice, days }) => {
    const at = yearOf(position, ctx.today, choice)
    const year = position.model.years[at]!
    const all = year.offered(year.start)
    const reprices = days % 3 === 0 ? all : [all[choice % all.length]!]
    return amend(ctx, position, at, { effective_on: dayIn(year, choice), reprices })
  },
  contribute: async (ctx, position, { choice }) => {
    const at = yearOf(position, ctx.today, choice)
    const input = { contributes: benefits[choice % 2]!, percentage: choice }
    return amend(ctx, position, at, { effective_on: dayIn(position.model.years[at]!, choice), ...input })
  },
  close: async (ctx, position, { choice }) => {
    const at = yearOf(position, ctx.today, choice)
    const year = position.model.years[at]!
    const medical = year.offered(year.start).filter((plan) => plans[plan] === 'medical')
    return amend(ctx, position, at, { effective_on: dayIn(year, choice), closes: medical[choice % medical.length]! })
  },
  // Changing the end is possible only before the next plan year exists.
  end: async (ctx, position, { choice }) => {
    if (position.year_ids.length > 1) return false
    const coverage_end = ['2026-09-15', '2026-10-31', '2026-11-30', '2026-12-31'][choice % 4]!
    if (coverage_end <= ctx.today) return false
    return amend(ctx, position, 0, { effective_on: dayIn(position.model.years[0]!, choice % 6), coverage_end })
  },
  withdraw: async (ctx, position, { choice }) => {
    const at = yearOf(position, ctx.today, choice)
    return !isClosed(position, ctx.today) && withdrawLast(ctx, position, at)
  },
  answer: async (ctx, position, { who, choice }) => {
    const person = people[who]!
    const found = await answerable(ctx, position.ids.get(person)!)
    const one = found[choice % Math.max(1, found.length)]
    if (!one) return false
    const year = position.model.years[position.year_ids.indexOf(one.plan_year_id)]!
    const benefit = pick([...benefits], (name) => benefit_ids[name] === one.benefit_id)
    const choices = year.offered(year.end).filter((plan) => plans[plan] === benefit)
    const plan = choice % 5 === 0 ? null : choices[choice % choices.length]!
    const key = await theEnrollment(ctx, one.id)
    if (plan === null) await waiveEnrollment(ctx, key, { reason: undefined })
    else
      await electEnrollment(ctx, key, {
        plan_id: plan_ids[plan],
        coverage_tier: 'EE',
        dependent_ids: undefined,
      } as never)
    year.answer(`${person} ${benefit}`, one.id, plan)
    return true
  },
  terminate: async (ctx, position, { who, days }) => {
    const [person, termination_date] = [people[who]!, addDays(ctx.today, days)]
    await terminateEmployee(ctx, await theEmployee(ctx, position.ids.get(person)!), {
      termination_date,
      reason: undefined,
    })
    position.model.terminated.set(person, termination_date)
    return true
  },
  reinstate: async (ctx, position, { who }) => {
    const gone = people.filter((one) => position.model.terminated.has(one))
    const person = gone[who % Math.max(1, gone.length)]
    if (!person) return false
    await reinstateEmployee(ctx, await theEmployee(ctx, position.ids.get(person)!), { reason: undefined })
    position.model.terminated.delete(person)
    return true
  },
  leave: async (ctx, position, { days }) => {
    const ended_on = addDays(ctx.today, Math.max(0, days))
    await endSubscription(ctx, await theEmployer(ctx, position.employer_id), ended_on)
    position.model.subscriptions.at(-1)!.ended_on = ended_on
    return true
  },
  resume: async (ctx, position) => {
    const { subscriptions } = position.model
    if (!position.model.mayResume(ctx.today)) return false
    const started_on = [subscriptions.at(-1)!.ended_on!, ctx.today].sort()[1]!
    await grantSubscription(ctx, await theEmployer(ctx, position.employer_id), started_on)
    subscriptions.push({ started_on, ended_on: null })
    return true
  },
  take_over: (ctx, position, { choice }) => takeOver(ctx, position, go_live_days[choice % go_live_days.length]!),
  book: async (ctx, position, { who, choice }) => {
    const [one] = await ctx.db.rows<{ id: string }>(
      `select enrollment.id from enrollments as enrollment
         join benefit_plan_years as year on year.id = enrollment.plan_year_id
        where employee_id = $1 order by year.coverage_start, benefit_id, enrollment.id limit 1`,
      [position.ids.get(people[who]!)!],
    )
    const employee_deduction_in_cents = (choice % 2 ? 1 : -1) * (choice + 1)
    const input = NewManualAdjustment.parse({ month: '2024-07', employee_deduction_in_cents, reason: 'Random' })
    await bookManualAdjustment(ctx, await theEnrollment(ctx, one!.id), input)
    position.model.booked_in_cents += employee_deduction_in_cents
    return true
  },
}

/**
 * Copies the plan year: the plans offered on the last day, at the prices of its first day, and perhaps Gold for Silver.
 */
export async function copy(ctx: Ctx, position: Position): Promise<boolean> {
  const { has_window, has_successor } = position.history
  const former = position.model.years[0]!
  const start = addDays(former.end, 1)
  if (start <= ctx.today) return false
  const offered = former.offered(former.end)
  const successor = has_successor && offered.includes('silver')
  const window = { open_enrollment_start: addDays(ctx.today, 8), open_enrollment_end: addDays(ctx.today, 24) }
  return attempt(ctx, 'copy', async () => {
    const id = await copyPlanYear(ctx, await keyOfYear(ctx, position.year_ids[0]!), {
      ...(has_window && window),
      ...(successor && { plan_successors: { [plan_ids.silver]: plan_ids.gold } }),
    } as never)
    position.year_ids.push(id)
    position.successor = successor
    position.due_on = has_window ? addDays(window.open_enrollment_end, 1) : start
    const next = offered.map((plan) => (plan === 'silver' && successor ? 'gold' : plan))
    const percentages = {
      medical: former.percentage('medical', former.end),
      dental: former.percentage('dental', former.end),
    }
    const end = addDays(Temporal.PlainDate.from(start).add({ years: 1 }).toString(), -1)
    position.model.years.push(new ModelYear(start, end, next, percentages))
    return true
  })
}
