import { describe, expect, it } from 'vitest'
import type { CatalogBenefit, Offer } from '../plan-years/offer-rules.ts'
import type { PlanYear } from '../plan-years/rules.ts'
import {
  amendmentTerms,
  coverageLostOn,
  whyNotAmend,
  whyNotAmendFrom,
  whyNotAddAmendment,
  whyNotOfferTerms,
  whyNotWithdraw,
} from './rules.ts'
import type { NewAmendment } from './schemas.ts'
import { offersOn, rowsOf, termsOf, type AmendmentTerms, type AsOpened } from './terms-rules.ts'

const year: PlanYear = {
  year: 2026,
  coverage_start: '2026-01-01',
  coverage_end: '2026-12-31',
  open_enrollment_start: null,
  open_enrollment_end: null,
  offered_states: [],
}
const paid = (amount_in_cents: number) => ({
  contribution_tiers: [{ coverage_tier: null, method: 'fixed' as const, amount_in_cents }],
  ichra_contribution_classes: [],
})
const rate = (plan_id: string, premium_in_cents: number) => ({
  plan_id,
  coverage_tier: 'EE',
  tier_id: `tier_${plan_id}`,
  premium_in_cents,
  min_contribution_in_cents: 100,
  max_contribution_in_cents: 100,
})
const offer = (benefit_id: string, ...plans: string[]): Offer => ({
  benefit_id,
  starts_on: '2026-01-01',
  choice_group: null,
  contribution_strategy: paid(100),
  rates: plans.map((plan) => rate(plan, 1000)),
})
const opened: AsOpened = {
  coverage_end: '2026-12-31',
  offers: [offer('mvp', 'silver', 'bronze'), offer('dental', 'ppo')],
}

const nothing: Omit<AmendmentTerms, 'id' | 'effective_on'> = {
  coverage_end: null,
  contributions: [],
  plans: [],
  closed_plan_ids: [],
  offers: [],
  withdrawn_benefit_ids: [],
}
const from = (effective_on: string, part: Partial<AmendmentTerms>, id = `a_${effective_on}`): AmendmentTerms => ({
  ...nothing,
  id,
  effective_on,
  ...part,
})
const costs = (plan_id: string, premium_in_cents: number, benefit_id = 'mvp', adds = false) => ({
  benefit_id,
  plan_id,
  adds,
  prices: [{ coverage_tier: 'EE', tier_id: `tier_${plan_id}`, premium_in_cents }],
})
const added = (plan_id: string) => costs(plan_id, 1300, 'mvp', true)
const june_closes = { closed_plan_ids: ['silver'] }
const reopened = (day: string) => from(day, { plans: [added('silver')] }, `reopened_${day}`)
const terms = (...amendments: AmendmentTerms[]) => termsOf(opened, year.coverage_start, amendments)
/** The prices of a plan with their first days, as rows. */
const ratesOf = (plan_id: string, ...amendments: AmendmentTerms[]) =>
  rowsOf(terms(...amendments))
    .rates.filter((row) => row.plan_id === plan_id)
    .map((row) => [row.effective_on, row.until, row.premium_in_cents, row.max_contribution_in_cents])

