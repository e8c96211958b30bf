import { columnsOf } from '../../../database/sql/fragments.ts'
import { invoice_digits, invoice_prefix } from '../../../kernel/ids.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { nextEmployees } from '../deductions/statement-queries.ts'
import { lapsesJson } from '../../directory/employers/queries.ts'
import type { BilledEmployee, DraftProgress, InvoiceRun, NumberedLine } from './rules.ts'

/** SQL: whether a plan year has an amendment, which may have moved its end to an earlier day. */
export const wasAmended = (year: string) => `
  exists (select from plan_year_amendments
           where plan_year_id = ${year}.id and organization_id = ${year}.organization_id)`

/**
 * SQL: the employers of an organization that may have something to bill for a month, and have no invoice for it, not
 * even a void one. It includes employers with a plan year that an amendment ended before the correction window,
 * because their invoices may need adjustments.
 */
export const unbilledEmployers = (organization: string, period: string) => `
     from employer_benefits as benefits
    cross join lateral (
      select (${period} - make_interval(months => correction_reach_months))::date as first_month from employers
       where id = benefits.employer_id and organization_id = benefits.organization_id offset 0) as correction
    where benefits.organization_id = ${organization} and benefits.first_coverage_start <= ${period}
      and (exists (select from benefit_plan_years as year
                    where year.employer_id = benefits.employer_id and year.organization_id = benefits.organization_id
                      and year.coverage_start <= ${period} and year.enrollment_count > 0
                      and (year.coverage_end >= correction.first_month
                           or ${wasAmended('year')}
                              and exists (select from invoices as invoice
                                           where invoice.employer_id = benefits.employer_id
                                             and invoice.organization_id = benefits.organization_id
                                             and invoice.period >= correction.first_month)))
           or exists (select from manual_adjustments as booked
                       where booked.employer_id = benefits.employer_id
                         and booked.organization_id = benefits.organization_id
                         and booked.booked_on >= ${period} - interval '2 months'))
      and not exists (select from invoices as invoice
                       where invoice.employer_id = benefits.employer_id
                         and invoice.organization_id = benefits.organization_id and invoice.period = ${period})`

/** Schedules the current month for these employers of an organization. */
export const insertInvoiceRuns = statement(
  'billing.insertInvoiceRuns',
  `insert into invoice_runs as run (organization_id, employer_id, period)
   select benefits.organization_id, benefits.employer_id, :period::date
     ${unbilledEmployers(':organization_id', ':period::date')}
   on conflict (employer_id, organization_id, period) do update set finished_at = null, through_employee_id = null`,
).rows

/** The next employers of an organization with a scheduled month. */
export const listUnfinishedRuns = statement(
  'billing.listUnfinishedRuns',
  `select waiting.employer_id, employer.employee_count
     from (select distinct employer_id from invoice_runs
            where organization_id = :organization_id and finished_at is null and employer_id > :after
            order by employer_id limit :most) as waiting
    cross join lateral (
      select employee_count from employers
       where id = waiting.employer_id and organization_id = :organization_id offset 0) as employer
    order by waiting.employer_id`,
).rows<{ employer_id: string; employee_count: number }>

/** Schedules a month of one employer, even if it was billed before. */
export const insertInvoiceRun = statement(
  'billing.insertInvoiceRun',
  `insert into invoice_runs (organization_id, employer_id, period) values (:organization_id, :employer_id, :period)
   on conflict (employer_id, organization_id, period)
   do update set finished_at = null, through_employee_id = null, invoice_id = null`,
).rows

/** Whether an employer has an invoice for a month that is not void, including one that is being written. */
export const hasLiveInvoice = statement(
  'billing.hasLiveInvoice',
  `select from invoices
    where employer_id = :employer_id and organization_id = :organization_id and period = :period and voided_at is null`,
).exists

/** The earliest scheduled month of each employer, with its progress. */
export const listFirstRuns = statement(
  'billing.listFirstRuns',
  `select run.employer_id, run.period, run.through_employee_id, run.invoice_id, run.is_last,
          employer.correction_reach_months, ${lapsesJson('employer.id', 'employer.organization_id')} as lapses,
          coalesce(invoice.line_count, 0) as line_count
     from unnest(:employer_ids::text[]) with ordinality as named (employer_id, position)
    cross join lateral (
      select *, count(*) over () = 1 as is_last from invoice_runs
       where employer_id = named.employer_id and organization_id = :organization_id and finished_at is null
       order by period limit 1) as run
    cross join lateral (
      select * from employers where id = named.employer_id and organization_id = :organization_id offset 0) as employer
     left join lateral (
       select line_count from invoices
        where invoice_id = run.invoice_id and organization_id = :organization_id offset 0) as invoice on true
    order by named.position`,
).rows<InvoiceRun>

const runs_saved = statement(
  'billing.saveRuns',
  `update invoice_runs as run
      set through_employee_id = coalesce(chunk.through_employee_id, run.through_employee_id),
          invoice_id = chunk.invoice_id, finished_at = case when chunk.is_complete then :now::timestamptz end
     from jsonb_to_recordset(:chunks::jsonb) as chunk (
            employer_id text, period date, through_employee_id text, invoice_id text, is_complete bool)
    where run.employer_id = chunk.employer_id and run.organization_id = :organization_id
      and run.period = chunk.period`,
)

export const saveRuns = (ctx: Ctx, organization_id: string, chunks: DraftProgress[]) =>
  runs_saved.rows(ctx, { organization_id, chunks: JSON.stringify(chunks) })

