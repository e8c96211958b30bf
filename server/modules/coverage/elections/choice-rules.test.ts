import { describe, expect, it } from 'vitest'
import {
  daysBeside,
  givingWay,
  isStartKept,
  nextChoice,
  whyNotBeside,
  withoutSuccessor,
  type Rival,
} from './choice-rules.ts'
import type { EnrollmentFacts } from './rules.ts'

/** Major Medical, granted with the year 2026; the other of its group is Essential Care. */
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

describe('an election beside another benefit of the group holds', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, string]>([
    ['from the next month where the other covers', {}, {}, '2026-04-01'],
    ['from the start where the other was not elected', { answer: null }, {}, '2026-01-01'],
    ['from the start where the other was waived', { answer: 'waived' }, {}, '2026-01-01'],
    ['from the start where the other has not begun', { coverage_start: '2026-03-11' }, {}, '2026-01-01'],
    ['from the start where the other never covered', { coverage_end: '2025-12-31' }, {}, '2026-01-01'],
    ['after the other where that is over', { coverage_end: '2026-02-28' }, {}, '2026-03-01'],
    ['after the other where that ends within the month', { coverage_end: '2026-03-15' }, {}, '2026-03-16'],
    ['from its own start where that is later', {}, { coverage_start: '2026-07-01' }, '2026-07-01'],
    ['from the start where the other was only carried over', { elected_by: 'renewal' }, {}, '2026-01-01'],
    [
      'from the next month where it was carried over, and the window is over',
      { elected_by: 'renewal' },
      { window_ends_on: '2026-03-09' },
      '2026-04-01',
    ],
    ['as always where it is elected already', {}, { answer: 'enrolled' }, '2026-01-01'],
  ])('%s', (_, rival, facts, day) => {
    const enrollment = { ...granted, ...facts }
    const alone = { ...from_start, day: enrollment.coverage_start }
    expect(daysBeside(enrollment, [{ ...covering, ...rival }], alone, today).day).toBe(day)
  })

  it('lets nobody join before it begins', () => {
    const days = { arrivals: ['2026-03-05', '2026-04-02'], day: '2026-04-01' }
    expect(daysBeside(granted, [covering], days, today)).toEqual({ arrivals: ['2026-04-02'], day: '2026-04-01' })
  })
})

describe('the first day of coverage', () => {
  it.each<[string, Partial<Rival>, boolean]>([
    ['is kept beside what covers', {}, true],
    ['is kept beside what covered in the plan year', { coverage_end: '2026-01-31' }, true],
    [
      'follows the rules beside what ended before the plan year',
      { coverage_start: '2025-01-01', coverage_end: '2025-12-31' },
      false,
    ],
    ['follows the rules beside what has not begun', { coverage_start: '2026-04-01' }, false],
    ['follows the rules beside what was waived', { answer: 'waived' }, false],
  ])('%s', (_, rival, kept) => expect(isStartKept(granted, [{ ...covering, ...rival }], today)).toBe(kept))
})

describe('what gives way to coverage from April', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, 'waived' | 'ended' | 'neither']>([
    ['is waived where nobody answered', { answer: null }, {}, 'waived'],
    ['is waived where it would begin then', { coverage_start: '2026-04-01' }, {}, 'waived'],
    ['is waived where it was carried over, and the window is open', { elected_by: 'renewal' }, {}, 'waived'],
    ['stays as it is where it was waived', { answer: 'waived' }, {}, 'neither'],
    ['stays as it is where it is inactive', { inactive_on: '2026-03-01' }, {}, 'neither'],
    ['stays as it is where it has begun: its end follows', {}, {}, 'neither'],
    ['stays as it is where it is over by then', { coverage_end: '2026-03-31' }, {}, 'neither'],
    ['stays as it is in the next plan year', { answer: null, coverage_start: '2027-01-01' }, {}, 'neither'],
    ['stays as it is in the plan year before', { answer: null, plan_year_end: '2026-03-31' }, {}, 'neither'],
    ['is ended where both were held before there were groups', { choice: 0 }, { answer: 'enrolled' }, 'ended'],
  ])('%s', (_, rival, facts, becomes) => {
    const { waived, ended } = givingWay({ ...granted, ...facts }, [{ ...covering, ...rival }], '2026-04-01', today)
    expect(waived.length > 0 ? 'waived' : ended.length > 0 ? 'ended' : 'neither').toBe(becomes)
  })
})

describe('choices', () => {
  it('are numbered behind those of other benefits that are elected', () => {
    expect(nextChoice([])).toBe(1)
    expect(nextChoice([covering, { ...covering, choice: 3 }])).toBe(4)
    expect(nextChoice([covering, { ...covering, choice: 3, answer: 'waived' }])).toBe(2)
    expect(nextChoice([{ ...covering, own_choice: 3 }])).toBe(3)
  })

  it('made again find the coverage that another was about to take the place of', () => {
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
    ['lies before another was chosen', '2026-03-31', {}, false],
    ['can not lie after that', '2026-04-01', {}, true],
    ['may lie after what was held beside it since before there were groups', '2026-04-01', { choice: 0 }, false],
    ['may lie after another that was waived', '2026-04-01', { answer: 'waived' }, false],
    ['may be given back', null, {}, false],
    ['may say that nothing was covered', '2025-12-31', {}, false],
  ])('%s', (_, coverage_end, rival, refused) => {
    const why = whyNotBeside(granted, { ...correction, coverage_end }, [{ ...next, ...rival }])
    expect(why?.details.map(({ field }) => field)).toEqual(refused ? ['coverage_end'] : undefined)
  })
})
