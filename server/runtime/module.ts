import type { Integration } from '../kernel/integration.ts'
import type { DailyStep } from './ctx.ts'
import type { DatabaseAddress } from '../database/query/session.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Incoming } from '../http/callbacks.ts'
import type { Download } from '../http/files/downloads.ts'
import type { WebPage } from '../http/static/pages.ts'
import type { CleanUp } from '../jobs/cleanup.ts'
import type { Task } from '../jobs/worker.ts'
import type { Runtime } from './runtime.ts'

/** A noun of the service. */
export type Module = {
  name: string
  /** the tables that only this module writes */
  tables: string[]
  endpoints: Endpoint[]
  /** what happens later, by the name of the job */
  tasks?: Record<string, Task>
  /** what its signed links lead to, by their kind */
  downloads?: Record<string, Download>
  /** what outside systems call */
  incoming?: Incoming[]
  /** what people open with a browser, beside the interfaces */
  pages?: WebPage[]
  /** which outside systems it talks to, with their settings */
  integrations?: Integration[]
  /** when jobs of it begin by the calendar: lines of a crontab */
  schedule?: string[]
  /** what the daily run brings an organization, once per day and in order, each step in chunks */
  runDay?: DailyStep[]
  /** SQL: whether `daily_run.day` may bring a row `organization` anything; it is passed over when no module says so */
  hasDailyRun?: string
  /** what it forgets in time, asked hourly, and again in a transaction of its own while it says that there is more */
  cleanUp?: CleanUp
  /** what goes on beside the jobs for as long as a worker lives, over the database at this address */
  background?: (runtime: Runtime, address: DatabaseAddress) => { stop(): Promise<void> }
}
