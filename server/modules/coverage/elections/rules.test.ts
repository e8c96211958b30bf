import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  isElectionChanged,
  selectDependents,
  whyNotCorrect,
  type DependentFacts,
  type ElectionFacts,
  type EnrollmentFacts,
  type LifeEventWindow,
} from './rules.ts'
import { whyNotAnswer, whyNotFrom, whyNotWaive, electionDays, stepsOf } from './window-rules.ts'

/** Granted on March 10, 2026 for April, in a plan year without open enrollment. */
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

describe('an enrollment can be elected or waived', () => {
  it.each<[string, Partial<EnrollmentFacts>, string, string | undefined]>([
    ['on the day of the grant', {}, '2026-03-10', undefined],
    ['30 days later', {}, '2026-04-09', undefined],
    ['not 31 days later', {}, '2026-04-10', 'enrollment_window_closed'],
    ['not before it was granted', {}, '2026-03-09', 'enrollment_window_closed'],
    ['not the day before open enrollment', autumn, '2026-10-31', 'enrollment_window_closed'],
    ['on the first day of open enrollment', autumn, '2026-11-01', undefined],
    ['on the last day of open enrollment', autumn, '2026-11-15', undefined],
    ['not on the day after open enrollment', autumn, '2026-11-16', 'enrollment_window_closed'],
    [
      'not on the day before a life event is approved',
      { life_events: [marriage] },
      '2026-06-09',
      'enrollment_window_closed',
    ],
    ['on the day of the approval', { life_events: [marriage] }, '2026-06-10', undefined],
    ['30 days after the approval', { life_events: [marriage] }, '2026-07-10', undefined],
    ['not 31 days after the approval', { life_events: [marriage] }, '2026-07-11', 'enrollment_window_closed'],
    ['on the day before it becomes inactive', { inactive_on: '2026-03-21' }, '2026-03-20', undefined],
    ['never once inactive', { inactive_on: '2026-03-20' }, '2026-03-20', 'enrollment_is_inactive'],
  ])('%s', (_, facts, today, code) => {
    expect(whyNotAnswer({ ...granted, ...facts }, today)?.code).toBe(code)
  })
})

describe('coverage can be waived', () => {
  it.each<[string, Partial<EnrollmentFacts>, string, string | undefined]>([
    ['before it begins', { answer: 'enrolled' }, '2026-03-31', undefined],
    ['not on its first day', { answer: 'enrolled' }, '2026-04-01', 'coverage_has_started'],
    ['after the first day while pending', {}, '2026-04-05', undefined],
    ['not outside of a window', { answer: 'enrolled' }, '2026-05-01', 'enrollment_window_closed'],
  ])('%s', (_, facts, today, code) => {
    expect(whyNotWaive({ ...granted, ...facts }, today)?.code).toBe(code)
  })
})

