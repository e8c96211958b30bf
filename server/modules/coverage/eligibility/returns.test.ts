import { describe, expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { sqlFunction } from '../../../test/postgres/sql-function.ts'

/** Tests the SQL functions of save-eligibilities.sql for returning employees and their waiting periods, one by one. */
const api = useApi()

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

  it('on the day that a calendar gives, for any day of 2020 to 2059 and each policy', { timeout: 60_000 }, async () => {
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
