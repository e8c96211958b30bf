import { randomUUID } from 'node:crypto'
import { runWholeDay } from '../modules/access/organizations/actions.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { addDays, addDaysTo, daysBetween, monthEnd, type Day } from '../kernel/days.ts'
import { payroll } from '../integrations/payroll/providers.ts'
import { HrisError, type HrisPerson, type HrisProvider } from '../integrations/payroll/provider.ts'
import type { Database, Db } from '../database/query/database.ts'
import { every_organization, scope_setting, scopeOf, type RowsOf } from '../database/query/rows-of.ts'
import { runLastStatements } from '../database/query/transactions.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../runtime/runtime.ts'

/**
 * These tasks do not run: rendering all PDFs would keep a machine busy right after its start. Each PDF is rendered when
 * it is opened.
 */
const drawn_when_opened = 'render_invoice'

/**
 * Tax forms are derived again after each change. A story derives them only today and when it needs them, because each
 * derivation replaces the one before. Otherwise this took a third of the time to seed the demo data.
 */
const derived_at_the_end = 'derive_forms'

/** Runs a nested transaction in the outer one and restores the scope afterwards. */
const within =
  (db: Db, outer: RowsOf): Database['transaction'] =>
  async (rows_of, work) => {
    if (scopeOf(rows_of) === scopeOf(outer)) return runLastStatements(await work(db))
    const setScope = (scope: string) => db.rows('select set_config($1, $2, true)', [scope_setting, scope])
    await setScope(scopeOf(rows_of))
    const result = await runLastStatements(await work(db))
    await setScope(scopeOf(outer))
    return result
  }

/**
 * The jobs of a story that is seeded in one transaction. They wait in memory and run within that transaction at the
 * time when the story needs them.
 */
export class Jobs {
  /** The next response of each payroll connection. Jobs of connections without one wait. */
  readonly answers = new Map<string, HrisPerson[] | HrisError>()
  readonly #runtime: Runtime
  readonly #tasks: Record<string, Task>
  readonly #rows_of: RowsOf
  readonly #waiting = new Map<string, { task: string; payload: object }>()

  /** `rows_of` are the organizations that the story's transaction may write. */
  constructor(runtime: Runtime, tasks: Record<string, Task>, rows_of: RowsOf = every_organization) {
    this.#runtime = runtime
    this.#tasks = tasks
    this.#rows_of = rows_of
  }

  readonly queueIn: Runtime['queueIn'] = () => {
    const add = (task: string, payload: object, key = `${task}:${JSON.stringify(payload)}`) => {
      if (task !== drawn_when_opened) this.#waiting.set(key, { task, payload })
    }
    return {
      enqueue: async (task, payload, options) => add(task, payload, options?.key),
      enqueueEach: async (task, jobs) => jobs.forEach(({ payload, key }) => add(task, payload, key)),
    }
  }

  /**
   * Runs all waiting jobs and the jobs they add, at the time and in the transaction of a context. Tax forms are only
   * derived `with_forms`.
   */
  async run(then: Ctx, { with_forms }: { with_forms: boolean }): Promise<void> {
    const runtime = this.#runtimeAt(then)
    for (const [key, { task, payload }] of this.#waiting) {
      if (task === derived_at_the_end && !with_forms) continue
      if ('connection_id' in payload && !this.answers.has(payload.connection_id as string)) continue
      this.#waiting.delete(key)
      await this.#tasks[task]!(runtime, payload)
    }
  }

  #runtimeAt({ db, now }: Ctx): Runtime {
    const source = this.#payroll
    return {
      ...this.#runtime,
      database: { ...this.#runtime.database, reads: () => db, transaction: within(db, this.#rows_of) },
      clock: () => Date.parse(now),
      queueIn: this.queueIn,
      integrations: new Map(this.#runtime.integrations).set(payroll, { finch: source, csv: source, sandbox: source }),
    }
  }

  readonly #payroll: HrisProvider = {
    fetch: async ({ connection_id }) => {
      const answer = this.answers.get(connection_id)!
      this.answers.delete(connection_id)
      if (answer instanceof HrisError) throw answer
      return answer
    },
    listWaiting: async () => [...this.answers.keys()],
  }
}

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
 * and on days added with `turns`. The jobs of earlier actions have ended when an action runs.
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
        await this.jobs.run(then, { with_forms: day === this.today })
      }
    }
  }
}

/** The first day of the following month. */
export const nextMonth = (day: Day): Day => addDays(monthEnd(day), 1)
