/** The health of the job queue, over all organizations. */
import type { Db } from '../../database/query/database.ts'
import { easternDay } from '../../kernel/days.ts'

export type JobHealth = {
  waiting: number
  running: number
  failed: number
  /** seconds since the oldest waiting job became due; 0 if none is late */
  late_seconds: number
  /** seconds since the oldest running job started; 0 if none runs */
  running_seconds: number
}

export type ServiceHealth = {
  /** seconds since the oldest unsent webhook became due; 0 if none is late */
  webhook_late_seconds: number
  /** organizations whose daily run is behind the calendar */
  organizations_late: number
  /** the earliest last completed day of any organization; null if no day was completed yet */
  last_day_run_on: string | null
}

/** Counts the jobs of an installation. Waiting jobs include retries. */
export const findJobHealth = async (db: Db): Promise<JobHealth> =>
  (await db.row<JobHealth>(
    `select count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_at is not null) as running,
            count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
            coalesce(extract(epoch from now() - min(run_at) filter (
              where locked_at is null and attempts < max_attempts and run_at <= now())), 0)::float8 as late_seconds,
            coalesce(extract(epoch from now() - min(locked_at)), 0)::float8 as running_seconds
       from graphile_worker.jobs`,
  ))!

/** SQL: seconds since the oldest unsent webhook became due. Uses one index lookup per subscription. */
export const lateWebhookSeconds = `
  select coalesce(extract(epoch from now() - min(first.due_at)), 0)::float8
    from webhook_subscriptions as subscription cross join lateral (
      select due_at from webhook_deliveries
       where subscription_id = subscription.id and due_at is not null
       order by due_at limit 1) as first
   where first.due_at <= now() and subscription.disabled_at is null and subscription.deleted_at is null`

/** How late webhooks and daily runs are. Sandboxes with a test clock are not checked. */
export const findServiceHealth = async (db: Db, now_ms: number): Promise<ServiceHealth> =>
  (await db.row<ServiceHealth>(
    `select (${lateWebhookSeconds}) as webhook_late_seconds,
            (select count(*) from organizations where daily_run_on < $1::date or daily_run_on is null)
              as organizations_late,
            (select daily_run_on from organizations where daily_run_on is not null order by daily_run_on limit 1)
              as last_day_run_on`,
    [easternDay(now_ms)],
  ))!
