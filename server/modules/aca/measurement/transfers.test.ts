import { describe, expect, it } from 'vitest'
import type { Day } from '../../../kernel/days.ts'
import { full_time, monthly, usual, variable, weekly } from '../../../test/models/work-histories.ts'
import type { ServiceHours } from './hour-rules.ts'
import { monthlyStatuses } from './month-rules.ts'
import type { MeasurementPolicy } from './period-rules.ts'
import { policiesOf, withDefaults } from './policy-rules.ts'
import type { WorkPosition } from './status-rules.ts'
import { measureTransfers } from './transfer-rules.ts'

/** Measures from July to June, with stability periods from September. */
const by_summers: MeasurementPolicy = { ...usual, standard_starts_on: '2014-07-01' }

/**
 * 54.4980H-3(f)(1), changes between the look-back and the monthly measurement method, and Notice 2014-49, changes
 * between look-back policies. The text of (f) and its examples were not available; these cases follow the preamble of
 * T.D. 9655 (VII) and commentary, and so have no numbers. The special rule of (f)(2), for employees to whom coverage
 * of minimum value was offered continuously, is a choice of the employer and not modeled.
 */
type Case = {
  cite: string
  policies: [before: MeasurementPolicy, after: MeasurementPolicy]
  hours: ServiceHours[]
  full_time: Day[]
  not: Day[]
}

/** Each person started in 2013, and the position changed on July 1, 2016. */
const changed_on = '2016-07-01'
const full_before = weekly('2014-10-15', '2016-06-30', 38)
const short_before = weekly('2014-10-15', '2016-06-30', 20)

const cases: Case[] = [
  {
    cite: 'to monthly: full-time status lasts until the stability period ends, regardless of the hours',
    policies: [usual, monthly],
    hours: [...full_before, ...weekly('2016-07-01', '2018-06-30', 5)],
    full_time: ['2016-06-30', '2016-07-01', '2016-12-31'],
    not: ['2017-01-01', '2017-12-31', '2018-01-01'],
  },
  {
    cite: 'to monthly: the measurement during which the change occurred also decides its stability period',
    policies: [usual, monthly],
    hours: [...full_before, ...weekly('2016-07-01', '2018-06-30', 25)],
    full_time: ['2016-12-31', '2017-01-01', '2017-12-31'],
    not: ['2018-01-01', '2018-06-30'],
  },
  {
    cite: 'to monthly: the hours of a month can make a person full-time who was not at the change',
    policies: [usual, monthly],
    hours: [...short_before, ...weekly('2016-07-01', '2018-06-30', 40)],
    full_time: ['2016-07-01', '2016-12-31', '2017-06-01', '2018-06-01'],
    not: ['2016-01-01', '2016-06-30'],
  },
  {
    cite: 'to look-back: hours before the change count, as if the look-back method had always applied',
    policies: [monthly, usual],
    hours: [...full_before, ...weekly('2016-07-01', '2018-06-30', 5)],
    full_time: ['2016-06-01', '2016-07-01', '2016-12-31'],
    not: ['2017-01-01', '2018-06-30'],
  },
  {
    cite: 'to look-back: months count until the stability period of the measurement during which it changed ends',
    policies: [monthly, usual],
    hours: [
      ...short_before,
      ...weekly('2016-07-01', '2016-10-14', 40),
      ...weekly('2016-10-15', '2017-10-14', 20),
      ...weekly('2017-10-15', '2018-10-14', 40),
    ],
    full_time: ['2016-07-01', '2016-09-30', '2017-12-01'],
    not: ['2016-06-30', '2017-01-01', '2017-06-01', '2018-01-01', '2018-06-01'],
  },
  {
    cite: 'Notice 2014-49: the stability period of the former position ends first, then the new policy decides',
    policies: [usual, by_summers],
    hours: [...weekly('2014-10-15', '2015-10-14', 10), ...weekly('2015-10-15', '2018-06-30', 40)],
    full_time: ['2017-01-01', '2017-12-31'],
    not: ['2016-06-30', '2016-09-01', '2016-12-31'],
  },
]

describe('a change of position with another policy', () => {
  const termsOf = ([before, after]: Case['policies']) => [
    { from_on: '2013-03-01', policy: before },
    { from_on: changed_on, policy: after },
  ]

  it.each(cases)('$cite', ({ policies, hours, ...expected }) => {
    const history = { positions: [variable('2013-03-01')], hours }
    const { statuses } = measureTransfers(history, termsOf(policies), '2018-11-01')
    const isFullTimeOn = (day: Day) =>
      statuses.find(({ starts_on, ends_on }) => starts_on <= day && (ends_on ?? day) >= day)?.is_full_time
    expect(expected.full_time.map((day) => [day, isFullTimeOn(day)])).toEqual(
      expected.full_time.map((day) => [day, true]),
    )
    expect(expected.not.map((day) => [day, isFullTimeOn(day)])).toEqual(expected.not.map((day) => [day, false]))
  })

  it('covers each day of employment once, without a gap', () => {
    for (const { policies, hours } of cases) {
      const history = { positions: [variable('2013-03-01')], hours }
      const { statuses } = measureTransfers(history, termsOf(policies), '2018-11-01')
      const bounds = statuses.slice(1).map(({ starts_on }, index) => [statuses[index]!.ends_on, starts_on])
      expect(bounds.filter(([end, start]) => Date.parse(start!) - Date.parse(end!) !== 86_400_000)).toEqual([])
      expect([statuses[0]!.starts_on, statuses.at(-1)!.ends_on]).toEqual(['2013-03-01', null])
    }
  })

  it('applies the method of each month on Form 1095-C', () => {
    const history = {
      positions: [variable('2013-03-01', '2016-06-30'), full_time('2016-07-01')],
      hours: [...short_before, ...weekly('2016-07-01', '2017-12-31', 40)],
    }
    const months = monthlyStatuses(history, termsOf([usual, monthly]), 2016, '2018-01-01')
    expect(months.map(({ status }) => status)).toEqual([
      ...Array(6).fill('part_time'),
      ...Array(3).fill('limited_non_assessment'),
      ...Array(3).fill('full_time'),
    ])
  })
})

