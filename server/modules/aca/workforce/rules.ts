import { addDays, type Day } from '../../../kernel/days.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import { figuresOf, povertyLine, yearOf, type YearFigures } from '../../directory/ichra/figure-rules.ts'
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

/** An employee whose coverage must be affordable. */
export type Earner = {
  employee_id: string
  first_name: string
  last_name: string
  state: string | null
  monthly_wage_in_cents: number | null
}

type Limit = Omit<Earner, 'state'> & {
  affordable_cost_in_cents: number
  safe_harbor: 'federal_poverty_line' | 'rate_of_pay'
}

/** The highest monthly cost in cents within a part of an income, in hundredths of a percent. */
const costWithin = (monthly_income_in_cents: number, part: number): number =>
  Math.floor((monthly_income_in_cents * part) / 10_000)

/** The highest monthly cost within the federal poverty line (54.4980H-5(e)(2)(iv)), in cents. `line`: in dollars. */
const costWithinPovertyLine = (line: number, part: number): number => Math.floor((line * 100 * part) / 120_000)

/** The most that listed employees there are. */
const most_listed = 100

/**
 * Which monthly cost for the employee alone is affordable for each employee: within the federal poverty line or the
 * rate of pay, whichever allows more (54.4980H-5(e)(2)(iii) and (iv)).
 */
export function affordabilityOf(
  employees: readonly Earner[],
  plan_year_start: Day,
  cost_in_cents: number | null,
  figures: readonly YearFigures[],
) {
  const part = figuresOf(yearOf(plan_year_start), figures).required_contribution
  const mainland = povertyLine(plan_year_start, null, figures)
  const counted = {
    plan_year_start,
    required_contribution_percentage: part === null ? null : part / 100,
    full_time_count: employees.length,
  }
  if (part === null || mainland === undefined)
    return {
      ...counted,
      poverty_line_cost_in_cents: null,
      affordable_cost_in_cents: null,
      unaffordable_count: null,
      employees: [],
    }
  const limits = employees
    .map(({ state, ...one }): Limit => {
      const by_line = costWithinPovertyLine(povertyLine(plan_year_start, state, figures)!, part)
      const by_wage = one.monthly_wage_in_cents === null ? 0 : costWithin(one.monthly_wage_in_cents, part)
      const safe_harbor = by_wage > by_line ? 'rate_of_pay' : 'federal_poverty_line'
      return { ...one, affordable_cost_in_cents: Math.max(by_line, by_wage), safe_harbor }
    })
    .sort((a, b) => a.affordable_cost_in_cents - b.affordable_cost_in_cents || (a.employee_id < b.employee_id ? -1 : 1))
  const shown = cost_in_cents === null ? limits : limits.filter((one) => one.affordable_cost_in_cents < cost_in_cents)
  const poverty_line_cost_in_cents = costWithinPovertyLine(mainland, part)
  return {
    ...counted,
    poverty_line_cost_in_cents,
    affordable_cost_in_cents: limits[0]?.affordable_cost_in_cents ?? poverty_line_cost_in_cents,
    unaffordable_count: cost_in_cents === null ? null : shown.length,
    employees: shown.slice(0, most_listed),
  }
}
