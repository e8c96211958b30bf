import { z } from 'zod'
import { DayAnswer, DayText, Id, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'

/** For how many days usage is kept. */
export const kept_days = 90

const counts = {
  request_count: z.int().meta({ description: 'Requests of operations, whatever was answered.' }),
  refused_count: z.int().meta({ description: 'Of those, refused: statuses 400 to 499 but 429.' }),
  limited_count: z.int().meta({ description: 'Of those, beyond the rate limit: 429.' }),
  failed_count: z.int().meta({ description: 'Of those, failed: from 500 on.' }),
  last_used_at: Timestamp.meta({ description: 'When the last of them was answered.' }),
}

const credential_id = z.string().meta({
  description: 'An API key, also of the tokens that were issued by it, a session, or the key of an operator.',
  example: 'key_01kdq7b4w8e9rs2mh3n5t6v7xz',
})

export const UsagePage = z
  .object({
    data: z.array(z.object({ credential_id, ...counts }).meta({ id: 'CredentialUsage' })),
    pagination: Pagination,
  })
  .meta({ id: 'UsagePage' })

export const OperationUsagePage = z
  .object({
    data: z.array(
      z
        .object({
          day: DayAnswer.meta({ description: 'By the calendar, in Eastern time.' }),
          organization_id: Id('org').nullable().meta({ on_null: 'null: at no one organization.' }),
          operation: z.string().meta({ description: 'The id of the operation.', example: 'employees_get' }),
          ...counts,
        })
        .meta({ id: 'OperationUsage' }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'OperationUsagePage' })

export const UsageFilter = z.object({
  since: DayText.optional().meta({
    description: `The first day; 30 days ago unless said. Kept for ${kept_days} days.`,
  }),
  ...pageQuery,
})
export type UsageFilter = z.output<typeof UsageFilter>