describe('the offers of a plan year', () => {
  it('are the original ones until an amendment changes them', () => {
    const rows = rowsOf(terms())
    expect(rows.benefits).toEqual([
      { benefit_id: 'mvp', starts_on: '2026-01-01', choice_group: null, ends_on: null, closed_plans: {} },
      { benefit_id: 'dental', starts_on: '2026-01-01', choice_group: null, ends_on: null, closed_plans: {} },
    ])
    expect(ratesOf('silver')).toEqual([['-infinity', 'infinity', 1000, 100]])
  })

  const july = from('2026-07-01', { plans: [costs('silver', 1200)] })
  const start = from('2026-01-01', { plans: [costs('silver', 900)] })
  const march = from('2026-03-01', { contributions: [{ benefit_id: 'mvp', contribution_strategy: paid(300) }] })
  it.each<[string, AmendmentTerms[], unknown[]]>([
    [
      'changes on a day',
      [july],
      [
        ['-infinity', '2026-07-01', 1000, 100],
        ['2026-07-01', 'infinity', 1200, 100],
      ],
    ],
    ['is corrected from the start', [start], [['-infinity', 'infinity', 900, 100]]],
    [
      'is corrected from the start until a later amendment that was made before',
      [july, start],
      [
        ['-infinity', '2026-07-01', 900, 100],
        ['2026-07-01', 'infinity', 1200, 100],
      ],
    ],
    [
      'has another contribution starting on a day, even if a later day was amended before',
      [july, march],
      [
        ['-infinity', '2026-03-01', 1000, 100],
        ['2026-03-01', '2026-07-01', 1000, 300],
        ['2026-07-01', 'infinity', 1200, 300],
      ],
    ],
    [
      'has the value of the latest amendment for a day',
      [july, from('2026-07-01', { plans: [costs('silver', 1300)] }, 'again')],
      [
        ['-infinity', '2026-07-01', 1000, 100],
        ['2026-07-01', 'infinity', 1300, 100],
      ],
    ],
    [
      'does not change if the catalog has the same price',
      [from('2026-05-01', { plans: [costs('silver', 1000)] })],
      [['-infinity', 'infinity', 1000, 100]],
    ],
    [
      'ends when the plan closes',
      [from('2026-06-01', { closed_plan_ids: ['silver'] })],
      [['-infinity', '2026-06-01', 1000, 100]],
    ],
    ['never applies if the plan is closed from the start', [from('2026-01-01', { closed_plan_ids: ['silver'] })], []],
    [
      'does not change once the plan is closed',
      [july, from('2026-06-01', { closed_plan_ids: ['silver'] })],
      [['-infinity', '2026-06-01', 1000, 100]],
    ],
  ])('have a price that %s', (_, amendments, rows) => {
    expect(ratesOf('silver', ...amendments)).toEqual(rows)
  })

  it('records which amendment changed a price, and none for other prices', () => {
    const by = (plan_id: string, ...amendments: AmendmentTerms[]) =>
      rowsOf(terms(...amendments))
        .rates.filter((row) => row.plan_id === plan_id)
        .map((row) => row.amendment_id)
    expect(by('silver', july)).toEqual([null, july.id])
    expect(by('bronze', july)).toEqual([null])
    expect(by('bronze', march)).toEqual([null, march.id])
    expect(by('ppo', march)).toEqual([null])
    // The later one of two amendments determines the price, and only that one reprices it.
    expect(by('silver', march, july)).toEqual([null, march.id, july.id])
    expect(by('silver', july, march)).toEqual([null, march.id, march.id])
    expect(by('silver', march, start)).toEqual([start.id, start.id])
  })

  it('records when plans close and benefits end, and shows an added benefit from the start', () => {
    const vision = { ...offer('vision', 'basic'), starts_on: '2026-06-01' }
    const june = from('2026-06-01', {
      closed_plan_ids: ['silver'],
      withdrawn_benefit_ids: ['dental'],
      offers: [vision],
    })
    const { benefits } = rowsOf(terms(june))
    expect(benefits).toEqual([
      {
        benefit_id: 'mvp',
        starts_on: '2026-01-01',
        choice_group: null,
        ends_on: null,
        closed_plans: { silver: [{ from: '2026-06-01', until: null }] },
      },
      { benefit_id: 'dental', starts_on: '2026-01-01', choice_group: null, ends_on: '2026-05-31', closed_plans: {} },
      { benefit_id: 'vision', starts_on: '2026-06-01', choice_group: null, ends_on: null, closed_plans: {} },
    ])
    expect(ratesOf('basic', june)).toEqual([['-infinity', 'infinity', 1000, 100]])
    const closed = from('2026-01-01', { closed_plan_ids: ['silver'] })
    const closures = (...amendments: AmendmentTerms[]) => rowsOf(terms(...amendments)).benefits[0]!.closed_plans
    expect(closures(closed)).toEqual({ silver: [{ from: '2026-01-01', until: null }] })
    expect(closures(closed, reopened('2026-09-01'))).toEqual({ silver: [{ from: '2026-01-01', until: '2026-09-01' }] })
    expect(closures(closed, reopened('2026-01-01'))).toEqual({})
    const bronze = from('2026-08-01', { closed_plan_ids: ['bronze'] })
    expect(
      closures(from('2026-06-01', june_closes), reopened('2026-09-01'), from('2026-11-01', june_closes), bronze),
    ).toEqual({
      silver: [
        { from: '2026-06-01', until: '2026-09-01' },
        { from: '2026-11-01', until: null },
      ],
      bronze: [{ from: '2026-08-01', until: null }],
    })
    // A plan that was added and closed on the same day was never available, but an employee may have elected it in
    // between.
    const gold = from('2026-07-01', { plans: [added('gold')] })
    expect(closures(gold, from('2026-07-01', { closed_plan_ids: ['gold'] }))).toEqual({
      gold: [{ from: '2026-01-01', until: null }],
    })
  })

  it('offers a closed plan again at later prices', () => {
    const june = from('2026-06-01', june_closes)
    expect(ratesOf('silver', june, reopened('2026-09-01'))).toEqual([
      ['-infinity', '2026-06-01', 1000, 100],
      ['2026-09-01', 'infinity', 1300, 100],
    ])
    expect(ratesOf('silver', june, reopened('2026-06-01'))).toEqual([
      ['-infinity', '2026-06-01', 1000, 100],
      ['2026-06-01', 'infinity', 1300, 100],
    ])
  })

  it('ends on the day of the last amendment that changed its end', () => {
    const earlier = from('2026-03-01', { coverage_end: '2026-09-30' })
    expect(terms(earlier, from('2026-02-01', { coverage_end: '2026-10-31' })).coverage_end).toBe('2026-10-31')
    expect(terms(earlier, july).coverage_end).toBe('2026-09-30')
  })

  it('are known for each day', () => {
    const premium = (day: string) =>
      offersOn(terms(july), day)[0]!.rates.find((one) => one.plan_id === 'silver')!.premium_in_cents
    expect([premium('2026-06-30'), premium('2026-07-01')]).toEqual([1000, 1200])
  })
})

