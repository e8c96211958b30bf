import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from './days.ts'
import { payPeriods, periodOn, type PayCalendar } from './pay-calendar.ts'

const calendarOf = (
  pay_frequency: PayCalendar['pay_frequency'],
  first_pay_date: string | null = null,
): PayCalendar => ({
  pay_frequency,
  first_pay_date,
})
const endsOf = (calendar: PayCalendar, year: number) => payPeriods(calendar, year).map(({ end }) => end)
const spans = (calendar: PayCalendar, year: number) => payPeriods(calendar, year).map(({ start, end }) => [start, end])

describe('the pay periods of a year', () => {
  it.each<[string, PayCalendar, number, number, [string, string], [string, string]]>([
    ['weeks of the calendar', calendarOf('weekly'), 2027, 52, ['01-01', '01-07'], ['12-24', '12-31']],
    ['weeks of a leap year', calendarOf('weekly'), 2028, 52, ['01-01', '01-07'], ['12-23', '12-31']],
    ['two weeks of the calendar', calendarOf('bi_weekly'), 2027, 26, ['01-01', '01-14'], ['12-17', '12-31']],
    ['halves of a month', calendarOf('semi_monthly'), 2027, 24, ['01-01', '01-15'], ['12-16', '12-31']],
    ['months', calendarOf('monthly'), 2027, 12, ['01-01', '01-31'], ['12-01', '12-31']],
  ])('%s', (_, calendar, year, count, first, last) => {
    const periods = spans(calendar, year)
    expect(periods).toHaveLength(count)
    const inYear = (days: string[]) => days.map((day) => `${year}-${day}`)
    expect([periods[0], periods.at(-1)]).toEqual([inYear(first), inYear(last)])
  })

  it.each<[string, PayCalendar, number, number, string, string]>([
    ['52 Fridays', calendarOf('weekly', '2026-01-02'), 2026, 52, '2025-12-27', '2026-12-25'],
    ['53 Fridays', calendarOf('weekly', '2026-01-02'), 2027, 53, '2026-12-26', '2027-12-31'],
    ['53 Fridays of a leap year', calendarOf('weekly', '2026-01-02'), 2032, 53, '2031-12-27', '2032-12-31'],
    ['26 of every other Friday', calendarOf('bi_weekly', '2026-01-09'), 2026, 26, '2025-12-27', '2026-12-25'],
    ['27 of every other Friday', calendarOf('bi_weekly', '2026-01-02'), 2027, 27, '2026-12-19', '2027-12-31'],
    ['years before the first pay date', calendarOf('bi_weekly', '2026-01-02'), 2016, 27, '2015-12-19', '2016-12-30'],
    ['decades after it', calendarOf('weekly', '1990-01-05'), 2027, 53, '2026-12-26', '2027-12-31'],
    ['every 20th', calendarOf('monthly', '2026-03-20'), 2027, 12, '2026-12-21', '2027-12-20'],
    ['the 5th and the 20th', calendarOf('semi_monthly', '2026-03-05'), 2027, 24, '2026-12-21', '2027-12-20'],
  ])('%s', (_, calendar, year, count, start, end) => {
    const periods = payPeriods(calendar, year)
    expect([periods.length, periods[0]!.start, periods.at(-1)!.end]).toEqual([count, start, end])
    expect(periods.map((period) => [period.year, period.number, period.period_count])).toEqual(
      periods.map((__, index) => [year, index + 1, count]),
    )
  })

  it.each([
    ['monthly', '2026-01-31', 2027, ['01-31', '02-28', '03-31', '04-30']],
    ['monthly', '2026-01-30', 2028, ['01-30', '02-29', '03-30', '04-30']],
    ['monthly', '2026-02-28', 2027, ['01-28', '02-28', '03-28', '04-28']],
    ['semi_monthly', '2026-01-15', 2027, ['01-15', '01-30', '02-15', '02-28']],
    ['semi_monthly', '2026-01-30', 2028, ['01-15', '01-30', '02-15', '02-29']],
    ['semi_monthly', '2026-01-31', 2027, ['01-15', '01-31', '02-15', '02-28']],
    ['semi_monthly', '2026-01-16', 2027, ['01-01', '01-16', '02-01', '02-16']],
    ['semi_monthly', '2026-01-01', 2027, ['01-01', '01-16', '02-01', '02-16']],
    ['semi_monthly', '2026-01-29', 2027, ['01-14', '01-29', '02-14', '02-28']],
  ] as const)('%s from %s stays within short months', (frequency, first, year, days) => {
    expect(endsOf(calendarOf(frequency, first), year).slice(0, 4)).toEqual(days.map((day) => `${year}-${day}`))
  })
})

describe('the pay period of a day', () => {
  const fridays = calendarOf('bi_weekly', '2026-01-02')
  it.each([
    ['is the payday itself', '2026-01-02', 2026, 1, '2025-12-20', '2026-01-02'],
    ['is the next after a payday', '2026-01-03', 2026, 2, '2026-01-03', '2026-01-16'],
    ['belongs to the year that it ends in', '2025-12-20', 2026, 1, '2025-12-20', '2026-01-02'],
    ['is the last of the year', '2026-12-31', 2027, 1, '2026-12-19', '2027-01-01'],
  ])('%s', (_, day, year, number, start, end) => {
    expect(periodOn(fridays, day)).toMatchObject({ year, number, start, end })
  })
})

const frequencies = fc.constantFrom<PayCalendar['pay_frequency']>('weekly', 'bi_weekly', 'semi_monthly', 'monthly')
const days = fc.nat({ max: 73_000 }).map((count) => addDays('2000-01-01', count))

describe('any calendar', () => {
  it('covers each day once, and ends a period in each month', () => {
    const calendars = fc.record({ pay_frequency: frequencies, first_pay_date: fc.option(days, { nil: null }) })
    fc.assert(
      fc.property(calendars, fc.integer({ min: 1990, max: 2190 }), fc.nat({ max: 364 }), (calendar, year, nth) => {
        const periods = [...payPeriods(calendar, year), ...payPeriods(calendar, year + 1)]
        for (const [index, { start, end }] of periods.entries()) {
          expect(daysBetween(start, end)).toBeGreaterThanOrEqual(0)
          if (index > 0) expect(start).toBe(addDays(periods[index - 1]!.end, 1))
        }
        expect(new Set(endsOf(calendar, year).map((end) => end.slice(0, 7))).size).toBe(12)
        const day = addDays(`${year}-01-01`, nth)
        expect([periodOn(calendar, day)]).toEqual(periods.filter(({ start, end }) => start <= day && day <= end))
      }),
      { numRuns: 200 },
    )
  })

  it('pays on its first pay date', () => {
    fc.assert(
      fc.property(frequencies, days, (pay_frequency, first_pay_date) => {
        const calendar = { pay_frequency, first_pay_date }
        expect(periodOn(calendar, first_pay_date).end).toBe(first_pay_date)
      }),
    )
  })
})
