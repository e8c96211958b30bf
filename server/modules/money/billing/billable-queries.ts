import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import { byEnrollment, type OfEnrollment } from '../deductions/enrollment-queries.ts'
import {
  type BilledEmployee,
  type InvoiceRun,
  monthsInWindow,
  type Billable,
  type BilledLine,
  type ManualAmounts,
  type Priced,
} from './rules.ts'
import { wasAmended } from './run-queries.ts'

// Queries each table once for all ids of a list, like the queries for statements.

const enrolled = statement(
  'billing.listBillableEnrollments',
  `with held as materialized (
     select id, employee_id, plan_year_id, benefit_id, answer, coverage_start, coverage_end, created_at from enrollments
      where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id
   )
   select enrollment_id, employee_id, benefit_name, is_enrolled, coverage_start, coverage_end, has_begun, is_in_reach,
          was_amended
     from (select held.id as enrollment_id, held.employee_id, product.name as benefit_name,
                  held.answer is not distinct from 'enrolled' as is_enrolled, held.coverage_start,
                  least(held.coverage_end, year.coverage_end) as coverage_end,
                  year.coverage_start < :period::date + interval '1 month' as has_begun,
                  year.coverage_end >= :first_month::date as is_in_reach, year.was_amended, held.created_at
             from held
             full join (select id, coverage_start, coverage_end, ${wasAmended('opened')} as was_amended
                          from benefit_plan_years as opened
                         where id = any(array(select distinct plan_year_id from held))
                           and organization_id = :organization_id) as year on year.id = held.plan_year_id
             full join (select id, name from benefit_products
                         where id = any(array(select distinct benefit_id from held))
                           and organization_id = :organization_id) as product on product.id = held.benefit_id
           offset 0) as enrollment
    where has_begun and (is_in_reach or was_amended)
       or exists (select from manual_adjustments
                   where enrollment_id = enrollment.enrollment_id and organization_id = :organization_id offset 0)
    order by benefit_name, created_at, enrollment_id`,
)

const elected = statement(
  'billing.listPricedElections',
  `with election as materialized (
     select enrollment_id, effective_on, coverage_tier, premium_in_cents, employer_contribution_in_cents,
            employee_deduction_in_cents, plan_id
       from elections
      where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id
        and individual_plan_name is null
   )
   select enrollment_id, effective_on, plan.name as plan_name, plan.partial_month_rule, coverage_tier, premium_in_cents,
          employer_contribution_in_cents, employee_deduction_in_cents
     from election
     full join (select id, name, partial_month_rule from plans
                 where id = any(array(select distinct plan_id from election))
                   and organization_id = :organization_id) as plan on plan.id = election.plan_id`,
)

// Find the invoice by id first, and check afterward that it is not void. With both conditions at once, PostgreSQL would
// use the index on live invoices and read all of the organization for each line while the table is small.
const billed = statement(
  'billing.listBilledLines',
  `select line.enrollment_id, line.month, line.plan_name, line.coverage_tier, line.premium_in_cents,
          line.employer_contribution_in_cents, line.employee_deduction_in_cents
     from (select * from invoice_lines
            where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id
              and month between :first_month and :period and kind <> 'manual_adjustment' offset 0) as line
    cross join lateral (
      select number, voided_at from invoices
       where invoice_id = line.invoice_id and organization_id = :organization_id offset 0) as invoice
    where invoice.voided_at is null
    order by invoice.number`,
)

const by_hand = statement(
  'billing.findManualAmounts',
  `select (select json_agg(json_build_object(
                    'enrollment_id', enrollment_id, 'month', month,
                    'premium_in_cents', employer_contribution_in_cents + employee_deduction_in_cents,
                    'employer_contribution_in_cents', employer_contribution_in_cents,
                    'employee_deduction_in_cents', employee_deduction_in_cents))
             from manual_adjustments
            where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id) as booked,
          (select json_agg(json_build_object(
                    'enrollment_id', line.enrollment_id, 'month', line.month,
                    'premium_in_cents', line.premium_in_cents,
                    'employer_contribution_in_cents', line.employer_contribution_in_cents,
                    'employee_deduction_in_cents', line.employee_deduction_in_cents))
             from (select * from invoice_lines
                    where enrollment_id = any(:enrollment_ids) and organization_id = :organization_id
                      and kind = 'manual_adjustment' offset 0) as line
            cross join lateral (
              select voided_at from invoices
               where invoice_id = line.invoice_id and organization_id = :organization_id offset 0) as invoice
            where invoice.voided_at is null) as billed_by_hand`,
)

