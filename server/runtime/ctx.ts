import type { FastifyBaseLogger } from 'fastify'
import type { Caller } from './caller.ts'
import type { Day } from '../kernel/days.ts'
import type { Db } from '../database/query/database.ts'
import type { ConnectionOfReads } from '../database/sql/statement.ts'
import type { Fact } from './event-types.ts'
import type { Queue } from '../jobs/enqueue.ts'
import type { Secrets } from '../security/secrets.ts'
import type { Integrations } from '../kernel/integration.ts'
import type { PageAnchors } from '../database/sql/page-anchors.ts'

/**
 * What every query is handed first: who asks, which day it is, and a connection, over which a read runs what names its
 * caller's reach and nothing else. Never imported, never global.
 */
export type ReadCtx = {
  db: ConnectionOfReads
  caller: Caller
  /** The calendar day in America/New_York, by the clock of the organization acted on. */
  today: Day
  /** The instant of the request by the clock of the organization acted on, ISO 8601 in UTC with milliseconds. */
  now: string
  /** The same by the runtime's clock: for credentials, audit, and how long answers are kept. Else `now` is meant. */
  real_now: string
  log: FastifyBaseLogger
  secrets: Secrets
  settings: Settings
  /** The `X-Request-Id` of the request that writes; absent of a job and of what the service does by itself. */
  trace_id?: string
  /** The operation that writes, as the audit log names it; absent in background work that no request started. */
  operation?: string
  /** Who is outside. For reads alone: a write asks nobody outside, and leaves that to jobs. */
  integrations: Integrations
  /** Where the pages ended that were read lately. */
  page_anchors: PageAnchors
}

/** What every action is handed first. */
export type Ctx = ReadCtx &
  Queue & {
    /** In a write: the request's transaction. In a read: autocommit. */
    db: Db
    /** What a daily run brings an organization, all modules in order. */
    runDay: DailyRun
    /** Of a write at one employer: events that are written at its end. */
    held_back?: Fact[]
  }

/** What a write needs of it that a command at a terminal makes beside requests and jobs. */
export type WriteScope = Pick<Ctx, 'db' | 'caller' | 'today' | 'now' | 'real_now'>

/** How far a daily run is for an organization: in which step, and after which of that step's rows. */
export type DailyProgress = { step: string; after: string | null }

/** So many rows of a step, after the last one that was done. */
export type DailyChunk = { after: string | null; most: number }

/**
 * A step of what a daily run brings one organization, whose row is locked; `ctx.today` is the day that is run. Does
 * one chunk, and returns after which row to go on when there may be more.
 */
export type DailyStep = (ctx: Ctx, organization_id: string, chunk: DailyChunk) => Promise<string | null>

/**
 * What a daily run brings one organization, all modules in order: goes on from where it is until a step has more
 * to do than one chunk, and returns how far it is; null when the day is whole.
 */
export type DailyRun = (
  ctx: Ctx,
  organization_id: string,
  progress: DailyProgress | null,
) => Promise<DailyProgress | null>

/** The settings that modules may ask for. */
export type Settings = {
  sandbox: boolean
  /** What links to this service begin with, without a slash at the end; null until it listens. */
  public_url: string | null
  /** How many years the audit trail is kept. */
  audit_retention_years: number
}

/** Where instants come from; tests hold one they can move. */
export type Clock = () => number
