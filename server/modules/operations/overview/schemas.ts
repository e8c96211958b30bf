import { z } from 'zod'
import { DayAnswer, Timestamp } from '../../../kernel/fields.ts'
import { most_found } from '../../../kernel/pages.ts'
import { EventName } from '../../events/webhooks/schemas.ts'

/** So many events are counted, the latest. */
export const most_events = 10_000

const seconds = (what: string) =>
  z.int().meta({ description: `Since how many seconds the oldest ${what}; 0: none is late.` })

export const Overview = z
  .object({
    since: Timestamp.meta({ description: 'The beginning of yesterday in Eastern time.' }),
    happened: z
      .array(z.object({ event_name: EventName, event_count: z.int().meta({ description: 'How often.' }) }))
      .meta({ description: 'What happened since then, of all organizations; what happened most comes first.' }),
    is_whole: z.boolean().meta({
      description: `Whether that is all: at most the latest ${most_events.toLocaleString('en-US')} events are counted.`,
    }),
    failed_request_count: z.int().meta({
      description: 'Requests answered with 500 or more on those days. Written down every 30 seconds.',
    }),
    jobs_given_up: z.int().meta({ description: `Jobs that failed as often as they may, at most ${most_found}.` }),
    job_late_seconds: seconds('job is due that nobody took'),
    job_running_seconds: z.int().meta({
      description: 'Since how many seconds the job runs that was begun first: hours mean that it does not end.',
    }),
    webhook_late_seconds: seconds('webhook is due that nobody sent'),
    organizations_late: z.int().meta({
      description: `Organizations whose day is not run an hour after midnight, at most ${most_found}.`,
    }),
    last_day_run_on: DayAnswer.nullable().meta({
      description: 'The earliest day that was run last in any organization.',
      on_null: 'null: none was ever run.',
    }),
  })
  .meta({ id: 'Overview', description: 'What happened since yesterday, and whether the service keeps up.' })
