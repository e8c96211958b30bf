import type { Download } from '../http/files/downloads.ts'
import type { Incoming } from '../http/callbacks.ts'
import type { WebPage } from '../http/static/pages.ts'
import type { Integration } from '../kernel/integration.ts'
import type { Ctx, DailyStep } from './ctx.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from './runtime.ts'

export type Module = {
  name: string
  /** the tables that only this module writes */
  tables: string[]
  endpoints: Endpoint[]
  /** jobs by name */
  tasks?: Record<string, Task>
  /** the files behind its signed links, by kind */
  downloads?: Record<string, Download>
  /** webhooks from outside systems */
  incoming?: Incoming[]
  /** pages for browsers, outside the interfaces */
  pages?: WebPage[]
  /** the outside systems that it uses, with their settings */
  integrations?: Integration[]
  /** the schedule of its jobs, as crontab lines */
  schedule?: string[]
  /** steps of the daily run of an organization, in order, each in chunks */
  runDay?: DailyStep[]
  /** SQL: whether `daily_run.day` may have work for a row `organization`; skipped if no module has any */
  hasDailyRun?: string
  /** purges some expired rows; runs hourly, and again in a new transaction while it returns that there may be more */
  cleanUp?: (ctx: Ctx) => Promise<boolean>
  /** background work during the lifetime of a worker */
  background?: (runtime: Runtime) => { stop(): Promise<void> }
}
