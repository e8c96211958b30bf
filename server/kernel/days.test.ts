import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addDaysTo, ageOn, daysBetween, easternDay, isDay, monthEnd, yearsAfter } from './days.ts'

describe('today', () => {
  it.each([
    ['2026-03-10T03:59:59Z', '2026-03-09', 'the last second of the Eastern day'],
    ['2026-03-10T04:00:00Z', '2026-03-10', 'the first'],
    ['2026-03-08T06:59:59Z', '2026-03-08', 'before the clocks go forward'],
    ['2026-11-01T03:59:59Z', '2026-10-31', 'daylight time before the clocks go back'],
    ['2026-11-02T04:59:59Z', '2026-11-01', 'standard time after the clocks went back'],
    ['2026-11-02T05:00:00Z', '2026-11-02', 'the day after'],
    ['2024-02-29T12:00:00Z', '2024-02-29', 'a leap day'],
  ])('%s is %s in New York: %s', (instant, day) => {
    expect(easternDay(Date.parse(instant))).toBe(day)
  })
})

describe('a day', () => {
  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '26-01-01',
    '2026-1-1',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '1899-12-31',
    '2200-01-01',
    '9999-12-31',
    '',
  ])('is not %j', (text) => expect(isDay(text)).toBe(false))

  it('is every day of the calendar from 1900 to 2199', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        (date) => {
          expect(isDay(date.toISOString().slice(0, 10))).toBe(true)
        },
      ),
    )
  })

  it('can be moved by days and back, and sort as text in the order of time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 1, max: 5_000 }), (start, count) => {
        const day = addDays('1900-01-01', start)
        expect(addDays(addDays(day, count), -count)).toBe(day)
        expect(addDays(day, count) > day).toBe(true)
        expect(addDays(day, count)).toBe(Temporal.PlainDate.from(day).add({ days: count }).toString())
        expect([daysBetween(day, addDays(day, count)), daysBetween(addDays(day, count), day)]).toEqual([count, -count])
      }),
    )
  })
})

describe('adding days', () => {
  it.each(['', '2026-13-01', 'infinity'])('throws an error for %j instead of returning a wrong day', (text) =>
    expect(() => addDays(text, 1)).toThrow(RangeError),
  )
})

describe('a day some years later', () => {
  it.each([
    ['2026-06-01', 1, '2027-06-01'],
    ['2024-02-29', 1, '2025-03-01'],
    ['2024-02-29', 4, '2028-02-29'],
    ['2199-06-01', 1, '2200-06-01'],
  ])('%s and %i years are %s', (day, years, later) => {
    expect(yearsAfter(day, years)).toBe(later)
  })
})

describe('an instant some days later', () => {
  it.each([
    ['2026-03-07T12:00:00Z', 1, '2026-03-08T11:00:00.000Z', 'the same time on a clock that went forward'],
    ['2026-10-31T12:00:00Z', 1, '2026-11-01T13:00:00.000Z', 'the same time on a clock that went back'],
    ['2026-03-07T07:30:00Z', 1, '2026-03-08T07:30:00.000Z', 'an hour later if the clocks skip the time'],
    ['2028-02-29T12:00:00Z', 366, '2029-03-01T12:00:00.000Z', 'across the end of February'],
  ])('%s and %i days are %s: %s', (instant, count, later) => {
    expect(new Date(addDaysTo(Date.parse(instant), count)).toISOString()).toBe(later)
  })

  it('is the same number of days later in New York across clock changes', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 1_000 }), (date, count) => {
        const instant = date.getTime()
        expect(easternDay(addDaysTo(instant, count))).toBe(addDays(easternDay(instant), count))
      }),
    )
  })
})

describe('age', () => {
  it.each([
    ['2008-03-10', '2026-03-10', 18, 'on the birthday'],
    ['2008-03-11', '2026-03-10', 17, 'the day before it'],
    ['2008-02-29', '2026-02-28', 17, 'born on February 29, February 28 of a common year'],
    ['2008-02-29', '2026-03-01', 18, 'born on February 29, March 1 of a common year'],
    ['2008-02-29', '2028-02-29', 20, 'born on February 29, in a leap year'],
    ['2008-12-31', '2026-01-01', 17, 'across the end of the year'],
  ])('of a person born on %s is on %s: %i (%s)', (born, day, age) => {
    expect(ageOn(born, day)).toBe(age)
  })
})

describe('the end of a month', () => {
  it('is the last day of the month in the calendar, from 1900 to 2199', () => {
    const months = Array.from({ length: 3600 }, (_, at) => new Temporal.PlainDate(1900, 1, 9).add({ months: at }))
    for (const month of months)
      expect(monthEnd(month.toString())).toBe(month.with({ day: month.daysInMonth }).toString())
  })
})
