import { z } from 'zod'
import { ResponseDay, Id } from '../../../kernel/fields.ts'

export const LargeEmployerQuery = z.object({
  year: z.coerce.number().int().min(2015).max(2199).optional().meta({
    description: 'The calendar year of the status; the workforce of the year before decides. The default is this year.',
    example: 2026,
  }),
})

const Count = (description: string) => z.number().meta({ description })

export const LargeEmployerStatus = z
  .object({
    employer_id: Id('empr'),
    year: z.int().meta({ description: 'The calendar year of the status.' }),
    is_large: z.boolean().meta({ description: 'Whether the employer is an applicable large employer in that year.' }),
    reason_code: z.enum(['fewer_than_50', 'at_least_50', 'seasonal_worker_exception']).meta({
      id: 'LargeEmployerReason',
      description:
        '`fewer_than_50`, `at_least_50`: the average decides. `seasonal_worker_exception`: more than ' +
        '50 employees in at most four months, and only because of seasonal workers.',
    }),
    reason: z.string().meta({ description: 'The reason as a human-readable sentence.' }),
    average_count: z.int().meta({
      description: 'Full-time employees and equivalents per month of the year before, on average, rounded down.',
    }),
    months_above: z.array(ResponseDay).meta({ description: 'The first days of months with more than 50 employees.' }),
    months: z
      .array(
        z.object({
          month: ResponseDay.meta({ description: 'The first day of the month.' }),
          full_time_count: z.int().meta({ description: 'Employees with at least 130 hours of service.' }),
          full_time_equivalents: Count('The hours of all others, at most 120 of each, divided by 120.'),
          total: Count('Full-time employees and equivalents.'),
          total_without_seasonal_workers: Count('The total without employees of the class Seasonal.'),
        }),
      )
      .meta({ description: 'The months of the year before, in order.' }),
  })
  .meta({
    id: 'LargeEmployerStatus',
    description:
      'Whether an employer is an applicable large employer, from the hours of service of the year before. An ' +
      'employee without hours in that year counts by class.',
  })
export type LargeEmployerStatus = z.output<typeof LargeEmployerStatus>
