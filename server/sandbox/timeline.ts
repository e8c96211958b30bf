import { randomUUID } from 'node:crypto'
import { runWholeDay } from '../modules/access/organizations/actions.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, addDaysTo, daysBetween, monthEnd, type Day } from '../kernel/days.ts'
import type { Jobs } from './jobs.ts'

/** An action, called with the context of its day. */
export type Action = (ctx: Ctx) => Promise<unknown>

/** The API request that an action represents: its operation and the fields in its body. */
type Requested = { operation: string; fields: string[] }

/** A completed request: the resource that it created or changed, and its trace. */
export type Request = Requested & { resource_id: string | null; trace_id: string }

/** Returns the context at the same time of an earlier day. */
export function onDay(ctx: Ctx, day: Day): Ctx {
  const instant = addDaysTo(Date.parse(ctx.now), daysBetween(ctx.today, day))
  return { ...ctx, today: day, now: new Date(instant).toISOString() }
}

/**
 * The history of an organization up to today. Actions may be added in any order, such as employer by employer, and run
 * in the order of their days. The daily run also runs on the first of each month, when coverage begins and has ended,
 * and on days added with `turns`. Each action finds the jobs of earlier ones done.
 */
export class Timeline {
  readonly organization_id: string
  readonly today: Day
  readonly jobs: Jobs
  readonly #ctx: Ctx
  readonly #actions: { day: Day; action: Action }[] = []
  /** The actions that represent requests of a partner. */
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

  /**
   * A day of a month relative to the current one: (-1, 15) is the 15th of last month. `day` must exist in every month.
   */
  readonly day = (months: number, day: number): Day =>
    Temporal.PlainDate.from(this.today).with({ day: 1 }).add({ months }).with({ day }).toString()

  /** Adds an action on a day, after those already added for it. */
  on(day: Day, action: Action): void {
    this.#actions.push({ day, action })
  }

  /** Adds an action that represents a request of a partner. The action returns the id of the resource. */
  record(day: Day, requested: Requested, action: (ctx: Ctx) => Promise<string>): void {
    this.on(day, async (ctx) => {
      const trace_id = randomUUID()
      const resource_id = await action({ ...ctx, trace_id })
      this.requests.push({ ...requested, resource_id, trace_id })
    })
  }

  /** Adds a day on which the daily run runs. */
  readonly turns = (day: Day): void => {
    if (day <= this.today) this.#turns.add(day)
  }

  async run(): Promise<void> {
    const turn: Action = (then) => runWholeDay(then, this.organization_id)
    const actions_by_day = Map.groupBy(this.#actions, ({ day }) => day)
    const [begin] = [...actions_by_day.keys()].sort()
    for (let day = nextMonth(begin!); day <= this.today; day = nextMonth(day)) this.#turns.add(day)
    for (const day of [...new Set([...actions_by_day.keys(), ...this.#turns])].sort()) {
      const then = onDay(this.#ctx, day)
      const actions = (actions_by_day.get(day) ?? []).map(({ action }) => action)
      for (const action of this.#turns.has(day) ? [turn, ...actions] : actions) {
        await action(then)
        await this.jobs.run(then)
      }
    }
  }
}

/** The first day of the following month. */
export const nextMonth = (day: Day): Day => addDays(monthEnd(day), 1)
