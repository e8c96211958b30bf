import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import { contributionRange, costOf, type Person } from './contribution-rules.ts'
import { offerOf, offerInputOf, whyNotOffer, type CatalogBenefit, type Offer, type OfferInput } from './offer-rules.ts'
import { whyNotChange, whyNotOpen, type Change, type Overlap, type PlanYear } from './rules.ts'
import type { Refusal, RefusalKind } from '../../../kernel/refusal.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { ContributionTier, type ContributionStrategy } from './contribution-schemas.ts'

const fixed = (amount_in_cents: number, coverage_tier: CoverageTier | null = null) => ({
  coverage_tier,
  method: 'fixed' as const,
  amount_in_cents,
})
const percent = (percentage: number, coverage_tier: CoverageTier | null = null) => ({
  coverage_tier,
  method: 'percentage' as const,
  percentage,
})
const byTiers = (...contribution_tiers: ContributionStrategy['contribution_tiers']): ContributionStrategy => ({
  contribution_tiers,
  ichra_contribution_classes: [],
})
const anyone = {
  name: 'Everybody',
  employee_class: null,
  min_age: null,
  max_age: null,
  state: null,
  coverage_tier: null,
  allowance_in_cents: 10_000,
}
const byClasses = (...classes: Partial<typeof anyone | object>[]): ContributionStrategy => ({
  contribution_tiers: [],
  ichra_contribution_classes: classes.map((input) => ({ ...anyone, ...input })),
})

