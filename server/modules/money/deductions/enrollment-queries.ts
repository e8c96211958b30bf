import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import type { ManualAdjustmentSum, Deducted, DeductionBalance } from './line-rules.ts'
import type { OpenStatement, StatedEmployee } from './statement-rules.ts'
import type { ArrivalWindow } from './rules.ts'

// Queries each table once for all ids of a list, in one index scan. A single statement that looks up the parts of each
// enrollment one by one took three times as long. Rows that many enrollments share are read once and joined
// (docs/design/data/sql.md).

const enrolled = statement(
  'deductions.listDeductedEnrollments',
  `with held as materialized (
     select id, employee_id, plan_year_id, benefit_id, answer, coverage_start, coverage_end from enrollments
      where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id
   )
   select enrollment_id, employee_id, benefit_name, category, is_enrolled, coverage_start, coverage_end
     from (select held.id as enrollment_id, held.employee_id, product.name as benefit_name, product.category,
                  held.answer is not distinct from 'enrolled' as is_enrolled, held.coverage_start,
                  least(held.coverage_end, year.coverage_end) as coverage_end
             from held
             full join (select id, coverage_end from benefit_plan_years
                         where id = any(array(select distinct plan_year_id from held))
                           and organization_id = :organization_id) as year on year.id = held.plan_year_id
             full join (select id, name, category from benefit_products
                         where id = any(array(select distinct benefit_id from held))
                           and organization_id = :organization_id) as product on product.id = held.benefit_id
           offset 0) as enrollment
    where is_enrolled and coverage_start < make_date(:year::int + 1, 1, 1)
          and coverage_end >= make_date(:year - 1, 1, 1)
       or exists (select from deduction_balances
                   where enrollment_id = enrollment.enrollment_id and organization_id = :organization_id
                     and year >= :year - 1 offset 0)
       or exists (select from manual_adjustments
                   where enrollment_id = enrollment.enrollment_id and organization_id = :organization_id offset 0)`,
)

const elected = statement(
  'deductions.listElected',
  `with election as materialized (
     select enrollment_id, effective_on, employee_deduction_in_cents, domestic_partner_share_in_cents,
            (elected_at at time zone 'America/New_York')::date as elected_on,
            elected_by in ('renewal', 'return') as is_carried, follows, bought_on_exchange,
            individual_plan_name is not null as is_unbilled, plan_id
       from elections
      where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id
   )
   select enrollment_id, effective_on, employee_deduction_in_cents, domestic_partner_share_in_cents, elected_on,
          is_carried, follows, bought_on_exchange, is_unbilled, plan.partial_month_rule
     from election
     full join (select id, partial_month_rule from plans
                 where id = any(array(select distinct plan_id from election))
                   and organization_id = :organization_id) as plan on plan.id = election.plan_id`,
)

const balances = statement(
  'deductions.listBalances',
  `select enrollment_id, year, tax_classification, collected_in_cents, adjusted_in_cents, arrears_in_cents,
          taxed_months
     from deduction_balances
    where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id`,
)

const billed = statement(
  'deductions.listBilledMonths',
  `select enrollment_id, month, employee_deduction_in_cents as cents from invoice_lines
    where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id
      and month < :first_open_month::date and kind <> 'manual_adjustment' and employee_deduction_in_cents <> 0
      and invoice_id <> all(:void_invoice_ids::text[])`,
)

/**
 * Facts that few enrollments have, in one query: manual adjustments, payroll shortfalls, and life events that add a
 * child.
 */
const seldom = statement(
  'deductions.findSeldomFacts',
  `select (select json_agg(sums) from (
             select enrollment_id, extract(year from month)::int as year, tax_classification,
                    sum(employee_deduction_in_cents)::bigint as amount_in_cents
               from manual_adjustments
              where enrollment_id = any(:enrollment_ids::text[]) and organization_id = :organization_id
              group by 1, 2, 3 order by 1, 2, 3) as sums) as booked,
          (select json_object_agg(enrollment_id, shortfall_in_cents) from payroll_shortfalls
            where enrollment_id = any(:enrollment_ids) and organization_id = :organization_id) as shortfalls,
          (select json_agg(json_build_object(
                    'employee_id', employee_id, 'occurred_on', occurred_on, 'start', window_start, 'end', window_end))
             from qualifying_life_events
            where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id
              and decision = 'approved' and type in ('birth', 'adoption', 'placement')) as arrivals`,
)

