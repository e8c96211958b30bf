import { z } from 'zod'
import { ResponseDay, Id } from '../../../kernel/fields.ts'
import { InvoiceId, Month } from '../billing/schemas.ts'
import { AdjustmentCause } from '../../directory/evidence/schemas.ts'

const Amounts = z
  .object({
    premium_in_cents: z.int(),
    employer_contribution_in_cents: z.int(),
    employee_deduction_in_cents: z.int(),
  })
  .meta({ id: 'InvoiceAmounts' })

const inBooks = {
  due: Amounts.meta({ description: 'The current cost of the enrollments.' }),
  billed: Amounts.meta({ description: 'The amounts on all invoices that are not void.' }),
  difference: Amounts.meta({
    description: 'The amount due less the billed amount, in cents. 0 if the invoice is correct.',
  }),
}

const ofEnrollment = {
  employee_id: Id('empl'),
  employee_name: z.string().meta({ description: 'The current name of the employee.' }),
  enrollment_id: Id('enrl'),
  benefit_name: z.string(),
}

export const Reconciliation = z
  .object({
    invoice_id: InvoiceId,
    months: z
      .array(Month)
      .meta({ description: 'The months that the invoice could bill or adjust. All amounts below refer to them.' }),
    lines: z.object({ line_count: z.int(), total_in_cents: z.int(), difference_in_cents: z.int() }).meta({
      description: 'The recomputed sum of the lines of the invoice. `difference_in_cents` to its total is 0.',
    }),
    ...inBooks,
    difference_count: z
      .int()
      .meta({ description: 'Number of enrollments and months in which due and billed amounts differ.' }),
    differences: z
      .array(
        z.object({
          ...ofEnrollment,
          month: Month,
          cause: AdjustmentCause.nullable().meta({
            description:
              'The cause: the latest fact of the enrollment since an invoice billed the month. Null if no fact ' +
              'explains it.',
          }),
          ...inBooks,
        }),
      )
      .meta({ description: 'The first 100 differences, latest month first.' }),
    deductions: z
      .object({
        year: z.int(),
        through: ResponseDay.nullable().meta({ description: 'The end of the latest pay period with a statement.' }),
        billed_in_cents: z.int().meta({
          description: "The employees' share of all live invoices for the months of the year so far.",
        }),
        manual_adjustments_in_cents: z
          .int()
          .meta({ description: "The employees' share of the operator's manual adjustments for these months." }),
        collected_in_cents: z.int().meta({
          description: 'The amount that the statements of the employer requested for that year. Arrears count once.',
        }),
        difference_in_cents: z
          .int()
          .meta({ description: 'The billed amount plus manual adjustments, less the collected amount, in cents.' }),
        difference_count: z.int().meta({ description: 'Number of enrollments with a difference.' }),
        differences: z
          .array(
            z.object({
              ...ofEnrollment,
              billed_in_cents: z.int().meta({ description: 'The billed amount, in cents.' }),
              manual_adjustments_in_cents: z.int().meta({ description: 'The manually booked amount, in cents.' }),
              collected_in_cents: z.int().meta({ description: 'The amount requested from payroll, in cents.' }),
              difference_in_cents: z.int(),
            }),
          )
          .meta({ description: 'The 100 largest differences.' }),
      })
      .meta({
        description:
          'Covers the whole year so far, regardless of the invoice. At the end of the year, both sides are equal. ' +
          'Before that, they differ because pay periods and months end on different days.',
      }),
  })
  .meta({ id: 'Reconciliation', description: 'Compares the billed amounts with the amounts due.' })
