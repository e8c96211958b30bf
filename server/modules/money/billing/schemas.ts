import { z } from 'zod'
import { flag, several } from '../../../http/endpoint.ts'
import { CursorPagination, pageQuery, Pagination } from '../../../kernel/pages.ts'
import { DayAnswer, DayText, Id, MonthText, optional, sought, text } from '../../../kernel/fields.ts'
import { AdjustmentCause } from '../../directory/evidence/schemas.ts'

const cents = (description: string) => z.int().meta({ description, example: 124_500 })

export const Month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .meta({ description: 'A month, `YYYY-MM`.', example: '2026-03' })

export const InvoiceId = z.string().meta({ description: 'The id of the invoice, in paths too.', example: 'INV-000042' })

const InvoiceStatus = z.enum(['draft', 'open', 'paid', 'void']).meta({ id: 'InvoiceStatus' })

export const Invoice = z
  .object({
    invoice_id: InvoiceId,
    employer_id: Id('empr'),
    period: Month.meta({ description: 'The month that it bills, `YYYY-MM`; adjustments are of months before it.' }),
    status: InvoiceStatus,
    total: z.number().meta({
      description: 'What the employer is billed, in dollars; `total_in_cents` says it in cents.',
      example: 1245,
    }),
    total_in_cents: cents('The sum of the premiums of its lines. Negative when more is given back than billed.'),
    employer_contribution_in_cents: cents('What the employer bears of the total.'),
    employee_deduction_in_cents: cents('What the employees bear of the total, through their deductions.'),
    line_count: z.int(),
    drafted_on: DayAnswer,
    issued_on: DayAnswer.nullable().meta({ description: 'Null in a draft.' }),
    due_on: DayAnswer.nullable().meta({ description: '30 days after it was issued; null in a draft.' }),
    paid_on: DayAnswer.nullable(),
    voided_on: DayAnswer.nullable(),
    void_reason: z.string().nullable().meta({
      description: 'Why the invoice is void. Null if it is not void, or if no reason was given.',
      example: 'The wrong rates were imported.',
    }),
    replaced_by: z
      .string()
      .nullable()
      .meta({
        description:
          'The id of the invoice that bills what this void invoice billed: another one of the same month, or the ' +
          'first one of a later month that reaches it. Null if it is not void, or not billed again yet.',
        example: 'INV-000043',
      }),
    payment_url: z.url().nullable().meta({
      description: 'Where it is paid at Stripe; null unless it is open, and collected there.',
    }),
  })
  .meta({ id: 'Invoice', description: 'What an employer is billed for a month.' })

const InvoiceTotals = z
  .object({
    open_in_cents: z.int().meta({ description: 'To be paid.' }),
    overdue_in_cents: z.int().meta({ description: 'What of it was due before today.' }),
    credit_in_cents: z.int().meta({ description: 'What open invoices below nothing give back.' }),
  })
  .meta({ id: 'InvoiceTotals', description: 'What the employer owes, whatever the list is narrowed to.' })

