import { z } from 'zod'
import { ResponseDay, Timestamp } from '../../../kernel/fields.ts'
import { max_found } from '../../../kernel/pages.ts'
import { EventName } from '../../events/webhooks/schemas.ts'

/** The maximum number of events counted, newest first. */
export const max_events = 10_000

const seconds = (noun: string) =>
  z.int().meta({ description: `The delay of the oldest ${noun}, in seconds. 0 if none is late.` })

export const Overview = z
  .object({
    since: Timestamp.meta({ description: 'The beginning of yesterday in Eastern time.' }),
    event_counts: z
      .array(
        z.object({
          event_name: EventName,
          event_count: z.int().meta({ description: 'The number of events with this name.' }),
        }),
      )
      .meta({ description: 'The events since then in all organizations, most frequent first.' }),
    is_complete: z.boolean().meta({
      description: `Whether all events are counted. At most the latest ${max_events.toLocaleString('en-US')} are.`,
    }),
    failed_request_count: z.int().meta({
      description: 'Requests with a response of 500 or more on those days. Updated every 30 seconds.',
    }),
    failed_job_count: z.int().meta({ description: `Jobs that used all their attempts, at most ${max_found}.` }),
    job_late_seconds: seconds('job that is due but not started'),
    job_running_seconds: z.int().meta({
      description:
        'The number of seconds for which the longest job has been running. If that is hours, the job is stuck.',
    }),
    webhook_late_seconds: seconds('webhook that is due but not sent'),
    organizations_late: z.int().meta({
      description: `Organizations whose daily run is not finished an hour after midnight, at most ${max_found}.`,
    }),
    last_day_run_on: ResponseDay.nullable().meta({
      description: 'The earliest `last_day_run_on` of all organizations. Null before the first run.',
    }),
  })
  .meta({ id: 'Overview', description: 'The events since yesterday and the health of the service.' })
