import type { EmployerKey } from '../../access/auth/queries.ts'
import type { BillingSystem } from '../billing-systems/rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { causeJson } from '../../directory/evidence/queries.ts'
import { unbilledEmployers } from './run-queries.ts'
import { days_as_draft, type InvoiceStatus } from './rules.ts'
import type { InvoiceLineFilter } from './schemas.ts'

export const invoiceStatus = `
  case when invoice.voided_at is not null then 'void' when invoice.paid_at is not null then 'paid'
       when invoice.issued_at is not null then 'open' else 'draft' end`

/** SQL: whether an invoice is issued and neither paid nor void. */
export const isOpenInvoice = (row: string) =>
  `${row}.issued_at is not null and ${row}.paid_at is null and ${row}.voided_at is null`

/**
 * SQL: the id of the invoice that bills the amounts of a void row `invoice`: the first one drafted after it was voided
 * whose correction window includes its month and that is not void. Null for an invoice that is not void.
 */
export const replacingInvoiceId = `
  case when invoice.voided_at is not null then (
    select later.invoice_id
      from (select correction_reach_months from employers
             where id = invoice.employer_id and organization_id = invoice.organization_id) as correction
      join invoices as later
        on later.employer_id = invoice.employer_id and later.organization_id = invoice.organization_id
       and later.period between invoice.period
                            and invoice.period + make_interval(months => correction.correction_reach_months)
     where later.voided_at is null and later.drafted_at >= invoice.voided_at
     order by later.number limit 1) end`

/** SQL: the Invoice, from a row `invoice`. `more` has additional columns for lists. */
export const invoiceJson = (more = '') => `
  select row_to_json(shown) as item from (
    select invoice.invoice_id, invoice.employer_id, ${more} to_char(invoice.period, 'YYYY-MM') as period,
           ${invoiceStatus} as status, round(invoice.total_in_cents / 100.0, 2) as total, invoice.total_in_cents,
           invoice.employer_contribution_in_cents, invoice.employee_deduction_in_cents, invoice.line_count,
           invoice.drafted_on, invoice.issued_on, invoice.due_on, invoice.paid_on, invoice.voided_on,
           invoice.void_reason, ${replacingInvoiceId} as replaced_by,
           case when invoice.billing_system = 'stripe' and ${isOpenInvoice('invoice')} then (
             select mirror.payment_url from stripe_invoices as mirror
              where mirror.invoice_id = invoice.invoice_id
                and mirror.organization_id = invoice.organization_id) end as payment_url) as shown`

type InvoicePath = { employer_id: string; invoice_id: string }

/** SQL: the requested invoice of an employer within reach. Excludes invoices that are still being written. */
export const namedInvoice = `
  invoice.invoice_id = :invoice_id and invoice.employer_id = :employer_id and invoice.drafted_at is not null
  and ${inReach('invoice.organization_id', 'invoice.employer_id')}`

export type InvoiceKey = EmployerKey & { invoice_id: string }

export const locateInvoice = read(
  'billing.locateInvoice',
  `select invoice.invoice_id, invoice.employer_id, invoice.organization_id
     from invoices as invoice where ${namedInvoice}`,
).row<InvoiceKey>

export const findInvoice = statement(
  'billing.findInvoice',
  `select shown.item::text as json
     from invoices as invoice cross join lateral (${invoiceJson()}) as shown
    where ${namedInvoice}`,
).json

export type InvoicePosition = { period: Day; number: number }

type InvoiceList = {
  has_account: boolean
  /** The Invoices as JSON, separated by commas. */
  items: string
  /** The InvoiceTotals as JSON. */
  totals: string
  /** The last invoice of the page, if more invoices follow. */
  last_period: Day | null
  last_number: number | null
}

type InvoicesWanted = {
  limit: number
  include_drafts: boolean
  /** Empty for any status. */
  statuses: (InvoiceStatus | 'overdue')[]
  /** The 1st of a month. Null for no limit. */
  period_from: Day | null
  period_to: Day | null
  after: InvoicePosition | undefined
}