describe('an election takes effect', () => {
  const enrolled = { answer: 'enrolled' as const }
  const mid_june = { coverage_start: '2026-06-20' }
  it.each<[string, Partial<EnrollmentFacts>, string, string, string[]]>([
    ['on the first day of coverage', {}, '2026-03-20', '2026-04-01', []],
    ['on the first day of coverage if it is made a little later', {}, '2026-04-05', '2026-04-01', []],
    ['on the first day of coverage if changed before', enrolled, '2026-03-31', '2026-04-01', []],
    ['next month if changed after', enrolled, '2026-04-01', '2026-05-01', []],
    ['in the month after a life event', { life_events: [marriage] }, '2026-06-10', '2026-07-01', []],
    [
      'in the month after a life event if changed',
      { ...enrolled, life_events: [marriage] },
      '2026-06-10',
      '2026-07-01',
      [],
    ],
    [
      'on the day of a birth for people who are added',
      { life_events: [birth] },
      '2026-06-12',
      '2026-07-01',
      ['2026-06-01'],
    ],
    [
      'on the day of an adoption and of a placement too, the earlier one first',
      { ...enrolled, life_events: [adoption, placement, marriage] },
      '2026-06-12',
      '2026-07-01',
      ['2026-05-28', '2026-06-03'],
    ],
    [
      'on the day of a birth in open enrollment too, for people who are added',
      { ...enrolled, life_events: [birth], open_enrollment_start: '2026-06-01', open_enrollment_end: '2026-06-30' },
      '2026-06-12',
      '2026-07-01',
      ['2026-06-01'],
    ],
    [
      'on no birth before coverage began',
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
      'at the start of coverage that has not begun, in the window of a life event',
      { ...enrolled, ...mid_june, life_events: [marriage] },
      '2026-06-12',
      '2026-06-20',
      [],
    ],
    [
      'on the first day of coverage while pending, and on a birth after it for the child',
      { coverage_start: '2026-06-01', window_ends_on: '2026-06-30', life_events: [adoption, birth, placement] },
      '2026-06-12',
      '2026-06-01',
      ['2026-06-03'],
    ],
    [
      'on no birth after the plan year',
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
    [
      'on a birth after the first day while pending',
      { ...mid_june, life_events: [birth] },
      '2026-06-12',
      '2026-06-20',
      [],
    ],
    [
      'next month on the day that coverage begins',
      { ...enrolled, ...mid_june, life_events: [marriage] },
      '2026-06-20',
      '2026-07-01',
      [],
    ],
    [
      'on the first day of a year elected in open enrollment',
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
    ['not after the plan year', {}, '2027-01-01', 'coverage_ends_first'],
    ['on the last day of coverage', { ...enrolled, coverage_end: '2026-06-30' }, '2026-06-30', undefined],
    [
      'not after the last day of coverage',
      { ...enrolled, coverage_end: '2026-06-30' },
      '2026-07-01',
      'coverage_ends_first',
    ],
    ['before eligibility is lost for people who are added', { inactive_on: '2026-04-02' }, '2026-04-01', undefined],
    ['not on the day of the loss', { inactive_on: '2026-04-01' }, '2026-04-01', 'coverage_ends_first'],
    ['not later in that month', { inactive_on: '2026-04-09' }, '2026-04-20', 'coverage_ends_first'],
    ['not after a waiver', { answer: 'waived', inactive_on: '2026-04-09' }, '2026-04-20', 'coverage_ends_first'],
    [
      'but in time for an employee covered until then',
      { ...enrolled, inactive_on: '2026-05-01' },
      '2026-05-01',
      undefined,
    ],
  ])('%s: %j from %s', (_, facts, day, code) => {
    expect(whyNotFrom({ ...granted, ...facts }, day)?.code).toBe(code)
  })
})

describe('an election in the window of a birth', () => {
  const user = (id: string, relationship: 'spouse' | 'child', date_of_birth = '2015-01-01'): DependentFacts => ({
    id,
    relationship,
    date_of_birth,
    ended_on: null,
    covered_until: null,
  })
  const [spouse, child] = [user('spouse', 'spouse'), user('child', 'child')]
  const [baby, twin] = [user('baby', 'child', '2026-06-05'), user('twin', 'child', '2026-06-05')]
  const gone: DependentFacts = { ...user('gone', 'spouse'), ended_on: '2026-05-15', covered_until: '2026-05-31' }
  const grown: DependentFacts = { ...user('grown', 'child', '2000-05-15'), covered_until: '2026-05-31' }
  const early = user('early', 'child', '2026-05-25')
  const held = (effective_on: string, coverage_tier: ElectionFacts['coverage_tier'], ...dependent_ids: string[]) => ({
    effective_on,
    plan_id: 'silver',
    coverage_tier,
    dependent_ids,
    employer_contribution_in_cents: 0,
    employee_deduction_in_cents: 0,
  })
  const input = (coverage_tier: ElectionFacts['coverage_tier'], ...covered: DependentFacts[]) => ({
    plan_id: 'silver',
    coverage_tier,
    covered,
  })
  const bronze = (choice: ReturnType<typeof input>) => ({ ...choice, plan_id: 'bronze' })
  const arrivals = ['2026-06-05']
  const may = ['2026-05-25']

  /** Formats the steps of an election as text. */
  const bought = (elections: ElectionFacts[], choice: ReturnType<typeof input>, days: string[], day: string) => {
    const dependents = [...new Set([spouse, child, baby, twin, gone, grown, early, ...choice.covered])]
    return stepsOf({ elections, dependents }, choice, { arrivals: days, day }).map((step) =>
      [step.day.slice(5), step.plan_id, step.coverage_tier, ...step.dependent_ids.sort()].join(' '),
    )
  }

  it.each<[string, ElectionFacts[], ReturnType<typeof input>, string[], string[]]>([
    ['adds the baby from the birth', [held('-infinity', 'EE')], input('EC', baby), arrivals, ['06-05 silver EC baby']],
    [
      'adds twins and the spouse from the birth',
      [held('-infinity', 'EE')],
      input('EF', baby, twin, spouse),
      arrivals,
      ['06-05 silver EF baby spouse twin'],
    ],
    [
      'drops a child from the next month',
      [held('-infinity', 'EC', 'child')],
      input('EE'),
      arrivals,
      ['07-01 silver EE'],
    ],
    [
      'adds the baby from the birth, and drops the spouse from the next month',
      [held('-infinity', 'ES', 'spouse')],
      input('EC', baby),
      arrivals,
      ['06-05 silver EF baby spouse', '07-01 silver EC baby'],
    ],
    [
      'exchanges children with the same coverage level the same way',
      [held('-infinity', 'EC', 'child')],
      input('EC', baby),
      arrivals,
      ['06-05 silver EC baby child', '07-01 silver EC baby'],
    ],
    [
      'changes a plan from the next month',
      [held('-infinity', 'EE')],
      bronze(input('EE')),
      arrivals,
      ['07-01 bronze EE'],
    ],
    [
      'adds the baby to the current plan, and changes the plan from the next month',
      [held('-infinity', 'ES', 'spouse')],
      bronze(input('EF', spouse, baby)),
      arrivals,
      ['06-05 silver EF baby spouse', '07-01 bronze EF baby spouse'],
    ],
    [
      'keeps changes since the birth',
      [held('-infinity', 'EE'), held('2026-06-10', 'ES', 'spouse')],
      input('EF', spouse, baby),
      arrivals,
      ['06-05 silver EC baby', '06-10 silver EF baby spouse'],
    ],
    [
      'adds people from the birth whom a later change had dropped',
      [held('-infinity', 'ES', 'spouse'), held('2026-06-10', 'EE')],
      input('EF', spouse, baby),
      arrivals,
      ['06-05 silver EF baby spouse', '06-10 silver EF baby spouse'],
    ],
    [
      'is not undone before the next month by another election',
      [held('-infinity', 'EE'), held('2026-06-05', 'EC', 'baby'), held('2026-07-01', 'EE')],
      input('EE'),
      arrivals,
      ['07-01 silver EE'],
    ],
    [
      'replaces upcoming elections',
      [held('-infinity', 'EE'), held('2026-07-01', 'ES', 'spouse')],
      input('EC', baby),
      arrivals,
      ['06-05 silver EC baby'],
    ],
    [
      'covers a child who arrived later from that arrival',
      [held('-infinity', 'EE')],
      input('EC', user('second', 'child', '2026-06-09'), child),
      ['2026-06-05', '2026-06-09'],
      ['06-05 silver EC child', '06-09 silver EC child second'],
    ],
    [
      'covers a child who was born after the arrival from the next month',
      [held('-infinity', 'EE')],
      input('EC', user('second', 'child', '2026-06-09'), child),
      arrivals,
      ['06-05 silver EC child', '07-01 silver EC child second'],
    ],
    ['adds people from the birth', [], input('EF', spouse, baby), arrivals, ['06-05 silver EF baby spouse']],
    [
      'adds people from the first of two arrivals',
      [],
      input('EC', baby),
      ['2026-06-05', '2026-06-09'],
      ['06-05 silver EC baby'],
    ],
    ['covers an employee without dependents from the birth', [], input('EE'), arrivals, ['06-05 silver EE']],
    [
      'charges for a spouse until the last day on which she can be covered',
      [held('-infinity', 'ES', 'gone')],
      input('EC', early),
      may,
      ['05-25 silver EF early gone', '06-01 silver EC early'],
    ],
    [
      'charges nothing for a spouse who left before the birth',
      [held('-infinity', 'ES', 'gone')],
      input('EC', baby),
      arrivals,
      ['06-05 silver EC baby'],
    ],
    [
      'charges no children if the only one is over the age limit',
      [held('-infinity', 'EF', 'spouse', 'grown')],
      input('ES', spouse),
      may,
      ['07-01 silver ES spouse'],
    ],
    [
      'drops a child over the age limit and keeps the others',
      [held('-infinity', 'EC', 'child', 'grown')],
      input('EF', spouse, child, early),
      may,
      ['05-25 silver EF child early grown spouse', '06-01 silver EF child early spouse'],
    ],
    [
      'ends coverage of a dependent covered alone',
      [held('-infinity', 'EE'), held('2026-05-28', 'ES', 'gone'), held('2026-05-30', 'EE')],
      input('EC', early),
      may,
      ['05-25 silver EC early', '05-28 silver EF early gone', '05-30 silver EC early'],
    ],
    [
      'takes effect next month without an arrival',
      [held('-infinity', 'EE')],
      input('EC', child),
      [],
      ['07-01 silver EC child'],
    ],
  ])('%s', (_, elections, choice, days, expected) => {
    expect(bought(elections, choice, days, '2026-07-01')).toEqual(expected)
  })

  it.each<[string, ReturnType<typeof input>, string[], string[]]>([
    [
      'covers the baby from the birth, and no dependents before',
      input('EC', baby),
      arrivals,
      ['06-01 silver EE', '06-05 silver EC baby'],
    ],
    [
      'covers everyone else from the start',
      input('EF', spouse, child, baby, twin),
      arrivals,
      ['06-01 silver EF child spouse', '06-05 silver EF baby child spouse twin'],
    ],
    [
      'covers each from the first arrival after the birth',
      input('EC', early, baby),
      ['2026-06-04', '2026-06-08'],
      ['06-01 silver EC early', '06-08 silver EC baby early'],
    ],
    ['ignores an arrival of which no dependent is covered', input('ES', spouse), arrivals, ['06-01 silver ES spouse']],
  ])('before coverage begins: %s', (_, choice, days, expected) => {
    expect(bought([], choice, days, '2026-06-01')).toEqual(expected)
  })

  it('before coverage begins: ends with the age of a child who was covered from the start', () => {
    const expected = [
      '05-10 silver EC grown',
      '05-25 silver EC early grown',
      '06-01 silver EC early',
      '06-05 silver EC baby early',
    ]
    expect(bought([], input('EC', grown, early, baby), [...may, ...arrivals], '2026-05-10')).toEqual(expected)
  })
})

describe('an election is a change', () => {
  const former: ElectionFacts = {
    effective_on: '-infinity',
    plan_id: 'silver',
    coverage_tier: 'EF',
    dependent_ids: ['ida', 'mia'],
    employer_contribution_in_cents: 12_450,
    employee_deduction_in_cents: 12_450,
  }
  it.each<[string, Partial<ElectionFacts>, boolean]>([
    ['not if it repeats the previous one', {}, false],
    ['not if it lists the same people in another order', { dependent_ids: ['mia', 'ida'] }, false],
    ['with another plan', { plan_id: 'bronze' }, true],
    ['with another coverage level', { coverage_tier: 'EC' }, true],
    ['with other people', { dependent_ids: ['ida', 'ann'] }, true],
    ['at another cost', { employer_contribution_in_cents: 20_000, employee_deduction_in_cents: 4_900 }, true],
    ['at another premium', { employee_deduction_in_cents: 13_000 }, true],
  ])('%s', (_, input, expected) => {
    expect(isElectionChanged({ ...former, ...input }, former)).toBe(expected)
    expect(isElectionChanged({ ...former, ...input }, undefined)).toBe(true)
  })
})

describe('the list of covered dependents', () => {
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
    const covered = selectDependents(family, tier, named && [...named], '2026-04-01')
    expect((covered as DependentFacts[]).map(({ id }) => id)).toEqual(ids)
  })

  it('includes a child until the last day of the month of the 26th birthday', () => {
    const covered = selectDependents(family, 'EC', ['grown'], '2026-03-31')
    expect((covered as DependentFacts[]).map(({ id }) => id)).toEqual(['grown'])
  })

  it('includes no child born after the day, except from a birth by then', () => {
    const newborn = { ...child, id: 'newborn', date_of_birth: '2026-04-10' }
    const covered = (born_by?: string) => selectDependents([grown, newborn], 'EC', undefined, '2026-03-31', born_by)
    expect(covered()).toEqual([grown])
    expect(covered('2026-04-09')).toEqual([grown])
    expect(covered('2026-04-10')).toEqual([grown, newborn])
  })

  it.each([
    ['refused with a former spouse', 'ES', ['former'], 'dependent_ids[0]'],
    ['refused with a child over the age limit', 'EC', ['child', 'grown'], 'dependent_ids[1]'],
    ['refused with a person who is not a dependent', 'EC', ['stranger'], 'dependent_ids[0]'],
  ] as const)('is %s', (_, tier, named, field) => {
    const refused = selectDependents(family, tier, [...named], '2026-04-01') as Refusal
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
  ] as const)('must fit the coverage level: not %s with %j', (tier, named) => {
    const kind = { code: 'dependents_do_not_fit_tier' }
    expect(selectDependents(family, tier, [...named], '2026-04-01')).toMatchObject({ kind })
    const details = [{ field: 'coverage_tier', message: 'does not fit the dependents; EE does' }]
    expect(selectDependents([], 'ES', undefined, '2026-04-01')).toMatchObject({ kind, details })
  })
})

