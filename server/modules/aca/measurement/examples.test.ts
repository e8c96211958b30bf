import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { full_time, leave, monthly, usual, variable, weekly } from '../../../test/models/work-histories.ts'
import { averageOf, isFullTimeMonth, type ServiceHours } from './hour-rules.ts'
import { monthlyStatuses } from './month-rules.ts'
import { initialPeriod, type MeasurementPolicy, standardPeriodsFrom } from './period-rules.ts'
import { measurePerson, type WorkPosition, servicesOf, type WorkHistory } from './status-rules.ts'

/**
 * The numbered examples of 54.4980H-3, with hours as the only input. Examples 11 to 15 of -3(d)(5) (a seasonal
 * employee, three of staffing firms, and a variable-hour employee) are about what an employer may expect at the start
 * date. The expectation is not modeled: the employer reports it as the class, and the cases below begin with it.
 *
 * Checked against the text of the regulation: -3(a) to (b)(3), -3(c)(3), the titles of the examples of -3(d)(5), and
 * the facts that Examples 1 to 8 share. The text of the other paragraphs, and the facts of Examples 9 to 16, were not
 * available. These cases follow the paragraphs as commentary describes them.
 */

/** A policy that never changes. */
const always = (policy: MeasurementPolicy) => [{ from_on: '2010-01-01', policy }]

const statusOn = (history: WorkHistory, policy: MeasurementPolicy, day: Day, as_of: Day) => {
  const { statuses } = measurePerson(history, policy, as_of)
  const status = statuses.findLast(({ starts_on }) => starts_on <= day)
  return status && (status.ends_on ?? day) >= day ? status.is_full_time : undefined
}

type Case = {
  cite: string
  policy?: Partial<MeasurementPolicy>
  positions: WorkPosition[]
  hours: ServiceHours[]
  as_of: Day
  full_time: Day[]
  not: Day[]
}

const hired = [variable('2014-05-10')]
/** Examples 9 and 10: measurements of six months from May 15 and November 15, stability from January 1 and July 1. */
const half = { standard_months: 6, stability_months: 6, initial_months: 6 }
const by_halves = { ...half, standard_starts_on: '2014-05-15', administrative_months: 1 }