describe('the end of a status after a change of method', () => {
  const by_weeks = { ...monthly, by_weeks: true }
  const short_after = weekly('2016-07-01', '2016-12-31', 5)
  /** The status on a day, and its last day, as known on another day. Null is not known yet. */
  type EndCase = {
    why: string
    policies: MeasurementPolicy[]
    hours?: ServiceHours[]
    positions?: WorkPosition[]
    as_of: Day
    on: Day
    expected: [is_full_time: boolean, ends_on: Day | null]
  }

  it.each<EndCase>([
    {
      why: 'to monthly: an unfinished measurement decides what follows the stability period',
      policies: [usual, monthly],
      as_of: '2016-10-14',
      on: '2016-08-15',
      expected: [true, null],
    },
    {
      why: 'to monthly: a finished measurement decides its stability period',
      policies: [usual, monthly],
      as_of: '2016-10-15',
      on: '2016-08-15',
      expected: [true, '2016-12-31'],
    },
    {
      why: 'to monthly: the month after that stability period is not decided yet',
      policies: [usual, monthly],
      hours: [...full_before, ...weekly('2016-07-01', '2016-12-31', 25)],
      as_of: '2017-01-01',
      on: '2017-03-01',
      expected: [true, '2017-12-31'],
    },
    {
      why: 'to monthly: full-time hours of a month end with it',
      policies: [usual, monthly],
      hours: [...short_before, ...weekly('2016-07-01', '2016-07-31', 40)],
      as_of: '2016-08-15',
      on: '2016-07-15',
      expected: [true, '2016-07-31'],
    },
    {
      why: 'to monthly: a later month follows the look-back method',
      policies: [usual, monthly],
      hours: [...short_before, ...weekly('2016-07-01', '2016-07-31', 40)],
      as_of: '2016-08-15',
      on: '2016-08-15',
      expected: [false, null],
    },
    {
      why: 'to monthly: the employment ends before the measurement decides',
      policies: [usual, monthly],
      positions: [variable('2013-03-01', '2017-02-28')],
      as_of: '2016-08-15',
      on: '2016-08-15',
      expected: [true, '2017-02-28'],
    },
    {
      why: 'to monthly: an initial measurement continues',
      policies: [usual, monthly],
      positions: [variable('2016-02-10')],
      hours: weekly('2016-02-10', '2016-07-31', 20),
      as_of: '2016-08-15',
      on: '2016-08-15',
      expected: [false, null],
    },
    {
      why: 'to look-back: the unfinished measurement decides',
      policies: [monthly, usual],
      as_of: '2016-08-15',
      on: '2016-08-15',
      expected: [true, null],
    },
    {
      why: 'to look-back: the finished measurement decides until the next one does',
      policies: [monthly, usual],
      hours: [...full_before, ...weekly('2016-07-01', '2016-12-31', 25)],
      as_of: '2016-11-01',
      on: '2017-03-01',
      expected: [true, null],
    },
    {
      why: 'to monthly, then by weeks: the stability period still runs to its end',
      policies: [usual, monthly, by_weeks],
      as_of: '2017-01-01',
      on: '2016-12-01',
      expected: [true, '2016-12-31'],
    },
    {
      why: 'to monthly, then by weeks: the unfinished measurement still decides',
      policies: [usual, monthly, by_weeks],
      as_of: '2016-10-10',
      on: '2016-10-10',
      expected: [true, null],
    },
  ])('$why', ({ policies, hours = [...full_before, ...short_after], positions, as_of, on, expected }) => {
    const days: Day[] = ['2013-03-01', changed_on, '2016-09-01']
    const terms = policies.map((policy, at) => ({ from_on: days[at]!, policy }))
    const history = { positions: positions ?? [variable('2013-03-01')], hours }
    // Adjacent days with the same result and reason are one status of an employee.
    const statuses = measureTransfers(history, terms, as_of).statuses.filter(({ ends_on }) => (ends_on ?? on) >= on)
    const kinds = statuses.map(({ is_full_time, reason }) => `${is_full_time} ${reason}`)
    const same = kinds.findIndex((kind) => kind !== kinds[0])
    expect([statuses[0]!.is_full_time, statuses.at(same < 0 ? -1 : same - 1)!.ends_on]).toEqual(expected)
  })
})

describe('the policies of an employee whose compensation type changed', () => {
  const hourly = withDefaults({ method: 'look_back', standard_starts_on: '2024-10-15', compensation_type: 'Hourly' })
  const methodsOf = (...compensations: [from_on: Day, compensation_type: string][]) =>
    policiesOf({ policies: [hourly], compensations, units: [], worksites: [], state: 'TX', former_states: [] }).map(
      ({ from_on, stored }) => [from_on, stored.method],
    )

  it('measure by month in a category without a policy, after one with a policy', () => {
    expect(methodsOf(['2024-01-01', 'Hourly'], ['2025-01-01', 'Salary'])).toEqual([
      ['0001-01-01', 'look_back'],
      ['2025-01-01', 'monthly'],
    ])
    expect(methodsOf(['2024-01-01', 'Salary'], ['2025-01-01', 'Hourly'])).toEqual([['2025-01-01', 'look_back']])
    expect(methodsOf(['2024-01-01', 'Salary'])).toEqual([])
  })
})
