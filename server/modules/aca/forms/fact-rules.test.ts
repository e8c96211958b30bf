import { describe, expect, it } from 'vitest'
import { originOf } from './employment-rules.ts'
import { offeredDays, type FormEnrollment, type FormFacts } from './fact-rules.ts'
import { personYearOf } from './person-rules.ts'
import { formOf } from './rules.ts'

const enrollment: FormEnrollment = {
  kind: 'group_plan',
  has_minimum_value: true,
  plan_year_start: '2026-01-01',
  plan_year_end: '2026-12-31',
  coverage_start: '2026-01-01',
  coverage_end: null,
  answer: 'enrolled',
  inactive_on: null,
  ended_by: null,
  employment_state: 'TX',
  coverage_tiers: ['EE', 'ES', 'EC', 'EF'],
  costs: [
    { effective_on: '2026-01-01', until: '2026-07-01', cost_in_cents: 12_989 },
    { effective_on: '2026-07-01', until: '2027-01-01', cost_in_cents: 12_990 },
  ],
  elections: [
    {
      effective_on: '-infinity',
      coverage_tier: 'ES',
      self_insured: true,
      dependents: [{ id: 'dep_1', covered_until: null }],
    },
  ],
  affordability: null,
}
const ada = {
  person_id: 'mbr_1',
  first_name: 'Ada',
  last_name: 'Byron',
  suffix: null,
  date_of_birth: '1990-01-02',
  tax_identifier_last_four: '9999',
}
const facts: FormFacts = {
  form_type: '1095-C',
  employee_id: 'empl_1',
  ein_employer_id: 'empr_1',
  is_own: true,
  group_hours: [],
  person: ada,
  family: [{ ...ada, person_id: 'dep_1', first_name: 'Anne' }],
  hired_on: '2024-05-01',
  terminated_on: null,
  earlier_employments: [],
  address: null,
  classes: [{ effective_on: '2024-05-01', employee_class: 'Full Time' }],
  compensations: [],
  wages: [],
  enrollments: [enrollment],
  continuation_coverage: [],
  continuations: [],
  is_measured: false,
  w2_wages_in_cents: null,
  multiemployer_months: [],
  has_conditional_spouse_offer: false,
}
const formIn = (changes: Partial<FormFacts>) => formOf(personYearOf([{ ...facts, ...changes }], 2026, []), '1095-C')
const codesIn = (changes: Partial<FormFacts>) =>
  formIn(changes).months.map(({ line_14, line_16 }) => `${line_14.value} ${line_16.value ?? '-'}`)
const withEnrollment = (changes: Partial<FormEnrollment>) => ({ enrollments: [{ ...enrollment, ...changes }] })
const times = (count: number, code: string): string[] => Array.from({ length: count }, () => code)