const cases: Case[] = [
  {
    cite: '(d)(1)(viii): a full-time measurement decides the whole stability period, regardless of the hours in it',
    positions: [variable('2010-03-01')],
    hours: [...weekly('2014-10-15', '2015-10-14', 30), ...weekly('2015-10-15', '2016-10-14', 5)],
    as_of: '2016-12-01',
    full_time: ['2016-01-01', '2016-12-31'],
    not: ['2017-01-01'],
  },
  {
    cite: '(d)(1)(viii): a measurement below 30 hours decides the whole stability period',
    positions: [variable('2010-03-01')],
    hours: [...weekly('2014-10-15', '2015-10-14', 29.9), ...weekly('2015-10-15', '2016-10-14', 45)],
    as_of: '2016-12-01',
    full_time: ['2017-01-01'],
    not: ['2016-01-01', '2016-12-31'],
  },
  {
    cite: '(d)(5) Example 1: 12 months, and an administrative period of more than one partial month',
    positions: hired,
    hours: weekly('2014-05-10', '2015-05-09', 30),
    as_of: '2015-05-10',
    full_time: ['2015-07-01', '2016-06-30'],
    not: ['2014-05-10', '2015-06-30'],
  },
  {
    cite: '(d)(5) Example 2: 11 months, and an administrative period of more than two partial months',
    policy: { initial_months: 11, initial_administrative_months: 2 },
    positions: hired,
    hours: weekly('2014-05-10', '2015-04-09', 30),
    as_of: '2015-04-10',
    full_time: ['2015-07-01', '2016-06-30'],
    not: ['2015-06-30'],
  },
  {
    cite: '(d)(5) Example 3: 11 months from the first of the next month, and two months of administration',
    policy: { initial_months: 11, initial_starts: 'first_of_month', initial_administrative_months: 2 },
    positions: hired,
    hours: weekly('2014-06-01', '2015-04-30', 30),
    as_of: '2015-05-01',
    full_time: ['2015-07-01', '2016-06-30'],
    not: ['2015-06-30'],
  },
  {
    cite: '(d)(5) Example 5: a continuous full-time employee',
    positions: hired,
    hours: weekly('2014-05-10', '2015-10-14', 30),
    as_of: '2015-10-15',
    full_time: ['2015-07-01', '2015-12-31', '2016-01-01', '2016-12-31'],
    not: ['2015-06-30'],
  },
  {
    cite: '(d)(5) Example 6: initially full-time, becomes not full-time after the initial stability period',
    positions: hired,
    hours: [...weekly('2014-05-10', '2015-05-09', 31), ...weekly('2015-05-10', '2015-10-14', 20)],
    as_of: '2015-10-15',
    full_time: ['2015-07-01', '2016-06-30'],
    not: ['2016-07-01', '2016-12-31'],
  },
  {
    cite: '(d)(5) Example 7: initially not full-time',
    positions: hired,
    hours: weekly('2014-05-10', '2015-05-09', 28),
    as_of: '2015-05-10',
    full_time: [],
    not: ['2014-05-10', '2015-07-01', '2015-12-31'],
  },
  {
    cite: '(d)(5) Example 8: initially not full-time, becomes full-time by the standard measurement',
    positions: hired,
    hours: [...weekly('2014-05-10', '2015-05-09', 28), ...weekly('2015-05-10', '2015-10-14', 45)],
    as_of: '2015-10-15',
    full_time: ['2016-01-01', '2016-06-30', '2016-12-31'],
    not: ['2015-07-01', '2015-12-31'],
  },
  {
    cite: '(d)(5) Example 9: initially full-time by a measurement of six months, and again by the standard one',
    policy: by_halves,
    positions: hired,
    hours: weekly('2014-05-10', '2015-05-14', 30),
    as_of: '2015-05-15',
    full_time: ['2015-01-01', '2015-06-30', '2015-07-01', '2015-12-31'],
    not: ['2014-12-31'],
  },
  {
    cite: '(d)(5) Example 10: initially full-time by a measurement of six months, not by the standard one',
    policy: by_halves,
    positions: hired,
    hours: [...weekly('2014-05-10', '2014-11-09', 30), ...weekly('2014-11-10', '2015-05-14', 28)],
    as_of: '2015-05-15',
    full_time: ['2015-01-01', '2015-06-30'],
    not: ['2015-07-01', '2015-12-31'],
  },
  {
    cite: '(d)(5) Example 11: a seasonal employee with 50 hours a week for one season',
    positions: [variable('2015-11-15', '2016-03-15')],
    hours: weekly('2015-11-15', '2016-03-15', 50),
    as_of: '2016-12-01',
    full_time: [],
    not: ['2015-11-15', '2016-03-15'],
  },
  {
    cite: '(d)(5) Example 15: a variable-hour employee with more hours at first',
    positions: [variable('2015-01-01')],
    hours: [...weekly('2015-01-01', '2015-03-31', 40), ...weekly('2015-04-01', '2015-12-31', 20)],
    as_of: '2016-01-01',
    full_time: [],
    not: ['2015-01-01', '2016-02-01'],
  },
  {
    cite: '(d)(5) Examples 12 to 14: a variable-hour temporary employee with gaps between assignments',
    positions: [variable('2015-01-01')],
    hours: [
      ...weekly('2015-01-01', '2015-04-30', 40),
      ...weekly('2015-06-01', '2015-08-31', 40),
      ...weekly('2015-10-01', '2015-12-31', 40),
    ],
    as_of: '2016-01-01',
    full_time: ['2016-02-01'],
    not: ['2015-06-01', '2016-01-31'],
  },
  {
    cite: '(d)(5) Examples 12 to 14: a temporary employee expected to be full-time',
    positions: [full_time('2015-01-01')],
    hours: weekly('2015-01-01', '2015-12-31', 40),
    as_of: '2016-01-01',
    full_time: ['2015-01-01', '2016-06-01'],
    not: [],
  },
  {
    cite: '(d)(3)(vii): promoted during the initial measurement, full-time from the fourth full month',
    positions: [variable('2014-05-10', '2014-09-14'), full_time('2014-09-15')],
    hours: [...weekly('2014-05-10', '2014-09-14', 25), ...weekly('2014-09-15', '2015-01-15', 40)],
    as_of: '2015-01-15',
    full_time: ['2015-01-01'],
    not: ['2014-12-31'],
  },
  {
    cite: '(d)(3)(vii): promoted late, full-time from the stability period of the initial measurement if earlier',
    positions: [variable('2014-05-10', '2015-04-19'), full_time('2015-04-20')],
    hours: weekly('2014-05-10', '2015-05-09', 35),
    as_of: '2015-05-10',
    full_time: ['2015-07-01'],
    not: ['2015-06-30'],
  },
  {
    cite: '(d)(1)(vii): a demotion of an ongoing employee changes nothing before the stability period ends',
    positions: [full_time('2010-03-01', '2016-02-29'), variable('2016-03-01')],
    hours: [...weekly('2014-10-15', '2015-10-14', 40), ...weekly('2015-10-15', '2016-10-14', 20)],
    as_of: '2016-10-15',
    full_time: ['2016-03-01', '2016-12-31'],
    not: ['2017-01-01'],
  },
  {
    cite: '(d)(5) Example 16: the time between the initial and the first standard stability period',
    positions: [variable('2014-11-01')],
    hours: [...weekly('2014-11-01', '2015-10-31', 35), ...weekly('2015-11-01', '2016-10-14', 10)],
    as_of: '2016-10-15',
    full_time: ['2015-12-01', '2016-12-31'],
    not: ['2017-01-01'],
  },
]

