import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  isNews,
  whoIsCovered,
  whyNotAnswer,
  whyNotCorrect,
  whyNotFrom,
  whyNotWaive,
  type DependentFacts,
  type ElectionFacts,
  type EnrollmentFacts,
  type LifeEventWindow,
} from './rules.ts'
import { electionDays, stepsOf } from './step-rules.ts'

/** Granted on 10 March 2026 for April, in a plan year without open enrollment. */
const granted: EnrollmentFacts = {
  id: 'enrl_1',
  organization_id: 'org_1',
  employee_id: 'empl_1',
  answer: null,
  granted_on: '2026-03-10',
  window_ends_on: '2026-04-09',
  coverage_start: '2026-04-01',
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
const marriage: LifeEventWindow = {
  type: 'marriage',
  occurred_on: '2026-06-01',
  start: '2026-06-10',
  end: '2026-07-10',
}
const birth: LifeEventWindow = { ...marriage, type: 'birth' }
const placement: LifeEventWindow = { ...marriage, type: 'placement', occurred_on: '2026-05-28' }
const adoption: LifeEventWindow = { ...marriage, type: 'adoption', occurred_on: '2026-06-03' }
const autumn = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-15' }

describe('an enrollment can be answered', () => {
  it.each<[string, Partial<EnrollmentFacts>, string, string | undefined]>([
    ['on the day of the grant', {}, '2026-03-10', undefined],
    ['30 days later', {}, '2026-04-09', undefined],
    ['not 31 days later', {}, '2026-04-10', 'enrollment_window_closed'],
    ['not before it was granted', {}, '2026-03-09', 'enrollment_window_closed'],
    ['not the day before open enrollment', autumn, '2026-10-31', 'enrollment_window_closed'],
    ['on the first day of open enrollment', autumn, '2026-11-01', undefined],
    ['on its last', autumn, '2026-11-15', undefined],
    ['not the day after', autumn, '2026-11-16', 'enrollment_window_closed'],
    [
      'not the day before a life event is approved',
      { life_events: [marriage] },
      '2026-06-09',
      'enrollment_window_closed',
    ],
    ['on the day of the approval', { life_events: [marriage] }, '2026-06-10', undefined],
    ['30 days after the approval', { life_events: [marriage] }, '2026-07-10', undefined],
    ['not 31 days after', { life_events: [marriage] }, '2026-07-11', 'enrollment_window_closed'],
    ['the day before it becomes inactive', { inactive_on: '2026-03-21' }, '2026-03-20', undefined],
    ['never once inactive', { inactive_on: '2026-03-20' }, '2026-03-20', 'enrollment_is_inactive'],
  ])('%s', (_, facts, today, code) => {
    expect(whyNotAnswer({ ...granted, ...facts }, today)?.code).toBe(code)
  })
})

describe('coverage can be waived', () => {
  it.each<[string, Partial<EnrollmentFacts>, string, string | undefined]>([
    ['before it begins', { answer: 'enrolled' }, '2026-03-31', undefined],
    ['not on its first day', { answer: 'enrolled' }, '2026-04-01', 'coverage_has_started'],
    ['after the first day when nobody answered', {}, '2026-04-05', undefined],
    ['not outside of a window', { answer: 'enrolled' }, '2026-05-01', 'enrollment_window_closed'],
  ])('%s', (_, facts, today, code) => {
    expect(whyNotWaive({ ...granted, ...facts }, today)?.code).toBe(code)
  })
})

describe('an election holds', () => {
  const enrolled = { answer: 'enrolled' as const }
  const mid_june = { coverage_start: '2026-06-20' }
  it.each<[string, Partial<EnrollmentFacts>, string, string, string[]]>([
    ['from the first day of coverage', {}, '2026-03-20', '2026-04-01', []],
    ['from the first day of coverage when it is made a little later', {}, '2026-04-05', '2026-04-01', []],
    ['from the first day of coverage when changed before', enrolled, '2026-03-31', '2026-04-01', []],
    ['from the next month when changed after', enrolled, '2026-04-01', '2026-05-01', []],
    ['from the month after a life event', { life_events: [marriage] }, '2026-06-10', '2026-07-01', []],
    ['from the month after one when changed', { ...enrolled, life_events: [marriage] }, '2026-06-10', '2026-07-01', []],
    ['from the day of a birth for who joins', { life_events: [birth] }, '2026-06-12', '2026-07-01', ['2026-06-01']],
    [
      'from the day of an adoption and of a placement too, the first of them first',
      { ...enrolled, life_events: [adoption, placement, marriage] },
      '2026-06-12',
      '2026-07-01',
      ['2026-05-28', '2026-06-03'],
    ],
    [
      'from the day of a birth in open enrollment, too, for who is added',
      { ...enrolled, life_events: [birth], open_enrollment_start: '2026-06-01', open_enrollment_end: '2026-06-30' },
      '2026-06-12',
      '2026-07-01',
      ['2026-06-01'],
    ],
    [
      'from no birth before coverage began',
      { ...enrolled, coverage_start: '2026-06-08', life_events: [birth] },
      '2026-06-12',
      '2026-07-01',
      ['2026-06-08'],
    ],
    [
      'not before coverage begins',
      { coverage_start: '2026-09-01', life_events: [birth] },
      '2026-06-12',
      '2026-09-01',
      [],
    ],
    [
      'from the start of coverage that has not begun, in the window of a life event',
      { ...enrolled, ...mid_june, life_events: [marriage] },
      '2026-06-12',
      '2026-06-20',
      [],
    ],
    [
      'from the first day of coverage for who did not answer yet, and from a birth after it for who is born then',
      { coverage_start: '2026-06-01', window_ends_on: '2026-06-30', life_events: [adoption, birth, placement] },
      '2026-06-12',
      '2026-06-01',
      ['2026-06-03'],
    ],
    [
      'from no birth after the plan year',
      {
        coverage_start: '2026-06-01',
        window_ends_on: '2026-06-30',
        plan_year_end: '2026-06-02',
        life_events: [adoption],
      },
      '2026-06-12',
      '2026-06-01',
      [],
    ],
    ['and for who did not answer yet', { ...mid_june, life_events: [birth] }, '2026-06-12', '2026-06-20', []],
    [
      'from the next month on the day that coverage begins',
      { ...enrolled, ...mid_june, life_events: [marriage] },
      '2026-06-20',
      '2026-07-01',
      [],
    ],
    [
      'from the first day of a year elected in open enrollment',
      { ...autumn, coverage_start: '2027-01-01' },
      '2026-11-02',
      '2027-01-01',
      [],
    ],
  ])('%s', (_, facts, today, day, arrivals) => {
    const days = electionDays({ ...granted, ...facts }, today)
    expect([days.day, days.arrivals]).toEqual([day, arrivals])
  })

  it.each<[string, Partial<EnrollmentFacts>, string, string | undefined]>([
    ['on the last day of the plan year', {}, '2026-12-31', undefined],
    ['not after it', {}, '2027-01-01', 'coverage_ends_first'],
    ['on the last day of coverage', { ...enrolled, coverage_end: '2026-06-30' }, '2026-06-30', undefined],
    ['not after it', { ...enrolled, coverage_end: '2026-06-30' }, '2026-07-01', 'coverage_ends_first'],
    ['before eligibility is lost for who joins', { inactive_on: '2026-04-02' }, '2026-04-01', undefined],
    ['not on the day that it is', { inactive_on: '2026-04-01' }, '2026-04-01', 'coverage_ends_first'],
    ['not later in that month', { inactive_on: '2026-04-09' }, '2026-04-20', 'coverage_ends_first'],
    ['nor for who waived', { answer: 'waived', inactive_on: '2026-04-09' }, '2026-04-20', 'coverage_ends_first'],
    ['but for who is covered until then', { ...enrolled, inactive_on: '2026-05-01' }, '2026-05-01', undefined],
  ])('%s: %j from %s', (_, facts, day, code) => {
    expect(whyNotFrom({ ...granted, ...facts }, day)?.code).toBe(code)
  })
})

describe('what is elected in the window of a birth', () => {
  const someone = (id: string, relationship: 'spouse' | 'child', date_of_birth = '2015-01-01'): DependentFacts => ({
    id,
    relationship,
    date_of_birth,
    ended_on: null,
    covered_until: null,
  })
  const [spouse, child] = [someone('spouse', 'spouse'), someone('child', 'child')]
  const [baby, twin] = [someone('baby', 'child', '2026-06-05'), someone('twin', 'child', '2026-06-05')]
  const gone: DependentFacts = { ...someone('gone', 'spouse'), ended_on: '2026-05-15', covered_until: '2026-05-31' }
  const grown: DependentFacts = { ...someone('grown', 'child', '2000-05-15'), covered_until: '2026-05-31' }
  const early = someone('early', 'child', '2026-05-25')
  const held = (effective_on: string, coverage_tier: ElectionFacts['coverage_tier'], ...dependent_ids: string[]) => ({
    effective_on,
    plan_id: 'silver',
    coverage_tier,
    dependent_ids,
    employer_contribution_in_cents: 0,
    employee_deduction_in_cents: 0,
  })
  const said = (coverage_tier: ElectionFacts['coverage_tier'], ...covered: DependentFacts[]) => ({
    plan_id: 'silver',
    coverage_tier,
    covered,
  })
  const bronze = (choice: ReturnType<typeof said>) => ({ ...choice, plan_id: 'bronze' })
  const arrivals = ['2026-06-05']
  const may = ['2026-05-25']

  /** The steps of a choice in words. */
  const told = (elections: ElectionFacts[], choice: ReturnType<typeof said>, days: string[], day: string) => {
    const dependents = [...new Set([spouse, child, baby, twin, gone, grown, early, ...choice.covered])]
    return stepsOf({ elections, dependents }, choice, { arrivals: days, day }).map((step) =>
      [step.day.slice(5), step.plan_id, step.coverage_tier, ...step.dependent_ids.sort()].join(' '),
    )
  }

  it.each<[string, ElectionFacts[], ReturnType<typeof said>, string[], string[]]>([
    [
      'lets the baby in from the birth',
      [held('-infinity', 'EE')],
      said('EC', baby),
      arrivals,
      ['06-05 silver EC baby'],
    ],
    [
      'lets twins and the spouse in from the birth',
      [held('-infinity', 'EE')],
      said('EF', baby, twin, spouse),
      arrivals,
      ['06-05 silver EF baby spouse twin'],
    ],
    [
      'drops a child from the next month',
      [held('-infinity', 'EC', 'child')],
      said('EE'),
      arrivals,
      ['07-01 silver EE'],
    ],
    [
      'lets the baby in from the birth, and the spouse go from the next month',
      [held('-infinity', 'ES', 'spouse')],
      said('EC', baby),
      arrivals,
      ['06-05 silver EF baby spouse', '07-01 silver EC baby'],
    ],
    [
      'exchanges children of one tier so, too',
      [held('-infinity', 'EC', 'child')],
      said('EC', baby),
      arrivals,
      ['06-05 silver EC baby child', '07-01 silver EC baby'],
    ],
    [
      'changes a plan from the next month',
      [held('-infinity', 'EE')],
      bronze(said('EE')),
      arrivals,
      ['07-01 bronze EE'],
    ],
    [
      'lets the baby into the plan there is, and changes the plan from the next month',
      [held('-infinity', 'ES', 'spouse')],
      bronze(said('EF', spouse, baby)),
      arrivals,
      ['06-05 silver EF baby spouse', '07-01 bronze EF baby spouse'],
    ],
    [
      'leaves what changed since the birth',
      [held('-infinity', 'EE'), held('2026-06-10', 'ES', 'spouse')],
      said('EF', spouse, baby),
      arrivals,
      ['06-05 silver EC baby', '06-10 silver EF baby spouse'],
    ],
    [
      'lets in from the birth whom a change since then had dropped',
      [held('-infinity', 'ES', 'spouse'), held('2026-06-10', 'EE')],
      said('EF', spouse, baby),
      arrivals,
      ['06-05 silver EF baby spouse', '06-10 silver EF baby spouse'],
    ],
    [
      'is not undone before the next month by electing again',
      [held('-infinity', 'EE'), held('2026-06-05', 'EC', 'baby'), held('2026-07-01', 'EE')],
      said('EE'),
      arrivals,
      ['07-01 silver EE'],
    ],
    [
      'takes the place of what was to come',
      [held('-infinity', 'EE'), held('2026-07-01', 'ES', 'spouse')],
      said('EC', baby),
      arrivals,
      ['06-05 silver EC baby'],
    ],
    [
      'covers a child that came later from the day it came',
      [held('-infinity', 'EE')],
      said('EC', someone('second', 'child', '2026-06-09'), child),
      ['2026-06-05', '2026-06-09'],
      ['06-05 silver EC child', '06-09 silver EC child second'],
    ],
    [
      'covers a child that was born after it from the next month',
      [held('-infinity', 'EE')],
      said('EC', someone('second', 'child', '2026-06-09'), child),
      arrivals,
      ['06-05 silver EC child', '07-01 silver EC child second'],
    ],
    ['lets who joins in from the birth', [], said('EF', spouse, baby), arrivals, ['06-05 silver EF baby spouse']],
    [
      'lets who joins in from the first of two',
      [],
      said('EC', baby),
      ['2026-06-05', '2026-06-09'],
      ['06-05 silver EC baby'],
    ],
    ['lets who joins alone in from the birth', [], said('EE'), arrivals, ['06-05 silver EE']],
    [
      'charges a spouse to the last day that she can be covered, and no longer',
      [held('-infinity', 'ES', 'gone')],
      said('EC', early),
      may,
      ['05-25 silver EF early gone', '06-01 silver EC early'],
    ],
    [
      'charges nobody for a spouse who left before the birth',
      [held('-infinity', 'ES', 'gone')],
      said('EC', baby),
      arrivals,
      ['06-05 silver EC baby'],
    ],
    [
      'charges no children when the only one has grown',
      [held('-infinity', 'EF', 'spouse', 'grown')],
      said('ES', spouse),
      may,
      ['07-01 silver ES spouse'],
    ],
    [
      'lets a child who has grown go while others stay',
      [held('-infinity', 'EC', 'child', 'grown')],
      said('EF', spouse, child, early),
      may,
      ['05-25 silver EF child early grown spouse', '06-01 silver EF child early spouse'],
    ],
    [
      'heeds the end of who is covered alone',
      [held('-infinity', 'EE'), held('2026-05-28', 'ES', 'gone'), held('2026-05-30', 'EE')],
      said('EC', early),
      may,
      ['05-25 silver EC early', '05-28 silver EF early gone', '05-30 silver EC early'],
    ],
    [
      'holds from the next month without an arrival',
      [held('-infinity', 'EE')],
      said('EC', child),
      [],
      ['07-01 silver EC child'],
    ],
  ])('%s', (_, elections, choice, days, expected) => {
    expect(told(elections, choice, days, '2026-07-01')).toEqual(expected)
  })

  it.each<[string, ReturnType<typeof said>, string[], string[]]>([
    [
      'covers the baby from the birth, and nobody before',
      said('EC', baby),
      arrivals,
      ['06-01 silver EE', '06-05 silver EC baby'],
    ],
    [
      'covers everybody else from the start',
      said('EF', spouse, child, baby, twin),
      arrivals,
      ['06-01 silver EF child spouse', '06-05 silver EF baby child spouse twin'],
    ],
    [
      'covers each from the first arrival after the birth',
      said('EC', early, baby),
      ['2026-06-04', '2026-06-08'],
      ['06-01 silver EC early', '06-08 silver EC baby early'],
    ],
    ['says nothing of an arrival of nobody who is covered', said('ES', spouse), arrivals, ['06-01 silver ES spouse']],
  ])('before anybody is covered: %s', (_, choice, days, expected) => {
    expect(told([], choice, days, '2026-06-01')).toEqual(expected)
  })

  it('before anybody is covered: ends with the age of a child who was covered from the start', () => {
    const expected = [
      '05-10 silver EC grown',
      '05-25 silver EC early grown',
      '06-01 silver EC early',
      '06-05 silver EC baby early',
    ]
    expect(told([], said('EC', grown, early, baby), [...may, ...arrivals], '2026-05-10')).toEqual(expected)
  })
})

describe('an election says something new', () => {
  const former: ElectionFacts = {
    effective_on: '-infinity',
    plan_id: 'silver',
    coverage_tier: 'EF',
    dependent_ids: ['ida', 'mia'],
    employer_contribution_in_cents: 12_450,
    employee_deduction_in_cents: 12_450,
  }
  it.each<[string, Partial<ElectionFacts>, boolean]>([
    ['not when it repeats the former', {}, false],
    ['not when it names the same people otherwise', { dependent_ids: ['mia', 'ida'] }, false],
    ['with another plan', { plan_id: 'bronze' }, true],
    ['with another tier', { coverage_tier: 'EC' }, true],
    ['with other people', { dependent_ids: ['ida', 'ann'] }, true],
    ['at another cost', { employer_contribution_in_cents: 20_000, employee_deduction_in_cents: 4_900 }, true],
    ['at another premium', { employee_deduction_in_cents: 13_000 }, true],
  ])('%s', (_, said, expected) => {
    expect(isNews({ ...former, ...said }, former)).toBe(expected)
    expect(isNews({ ...former, ...said }, undefined)).toBe(true)
  })
})

describe('who is covered', () => {
  const spouse: DependentFacts = {
    id: 'spouse',
    relationship: 'spouse',
    date_of_birth: '1990-01-01',
    ended_on: null,
    covered_until: null,
  }
  const child: DependentFacts = {
    id: 'child',
    relationship: 'child',
    date_of_birth: '2015-01-01',
    ended_on: null,
    covered_until: '2041-01-31',
  }
  const grown: DependentFacts = { ...child, id: 'grown', covered_until: '2026-03-31' }
  const former: DependentFacts = { ...spouse, id: 'former', ended_on: '2026-03-30', covered_until: '2026-03-31' }
  const family = [spouse, child, grown, former]

  it.each([
    ['EE', undefined, []],
    ['ES', undefined, ['spouse']],
    ['EC', undefined, ['child']],
    ['EF', undefined, ['spouse', 'child']],
    ['EE', [], []],
    ['EF', ['child', 'spouse'], ['spouse', 'child']],
  ] as const)('%s with %j named', (tier, named, ids) => {
    const covered = whoIsCovered(family, tier, named && [...named], '2026-04-01')
    expect((covered as DependentFacts[]).map(({ id }) => id)).toEqual(ids)
  })

  it('is a child until the last day of the month of the 26th birthday', () => {
    const covered = whoIsCovered(family, 'EC', ['grown'], '2026-03-31')
    expect((covered as DependentFacts[]).map(({ id }) => id)).toEqual(['grown'])
  })

  it('is nobody born after the day, but from a birth by then', () => {
    const newborn = { ...child, id: 'newborn', date_of_birth: '2026-04-10' }
    const covered = (born_by?: string) => whoIsCovered([grown, newborn], 'EC', undefined, '2026-03-31', born_by)
    expect(covered()).toEqual([grown])
    expect(covered('2026-04-09')).toEqual([grown])
    expect(covered('2026-04-10')).toEqual([grown, newborn])
  })

  it.each([
    ['nobody with a spouse who is none any more', 'ES', ['former'], 'dependent_ids[0]'],
    ['nobody with a child who is too old', 'EC', ['child', 'grown'], 'dependent_ids[1]'],
    ['nobody with a stranger', 'EC', ['stranger'], 'dependent_ids[0]'],
  ] as const)('is %s', (_, tier, named, field) => {
    const refused = whoIsCovered(family, tier, [...named], '2026-04-01') as Refusal
    expect([refused.kind.code, refused.details[0]!.field]).toEqual(['dependent_not_coverable', field])
  })

  it.each([
    ['EE', ['spouse']],
    ['ES', ['child']],
    ['ES', ['spouse', 'child']],
    ['ES', []],
    ['EC', ['spouse']],
    ['EC', []],
    ['EF', ['spouse']],
    ['EF', ['child']],
  ] as const)('must fit the tier: not %s with %j', (tier, named) => {
    expect(whoIsCovered(family, tier, [...named], '2026-04-01')).toMatchObject({ code: 'dependents_do_not_fit_tier' })
    expect(whoIsCovered([], 'ES', undefined, '2026-04-01')).toMatchObject({ code: 'dependents_do_not_fit_tier' })
  })
})

describe('the operator can not set right', () => {
  const election = { plan_id: 'pln_1', coverage_tier: 'EE' as const, dependent_ids: undefined }
  const nothing = { reason: 'R', election: undefined, waive: undefined, coverage_start: undefined }
  const inactive = { inactive_on: '2026-03-01' }
  it.each<[string, Partial<EnrollmentFacts>, object, string | undefined]>([
    ['nothing at all', {}, {}, ''],
    ['an election and a waiver at once', {}, { election, waive: true }, 'waive'],
    ['a start before the plan year', {}, { coverage_start: '2025-12-31' }, 'coverage_start'],
    ['a start after the plan year', {}, { coverage_start: '2027-01-01' }, 'coverage_start'],
    ['an end of what nobody elected', {}, { coverage_end: '2026-05-31' }, 'coverage_end'],
    ['an end before the day before the start', { answer: 'enrolled' }, { coverage_end: '2026-03-30' }, 'coverage_end'],
    ['a start after the end', { coverage_end: '2026-05-31' }, { coverage_start: '2026-06-02' }, 'coverage_end'],
    ['an end after the plan year', { answer: 'enrolled' }, { coverage_end: '2027-01-01' }, 'coverage_end'],
    ['an inactive one by an election', inactive, { election }, 'enrollment_is_inactive'],
    ['an inactive one by taking its end away', inactive, { coverage_end: null }, 'enrollment_is_inactive'],
    ['an inactive one by an end ahead', inactive, { coverage_end: '2026-05-31' }, 'enrollment_is_inactive'],
  ])('%s', (_, facts, said, why) => {
    const refused = whyNotCorrect({ ...granted, ...facts }, { ...nothing, ...said }, '2026-03-20')
    expect(refused instanceof Refusal ? refused.details[0]!.field : refused?.code).toBe(why)
  })

  it.each<[string, Partial<EnrollmentFacts>, object]>([
    ['coverage that never began', { answer: 'enrolled' }, { coverage_end: '2026-03-31' }],
    ['the whole plan year', { answer: 'enrolled' }, { coverage_start: '2026-01-01', coverage_end: '2026-12-31' }],
    [
      'the last day of an inactive one',
      { ...inactive, answer: 'enrolled', coverage_start: '2026-01-01' },
      { coverage_end: '2026-01-31' },
    ],
  ])('but can %s', (_, facts, said) => {
    expect(whyNotCorrect({ ...granted, ...facts }, { ...nothing, ...said }, '2026-03-20')).toBeUndefined()
  })
})
