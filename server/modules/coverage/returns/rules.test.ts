import { describe, expect, it } from 'vitest'
import { returnedElection } from './rules.ts'
import type { DependentFacts, ElectionFacts } from '../elections/rules.ts'

const election = (input: Partial<ElectionFacts>): ElectionFacts => ({
  effective_on: '-infinity',
  plan_id: 'silver',
  coverage_tier: 'EE',
  dependent_ids: [],
  premium_in_cents: 10_000,
  employer_contribution_in_cents: 5_000,
  employee_deduction_in_cents: 5_000,
  ...input,
})
const spouse: DependentFacts = {
  id: 'sam',
  relationship: 'spouse',
  date_of_birth: '1990-01-01',
  ended_on: null,
  covered_until: null,
}
const child: DependentFacts = { ...spouse, id: 'kim', relationship: 'child', date_of_birth: '2000-07-04' }
const family = election({ coverage_tier: 'EF', dependent_ids: ['sam', 'kim'] })
const back = (elections: ElectionFacts[], dependents: DependentFacts[] = [spouse, child]) =>
  returnedElection(elections, dependents, '2026-04-30', '2026-07-01')

describe('a resumed election', () => {
  it.each<[string, DependentFacts[], string, string[]]>([
    ['is the plan with all covered dependents', [spouse, child], 'EF', ['sam', 'kim']],
    [
      'omits ended dependents',
      [{ ...spouse, ended_on: '2026-05-01', covered_until: '2026-05-31' }, child],
      'EC',
      ['kim'],
    ],
    ['omits children over the age limit', [spouse, { ...child, covered_until: '2026-06-30' }], 'ES', ['sam']],
    [
      'keeps dependents who can be covered on the first day',
      [spouse, { ...child, covered_until: '2026-07-31' }],
      'EF',
      ['sam', 'kim'],
    ],
    ['adds no other dependents', [spouse, child, { ...child, id: 'new' }], 'EF', ['sam', 'kim']],
  ])('%s', (_, dependents, coverage_tier, dependent_ids) => {
    const step = { day: '2026-07-01', plan_id: 'silver', coverage_tier, dependent_ids }
    expect(back([family], dependents)?.step).toEqual(step)
  })

  it('is the election on the last day, not an upcoming one', () => {
    const later = election({ effective_on: '2026-04-01', plan_id: 'bronze' })
    const ahead = election({ effective_on: '2026-05-01', plan_id: 'gold' })
    expect(back([family, later, ahead])?.step.plan_id).toBe('bronze')
    expect(back([])).toBeUndefined()
  })

  it('contains the reported data about a bought plan', () => {
    expect(back([family])?.reported).toEqual({ individual_plan: undefined, bought_on_exchange: undefined })
    const own = election({ individual_plan_name: 'Own', bought_on_exchange: true, premium_in_cents: 42_000 })
    expect(back([own])?.reported).toEqual({
      individual_plan: { name: 'Own', premium_in_cents: 42_000 },
      bought_on_exchange: true,
    })
  })
})