describe('the cost of an election', () => {
  it.each([
    ['without a contribution strategy', 10_000, 'EE', byTiers(), 0],
    ['a fixed amount', 10_000, 'EE', byTiers(fixed(2_500)), 2_500],
    ['at most the premium', 10_000, 'EE', byTiers(fixed(10_001)), 10_000],
    ['a percentage', 10_000, 'EE', byTiers(percent(62.5)), 6_250],
    ['the full premium', 9_999, 'EE', byTiers(percent(100)), 9_999],
    ['half a cent is rounded up', 1, 'EE', byTiers(percent(50)), 1],
    ['less than half a cent is rounded down', 1, 'EE', byTiers(percent(49.99)), 0],
    ['rounded half up where floating point would be too low', 1_000, 'EE', byTiers(percent(1.15)), 12],
    ['a percentage of a large amount', 100_000_000_000, 'EE', byTiers(percent(33.33)), 33_330_000_000],
    ['a hundredth of a percent', 5_000, 'EE', byTiers(percent(0.01)), 1],
    ['a contribution for its coverage level', 10_000, 'EF', byTiers(fixed(1, 'EE'), fixed(2, 'EF')), 2],
    ['the first match', 10_000, 'EE', byTiers(fixed(1), fixed(2, 'EE')), 1],
    ['no matching coverage level', 10_000, 'ES', byTiers(fixed(1, 'EE')), 0],
    ['a free plan', 0, 'EE', byTiers(percent(50), fixed(100)), 0],
  ])('%s', (_, premium_in_cents, coverage_tier, strategy, contribution) => {
    expect(costOf({ premium_in_cents, coverage_tier }, strategy, null)).toEqual({
      premium_in_cents,
      employer_contribution_in_cents: contribution,
      employee_deduction_in_cents: premium_in_cents - contribution,
    })
  })

  const ana: Person = { employee_class: 'Full Time', age: 40, state: 'NY' }
  it.each([
    ['an allowance without conditions', ana, byClasses({}), 10_000],
    ['the class', ana, byClasses({ employee_class: 'Part Time', allowance_in_cents: 1 }, {}), 10_000],
    [
      'a missing class is Full Time',
      { ...ana, employee_class: null },
      byClasses({ employee_class: 'Full Time' }),
      10_000,
    ],
    ['the first age', ana, byClasses({ min_age: 40, max_age: 49, allowance_in_cents: 2 }, {}), 2],
    ['the last age', ana, byClasses({ max_age: 40, allowance_in_cents: 3 }, {}), 3],
    ['a year too young', ana, byClasses({ min_age: 41, allowance_in_cents: 4 }, {}), 10_000],
    ['a year too old', ana, byClasses({ max_age: 39, allowance_in_cents: 5 }, {}), 10_000],
    ['the state', ana, byClasses({ state: 'NY', allowance_in_cents: 6 }, {}), 6],
    ['another state', ana, byClasses({ state: 'NJ', allowance_in_cents: 7 }, {}), 10_000],
    ['an unknown state', { ...ana, state: null }, byClasses({ state: 'NY', allowance_in_cents: 8 }, {}), 10_000],
    ['the tier', ana, byClasses({ coverage_tier: 'EF' as const, allowance_in_cents: 9 }, {}), 10_000],
    ['no matching class', ana, byClasses({ employee_class: 'Intern' }), 0],
    ['at most the premium', ana, byClasses({ allowance_in_cents: 99_999 }), 50_000],
    ['an unknown person', null, byClasses({ max_age: 200, allowance_in_cents: 10 }, { allowance_in_cents: 11 }), 11],
  ])('by contribution classes: %s', (_, person, strategy, contribution) => {
    const { employer_contribution_in_cents } = costOf(
      { premium_in_cents: 50_000, coverage_tier: 'EE' },
      strategy,
      person,
    )
    expect(employer_contribution_in_cents).toBe(contribution)
  })

  const tiers = fc.constantFrom('EE', 'ES', 'EC', 'EF')
  const cents = fc.nat({ max: 500_000 })
  const either = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
  const strategies = fc.oneof(
    fc
      .array(
        fc.oneof(
          fc.record({ coverage_tier: either(tiers), method: fc.constant('fixed' as const), amount_in_cents: cents }),
          fc.record({
            coverage_tier: either(tiers),
            method: fc.constant('percentage' as const),
            percentage: fc.nat({ max: 10_000 }).map((hundredths) => hundredths / 100),
          }),
        ),
        { maxLength: 5 },
      )
      .map((input) => byTiers(...input)),
    fc
      .array(
        fc.record({
          employee_class: either(fc.constantFrom('Full Time', 'Part Time')),
          min_age: either(fc.nat({ max: 60 })),
          max_age: either(fc.nat({ max: 60 })),
          state: either(fc.constantFrom('NY', 'NJ')),
          coverage_tier: either(tiers),
          allowance_in_cents: cents,
        }),
        { minLength: 1, maxLength: 5 },
      )
      .map((input) => byClasses(...input)),
  )
  const people = either(
    fc.record({
      employee_class: either(fc.constantFrom('Full Time', 'Part Time')),
      age: fc.integer({ min: 18, max: 80 }),
      state: either(fc.constantFrom('NY', 'NJ', 'PR')),
    }),
  )
  const rates = fc.record({ premium_in_cents: cents, coverage_tier: tiers })

  it('is in whole cents, adds up to the premium, and is within the range of the price list', () => {
    fc.assert(
      fc.property(rates, strategies, people, (rate, strategy, person) => {
        const cost = costOf(rate, strategy, person)
        const { employer_contribution_in_cents: paid, employee_deduction_in_cents: rest } = cost
        expect(Number.isSafeInteger(paid) && Number.isSafeInteger(rest)).toBe(true)
        expect(paid + rest).toBe(rate.premium_in_cents)
        expect(Math.min(paid, rest)).toBeGreaterThanOrEqual(0)
        const { least, most } = contributionRange(rate, strategy)
        expect(paid).toBeGreaterThanOrEqual(least)
        expect(paid).toBeLessThanOrEqual(most)
        expect(most).toBeLessThanOrEqual(rate.premium_in_cents)
      }),
      { numRuns: 2_000 },
    )
  })

  it('accepts every percentage with two decimals, and none with three', () => {
    for (let hundredths = 0; hundredths <= 10_000; hundredths++) {
      expect(ContributionTier.safeParse({ method: 'percentage', percentage: hundredths / 100 }).success).toBe(true)
    }
    for (const percentage of [0.001, 33.333, 62.505, 99.999, -0.01, 100.01, Number.NaN]) {
      expect(ContributionTier.safeParse({ method: 'percentage', percentage }).success, String(percentage)).toBe(false)
    }
  })
})

