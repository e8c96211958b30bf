import { describe, expect, it } from 'vitest'
import type { Day } from '../../../kernel/days.ts'
import { explain, policyOf, whyNotFor, type EligibilityFacts, type OfferedBenefit, type Period } from './rules.ts'

/** An employee hired on March 5, 2026 with the waiting period `first_of_following_month`, in the plan year 2026. */
const run: Period = {
  anchor: '2026-03-05',
  rule: 'first_of_following_month',
  start_alignment: 'exact',
  policy_id: 'epol_1',
  raw_day: '2026-04-01',
  aligned_day: '2026-04-01',
  waited_on: '2026-04-01',
  service_from: null,
  lost_on: null,
  covered_until: null,
  cap: '2026-06-03',
}
const medical = { id: 'bprd_1', category: 'Medical', name: 'Essential Care', product_code: 'MEC' }
const dental = { id: 'bprd_2', category: 'Dental', name: 'Dental', product_code: 'VD' }
const offer: OfferedBenefit = {
  benefit: medical,
  benefit_plan_year_id: 'plyr_1',
  plan_year_start: '2026-01-01',
  plan_year_end: '2026-12-31',
  starts_on: '2026-01-01',
  state: 'VT',
  employer_state: 'CA',
  offered_in_state: true,
  run,
  eligibility_policy: null,
  coverage_start: '2026-04-01',
  enrollment: null,
}
const facts: EligibilityFacts = {
  employee_id: 'empl_1',
  employer_id: 'empr_1',
  hired_on: '2026-03-05',
  terminated_on: null,
  employee_class: 'Full Time',
  compensation_type: null,
  class_history: [],
  eligibility_policy: policyOf('epol_1', { classification: 'full_time', waiting_period: 'first_of_following_month' }),
  run,
  offers: [],
}
const renewed = {
  plan_year_start: '2027-01-01',
  plan_year_end: '2027-12-31',
  starts_on: '2027-01-01',
  coverage_start: '2027-01-01',
}
const late = { waited_on: '2026-07-01' }

it.each<[string, Partial<Period>, Day, string]>([
  [
    'the last day of the waiting period',
    {},
    '2026-03-31',
    'The waiting period ends on 2026-03-31. Eligible from 2026-04-01.',
  ],
  ['both days afterward', {}, '2026-04-01', 'The waiting period ended on 2026-03-31. Eligible since 2026-04-01.'],
  [
    'only the first day without a waiting period',
    { waited_on: '2026-03-05' },
    '2026-03-05',
    'Eligible since 2026-03-05.',
  ],
])('states %s', (_, of_run, as_of, reason) => {
  const explained = explain({ ...facts, run: { ...run, ...of_run } }, as_of)
  expect(explained).toMatchObject({ reason, eligible_on: of_run.waited_on ?? '2026-04-01' })
})

describe('the explanation of a benefit warns', () => {
  it.each<[string, Partial<OfferedBenefit>, Partial<Period>, string[]]>([
    ['about nothing in the year of the hire', {}, {}, []],
    ['about nothing at a renewal', renewed, {}, []],
    ['about nothing if a medical benefit begins in mid-year', { ...renewed, starts_on: '2027-07-01' }, {}, []],
    [
      'about nothing if the waiting period ends on the 90th day',
      {},
      { raw_day: '2026-06-03', aligned_day: '2026-06-03', waited_on: '2026-06-03' },
      [],
    ],
    [
      'about the cap if the waiting period would exceed it',
      { coverage_start: '2026-06-03' },
      late,
      ['policy_came_later', 'coverage_capped'],
    ],
    ['about the cap only for medical products', { benefit: dental }, late, ['policy_came_later']],
    ['about a plan year that ends first', { coverage_start: '2027-01-01' }, {}, ['plan_year_ends_first']],
    ['about a state where the plan year is not offered', { offered_in_state: false }, {}, ['not_offered_in_state']],
  ])('%s', (_, of_offer, of_run, codes) => {
    const input = { ...facts, offers: [{ ...offer, run: { ...run, ...of_run }, ...of_offer }] }
    const [benefit] = explain(input, '2026-08-01').benefits
    expect(benefit!.warnings.map(({ code }) => code)).toEqual(codes)
  })
})

it.each<[string, Partial<OfferedBenefit>, string]>([
  ['of residence', {}, 'The plan year is not offered in Vermont, where the employee lives.'],
  [
    'of the employer, if that of the employee is unknown',
    { state: null },
    "The plan year is not offered in California. The employer's state counts, because the employee's is unknown.",
  ],
])('names the state %s where a plan year is not offered', (_, of_offer, message) => {
  const input = { ...facts, offers: [{ ...offer, offered_in_state: false, ...of_offer }] }
  const [benefit] = explain(input, '2026-08-01').benefits
  expect(benefit!.warnings).toEqual([{ code: 'not_offered_in_state', message }])
})

