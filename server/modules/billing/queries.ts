import type { EmployerKey } from '../auth/queries.ts'
import type { BillingSystem } from '../../platform/billing-system.ts'
import { inReach } from '../../platform/caller.ts'
import type { Ctx, ReadCtx, DailyChunk } from '../../platform/ctx.ts'
import { read, statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'
import type { Page } from '../../kernel/pages.ts'
import { pageJson, pageValues } from '../../platform/database/pages.ts'
import { lapsesJson } from '../employers/queries.ts'
import { days_as_draft, tier_names } from './rules.ts'
import type { Amounts, Billable, InvoiceStatus, Line } from './rules.ts'

/** SQL: the state of a row `invoice`, from what happened to it. */
const status = `
  case when invoice.voided_at is not null then 'void' when invoice.paid_at is not null then 'paid'
       when invoice.issued_at is not null then 'open' else 'draft' end`

/** SQL: the Invoice of the interface, from a row `invoice`. */
const invoiceJson = `
  select row_to_json(shown) as item from (
    select invoice.invoice_id, invoice.employer_id, to_char(invoice.period, 'YYYY-MM') as period, ${status} as status,
           round(invoice.total_in_cents / 100.0, 2) as total, invoice.total_in_cents,
           invoice.employer_contribution_in_cents, invoice.employee_deduction_in_cents, invoice.line_count,
           invoice.drafted_on, invoice.issued_on, invoice.due_on, invoice.paid_on, invoice.voided_on) as shown`

export type Named = { employer_id: string; invoice_id: string }

/** SQL: the named invoice of an employer within reach; one that is still being written is not there yet. */
export const namedInvoice = `
  invoice.invoice_id = :invoice_id and invoice.employer_id = :employer_id and invoice.drafted_at is not null
  and ${inReach('invoice.organization_id', 'invoice.employer_id')}`

/** An invoice, and whose. */
export type InvoiceKey = EmployerKey & { invoice_id: string }

const located = read(
  'billing.locateInvoice',
  `select invoice.invoice_id, invoice.employer_id, invoice.organization_id
     from invoices as invoice where ${namedInvoice}`,
)

/** An invoice within reach. */
export const locateInvoice = (ctx: ReadCtx, invoice: Named) => located.row<InvoiceKey>(ctx, invoice)

const found = statement(
  'billing.findInvoice',
  `select shown.item::text as json
     from invoices as invoice cross join lateral (${invoiceJson}) as shown
    where ${namedInvoice}`,
)

/** One Invoice as JSON; undefined out of reach. */
export const findInvoice = (ctx: Ctx, invoice: Named) => found.json(ctx, invoice)

/** Where a page of invoices ends. */
export type InvoicePosition = { period: Day; number: number }

export type InvoiceList = {
  has_account: boolean
  /** the Invoices as JSON, comma separated */
  items: string
  /** the last of them when others follow */
  last_period: Day | null
  last_number: number | null
}

export type InvoicesWanted = { limit: number; include_drafts: boolean; after: InvoicePosition | undefined }

const listed = read(
  'billing.listInvoices',
  `select exists (select from employer_subscriptions as subscription
                   where subscription.employer_id = employer.id
                     and subscription.organization_id = employer.organization_id) as has_account,
          listed.items, listed.last_period, listed.last_number
     from employers as employer
    cross join lateral (
      select coalesce(string_agg(shown.item::text, ',' order by invoice.position)
                        filter (where invoice.position <= :limit), '') as items,
             case when count(*) > :limit
                  then min(invoice.period) filter (where invoice.position = :limit) end as last_period,
             case when count(*) > :limit
                  then min(invoice.number) filter (where invoice.position = :limit) end as last_number
        from (select *, row_number() over (order by period desc, number desc) as position from invoices
               where employer_id = employer.id and organization_id = employer.organization_id
                 and drafted_at is not null
                 and (:include_drafts::boolean or issued_at is not null or voided_at is not null)
                 and (period, number) < (coalesce(:after_period::date, 'infinity'), coalesce(:after_number::bigint, 0))
               order by period desc, number desc limit :limit::int + 1) as invoice
       cross join lateral (${invoiceJson}) as shown) as listed
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
)

/** The invoices of an employer after one of them, newest first; undefined out of reach. */
export const listInvoices = (ctx: ReadCtx, employer_id: string, { limit, include_drafts, after }: InvoicesWanted) =>
  listed.row<InvoiceList>(ctx, {
    employer_id,
    limit,
    include_drafts,
    after_period: after?.period ?? null,
    after_number: after?.number ?? null,
  })

const lines_listed = read(
  'billing.listInvoiceLines',
  `with place as materialized (
     select invoice.organization_id, invoice.invoice_id, invoice.line_count
       from invoices as invoice where ${namedInvoice})
   ${pageJson(
     `select (select row_to_json(shown) from (
                select line.kind, to_char(line.month, 'YYYY-MM') as month, line.employee_id, line.employee_name,
                       line.enrollment_id, line.benefit_name, line.plan_name, line.coverage_tier, line.premium_in_cents,
                       line.employer_contribution_in_cents, line.employee_deduction_in_cents) as shown) as item,
             line.position
        from place cross join lateral (
          select * from invoice_lines
           where invoice_id = place.invoice_id and organization_id = place.organization_id
             and position > :offset::bigint order by position limit :limit::int) as line`,
     '(select line_count from place)',
   )}`,
)

/** A page of the lines of an invoice as JSON, in the order in which they were written. */
export const listInvoiceLines = (ctx: ReadCtx, invoice: Named, page: Page) =>
  lines_listed.json(ctx, { ...invoice, ...pageValues(page) })

const pdf_located = read(
  'billing.locatePdf',
  `select invoice.organization_id, mirror.stripe_invoice_id, chosen.stripe_secret_key_sealed
     from invoices as invoice
     left join stripe_invoices as mirror
            on mirror.invoice_id = invoice.invoice_id and mirror.organization_id = invoice.organization_id
           and invoice.issued_at is not null and invoice.voided_at is null
     left join billing_systems as chosen on chosen.organization_id = invoice.organization_id
    where ${namedInvoice}`,
)

/** How an invoice that is to be paid, or was, is known at Stripe when it is collected there; undefined out of reach. */
export const locatePdf = (ctx: ReadCtx, invoice: Named) =>
  pdf_located.row<{
    organization_id: string
    stripe_invoice_id: string | null
    stripe_secret_key_sealed: Buffer | null
  }>(ctx, invoice)

export type InOrganization = { organization_id: string; invoice_id: string }

/** A PDF that is kept, and says of its invoice what is so. */
export type KeptPdf = { says_void: boolean; bytes: number }

const pdf_kept = statement(
  'billing.findKeptPdf',
  `select kept.says_void, length(kept.pdf) as bytes
     from invoice_pdfs as kept
     join invoices as invoice on invoice.invoice_id = kept.invoice_id and invoice.organization_id = :organization_id
    where kept.invoice_id = :invoice_id and kept.organization_id = :organization_id
      and kept.says_void = (invoice.voided_at is not null)`,
)

export const findKeptPdf = (ctx: Ctx, invoice: InOrganization) => pdf_kept.row<KeptPdf>(ctx, invoice)

/** Bytes. */
const pdf_piece = 256 * 1024

const piece_read = statement(
  'billing.readPdf',
  `select substring(pdf from :start::int for ${pdf_piece}) as piece from invoice_pdfs
    where invoice_id = :invoice_id and organization_id = :organization_id and says_void = :says_void`,
)

/** A kept PDF in pieces. Throws when it is replaced meanwhile, by one that says that the invoice is void. */
export async function* readPdf(
  ctx: Ctx,
  invoice: InOrganization,
  { says_void, bytes }: KeptPdf,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += pdf_piece) {
    const read = await piece_read.row<{ piece: Buffer }>(ctx, { ...invoice, says_void, start: at + 1 })
    if (!read) throw new Error(`The PDF of ${invoice.invoice_id} was replaced while it was read.`)
    yield read.piece
  }
}

const document = statement(
  'billing.findDocument',
  `select ${status} as status,
          json_build_object(
            'invoice_id', invoice.invoice_id, 'organization_name', organization.name,
            'employer', json_build_object(
              'name', invoice.employer_name, 'legal_name', invoice.employer_legal_name,
              'address_line_1', invoice.address_line_1, 'address_line_2', invoice.address_line_2,
              'city', invoice.city, 'state', invoice.state, 'zipcode', invoice.zipcode),
            'period', invoice.period, 'status', ${status}, 'drafted_on', invoice.drafted_on,
            'issued_on', invoice.issued_on, 'due_on', invoice.due_on, 'voided_on', invoice.voided_on,
            'lines', (select coalesce(json_agg(json_build_object(
                               'employee_name', line.employee_name, 'benefit_name', line.benefit_name,
                               'plan_name', line.plan_name,
                               'coverage_tier', :tier_names::jsonb ->> line.coverage_tier,
                               'month', line.month, 'kind', line.kind, 'premium_in_cents', line.premium_in_cents,
                               'employer_contribution_in_cents', line.employer_contribution_in_cents,
                               'employee_deduction_in_cents', line.employee_deduction_in_cents)
                             order by line.employee_name, line.employee_id, line.month, line.position), '[]')
                        from invoice_lines as line
                       where line.invoice_id = invoice.invoice_id and line.organization_id = :organization_id),
            'totals', json_build_object(
              'premium_in_cents', invoice.total_in_cents,
              'employer_contribution_in_cents', invoice.employer_contribution_in_cents,
              'employee_deduction_in_cents', invoice.employee_deduction_in_cents))::text as document
     from invoices as invoice
     join organizations as organization on organization.id = :organization_id
    where invoice.invoice_id = :invoice_id and invoice.organization_id = :organization_id
      and invoice.drafted_at is not null`,
)

/** What an invoice says, by people's names, as the JSON that is rendered; undefined when there is none. */
export const findDocument = (ctx: Ctx, invoice: InOrganization) =>
  document.row<{ status: InvoiceStatus; document: string }>(ctx, { ...invoice, tier_names: JSON.stringify(tier_names) })

const pdf_saved = statement(
  'billing.savePdf',
  `insert into invoice_pdfs as kept (organization_id, invoice_id, pdf, says_void, rendered_at)
   select :organization_id, :invoice_id, :pdf, :says_void, :real_now from invoices as invoice
    where invoice.invoice_id = :invoice_id and invoice.organization_id = :organization_id
      and (invoice.voided_at is not null) = :says_void
   on conflict (invoice_id, organization_id)
   do update set pdf = excluded.pdf, says_void = excluded.says_void, rendered_at = excluded.rendered_at
    where kept.says_void <> excluded.says_void`,
)

/**
 * Keeps the PDF of an invoice, in place of one that says otherwise; unless the invoice was voided since it was
 * rendered.
 */
export const savePdf = (ctx: Ctx, invoice: InOrganization, says_void: boolean, pdf: Buffer) =>
  pdf_saved.rows(ctx, { ...invoice, says_void, pdf })

const day_noted = statement(
  'billing.noteInvoiceDay',
  `insert into invoice_runs as run (organization_id, employer_id, period)
   select benefits.organization_id, benefits.employer_id, :period::date
     from employer_benefits as benefits
    where benefits.organization_id = :organization_id and benefits.first_coverage_start <= :period
      and exists (select from benefit_plan_years as year
                   where year.employer_id = benefits.employer_id and year.organization_id = benefits.organization_id
                     and year.coverage_start <= :period and year.coverage_end >= :first_month
                     and year.enrollment_count > 0)
      and not exists (select from invoices as invoice
                       where invoice.employer_id = benefits.employer_id
                         and invoice.organization_id = benefits.organization_id and invoice.period = :period)
   on conflict (employer_id, organization_id, period) do update set finished_at = null, through_employee_id = null`,
)

/**
 * Notes that the month of today is to be billed for every employer of an organization that may have something to bill
 * and has no invoice for it, not even a void one.
 */
export const noteInvoiceDay = (ctx: Ctx, organization_id: string, period: Day, first_month: Day) =>
  day_noted.rows(ctx, { organization_id, period, first_month })

const unfinished_runs = statement(
  'billing.listUnfinishedRuns',
  `select distinct organization_id, employer_id from invoice_runs
    where organization_id = :organization_id and finished_at is null and employer_id > :after
    order by employer_id limit :most`,
)

/** The next employers of an organization that have an invoice day to be done. */
export const listUnfinishedRuns = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  unfinished_runs.rows<EmployerKey>(ctx, { organization_id, after: after ?? '', most })

const run_noted = statement(
  'billing.noteRun',
  `insert into invoice_runs (organization_id, employer_id, period) values (:organization_id, :employer_id, :period)
   on conflict (employer_id, organization_id, period)
   do update set finished_at = null, through_employee_id = null, invoice_id = null`,
)

/** Notes that a month of one employer is to be billed, again if it was before. */
export const noteRun = (ctx: Ctx, employer: EmployerKey, period: Day) => run_noted.rows(ctx, { ...employer, period })

const live_invoice = statement(
  'billing.hasLiveInvoice',
  `select from invoices
    where employer_id = :employer_id and organization_id = :organization_id and period = :period and voided_at is null`,
)

/** Whether an employer has an invoice for a month that is not void; one that is being written is one too. */
export const hasLiveInvoice = async (ctx: Ctx, employer: EmployerKey, period: Day) =>
  (await live_invoice.row(ctx, { ...employer, period })) !== undefined

export type InvoiceRun = EmployerKey & { period: Day; through_employee_id: string | null; invoice_id: string | null }

const unfinished_run = statement(
  'billing.findUnfinishedRun',
  `select organization_id, employer_id, period, through_employee_id, invoice_id from invoice_runs
    where employer_id = :employer_id and organization_id = :organization_id and finished_at is null
    order by period limit 1`,
)

/** The earliest month of an employer that is to be billed and how far it is. The organization is locked. */
export const findUnfinishedRun = (ctx: Ctx, employer: EmployerKey) => unfinished_run.row<InvoiceRun>(ctx, employer)

const run_saved = statement(
  'billing.saveRun',
  `update invoice_runs
      set through_employee_id = :through_employee_id, invoice_id = :invoice_id, finished_at = :finished_at
    where employer_id = :employer_id and organization_id = :organization_id and period = :period`,
)

/** Saves how far a run is: through which employee, or to the end. */
export const saveRun = (ctx: Ctx, run: InvoiceRun, finished: boolean) =>
  run_saved.rows(ctx, { ...run, finished_at: finished ? ctx.now : null })

export type BillableRow = Billable & {
  employee_id: string
  /** null: an employee without an enrollment in reach */
  enrollment_id: string | null
  employee_name: string
  benefit_name: string
}

const billable = statement(
  'billing.listBillable',
  `select employee.id as employee_id, enrollment.id as enrollment_id,
          concat_ws(' ', member.first_name, member.last_name, member.suffix) as employee_name, enrollment.benefit_name,
          enrollment.coverage, enrollment.billed
     from (select id, member_id from employees
            where employer_id = :employer_id and organization_id = :organization_id and id > :after
            order by id limit :limit::int) as employee
    cross join lateral (
      select first_name, last_name, suffix from members
       where id = employee.member_id and organization_id = :organization_id offset 0) as member
     left join lateral (
      select theirs.id, theirs.created_at, product.name as benefit_name,
             json_build_object(
               'coverage_start', theirs.coverage_start,
               'coverage_end', least(theirs.coverage_end, year.coverage_end),
               'lapses', ${lapsesJson(':employer_id', ':organization_id')},
               'elections', case when theirs.answer = 'enrolled' then elected.elections else '[]' end) as coverage,
             before.billed
        from (select * from enrollments
               where employee_id = employee.id and organization_id = :organization_id offset 0) as theirs
       cross join lateral (
         select coverage_start, coverage_end from benefit_plan_years
          where id = theirs.plan_year_id and organization_id = :organization_id offset 0) as year
       cross join lateral (
         select name from benefit_products
          where id = theirs.benefit_id and organization_id = :organization_id offset 0) as product
       cross join lateral (
         select coalesce(json_agg(json_build_object(
                  'effective_on', election.effective_on, 'plan_name', plan.name,
                  'coverage_tier', election.coverage_tier, 'premium_in_cents', election.premium_in_cents,
                  'employer_contribution_in_cents', election.employer_contribution_in_cents,
                  'employee_deduction_in_cents', election.employee_deduction_in_cents)), '[]') as elections
           from (select * from elections
                  where enrollment_id = theirs.id and organization_id = :organization_id offset 0) as election
          cross join lateral (
            select name from plans
             where id = election.plan_id and organization_id = :organization_id offset 0) as plan) as elected
       cross join lateral (
         select coalesce(json_agg(json_build_object(
                  'month', line.month, 'plan_name', line.plan_name, 'coverage_tier', line.coverage_tier,
                  'premium_in_cents', line.premium_in_cents,
                  'employer_contribution_in_cents', line.employer_contribution_in_cents,
                  'employee_deduction_in_cents', line.employee_deduction_in_cents)
                order by invoice.number), '[]') as billed
           from (select * from invoice_lines
                  where enrollment_id = theirs.id and organization_id = :organization_id
                    and month between :first_month and :period offset 0) as line
          cross join lateral (
            select number from invoices
             where invoice_id = line.invoice_id and organization_id = :organization_id
               and voided_at is null offset 0) as invoice) as before
       where year.coverage_start <= :period and year.coverage_end >= :first_month
         and (theirs.answer = 'enrolled' or before.billed::text <> '[]')
     ) as enrollment on true
    order by employee.id, enrollment.benefit_name, enrollment.created_at, enrollment.id`,
)

/**
 * The next employees of a run in the order of their ids: a row for each of their enrollments in reach, by benefits,
 * with its elections and what live invoices billed for the months in reach.
 */
export const listBillable = (ctx: Ctx, run: InvoiceRun, first_month: Day, limit: number) =>
  billable.rows<BillableRow>(ctx, { ...run, after: run.through_employee_id ?? '', first_month, limit })

const inserted = statement(
  'billing.insertInvoice',
  `with counter as (
     insert into invoice_counters as counter (organization_id, invoice_count) values (:organization_id, 1)
     on conflict (organization_id) do update set invoice_count = counter.invoice_count + 1
     returning invoice_count
   )
   insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name, employer_legal_name,
                         address_line_1, address_line_2, city, state, zipcode, billing_system, created_at)
   select 'INV-' || lpad(counter.invoice_count::text, greatest(6, length(counter.invoice_count::text)), '0'),
          :organization_id, counter.invoice_count, employer.id, :period, employer.name, employer.legal_name,
          employer.address_line_1, employer.address_line_2, employer.city, employer.state, employer.zipcode,
          coalesce((select billing_system from billing_systems where organization_id = :organization_id), 'built_in'),
          :now
     from counter cross join employers as employer
    where employer.id = :employer_id and employer.organization_id = :organization_id
   returning invoice_id`,
)

/**
 * Begins the invoice of an employer and month with the next number of the organization, the employer as it is now and
 * the billing system of the organization, and returns its id. The organization is locked.
 */
export async function insertInvoice(ctx: Ctx, run: InvoiceRun): Promise<string> {
  const invoice = await inserted.row<{ invoice_id: string }>(ctx, run)
  return invoice!.invoice_id
}

export type LineRecord = Line & {
  employee_id: string
  enrollment_id: string
  employee_name: string
  benefit_name: string
}

const lines_inserted = statement(
  'billing.insertLines',
  `insert into invoice_lines (organization_id, invoice_id, position, employee_id, enrollment_id, month, kind,
                              employee_name, benefit_name, plan_name, coverage_tier, premium_in_cents,
                              employer_contribution_in_cents, employee_deduction_in_cents)
   select :organization_id, :invoice_id,
          (select line_count from invoices
            where invoice_id = :invoice_id and organization_id = :organization_id) + line.position,
          line.said ->> 'employee_id', line.said ->> 'enrollment_id', (line.said ->> 'month')::date,
          line.said ->> 'kind', line.said ->> 'employee_name', line.said ->> 'benefit_name', line.said ->> 'plan_name',
          line.said ->> 'coverage_tier', (line.said ->> 'premium_in_cents')::bigint,
          (line.said ->> 'employer_contribution_in_cents')::bigint,
          (line.said ->> 'employee_deduction_in_cents')::bigint
     from jsonb_array_elements(:lines::jsonb) with ordinality as line (said, position)`,
)

/** Adds lines to an invoice after those it has. */
export const insertLines = (ctx: Ctx, organization_id: string, invoice_id: string, lines: LineRecord[]) =>
  lines_inserted.rows(ctx, { organization_id, invoice_id, lines: JSON.stringify(lines) })

const totals_added = statement(
  'billing.addToInvoice',
  `update invoices
      set line_count = line_count + :line_count, total_in_cents = total_in_cents + :premium_in_cents,
          employer_contribution_in_cents = employer_contribution_in_cents + :employer_contribution_in_cents,
          employee_deduction_in_cents = employee_deduction_in_cents + :employee_deduction_in_cents
    where invoice_id = :invoice_id and organization_id = :organization_id`,
)

/** Adds what was added in lines to the totals of an invoice. */
export const addToInvoice = (
  ctx: Ctx,
  organization_id: string,
  invoice_id: string,
  line_count: number,
  added: Amounts,
) => totals_added.rows(ctx, { organization_id, invoice_id, line_count, ...added })

const draft_saved = statement(
  'billing.saveDraft',
  `update invoices set drafted_at = :now, drafted_on = :today
    where invoice_id = :invoice_id and organization_id = :organization_id`,
)

/** An invoice is whole: from now on it is seen. */
export const saveDraft = (ctx: Ctx, organization_id: string, invoice_id: string) =>
  draft_saved.rows(ctx, { organization_id, invoice_id })

/** What follows from an invoice elsewhere. */
export type Collected = EmployerKey & { invoice_id: string; billing_system: BillingSystem }

const collected = 'returning organization_id, employer_id, invoice_id, billing_system'

const locked = statement(
  'billing.lockInvoice',
  `select invoice.organization_id, ${status} as status, invoice.issued_on
     from invoices as invoice where ${namedInvoice} for no key update`,
)

/** An invoice within reach under its lock. The organization is locked. */
export const lockInvoice = (ctx: Ctx, invoice: Named) =>
  locked.row<{ organization_id: string; status: InvoiceStatus; issued_on: Day | null }>(ctx, invoice)

const issue_saved = statement(
  'billing.saveIssue',
  `update invoices set issued_at = :now, issued_on = :today, due_on = :due_on
    where invoice_id = :invoice_id and organization_id = :organization_id
      and drafted_at is not null and issued_at is null and voided_at is null ${collected}`,
)

/** Issues a draft; answers nothing for any other. */
export const saveIssue = (ctx: Ctx, organization_id: string, invoice_id: string, due_on: Day) =>
  issue_saved.rows<Collected>(ctx, { organization_id, invoice_id, due_on })

/** SQL: the drafts of an organization made on a day or before. */
const toIssue = (organization: string, drafted_by: string) => `
  from invoices as draft
 where draft.organization_id = ${organization} and draft.drafted_on <= ${drafted_by}
   and draft.drafted_at is not null and draft.issued_at is null and draft.voided_at is null`

const due_issued = statement(
  'billing.saveDueIssues',
  `update invoices set issued_at = :now, issued_on = :today, due_on = :due_on
    where organization_id = :organization_id
      and invoice_id = any(array(select invoice_id ${toIssue(':organization_id', ':drafted_by')} limit :most))
   ${collected}`,
)

/** Issues the drafts of an organization that were drafted on a day or before. */
export const saveDueIssues = (
  ctx: Ctx,
  organization_id: string,
  wanted: { drafted_by: Day; due_on: Day; most: number },
) => due_issued.rows<Collected>(ctx, { organization_id, ...wanted })

/**
 * SQL: whether invoices may be to note, draft, render or issue. That an employer has nothing to bill is only found when
 * it is drafted.
 */
export const hasDailyInvoices = `
  (exists (select from employer_benefits as held
            where held.organization_id = organization.id and held.first_coverage_start <= turning.day
              and exists (select from benefit_plan_years as year
                           where year.employer_id = held.employer_id and year.organization_id = organization.id
                             and year.coverage_start <= turning.day and year.enrollment_count > 0)
              and not exists (select from invoices as invoice
                               where invoice.employer_id = held.employer_id
                                 and invoice.organization_id = organization.id
                                 and invoice.period = date_trunc('month', turning.day)))
   or exists (select from invoice_runs as run where run.organization_id = organization.id and run.finished_at is null)
   or exists (select ${toIssue('organization.id', `turning.day - ${days_as_draft}`)}))`

const void_saved = statement(
  'billing.saveVoid',
  `update invoices set voided_at = :now, voided_on = :today
    where invoice_id = :invoice_id and organization_id = :organization_id
      and drafted_at is not null and paid_at is null and voided_at is null ${collected}`,
)

/** Voids an invoice that is neither void nor paid. */
export const saveVoid = (ctx: Ctx, organization_id: string, invoice_id: string) =>
  void_saved.rows<Collected>(ctx, { organization_id, invoice_id })

const payment_saved = statement(
  'billing.savePayment',
  `update invoices set paid_at = :now, paid_on = :paid_on
    where invoice_id = :invoice_id and organization_id = :organization_id
      and issued_at is not null and paid_at is null and voided_at is null ${collected}`,
)

/** Notes that an open invoice was paid on a day. */
export const savePayment = (ctx: Ctx, organization_id: string, invoice_id: string, paid_on: Day) =>
  payment_saved.rows<Collected>(ctx, { organization_id, invoice_id, paid_on })
