import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { addDays, easternDay, type Day } from '../../../kernel/days.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import { max_found } from '../../../kernel/pages.ts'
import { read } from '../../../database/sql/statement.ts'
import { lateWebhookSeconds } from '../../../http/observe/service-health.ts'
import { max_events } from './schemas.ts'

/** The instant at which the previous day began in New York. */
export const beginningOfYesterday = (today: Day): string =>
  Temporal.PlainDate.from(addDays(today, -1)).toZonedDateTime('America/New_York').toInstant().toString()

/** Ids contain their creation time, so the latest events of all organizations are found by the primary key. */
const overview = read(
  'overview.findOverview',
  `with latest as materialized (
     select event.event_name from events_made_since(:first_id, :since::timestamptz, ${max_events + 1}) as event
      where ${inReach('event.organization_id', 'event.employer_id')}
   ), counted as (
     select event_name, count(*) as event_count from (select * from latest limit ${max_events}) as latest
      group by event_name
   ), job as (
     select (select count(*) from (select from graphile_worker._private_jobs as job
                                    where not job.is_available and job.locked_at is null
                                    order by job.id limit ${max_found}) as job)
              as given_up,
            (select coalesce(extract(epoch from now() - min(run_at)), 0)::int
               from (select run_at from graphile_worker._private_jobs as job where job.is_available
                      order by priority, run_at limit ${max_found}) as job where run_at <= now()) as late_seconds,
            (select coalesce(extract(epoch from now() - min(locked_at)), 0)::int
               from (select locked_at from graphile_worker._private_jobs as job
                      where not job.is_available and job.locked_at is not null
                      order by job.id limit ${max_found}) as job) as running_seconds)
   select row_to_json(shown)::text as json from (
     select iso(:since::timestamptz) as since,
            coalesce((select json_agg(counted order by event_count desc, event_name) from counted), '[]')
              as event_counts,
            (select count(*) from latest) <= ${max_events} as is_complete,
            (select coalesce(sum(failed_count), 0)::bigint from (
               select usage.failed_count from credential_usage as usage
                where usage.day >= :first_day::date and usage.failed_count > 0
                limit ${max_found}) as usage) as failed_request_count,
            job.given_up as failed_job_count, job.late_seconds as job_late_seconds,
            job.running_seconds as job_running_seconds,
            (${lateWebhookSeconds})::int as webhook_late_seconds,
            (select count(*) from (select from organizations
                                    where daily_run_on < :late_day::date or daily_run_on is null
                                    limit ${max_found}) as late) as organizations_late,
            (select daily_run_on from organizations where daily_run_on is not null order by daily_run_on limit 1)
              as last_day_run_on
       from job) as shown`,
)

/** A daily run normally finishes within this many milliseconds after midnight. */
const default_delay_ms = 3600_000

/** The events of all organizations since yesterday, and the health of the service, as JSON. */
export function findOverview(ctx: ReadCtx): Promise<string | undefined> {
  const now_ms = Date.parse(ctx.real_now)
  const since = beginningOfYesterday(easternDay(now_ms))
  return overview.json(ctx, {
    since,
    first_id: firstIdAt('wevt', Date.parse(since)),
    first_day: easternDay(Date.parse(since)),
    late_day: easternDay(now_ms - default_delay_ms),
  })
}
