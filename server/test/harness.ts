import { afterAll, beforeAll, inject } from 'vitest'
import { buildApp } from '../app.ts'
import { tasks } from '../worker-tasks.ts'
import { runDays } from '../daily-run.ts'
import { openRounds, type Rounds } from '../modules/events/webhook-deliveries/background.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { serviceCaller } from '../runtime/caller.ts'
import type { Database, Db } from '../database/query/database.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import type { OutboundOptions } from '../integrations/outbound/outbound.ts'
import { runWaitingJobs } from './service/waiting-jobs.ts'
import { inTransaction, type Runtime } from '../runtime/runtime.ts'
import { type Story, seedStory } from '../sandbox/story.ts'
import { citus } from '../database/citus/citus.ts'
import { openCopy } from './postgres/database-copies.ts'
import { runAtEach, disconnectClients } from './postgres/sharding.ts'
import { unscopedTransaction, unscopedQueries } from './postgres/sharded-queries.ts'
import { addressOf, run } from './setup.ts'
import { ApiResponse, type BodyOf } from './response.ts'
import { noon, testRuntime } from './runtime.ts'
import { easternDay } from '../kernel/days.ts'
import pg from 'pg'
import { Agent, interceptors, request, type Dispatcher } from 'undici'

export type CallOptions = {
  /** An API key or token. Default: Harbor's key. Null for none. */
  key?: string | null
  body?: unknown
  /** Sent unchanged in place of `body`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

/** The tasks of the daily run. */
const daily_runs = { run_day: tasks.run_day! }

/** A superuser's connections, which see all rows. `reads` has unmodified reads. */
type StatementWatch = Database & { reads: Db }

function checking(database: Database): StatementWatch {
  const reads = database.reads(every_organization)
  return database.distribution
    ? unscopedQueries(database, reads)
    : { ...database, reads: Object.assign(database.reads, reads) }
}

export type Api = {
  url: string
  /** The organizations that always exist. With `with_story`, the organizations of the sandbox. */
  story: Story
  /** A key of an owner. */
  operator_key: string
  /** Connections as a superuser, to inspect and change any data. */
  database: StatementWatch
  /** The service, with the role that serves. */
  runtime: Runtime
  call<M extends string, P extends string>(
    method: M,
    path: P,
    options?: CallOptions,
  ): Promise<ApiResponse<BodyOf<M, P>>>
  get<P extends string>(path: P, options?: CallOptions): Promise<ApiResponse<BodyOf<'GET', P>>>
  post<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<ApiResponse<BodyOf<'POST', P>>>
  put<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<ApiResponse<BodyOf<'PUT', P>>>
  patch<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<ApiResponse<BodyOf<'PATCH', P>>>
  /** Moves the clock to noon in New York on a day. */
  moveTo(day: string): void
  /** Advances the clock by milliseconds. */
  wait(ms: number): void
  /** Runs all waiting jobs. */
  work(): Promise<void>
  /** Delivers webhooks until none is due. */
  deliver(): Promise<void>
  /** Runs all days up to the clock's, like the hourly schedule. */
  runDays(): Promise<void>
  /** Runs an action as the service itself. */
  act<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>
  /** The events of a resource, in order. */
  events(resource_id: string): Promise<string[]>
}

export type ApiOptions = {
  rate_limit?: { per_minute: number; burst: number }
  /** The rate of immediate refusals. Unlimited by default. */
  refusal_limit?: { per_second: number; burst: number }
  cors_origins?: string[]
  trusted_proxies?: string[]
  /** The addresses that webhooks may reach. By default, only public ones. */
  outbound?: OutboundOptions
  /** The number of connections for transactions, by default 24, so that tests may hold some. */
  write_connections?: number
  /** The time for which requests wait for locks. */
  timeout_ms?: number
  /** Starts with the data of the sandbox, on the usual day or today, and sets the clock to it. */
  with_story?: 'usual_day' | 'today'
  /** Sets the clock to a day before the usual one. Daily runs start on that day. */
  begins_on?: string
}

/**
 * Serves the API over HTTP on a database with the rows of the template, for the tests of one file. The clock shows noon
 * in New York on March 10, 2026 until a test moves it. A test about earlier days must set `begins_on`: moving the clock
 * back does not repeat days that were already run.
 */
export function useApi(options: ApiOptions = {}): Api {
  const api = {} as Api
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => void Object.assign(api, await openApi(options, closing)))
  afterAll(async () => {
    for (const close of closing) await close()
  })
  return api
}

