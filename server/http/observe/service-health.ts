/** What tells an installation that works from one that stands still, of all organizations. */
import type { Db } from '../../database/query/database.ts'
import { easternDay } from '../../kernel/days.ts'

export type JobStanding = {
  waiting: number
  running: number
  failed: number
  /** since how many seconds the oldest job that nobody took is due; 0: none is late */
  late_seconds: number
  /** since how many seconds the job runs that was begun first; 0: none runs */
  running_seconds: number
}

export type ServiceStanding = {
  /** since how many seconds the oldest webhook is due that nobody sent; 0: none is late */
  webhook_late_seconds: number
  /** organizations whose daily run is behind the calendar */
  organizations_late: number
  /** the earliest day that was run last in any organization; null: none was ever run, or there is none */
  last_day_run_on: string | null
}

/** Counts the jobs of an installation, a retry to come among those that wait. */
export const findJobStanding = async (db: Db): Promise<JobStanding> =>
  (await db.row<JobStanding>(
    `select count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_at is not null) as running,
            count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
            coalesce(extract(epoch from now() - min(run_at) filter (
              where locked_at is null and attempts < max_attempts and run_at <= now())), 0)::float8 as late_seconds,
            coalesce(extract(epoch from now() - min(locked_at)), 0)::float8 as running_seconds
       from graphile_worker.jobs`,
  ))!

/** SQL: since how many seconds the oldest webhook is due that nobody sent; of each subscription by an index. */
export const lateWebhookSeconds = `
  select coalesce(extract(epoch from now() - min(first.due_at)), 0)::float8
    from webhook_subscriptions as subscription cross join lateral (
      select due_at from webhook_deliveries
       where subscription_id = subscription.id and due_at is not null
       order by due_at limit 1) as first
   where first.due_at <= now() and subscription.disabled_at is null and subscription.deleted_at is null`

/**
 * How late webhooks and daily runs are. An index of all organizations has those that are behind; clocks of sandboxes
 * are not looked at.
 */
export const findStanding = async (db: Db, now_ms: number): Promise<ServiceStanding> =>
  (await db.row<ServiceStanding>(
    `select (${lateWebhookSeconds}) as webhook_late_seconds,
            (select count(*) from organizations where daily_run_on < $1::date or daily_run_on is null)
              as organizations_late,
            (select daily_run_on from organizations where daily_run_on is not null order by daily_run_on limit 1)
              as last_day_run_on`,
    [easternDay(now_ms)],
  ))!
