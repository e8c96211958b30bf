import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'

/** Tests the SQL functions of save-eligibilities.sql one by one. Another file tests the calendar functions. */
const api = useApi()

describe('a policy covers', () => {
  const covers = sqlFunction(api, 'policy_covers', {
    employee_classes: ['Full Time', 'Intern'],
    compensation_types: null,
    employee_class: 'Full Time',
    compensation_type: null,
  })

  it.each([
    ['a class that it lists', {}, true],
    ['any of several classes', { employee_class: 'Intern' }, true],
    ['no other', { employee_class: 'Part Time' }, false],
    [
      'an employee with a compensation type that it lists',
      { compensation_types: ['Hourly'], compensation_type: 'Hourly' },
      true,
    ],
    [
      'no employee with another compensation type',
      { compensation_types: ['Hourly'], compensation_type: 'Salary' },
      false,
    ],
    ['no employee with an unknown compensation type', { compensation_types: ['Hourly'] }, false],
    [
      'no other class, regardless of the compensation type',
      { employee_class: 'Part Time', compensation_types: ['Hourly'], compensation_type: 'Hourly' },
      false,
    ],
  ])('%s', async (_, given, expected) => expect(await covers(given)).toBe(expected))
})

describe('the first of a month on or after', () => {
  const firstOnOrAfter = sqlFunction(api, 'first_on_or_after', { day: '2026-03-01' })

  it.each([
    ['a first is the same day', '2026-03-01', '2026-03-01'],
    ['a second is the first of the next month', '2026-03-02', '2026-04-01'],
    ['a last day of a month is the next day', '2026-03-31', '2026-04-01'],
    ['a leap day is the next day', '2028-02-29', '2028-03-01'],
    ['the last day of a year is in the next year', '2026-12-31', '2027-01-01'],
  ])('%s', async (_, day, expected) => expect(await firstOnOrAfter({ day })).toBe(expected))
})

describe('a waiting period ends', () => {
  const waitingEndsOn = sqlFunction(api, 'waiting_ends_on', {
    anchored_on: '2026-03-10',
    waiting_period: 'none',
    policy_from_on: '-infinity',
    start_alignment: 'exact',
  })

  it.each([
    ['immediately with none', {}, '2026-03-10'],
    ['after 30 days', { waiting_period: '30_days' }, '2026-04-09'],
    ['after 60 days', { waiting_period: '60_days' }, '2026-05-09'],
    ['on the first of the next month', { waiting_period: 'first_of_following_month' }, '2026-04-01'],
    [
      'on the first of the month after, for an anchor on a first',
      { waiting_period: 'first_of_following_month', anchored_on: '2026-03-01' },
      '2026-04-01',
    ],
    ['not before a policy that was created later', { policy_from_on: '2026-06-10' }, '2026-06-10'],
    [
      'when the days are over, if the policy came before',
      { waiting_period: '60_days', policy_from_on: '2026-04-01' },
      '2026-05-09',
    ],
    [
      'on the first of a month after a policy that was created later',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-10' },
      '2026-07-01',
    ],
    [
      'on the first of a month on or after it, with an aligned start',
      { waiting_period: '30_days', start_alignment: 'first_of_month' },
      '2026-05-01',
    ],
    [
      'on the same day if it is a first',
      { anchored_on: '2026-03-01', start_alignment: 'first_of_month' },
      '2026-03-01',
    ],
    [
      'not later with an aligned start if it is a first anyway',
      { waiting_period: 'first_of_following_month', start_alignment: 'first_of_month' },
      '2026-04-01',
    ],
    [
      'on the 90th day at the latest, since 60 days and an alignment of up to 30 days never exceed it',
      { waiting_period: '60_days', anchored_on: '2026-05-03', start_alignment: 'first_of_month' },
      '2026-08-01',
    ],
    [
      'on the first after an aligned policy that was created later',
      { policy_from_on: '2026-06-10', start_alignment: 'first_of_month' },
      '2026-07-01',
    ],
    [
      'on the day of that policy if it is a first',
      { waiting_period: 'first_of_following_month', policy_from_on: '2026-06-01' },
      '2026-06-01',
    ],
  ])('%s', async (_, given, expected) => expect(await waitingEndsOn(given)).toBe(expected))
})

