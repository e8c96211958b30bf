import { z } from 'zod'
import { Id } from '../../../kernel/fields.ts'
import { EnrollmentRate } from '../../directory/employers/schemas.ts'

export const TrendFilter = z.object({
  employer_id: Id('empr').optional().meta({ description: 'Only this employer. By default, all employers together.' }),
})
export type TrendFilter = z.output<typeof TrendFilter>

export const Trends = z
  .object({
    months: z
      .array(
        z
          .object({
            month: z.string().meta({ description: 'A month.', example: '2026-03' }),
            participation: EnrollmentRate.meta({
              description: 'The employees eligible for coverage on the first of the month, and how many were enrolled.',
            }),
            premium_in_cents: z.int().nullable().meta({
              description: 'The total of the invoices for the month, including drafts and without voided ones.',
              on_null: 'Null if your role and scopes do not include money.',
            }),
          })
          .meta({ id: 'TrendMonth' }),
      )
      .meta({ description: 'The last twelve months, oldest first. The last one is the current month.' }),
  })
  .meta({ id: 'Trends', description: 'Participation and premium by month.' })
