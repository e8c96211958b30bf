import { randomUUID } from 'node:crypto'
import { runWholeDay } from '../modules/access/organizations/actions.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, addDaysTo, daysBetween, monthEnd, type Day } from '../kernel/days.ts'
import type { Jobs } from './jobs.ts'

/** Something that happened: done with the context as it was on its day. */
export type Action = (ctx: Ctx) => Promise<unknown>

/** A request of the interface as which something was done: its operation, and the fields that it sent. */
type Requested = { operation: string; fields: string[] }

/** One that was done: what it made or changed, and its trace. */
export type Request = Requested & { resource_id: string | null; trace_id: string }

/** The context as it was at the same time of an earlier day. */
export function onDay(ctx: Ctx, day: Day): Ctx {
  const instant = addDaysTo(Date.parse(ctx.now), daysBetween(ctx.today, day))
  return { ...ctx, today: day, now: new Date(instant).toISOString() }
}

/**
 * What happened in an organization up to today. It may be written down employer by employer; it is told in the order
 * of the days. In between those days turn on which time alone does something: the first of each month, when coverage
 * begins and has ended, and others that are named. What happens next relies on the jobs of what happened before.
 */
export class Timeline {
  readonly organization_id: string
  readonly today: Day
  readonly jobs: Jobs
  readonly #ctx: Ctx
  readonly #actions: { day: Day; action: Action }[] = []
  /** What was done as a request of a partner. */
  readonly requests: Request[] = []
  readonly #turns: Set<Day>

  constructor(ctx: Ctx, jobs: Jobs, organization_id: string) {
    this.organization_id = organization_id
    this.today = ctx.today
    this.jobs = jobs
    this.#ctx = { ...ctx, caller: serviceCaller(organization_id) }
    this.#turns = new Set([ctx.today])
  }

  readonly ago = (days: number): Day => addDays(this.today, -days)

  /** A day that every month has, of a month counted from the present one: (-1, 15) is the 15th of last month. */
  readonly day = (months: number, day: number): Day =>
    Temporal.PlainDate.from(this.today).with({ day: 1 }).add({ months }).with({ day }).toString()

  /** Adds what happened on a day, after what is known of that day. */
  on(day: Day, action: Action): void {
    this.#actions.push({ day, action })
  }

  /** The same of what a partner asked for; the action returns the id of what it made or changed. */
  asked(day: Day, requested: Requested, action: (ctx: Ctx) => Promise<string>): void {
    this.on(day, async (ctx) => {
      const trace_id = randomUUID()
      const resource_id = await action({ ...ctx, trace_id })
      this.requests.push({ ...requested, resource_id, trace_id })
    })
  }

  /** Adds a day on which time alone does something. */
  readonly turns = (day: Day): void => {
    if (day <= this.today) this.#turns.add(day)
  }

  async tell(): Promise<void> {
    const turn: Action = (then) => runWholeDay(then, this.organization_id)
    const told = Map.groupBy(this.#actions, ({ day }) => day)
    const [begin] = [...told.keys()].sort()
    for (let day = nextMonth(begin!); day <= this.today; day = nextMonth(day)) this.#turns.add(day)
    for (const day of [...new Set([...told.keys(), ...this.#turns])].sort()) {
      const then = onDay(this.#ctx, day)
      const actions = (told.get(day) ?? []).map(({ action }) => action)
      for (const action of this.#turns.has(day) ? [turn, ...actions] : actions) {
        await action(then)
        await this.jobs.run(then)
      }
    }
  }
}

/** The first day of the month after. */
export const nextMonth = (day: Day): Day => addDays(monthEnd(day), 1)
