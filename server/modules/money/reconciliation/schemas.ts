import { z } from 'zod'
import { DayAnswer, Id } from '../../../kernel/fields.ts'
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
  due: Amounts.meta({ description: 'What the enrollments cost, as they are known now.' }),
  billed: Amounts.meta({ description: 'What all invoices that are not void billed for it, up to now.' }),
  difference: Amounts.meta({ description: 'What is due less what was billed: 0 where the invoice is right.' }),
}

const ofEnrollment = {
  employee_id: Id('empl'),
  employee_name: z.string().meta({ description: 'As it is now.' }),
  enrollment_id: Id('enrl'),
  benefit_name: z.string(),
}

export const Reconciliation = z
  .object({
    invoice_id: InvoiceId,
    months: z
      .array(Month)
      .meta({ description: 'The months that the invoice could bill or adjust; all below is of them.' }),
    lines: z
      .object({ line_count: z.int(), total_in_cents: z.int(), difference_in_cents: z.int() })
      .meta({ description: 'The lines of the invoice, added up anew; `difference_in_cents` to its total is 0.' }),
    ...inBooks,
    difference_count: z.int().meta({ description: 'In how many enrollments and months due and billed differ.' }),
    differences: z
      .array(
        z.object({
          ...ofEnrollment,
          month: Month,
          cause: AdjustmentCause.nullable().meta({
            description:
              'Its cause: the newest fact of the enrollment since an invoice billed the month. ' +
              'Null if no fact explains it.',
          }),
          ...inBooks,
        }),
      )
      .meta({ description: 'The first 100 of them, newest month first.' }),
    deductions: z
      .object({
        year: z.int(),
        through: DayAnswer.nullable().meta({ description: 'The end of the newest pay period with a statement.' }),
        billed_in_cents: z.int().meta({
          description:
            "The employees' part in what all invoices that are not void billed for the months of the year, up to now.",
        }),
        manual_adjustments_in_cents: z
          .int()
          .meta({ description: 'Their part in what the operator booked by hand for those months.' }),
        collected_in_cents: z
          .int()
          .meta({ description: 'What the statements of the employer asked payroll for, for that year; arrears once.' }),
        difference_in_cents: z.int().meta({ description: 'Billed + manual adjustments − collected.' }),
        difference_count: z.int().meta({ description: 'In how many enrollments it is not 0.' }),
        differences: z
          .array(
            z.object({
              ...ofEnrollment,
              billed_in_cents: z.int().meta({ description: 'Billed for it.' }),
              manual_adjustments_in_cents: z.int().meta({ description: 'Booked by hand.' }),
              collected_in_cents: z.int().meta({ description: 'Asked of payroll.' }),
              difference_in_cents: z.int(),
            }),
          )
          .meta({ description: 'The 100 largest of them.' }),
      })
      .meta({
        description:
          'Of the whole year up to now, whichever of its invoices is asked for. At its end both come to the same; ' +
          'before it pay periods and months end apart.',
      }),
  })
  .meta({ id: 'Reconciliation', description: 'Whether what was billed is what was to be billed.' })
