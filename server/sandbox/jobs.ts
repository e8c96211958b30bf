import { payroll } from '../integrations/payroll/providers.ts'
import { HrisError, type HrisPerson, type HrisProvider } from '../integrations/payroll/provider.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Database, Db } from '../database/query/database.ts'
import { every_organization, scope_setting, scopeOf, type RowsOf } from '../database/query/rows-of.ts'
import { endOneByOne } from '../database/query/transactions.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from '../runtime/runtime.ts'

/**
 * These tasks do not run: rendering all PDFs would keep a machine busy right after its start. Each PDF is rendered when
 * it is opened.
 */
const drawn_when_opened = 'render_invoice'

/** Runs a nested transaction in the outer one and restores the scope afterwards. */
const within =
  (db: Db, outer: RowsOf): Database['transaction'] =>
  async (rows_of, work) => {
    if (scopeOf(rows_of) === scopeOf(outer)) return endOneByOne(await work(db))
    const setScope = (scope: string) => db.rows('select set_config($1, $2, true)', [scope_setting, scope])
    await setScope(scopeOf(rows_of))
    const result = await endOneByOne(await work(db))
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

  /** Runs all waiting jobs and the jobs they add, at the time and in the transaction of a context. */
  async run(then: Ctx): Promise<void> {
    const runtime = this.#runtimeAt(then)
    for (const [key, { task, payload }] of this.#waiting) {
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