describe('54.4980H-3, look-back measurement method', () => {
  it.each(cases)('$cite', ({ policy, positions, hours, as_of, full_time, not }) => {
    const statuses = [...full_time, ...not].map((day) => [
      day,
      statusOn({ positions, hours }, { ...usual, ...policy }, day, as_of),
    ])
    expect(statuses).toEqual([...full_time.map((day) => [day, true]), ...not.map((day) => [day, false])])
  })

  it('(d)(5) Example 4: ends the administrative period after the thirteenth month', () => {
    const policy: MeasurementPolicy = { ...usual, initial_starts: 'first_of_month', initial_administrative_months: 2 }
    expect(initialPeriod(policy, '2014-05-10')).toMatchObject({
      measured: { starts_on: '2014-06-01', ends_on: '2015-05-31' },
      stability: { starts_on: '2015-07-01', ends_on: '2016-06-30' },
    })
  })

  it('(d)(3)(vi)(A): ends the administrative period within 90 days', () => {
    const policy: MeasurementPolicy = { ...usual, initial_months: 11, initial_administrative_months: 2 }
    // July 2 to September 30 are 91 days.
    expect(initialPeriod(policy, '2014-08-02').stability.starts_on).toBe('2015-09-01')
  })

  it('(d)(1)(ii): measures whole payroll periods', () => {
    const payroll = { pay_frequency: 'bi_weekly', first_pay_date: '2026-01-09' } as const
    const policy: MeasurementPolicy = { ...usual, standard_starts_on: '2026-01-01', administrative_months: 1, payroll }
    const [first, second] = [...take(2, standardPeriodsFrom(policy, '2026-01-01'))]
    expect(first!.measured).toEqual({ starts_on: '2025-12-27', ends_on: '2026-12-25' })
    expect(second!.measured.starts_on).toBe('2026-12-26')
  })
})

function* take<Item>(count: number, items: Generator<Item>): Generator<Item> {
  for (const item of items) {
    if (count-- === 0) return
    yield item
  }
}