describe('the form of an employee', () => {
  it('is a qualifying offer while the cost is within the poverty line of 2026: $129.89, not $129.90', () =>
    expect(codesIn(withEnrollment({ answer: 'waived' }))).toEqual([...times(6, '1A -'), ...times(6, '1E -')]))

  it('uses the poverty line of the state of employment', () => {
    const costs = [{ effective_on: '2026-01-01', until: '2027-01-01', cost_in_cents: 15_000 }]
    const inState = (employment_state: string) =>
      new Set(codesIn(withEnrollment({ answer: 'waived', costs, employment_state })))
    expect(inState('AK')).toEqual(new Set(['1E 2G']))
    expect(inState('WA')).toEqual(new Set(['1E -']))
  })

  it('lists the people in self-insured coverage, and an empty list for insured coverage', () => {
    expect(formIn({}).covered_people.map(({ person_id }) => person_id)).toEqual(['mbr_1', 'dep_1'])
    const insured = enrollment.elections.map((election) => ({ ...election, self_insured: false }))
    expect(formIn(withEnrollment({ elections: insured })).covered_people).toEqual([])
  })

  it('lists a dependent until the month in which the coverage of the dependent ends', () => {
    const dependents = [{ id: 'dep_1', covered_until: '2026-04-10' }]
    const elections = [{ effective_on: '-infinity', coverage_tier: 'EC', self_insured: true, dependents }]
    const [, child] = formIn(withEnrollment({ elections })).covered_people
    expect(child!.months).toEqual(Array.from({ length: 12 }, (_, at) => at < 4))
  })

  it('is not full-time for other classes, and not an employee for contractors', () => {
    const of_class = (employee_class: string) =>
      codesIn({ enrollments: [], classes: [{ effective_on: '2024-05-01', employee_class }] })
    expect(of_class('Seasonal')).toEqual(times(12, '1H 2B'))
    expect(of_class('Individual Contractor')).toEqual(times(12, '1H 2A'))
  })

  it('allows three full months without an offer before a first offer, but no months if there is never an offer', () => {
    const hired_on = '2026-02-10'
    const classes = [{ effective_on: hired_on, employee_class: 'Full Time' }]
    const later = withEnrollment({ coverage_start: '2026-06-01', answer: 'waived' })
    expect(codesIn({ hired_on, classes, ...later }).slice(0, 6)).toEqual(['1H 2A', ...times(4, '1H 2D'), '1A -'])
    const too_late = withEnrollment({ coverage_start: '2026-07-01', answer: 'waived' })
    expect(codesIn({ hired_on, classes, ...too_late }).slice(0, 6)).toEqual(['1H 2A', '1H 2D', ...times(4, '1H -')])
  })

  it.each([
    ['a new employee after 13 weeks without service', '2025-11-10', null, '2D'],
    ['a continuing employee after 13 weeks less a day', '2025-11-11', null, '-'],
    ['a continuing employee whose first three months are not over', '2026-02-06', '2026-01-12', '2D'],
  ])('has the limited non-assessment period of %s (54.4980H-3(c)(4)(i))', (_, terminated_on, hired_on, relief) => {
    const returned_on = '2026-02-10'
    const classes = [{ effective_on: returned_on, employee_class: 'Full Time' }]
    const offered = withEnrollment({ coverage_start: '2026-05-01', answer: 'waived' })
    const earlier_employments = [{ hired_on: hired_on ?? '2024-06-03', terminated_on }]
    const codes = codesIn({ hired_on: returned_on, earlier_employments, classes, ...offered })
    expect(codes.slice(1, 5)).toEqual([...times(3, `1H ${relief}`), '1A -'])
  })

  it('uses the lowest wage of a month for the rate of pay', () => {
    const wages = [
      { effective_on: '2026-01-01', monthly_wage_in_cents: 200_000 },
      { effective_on: '2026-09-15', monthly_wage_in_cents: 130_000 },
    ]
    const codes = codesIn({ wages, ...withEnrollment({ answer: 'waived', coverage_tiers: ['EE'] }) })
    expect(codes.slice(5)).toEqual(['1B 2G', '1B 2H', '1B 2H', ...times(4, '1B -')])
  })
})

describe('the origin of the coverage on Form 1095-B', () => {
  const ichra = { ...enrollment, kind: 'ichra' as const }
  const insured = enrollment.elections.map((election) => ({ ...election, self_insured: false }))
  const ended = {
    ...enrollment,
    plan_year_start: '2025-07-01',
    plan_year_end: '2026-06-30',
    coverage_start: '2025-07-01',
    coverage_end: '2025-11-30',
    ended_by: 'termination' as const,
  }
  it.each([
    ['a self-insured plan', [enrollment], 'B'],
    ['an ICHRA', [ichra], 'G'],
    ['an ICHRA and an insured plan', [ichra, { ...enrollment, elections: insured }], 'G'],
    ['an ICHRA and a self-insured plan', [ichra, enrollment], 'B'],
    ['an ICHRA and a self-insured plan until the year before', [ichra, ended], 'G'],
    ['an ICHRA and a waived self-insured plan', [ichra, { ...enrollment, answer: 'waived' as const }], 'G'],
  ])('of %s has its letter of the instructions', (_, enrollments, origin) =>
    expect(originOf({ ...facts, enrollments }, 2026)).toBe(origin),
  )
})

describe('facts that only the employer knows', () => {
  const waived = withEnrollment({ answer: 'waived', coverage_tiers: ['EE', 'ES', 'EC'] })

  it('a conditional offer to the spouse is 1K', () =>
    expect(codesIn({ ...waived, has_conditional_spouse_offer: true })[0]).toBe('1K 2G'))

  it('contributions to a multiemployer plan are 2E in their months', () =>
    expect(codesIn({ enrollments: [], multiemployer_months: [2] }).slice(0, 3)).toEqual(['1H -', '1H 2E', '1H -']))

  it('the wages of Form W-2 apply to all months with an offer, if one needs them', () => {
    const costs = [{ effective_on: '2026-01-01', until: '2027-01-01', cost_in_cents: 20_000 }]
    const offer = withEnrollment({ answer: 'waived', costs, coverage_tiers: ['EE', 'EC'] })
    // 9.96 percent of $24,100 are $2,400.36, and the contributions of the year are $2,400.
    expect(codesIn({ ...offer, w2_wages_in_cents: 2_410_000 })).toEqual(times(12, '1C 2F'))
    expect(codesIn({ ...offer, w2_wages_in_cents: 2_400_000 })).toEqual(times(12, '1C -'))
  })
})