type BillableRow = {
  enrollment_id: string
  employee_id: string
  benefit_name: string
  is_enrolled: boolean
  coverage_start: Day
  coverage_end: Day | null
  has_begun: boolean
  is_in_reach: boolean
  was_amended: boolean
}
type BillableElection = OfEnrollment<
  Omit<Priced, 'partial_month_rule'> & { partial_month_rule: PartialMonthRule | null }
>

export type BillableEnrollment = Required<Billable> & {
  run: InvoiceRun
  employee_id: string
  enrollment_id: string
  employee_name: string
  benefit_name: string
}

async function listFacts(ctx: Ctx, organization_id: string, months: Day[], found: BillableRow[]) {
  const enrollment_ids = found.map(({ enrollment_id }) => enrollment_id)
  const [first_month, period] = [months[0]!, months.at(-1)!]
  const [terms, lines, manual] = await Promise.all([
    elected.rows<BillableElection>(ctx, {
      organization_id,
      enrollment_ids: found.filter((enrollment) => enrollment.is_enrolled).map(({ enrollment_id }) => enrollment_id),
    }),
    billed.rows<OfEnrollment<BilledLine>>(ctx, { organization_id, enrollment_ids, first_month, period }),
    by_hand.row<{ booked: OfEnrollment<ManualAmounts>[] | null; billed_by_hand: OfEnrollment<ManualAmounts>[] | null }>(
      ctx,
      {
        organization_id,
        enrollment_ids,
      },
    ),
  ])
  return {
    elections: byEnrollment(terms),
    billed: byEnrollment(lines),
    booked: byEnrollment(manual!.booked ?? []),
    billed_by_hand: byEnrollment(manual!.billed_by_hand ?? []),
  }
}

/**
 * The enrollments of employees within the correction window of their runs, with their elections, and the amounts that
 * live invoices already billed for these months. The runs must have the same month and correction window. Sorted by
 * employee and benefit.
 */
export async function listBillable(
  ctx: Ctx,
  organization_id: string,
  people: BilledEmployee[],
): Promise<BillableEnrollment[]> {
  const { period, correction_reach_months } = people[0]!.run
  const months = monthsInWindow(period, correction_reach_months)
  const employee_ids = people.map(({ id }) => id)
  const found = await enrolled.rows<BillableRow>(ctx, {
    organization_id,
    employee_ids,
    period,
    first_month: months[0]!,
  })
  if (found.length === 0) return []
  const facts = await listFacts(ctx, organization_id, months, found)
  const enrollments_by_employee = Map.groupBy(found, ({ employee_id }) => employee_id)
  return people.flatMap((person) =>
    (enrollments_by_employee.get(person.id) ?? [])
      .map((enrollment) => billableOf(person, enrollment, facts))
      .filter((enrollment) => enrollment !== undefined),
  )
}

/** Undefined if an enrollment is outside the correction window and has no manually booked amounts. */
function billableOf(
  { id, employee_name, run }: BilledEmployee,
  { enrollment_id, benefit_name, ...one }: BillableRow,
  facts: Awaited<ReturnType<typeof listFacts>>,
): BillableEnrollment | undefined {
  const lines = facts.billed.get(enrollment_id) ?? []
  const booked = facts.booked.get(enrollment_id) ?? []
  const was_billed = lines.length > 0
  const is_due =
    one.has_begun && (one.is_in_reach || (one.was_amended && was_billed)) && (one.is_enrolled || was_billed)
  if (!is_due && booked.length === 0) return undefined
  const { coverage_start, coverage_end } = one
  const elections = facts.elections.get(enrollment_id) ?? []
  return {
    run,
    employee_id: id,
    enrollment_id,
    employee_name,
    benefit_name,
    coverage: { coverage_start, coverage_end, lapses: run.lapses, elections },
    billed: lines,
    booked,
    billed_by_hand: facts.billed_by_hand.get(enrollment_id) ?? [],
  }
}