describe('after a period of eligibility, coverage lasts', () => {
  const coveredUntil = sqlFunction(api, 'period_covered_until', {
    ended_on: '2026-04-01',
    left_on: 'infinity',
    terminated_on: null,
  })

  it.each([
    ['until the end of the month of the loss', {}, '2026-04-30'],
    ['without a known end', { ended_on: 'infinity' }, null],
    [
      'until the end of the month of the last day of employment',
      { ended_on: '2026-04-01', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-03-31',
    ],
    [
      'until the end of the month of a loss before the termination',
      { ended_on: '2026-02-10', left_on: '2026-04-01', terminated_on: '2026-03-31' },
      '2026-02-28',
    ],
  ])('%s', async (_, given, expected) => expect(await coveredUntil(given)).toBe(expected))
})

describe('an employee returned in time', () => {
  const isReturn = sqlFunction(api, 'is_return', {
    anchored_on: '2026-07-02',
    former_end: '2026-04-02',
    service_credit_weeks: '13',
    served_from: '-infinity',
  })

  it.each([
    ['13 weeks after the first day without eligibility', {}, true],
    ['not a day later', { anchored_on: '2026-07-03' }, false],
    ['on the very next day', { anchored_on: '2026-04-02' }, true],
    ['within the number of weeks of the policy', { service_credit_weeks: '4', anchored_on: '2026-04-30' }, true],
    ['not after those weeks', { service_credit_weeks: '4', anchored_on: '2026-05-01' }, false],
    ['never if the policy credits no weeks', { service_credit_weeks: '0', anchored_on: '2026-04-02' }, false],
    ['never before the policy credits service', { service_credit_weeks: null }, false],
    ['never before the first period', { former_end: null }, false],
    ['not if the employer returned on that day', { served_from: '2026-07-02' }, false],
    ['if the employee returned after the employer', { served_from: '2026-07-01' }, true],
  ])('%s', async (_, given, expected) => expect(await isReturn(given)).toBe(expected))
})

describe('the waiting period of a returning employee ends', () => {
  const waitingEndsOn = sqlFunction(api, 'returned_waiting_ends_on', {
    anchored_on: '2026-06-10',
    service_from: '2026-01-05',
    waiting_period: '60_days',
    policy_from_on: '-infinity',
    start_alignment: 'exact',
  })

  it.each([
    ['on the first of the next month', {}, '2026-07-01'],
    ['on the first of the month after, for a return on a first', { anchored_on: '2026-06-01' }, '2026-07-01'],
    ['immediately with none', { waiting_period: 'none' }, '2026-06-10'],
    [
      'on the next first with an aligned start',
      { waiting_period: 'none', start_alignment: 'first_of_month' },
      '2026-07-01',
    ],
    ['on the first of a month, as for new employees', { waiting_period: 'first_of_following_month' }, '2026-07-01'],
    ['after the remaining days', { service_from: '2026-05-20' }, '2026-07-19'],
    [
      'never later than without earlier service',
      { waiting_period: '30_days', anchored_on: '2026-03-01' },
      '2026-03-31',
    ],
    ['not before a policy that was created later', { policy_from_on: '2026-08-15' }, '2026-08-15'],
  ])('%s', async (_, given, expected) => expect(await waitingEndsOn(given)).toBe(expected))

  it('on the day that a calendar gives, for any day of 2020 to 2059 and each policy', async () => {
    const requested = await api.database.reads.rows<{
      period: string
      alignment: string
      served: number
      renewed: number[]
      returned: number[]
    }>(
      `select period, alignment, served,
              array_agg(waiting_ends_on(came, period, '-infinity', alignment) - came order by came) as renewed,
              array_agg(returned_waiting_ends_on(came, came - served, period, '-infinity', alignment) - came
                        order by came) as returned
         from (select day::date as came from generate_series('2020-01-01'::timestamp, '2059-12-31', '1 day') as day)
              as days
        cross join (values ('none'), ('first_of_following_month'), ('30_days'), ('60_days')) as one (period)
        cross join (values ('exact'), ('first_of_month')) as other (alignment)
        cross join (values (1), (10), (45), (100)) as counted (served)
        group by period, alignment, served`,
    )
    expect(requested.length).toBe(4 * 2 * 4)
    const calendar: { is_first: boolean; month: number }[] = []
    for (let day = Temporal.PlainDate.from('2020-01-01'); day.year < 2061; day = day.add({ days: 1 }))
      calendar.push({ is_first: day.day === 1, month: 12 * day.year + day.month })
    const wrong: unknown[] = []
    for (const { period, alignment, served, renewed, returned } of requested) {
      const waits = { none: 0, first_of_following_month: 1, '30_days': 30, '60_days': 60 }[period]!
      const needs_first = alignment === 'first_of_month' || period === 'first_of_following_month'
      const isOver = (anchor: number, day: number) => day >= anchor + waits && (!needs_first || calendar[day]!.is_first)
      const mayBegin = (came: number, day: number) => period === 'none' || calendar[day]!.month > calendar[came]!.month
      expect(renewed.length).toBe(14_610)
      for (const came of renewed.keys()) {
        let day = came
        while (!isOver(came, day)) day++
        if (renewed[came] !== day - came) wrong.push({ period, alignment, came, renewed: renewed[came], day })
        day = came
        while (!isOver(came, day) && !(isOver(came - served, day) && mayBegin(came, day))) day++
        if (returned[came] !== day - came)
          wrong.push({ period, alignment, served, came, returned: returned[came], day })
      }
    }
    expect(wrong).toEqual([])
  })
})
