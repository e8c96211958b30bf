import { z } from 'zod'
import { DayAnswer, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { Month } from '../../money/billing/schemas.ts'

const most_cents = 100_000_000
const cents = z.int().min(-most_cents).max(most_cents)

const BookedMonth = z
  .string()
  .regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/, 'must be a month, written YYYY-MM')
  .meta({ description: 'The month that it is of, `YYYY-MM`.', example: '2025-06' })

const taxes = z.enum(['Pre-tax', 'Post-tax'])

export const NewManualAdjustment = z
  .object({
    month: BookedMonth,
    employee_deduction_in_cents: cents.meta({
      description: 'What payroll is to take from the employee, and the invoice to bill for it; negative: given back.',
    }),
    employer_contribution_in_cents: optional(cents).meta({
      description: 'What the invoice is to bill the employer besides; 0 unless said.',
    }),
    tax_classification: optional(taxes).meta({ description: '`Post-tax` unless said.' }),
    reason: text().meta({ description: 'Why, for whoever reads the books.' }),
  })
  .meta({ id: 'NewManualAdjustment' })
export type NewManualAdjustment = z.output<typeof NewManualAdjustment>

export const ManualAdjustment = z
  .object({
    id: Id('madj'),
    employer_id: Id('empr'),
    employee_id: Id('empl'),
    enrollment_id: Id('enrl'),
    month: Month,
    employee_deduction_in_cents: z.int(),
    employer_contribution_in_cents: z.int(),
    tax_classification: taxes,
    reason: z.string(),
    booked_on: DayAnswer,
    created_at: Timestamp,
  })
  .meta({
    id: 'ManualAdjustment',
    description: 'What the operator booked by hand for a month that corrections reach no more. It never changes.',
  })

export const ManualAdjustmentFilter = z.object(pageQuery)

export const ManualAdjustmentPage = z
  .object({ data: z.array(ManualAdjustment), pagination: Pagination })
  .meta({ id: 'ManualAdjustmentPage' })