describe("the operator can't correct", () => {
  const election = { plan_id: 'pln_1', coverage_tier: 'EE' as const, dependent_ids: undefined }
  const nothing = { reason: 'R', election: undefined, waive: undefined, coverage_start: undefined }
  const inactive = { inactive_on: '2026-03-01' }
  it.each<[string, Partial<EnrollmentFacts>, object, string | undefined]>([
    ['nothing', {}, {}, ''],
    ['an election together with a waiver', {}, { election, waive: true }, 'waive'],
    ['a start before the plan year', {}, { coverage_start: '2025-12-31' }, 'coverage_start'],
    ['a start after the plan year', {}, { coverage_start: '2027-01-01' }, 'coverage_start'],
    ['an end without an election', {}, { coverage_end: '2026-05-31' }, 'coverage_end'],
    ['an end before the day before the start', { answer: 'enrolled' }, { coverage_end: '2026-03-30' }, 'coverage_end'],
    ['a start after the end', { coverage_end: '2026-05-31' }, { coverage_start: '2026-06-02' }, 'coverage_end'],
    ['an end after the plan year', { answer: 'enrolled' }, { coverage_end: '2027-01-01' }, 'coverage_end'],
    ['an inactive enrollment with an election', inactive, { election }, 'enrollment_is_inactive'],
    ['an inactive enrollment by removing its end', inactive, { coverage_end: null }, 'enrollment_is_inactive'],
    [
      'an inactive enrollment with an end in the future',
      inactive,
      { coverage_end: '2026-05-31' },
      'enrollment_is_inactive',
    ],
  ])('%s', (_, facts, input, why) => {
    const refused = whyNotCorrect({ ...granted, ...facts }, { ...nothing, ...input }, '2026-03-20')
    expect(refused instanceof Refusal ? refused.details[0]!.field : refused?.code).toBe(why)
  })

  it.each<[string, Partial<EnrollmentFacts>, object]>([
    ['coverage that never began', { answer: 'enrolled' }, { coverage_end: '2026-03-31' }],
    ['the whole plan year', { answer: 'enrolled' }, { coverage_start: '2026-01-01', coverage_end: '2026-12-31' }],
    [
      'the last day of an inactive enrollment',
      { ...inactive, answer: 'enrolled', coverage_start: '2026-01-01' },
      { coverage_end: '2026-01-31' },
    ],
  ])('but can %s', (_, facts, input) => {
    expect(whyNotCorrect({ ...granted, ...facts }, { ...nothing, ...input }, '2026-03-20')).toBeUndefined()
  })
})
