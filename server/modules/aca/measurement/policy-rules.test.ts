import { describe, expect, it } from 'vitest'
import type { Day } from '../../../kernel/days.ts'
import { policiesOf, type StoredPolicy, type Worksite, withDefaults } from './policy-rules.ts'

describe('the policy for a category', () => {
  const a_policy = (category: Partial<StoredPolicy>) => withDefaults({ method: 'monthly', ...category })
  const policies = {
    rest: a_policy({}),
    hourly: a_policy({ compensation_type: 'Hourly' }),
    texas: a_policy({ state: 'TX' }),
    texas_hourly: a_policy({ state: 'TX', compensation_type: 'Hourly' }),
    outside: a_policy({ is_collectively_bargained: false }),
    bargained: a_policy({ is_collectively_bargained: true }),
    local_12: a_policy({ bargaining_unit: 'Local 12' }),
    local_12_texas: a_policy({ bargaining_unit: 'Local 12', state: 'TX' }),
  }
  type Name = keyof typeof policies
  const nameOf = (found: StoredPolicy) => Object.entries(policies).find(([, policy]) => policy === found)![0]

  it.each<[unit: string | null, type: string | null, state: string | null, among: Name[], expected: Name]>([
    ['Local 12', 'Hourly', 'TX', ['rest', 'texas_hourly', 'bargained', 'local_12', 'local_12_texas'], 'local_12_texas'],
    ['Local 12', 'Hourly', 'OH', ['rest', 'texas_hourly', 'bargained', 'local_12', 'local_12_texas'], 'local_12'],
    ['Local 9', 'Hourly', 'TX', ['rest', 'texas_hourly', 'bargained', 'local_12'], 'bargained'],
    ['Local 9', 'Hourly', 'TX', ['rest', 'texas_hourly', 'outside', 'local_12'], 'texas_hourly'],
    [null, 'Hourly', 'TX', ['rest', 'texas_hourly', 'outside', 'bargained'], 'outside'],
    [null, 'Hourly', 'TX', ['hourly', 'texas', 'rest'], 'texas'],
    [null, null, null, ['rest', 'hourly', 'texas', 'bargained'], 'rest'],
    ['local 12', 'Hourly', null, ['rest', 'local_12'], 'rest'],
  ])('in unit %s, with type %s in state %s, among %j, is %s', (unit, type, state, among, expected) => {
    const found = policiesOf({
      policies: among.map((name) => policies[name]),
      compensations: type ? [['-infinity', type]] : [],
      units: unit ? [['-infinity', unit]] : [],
      worksites: [],
      state,
      former_states: [],
    })
    expect(found.map(({ stored }) => nameOf(stored))).toEqual([expected])
  })

  it('is the latest policy in effect if the employer changed its periods', () => {
    const summers = a_policy({ effective_on: '2026-05-01' })
    const hourly_from_june = a_policy({ compensation_type: 'Hourly', effective_on: '2026-06-01' })
    const found = policiesOf({
      policies: [hourly_from_june, summers, policies.rest],
      compensations: [['-infinity', 'Hourly']],
      units: [],
      worksites: [],
      state: null,
      former_states: [],
    })
    expect(found).toEqual([
      { from_on: '-infinity', stored: policies.rest },
      { from_on: '2026-05-01', stored: summers },
      { from_on: '2026-06-01', stored: hourly_from_june },
    ])
  })

  it('follows the unit from day to day, and a day in no unit', () => {
    const units: [Day, string | null][] = [
      ['2026-03-01', null],
      ['2025-01-01', 'Local 12'],
      ['2026-01-01', 'Local 9'],
    ]
    const { outside, bargained, local_12 } = policies
    const found = policiesOf({
      policies: [outside, bargained, local_12],
      compensations: [],
      units,
      worksites: [],
      state: null,
      former_states: [],
    })
    expect(found.map(({ from_on, stored }) => [from_on, nameOf(stored)])).toEqual([
      ['0001-01-01', 'outside'],
      ['2025-01-01', 'local_12'],
      ['2026-01-01', 'bargained'],
      ['2026-03-01', 'outside'],
    ])
  })

  it.each<[why: string, home: string | null, worksites: Worksite[], expected: [Day, Name][]]>([
    ['without an assignment is by residence', 'TX', [], [['0001-01-01', 'texas']]],
    ['is by the worksite, not the residence', 'OH', [['0001-01-01', 'TX', null]], [['0001-01-01', 'texas']]],
    [
      'is by residence before the first assignment',
      'TX',
      [['2026-03-01', 'OH', null]],
      [
        ['0001-01-01', 'texas'],
        ['2026-03-01', 'rest'],
      ],
    ],
    [
      'follows the assignments, in any order',
      null,
      [
        ['2026-05-01', 'OH', null],
        ['2026-03-01', 'TX', '2026-03-31'],
        ['2026-04-01', 'TX', null],
      ],
      [
        ['0001-01-01', 'rest'],
        ['2026-03-01', 'texas'],
        ['2026-05-01', 'rest'],
      ],
    ],
    [
      'is by the later one of two assignments of a day',
      null,
      [
        ['2026-03-01', 'OH', null],
        ['2026-03-01', 'TX', null],
      ],
      [
        ['0001-01-01', 'rest'],
        ['2026-03-01', 'texas'],
      ],
    ],
    [
      'is by the former worksite after a shorter assignment within an assignment',
      null,
      [
        ['2026-03-01', 'TX', null],
        ['2026-05-01', 'OH', '2026-06-30'],
      ],
      [
        ['0001-01-01', 'rest'],
        ['2026-03-01', 'texas'],
        ['2026-05-01', 'rest'],
        ['2026-07-01', 'texas'],
      ],
    ],
    [
      'is by the last worksite between assignments',
      null,
      [['2026-03-01', 'TX', '2026-04-30']],
      [
        ['0001-01-01', 'rest'],
        ['2026-03-01', 'texas'],
      ],
    ],
  ])('of a state %s', (_, state, worksites, expected) => {
    const found = policiesOf({
      policies: [policies.texas, policies.rest],
      compensations: [],
      units: [],
      worksites,
      state,
      former_states: [],
    })
    expect(found.map(({ from_on, stored }) => [from_on, nameOf(stored)])).toEqual(expected)
  })

  it('of a state is by the residence of each day, and after the first assignment by the worksite', () => {
    const moved: Parameters<typeof policiesOf>[0]['former_states'] = [
      ['2026-05-01', 'TX'],
      ['2026-02-01', 'OH'],
    ]
    const worksites: Worksite[] = [['2026-06-01', 'TX', null]]
    const of_both = [policies.texas, policies.rest]
    const facts = { policies: of_both, compensations: [], units: [], worksites, state: 'OH', former_states: moved }
    expect(policiesOf(facts).map(({ from_on, stored }) => `${from_on} ${nameOf(stored)}`)).toEqual([
      '0001-01-01 rest',
      '2026-02-01 texas',
      '2026-05-01 rest',
      '2026-06-01 texas',
    ])
  })
})