describe('the explanation of a benefit', () => {
  it.each<[string, Partial<OfferedBenefit>, Partial<Period>, string, string | null]>([
    ['the plan year', {}, {}, '2026-01-01', '2026-06-03'],
    ['a benefit that begins later', { starts_on: '2026-07-01' }, {}, '2026-07-01', '2026-06-03'],
    ['a policy that was created later', {}, late, '2026-07-01', '2026-06-03'],
    ['the plan year, without a cap for dental', { benefit: dental }, {}, '2026-01-01', null],
  ])('is bounded by %s', (_, of_offer, of_run, floor, cap) => {
    const input = { ...facts, offers: [{ ...offer, run: { ...run, ...of_run }, ...of_offer }] }
    expect(explain(input, '2026-08-01').benefits[0]).toMatchObject({ floor, cap })
  })
})

describe('the explanation of a benefit has a first day of coverage', () => {
  it.each<[string, Partial<Period>, string | null]>([
    ['while eligibility lasts', {}, '2026-04-01'],
    ['if the month of the loss begins with it', { lost_on: '2026-04-02', covered_until: '2026-04-30' }, '2026-04-01'],
    ['not if eligibility is lost before it', { lost_on: '2026-03-20', covered_until: '2026-03-31' }, null],
  ])('%s', (_, of_run, coverage_start) => {
    const offers = [{ ...offer, run: { ...run, ...of_run } }]
    expect(explain({ ...facts, offers }, '2026-08-01').benefits[0]!.coverage_start).toBe(coverage_start)
  })
})

describe('a policy', () => {
  it.each([
    [{ classification: 'full_time' } as const, ['Full Time']],
    [{ classification: 'part_time' } as const, ['Part Time']],
    [{ classification: 'all' } as const, ['Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal']],
    [{ employee_classes: ['Individual Contractor'] } as const, ['Individual Contractor']],
  ])('of %j covers %j', (input, covered) =>
    expect(policyOf('epol_1', { ...input, waiting_period: 'none' } as never).employee_classes).toEqual(covered),
  )

  it.each([
    ['full_time', ['Full Time']],
    ['part_time', ['Part Time']],
    ['all', ['Full Time', 'Part Time']],
    ['all', ['Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal']],
    ['all', ['Individual Contractor']],
  ] as const)('has the classification %s if it lists %j', (classification, employee_classes) =>
    expect(policyOf('epol_1', { employee_classes: [...employee_classes], waiting_period: 'none' })).toMatchObject({
      classification,
      employee_classes,
    }),
  )

  it.each([
    ['none', { unknown: [], taken: [] }, undefined],
    ['that the catalog lacks', { unknown: ['b'], taken: ['a'] }, ['policy_benefit_unknown', 'benefit_ids[1]']],
    [
      'of a policy that also applies to others',
      { unknown: [], taken: ['a'] },
      ['benefit_has_policy', 'benefit_ids[0]'],
    ],
  ])("can't be for benefits: %s", (_, judged, expected) => {
    const why = whyNotFor(['a', 'b'], judged)
    expect(why && [why.kind.code, why.details[0]!.field]).toEqual(expected)
  })
})

describe('the explanation of an employee', () => {
  const hourly = policyOf('epol_2', { classification: 'all', compensation_types: ['Hourly'], waiting_period: 'none' })
  const interns = policyOf('epol_3', { employee_classes: ['Intern', 'Seasonal'], waiting_period: 'none' })

  it.each([
    [hourly, { compensation_type: 'Salary' }, 'The policy covers Hourly, and the compensation type is Salary.'],
    [hourly, {}, 'The policy covers Hourly, and the compensation type is unknown.'],
    [interns, {}, 'The policy covers Intern, Seasonal, and the class is Full Time.'],
    [
      hourly,
      { employee_class: 'Individual Contractor' },
      'The policy covers Full Time, Part Time, Temporary, Intern, Seasonal, and the class is Individual Contractor.',
    ],
    [null, {}, 'The employer has no eligibility policy.'],
  ])('explains why a benefit is out of reach: %#', (eligibility_policy, of_them, reason) => {
    const input = { ...facts, ...of_them, offers: [{ ...offer, run: null, coverage_start: null, eligibility_policy }] }
    const { benefits, benefits_without_period, warnings } = explain(input, '2026-08-01')
    expect([benefits, benefits_without_period[0]!.reason]).toEqual([[], reason])
    const unknown = eligibility_policy === hourly && !('compensation_type' in of_them)
    expect(warnings.map(({ code }) => code)).toEqual(unknown ? ['compensation_type_unknown'] : [])
  })
})
