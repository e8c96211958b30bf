import { addDays, daysBetween, monthEnd, type Day } from './days.ts'

/**
 * How an employer pays. Without a first pay date the pay periods follow the calendar. `deductions_per_year` is 24 where
 * the third payday of a month takes nothing, of those every two weeks; 48 where the fifth does, of those every week.
 */
export type PayCalendar = {
  pay_frequency: 'weekly' | 'bi_weekly' | 'semi_monthly' | 'monthly'
  first_pay_date: Day | null
  deductions_per_year?: number | null
}

/**
 * From `start` to `end`, both included: the `number`th, from 1, of the `period_count` that end in the calendar year.
 * `skipped`: its payday takes nothing.
 */
export type PayPeriod = { year: number; number: number; period_count: number; start: Day; end: Day; skipped?: true }

/** How many paydays of a month take something; the others are skipped. */
const paydaysThatTake = ({ deductions_per_year }: PayCalendar): number =>
  deductions_per_year ? deductions_per_year / 12 : Infinity

/** Which number of deductions a year may be fixed where pay comes so often, beside one each payday. */
export const fixed_deductions: Record<PayCalendar['pay_frequency'], number | null> = {
  weekly: 48,
  bi_weekly: 24,
  semi_monthly: null,
  monthly: null,
}

/**
 * The pay periods that end in a calendar year, in order. They leave no day out, also from year to year, and at least
 * one ends in each month. Aligned to the calendar there are 52, 26, 24 or 12. With a first pay date each ends on a
 * payday, also before that date, and weekly ones may be 53, bi-weekly ones 27 (decisions.md, section 6).
 */
export function payPeriods(calendar: PayCalendar, year: number): PayPeriod[] {
  const [before, ...ends] = lastDays(calendar, year)
  const most = paydaysThatTake(calendar)
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

/** The pay period that a day belongs to. Behind the last payday of a year it is the first of the next one. */
export function periodOn(calendar: PayCalendar, day: Day): PayPeriod {
  const year = Number(day.slice(0, 4))
  return payPeriods(calendar, year).find(({ end }) => day <= end) ?? payPeriods(calendar, year + 1)[0]!
}

type Ends = [before: Day, ...ends: Day[]]

/** The last days of a year's periods, behind the one of the year before. */
function lastDays({ pay_frequency, first_pay_date }: PayCalendar, year: number): Ends {
  if (pay_frequency === 'weekly' || pay_frequency === 'bi_weekly') {
    const step = pay_frequency === 'weekly' ? 7 : 14
    return first_pay_date === null ? alignedDays(year, step) : paydays(first_pay_date, year, step)
  }
  const day = first_pay_date === null ? 31 : Number(first_pay_date.slice(8))
  const days = pay_frequency === 'monthly' ? [day] : twice(day)
  const ends = months.flatMap((month) => days.map((each) => inMonth(`${year}-${month}`, each)))
  return [inMonth(`${year - 1}-12`, days.at(-1)!), ...ends]
}

const months = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']

/** The days past the last whole week, one or two, belong to the last period. */
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

/** A day of the month with its partner 15 days off; 31 is the month's last, so the calendar's halves are 15 and 31. */
function twice(day: number): [number, number] {
  if (day === 31) return [15, 31]
  return day <= 15 ? [day, day + 15] : [day - 15, day]
}

function inMonth(month: string, day: number): Day {
  const last = monthEnd(`${month}-01`)
  return day < Number(last.slice(8)) ? `${month}-${String(day).padStart(2, '0')}` : last
}