type CoverageRow = Pick<Deducted, 'category'> & {
  enrollment_id: string
  employee_id: string
  benefit_name: string
  is_enrolled: boolean
  coverage_start: Day
  coverage_end: Day | null
}
export type OfEnrollment<Row> = Row & { enrollment_id: string }
type DeductedElection = OfEnrollment<{
  effective_on: Day
  employee_deduction_in_cents: number
  domestic_partner_share_in_cents: number
  elected_on: Day
  is_carried: boolean | null
  follows: boolean
  bought_on_exchange: boolean | null
  is_unbilled: boolean
  partial_month_rule: PartialMonthRule | null
}>
type Seldom = {
  booked: OfEnrollment<ManualAdjustmentSum>[] | null
  shortfalls: Record<string, number> | null
  arrivals: (ArrivalWindow & { employee_id: string })[] | null
}

/** An enrollment that may have lines in a statement, and that statement. */
export type DeductedEnrollment = Deducted & {
  statement: OpenStatement
  employee_id: string
  enrollment_id: string
  benefit_name: string
}

/** The further facts about enrollments, queried for all of them at once. */
async function listFacts(ctx: Ctx, organization_id: string, people: StatedEmployee[], found: CoverageRow[]) {
  const enrollment_ids = found.map(({ enrollment_id }) => enrollment_id)
  const stated = [...new Set(people.map(({ statement }) => statement))]
  const [terms, held, months, rest] = await Promise.all([
    elected.rows<DeductedElection>(ctx, {
      organization_id,
      enrollment_ids: found.filter((enrollment) => enrollment.is_enrolled).map(({ enrollment_id }) => enrollment_id),
    }),
    balances.rows<OfEnrollment<DeductionBalance>>(ctx, { organization_id, enrollment_ids }),
    billed.rows<{ enrollment_id: string; month: Day; cents: number }>(ctx, {
      organization_id,
      enrollment_ids,
      first_open_month: stated.map(({ first_open_month }) => first_open_month).reduce((a, b) => (a > b ? a : b)),
      void_invoice_ids: stated.flatMap(({ void_invoice_ids }) => void_invoice_ids),
    }),
    seldom.row<Seldom>(ctx, { organization_id, enrollment_ids, employee_ids: people.map(({ id }) => id) }),
  ])
  const { booked, shortfalls, arrivals } = rest!
  return {
    elections: byEnrollment(terms),
    balances: byEnrollment(held),
    months: byEnrollment(months),
    booked: byEnrollment(booked ?? []),
    shortfalls: shortfalls ?? {},
    arrivals: Map.groupBy(arrivals ?? [], ({ employee_id }) => employee_id),
  }
}

export const byEnrollment = <Row>(rows: OfEnrollment<Row>[]) => Map.groupBy(rows, ({ enrollment_id }) => enrollment_id)

/**
 * The enrollments of employees that may have lines in their statements, all of one year: those charged in that year or
 * the year before, collected, or with manual adjustments. Sorted by id.
 */
export async function listDeducted(
  ctx: Ctx,
  organization_id: string,
  people: StatedEmployee[],
): Promise<DeductedEnrollment[]> {
  const employee_ids = people.map(({ id }) => id)
  const { year } = people[0]!.statement
  const found = await enrolled.rows<CoverageRow>(ctx, { organization_id, employee_ids, year })
  if (found.length === 0) return []
  const facts = await listFacts(ctx, organization_id, people, found)
  const enrollments_by_employee = Map.groupBy(found, ({ employee_id }) => employee_id)
  return people.flatMap((person) =>
    (enrollments_by_employee.get(person.id) ?? [])
      .sort((a, b) => (a.enrollment_id < b.enrollment_id ? -1 : 1))
      .map((enrollment) => deductedOf(person, enrollment, facts)),
  )
}

function deductedOf(
  { id, statement: stated, hired_on, last_day }: StatedEmployee,
  { enrollment_id, benefit_name, category, coverage_start, coverage_end }: CoverageRow,
  facts: Awaited<ReturnType<typeof listFacts>>,
): DeductedEnrollment {
  const elections = facts.elections.get(enrollment_id) ?? []
  const months = facts.months.get(enrollment_id) ?? []
  return {
    statement: stated,
    employee_id: id,
    enrollment_id,
    benefit_name,
    category,
    hired_on,
    last_day,
    coverage: { coverage_start, coverage_end, lapses: stated.lapses, elections },
    arrivals: facts.arrivals.get(id) ?? [],
    balances: facts.balances.get(enrollment_id) ?? [],
    billed: months.map(({ month, cents }) => [month, cents]),
    booked: facts.booked.get(enrollment_id) ?? [],
    shortfall_in_cents: facts.shortfalls[enrollment_id] ?? 0,
  }
}
