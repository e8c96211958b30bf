import { describe, expect, it } from 'vitest'
import type { DependentFacts, ElectionFacts } from '../elections/rules.ts'
import { dependentSteps, isFollowed } from './rules.ts'

const dependent = (
  id: string,
  relationship: DependentFacts['relationship'],
  covered_until: string | null,
): DependentFacts => ({ id, relationship, date_of_birth: '2000-05-20', ended_on: null, covered_until })

const made = (
  effective_on: string,
  coverage_tier: ElectionFacts['coverage_tier'],
  dependent_ids: string[],
  follows = false,
): ElectionFacts => ({
  effective_on,
  plan_id: 'plan',
  coverage_tier,
  dependent_ids,
  follows,
  employer_contribution_in_cents: 0,
  employee_deduction_in_cents: 0,
})

const wife = dependent('wife', 'spouse', null)
const may = dependent('may', 'child', '2026-05-31')
const july = dependent('july', 'child', '2026-07-31')
const little = dependent('little', 'child', null)

const follow = (elections: ElectionFacts[], dependents: DependentFacts[], today: string, tiers?: string[]) =>
  dependentSteps(
    { elections, dependents, coverage_start: '2026-01-01', coverage_end: null, plan_year_end: '2026-12-31' },
    ({ coverage_tier }) => !tiers || tiers.includes(coverage_tier),
    today,
  ).map((step) => [step.effective_on, step.coverage_tier, step.dependent_ids.join(' '), step.follows])

const start = '-infinity'

describe('the automatic changes of coverage when dependents lose it', () => {
  it.each([
    ['are empty on the last day', [made(start, 'EC', ['may'])], [may], '2026-05-31', []],
    [
      'leave only the employee covered',
      [made(start, 'EC', ['may'])],
      [may],
      '2026-06-01',
      [['2026-06-01', 'EE', '', true]],
    ],
    [
      'drop dependents one after the other, each on the day after their last day',
      [made(start, 'EF', ['july', 'may', 'wife'])],
      [july, may, wife],
      '2026-09-01',
      [
        ['2026-06-01', 'EF', 'july wife', true],
        ['2026-08-01', 'ES', 'wife', true],
      ],
    ],
    [
      'keep the other dependents',
      [made(start, 'EC', ['little', 'may'])],
      [little, may],
      '2026-06-01',
      [['2026-06-01', 'EC', 'little', true]],
    ],
    [
      'keep elections that were made without the dependents since',
      [made(start, 'EC', ['may']), made('2026-06-01', 'EE', [])],
      [may],
      '2026-06-01',
      [],
    ],
    [
      'end when the next election takes effect',
      [made(start, 'EC', ['may']), made('2026-08-01', 'ES', ['wife'])],
      [may, wife],
      '2026-09-01',
      [['2026-06-01', 'EE', '', true]],
    ],
    [
      'remove dependents from a future election',
      [made(start, 'ES', ['wife']), made('2026-08-01', 'EF', ['may', 'wife'])],
      [may, wife],
      '2026-06-15',
      [['2026-08-01', 'ES', 'wife', false]],
    ],
    [
      'remove dependents from the first election too, if they ended before coverage began',
      [made(start, 'EC', ['gone'])],
      [dependent('gone', 'child', '2025-11-30')],
      '2026-06-15',
      [[start, 'EE', '', false]],
    ],
    [
      'are reversed if the dependents did not end after all',
      [made(start, 'EC', ['little']), made('2026-06-01', 'EE', [], true)],
      [little],
      '2026-09-01',
      [],
    ],
  ] as const)('%s', (_, elections, dependents, today, steps) => {
    expect(follow([...elections], [...dependents], today)).toEqual(steps)
  })

  it('keep the coverage level if the one that fits is not offered', () => {
    expect(follow([made(start, 'EF', ['may', 'wife'])], [may, wife], '2026-06-01', ['EE', 'EF'])).toEqual([
      ['2026-06-01', 'EF', 'wife', true],
    ])
  })

  it('complete the elections, which are incomplete without them', () => {
    const first = made(start, 'EC', ['may'])
    const step = {
      effective_on: '2026-06-01',
      day: '2026-06-01',
      plan_id: 'plan',
      dependent_ids: [],
      removed_dependent_ids: [],
      follows: true,
    }
    const steps = [{ ...step, coverage_tier: 'EE' as const }]
    expect(isFollowed({ elections: [first] }, steps)).toBe(false)
    expect(isFollowed({ elections: [first, made('2026-06-01', 'EE', [], true)] }, steps)).toBe(true)
    expect(isFollowed({ elections: [first, made('2026-06-01', 'EE', [], true)] }, [])).toBe(false)
    expect(isFollowed({ elections: [first] }, [])).toBe(true)
  })
})
