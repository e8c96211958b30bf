import { describe, expect, it } from 'vitest'
import { AnyLifeEventType } from '../life-events/schemas.ts'
import type { AreaRate } from '../../directory/ichra/rules.ts'
import {
  changes_by_event,
  changesAllowedBy,
  coveredFamily,
  canDropDependents,
  withPersonalPrices,
  type ApprovedEvent,
  type LifeEventKind,
  type PersonalFacts,
} from './rules.ts'

const after = (type: LifeEventKind, exception = false): ApprovedEvent => ({ type, exception })
const family = {
  wife: { relationship: 'spouse' },
  partner: { relationship: 'domestic_partner' },
  son: { relationship: 'child' },
} as const

it('the table has a row for every life event', () => {
  expect(Object.keys(changes_by_event).toSorted()).toEqual(AnyLifeEventType.options.toSorted())
})

describe('a life event allows', () => {
  const [yes, no] = [true, false]
  it.each<[LifeEventKind, add: boolean, drop: string, change_plan: boolean, waive: boolean]>([
    ['birth', yes, '', yes, no],
    ['adoption', yes, '', yes, no],
    ['placement', yes, '', yes, no],
    ['marriage', yes, '', yes, yes],
    ['loss_of_coverage', yes, '', yes, no],
    ['gain_of_coverage', no, 'spouse domestic_partner child', no, yes],
    ['divorce', no, 'spouse domestic_partner', no, no],
    ['death_of_dependent', no, 'spouse domestic_partner child', no, no],
    ['dependent_coverage_ended', no, '', no, no],
    ['change_of_residence', no, '', yes, no],
    ['change_of_employment', yes, 'spouse domestic_partner child', yes, yes],
    ['other', yes, 'spouse domestic_partner child', yes, yes],
  ])('%s: adding %s, dropping %j, another plan %s, waiving %s', (type, add, drop, change_plan, waive) => {
    const allowed = changesAllowedBy([after(type)])
    expect({ ...allowed, drop: allowed.drop.join(' ') }).toEqual({ add, drop, change_plan, waive })
  })

  it('every change if the operator granted an exception', () => {
    expect(changesAllowedBy([after('birth', true)])).toEqual(changes_by_event.other)
    expect(canDropDependents(Object.values(family), [after('death_of_dependent', true)])).toBe(true)
  })

  it('the changes that one of several open events allows', () => {
    const allowed = changesAllowedBy([after('birth'), after('divorce')])
    expect(allowed).toEqual({ add: true, drop: ['spouse', 'domestic_partner'], change_plan: true, waive: false })
  })
})

describe('dependents can be dropped', () => {
  const { wife, partner, son } = family
  it.each<[string, (typeof family)[keyof typeof family][], LifeEventKind[], boolean]>([
    ['the spouse after a divorce', [wife], ['divorce'], true],
    ['a domestic partner after a divorce', [partner], ['divorce'], true],
    ['no child after a divorce', [wife, son], ['divorce'], false],
    ['one dependent after a death', [son], ['death_of_dependent'], true],
    ['not two', [wife, son], ['death_of_dependent'], false],
    ['two dependents after two deaths', [wife, son], ['death_of_dependent', 'death_of_dependent'], true],
    ['a child who died, and the spouse because of the divorce', [wife, son], ['death_of_dependent', 'divorce'], true],
    ['all dependents who gained coverage', [wife, son], ['gain_of_coverage'], true],
    ['no dependent after a birth', [son], ['birth'], false],
    ['no dependent without an event', [son], [], false],
  ])('%s', (_, dropped, events, expected) =>
    expect(
      canDropDependents(
        dropped,
        events.map((type) => after(type)),
      ),
    ).toBe(expected),
  )
})

const by_age: AreaRate[] = [
  { coverage_tier: null, min_age: 0, max_age: 20, premium_in_cents: 10_000 },
  { coverage_tier: null, min_age: 21, max_age: 39, premium_in_cents: 30_000 },
  { coverage_tier: null, min_age: 40, max_age: null, premium_in_cents: 50_000 },
]
const anyone = { employee_class: null, min_age: null, max_age: null, state: null, coverage_tier: null }
const born = (relationship: string, date_of_birth: string, input: object = {}) => ({
  relationship,
  date_of_birth,
  ended_on: null,
  covered_until: null,
  ...input,
})
const child = born('child', '2015-05-05')
const spouse = born('spouse', '1985-05-05')