describe('the minimum and maximum contribution', () => {
  const rate = { premium_in_cents: 50_000, coverage_tier: 'EE' }
  const allowing = (allowance_in_cents: number, input: object = {}) => ({ ...input, allowance_in_cents })
  it.each([
    ['are equal for contribution tiers', byTiers(percent(50)), 25_000, 25_000],
    ['range across the classes', byClasses(allowing(10, { max_age: 30 }), allowing(20)), 10, 20],
    [
      'include 0 for employees without a match',
      byClasses(allowing(10, { max_age: 30 }), allowing(20, { min_age: 50 })),
      0,
      20,
    ],
    ['exclude classes that never apply', byClasses(allowing(10), allowing(20)), 10, 10],
    ['use only classes of the coverage level', byClasses(allowing(10, { coverage_tier: 'EF' }), allowing(20)), 20, 20],
    ['are 0 without a class for the coverage level', byClasses(allowing(10, { coverage_tier: 'EF' })), 0, 0],
    ['do not exceed the premium', byClasses(allowing(60_000)), 50_000, 50_000],
  ])('%s', (_, strategy, least, most) => {
    expect(contributionRange(rate, strategy)).toEqual({ least, most })
  })
})

const year: PlanYear = {
  year: 2027,
  coverage_start: '2027-01-01',
  coverage_end: '2027-12-31',
  open_enrollment_start: '2026-11-01',
  open_enrollment_end: '2026-11-30',
  offered_states: [],
}
const codeOf = (why: Refusal | RefusalKind | undefined) => (why && 'kind' in why ? why.kind : why)?.code
const fieldOf = (why: Refusal | RefusalKind | undefined) =>
  why && 'details' in why ? why.details[0]?.field : undefined

const overlap: Overlap = {
  benefit_id: 'mec',
  plan_year_id: 'plyr_other',
  coverage_start: '2026-07-01',
  coverage_end: '2027-06-30',
}

describe('a plan year', () => {
  const why_not = 'is in the plan year plyr_other from 2026-07-01 to 2027-06-30'
  it.each<[string, OfferInput[], string, string]>([
    [
      'by its position in the request',
      [{ benefit_id: 'vv' }, { benefit_id: 'mec' }],
      'benefits[1].benefit_id',
      why_not,
    ],
    ['taken over', [{ benefit_id: 'mec', taken_over: true }], '', `benefit mec: ${why_not}`],
    ['without a position if it was not sent', [], '', `benefit mec: ${why_not}`],
  ])('names a benefit that another one offers on overlapping days: %s', (_, input, field, message) => {
    expect((whyNotOpen(year, [overlap], input) as Refusal).details).toEqual([{ field, message }])
  })

  it.each([
    ['of 365 days', {}, undefined],
    ['of 366 days', { coverage_end: '2028-01-01' }, undefined],
    ['of two days', { coverage_end: '2027-01-02' }, undefined],
    ['of 367 days', { coverage_end: '2028-01-02' }, 'coverage_end'],
    ['of one day', { coverage_end: '2027-01-01' }, 'coverage_end'],
    ['that ends before it starts', { coverage_end: '2026-12-31' }, 'coverage_end'],
    ['without a window', { open_enrollment_start: null, open_enrollment_end: null }, undefined],
    ['with half a window', { open_enrollment_start: null }, 'open_enrollment_start'],
    ['with the other half', { open_enrollment_end: null }, 'open_enrollment_end'],
    ['with a window of a day', { open_enrollment_end: '2026-11-01' }, undefined],
    ['with a window backwards', { open_enrollment_end: '2026-10-31' }, 'open_enrollment_end'],
    ['with a window to its last day', { open_enrollment_end: '2027-12-31' }, undefined],
    ['with a window beyond its last day', { open_enrollment_end: '2028-01-01' }, 'open_enrollment_end'],
  ])('%s', (_, input, field) => {
    const why = whyNotOpen({ ...year, ...input }, [])
    expect([codeOf(why), fieldOf(why)]).toEqual(field ? ['invalid_plan_year', field] : [undefined, undefined])
  })

  it('is refused for an overlapping benefit before its days are validated', () => {
    expect(codeOf(whyNotOpen({ ...year, coverage_end: '2026-01-01' }, [overlap]))).toBe('plan_year_overlaps')
  })
})

