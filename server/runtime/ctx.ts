import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { Caller } from './caller.ts'
import type { Day } from '../kernel/days.ts'
import type { ParamKind } from '../kernel/ids.ts'
import type { Db, LastStatement } from '../database/query/database.ts'
import type { ConnectionOfReads } from '../database/sql/statement.ts'
import type { HeldEvent } from './event-types.ts'
import type { Queue } from '../jobs/enqueue.ts'
import type { Secrets } from '../security/secrets.ts'
import type { Integrations } from '../kernel/integration.ts'
import type { PageAnchors } from '../database/sql/page-anchors.ts'

/**
 * The context of a read: the caller, the day, and a connection that only runs statements limited to the reach of the
 * caller. It is the first parameter of every query, and never imported or global.
 */
export type ReadCtx = {
  db: ConnectionOfReads
  caller: Caller
  /** The calendar day in America/New_York, by the clock of the organization acted on. */
  today: Day
  /** The instant of the request by the clock of that organization, ISO 8601 in UTC with milliseconds. */
  now: string
  /** The real instant, for credentials, audit and stored responses. Everything else uses `now`. */
  real_now: string
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  /** The `X-Request-Id` of the request that writes. Absent for jobs and other background work. */
  trace_id?: string
  /** The operation that writes, as in the audit log. Absent for background work that no request started. */
  operation?: string
  /** The client's address; behind a trusted proxy, the one that the proxy reports. Absent for background work. */
  address?: string
  /** Outside systems, for reads only. Writes do not call outside systems: jobs do. */
  integrations: Integrations
  /** The last rows of recently read pages. */
  page_anchors: PageAnchors
}

/** The context of an action: its first parameter. */
export type Ctx = ReadCtx &
  Queue & {
    /** In a write: the request's transaction. In a read: autocommit. */
    db: Db
    /** Runs a day for an organization, in all modules in order. */
    runDay: DailyRun
    /** Whether the daily run of an organization may have work on `today`. */
    hasDailyWork: HasDailyWork
    /** The GET operations of the interface by id, for jobs that read its lists. */
    reads: ReadonlyMap<string, ReadOperation>
    /** The events of a write that holds a lock. They are inserted when the write ends. */
    held_back?: HeldEvent[] | undefined
    /** The statements that a request sends together with its commit. */
    at_end?: LastStatement[] | undefined
    /** Whether the write has not locked its whole organization, so that others write there at the same time. */
    is_concurrent?: boolean
  }

/** The parts of a GET operation with which jobs read its list. */
export type ReadOperation = {
  roles: readonly string[]
  params?: Record<string, ParamKind>
  query?: z.ZodObject
  locate?: (ctx: ReadCtx, params: any) => Promise<unknown>
  handle: (ctx: ReadCtx, input: { params: any; located: undefined; query: any; body: undefined }) => Promise<unknown>
}

/** The part of a context that a write from the command line has. */
export type WriteScope = Pick<Ctx, 'db' | 'caller' | 'today' | 'now' | 'real_now'>

/** The progress of a daily run for an organization: the step and its last processed row. */
export type DailyProgress = { step: string; after: string | null }

/** The rows that a step processes next: at most `most`, after its last processed row, or '' for the first rows. */
export type DailyChunk = { after: string; most: number }

/**
 * A step of the daily run of an organization, whose row is locked. `ctx.today` is the day of the run. Processes one
 * chunk, and returns its last row if there may be more. Null if the step is done.
 */
export type DailyStep = (ctx: Ctx, organization_id: string, chunk: DailyChunk) => Promise<string | null>

/**
 * Runs a day for an organization, in all modules in order. Continues at `progress` until a step has more rows than one
 * chunk, and returns the progress. Null if the day is done.
 */
export type DailyRun = (
  ctx: Ctx,
  organization_id: string,
  progress: DailyProgress | null,
) => Promise<DailyProgress | null>

/** Whether any module may have work for an organization on `ctx.today`. Days without work do not run. */
export type HasDailyWork = (ctx: Ctx, organization_id: string) => Promise<boolean>

/** The settings that modules read. */
export type Settings = {
  sandbox: boolean
  /** The base URL of links to this service, without a trailing slash. Null until the service listens. */
  public_url: string | null
  audit_retention_years: number
}

/** Returns the current instant in milliseconds. Tests use a clock that they can move. */
export type Clock = () => number