describe('the form of a person with several employments under one EIN', () => {
  const client = { ...facts, terminated_on: '2026-03-10', enrollments: [] }
  const other = { ...facts, employee_id: 'empl_2', hired_on: '2026-03-11' }
  const codesOf = (employments: FormFacts[], measured: Parameters<typeof personYearOf>[3] = null) =>
    formOf(personYearOf(employments, 2026, [], measured), '1095-C').months.map(
      ({ line_14, line_16 }) => `${line_14.value} ${line_16.value ?? '-'}`,
    )

  it('has the best offer of each month', () => {
    const later = withEnrollment({ coverage_start: '2026-04-01', answer: 'waived', coverage_tiers: ['EE', 'EC'] })
    expect(codesOf([client, { ...other, ...later }]).slice(1, 5)).toEqual(['1H -', '1H -', '1C 2G', '1C 2G'])
  })

  it('follows measured hours instead of the class', () => {
    const measured = Array.from({ length: 12 }, (_, at) => ({
      status: at < 2 ? ('limited_non_assessment' as const) : ('part_time' as const),
      needs_offer: at === 1,
      lacks_hours: false,
    }))
    measured[11] = { status: 'full_time' as never, needs_offer: false, lacks_hours: false }
    // In February, no offer follows, so that the limited non-assessment period does not apply.
    expect(codesOf([{ ...facts, enrollments: [] }], measured)).toEqual(['1H 2D', '1H -', ...times(9, '1H 2B'), '1H -'])
  })
})

describe('the employer of a person who works for two ALE members of a group (54.4980H-4(d) and 54.4980H-5(d))', () => {
  const hoursIn = (month: string, hours: number) => ({
    starts_on: `2026-${month}-01`,
    ends_on: `2026-${month}-28`,
    kind: 'worked' as const,
    hundredths: hours * 100,
  })
  const own: FormFacts = { ...facts, enrollments: [], group_hours: [hoursIn('01', 80), hoursIn('02', 60)] }
  const other: FormFacts = {
    ...facts,
    employee_id: 'empl_2',
    ein_employer_id: 'empr_2',
    is_own: false,
    hired_on: '2024-05-02',
    group_hours: [hoursIn('01', 60), hoursIn('02', 80)],
  }
  const codesOf = (employments: FormFacts[]) =>
    formOf(personYearOf(employments, 2026, []), '1095-C').months.map(
      ({ line_14, line_16 }) => `${line_14.value} ${line_16.value ?? '-'}`,
    )

  it('is the one with the most hours of service in the month, and the other reports the month as 2A', () => {
    expect(codesOf([own, other]).slice(0, 2)).toEqual(['1A 2C', '1H 2A'])
    const forms = [
      { ...own, is_own: false },
      { ...other, is_own: true },
    ]
    expect(codesOf(forms).slice(0, 2)).toEqual(['1H 2A', '1A 2C'])
  })

  it('is the one with the longest employment if the hours are equal', () => {
    expect(codesOf([own, other])[2]).toBe('1A 2C')
    expect(codesOf([{ ...own, hired_on: '2024-05-03' }, other])[2]).toBe('1H 2A')
  })

  it('is one with a full-time class but no reported hours, unless another one reports 130 hours or more', () => {
    const salaried = { ...own, group_hours: [] }
    const classes = [{ effective_on: '2024-05-01', employee_class: 'Part Time' }]
    const hourly = (hours: number) => ({ ...other, classes, group_hours: [hoursIn('01', hours)] })
    expect(codesOf([salaried, hourly(129)])[0]).toBe('1A 2C')
    expect(codesOf([salaried, hourly(131)])[0]).toBe('1H 2A')
  })

  it('is neither an employer that the person has left, nor one for which the person is a contractor', () => {
    expect(codesOf([own, { ...other, terminated_on: '2026-01-31' }])[1]).toBe('1A 2C')
    const classes = [{ effective_on: '2024-05-01', employee_class: 'Individual Contractor' }]
    expect(codesOf([own, { ...other, classes }])[1]).toBe('1A 2C')
  })
})

