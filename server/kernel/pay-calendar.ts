import { addDays, daysBetween, monthEnd, type Day } from './days.ts'

/**
 * An employer's pay calendar. Without a first pay date the pay periods follow the calendar. `deductions_per_year` is 24
 * if a biweekly payroll has no deductions on the third payday of a month, or 48 if a weekly payroll has none on the
 * fifth.
 */
export type PayCalendar = {
  pay_frequency: 'weekly' | 'bi_weekly' | 'semi_monthly' | 'monthly'
  first_pay_date: Day | null
  deductions_per_year?: number | null
}

/**
 * A pay period from `start` to `end`, inclusive. It is the `number`th, from 1, of the `period_count` periods that end
 * in the calendar year. `skipped`: its paycheck has no deductions.
 */
export type PayPeriod = { year: number; number: number; period_count: number; start: Day; end: Day; skipped?: true }

/** The number of paydays per month with deductions. Later paydays of the month are skipped. */
const deductionsPerMonth = ({ deductions_per_year }: PayCalendar): number =>
  deductions_per_year ? deductions_per_year / 12 : Infinity

/** The fixed number of deductions per year that a pay frequency allows, instead of one per payday. */
export const fixed_deductions: Record<PayCalendar['pay_frequency'], number | null> = {
  weekly: 48,
  bi_weekly: 24,
  semi_monthly: null,
  monthly: null,
}

/**
 * The pay periods that end in a calendar year, in order. They cover every day without a gap between years, and at least
 * one ends in each month. Without a first pay date there are 52, 26, 24 or 12. With one, each period ends on a payday,
 * also before that date, and there may be 53 or 27 (docs/design/money/deductions.md).
 */
export function payPeriods(calendar: PayCalendar, year: number): PayPeriod[] {
  const [before, ...ends] = lastDays(calendar, year)
  const most = deductionsPerMonth(calendar)
  const isSkipped = (end: Day, index: number) => ends[index - most]?.slice(0, 7) === end.slice(0, 7)
  return ends.map((end, index) => ({
    year,
    number: index + 1,
    period_count: ends.length,
    start: addDays(ends[index - 1] ?? before, 1),
    end,
    ...(isSkipped(end, index) && { skipped: true }),
  }))
}

/** The pay period that contains a day. After the last payday of a year it is the first period of the next year. */
export function periodOn(calendar: PayCalendar, day: Day): PayPeriod {
  const year = Number(day.slice(0, 4))
  return payPeriods(calendar, year).find(({ end }) => day <= end) ?? payPeriods(calendar, year + 1)[0]!
}

type Ends = [before: Day, ...ends: Day[]]

/** The last days of a year's periods, preceded by the last day of the year before. */
function lastDays({ pay_frequency, first_pay_date }: PayCalendar, year: number): Ends {
  if (pay_frequency === 'weekly' || pay_frequency === 'bi_weekly') {
    const step = pay_frequency === 'weekly' ? 7 : 14
    return first_pay_date === null ? alignedDays(year, step) : paydays(first_pay_date, year, step)
  }
  const day = first_pay_date === null ? 31 : Number(first_pay_date.slice(8))
  const days = pay_frequency === 'monthly' ? [day] : semimonthlyDays(day)
  const ends = months.flatMap((month) => days.map((each) => dayInMonth(`${year}-${month}`, each)))
  return [dayInMonth(`${year - 1}-12`, days.at(-1)!), ...ends]
}

const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']

/** The one or two days after the last whole week belong to the last period. */
function alignedDays(year: number, step: number): Ends {
  const before = `${year - 1}-12-31`
  const count = Math.floor(365 / step)
  const ends = Array.from({ length: count - 1 }, (_, index) => addDays(before, step * (index + 1)))
  return [before, ...ends, `${year}-12-31`]
}

function paydays(known: Day, year: number, step: number): Ends {
  const first = addDays(known, step * Math.ceil(daysBetween(known, `${year}-01-01`) / step))
  const count = Math.floor(daysBetween(first, `${year}-12-31`) / step) + 1
  return [addDays(first, -step), ...Array.from({ length: count }, (_, index) => addDays(first, step * index))]
}

/**
 * A day of the month and its counterpart 15 days apart. 31 means the last day of the month, so half months end on 15
 * and 31.
 */
function semimonthlyDays(day: number): [number, number] {
  if (day === 31) return [15, 31]
  return day <= 15 ? [day, day + 15] : [day - 15, day]
}

function dayInMonth(month: string, day: number): Day {
  const last = monthEnd(`${month}-01`)
  return day < Number(last.slice(8)) ? `${month}-${String(day).padStart(2, '0')}` : last
}