describe('54.4980H-3(d)(6), absences', () => {
  const service = (away_from: Day, back_on: Day, policy: Partial<MeasurementPolicy> = {}) =>
    servicesOf(
      {
        positions: [variable('2015-01-01', addDays(away_from, -1)), variable(back_on)],
        hours: [],
      },
      { ...usual, ...policy },
    ).length

  it.each([
    ['(i)(A): 13 weeks make a new employee', '2015-08-01', '2015-10-31', {}, 2],
    ['(i)(A): a day less makes a continuing employee', '2015-08-01', '2015-10-30', {}, 1],
    ['(ii)(A): an educational organization needs 26 weeks', '2015-08-01', '2016-01-29', { educational: true }, 1],
    ['(ii)(A): 26 weeks make a new employee', '2015-08-01', '2016-01-30', { educational: true }, 2],
    ['(iv): six weeks of service and eight of absence', '2015-02-12', '2015-04-09', { parity: true }, 2],
    ['(iv): not without the rule of parity', '2015-02-12', '2015-04-09', {}, 1],
    ['(iv): an absence as long as the service', '2015-02-12', '2015-03-26', { parity: true }, 1],
    ['(iv): three weeks are too short', '2015-01-08', '2015-01-29', { parity: true }, 1],
  ] as const)('%s', (_, away_from, back_on, policy, services) => {
    expect(service(away_from, back_on, policy)).toBe(services)
  })

  it('(iii): a continuing employee keeps the status of the stability period', () => {
    const history = {
      positions: [variable('2010-01-01', '2016-02-29'), variable('2016-04-01')],
      hours: weekly('2014-10-15', '2016-02-29', 35),
    }
    expect(statusOn(history, usual, '2016-03-15', '2016-05-01')).toBeUndefined()
    expect(statusOn(history, usual, '2016-04-01', '2016-05-01')).toBe(true)
  })

  it('finds breaks in the hours of one employment', () => {
    const hours = [...weekly('2015-01-01', '2015-03-04', 30), ...weekly('2015-07-01', '2015-09-01', 30)]
    expect(servicesOf({ positions: [variable('2015-01-01')], hours }, usual)).toMatchObject([
      { starts_on: '2015-01-01', ends_on: '2015-03-04' },
      { starts_on: '2015-07-01' },
    ])
  })

  const year = { starts_on: '2015-01-01', ends_on: '2015-12-31' }

  it('(i)(B): excludes special unpaid leave', () => {
    const hours = [
      ...weekly('2015-01-01', '2015-06-30', 30),
      ...leave('special_unpaid_leave', '2015-07-01', '2015-12-31'),
    ]
    expect(averageOf(hours, year, false)).toMatchObject({ weekly_hundredths: 3000, is_full_time: true })
    expect(averageOf(weekly('2015-01-01', '2015-06-30', 30), year, false).is_full_time).toBe(false)
  })

  it('(ii)(B): excludes employment breaks of educational organizations', () => {
    const hours = [...weekly('2015-01-01', '2015-10-07', 38), ...leave('employment_break', '2015-10-08', '2015-12-30')]
    expect(averageOf(hours, year, true)).toMatchObject({ is_full_time: true })
    expect(averageOf(hours, year, false).is_full_time).toBe(false)
  })

  it('(ii)(B): credits at most 501 hours per calendar year for employment breaks', () => {
    // 26 weeks of 38 hours are 988 hours. With 501 more, the average of 52 weeks is 28.6.
    const hours = [...weekly('2015-01-01', '2015-07-01', 38), ...leave('employment_break', '2015-07-02', '2015-12-30')]
    const average = averageOf(hours, { ...year, ends_on: '2015-12-30' }, true)
    expect(average).toEqual({ hundredths: 98_800, weekly_hundredths: 2863, is_full_time: false })
  })

  it('54.4980H-1(a)(17): a break of less than four weeks is not an employment break period', () => {
    const hours = [...weekly('2015-01-01', '2015-12-03', 31), ...leave('employment_break', '2015-12-04', '2015-12-30')]
    expect(averageOf(hours, { ...year, ends_on: '2015-12-30' }, true).is_full_time).toBe(false)
  })
})

