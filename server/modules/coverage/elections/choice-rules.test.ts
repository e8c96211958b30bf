import { describe, expect, it } from 'vitest'
import {
  electionDaysAmongRivals,
  replacedChoices,
  isFirstDayFixed,
  nextChoice,
  whyNotExtendOverRival,
  withoutSuccessor,
  type Rival,
} from './choice-rules.ts'
import type { EnrollmentFacts } from './rules.ts'

/** Major Medical, granted with the year 2026. The other benefit of its group is Essential Care. */
const granted: EnrollmentFacts = {
  id: 'enrl_1',
  organization_id: 'org_1',
  employee_id: 'empl_1',
  answer: null,
  granted_on: '2026-03-01',
  window_ends_on: '2026-03-31',
  coverage_start: '2026-01-01',
  coverage_end: null,
  inactive_on: null,
  terminated_at: null,
  open_enrollment_start: null,
  open_enrollment_end: null,
  plan_year_start: '2026-01-01',
  plan_year_end: '2026-12-31',
  product_code: 'MVP',
  contributions: [],
  elections: [],
  life_events: [],
  dependents: [],
  classes: [],
  date_of_birth: '1990-01-01',
  state: 'NY',
}
const covering: Rival = {
  id: 'enrl_2',
  organization_id: 'org_1',
  answer: 'enrolled',
  elected_by: 'employee',
  choice: 1,
  own_choice: 0,
  coverage_start: '2026-01-01',
  coverage_end: null,
  plan_year_end: '2026-12-31',
  inactive_on: null,
  instead: 'Major Medical',
}
const today = '2026-03-10'
const from_start = { arrivals: [], day: '2026-01-01' }

describe('an election beside another benefit of the group takes effect', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, string]>([
    ['next month if the other covers now', {}, {}, '2026-04-01'],
    ['at the start if the other was not elected', { answer: null }, {}, '2026-01-01'],
    ['at the start if the other was waived', { answer: 'waived' }, {}, '2026-01-01'],
    ['at the start if the other has not begun', { coverage_start: '2026-03-11' }, {}, '2026-01-01'],
    ['at the start if the other never covered', { coverage_end: '2025-12-31' }, {}, '2026-01-01'],
    ['after the other if that has ended', { coverage_end: '2026-02-28' }, {}, '2026-03-01'],
    ['after the other if that ends within the month', { coverage_end: '2026-03-15' }, {}, '2026-03-16'],
    ['at its own start if that is later', {}, { coverage_start: '2026-07-01' }, '2026-07-01'],
    ['at the start if the other was only carried over', { elected_by: 'renewal' }, {}, '2026-01-01'],
    [
      'next month if the other was carried over and the window is closed',
      { elected_by: 'renewal' },
      { window_ends_on: '2026-03-09' },
      '2026-04-01',
    ],
    ['as usual if it is already elected', {}, { answer: 'enrolled' }, '2026-01-01'],
  ])('%s', (_, rival, facts, day) => {
    const enrollment = { ...granted, ...facts }
    const alone = { ...from_start, day: enrollment.coverage_start }
    expect(electionDaysAmongRivals(enrollment, [{ ...covering, ...rival }], alone, today).day).toBe(day)
  })

  it('covers no added dependents before it begins', () => {
    const days = { arrivals: ['2026-03-05', '2026-04-02'], day: '2026-04-01' }
    expect(electionDaysAmongRivals(granted, [covering], days, today)).toEqual({
      arrivals: ['2026-04-02'],
      day: '2026-04-01',
    })
  })
})

