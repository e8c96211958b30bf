import { z } from 'zod'
import { ResponseDay, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { Month } from '../../money/billing/schemas.ts'
import { TaxClassification } from '../../money/deductions/schemas.ts'

const max_cents = 100_000_000
const cents = z.int().min(-max_cents).max(max_cents)

const BookedMonth = z
  .string()
  .regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/, 'must be a month in the format YYYY-MM')
  .meta({ description: 'The month of the adjustment in the format `YYYY-MM`.', example: '2025-06' })

export const NewManualAdjustment = z
  .object({
    month: BookedMonth,
    employee_deduction_in_cents: cents.meta({
      description:
        'The amount that payroll deducts from the employee and the invoice bills. A negative amount is a refund.',
    }),
    employer_contribution_in_cents: optional(cents).meta({
      description: 'The amount that the invoice bills the employer in addition. The default is 0.',
    }),
    tax_classification: optional(TaxClassification).meta({
      description: 'Whether the deduction is pre-tax or post-tax. The default is `Post-tax`.',
    }),
    reason: text().meta({ description: 'The reason, for audits.' }),
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
    tax_classification: TaxClassification,
    reason: z.string(),
    booked_on: ResponseDay,
    created_at: Timestamp,
  })
  .meta({
    id: 'ManualAdjustment',
    description:
      "An amount that the operator booked manually for a month before the correction window. It can't be changed.",
  })

export const ManualAdjustmentPage = pageOf('ManualAdjustmentPage', ManualAdjustment)