describe('an amendment', () => {
  const asNew = (part: Partial<NewAmendment>): NewAmendment => ({ effective_on: '2026-07-01', reason: 'Why', ...part })
  it.each<[string, Partial<NewAmendment>, string | undefined]>([
    ['begins with the first of a month', { closed_plan_ids: ['silver'] }, undefined],
    ['begins with the plan year', { effective_on: '2026-01-01', closed_plan_ids: ['silver'] }, undefined],
    ['does not begin within a month', { effective_on: '2026-07-02', closed_plan_ids: ['silver'] }, 'effective_on'],
    [
      'does not begin before the plan year',
      { effective_on: '2025-12-01', closed_plan_ids: ['silver'] },
      'effective_on',
    ],
    ['does not begin after the plan year', { effective_on: '2027-01-01', closed_plan_ids: ['silver'] }, 'effective_on'],
    ['must contain a change', {}, ''],
    ['ends the plan year', { coverage_end: '2026-09-15' }, undefined],
    ['does not end it before the first day of the plan year', { coverage_end: '2026-06-30' }, 'coverage_end'],
    ['extends it to 366 days', { coverage_end: '2027-01-01' }, undefined],
    ['does not extend it beyond 366 days', { coverage_end: '2027-01-02' }, 'coverage_end'],
  ])('%s', (_, part, field) => {
    expect(whyNotAmendFrom(asNew(part), year)?.details[0]?.field).toBe(field)
  })

  const plan = (id: string, premium_in_cents = 1200) => ({
    id,
    rates: premium_in_cents > 0 ? [{ coverage_tier: 'EE', tier_id: `tier_${id}`, premium_in_cents }] : [],
    allowances: [],
  })
  const catalog: CatalogBenefit[] = [
    { id: 'mvp', family: 'mvp', plans: [plan('silver'), plan('bronze'), plan('gold'), plan('unpriced', 0)] },
    { id: 'dental', family: 'dental', plans: [plan('ppo')] },
    { id: 'vision', family: 'vision', plans: [plan('basic')] },
    { id: 'ichra', family: 'ichra', plans: [plan('own')] },
  ]
  const closed = from('2026-05-01', { closed_plan_ids: ['bronze'] })
  const gone = from('2026-05-01', { withdrawn_benefit_ids: ['dental'] })
  const tiers = [{ coverage_tier: null, method: 'fixed' as const, amount_in_cents: 1 }]
  type Paying = NonNullable<NewAmendment['contributions']>[number]
  const paying = (benefit_id: string, part: Partial<Paying>): Paying => ({
    benefit_id,
    contribution_tiers: undefined,
    ichra_contribution_classes: undefined,
    ...part,
  })
  const adding = (benefit_id: string) => ({ ...paying(benefit_id, {}), plan_ids: undefined })
  const all_people = {
    name: 'All',
    employee_class: null,
    min_age: null,
    max_age: null,
    state: null,
    coverage_tier: null,
    allowance_in_cents: 1,
  }
  it.each<[string, Partial<NewAmendment>, AmendmentTerms[], string | undefined]>([
    ['reprices an offered plan', { repriced_plan_ids: ['silver'] }, [], undefined],
    [
      'does not reprice a plan that is not offered',
      { repriced_plan_ids: ['silver', 'gold'] },
      [],
      'repriced_plan_ids[1]',
    ],
    ['does not reprice a closed plan', { repriced_plan_ids: ['bronze'] }, [closed], 'repriced_plan_ids[0]'],
    ['closes an offered plan', { closed_plan_ids: ['silver'] }, [], undefined],
    ['does not close a closed plan', { closed_plan_ids: ['bronze'] }, [closed], 'closed_plan_ids[0]'],
    [
      'does not close a plan that it reprices',
      { closed_plan_ids: ['silver'], repriced_plan_ids: ['silver'] },
      [],
      'closed_plan_ids[0]',
    ],
    ['adds a plan of an offered benefit', { added_plan_ids: ['gold'] }, [], undefined],
    ['does not add an offered plan', { added_plan_ids: ['silver'] }, [], 'added_plan_ids[0]'],
    ['adds a closed plan again', { added_plan_ids: ['bronze'] }, [closed], undefined],
    [
      'does not add a plan that will be offered later anyway',
      { added_plan_ids: ['gold'] },
      [from('2026-09-01', { plans: [added('gold')] })],
      'added_plan_ids[0]',
    ],
    ['does not add a plan of another benefit', { added_plan_ids: ['basic'] }, [], 'added_plan_ids[0]'],
    ['does not add a plan without a rate', { added_plan_ids: ['unpriced'] }, [], 'added_plan_ids[0]'],
    ['withdraws a benefit', { withdrawn_benefit_ids: ['dental'] }, [], undefined],
    [
      'does not withdraw a withdrawn benefit',
      { withdrawn_benefit_ids: ['dental'] },
      [gone],
      'withdrawn_benefit_ids[0]',
    ],
    ['adds a benefit', { added_benefits: [adding('vision')] }, [], undefined],
    ['does not add an offered benefit', { added_benefits: [adding('dental')] }, [], 'added_benefits[0]'],
    ['changes a contribution', { contributions: [paying('mvp', { contribution_tiers: tiers })] }, [], undefined],
    [
      'changes contributions only of offered benefits',
      { contributions: [paying('vision', { contribution_tiers: tiers })] },
      [],
      'contributions[0].benefit_id',
    ],
    [
      'contains the new contribution',
      { contributions: [paying('mvp', {})] },
      [],
      'contributions[0].contribution_tiers',
    ],
    [
      'uses contribution tiers only for benefits other than ICHRA',
      { contributions: [paying('mvp', { ichra_contribution_classes: [all_people] })] },
      [],
      'contributions[0].ichra_contribution_classes',
    ],
  ])('%s', (_, part, before, field) => {
    expect(whyNotAmend(asNew(part), terms(...before), catalog)?.details[0]?.field).toBe(field)
  })

  it('has the prices of the catalog at that time', () => {
    const input = asNew({ repriced_plan_ids: ['silver'], added_plan_ids: ['gold'], coverage_end: '2026-11-30' })
    const meant = amendmentTerms('amnd', input, catalog, [])
    expect(meant.coverage_end).toBe('2026-11-30')
    expect(meant.plans.map(({ plan_id, adds, benefit_id }) => [plan_id, adds, benefit_id])).toEqual([
      ['silver', false, 'mvp'],
      ['gold', true, 'mvp'],
    ])
    expect(ratesOf('gold', meant)).toEqual([['2026-07-01', 'infinity', 1200, 100]])
  })

  it('must leave a benefit in the plan year, and a plan in each benefit', () => {
    expect(whyNotOfferTerms(terms(closed))).toBeUndefined()
    const all = from('2026-05-01', { closed_plan_ids: ['bronze', 'silver'] })
    expect(whyNotOfferTerms(terms(all))?.details[0]?.field).toBe('closed_plan_ids')
    const none = from('2026-05-01', { withdrawn_benefit_ids: ['mvp', 'dental'] })
    expect(whyNotOfferTerms(terms(none))?.details[0]?.field).toBe('withdrawn_benefit_ids')
  })

  it('can be withdrawn if it is the last one in force', () => {
    const stored = ['one', 'two', 'three'].map((id) => ({
      id,
      terms: from('2026-05-01', {}, id),
      withdrawn: id === 'three',
    }))
    expect(whyNotWithdraw(stored, 'one')?.code).toBe('amendment_is_not_last')
    expect(whyNotWithdraw(stored, 'two')).toBeUndefined()
    expect(whyNotWithdraw(stored, 'three')?.code).toBe('amendment_is_withdrawn')
  })

  it('are limited to a hundred in force', () => {
    const reported = (holding: number) => Array.from({ length: 150 }, (_, at) => ({ withdrawn: at >= holding }))
    expect(whyNotAddAmendment(reported(99))).toBeUndefined()
    expect(whyNotAddAmendment(reported(100))?.code).toBe('too_many_amendments')
  })
})

