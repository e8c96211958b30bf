import { invoiceId } from '../../../kernel/ids.ts'
import { z } from 'zod'
import { flag, many } from '../../../http/endpoint.ts'
import { cursor_fields, cursorPageOf, cursorQuery, pageOf, pageQuery, Pagination } from '../../../kernel/pages.ts'
import { ResponseDay, DayText, Id, MonthText, optional, searchText, text } from '../../../kernel/fields.ts'
import { AdjustmentCause } from '../../directory/evidence/schemas.ts'

const cents = (description: string) => z.int().meta({ description, example: 124_500 })

export const Month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .meta({ description: 'A month, `YYYY-MM`.', example: '2026-03' })

export const InvoiceId = z
  .string()
  .meta({ description: 'The id of the invoice, also in paths.', example: invoiceId(42) })

const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'void']).meta({
  id: 'InvoiceStatus',
  description: 'draft: may still change. open: issued. paid: settled. void: no longer owed.',
})

export const Invoice = z
  .object({
    invoice_id: InvoiceId,
    employer_id: Id('empr'),
    period: Month.meta({ description: 'The billed month, `YYYY-MM`. Adjustments are for earlier months.' }),
    status: InvoiceStatus,
    total: z.number().meta({
      description: 'The total in dollars. See `total_in_cents` for cents.',
      example: 1245,
    }),
    total_in_cents: cents('The sum of the premiums of its lines. Negative if it refunds more than it bills.'),
    employer_contribution_in_cents: cents("The employer's share of the total."),
    employee_deduction_in_cents: cents("The employees' share of the total, which is deducted from paychecks."),
    line_count: z.int(),
    drafted_on: ResponseDay,
    issued_on: ResponseDay.nullable().meta({
      description: 'The day on which the invoice was issued. Null for a draft.',
    }),
    due_on: ResponseDay.nullable().meta({
      description: 'The due date, 30 days after the issue date. Null for a draft.',
    }),
    paid_on: ResponseDay.nullable(),
    voided_on: ResponseDay.nullable(),
    void_reason: z.string().nullable().meta({
      description: 'Why the invoice is void. Null if it is not void, or if no reason was given.',
      example: 'The wrong rates were imported.',
    }),
    replaced_by: z
      .string()
      .nullable()
      .meta({
        description:
          'The id of the invoice that bills the amounts of this void invoice: a new one of the same month, or the ' +
          'first later one whose correction window includes it. Null if this invoice is not void or not billed ' +
          'again yet.',
        example: invoiceId(43),
      }),
    payment_url: z.url().nullable().meta({
      description: 'The payment page at Stripe. Null unless the invoice is open and collected by Stripe.',
    }),
  })
  .meta({ id: 'Invoice', description: 'The invoice of an employer for a month.' })

const InvoiceTotals = z
  .object({
    open_in_cents: z.int().meta({ description: 'The total of open invoices, in cents.' }),
    overdue_in_cents: z.int().meta({ description: 'The total of open invoices that were due before today, in cents.' }),
    credit_in_cents: z
      .int()
      .meta({ description: 'The total credit of open invoices with a negative total, in cents.' }),
  })
  .meta({ id: 'InvoiceTotals', description: 'The amounts that the employer owes, regardless of filters.' })

export const InvoicePage = z
  .object({
    data: z.array(Invoice),
    totals: InvoiceTotals,
    ...cursor_fields,
  })
  .meta({ id: 'InvoicePage' })

export const InvoicePaging = z.object(cursorQuery('employer'))
export type InvoicePaging = z.output<typeof InvoicePaging>

/** The filters for partners. Operators always see drafts. */
export const InvoiceFilter = InvoicePaging.extend({
  status: many(z.enum(['draft', 'open', 'overdue', 'paid', 'void'])).meta({
    description: '`overdue`: open and due before today.',
  }),
  period_from: MonthText.optional().meta({ description: 'Only invoices of this month or later.', example: '2026-01' }),
  period_to: MonthText.optional().meta({ description: 'Only invoices of this month or earlier.', example: '2026-12' }),
  include_drafts: flag.meta({ description: 'Whether to include drafts, which are not final.' }),
})
export type InvoiceFilter = z.output<typeof InvoiceFilter>

const InvoiceAge = z.enum(['not_due', 'to_30_days', 'to_60_days', 'to_90_days', 'longer']).meta({
  id: 'InvoiceAge',
  description: 'The time since the due date: not due, 1 to 30 days, 31 to 60 days, 61 to 90 days, or longer.',
})

const InvoiceRow = Invoice.extend({
  employer_name: z.string().meta({ description: 'The current name of the employer.' }),
  age: InvoiceAge.nullable().meta({
    description: 'How long the invoice is overdue. Null for drafts and for paid or void invoices.',
  }),
}).meta({ id: 'InvoiceRow', description: 'An invoice in the list across employers.' })

