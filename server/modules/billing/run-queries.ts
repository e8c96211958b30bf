import type { EmployerKey } from '../auth/queries.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'
import { lapsesJson } from '../employers/queries.ts'
import type { Amounts, Billable, InvoiceLineDraft } from './rules.ts'

/** SQL: whether an amendment ever was told of a plan year, whose end may have been later by it. */
const wasAmended = (year: string) => `
  exists (select from plan_year_amendments
           where plan_year_id = ${year}.id and organization_id = ${year}.organization_id)`

const day_noted = statement(
  'billing.noteInvoiceDay',
  `insert into invoice_runs as run (organization_id, employer_id, period)
   select benefits.organization_id, benefits.employer_id, :period::date
     from employer_benefits as benefits
    cross join lateral (
      select (:period::date - make_interval(months => correction_reach_months))::date as first_month from employers
       where id = benefits.employer_id and organization_id = benefits.organization_id offset 0) as reach
    where benefits.organization_id = :organization_id and benefits.first_coverage_start <= :period
      and (exists (select from benefit_plan_years as year
                    where year.employer_id = benefits.employer_id and year.organization_id = benefits.organization_id
                      and year.coverage_start <= :period and year.enrollment_count > 0
                      and (year.coverage_end >= reach.first_month
                           or ${wasAmended('year')}
                              and exists (select from invoices as invoice
                                           where invoice.employer_id = benefits.employer_id
                                             and invoice.organization_id = benefits.organization_id
                                             and invoice.period >= reach.first_month)))
           or exists (select from manual_adjustments as booked
                       where booked.employer_id = benefits.employer_id
                         and booked.organization_id = benefits.organization_id
                         and booked.booked_on >= :period::date - interval '2 months'))
      and not exists (select from invoices as invoice
                       where invoice.employer_id = benefits.employer_id
                         and invoice.organization_id = benefits.organization_id and invoice.period = :period)
   on conflict (employer_id, organization_id, period) do update set finished_at = null, through_employee_id = null`,
)

/**
 * Notes that the month of today is to be billed for every employer of an organization that may have something to bill
 * and has no invoice for it, not even a void one. A plan year that an amendment has end before all months in reach may
 * have to be taken back.
 */
export const noteInvoiceDay = (ctx: Ctx, organization_id: string, period: Day) =>
  day_noted.rows(ctx, { organization_id, period })

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

export type InvoiceRun = EmployerKey & {
  period: Day
  through_employee_id: string | null
  invoice_id: string | null
  correction_reach_months: number
  /** whether no other month waits */
  is_last: boolean
}

const unfinished_run = statement(
  'billing.findUnfinishedRun',
  `select run.organization_id, run.employer_id, run.period, run.through_employee_id, run.invoice_id,
          employer.correction_reach_months, count(*) over () = 1 as is_last
     from invoice_runs as run
     join employers as employer on employer.id = :employer_id and employer.organization_id = :organization_id
    where run.employer_id = :employer_id and run.organization_id = :organization_id and run.finished_at is null
    order by run.period limit 1`,
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

export type BillableRow = Required<Billable> & {
  employee_id: string
  /** null: an employee without an enrollment in reach */
  enrollment_id: string | null
  employee_name: string
  benefit_name: string
}

// An invoice is found by its id, and judged after that: told with it, that it is live has PostgreSQL read the live ones
// of the whole organization for each line, by an index of them that it takes for as good while the table is young.
const billable = statement(
  'billing.listBillable',
  `select employee.id as employee_id, enrollment.id as enrollment_id,
          concat_ws(' ', member.first_name, member.last_name, member.suffix) as employee_name, enrollment.benefit_name,
          enrollment.coverage, enrollment.billed, enrollment.booked, enrollment.billed_by_hand
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
             before.billed, by_hand.booked, by_hand.billed_by_hand
        from (select * from enrollments
               where employee_id = employee.id and organization_id = :organization_id offset 0) as theirs
       cross join lateral (
         select coverage_start, coverage_end, ${wasAmended('opened')} as was_amended from benefit_plan_years as opened
          where id = theirs.plan_year_id and organization_id = :organization_id offset 0) as year
       cross join lateral (
         select name from benefit_products
          where id = theirs.benefit_id and organization_id = :organization_id offset 0) as product
       cross join lateral (
         select coalesce(json_agg(json_build_object(
                  'effective_on', election.effective_on, 'plan_name', plan.name,
                  'partial_month_rule', plan.partial_month_rule,
                  'coverage_tier', election.coverage_tier, 'premium_in_cents', election.premium_in_cents,
                  'employer_contribution_in_cents', election.employer_contribution_in_cents,
                  'employee_deduction_in_cents', election.employee_deduction_in_cents)), '[]') as elections
           from (select * from elections
                  where enrollment_id = theirs.id and organization_id = :organization_id
                    and individual_plan_name is null offset 0) as election
          cross join lateral (
            select name, partial_month_rule from plans
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
                    and month between :first_month and :period and kind <> 'manual_adjustment' offset 0) as line
          cross join lateral (
            select number, voided_at from invoices
             where invoice_id = line.invoice_id and organization_id = :organization_id offset 0) as invoice
          where invoice.voided_at is null) as before
       cross join lateral (
         select coalesce(json_agg(json_build_object(
                  'month', month,
                  'premium_in_cents', employer_contribution_in_cents + employee_deduction_in_cents,
                  'employer_contribution_in_cents', employer_contribution_in_cents,
                  'employee_deduction_in_cents', employee_deduction_in_cents)), '[]') as booked,
                coalesce((
                  select json_agg(json_build_object(
                           'month', line.month, 'premium_in_cents', line.premium_in_cents,
                           'employer_contribution_in_cents', line.employer_contribution_in_cents,
                           'employee_deduction_in_cents', line.employee_deduction_in_cents))
                    from (select * from invoice_lines
                           where enrollment_id = theirs.id and organization_id = :organization_id
                             and kind = 'manual_adjustment' offset 0) as line
                   cross join lateral (
                     select voided_at from invoices
                      where invoice_id = line.invoice_id and organization_id = :organization_id offset 0) as invoice
                   where invoice.voided_at is null), '[]') as billed_by_hand
           from manual_adjustments as hand
          where hand.enrollment_id = theirs.id and hand.organization_id = :organization_id) as by_hand
       where year.coverage_start < :period::date + interval '1 month'
         and (year.coverage_end >= :first_month or year.was_amended and before.billed::text <> '[]')
         and (theirs.answer = 'enrolled' or before.billed::text <> '[]')
          or by_hand.booked::text <> '[]'
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

export type LineRecord = InvoiceLineDraft & {
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