describe('coverage', () => {
  const closed = from('2026-06-01', { closed_plan_ids: ['silver'], withdrawn_benefit_ids: ['dental'] })
  const { benefits } = rowsOf(terms(closed, reopened('2026-10-01')))
  const loses = (benefit_id: string, ...pairs: [string, string][]) => {
    const elections = pairs.map(([effective_on, plan_id]) => ({ effective_on, plan_id }))
    return coverageLostOn({ benefits }, '2026-12-31', { benefit_id, coverage_start: '2026-01-01' }, elections)
  }
  const then = (first: string, day: string, second: string) => Object.entries({ '-infinity': first, [day]: second })
  it.each<[string, string, [string, string][], string]>([
    ['ends with the plan year', 'mvp', [['-infinity', 'bronze']], '2027-01-01'],
    ['ends with its plan', 'mvp', [['-infinity', 'silver']], '2026-06-01'],
    ['continues in a plan that was elected before', 'mvp', then('silver', '2026-05-01', 'bronze'), '2027-01-01'],
    ['ends with a plan that was elected for later', 'mvp', then('bronze', '2026-08-01', 'silver'), '2026-08-01'],
    ['continues in a plan that is offered again by then', 'mvp', then('bronze', '2026-10-01', 'silver'), '2027-01-01'],
    ['ends with its benefit', 'dental', [['-infinity', 'ppo']], '2026-06-01'],
  ])('%s', (_, benefit_id, elections, day) => {
    expect(loses(benefit_id, ...elections)).toBe(day)
  })
})
