import { z } from 'zod'
import { ResponseDay, DayText, Id, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'

/** How many days usage is kept. */
export const kept_days = 90

const counts = {
  request_count: z.int().meta({ description: 'Number of requests, regardless of the outcome.' }),
  refused_count: z.int().meta({ description: 'Of those, requests that were refused: statuses 400 to 499 except 429.' }),
  limited_count: z.int().meta({ description: 'Of those, requests that exceeded the rate limit: status 429.' }),
  failed_count: z.int().meta({ description: 'Of those, requests that failed: statuses of 500 or higher.' }),
  last_used_at: Timestamp.meta({ description: 'The time of the last response.' }),
}

const credential_id = z.string().meta({
  description: 'An API key (including tokens issued by it), a session, or an operator key.',
  example: 'key_01kdq7b4w8e9rs2mh3n5t6v7xz',
})

export const UsagePage = pageOf('UsagePage', z.object({ credential_id, ...counts }).meta({ id: 'CredentialUsage' }))

export const OperationUsagePage = pageOf(
  'OperationUsagePage',
  z
    .object({
      day: ResponseDay.meta({ description: 'The calendar day in Eastern time.' }),
      organization_id: Id('org').nullable().meta({ on_null: 'Null for requests to no single organization.' }),
      operation: z.string().meta({ description: 'The id of the operation.', example: 'employees_get' }),
      ...counts,
    })
    .meta({ id: 'OperationUsage' }),
)

export const UsageFilter = z.object({
  since: DayText.optional().meta({
    description: `The first day. Default: 30 days ago. Usage is kept for ${kept_days} days.`,
  }),
  ...pageQuery,
})
export type UsageFilter = z.output<typeof UsageFilter>