export const InvoicePage = z
  .object({
    data: z.array(Invoice),
    totals: InvoiceTotals,
    pagination: CursorPagination,
    next_offset: z.string().nullable().meta({ description: 'The same as `pagination.next_offset`.' }),
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

/** As partners ask for it; the operator sees drafts anyhow. */
export const InvoiceFilter = InvoicePaging.extend({
  status: several(['draft', 'open', 'overdue', 'paid', 'void']).meta({
    description: '`overdue`: open, and due before today.',
  }),
  period_from: MonthText.optional().meta({ description: 'From this month on.', example: '2026-01' }),
  period_to: MonthText.optional().meta({ description: 'To this month.', example: '2026-12' }),
  include_drafts: flag.meta({ description: 'Show drafts too, which are neither final nor to be paid.' }),
})
export type InvoiceFilter = z.output<typeof InvoiceFilter>

const ages = ['not_due', 'to_30_days', 'to_60_days', 'to_90_days', 'longer'] as const

const InvoiceAge = z.enum(ages).meta({
  id: 'InvoiceAge',
  description:
    'How long ago it was due, as the sums by age tell it: not yet, 1 to 30 days, 31 to 60, 61 to 90, longer.',
})

export const InvoiceRow = Invoice.extend({
  employer_name: z.string().meta({ description: 'The name of the employer as it is now.' }),
  age: InvoiceAge.nullable().meta({ description: 'null: not issued, paid or void.' }),
}).meta({ id: 'InvoiceRow', description: 'An invoice in the list across employers.' })

export const InvoiceRowPage = z
  .object({
    data: z.array(InvoiceRow),
    pagination: CursorPagination,
    next_offset: z.string().nullable().meta({ description: 'The same as `pagination.next_offset`.' }),
  })
  .meta({ id: 'InvoiceRowPage' })

export const InvoiceRowFilter = InvoiceFilter.extend({
  offset: z
    .string()
    .max(1000, 'must be the next_offset of a page of this list')
    .optional()
    .meta({ description: 'The `next_offset` of the page before; opaque, and only good for the same organization.' }),
  age: several(ages).meta({
    description:
      'Keeps what is issued and neither paid nor void, by how long ago it was due: not yet, 1 to 30 days, 31 to 60, ' +
      '61 to 90, or longer.',
  }),
  employer_id: Id('empr').optional().meta({ description: 'Only those of this employer.' }),
  search: sought()
    .optional()
    .meta({
      description:
        'Part of the name or legal name of an employer, of whom 100 are found at most; or the id of an invoice, or ' +
        'its number alone.',
      example: 'INV-000042',
    }),
})
export type InvoiceRowFilter = z.output<typeof InvoiceRowFilter>

const AdjustmentReason = z.enum(['not_billed_before', 'no_longer_due', 'coverage_changed', 'price_changed']).meta({
  id: 'AdjustmentReason',
  description:
    'Why it is there: the month was not billed; what was billed is not due at all; another plan or tier was in ' +
    'force; or the price, or who bears what, was another.',
})

export const InvoiceLine = z
  .object({
    kind: z.enum(['coverage', 'adjustment', 'manual_adjustment']).meta({
      id: 'InvoiceLineKind',
      description:
        '`coverage`: the month of the invoice. `adjustment`: what an earlier month was billed wrongly, signed. ' +
        '`manual_adjustment`: what the operator booked by hand for a month that no invoice reaches any more.',
    }),
    reason: AdjustmentReason.nullable().meta({ description: 'null: no adjustment.' }),
    cause: AdjustmentCause.nullable().meta({
      description:
        'The cause of the adjustment. Null for coverage, and if it follows from no fact of the enrollment, ' +
        'such as the subscription of the employer.',
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

const owed = {
  invoice_count: z.int().meta({ description: 'How many invoices are issued and neither paid nor void.' }),
  not_due_in_cents: cents('Of invoices whose due date is today or ahead.'),
  overdue_to_30_days_in_cents: cents('Due 1 to 30 days ago.'),
  overdue_to_60_days_in_cents: cents('Due 31 to 60 days ago.'),
  overdue_to_90_days_in_cents: cents('Due 61 to 90 days ago.'),
  overdue_longer_in_cents: cents('Due more than 90 days ago.'),
  total_in_cents: cents('All of it.'),
}

export const InvoiceAging = z
  .object({ employer_id: Id('empr'), employer_name: z.string(), oldest_due_on: DayAnswer, ...owed })
  .meta({ id: 'InvoiceAging', description: 'What an employer owes, by how long ago it was due.' })

export const InvoiceAgingPage = z
  .object({
    data: z.array(InvoiceAging),
    totals: z.object(owed).meta({ description: 'Of all employers together.' }),
    pagination: Pagination,
  })
  .meta({ id: 'InvoiceAgingPage' })

export const InvoiceAgingPaging = z.object(pageQuery)

export const InvoicePayment = z
  .object({
    paid_on: optional(DayText).meta({
      description: 'The day on which it was paid: not before it was issued, and not after today; today unless said.',
    }),
  })
  .meta({ id: 'InvoicePayment' })

export const InvoiceVoiding = z
  .object({
    reason: optional(text()).meta({
      description: 'Why the invoice is voided, for the partner. It is shown on the invoice and its PDF.',
      example: 'The wrong rates were imported.',
    }),
  })
  .meta({ id: 'InvoiceVoiding' })

export const InvoiceRun = z
  .object({ employer_id: Id('empr'), period: Month })
  .meta({ id: 'InvoiceRun', description: 'An invoice day that the worker has been asked for.' })
