import type { Api } from '../harness.ts'
import type { Day } from '../../kernel/days.ts'
import { benefit_ids, months, plan_ids, type Position } from './random-years.ts'
import type { Plan } from './year-model.ts'

/** An enrollment in the engine, compared with the model after each step of random years. */

type Found = {
  employee_id: string
  plan_year_id: string
  benefit_id: string
  coverage_start: Day
  last: Day
  elections: [Day, string, number, number, number][]
}

const elected = `
  select enrollment.employee_id, enrollment.plan_year_id, enrollment.benefit_id, enrollment.coverage_start,
         least(enrollment.coverage_end, year.coverage_end) as last,
         (select json_agg(json_build_array(effective_on, plan_id, premium_in_cents, employer_contribution_in_cents,
                                           employee_deduction_in_cents) order by effective_on)
            from elections where enrollment_id = enrollment.id) as elections
    from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
   where enrollment.answer = 'enrolled'`

/** The differences between the engine and the model in the cost of each month, by employer, person and benefit. */
export async function differsFromModel(
  api: Api,
  positions: Position[],
): Promise<{ compared: number; differences: unknown[] }> {
  const names = new Map((Object.keys(plan_ids) as Plan[]).map((plan) => [plan_ids[plan], plan]))
  const is = new Map<string, string>()
  for (const { coverage_start, last, elections, ...of } of await api.database.reads.rows<Found>(elected))
    for (const month of months.filter((day) => coverage_start <= day && day <= last)) {
      const [, plan = '', ...cents] = elections.findLast(([day]) => day === '-infinity' || day <= month)!
      const key = `${of.employee_id} ${of.plan_year_id} ${of.benefit_id} ${month}`
      is.set(key, [...(is.has(key) ? [is.get(key)] : []), names.get(plan), ...cents].join(' '))
    }
  const wrong: unknown[] = []
  let compared = 0
  for (const [number, position] of positions.entries())
    for (const [at, year] of position.model.years.entries())
      for (const [person, benefit] of position.keys())
        for (const month of months) {
          const key = `${position.ids.get(person)} ${position.year_ids[at]} ${benefit_ids[benefit]} ${month}`
          const expected = position.model.charge(year, person, benefit, month) ?? undefined
          if (expected) compared++
          if (is.get(key) !== expected) wrong.push({ number, at, person, benefit, month, expected, is: is.get(key) })
        }
  return { compared, differences: wrong }
}

/** The present enrollments of each employer as text without ids, so that employers can be compared. */
export async function currentStateOf(api: Api, positions: Position[]): Promise<Map<Position, string[]>> {
  const present = new Map(positions.map((position): [Position, string[]] => [position, []]))
  const people = new Map(
    positions.flatMap((position) => [...position.ids].map(([person, id]) => [id, { person, position }] as const)),
  )
  const found = await api.database.reads.rows<{ employee_id: string; plan_year_id: string; input: string }>(
    `select enrollment.employee_id, enrollment.plan_year_id,
            concat_ws(' ', product.name, coverage_start, coverage_end, answer, 'inactive ' || inactive_on,
                      'ended by ' || ended_by, case when terminated_at is not null then 'ended' end,
                      'counts as ' || counted_as,
                      (select json_agg(json_build_array(effective_on, plan_id, premium_in_cents,
                                                        employee_deduction_in_cents) order by effective_on)
                         from elections where enrollment_id = enrollment.id)) as input
       from enrollments as enrollment join benefit_products as product on product.id = enrollment.benefit_id
      where not (ended_by is not distinct from 'duplicate' and answer is null)
      order by input`,
  )
  for (const { employee_id, plan_year_id, input } of found) {
    const { person, position } = people.get(employee_id)!
    present.get(position)!.push(`${person} in year ${position.year_ids.indexOf(plan_year_id)}: ${input}`)
  }
  for (const input of present.values()) input.sort()
  return present
}

/** People who are covered twice on a day by the same benefit, in one plan year or in two. */
export const doubled = (api: Api) =>
  api.database.reads.rows(
    `with covering as (
       select enrollment.id, employee_id, benefit_id,
              daterange(enrollment.coverage_start, coalesce(enrollment.coverage_end, year.coverage_end), '[]') as days
         from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
        where answer = 'enrolled'
          and enrollment.coverage_start <= coalesce(enrollment.coverage_end, year.coverage_end))
     select one.employee_id, one.id, one.days::text, other.id as other_id, other.days::text as other_days
       from covering as one join covering as other using (employee_id, benefit_id)
      where one.id < other.id and one.days && other.days`,
  )

/**
 * SQL: per employee, the deductions requested from payroll and the employee part of invoices, each with manual
 * adjustments.
 */
const both_books = `
  with payroll as (
    select employee_id, sum(amount_in_cents)::int as cents from deduction_lines group by 1),
  billed as (
    select employee_id, sum(line.employee_deduction_in_cents)::int as cents
      from invoice_lines as line join invoices as invoice using (invoice_id, organization_id)
     where invoice.voided_at is null group by 1)
  select employee.id as employee_id, employee.terminated_on,
         employer.subscription_ended_on is not null as has_left, coalesce(payroll.cents, 0) as payroll,
         coalesce(billed.cents, 0) as billed
    from employees as employee join employers as employer on employer.id = employee.employer_id
    left join payroll on payroll.employee_id = employee.id
    left join billed on billed.employee_id = employee.id`
type BothBooks = { employee_id: string; terminated_on: Day | null; payroll: number; billed: number }

/**
 * Employees whose deductions differ from their invoices, unless their last paycheck is unknown. After an employer has
 * left, payroll is adjusted only in the next pay period: `with_those_who_left` includes its people too.
 */
export const differsFromInvoices = (api: Api, with_those_who_left = false) =>
  api.database.reads.rows<BothBooks>(
    `select * from (${both_books}) as books where terminated_on is null and payroll <> billed and ($1 or not has_left)`,
    [with_those_who_left],
  )

/** Employees whose deductions plus the outstanding amount of their proof differ from their invoices. */
export async function unsettled(api: Api, positions: Position[]): Promise<unknown[]> {
  const ids = new Set(positions.flatMap((position) => [...position.ids.values()]))
  const books = await api.database.reads.rows<BothBooks>(
    `select * from (${both_books}) as books where terminated_on is not null`,
  )
  const wrong: unknown[] = []
  for (const one of books.filter(({ employee_id }) => ids.has(employee_id))) {
    const proofs = await Promise.all(
      [2024, 2026, 2027].map((year) => api.get(`/v1/employees/${one.employee_id}/deductions/proof?year=${year}`)),
    )
    const outstanding = proofs.reduce((sum, proof) => sum + proof.body.data.outstanding_in_cents, 0)
    if (one.payroll + outstanding !== one.billed) wrong.push({ ...one, outstanding })
  }
  return wrong
}