async function openApi(options: ApiOptions, closing: (() => Promise<unknown>)[]): Promise<Api> {
  let now = options.with_story === 'today' ? Date.now() : noon(options.begins_on ?? '2026-03-10')
  const { template, story } = options.with_story
    ? await storyTemplate(easternDay(now).replaceAll('-', '_'), now)
    : { template: inject('template'), story: inject('story') }
  const copy = await openCopy(template, options)
  if (options.begins_on) await run(copy.url, `update organizations set daily_run_on = '${options.begins_on}'`)
  const runtime = testRuntime(copy.served, inject('secret_keys'), () => now, options.outbound)
  const app = await buildApp(runtime, {
    cors_origins: options.cors_origins ?? [],
    rate_limit: options.rate_limit ?? { per_minute: 600, burst: 100 },
    refusal_limit: options.refusal_limit ?? { per_second: 100_000, burst: 100_000 },
    trusted_proxies: options.trusted_proxies ?? [],
    ...(options.with_story && { story }),
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(
    () => app.close(),
    () => runtime.outbound.close(),
    () => copy.release(),
  )
  return {
    url,
    story,
    operator_key: story.operator_key,
    database: checking(copy.database),
    runtime,
    ...callsOf(caller(url, story.api_key)),
    ...actionsOf(runtime),
    moveTo: (day) => void (now = noon(day)),
    wait: (ms) => void (now += ms),
  }
}

const callsOf = (call: Api['call']): Pick<Api, 'call' | 'get' | 'post' | 'put' | 'patch'> => ({
  call,
  get: (path, more) => call('GET', path, more),
  post: (path, body, more) => call('POST', path, { body, ...more }),
  put: (path, body, more) => call('PUT', path, { body, ...more }),
  patch: (path, body, more) => call('PATCH', path, { body, ...more }),
})

const actionsOf = (runtime: Runtime): Pick<Api, 'work' | 'deliver' | 'runDays' | 'act' | 'events'> => ({
  work: () => runWaitingJobs(runtime, tasks),
  deliver: () => deliverAll(openRounds(runtime)),
  runDays: async () => {
    await runDays(runtime)
    await runWaitingJobs(runtime, daily_runs)
  },
  act: (work) => inTransaction(runtime, serviceCaller(null), (ctx) => work(unscopedTransaction(ctx))),
  events: async (resource_id) => {
    const rows = await runtime.database
      .reads(every_organization)
      .rows<{ event_name: string }>('select event_name from webhook_events where resource_id = $1 order by sequence', [
        resource_id,
      ])
    return rows.map((row) => row.event_name)
  },
})

/** Sends all due webhooks until no attempt is in progress. */
export async function deliverAll({ run, under_way }: Rounds): Promise<void> {
  for (;;) {
    const end = await run('deliver')
    if (under_way.size > 0) await Promise.race(under_way)
    else if (end === 'round_found_nothing') return
  }
}

/** The address of the database for the role that serves, for a separate worker. */
export async function urlOf({ database }: Api): Promise<string> {
  const { name } = (await database.reads.row<{ name: string }>('select current_database() as name'))!
  return addressOf(inject('maintenance_url'), name)
}

const waiting_there = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** The number of waiting writes: for a lock on any server, or for their turn to wait for one. */
export async function countWaiting({ database, runtime }: Api): Promise<number> {
  const workers = `(select sum(result::bigint) from run_command_on_workers($there$${waiting_there}$there$))`
  const { count } = (await database.reads.row<{ count: number }>(
    `select (${waiting_there})${database.distribution ? ` + ${workers}` : ''} as count`,
  ))!
  return Number(count) + runtime.database.lock_queue.waiting()
}

/** The connections of all requests. Redirects are followed as `fetch` does, at a third of its processor time. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: 20 }))

/** Sends requests as a partner would. */
function caller(url: string, default_key: string): Api['call'] {
  return async <M extends string, P extends string>(method: M, path: P, options: CallOptions = {}) => {
    const { key = default_key, body, raw, headers = {} } = options
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await request(url + path, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    })
    const received = {
      status: response.statusCode,
      headers: new Headers(response.headers as Record<string, string>),
    }
    return new ApiResponse<BodyOf<M, P>>(`${method} ${path}`, received, await response.body.text())
  }
}

/**
 * Returns a database with the data of the sandbox up to a moment, to be copied, and its keys. The first test file that
 * needs it creates it, and others wait. `name` identifies the day.
 */
async function storyTemplate(name: string, now: number): Promise<{ template: string; story: Story }> {
  const maintenance_url = inject('maintenance_url')
  const servers = inject('servers')
  const template = `${inject('template')}_${name}`
  const client = new pg.Client({ connectionString: maintenance_url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rows } = await client.query<{ keys: string | null }>(
      `select shobj_description(oid, 'pg_database') as keys from pg_database where datname = $1`,
      [template],
    )
    if (rows[0]?.keys) return { template, story: JSON.parse(rows[0].keys) as Story }
    await runAtEach(servers, `create database ${template} template ${inject('template')} strategy file_copy`)
    const database = openDatabase({
      url: addressOf(maintenance_url, template),
      distribution: servers.length > 1 ? citus : undefined,
    })
    const story = await seedStory(
      testRuntime(database, inject('secret_keys'), () => now),
      tasks,
    )
    await database.close()
    await disconnectClients(servers, template)
    // The comment is written last: it marks the database as complete.
    await client.query(`comment on database ${template} is ${pg.escapeLiteral(JSON.stringify(story))}`)
    return { template, story }
  } finally {
    await client.end()
  }
}