describe('54.4980H-3(c), monthly measurement method', () => {
  const statuses = (history: WorkHistory, policy: MeasurementPolicy, year: number, as_of: Day) =>
    monthlyStatuses(history, always(policy), year, as_of).map(({ status }) => status)

  it('(c)(1): 130 hours in the month', () => {
    const month = (hundredths: number): ServiceHours[] => [
      { starts_on: '2016-02-01', ends_on: '2016-02-29', kind: 'worked', hundredths },
    ]
    expect(isFullTimeMonth(month(13_000), '2016-02-01', false)).toBe(true)
    expect(isFullTimeMonth(month(12_999), '2016-02-01', false)).toBe(false)
  })

  it('(c)(2): does not assess the first three full months in an eligible position', () => {
    const history = {
      positions: [variable('2016-01-01', '2016-12-31'), full_time('2017-01-01')],
      hours: [...weekly('2016-01-01', '2016-12-31', 20), ...weekly('2017-01-01', '2017-12-31', 40)],
    }
    expect(new Set(statuses(history, monthly, 2016, '2018-01-01'))).toEqual(new Set(['part_time']))
    const year = statuses(history, monthly, 2017, '2018-01-01')
    expect(year.slice(0, 4)).toEqual([...Array(3).fill('limited_non_assessment'), 'full_time'])
    expect(new Set(year.slice(3))).toEqual(new Set(['full_time']))
  })

  it('(c)(3): 120 hours in four weeks and 150 hours in five', () => {
    // The five weeks of January 2016 are December 27 to January 30, the four of February end on February 27.
    const [five, four] = [weekly('2015-12-27', '2016-01-30', 30), weekly('2016-01-31', '2016-02-27', 30)]
    expect([five, four].map((rows) => rows.length)).toEqual([5, 4])
    expect(isFullTimeMonth(five, '2016-01-01', true)).toBe(true)
    expect(isFullTimeMonth(four, '2016-02-01', true)).toBe(true)
    expect(isFullTimeMonth(five.slice(1), '2016-01-01', true)).toBe(false)
    expect(isFullTimeMonth(weekly('2016-01-31', '2016-02-27', 29.9), '2016-02-01', true)).toBe(false)
  })
})

describe('54.4980H-1(a)(26), limited non-assessment periods', () => {
  const months = (positions: WorkPosition[], hours: ServiceHours[], policy = usual) =>
    monthlyStatuses({ positions, hours }, always(policy), 2015, '2016-01-01').map(
      ({ status, reason }) => `${status} ${reason}`,
    )

  it('covers the month of the start date and three full months of a new full-time employee', () => {
    expect(months([full_time('2015-02-10')], weekly('2015-02-10', '2015-12-31', 40))).toEqual([
      'not_employed not_employed',
      'limited_non_assessment start_month',
      ...Array(3).fill('limited_non_assessment first_three_months'),
      ...Array(7).fill('full_time monthly_hours'),
    ])
  })

  it('does not cover months that are part-time only because no hours are reported', () => {
    expect(months([variable('2010-03-01')], [])).toEqual(Array(12).fill('part_time hours_not_reported'))
    expect(months([full_time('2010-03-01')], [])).toEqual(Array(12).fill('full_time standard_measurement'))
  })

  it('covers an initial measurement period and its administrative period', () => {
    const policy = { ...usual, initial_months: 6, standard_months: 6, stability_months: 6, administrative_months: 1 }
    expect(months([variable('2015-02-10')], weekly('2015-02-10', '2015-12-31', 32), policy)).toEqual([
      'not_employed not_employed',
      'limited_non_assessment start_month',
      ...Array(7).fill('limited_non_assessment measuring'),
      ...Array(2).fill('full_time initial_measurement'),
      'full_time standard_measurement',
    ])
  })

  it('judges a new full-time employee by the hours of each month until the first standard measurement counts', () => {
    const hours = [...weekly('2015-01-01', '2015-06-30', 40), ...weekly('2015-07-01', '2015-12-31', 10)]
    const statuses = months([full_time('2015-01-01')], hours)
    expect(statuses.slice(3, 6)).toEqual(Array(3).fill('full_time monthly_hours'))
    expect(statuses.slice(6)).toEqual(Array(6).fill('part_time monthly_hours'))
  })
})