const billed_employees = statement(
  'billing.listBilledEmployees',
  `select next.employer_id, next.id,
          concat_ws(' ', member.first_name, member.last_name, member.suffix) as employee_name
     from (${nextEmployees}) as next
    cross join lateral (
      select first_name, last_name, suffix from members
       where id = next.member_id and organization_id = :organization_id offset 0) as member
    order by next.position, next.roster_number`,
)

/** The next employees of runs, including former ones, run by run, each in the order of the roster. */
export async function listBilledEmployees(
  ctx: Ctx,
  organization_id: string,
  runs: InvoiceRun[],
  count: number,
): Promise<BilledEmployee[]> {
  const rows = await billed_employees.rows<Omit<BilledEmployee, 'run'> & { employer_id: string }>(ctx, {
    organization_id,
    employer_ids: runs.map(({ employer_id }) => employer_id),
    after: runs.map(({ through_employee_id }) => through_employee_id ?? ''),
    count,
  })
  const run_of_employer = new Map(runs.map((run) => [run.employer_id, run]))
  return rows.map(({ employer_id, ...employee }) => ({ ...employee, run: run_of_employer.get(employer_id)! }))
}

const inserted = statement(
  'billing.insertInvoices',
  `with counter as (
     insert into invoice_counters as counter (organization_id, invoice_count)
     values (:organization_id, cardinality(:employer_ids::text[]))
     on conflict (organization_id) do update set invoice_count = counter.invoice_count + excluded.invoice_count
     returning invoice_count - cardinality(:employer_ids) as before
   ), numbered as (
     select counter.before + named.position as number, employer.*
       from counter cross join unnest(:employer_ids) with ordinality as named (employer_id, position)
      cross join lateral (
        select * from employers
         where id = named.employer_id and organization_id = :organization_id offset 0) as employer
   )
   insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name, employer_legal_name,
                         address_line_1, address_line_2, city, state, zipcode, billing_system, created_at)
   select '${invoice_prefix}' || lpad(number::text, greatest(${invoice_digits}, length(number::text)), '0'),
          :organization_id, number, id,
          :period::date, name, legal_name, address_line_1, address_line_2, city, state, zipcode,
          coalesce((select billing_system from billing_systems where organization_id = :organization_id), 'built_in'),
          :now
     from numbered
   returning employer_id, invoice_id`,
)

/**
 * Inserts the invoices of employers for a month, with the next numbers of the organization, the current details of the
 * employers and the billing system of the organization. Returns their ids.
 */
export async function insertInvoices(
  ctx: Ctx,
  organization_id: string,
  employer_ids: string[],
  period: Day,
): Promise<Map<string, string>> {
  const rows = await inserted.rows<{ employer_id: string; invoice_id: string }>(ctx, {
    organization_id,
    employer_ids,
    period,
  })
  return new Map(rows.map(({ employer_id, invoice_id }) => [employer_id, invoice_id]))
}

const lines_inserted = statement(
  'billing.insertLines',
  `insert into invoice_lines (organization_id, invoice_id, position, employee_id, enrollment_id, month, kind,
                              employee_name, benefit_name, plan_name, coverage_tier, premium_in_cents,
                              employer_contribution_in_cents, employee_deduction_in_cents)
   select :organization_id, line.*
     from unnest(:invoice_id::text[], :position::int[], :employee_id::text[], :enrollment_id::text[], :month::date[],
                 :kind::text[], :employee_name::text[], :benefit_name::text[], :plan_name::text[],
                 :coverage_tier::text[], :premium_in_cents::bigint[], :employer_contribution_in_cents::bigint[],
                 :employee_deduction_in_cents::bigint[]) as line`,
)

const line_columns = [
  ...(['invoice_id', 'position', 'employee_id', 'enrollment_id', 'month', 'kind', 'employee_name'] as const),
  ...(['benefit_name', 'plan_name', 'coverage_tier', 'premium_in_cents'] as const),
  ...(['employer_contribution_in_cents', 'employee_deduction_in_cents'] as const),
]

export const insertLines = (ctx: Ctx, organization_id: string, lines: NumberedLine[]) =>
  lines_inserted.rows(ctx, { organization_id, ...columnsOf(lines, line_columns) })

const drafts_saved = statement(
  'billing.saveDrafts',
  `update invoices as invoice
      set line_count = invoice.line_count + chunk.line_count,
          total_in_cents = invoice.total_in_cents + chunk.premium_in_cents,
          employer_contribution_in_cents =
            invoice.employer_contribution_in_cents + chunk.employer_contribution_in_cents,
          employee_deduction_in_cents = invoice.employee_deduction_in_cents + chunk.employee_deduction_in_cents,
          drafted_at = case when chunk.is_complete then :now::timestamptz end,
          drafted_on = case when chunk.is_complete then :today::date end
     from jsonb_to_recordset(:chunks::jsonb) as chunk (
            invoice_id text, line_count int, premium_in_cents bigint, employer_contribution_in_cents bigint,
            employee_deduction_in_cents bigint, is_complete bool)
    where invoice.invoice_id = chunk.invoice_id and invoice.organization_id = :organization_id`,
)

/** Adds the amounts of lines to the totals of invoices. Complete invoices become visible. */
export const saveDrafts = (ctx: Ctx, organization_id: string, chunks: DraftProgress[]) =>
  drafts_saved.rows(ctx, { organization_id, chunks: JSON.stringify(chunks) })
