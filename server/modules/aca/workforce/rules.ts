import { addDays, type Day } from '../../../kernel/days.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import { figuresOf, guidelineYearOf, yearOf } from '../../directory/ichra/figure-rules.ts'
import { initialPeriod, standardPeriodsFrom, type MeasurementPeriod } from '../measurement/period-rules.ts'
import { appliedOf, type StoredPolicy } from '../measurement/policy-rules.ts'

/** The days before today in which the standard measurement before the current one can start. */
const days_of_past_periods = 730

const shownPeriod = ({ measured, stability }: MeasurementPeriod) => {
  const administrative = { starts_on: addDays(measured.ends_on, 1), ends_on: addDays(stability.starts_on, -1) }
  return {
    measurement_period: measured,
    administrative_period: administrative.starts_on <= administrative.ends_on ? administrative : null,
    stability_period: stability,
  }
}

/** The standard measurement of a day, the one before and the one after, and the initial one of a hire on that day. */
export function previewOf(stored: StoredPolicy, calendar: PayCalendar, today: Day) {
  if (stored.method === 'monthly') return { standard_periods: [], initial_period: null }
  const policy = appliedOf(stored, calendar)
  const periods: MeasurementPeriod[] = []
  for (const period of standardPeriodsFrom(policy, addDays(today, -days_of_past_periods))) {
    periods.push(period)
    if (period.starts_on > today) break
  }
  return {
    standard_periods: periods.slice(-3).map(shownPeriod),
    initial_period: shownPeriod(initialPeriod(policy, today)),
  }
}

/** The maximum number of listed employees. */
export const max_listed = 100

/** A plan year and a monthly cost, with the figures of the release. Figures that the operator saved take precedence. */
export const costQueryOf = (plan_year_start: Day, cost_in_cents: number | null) => {
  const [year, guideline_year] = [yearOf(plan_year_start), guidelineYearOf(plan_year_start)]
  return {
    plan_year_start,
    cost_in_cents,
    year,
    part: figuresOf(year, []).required_contribution,
    guideline_year,
    lines: figuresOf(guideline_year, []).poverty_guidelines,
  }
}
export type AffordableCostQuery = ReturnType<typeof costQueryOf>

/** The employees with the lowest limits and the number of all. The limits are null if a figure is unknown. */
export type AffordableCosts = {
  part: number | null
  line_cost: number | null
  full_time_count: number
  lowest_cost: number | null
  unaffordable_count: number
  employees: object[]
}

/** `Affordability` without the id of the employer. */
export function affordabilityOf(
  { part, line_cost, full_time_count, lowest_cost, unaffordable_count, employees }: AffordableCosts,
  { plan_year_start, cost_in_cents }: AffordableCostQuery,
) {
  const is_known = line_cost !== null
  return {
    plan_year_start,
    required_contribution_percentage: part === null ? null : part / 100,
    full_time_count,
    poverty_line_cost_in_cents: line_cost,
    affordable_cost_in_cents: is_known ? (lowest_cost ?? line_cost) : null,
    unaffordable_count: is_known && cost_in_cents !== null ? unaffordable_count : null,
    employees: is_known ? employees : [],
  }
}