const rate = (plan_id: string, premium_in_cents = 100) => ({
  plan_id,
  coverage_tier: 'EE',
  tier_id: 'tier',
  premium_in_cents,
  min_contribution_in_cents: 0,
  max_contribution_in_cents: 0,
})
const offer: Offer = {
  benefit_id: 'mec',
  starts_on: '2027-01-01',
  contribution_strategy: byTiers(fixed(10)),
  rates: [rate('a'), rate('b')],
  choice_group: 'medical',
}

describe('a change', () => {
  const change: Change = {
    former: { ...year, is_amended: false, offers: [offer] },
    year,
    input: undefined,
    overlaps: [],
    has_elections: false,
  }
  const eve = '2026-12-31'

  it.each<[string, string, Partial<Change>, string | undefined]>([
    ['is possible on the day before', eve, {}, undefined],
    ['is too late on the first day', '2027-01-01', {}, 'plan_year_has_started'],
    [
      'is too late before all other reasons',
      '2027-01-01',
      { has_elections: true, overlaps: [overlap], input: [] },
      'plan_year_has_started',
    ],
    ['must not overlap another plan year', eve, { overlaps: [overlap] }, 'plan_year_overlaps'],
    [
      'can move the days before the first election',
      eve,
      { year: { ...year, coverage_start: '2027-02-01' } },
      undefined,
    ],
    ['can replace the benefits before the first election', eve, { input: [{ benefit_id: 'mvp' }] }, undefined],
  ])('%s', (_, today, input, code) => {
    expect(codeOf(whyNotChange({ ...change, ...input }, today))).toBe(code)
  })

  const again = (input: Partial<OfferInput> = {}): Partial<Change> => ({ input: [{ benefit_id: 'mec', ...input }] })
  it.each<[string, Partial<Change>, boolean]>([
    ['nothing', {}, true],
    ['the window', { year: { ...year, open_enrollment_end: '2026-12-15' } }, true],
    ['the states', { year: { ...year, offered_states: ['NY'] } }, true],
    ['the first day', { year: { ...year, coverage_start: '2027-01-02' } }, false],
    ['the last day', { year: { ...year, coverage_end: '2027-12-30' } }, false],
    ['another benefit too', { input: [{ benefit_id: 'mvp' }, { benefit_id: 'mec' }] }, true],
    ['another benefit instead', { input: [{ benefit_id: 'mvp' }] }, false],
    [
      'the same benefits again',
      again({ starts_on: '2027-01-01', plan_ids: ['b', 'a'], contribution_tiers: [fixed(10)] }),
      true,
    ],
    ['its first day', again({ starts_on: '2027-02-01' }), false],
    ['fewer plans', again({ plan_ids: ['a'] }), false],
    ['another contribution', again({ contribution_tiers: [fixed(11)] }), false],
    ['classes', again({ ichra_contribution_classes: [anyone] }), false],
  ])('after an election: %s', (_, input, allowed) => {
    const why = whyNotChange({ ...change, has_elections: true, ...input }, eve)
    expect(codeOf(why)).toBe(allowed ? undefined : 'plan_year_has_elections')
  })
})