export const InvoiceRowPage = cursorPageOf('InvoiceRowPage', InvoiceRow)

export const InvoiceRowFilter = InvoiceFilter.extend({
  ...cursorQuery('organization'),
  age: many(InvoiceAge).meta({
    description:
      'Only invoices that are issued and neither paid nor void, by the time since the due date: not due, 1 to 30 ' +
      'days, 31 to 60 days, 61 to 90 days, or longer.',
  }),
  employer_id: Id('empr').optional().meta({ description: 'Only invoices of this employer.' }),
  search: searchText()
    .optional()
    .meta({
      description:
        'Part of the name or legal name of an employer (at most 100 employers), or the id or number of an invoice.',
      example: invoiceId(42),
    }),
})
export type InvoiceRowFilter = z.output<typeof InvoiceRowFilter>

const AdjustmentReason = z.enum(['not_billed_before', 'no_longer_due', 'coverage_changed', 'price_changed']).meta({
  id: 'AdjustmentReason',
  description:
    'Why the month is adjusted: it was not billed; it should not have been billed; another plan or tier was in ' +
    'force; or the price or the split between employer and employee changed.',
})

export const InvoiceLine = z
  .object({
    kind: z.enum(['coverage', 'adjustment', 'manual_adjustment']).meta({
      id: 'InvoiceLineKind',
      description:
        '`coverage`: the month of the invoice. `adjustment`: a signed correction of an earlier month. ' +
        '`manual_adjustment`: an amount that the operator booked for a month outside the correction window.',
    }),
    reason: AdjustmentReason.nullable().meta({
      description: 'Why the month is adjusted. Null if the line is not an adjustment.',
    }),
    cause: AdjustmentCause.nullable().meta({
      description:
        'The cause of the adjustment. Null for coverage, and if it does not follow from the enrollment, for ' +
        "example from the employer's subscription.",
    }),
    month: Month,
    employee_id: Id('empl'),
    employee_name: z.string(),
    enrollment_id: Id('enrl'),
    benefit_name: z.string(),
    plan_name: z.string(),
    coverage_tier: z.string().meta({ example: 'EE' }),
    premium_in_cents: cents('The full premium, which is the sum of both shares, in cents.'),
    employer_contribution_in_cents: cents("The employer's share of the premium, in cents."),
    employee_deduction_in_cents: cents("The employee's share of the premium, in cents."),
  })
  .meta({ id: 'InvoiceLine', description: 'The charge for an enrollment and a month. Lines never change.' })

export const InvoiceLinePage = pageOf('InvoiceLinePage', InvoiceLine)

export const InvoiceLineFilter = z.object({
  ...pageQuery,
  employee_id: Id('empl').optional().meta({ description: 'Only lines of this employee.' }),
})
export type InvoiceLineFilter = z.output<typeof InvoiceLineFilter>

const owed = {
  invoice_count: z.int().meta({ description: 'Number of invoices that are issued and neither paid nor void.' }),
  not_due_in_cents: cents('The total of invoices that are due today or later.'),
  overdue_to_30_days_in_cents: cents('The total of invoices that were due 1 to 30 days ago, in cents.'),
  overdue_to_60_days_in_cents: cents('The total of invoices that were due 31 to 60 days ago, in cents.'),
  overdue_to_90_days_in_cents: cents('The total of invoices that were due 61 to 90 days ago, in cents.'),
  overdue_longer_in_cents: cents('The total of invoices that were due more than 90 days ago, in cents.'),
  total_in_cents: cents('The total of all open invoices, in cents.'),
}

const InvoiceAging = z
  .object({ employer_id: Id('empr'), employer_name: z.string(), oldest_due_on: ResponseDay, ...owed })
  .meta({ id: 'InvoiceAging', description: 'The amounts that an employer owes, by age.' })

export const InvoiceAgingPage = z
  .object({
    data: z.array(InvoiceAging),
    totals: z.object(owed).meta({ description: 'The totals of all employers.' }),
    pagination: Pagination,
  })
  .meta({ id: 'InvoiceAgingPage' })

export const InvoicePayment = z
  .object({
    paid_on: optional(DayText).meta({
      description: 'The day of the payment, from the issue date to today. Defaults to today.',
    }),
  })
  .meta({ id: 'InvoicePayment' })

export const InvoiceVoiding = z
  .object({
    reason: optional(text()).meta({
      description: 'The reason for voiding the invoice. The partner sees it on the invoice and its PDF.',
      example: 'The wrong rates were imported.',
    }),
  })
  .meta({ id: 'InvoiceVoiding' })

export const InvoiceRun = z
  .object({ employer_id: Id('empr'), period: Month })
  .meta({ id: 'InvoiceRun', description: 'A requested draft of an invoice.' })
