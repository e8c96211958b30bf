import { z } from 'zod'
import { billing_systems } from '../../platform/billing-system.ts'
import { pageQuery, Pagination } from '../../platform/pages.ts'
import { DayAnswer, Id, optional, text, Timestamp } from '../../platform/values.ts'

const cents = (description: string) => z.int().meta({ description, example: 124_500 })

const Month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .meta({ description: 'A month, `YYYY-MM`.', example: '2026-03' })

const InvoiceId = z.string().meta({ description: 'The id of the invoice, in paths too.', example: 'INV-000042' })

const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'void']).meta({ id: 'InvoiceStatus' })

export const Invoice = z
  .object({
    invoice_id: InvoiceId,
    employer_id: Id('empr'),
    period: Month.meta({ description: 'The month that it bills, `YYYY-MM`; adjustments are of months before it.' }),
    status: InvoiceStatus,
    total: z.number().meta({ description: 'Dollars.', example: 1245 }),
    total_in_cents: cents('The sum of the premiums of its lines. Negative when more is given back than billed.'),
    employer_contribution_in_cents: cents('What the employer bears of the total.'),
    employee_deduction_in_cents: cents('What the employees bear of the total, through their deductions.'),
    line_count: z.int(),
    drafted_on: DayAnswer,
    issued_on: DayAnswer.nullable().meta({ description: 'Null in a draft.' }),
    due_on: DayAnswer.nullable().meta({ description: '30 days after it was issued; null in a draft.' }),
    paid_on: DayAnswer.nullable(),
    voided_on: DayAnswer.nullable(),
  })
  .meta({ id: 'Invoice', description: 'What an employer is billed for a month.' })

export const InvoicePage = z
  .object({
    data: z.array(Invoice),
    pagination: z.object({
      limit: z.int(),
      next_offset: z.string().nullable().meta({ description: 'The `offset` of the next page; null on the last one.' }),
    }),
    next_offset: z.string().nullable().meta({ description: 'The same.' }),
  })
  .meta({ id: 'InvoicePage' })

export const InvoicePaging = z.object({
  limit: pageQuery.limit,
  offset: z
    .string()
    .max(1000, 'must be the next_offset of a page of this list')
    .optional()
    .meta({ description: 'The `next_offset` of the page before; opaque, and only good for the same employer.' }),
})
export type InvoicePaging = z.output<typeof InvoicePaging>

export const InvoiceLine = z
  .object({
    kind: z.enum(['coverage', 'adjustment']).meta({
      description:
        '`coverage`: the month of the invoice. `adjustment`: what an earlier month was billed wrongly, signed.',
    }),
    month: Month,
    employee_id: Id('empl'),
    employee_name: z.string(),
    enrollment_id: Id('enrl'),
    benefit_name: z.string(),
    plan_name: z.string(),
    coverage_tier: z.string().meta({ example: 'EE' }),
    premium_in_cents: cents('The two parts together.'),
    employer_contribution_in_cents: cents('What the employer bears.'),
    employee_deduction_in_cents: cents('What the employee bears.'),
  })
  .meta({ id: 'InvoiceLine', description: 'What is billed for an enrollment and a month. It never changes.' })

export const InvoiceLinePaging = z.object(pageQuery)

export const InvoiceLinePage = z
  .object({ data: z.array(InvoiceLine), pagination: Pagination })
  .meta({ id: 'InvoiceLinePage' })

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
  difference: Amounts.meta({ description: 'Due − billed.' }),
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
          employee_id: Id('empl'),
          enrollment_id: Id('enrl'),
          month: Month,
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
            'The part of the employees in what was billed for the months of the year, up to the one of the invoice.',
        }),
        collected_in_cents: z
          .int()
          .meta({ description: 'What the statements of the employer deducted for that year.' }),
        difference_in_cents: z.int().meta({ description: 'Billed − collected.' }),
      })
      .meta({ description: 'Over a whole year both come to the same; within it pay periods and months end apart.' }),
  })
  .meta({ id: 'Reconciliation', description: 'Whether what was billed is what was to be billed.' })

export const InvoiceRun = z
  .object({ employer_id: Id('empr'), period: Month })
  .meta({ id: 'InvoiceRun', description: 'An invoice day that the worker has been asked for.' })

export const BillingSystemChanges = z
  .object({
    billing_system: z.enum(billing_systems),
    stripe_secret_key: optional(text()).meta({ description: 'Kept as it is when absent. Never shown.' }),
    stripe_webhook_secret: optional(text()).meta({ description: 'Kept as it is when absent. Never shown.' }),
  })
  .meta({ id: 'BillingSystemChanges' })
export type BillingSystemChanges = z.output<typeof BillingSystemChanges>

export const BillingSystemSettings = z
  .object({
    organization_id: Id('org'),
    billing_system: z.enum(billing_systems),
    configured: z.boolean().meta({ description: 'Whether everything is there that the billing system needs.' }),
    stripe_secret_key_set: z.boolean(),
    stripe_webhook_secret_set: z.boolean(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'BillingSystemSettings', description: 'Where the invoices of an organization are collected.' })
