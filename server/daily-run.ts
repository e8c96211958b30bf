import { requestDailyRuns } from './modules/access/organizations/actions.ts'
import { hasWorkBy, savePassedBy } from './modules/access/organizations/queries.ts'
import { modules } from './modules.ts'
import type { DailyRun } from './runtime/ctx.ts'
import { type Runtime, inTransaction } from './runtime/runtime.ts'
import { serviceCaller } from './runtime/caller.ts'
import { keepPartitions } from './database/schema/partitions.ts'
import { purgeProcesses } from './runtime/process/processes.ts'
import { purgePositions } from './database/replica/write-positions.ts'
import { purgeIdempotencyKeys } from './http/idempotency.ts'
import { purgeIdleBuckets } from './http/limits/rate-limit.ts'

/*
 * Daily runs: the work that the calendar causes, such as opening enrollment windows, generating payroll deduction
 * statements and drafting invoices.
 *
 *   hourly, and when a worker starts    run_days   finds the organizations that are behind their own today
 *                                         │        marks the day of those without work as run, in bulk
 *                                         ▼
 *   one job per other organization      run_day    runs chunks of the missing days, and enqueues itself after 100 ms
 *
 * Days without work. A job passes them in the transaction of the day before them, with one query for each.
 *
 * When. A day is due once it begins in New York; the clock of a sandbox organization may be ahead by some days.
 * Missed days run one after the other, each with `ctx.today` set to the day being run.
 *
 * Order. The steps of a day run in the order of `server/modules.ts`, each in chunks of 1,000 rows.
 *
 * Transactions. A chunk is one transaction under the lock of its organization. It commits its changes together with
 * `organizations.daily_run_progress`, the step and the last row that it processed. The last chunk of a day clears the
 * progress and sets `organizations.daily_run_on` to the day.
 *
 * After a crash. The open chunk rolls back and its job is retried. The day continues after the last committed chunk, so
 * each day runs exactly once.
 */

const daily_steps = modules.flatMap(({ name, runDay = [] }) =>
  runDay.map((step, index) => ({ name: `${name}.${index}`, step })),
)

/** Large enough for set-based statements, small enough to let other transactions run in between. */
const rows_per_chunk = 1000

/** The daily run of one organization in chunks of `most` rows. */
export const runDayInChunksOf =
  (most: number): DailyRun =>
  async (requesting_ctx, organization_id, progress) => {
    // Each step reads counts that earlier steps stored.
    const ctx = { ...requesting_ctx, at_end: undefined }
    // If a deployment removed the saved step, the day starts over.
    let index = Math.max(0, daily_steps.map(({ name }) => name).indexOf(progress?.step ?? ''))
    let from = daily_steps[index]?.name === progress?.step ? (progress?.after ?? '') : ''
    for (; index < daily_steps.length; index++) {
      const { name, step } = daily_steps[index]!
      const after = await step(ctx, organization_id, { after: from, most })
      if (after !== null) return { step: name, after }
      from = ''
    }
    return null
  }

export const runDay = runDayInChunksOf(rows_per_chunk)

/** SQL: whether any module has work for a row `organization` on `daily_run.day`. */
const hasDailyRun = modules.flatMap((module) => module.hasDailyRun ?? []).join(' or ')

export const savePassed = savePassedBy(hasDailyRun)

export const hasDailyWork = hasWorkBy(hasDailyRun)

/** Starts the daily run of each organization that is behind, then purges expired rows. */
export async function runDays(runtime: Runtime): Promise<void> {
  try {
    await requestDailyRuns(runtime, savePassed)
  } finally {
    await purgeExpiredRows(runtime)
  }
}

/** Purges expired rows of the platform and of the modules. */
async function purgeExpiredRows(runtime: Runtime): Promise<void> {
  await keepPartitions(runtime, runtime.settings.audit_retention_years)
  const caller = serviceCaller(null)
  await inTransaction(runtime, caller, async (ctx) => {
    await purgeIdempotencyKeys(ctx)
    await purgeIdleBuckets(ctx)
    await purgeProcesses(ctx)
    await purgePositions(ctx)
  })
  for (const { cleanUp } of modules) if (cleanUp) while (await inTransaction(runtime, caller, cleanUp));
}