describe('the month in which an employment ends (54.4980H-4(c); Instructions for Form 1095-C, code 2B)', () => {
  const earlier_employments = [{ hired_on: facts.hired_on, terminated_on: '2026-03-10' }]
  const leaving = (changes: Partial<FormEnrollment> = {}): FormFacts => ({
    ...facts,
    terminated_on: '2026-03-10',
    ...withEnrollment({ coverage_end: '2026-03-10', ...changes }),
  })
  const returning = (hired_on: string, enrollments: FormEnrollment[] = []): FormFacts => ({
    ...facts,
    employee_id: 'empl_2',
    hired_on,
    earlier_employments,
    enrollments,
  })
  const transferred = { ...enrollment, coverage_start: '2026-03-11' }
  const covered_again = { ...enrollment, coverage_start: '2026-03-20' }

  it.each<[string, FormFacts[], string]>([
    ['2B if the offer ended with the employment', [leaving()], '1H 2B'],
    ['empty if the offer ended before the employment', [leaving({ coverage_end: '2026-03-05' })], '1H -'],
    ['empty if the offer began in the month', [leaving({ coverage_start: '2026-03-05' })], '1H -'],
    ['2B if the employee returns later in the month', [leaving(), returning('2026-03-20', [covered_again])], '1H 2B'],
    ['2B if the employee returns later in the month without an offer', [leaving(), returning('2026-03-20')], '1H 2B'],
    ['empty if another employment under the EIN follows', [leaving(), returning('2026-03-11')], '1H -'],
    [
      '2C if the coverage continues in another employment',
      [leaving(), returning('2026-03-11', [transferred])],
      '1A 2C',
    ],
    ['empty if another employment under the EIN continues', [leaving(), returning('2025-06-02')], '1H -'],
    ['2C if the coverage continues to the end of the month', [leaving({ coverage_end: '2026-03-31' })], '1A 2C'],
  ])('has line 16 %s', (_, employments, code) => {
    const { months } = formOf(personYearOf(employments, 2026, []), '1095-C')
    expect(`${months[2]!.line_14.value} ${months[2]!.line_16.value ?? '-'}`).toBe(code)
  })
})

describe('a plan year that ends within a month', () => {
  const former = { ...enrollment, plan_year_start: '2025-06-15', plan_year_end: '2026-06-14', costs: [] }
  const next = (starts_on: string) => ({ ...enrollment, plan_year_start: starts_on, coverage_start: starts_on })
  const costs = [{ effective_on: '2025-06-15', until: '2026-06-15', cost_in_cents: 12_000 }]
  const juneWith = (enrollments: FormEnrollment[]) => {
    const { line_14, line_15, line_16 } = formIn({ enrollments }).months[5]!
    return [line_14.value, line_15.value, line_16.value]
  }

  it('is an offer for the whole month if the next plan year follows, at the cost on its first day', () => {
    const ending = { ...former, costs, coverage_tiers: ['EE', 'EC'] }
    const following = { ...next('2026-06-15'), coverage_tiers: ['EE', 'EC'] }
    expect(juneWith([ending, following])).toEqual(['1C', 12_000, '2C'])
  })

  it('is an offer without minimum value if the next plan year has only such plans', () =>
    expect(juneWith([former, { ...next('2026-06-15'), has_minimum_value: false }])).toEqual(['1F', null, '2C']))

  it('is not an offer for the month if a day is missing', () =>
    expect(juneWith([former, next('2026-06-16')])).toEqual(['1H', null, null]))
})

describe('the days of an offer', () => {
  it.each([
    ['an open offer', { answer: null }, ['2026-01-01', '2026-12-31']],
    [
      'a waiver that ends with the eligibility',
      { answer: 'waived', inactive_on: '2026-03-06' },
      ['2026-01-01', '2026-03-31'],
    ],
    ['coverage with an end', { coverage_end: '2026-03-31' }, ['2026-01-01', '2026-03-31']],
    ['a duplicate', { ended_by: 'duplicate' }, undefined],
    ['an offer that never began', { answer: null, inactive_on: '2026-01-01' }, undefined],
  ] as const)('of %s are %s', (_, changes, days) => {
    const found = offeredDays({ ...enrollment, ...changes })
    expect(found && [found.first, found.last]).toEqual(days)
  })
})