/** SQL: whether a row `invoice` has a requested status. Excludes drafts unless they are requested. */
export const hasRequestedStatus = `
  (:include_drafts::boolean or invoice.issued_at is not null or invoice.voided_at is not null)
  and (cardinality(:statuses::text[]) = 0 or (${invoiceStatus}) = any(:statuses)
       or 'overdue' = any(:statuses) and ${isOpenInvoice('invoice')} and invoice.due_on < :today::date)`

/** SQL: the amounts that a row `employer` owes. */
const invoiceTotals = `
  select coalesce(sum(owed.total_in_cents) filter (where owed.total_in_cents > 0), 0)::bigint as open_in_cents,
         coalesce(sum(owed.total_in_cents)
                    filter (where owed.total_in_cents > 0 and owed.due_on < :today::date), 0)::bigint
           as overdue_in_cents,
         coalesce(-sum(owed.total_in_cents) filter (where owed.total_in_cents < 0), 0)::bigint as credit_in_cents
    from invoices as owed
   where owed.organization_id = employer.organization_id and owed.employer_id = employer.id
      and ${isOpenInvoice('owed')}`

const listed = read(
  'billing.listInvoices',
  `select exists (select from employer_subscriptions as subscription
                   where subscription.employer_id = employer.id
                     and subscription.organization_id = employer.organization_id) as has_account,
          listed.items, listed.last_period, listed.last_number,
          (select row_to_json(totals)::text from (${invoiceTotals}) as totals) as totals
     from employers as employer
    cross join lateral (
      select coalesce(string_agg(shown.item::text, ',' order by invoice.position)
                        filter (where invoice.position <= :limit), '') as items,
             case when count(*) > :limit
                  then min(invoice.period) filter (where invoice.position = :limit) end as last_period,
             case when count(*) > :limit
                  then min(invoice.number) filter (where invoice.position = :limit) end as last_number
        from (select invoice.*, row_number() over (order by invoice.period desc, invoice.number desc) as position
                from invoices as invoice
               where invoice.employer_id = employer.id and invoice.organization_id = employer.organization_id
                 and invoice.drafted_at is not null
                 and ${hasRequestedStatus}
                 and coalesce(invoice.period >= :period_from::date, true)
                 and coalesce(invoice.period <= :period_to::date, true)
                 and (invoice.period, invoice.number)
                     < (case when :after_period::date is null then 'infinity' else :after_period end,
                        case when :after_number::bigint is null then 0 else :after_number end)
               order by invoice.period desc, invoice.number desc limit :limit::int + 1) as invoice
       cross join lateral (${invoiceJson()}) as shown) as listed
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
)

/** A page of the invoices of an employer, newest first, and the amounts it owes. Undefined if out of reach. */
export const listInvoices = (ctx: ReadCtx, employer_id: string, { after, ...wanted }: InvoicesWanted) =>
  listed.row<InvoiceList>(ctx, {
    ...wanted,
    employer_id,
    after_period: after?.period ?? null,
    after_number: after?.number ?? null,
  })

/**
 * SQL: why a row `line` adjusts its month. Compares it with the invoices that were not void when its own invoice,
 * `position`, was drafted, so the reason never changes.
 */
const adjustmentReason = `
  case when line.kind = 'adjustment' then (
    select case
             when coalesce(sum(former.employer_contribution_in_cents), 0) = 0
              and coalesce(sum(former.employee_deduction_in_cents), 0) = 0 then 'not_billed_before'
             when sum(former.employer_contribution_in_cents) = -line.employer_contribution_in_cents
              and sum(former.employee_deduction_in_cents) = -line.employee_deduction_in_cents then 'no_longer_due'
             when (array_agg(former.plan_name order by earlier.number desc))[1] = line.plan_name
              and (array_agg(former.coverage_tier order by earlier.number desc))[1] = line.coverage_tier
             then 'price_changed' else 'coverage_changed' end
      from (select * from invoice_lines
             where enrollment_id = line.enrollment_id and organization_id = target.organization_id
               and month = line.month and kind <> 'manual_adjustment' offset 0) as former
     cross join lateral (
       select number from invoices
        where invoice_id = former.invoice_id and organization_id = target.organization_id
          and number < target.number and (voided_at is null or voided_at > target.drafted_at) offset 0) as earlier) end`

/**
 * SQL: the cause of a row `line`. `before` has the earlier invoices that billed its month for the enrollment, other
 * than its own invoice, `position`, and void invoices of the month itself. If all of them were void, the cause is the
 * voided invoice. Otherwise, it is the change of the enrollment since the latest of them was drafted. An adjustment
 * that was voided and drafted again keeps its cause.
 */
export const lineCause = (position: string) => `
  case line.kind when 'adjustment' then (
    select case when before.invoice_ids is not null and not before.is_live then (
             select json_build_object(
                      'action', 'invoice_voided', 'operation', 'operator_void_invoice', 'reported_at', iso(voided_at),
                      'reported_by', json_build_object('kind', 'operator', 'id', null),
                      'coverage_start', null, 'coverage_end', null, 'reason', void_reason)
               from invoices where invoice_id = before.invoice_ids[1] and organization_id = ${position}.organization_id)
           else ${causeJson(
             'line.enrollment_id',
             `${position}.organization_id`,
             `coalesce(before.drafted_at, '-infinity')`,
             `${position}.drafted_at`,
           )} end
      from (select array_agg(former.invoice_id order by former.number desc) as invoice_ids,
                   bool_or(former.is_live) as is_live, max(former.drafted_at) as drafted_at
              from (select invoice_id, kind from invoice_lines
                     where enrollment_id = line.enrollment_id and organization_id = ${position}.organization_id
                       and month = line.month and kind <> 'manual_adjustment' offset 0) as earlier
             cross join lateral (
               select invoice_id, number, drafted_at, voided_at is null or voided_at > ${position}.drafted_at as is_live
                 from invoices
                where invoice_id = earlier.invoice_id and organization_id = ${position}.organization_id
                  and number < ${position}.number offset 0) as former
             where former.is_live or earlier.kind = 'coverage') as before)
  when 'manual_adjustment' then (
    select json_build_object(
             'action', 'manual_adjustment', 'operation', 'operator_book_manual_adjustment',
             'reported_at', iso(created_at), 'reported_by', json_build_object('kind', 'operator', 'id', null),
             'coverage_start', null, 'coverage_end', null, 'reason', reason)
      from manual_adjustments
     where enrollment_id = line.enrollment_id and organization_id = ${position}.organization_id and month = line.month
       and created_at <= ${position}.drafted_at
     order by created_at desc, id desc limit 1) end`

/** The lines of one employee are filtered among those of the invoice, which has a few for each person. */
const lines_listed = readVariants(
  'billing.listInvoiceLines',
  { of_employee: [false, true] },
  ({ of_employee }) => `with target as materialized (
     select invoice.organization_id, invoice.invoice_id, invoice.line_count, invoice.number, invoice.drafted_at
       from invoices as invoice where ${namedInvoice})
   ${pageJson(
     `select (select row_to_json(shown) from (
                select line.kind, ${adjustmentReason} as reason, ${lineCause('target')} as cause,
                       to_char(line.month, 'YYYY-MM') as month, line.employee_id, line.employee_name,
                       line.enrollment_id, line.benefit_name, line.plan_name, line.coverage_tier, line.premium_in_cents,
                       line.employer_contribution_in_cents, line.employee_deduction_in_cents) as shown) as item,
             line.position
        from target cross join lateral (
          select * from invoice_lines
           where invoice_id = target.invoice_id and organization_id = target.organization_id
             ${
               of_employee
                 ? 'and employee_id = :employee_id order by position offset :offset::bigint limit :limit::int'
                 : 'and position > :offset::bigint order by position limit :limit::int'
             }) as line`,
     of_employee
       ? `(select (select count(*) from invoice_lines as line
                    where line.invoice_id = target.invoice_id and line.organization_id = target.organization_id
                      and line.employee_id = :employee_id) from target)`
       : '(select line_count from target)',
   )}`,
)

/** A page of the lines of an invoice as JSON, in the order in which they were written. */
export const listInvoiceLines = (ctx: ReadCtx, invoice: InvoicePath, { employee_id, ...page }: InvoiceLineFilter) =>
  lines_listed({ of_employee: employee_id !== undefined }).json(ctx, {
    ...invoice,
    ...pageValues(page),
    employee_id: employee_id ?? null,
  })

export type CollectedInvoice = EmployerKey & { invoice_id: string; billing_system: BillingSystem }

const collected = 'returning organization_id, employer_id, invoice_id, billing_system'

export const lockInvoice = statement(
  'billing.lockInvoice',
  `select invoice.organization_id, ${invoiceStatus} as status, invoice.issued_on
     from invoices as invoice where ${namedInvoice} for no key update`,
).row<{ organization_id: string; status: InvoiceStatus; issued_on: Day | null }>

/** Issues a draft. Returns no row if it is not a draft. */
export const saveIssue = statement(
  'billing.saveIssue',
  `update invoices set issued_at = :now, issued_on = :today, due_on = :due_on
    where invoice_id = :invoice_id and organization_id = :organization_id
      and drafted_at is not null and issued_at is null and voided_at is null ${collected}`,
).rows<CollectedInvoice>

/** SQL: the drafts of an organization that were drafted on or before a day. */
const toIssue = (organization: string, drafted_by: string) => `
  from invoices as draft
 where draft.organization_id = ${organization} and draft.drafted_on <= ${drafted_by}
   and draft.drafted_at is not null and draft.issued_at is null and draft.voided_at is null`

/** Issues the drafts of an organization that were drafted on or before a day. */
export const saveDueIssues = statement(
  'billing.saveDueIssues',
  `update invoices set issued_at = :now, issued_on = :today, due_on = :due_on
    where organization_id = :organization_id
      and invoice_id = any(array(select invoice_id ${toIssue(':organization_id', ':drafted_by')} limit :most))
   ${collected}`,
).rows<CollectedInvoice>

/**
 * SQL: whether there may be invoices to schedule, draft, render or issue. Whether an employer has anything to bill is
 * known only when it is drafted.
 */
export const hasDailyInvoices = `
  (exists (select ${unbilledEmployers('organization.id', "date_trunc('month', daily_run.day)::date")})
   or exists (select from invoice_runs as run where run.organization_id = organization.id and run.finished_at is null)
   or exists (select ${toIssue('organization.id', `daily_run.day - ${days_as_draft}`)}))`

const void_saved = statement(
  'billing.saveVoid',
  `update invoices set voided_at = :now, voided_on = :today, void_reason = :void_reason
    where invoice_id = :invoice_id and organization_id = :organization_id
      and drafted_at is not null and paid_at is null and voided_at is null ${collected}`,
)

/** Voids an invoice that is neither void nor paid. */
export const saveVoid = (ctx: Ctx, organization_id: string, invoice_id: string, void_reason: string | null) =>
  void_saved.rows<CollectedInvoice>(ctx, { organization_id, invoice_id, void_reason: void_reason as string })

/** Records the payment of an open invoice. */
export const savePayment = statement(
  'billing.savePayment',
  `update invoices set paid_at = :now, paid_on = :paid_on
    where invoice_id = :invoice_id and organization_id = :organization_id
      and issued_at is not null and paid_at is null and voided_at is null ${collected}`,
).rows<CollectedInvoice>
