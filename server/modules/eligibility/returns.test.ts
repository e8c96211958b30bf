import { describe, expect, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { sqlRule } from '../../test/sql-rules.ts'

/** Who came back in time, and when they have waited: rules of save-eligibilities.sql, each asked alone. */
const api = useApi()

describe('somebody came back in time', () => {
  const isReturn = sqlRule(api, 'is_return', {
    anchored_on: '2026-07-02',
    former_end: '2026-04-02',
    service_credit_weeks: '13',
    served_from: '-infinity',
  })

  it.each([
    ['13 weeks after the first day without', {}, true],
    ['not a day later', { anchored_on: '2026-07-03' }, false],
    ['on the very next day', { anchored_on: '2026-04-02' }, true],
    ['within as many weeks as the policy says', { service_credit_weeks: '4', anchored_on: '2026-04-30' }, true],
    ['not after those', { service_credit_weeks: '4', anchored_on: '2026-05-01' }, false],
    ['never where the policy says none', { service_credit_weeks: '0', anchored_on: '2026-04-02' }, false],
    ['never where it credits nobody yet', { service_credit_weeks: null }, false],
    ['never before they were here', { former_end: null }, false],
    ['not when it was the employer who came back', { served_from: '2026-07-02' }, false],
    ['later than the employer', { served_from: '2026-07-01' }, true],
  ])('%s', async (_, given, expected) => expect(await isReturn(given)).toBe(expected))
})

describe('who came back has waited', () => {
  const waitingEndsOn = sqlRule(api, 'returned_waiting_ends_on', {
    anchored_on: '2026-06-10',
    service_from: '2026-01-05',
    waiting_period: '60_days',
    policy_from_on: '-infinity',
    start_alignment: 'exact',
  })

  it.each([
    ['by the first of the next month', {}, '2026-07-01'],
    ['by the month after when they come on a first', { anchored_on: '2026-06-01' }, '2026-07-01'],
    ['at once where nobody waits', { waiting_period: 'none' }, '2026-06-10'],
    [
      'by the next first where coverage begins with months',
      { waiting_period: 'none', start_alignment: 'first_of_month' },
      '2026-07-01',
    ],
    ['as always by the first of a month', { waiting_period: 'first_of_following_month' }, '2026-07-01'],
    ['for what was left of the waiting', { service_from: '2026-05-20' }, '2026-07-19'],
    ['never longer than without service', { waiting_period: '30_days', anchored_on: '2026-03-01' }, '2026-03-31'],
    ['not before a policy that came later', { policy_from_on: '2026-08-15' }, '2026-08-15'],
  ])('%s', async (_, given, expected) => expect(await waitingEndsOn(given)).toBe(expected))

  const patience = { timeout: 240_000 }
  it('never later than somebody new, nor before coming back, on any day of 2020 to 2059', patience, async () => {
    const rows = await api.database.reads.rows<{ found: number }>(
      `select count(*)::int as found
         from generate_series('2020-01-01'::timestamp, '2059-12-31', '1 day') as came
        cross join (values ('none'), ('first_of_following_month'), ('30_days'), ('60_days')) as one (period)
        cross join (values ('exact'), ('first_of_month')) as other (alignment)
        cross join (values (10), (100)) as served (days)
        cross join lateral (
          select waiting_ends_on(came::date, period, '-infinity', alignment) as anew,
                 returned_waiting_ends_on(
                   came::date, came::date - days, period, '-infinity', alignment) as returned) as day
        cross join lateral (
          select (date_trunc('month', came) + interval '1 month')::date as next_month) as calendar
        where returned > anew or returned < came::date
           or days >= 60 and returned <> least(anew, case when period = 'none' then anew else next_month end)`,
    )
    expect(rows).toEqual([{ found: 0 }])
  })
})
