import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { ChoicesByDay } from '../../../test/models/coverage-model.ts'
import { whyNotAnswer, electionDays, stepsOf } from './window-rules.ts'
import type { DependentFacts, ElectionFacts, EnrollmentFacts } from './rules.ts'

const granted: EnrollmentFacts = {
  id: 'enrl_1',
  organization_id: 'org_1',
  employee_id: 'empl_1',
  answer: null,
  granted_on: '2026-03-10',
  window_ends_on: '2026-04-09',
  coverage_start: '2026-03-20',
  coverage_end: null,
  inactive_on: null,
  terminated_at: null,
  open_enrollment_start: null,
  open_enrollment_end: null,
  plan_year_start: '2026-01-01',
  plan_year_end: '2026-12-31',
  product_code: 'MEC',
  contributions: [],
  elections: [],
  life_events: [],
  dependents: [],
  classes: [],
  date_of_birth: '1990-01-01',
  state: 'NY',
}

const person = (id: string, relationship: DependentFacts['relationship'], date_of_birth: Day): DependentFacts => ({
  id,
  relationship,
  date_of_birth,
  ended_on: null,
  covered_until: null,
})

const actions = fc.array(
  fc.record({
    days_later: fc.nat(25),
    event: fc.constantFrom('birth', 'placement', 'change_of_residence', null),
    days_past: fc.nat(60),
    plan_id: fc.constantFrom('silver', 'silver', 'bronze'),
    family: fc.nat(1023),
  }),
  { minLength: 1, maxLength: 12 },
)
const starts = fc.constantFrom('2026-03-10', '2026-03-20', '2026-04-01', '2026-05-09')

/**
 * Checks that the steps of elections result in the coverage that the model has for each day, whatever happened before.
 */
const agrees = (coverage_start: Day, story: typeof actions extends fc.Arbitrary<infer T> ? T : never): void => {
  const model = new ChoicesByDay()
  const facts = { ...granted, coverage_start }
  let today = '2026-03-10'
  const family = [person('ida', 'spouse', '1990-01-01'), person('ann', 'child', '2015-01-01')]
  for (const [at, { days_later, event, days_past, plan_id, family: chosen }] of story.entries()) {
    today = addDays(today, days_later)
    if (event) {
      const occurred_on = addDays(today, -days_past)
      facts.life_events = [...facts.life_events, { type: event, occurred_on, start: today, end: addDays(today, 30) }]
      if (event === 'birth') family.push(person(`baby ${at}`, 'child', occurred_on))
    }
    if (whyNotAnswer(facts, today)) continue
    const covered = family.filter((_, nth) => (chosen >> nth) % 2 === 1)
    // The model does not cover children born after its last day.
    const days = electionDays(facts, today)
    const born_by = [...days.arrivals, days.day, days.next_month ?? days.day].sort().at(-1)!
    if (covered.some(({ date_of_birth }) => date_of_birth > born_by)) continue
    const arrivals = facts.life_events
      .filter(
        ({ type, occurred_on, end }) =>
          type !== 'change_of_residence' && today <= end && today <= addDays(occurred_on, 30),
      )
      .map(({ occurred_on }) => occurred_on)
    const enrolled = facts.answer === 'enrolled'
    const joins = days.next_month !== undefined
    const regular = today <= facts.window_ends_on
    const was = { enrolled, coverage_start: facts.coverage_start, regular, arrivals, joins }
    model.elect('enrl_1', was, plan_id, covered, today)

    const steps = stepsOf({ ...facts, dependents: family }, { plan_id, covered }, days)
    const start = enrolled ? facts.coverage_start : steps[0]!.day
    const rows = steps.map(({ day, ...choice }) => ({ ...choice, effective_on: day <= start ? '-infinity' : day }))
    const kept = facts.elections.filter(({ effective_on }) => effective_on < rows[0]!.effective_on)
    Object.assign(facts, { answer: 'enrolled', coverage_start: start, elections: [...kept, ...rows] })
  }
  if (facts.answer === null) return
  for (let day = facts.coverage_start; day <= facts.plan_year_end; day = addDays(day, 1)) {
    const { plan_id, coverage_tier, dependent_ids } = facts.elections.findLast((one) => one.effective_on <= day)!
    expect([plan_id, coverage_tier, ...dependent_ids.sort()].join(' '), day).toBe(model.on('enrl_1', day))
  }
}