describe('an offer', () => {
  const plan = (id: string, input: object = {}) => ({
    id,
    rates: [{ coverage_tier: 'EE', tier_id: `tier_${id}`, premium_in_cents: 10_000 }],
    allowances: [],
    ...input,
  })
  const { name: _, ...allowance } = anyone
  const mec: CatalogBenefit = { id: 'mec', family: 'mec', plans: [plan('a'), plan('b'), plan('new', { rates: [] })] }
  const ichra: CatalogBenefit = {
    id: 'ichra',
    family: 'ichra',
    plans: [plan('a', { allowances: [allowance] }), plan('b', { allowances: [allowance] })],
  }
  const differing: CatalogBenefit = { ...ichra, plans: [ichra.plans[0]!, plan('c')] }
  const allowances = { ichra_contribution_classes: [anyone] }
  const no_classes = { ichra_contribution_classes: [] }
  it.each<[string, Partial<OfferInput>, CatalogBenefit | undefined, string | undefined, string?]>([
    ['of all plans with a rate', {}, mec, undefined],
    ['of one plan', { plan_ids: ['b'] }, mec, undefined],
    ['of an unknown benefit', {}, undefined, 'unknown_benefit', 'benefit_id'],
    ['of an unknown plan', { plan_ids: ['a', 'c'] }, mec, 'unknown_plan', 'plan_ids[1]'],
    ['of a plan without a rate', { plan_ids: ['a', 'new'] }, mec, 'plan_has_no_rate', 'plan_ids[1]'],
    ['without any rate', {}, { ...mec, plans: [plan('new', { rates: [] })] }, 'plan_has_no_rate', 'benefit_id'],
    ['from the last day', { starts_on: '2027-12-31' }, mec, undefined],
    ['from the day after', { starts_on: '2028-01-01' }, mec, 'invalid_plan_year', 'starts_on'],
    ['from the day before', { starts_on: '2026-12-31' }, mec, 'invalid_plan_year', 'starts_on'],
    ['of MEC by classes', allowances, mec, 'contribution_does_not_fit', 'ichra_contribution_classes'],
    ['of MEC by no classes', no_classes, mec, undefined],
    ['of ICHRA by tiers', { contribution_tiers: [fixed(1)] }, ichra, 'contribution_does_not_fit', 'contribution_tiers'],
    ['of ICHRA by the catalog', {}, ichra, undefined],
    ['of ICHRA by classes of its own', allowances, differing, undefined],
    ['of ICHRA by a catalog that differs', {}, differing, 'contribution_missing', 'ichra_contribution_classes'],
    ['of the plan with allowances alone', { plan_ids: ['a'] }, differing, undefined],
    ['of ICHRA by no classes', no_classes, ichra, 'contribution_missing', 'ichra_contribution_classes'],
  ])('%s', (_, input, benefit, code, field) => {
    const why = whyNotOffer({ benefit_id: 'x', ...input }, benefit, year, 'benefits[3]')
    expect([codeOf(why), fieldOf(why)]).toEqual([code, field && `benefits[3].${field}`])
  })

  it('reports that the classes of an ICHRA are required', () => {
    const why = whyNotOffer({ benefit_id: 'x', ...no_classes }, ichra, year, '') as Refusal
    expect(why.details[0]!.message).toBe('is required')
  })

  it('has the prices of the catalog, with the range of the employer contribution', () => {
    expect(offerOf({ benefit_id: 'mec', contribution_tiers: [percent(50)] }, mec, year)).toEqual({
      benefit_id: 'mec',
      starts_on: '2027-01-01',
      contribution_strategy: byTiers(percent(50)),
      rates: ['a', 'b'].map((id) => ({
        plan_id: id,
        tier_id: `tier_${id}`,
        coverage_tier: 'EE',
        premium_in_cents: 10_000,
        min_contribution_in_cents: 5_000,
        max_contribution_in_cents: 5_000,
      })),
    })
  })

  it.each([
    [{}, 'Everybody'],
    [
      { employee_class: 'Full Time', min_age: 40, state: 'NY', coverage_tier: 'EF' },
      'Full Time, 40 to any age, NY, EF',
    ],
    [{ max_age: 39 }, '0 to 39'],
  ])('gives the allowance of the catalog for %j a name with its conditions', (input, name) => {
    const benefit = { ...ichra, plans: [plan('a', { allowances: [{ ...allowance, ...input }] })] }
    expect(offerOf({ benefit_id: 'ichra' }, benefit, year).contribution_strategy.ichra_contribution_classes).toEqual([
      { ...anyone, ...input, name },
    ])
  })

  it('copied to other days follows the first day of its plan year, or keeps its own', () => {
    const plain = offerInputOf(offer, year)
    expect(plain).toEqual({
      benefit_id: 'mec',
      choice_group: 'medical',
      plan_ids: ['a', 'b'],
      starts_on: undefined,
      taken_over: true,
      ...byTiers(fixed(10)),
    })
    expect(offerInputOf({ ...offer, starts_on: '2027-03-01' }, year).starts_on).toBe('2027-03-01')
    expect(offerOf(plain, mec, { ...year, coverage_start: addDays(year.coverage_start, 31) }).starts_on).toBe(
      '2027-02-01',
    )
  })
})