const facts: PersonalFacts = {
  answer: null,
  coverage_start: '2026-04-01',
  plan_year_end: '2026-12-31',
  contribution_strategy: {
    contribution_tiers: [],
    ichra_contribution_classes: [
      { ...anyone, name: 'Older', min_age: 40, allowance_in_cents: 45_000 },
      { ...anyone, name: 'All', allowance_in_cents: 20_000 },
    ],
  },
  date_of_birth: '1986-06-01',
  state: 'TX',
  classes: [],
  dependents: [],
  plans: [{ id: 'pln_1', pricing: 'area', rates: by_age, tiers: [] }],
}
const tier = (coverage_tier: 'EE' | 'ES' | 'EC' | 'EF') => ({
  coverage_tier,
  premium_in_cents: 77_700,
  employer_contribution_in_cents: 0,
  employee_deduction_in_cents: 0,
})
const plans = [{ id: 'pln_1', tiers: [tier('EE'), tier('ES'), tier('EC'), tier('EF')] }]
type Plan = PersonalFacts['plans'][number]
/** The monthly amounts of each tier. */
const shown = (input: Partial<PersonalFacts>, plan: Partial<Plan> = {}, today = '2026-03-10') =>
  withPersonalPrices(plans, { ...facts, ...input, plans: [{ ...facts.plans[0]!, ...plan }] }, today).map(({ tiers }) =>
    tiers.map((one) => [
      one.coverage_tier,
      one.premium_in_cents,
      one.employer_contribution_in_cents,
      one.employee_deduction_in_cents,
    ]),
  )

describe('the cost for an employee', () => {
  it('is shown for each coverage level with a known family', () =>
    expect(shown({ dependents: [child, spouse] })).toEqual([
      [
        ['EE', 30_000, 20_000, 10_000],
        ['ES', 80_000, 20_000, 60_000],
        ['EC', 40_000, 20_000, 20_000],
        ['EF', 90_000, 20_000, 70_000],
      ],
    ]))

  it('is unknown for an unknown family, and the allowance is the maximum', () =>
    expect(shown({ dependents: [child] })[0]).toEqual([
      ['EE', 30_000, 20_000, 10_000],
      ['ES', null, 20_000, null],
      ['EC', 40_000, 20_000, 20_000],
      ['EF', null, 20_000, null],
    ]))

  it('uses the age at the start for the premium, and the age at the election for the allowance', () => {
    const [[enrolled]] = shown({ answer: 'enrolled' }, {}, '2026-06-20') as [unknown[][]]
    expect(enrolled).toEqual(['EE', 30_000, 30_000, 0])
  })

  it('falls back to the premium of the coverage level if the area has no rate, and otherwise omits the plan', () => {
    expect(shown({}, { rates: null, tiers: ['EE'] })).toEqual([[['EE', 77_700, 20_000, 57_700]]])
    expect(shown({}, { rates: null })).toEqual([])
    expect(shown({}, { rates: by_age.slice(2) })).toEqual([])
  })

  it('is the allowance for a plan that the employee buys', () =>
    expect(shown({}, { pricing: 'reported', rates: null })[0]![0]).toEqual(['EE', null, 20_000, 0]))
})

describe('the family of a coverage level', () => {
  it.each([
    ['no dependents for the employee only', 'EE', [child], []],
    ['a domestic partner as a spouse', 'ES', [born('domestic_partner', '1985-05-05')], [0]],
    [
      'no spouse after the marriage has ended',
      'ES',
      [born('spouse', '1985-05-05', { ended_on: '2026-01-01' })],
      undefined,
    ],
    ['no child over the age limit', 'EC', [born('child', '2000-03-03', { covered_until: '2026-03-31' })], undefined],
    ['no child born later', 'EC', [born('child', '2026-04-02')], undefined],
    ['all children', 'EC', [child, spouse, child], [0, 2]],
  ] as const)('has %s', (_, coverage_tier, dependents, at) =>
    expect(coveredFamily(coverage_tier, [...dependents], '2026-04-01')).toEqual(
      at?.map((position) => dependents[position]!),
    ),
  )
})