describe('elections in any order, in any window', () => {
  it('apply on each day as the rules require for that day alone', () => {
    fc.assert(fc.property(starts, actions, agrees), { numRuns: 200 })
  })
})

const month_ends = fc.constantFrom(null, '2026-04-30', '2026-05-31', '2026-06-30')
const families = fc.record({
  wife: fc.constantFrom('2026-04-30', '2026-05-31', '2026-06-30'),
  teen: month_ends,
  present: fc.constantFrom(['wife'], ['wife', 'teen'], ['teen'], []),
  chosen: fc.nat(7),
  born_on: fc.constantFrom('2026-04-25', '2026-05-05', '2026-05-31', '2026-06-01'),
})
const tiers: Record<string, string> = { '': 'EE', spouse: 'ES', child: 'EC', 'child,spouse': 'EF' }

describe('the steps of an election in the window of a life event', () => {
  it('add no dependent in the next month if coverage begins later than that', () => {
    const covered = [person('ida', 'spouse', '1990-01-01')]
    const days = { arrivals: [], day: '2027-01-01', next_month: '2026-12-01' }
    expect(stepsOf({ elections: [], dependents: covered }, { plan_id: 'silver', covered }, days)).toEqual([
      { day: '2027-01-01', plan_id: 'silver', coverage_tier: 'ES', dependent_ids: ['ida'] },
    ])
  })
})

describe('the steps of an election after a birth', () => {
  it('cover the eligible dependents on each day with the right coverage level, and never repeat a change', () => {
    const test = fc.property(families, ({ wife, teen, present, chosen, born_on }) => {
      const family = [
        { ...person('wife', 'spouse', '1990-01-01'), ended_on: wife, covered_until: wife },
        { ...person('teen', 'child', '2000-05-01'), covered_until: teen },
        { ...person('next', 'spouse', '1990-01-01') },
        { ...person('baby', 'child', born_on) },
      ]
      const day = '2026-07-01'
      const able = family.slice(1).filter(({ covered_until }) => (covered_until ?? day) >= day)
      const covered = able.filter(({ id }, nth) => id === 'baby' || (chosen >> nth) % 2 === 1)
      const held: ElectionFacts = {
        effective_on: '-infinity',
        plan_id: 'silver',
        coverage_tier: 'EF',
        dependent_ids: [...present],
        employer_contribution_in_cents: 0,
        employee_deduction_in_cents: 0,
      }
      const facts = { elections: [held], dependents: family }
      const steps = stepsOf(facts, { plan_id: 'silver', covered }, { arrivals: [born_on], day })
      expect(steps[0]!.day).toBe(born_on)
      for (let on: Day = born_on; on <= day; on = addDays(on, 1)) {
        const ids = [...(on < day ? present : []), ...covered.map(({ id }) => id)]
        const people = family.filter(({ id, covered_until }) => ids.includes(id) && (covered_until ?? on) >= on)
        const kinds = [...new Set(people.map(({ relationship }) => relationship))].sort().join()
        const step = steps.findLast((one) => one.day <= on)!
        expect([step.coverage_tier, ...step.dependent_ids], on).toEqual([tiers[kinds], ...people.map(({ id }) => id)])
      }
      const input = steps.map(({ coverage_tier, dependent_ids }) => [coverage_tier, ...dependent_ids].join(' '))
      expect(input.filter((text, at) => text === input[at - 1])).toEqual([])
    })
    fc.assert(test, { numRuns: 300 })
  })
})
