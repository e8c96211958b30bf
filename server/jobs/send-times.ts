import { mailer, type MailRate } from '../integrations/mail/mailer.ts'
import { integrationOf } from '../kernel/integration.ts'
import { statement } from '../database/sql/statement.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { KeyedJob } from './enqueue.ts'

/*
 * The times at which emails are sent. A mail server limits its clients, and thousands of emails at once would delay
 * those of other organizations. So each email gets a minute that has room, when its job is enqueued. Retries do not
 * count, since they are rare and their delays grow.
 */

const minute_ms = 60_000

/** The emails that are already planned in a minute. `minute` is in milliseconds. */
export type PlannedMinute = { minute: number; in_total: number; of_organization: number }

/** How many more emails to send in a minute, and when, in milliseconds. */
type Share = { minute: number; times: number[] }

/** Spreads emails over the minutes with room, starting with the present one. */
export function spread(mails: number, planned: readonly PlannedMinute[], rate: MailRate, now: number): Share[] {
  const planned_by_minute = new Map(planned.map((planned_minute) => [planned_minute.minute, planned_minute]))
  const shares: Share[] = []
  for (let minute = now - (now % minute_ms), unplanned = mails; unplanned > 0; minute += minute_ms) {
    const { in_total, of_organization } = planned_by_minute.get(minute) ?? { in_total: 0, of_organization: 0 }
    const room = Math.min(unplanned, rate.in_total - in_total, rate.of_organization - of_organization)
    if (room <= 0) continue
    const timeOf = (_: unknown, index: number) =>
      Math.max(now, minute + Math.floor(((in_total + index) * minute_ms) / rate.in_total))
    shares.push({ minute, times: Array.from({ length: room }, timeOf) })
    unplanned -= room
  }
  return shares
}

const locked = statement(
  'send-times.lock',
  `select pg_advisory_xact_lock(hashtext('openbenefits mail minutes'))::text as locked`,
)

const planned = statement(
  'send-times.listPlanned',
  `select (extract(epoch from minute) * 1000)::float8 as minute, sum(mail_count)::int as in_total,
          coalesce(sum(mail_count) filter (where sender = :organization_id), 0)::int as of_organization
     from mail_minutes where minute >= :from::timestamptz group by minute`,
)

const saved = statement(
  'send-times.savePlanned',
  `insert into mail_minutes as kept (sender, minute, mail_count)
   select :organization_id, to_timestamp(planned.minute / 1000.0), planned.mail_count
     from jsonb_to_recordset(:minutes::jsonb) as planned (minute float8, mail_count int)
   on conflict (sender, minute) do update set mail_count = kept.mail_count + excluded.mail_count`,
)

const purged = statement('send-times.purge', 'delete from mail_minutes where minute < :from::timestamptz')

/**
 * Returns the jobs of an organization that send one email each, with the times at which they run. Called only in jobs:
 * a second organization waits until the transaction of the first has committed.
 */
export async function withSendTimes(ctx: Ctx, organization_id: string, jobs: KeyedJob[]): Promise<KeyedJob[]> {
  const rate = integrationOf(ctx, mailer)?.rate
  if (!rate || jobs.length === 0) return jobs
  const now = Date.parse(ctx.real_now)
  const from = new Date(now - (now % minute_ms)).toISOString()
  await locked.rows(ctx)
  await purged.rows(ctx, { from })
  const shares = spread(jobs.length, await planned.rows<PlannedMinute>(ctx, { organization_id, from }), rate, now)
  const minutes = shares.map(({ minute, times }) => ({ minute, mail_count: times.length }))
  await saved.rows(ctx, { organization_id, minutes: JSON.stringify(minutes) })
  const times = shares.flatMap((share) => share.times)
  return jobs.map((job, index) => ({ ...job, run_at: new Date(times[index]!).toISOString() }))
}
