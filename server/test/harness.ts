import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { buildApp } from '../app.ts'
import { tasks, runDays } from '../modules.ts'
import { openRounds, type Rounds } from '../modules/events/webhook-deliveries/background.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { serviceCaller } from '../runtime/caller.ts'
import { openDatabase, type Database, type Db } from '../database/query/database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import type { OutboundOptions } from '../integrations/outbound/outbound.ts'
import { databaseUrl } from '../../packages/embedded-postgres/cluster.ts'
import { workOff } from '../jobs/worker.ts'
import { inTransaction, type Runtime } from '../runtime/runtime.ts'
import type { Story } from '../sandbox/story.ts'
import { runAtEach } from './divided.ts'
import { lookingInside, lookingOver, withAnyTrigger } from './looking.ts'
import { addressOf, run } from './setup.ts'
import { toldTemplate } from './told.ts'
import { Answer, type BodyOf } from './answer.ts'
import { noon, testRuntime } from './runtime.ts'

export type CallOptions = {
  /** an API key or token; Harbor's key unless said, none when null */
  key?: string | null
  body?: unknown
  /** sent as it is instead of `body` */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

/** What the daily run asks for. */
const daily_runs = { run_day: tasks.run_day! }

/** A superuser's connections, whose rows nobody asks: its reads are also there as they are. */
type Looking = Database & { reads: Db }

function looking(database: Database): Looking {
  const reads = database.reads(every_organization)
  return database.divided ? lookingOver(database, reads) : { ...database, reads: Object.assign(database.reads, reads) }
}

export type Api = {
  url: string
  /** the organizations that are always there; with `told` those of the whole story */
  story: Story
  /** of an owner */
  operator_key: string
  /** as a superuser: to look at what is there, and to change what nobody may */
  database: Looking
  /** the service, as the role that serves */
  runtime: Runtime
  call<M extends string, P extends string>(method: M, path: P, options?: CallOptions): Promise<Answer<BodyOf<M, P>>>
  get<P extends string>(path: P, options?: CallOptions): Promise<Answer<BodyOf<'GET', P>>>
  post<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<Answer<BodyOf<'POST', P>>>
  put<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<Answer<BodyOf<'PUT', P>>>
  patch<P extends string>(path: P, body?: unknown, options?: CallOptions): Promise<Answer<BodyOf<'PATCH', P>>>
  /** Moves the clock to noon in New York on a day. */
  moveTo(day: string): void
  /** Moves the clock on by milliseconds. */
  wait(ms: number): void
  /** Works off all waiting jobs. */
  work(): Promise<void>
  /** Delivers webhooks until none is due. */
  deliver(): Promise<void>
  /** Runs all days up to the clock's, as the hourly schedule does. */
  runDays(): Promise<void>
  /** Runs an action as the service itself. */
  act<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>
  /** Events of a resource, in their order. */
  events(resource_id: string): Promise<string[]>
}

export type ApiOptions = {
  rate_limit?: { per_minute: number; burst: number }
  /** what is refused without waiting; whatever there is unless said */
  refusal_limit?: { per_second: number; burst: number }
  cors_origins?: string[]
  trusted_proxies?: string[]
  organization_headers?: string[]
  /** what webhooks may reach; the open internet unless said */
  outbound?: OutboundOptions
  /** for transactions; 24 unless said, so that tests may hold some */
  write_connections?: number
  /** how long requests wait for locks */
  patience_ms?: number
  /** begins with the whole story of the sandbox, at the usual day or really today, where the clock stands then */
  told?: 'usual_day' | 'today'
  /** the day on which the clock stands, before the usual one, and from which on days are run */
  begins_on?: string
}

/**
 * The service over HTTP on a copy of the template database, for the tests of one file. The clock stands at
 * noon in New York on 10 March 2026 until a test moves it. Whoever tells of days before asks to begin there: a test
 * that only moves back has no daily run until the clock has come by that day again.
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
  const maintenance_url = inject('maintenance_url')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  let now = options.told === 'today' ? Date.now() : noon(options.begins_on ?? '2026-03-10')
  const { template, story } = options.told
    ? await toldTemplate(options.told, now)
    : { template: inject('template'), story: inject('story') }
  const servers = inject('servers')
  const copied = `template ${template} owner openbenefits_owner strategy file_copy`
  await runAtEach(servers, `create database ${name} ${copied}`)
  const sizes = {
    read_connections: 2,
    divided: servers.length > 1,
    write_connections: options.write_connections ?? 24,
    ...(options.patience_ms !== undefined && { patience_ms: options.patience_ms }),
  }
  const own_url = databaseUrl({ url: maintenance_url }, name)
  if (options.begins_on) await run(own_url, `update organizations set daily_run_on = '${options.begins_on}'`)
  const database = openDatabase({ url: servers.length > 1 ? withAnyTrigger(own_url) : own_url, ...sizes })
  const served = openDatabase({ url: addressOf(maintenance_url, name), ...sizes })
  const keys = inject('secret_keys')
  const runtime = testRuntime(served, keys, () => now, options.outbound)
  const app = await buildApp(runtime, {
    cors_origins: options.cors_origins ?? [],
    rate_limit: options.rate_limit ?? { per_minute: 600, burst: 100 },
    refusal_limit: options.refusal_limit ?? { per_second: 100_000, burst: 100_000 },
    trusted_proxies: options.trusted_proxies ?? [],
    organization_headers: options.organization_headers ?? [],
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(
    () => app.close(),
    () => runtime.outbound.close(),
    () => served.close(),
    () => database.close(),
    () => runAtEach(servers, `drop database ${name} with (force)`),
  )
  return {
    url,
    story,
    operator_key: story.operator_key,
    database: looking(database),
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
  work: () => workOff(runtime, tasks),
  deliver: () => deliverAll(openRounds(runtime)),
  runDays: async () => {
    await runDays(runtime)
    await workOff(runtime, daily_runs)
  },
  act: (work) => inTransaction(runtime, serviceCaller(null), (ctx) => work(lookingInside(ctx))),
  events: async (resource_id) => {
    const rows = await runtime.database
      .reads(every_organization)
      .rows<{ event_name: string }>('select event_name from webhook_events where resource_id = $1 order by sequence', [
        resource_id,
      ])
    return rows.map((row) => row.event_name)
  },
})

/** Works off all webhooks that are due, until no attempt is under way. */
export async function deliverAll({ run, under_way }: Rounds): Promise<void> {
  for (;;) {
    const end = await run('deliver')
    if (under_way.size > 0) await Promise.race(under_way)
    else if (end === 'round_found_nothing') return
  }
}

/** The address of the database for the role that serves, for a worker of one's own. */
export async function urlOf({ database }: Api): Promise<string> {
  const { name } = (await database.reads.row<{ name: string }>('select current_database() as name'))!
  return addressOf(inject('maintenance_url'), name)
}

const waiting_there = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** How many writes wait: for a lock, at whichever server, or for the turn to wait for one. */
export async function countWaiting({ database, runtime }: Api): Promise<number> {
  const behind = `(select sum(result::bigint) from run_command_on_workers($there$${waiting_there}$there$))`
  const { count } = (await database.reads.row<{ count: number }>(
    `select (${waiting_there})${database.divided ? ` + ${behind}` : ''} as count`,
  ))!
  return Number(count) + runtime.database.waiting_room.waiting()
}

/** Makes requests as a partner would. */
function caller(url: string, usual_key: string): Api['call'] {
  return async <M extends string, P extends string>(method: M, path: P, options: CallOptions = {}) => {
    const { key = usual_key, body, raw, headers = {} } = options
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content as string }),
    })
    return new Answer<BodyOf<M, P>>(`${method} ${path}`, response, await response.text())
  }
}
