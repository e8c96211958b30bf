import { describe, expect, it } from 'vitest'
import { createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

/** The calendar rules are SQL functions. Tables of examples and loops over every day test them. */
const api = useApi()
const periods = ['none', 'first_of_following_month', '30_days', '60_days'] as const

const waited = async (anchor: string, period: string): Promise<string> =>
  (await api.database.reads.row<{ day: string }>('select waited_on($1, $2) as day', [anchor, period]))!.day

const starts = async (anchor: string, waited: string, benefit: string, year: string, medical: boolean) =>
  (await api.database.reads.row<{ day: string }>('select coverage_starts_on($1, $2, $3, $4, $5) as day', [
    anchor,
    waited,
    benefit,
    year,
    medical,
  ]))!.day

describe('the end of a waiting period', () => {
  it.each([
    // anchor, none, first of the following month, 30 days, 60 days
    ['the first of a month', '2026-03-01', '2026-03-01', '2026-04-01', '2026-03-31', '2026-04-30'],
    ['the day before DST begins', '2026-03-07', '2026-03-07', '2026-04-01', '2026-04-06', '2026-05-06'],
    ['the day DST begins', '2026-03-08', '2026-03-08', '2026-04-01', '2026-04-07', '2026-05-07'],
    ['the day DST ends', '2026-11-01', '2026-11-01', '2026-12-01', '2026-12-01', '2026-12-31'],
    ['the last day of a month of 30 days', '2026-04-30', '2026-04-30', '2026-05-01', '2026-05-30', '2026-06-29'],
    ['the last day of a month of 31 days', '2026-01-31', '2026-01-31', '2026-02-01', '2026-03-02', '2026-04-01'],
    ['the last day of February', '2026-02-28', '2026-02-28', '2026-03-01', '2026-03-30', '2026-04-29'],
    ['February 28 of a leap year', '2028-02-28', '2028-02-28', '2028-03-01', '2028-03-29', '2028-04-28'],
    ['a leap day', '2028-02-29', '2028-02-29', '2028-03-01', '2028-03-30', '2028-04-29'],
    ['the last day of a year', '2026-12-31', '2026-12-31', '2027-01-01', '2027-01-30', '2027-03-01'],
    ['30 days before a leap day', '2028-01-30', '2028-01-30', '2028-02-01', '2028-02-29', '2028-03-30'],
  ])('after %s', async (_, anchor, ...expected) => {
    expect(await Promise.all(periods.map((period) => waited(anchor, period)))).toEqual(expected)
  })

  it('agrees with the calendar for every day of 2020 to 2059', async () => {
    const rows = await api.database.reads.rows<{ anchor: string; period: string; day: string }>(
      `select anchor::date, period, waited_on(anchor::date, period) as day
         from generate_series('2020-01-01'::timestamp, '2059-12-31', '1 day') as anchor, unnest($1::text[]) as period`,
      [periods],
    )
    expect(rows.length).toBe(14_610 * 4)
    const wrong = rows.filter(({ anchor, period, day }) => {
      const start = Temporal.PlainDate.from(anchor)
      const expected = {
        none: start,
        first_of_following_month: start.with({ day: 1 }).add({ months: 1 }),
        '30_days': start.add({ days: 30 }),
        '60_days': start.add({ days: 60 }),
      }[period]!
      return expected.toString() !== day
    })
    expect(wrong).toEqual([])
  })
})

describe('a waiting period that is aligned with months', () => {
  it('ends on the next first of a month, for every day of 2020 to 2059', async () => {
    const rows = await api.database.reads.rows<{ anchor: string; period: string; day: string }>(
      `select anchor::date, period, waiting_ends_on(anchor::date, period, '-infinity', 'first_of_month') as day
         from generate_series('2020-01-01'::timestamp, '2059-12-31', '1 day') as anchor, unnest($1::text[]) as period`,
      [periods],
    )
    expect(rows.length).toBe(14_610 * 4)
    // Iterates backwards, so the last first of a month that the loop passed is the next one after `day`.
    const firsts: Record<string, string> = {}
    for (let day = Temporal.PlainDate.from('2060-06-01'), next = ''; day.year > 2019; day = day.subtract({ days: 1 })) {
      if (day.day === 1) next = day.toString()
      firsts[day.toString()] = next
    }
    const after = { none: 0, first_of_following_month: 1, '30_days': 30, '60_days': 60 }
    const wrong = rows.filter(({ anchor, period, day }) => {
      const waited = Temporal.PlainDate.from(anchor).add({ days: after[period as keyof typeof after] })
      return firsts[waited.toString()] !== day
    })
    expect(wrong).toEqual([])
    // So the 90-day cap never shortens an aligned waiting period, if the policy existed when the waiting period began.
    expect(rows.filter(({ anchor, day }) => Temporal.PlainDate.from(anchor).until(day).days > 90)).toEqual([])
  })
})

describe('the first day of coverage', () => {
  it.each([
    [
      'the waiting period ends during the plan year',
      '2026-03-05',
      '2026-04-01',
      '2026-01-01',
      '2026-01-01',
      true,
      '2026-04-01',
    ],
    ['the plan year begins later', '2025-03-05', '2025-04-01', '2026-01-01', '2026-01-01', true, '2026-01-01'],
    ['the benefit begins later', '2026-03-05', '2026-04-01', '2026-05-01', '2026-01-01', false, '2026-05-01'],
    [
      'a medical benefit begins 91 days later',
      '2026-03-05',
      '2026-04-01',
      '2026-06-04',
      '2026-01-01',
      true,
      '2026-06-04',
    ],
    [
      'a medical benefit begins years later',
      '2020-03-05',
      '2020-04-01',
      '2027-07-01',
      '2027-01-01',
      true,
      '2027-07-01',
    ],
    [
      'the waiting period ends on the 90th day',
      '2026-03-05',
      '2026-06-03',
      '2026-01-01',
      '2026-01-01',
      true,
      '2026-06-03',
    ],
    [
      'a medical waiting period would pass the 90th day',
      '2026-03-05',
      '2026-06-04',
      '2026-01-01',
      '2026-01-01',
      true,
      '2026-06-03',
    ],
    [
      'a dental waiting period passes the 90th day',
      '2026-03-05',
      '2026-06-04',
      '2026-01-01',
      '2026-01-01',
      false,
      '2026-06-04',
    ],
    ['a capped benefit begins later', '2026-03-05', '2026-07-01', '2026-06-15', '2026-01-01', true, '2026-06-15'],
    ['a capped plan year begins later', '2026-03-05', '2026-07-01', '2026-06-20', '2026-06-20', true, '2026-06-20'],
  ])('%s', async (_, anchor, waited, benefit, year, medical, expected) => {
    expect(await starts(anchor, waited, benefit, year, medical)).toBe(expected)
  })

  // Every hire date of 2020 to 2059 with each policy, for plan years that start at the hire and the year after, and for
  // benefits that begin with the year, in April and in the last month. Materialized, because each rule would
  // otherwise compute all days again.
  const every = `with tried as materialized (
    select anchor, period, begins, after, medical, waited, benefit,
           coverage_starts_on(anchor, waited, benefit, begins, medical) as start
      from (select anchor, period, begins, after, medical, waited_on(anchor, period) as waited,
                   begins + after as benefit
              from (select day::date as anchor, make_date(extract(year from day)::int + later, 1, 1) as begins
                      from generate_series('2020-01-01'::timestamp, '2059-12-31', '1 day') as day,
                           (values (0), (1)) as years (later)
                    offset 0) as hired,
                   unnest(array['none', 'first_of_following_month', '30_days', '60_days']) as period,
                   (values (0), (90), (335)) as benefits (after),
                   (values (true), (false)) as products (medical)
            offset 0) as rules)`

  // Conditions for days that break a rule. One pass counts them all.
  const broken = {
    'is never before the anchor': `start < anchor and begins <= anchor`,
    'is never before the plan year': `start < begins`,
    'is never before the benefit': `start < benefit`,
    'is never before the end of the waiting period': `start < waited`,
    'is at most 90 days after the anchor for medical products, unless the plan year or the benefit begins later': `
      medical and start > greatest(anchor + 90, begins, benefit)`,
    'is the first of a month if the policy requires it and no other rule applies': `
      period = 'first_of_following_month' and start = waited and extract(day from start) <> 1`,
    'is strictly after the anchor with the first of the following month': `
      period = 'first_of_following_month' and start <= anchor and begins <= anchor`,
    'is one of the days that the rules allow': `start not in (waited, benefit, begins)`,
  }

  it('follows every rule for every hire date, in this year and the next', async () => {
    const counts = Object.values(broken).map((rule, at) => `count(*) filter (where ${rule}) as rule_${at}`)
    const row = await api.database.reads.row<Record<string, number>>(
      `${every} select count(*) as tried, ${counts.join(', ')} from tried`,
    )
    const { tried, ...found } = row!
    expect(tried).toBe(14_610 * 4 * 2 * 3 * 2)
    expect(Object.keys(broken).filter((_, at) => found[`rule_${at}`] !== 0)).toEqual([])
  })

  it('is never earlier for an employee who is hired later', async () => {
    const row = await api.database.reads.row<{ found: number }>(
      `${every} select count(*) filter (where start < former) as found from (
         select start, lag(start) over (partition by period, begins, after, medical order by anchor) as former
           from tried) as ordered`,
    )
    expect(row).toEqual({ found: 0 })
  })
})

describe('the gap between two subscriptions of an employer', () => {
  it.each([
    ['counts as served if it has 60 days', '2026-06-30', [['-infinity', 'infinity']]],
    [
      'is not served if it has 61 days',
      '2026-07-01',
      [
        ['-infinity', '2026-05-01'],
        ['2026-07-01', 'infinity'],
      ],
    ],
  ])('%s', async (_, resumed_on, days) => {
    const employer_id = await createEmployer(api)
    const path = `/operator/v1/employers/${employer_id}/subscriptions` as const
    const operator = { key: api.operator_key }
    // An employer of a sandbox has a subscription from its first day. The end is the first day without it.
    await api.post(`${path}/end`, { ended_on: '2026-05-01' }, operator)
    const resumed = await api.post(path, { started_on: resumed_on }, operator)
    expect(resumed.status, resumed.text).toBe(201)
    const rows = await api.database.reads.rows<{ from_on: string; to_on: string }>(
      'select from_on, to_on from served_days($1, $2) order by from_on',
      [employer_id, api.story.organization_id],
    )
    expect(rows.map(({ from_on, to_on }) => [from_on, to_on])).toEqual(days)
  })
})