describe('the first day of coverage', () => {
  it.each<[string, Partial<Rival>, boolean]>([
    ['is kept beside a benefit that covers now', {}, true],
    ['is kept beside a benefit that covered in the plan year', { coverage_end: '2026-01-31' }, true],
    [
      'follows the rules beside a benefit that ended before the plan year',
      { coverage_start: '2025-01-01', coverage_end: '2025-12-31' },
      false,
    ],
    ['follows the rules beside a benefit that has not begun', { coverage_start: '2026-04-01' }, false],
    ['follows the rules beside a waived benefit', { answer: 'waived' }, false],
  ])('%s', (_, rival, kept) => expect(isFirstDayFixed(granted, [{ ...covering, ...rival }], today)).toBe(kept))
})

describe('another benefit of the group, at an election from April,', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, 'waived' | 'ended' | 'neither']>([
    ['is waived if it is pending', { answer: null }, {}, 'waived'],
    ['is waived if it would begin then', { coverage_start: '2026-04-01' }, {}, 'waived'],
    ['is waived if it was carried over and the window is open', { elected_by: 'renewal' }, {}, 'waived'],
    ['does not change if it was waived', { answer: 'waived' }, {}, 'neither'],
    ['does not change if it is inactive', { inactive_on: '2026-03-01' }, {}, 'neither'],
    ['does not change if it has begun, because its end follows from the choice', {}, {}, 'neither'],
    ['does not change if it ends before', { coverage_end: '2026-03-31' }, {}, 'neither'],
    ['does not change in the next plan year', { answer: null, coverage_start: '2027-01-01' }, {}, 'neither'],
    ['does not change in the previous plan year', { answer: null, plan_year_end: '2026-03-31' }, {}, 'neither'],
    ['is ended if both are held', { choice: 0 }, { answer: 'enrolled' }, 'ended'],
  ])('%s', (_, rival, facts, becomes) => {
    const { waived, ended } = replacedChoices(
      { ...granted, ...facts },
      [{ ...covering, ...rival }],
      '2026-04-01',
      today,
    )
    expect(waived.length > 0 ? 'waived' : ended.length > 0 ? 'ended' : 'neither').toBe(becomes)
  })
})

describe('choices', () => {
  it('get a higher number than other elected benefits', () => {
    expect(nextChoice([])).toBe(1)
    expect(nextChoice([covering, { ...covering, choice: 3 }])).toBe(4)
    expect(nextChoice([covering, { ...covering, choice: 3, answer: 'waived' }])).toBe(2)
    expect(nextChoice([{ ...covering, own_choice: 3 }])).toBe(3)
  })

  it('made again ignore the end that a successor had caused', () => {
    const ending = { ...granted, answer: 'enrolled' as const, coverage_end: '2026-03-31' }
    const next = { ...covering, coverage_start: '2026-04-01' }
    expect(withoutSuccessor(ending, [next]).coverage_end).toBeNull()
    expect(withoutSuccessor(ending, [{ ...next, answer: 'waived' }]).coverage_end).toBe('2026-03-31')
    expect(withoutSuccessor(ending, [{ ...next, coverage_start: '2026-05-01' }]).coverage_end).toBe('2026-03-31')
  })
})

describe('a last day that the operator sets', () => {
  const next = { ...covering, choice: 2, coverage_start: '2026-04-01' }
  const correction = { reason: 'R', election: undefined, waive: undefined, coverage_start: undefined }
  it.each<[string, string | null, Partial<Rival>, boolean]>([
    ['can be before another choice begins', '2026-03-31', {}, false],
    ["can't be after another choice begins", '2026-04-01', {}, true],
    ['can be after another benefit that was rolled over', '2026-04-01', { choice: 0 }, false],
    ['can be after another benefit that was waived', '2026-04-01', { answer: 'waived' }, false],
    ['can be returned to the rules', null, {}, false],
    ['can be before the first day if coverage never began', '2025-12-31', {}, false],
  ])('%s', (_, coverage_end, rival, refused) => {
    const why = whyNotExtendOverRival(granted, { ...correction, coverage_end }, [{ ...next, ...rival }])
    expect(why?.details.map(({ field }) => field)).toEqual(refused ? ['coverage_end'] : undefined)
  })
})
