import { describe, expect, it } from 'vitest'
import { countForms, exposureOfYear, offeredMonthOf } from './derivation-rules.ts'
import {
  cellsOf,
  cellsOfWholeYear,
  offer_codes,
  relief_codes,
  type MonthOffer,
  type OfferCode,
  type PersonMonth,
  type ReliefCode,
} from './code-rules.ts'
import { reportedMonth, withOverride, type MonthOverride } from './override-rules.ts'
import {
  deadlinesOf,
  formNeedOf,
  formOf,
  furnishBy,
  hasAffordableOffer,
  hasQualifyingOffer,
  isFormDue,
  type PersonYear,
} from './rules.ts'

const offer: MonthOffer = {
  kind: 'group_plan',
  is_whole_month: true,
  has_minimum_value: true,
  spouse: 'offered',
  children: true,
  cost_in_cents: 20_000,
  is_within_mainland_poverty_line: false,
  safe_harbor: 'rate_of_pay',
  limits: null,
  location: 'residence',
  zipcode: '78701',
}
const month: PersonMonth = {
  status: 'full_time',
  is_elsewhere: false,
  offer,
  is_enrolled: false,
  left_in_month: false,
  has_multiemployer_relief: false,
}
const ichra: MonthOffer = { ...offer, kind: 'ichra' }
const at_work = { ...ichra, location: 'worksite' } as const
const to_employee = { spouse: 'none', children: false } as const
const to_children = { spouse: 'none', children: true } as const
const to_spouse = { spouse: 'offered', children: false } as const
const to_family = { spouse: 'offered', children: true } as const
const with_offer = (changes: Partial<MonthOffer>): PersonMonth => ({ ...month, offer: { ...offer, ...changes } })

type Row = [code: OfferCode, line_16: ReliefCode | null, line_15: number | null, line_17: string | null, PersonMonth]

/** A case for each code of line 14, from its description in the instructions. */
const cases: Row[] = [
  ['1A', null, null, null, with_offer({ is_within_mainland_poverty_line: true, safe_harbor: 'federal_poverty_line' })],
  ['1B', '2H', 20_000, null, with_offer(to_employee)],
  ['1C', '2H', 20_000, null, with_offer(to_children)],
  ['1D', '2H', 20_000, null, with_offer(to_spouse)],
  ['1E', '2H', 20_000, null, month],
  ['1F', null, null, null, with_offer({ has_minimum_value: false })],
  ['1H', null, null, null, { ...month, offer: null }],
  ['1J', '2H', 20_000, null, with_offer({ spouse: 'conditional', children: false })],
  ['1K', '2H', 20_000, null, with_offer({ spouse: 'conditional' })],
  ['1L', '2H', 20_000, '78701', { ...month, offer: { ...ichra, ...to_employee } }],
  ['1M', '2H', 20_000, '78701', { ...month, offer: { ...ichra, ...to_children } }],
  ['1N', '2H', 20_000, '78701', { ...month, offer: { ...ichra, ...to_family } }],
  ['1O', '2H', 20_000, '78701', { ...month, offer: { ...at_work, ...to_employee } }],
  ['1P', '2H', 20_000, '78701', { ...month, offer: { ...at_work, ...to_children } }],
  ['1Q', '2H', 20_000, '78701', { ...month, offer: { ...at_work, ...to_family } }],
  ['1R', null, null, null, { ...month, offer: { ...ichra, safe_harbor: null } }],
  ['1T', '2H', 20_000, '78701', { ...month, offer: { ...ichra, ...to_spouse } }],
  ['1U', '2H', 20_000, '78701', { ...month, offer: { ...at_work, ...to_spouse } }],
]

const valuesOf = (person_month: PersonMonth) => {
  const { line_14, line_15, line_16, line_17 } = cellsOf(person_month)
  return [line_14.value, line_16.value, line_15.value, line_17.value]
}

/** The codes of a series from A to a letter. */
const codeSeries = (series: number, last: string): string[] =>
  Array.from({ length: last.charCodeAt(0) - 64 }, (_, at) => `${series}${String.fromCharCode(65 + at)}`)

describe('line 14 of Form 1095-C', () => {
  it.each(cases)('is %s with %s on line 16, %s on line 15 and %s on line 17', (...row) =>
    expect(valuesOf(row[4])).toEqual(row.slice(0, 4)),
  )

  it('has a case for each code from 1A to 1U, except 1I, which is reserved', () => {
    const whole_years = (['1G', '1S'] as const).map((code) => cellsOfWholeYear(code).line_14.value)
    const covered = [...cases.map(([code]) => code), ...whole_years].toSorted()
    expect(covered).toEqual(codeSeries(1, 'U').filter((code) => code !== '1I'))
    expect(covered).toEqual(offer_codes.toSorted())
  })

  it.each([
    ['a month whose offer starts later than its first day', with_offer({ is_whole_month: false })],
    ['a month without employment', { ...month, status: 'not_employed' as const }],
  ])('is 1H in %s', (_, person_month) => expect(cellsOf(person_month).line_14.value).toBe('1H'))

  it('is not 1A without an offer to the spouse, regardless of the cost', () =>
    expect(cellsOf(with_offer({ ...to_children, is_within_mainland_poverty_line: true })).line_14.value).toBe('1C'))

  it('is 1R without an amount if the premium of an ICHRA is unknown', () => {
    const unknown = { ...ichra, cost_in_cents: null, safe_harbor: null }
    expect(valuesOf({ ...month, offer: unknown })).toEqual(['1R', null, null, null])
  })

  it('shows a cost of zero', () => expect(cellsOf(with_offer({ cost_in_cents: 0 })).line_15.value).toBe(0))
})

describe('line 16 of Form 1095-C', () => {
  const relief: [ReliefCode, string, PersonMonth][] = [
    ['2A', 'without employment in the month', { ...month, status: 'not_employed', offer: null }],
    ['2A', 'with coverage after the employment', { ...month, status: 'not_employed', is_enrolled: true }],
    ['2B', 'of a part-time employee', { ...month, status: 'part_time' }],
    [
      '2B',
      'if the offer ended only because the employment ended',
      {
        ...with_offer({ is_whole_month: false }),
        left_in_month: true,
      },
    ],
    ['2C', 'with enrollment on every day', { ...month, is_enrolled: true }],
    ['2C', 'with enrollment of a part-time employee', { ...month, status: 'part_time', is_enrolled: true }],
    ['2C', 'with enrollment in an unaffordable plan', { ...with_offer({ safe_harbor: null }), is_enrolled: true }],
    ['2D', 'in a limited non-assessment period', { ...month, status: 'limited_non_assessment', offer: null }],
    [
      '2E',
      'with relief for a multiemployer plan, even if enrolled',
      {
        ...month,
        is_enrolled: true,
        has_multiemployer_relief: true,
      },
    ],
    ['2F', 'by the wages of Form W-2', with_offer({ safe_harbor: 'form_w2_wages' })],
    ['2G', 'by the federal poverty line', with_offer({ ...to_employee, safe_harbor: 'federal_poverty_line' })],
    ['2H', 'by the rate of pay', with_offer({ safe_harbor: 'rate_of_pay' })],
  ]
  it.each(relief)('is %s %s', (code, _, person_month) => expect(cellsOf(person_month).line_16.value).toBe(code))

  it('has a case for each code from 2A to 2I, except 2I, which is reserved', () => {
    const covered = [...new Set(relief.map(([code]) => code))].toSorted()
    expect(covered).toEqual(codeSeries(2, 'I').filter((code) => code !== '2I'))
    expect(covered).toEqual(relief_codes.toSorted())
  })

  it('is empty for an offer that no safe harbor covers', () =>
    expect(cellsOf(with_offer({ safe_harbor: null })).line_16.value).toBeNull())

  it.each([
    [null, ''],
    [
      { poverty_line: 12_989, rate_of_pay: 16_508 },
      ': $200.00 a month is above $129.89 (poverty line) and $165.08 (rate of pay)',
    ],
    [
      { poverty_line: 12_989, rate_of_pay: null },
      ': $200.00 a month is above $129.89 (poverty line), and no wage is recorded',
    ],
  ])('explains an unaffordable offer with the limits %j', (limits, amounts) => {
    const { reason } = cellsOf(with_offer({ safe_harbor: null, limits })).line_16
    expect(reason).toBe(`The offer is not affordable under any safe harbor${amounts}.`)
  })

  it('gives a reason for each cell', () => {
    for (const [, , , , person_month] of cases)
      for (const { reason } of Object.values(cellsOf(person_month))) expect(reason).toMatch(/^[A-Z].*\.$/)
  })
})

describe('the form of a year', () => {
  const employee = { name: 'Ada', months: Array.from({ length: 12 }, (_, at) => at >= 2) }
  const spouse = { name: 'Ben', months: Array.from({ length: 12 }, () => false) }
  const yearOf = (person_month: PersonMonth, self_insured = [employee, spouse]): PersonYear<{ name: string }> => ({
    months: Array.from({ length: 12 }, () => person_month),
    self_insured,
    has_ichra: person_month.offer?.kind === 'ichra',
  })
  const part_time = yearOf({ ...month, status: 'part_time', is_enrolled: true })

  it('is due to full-time employees and to people in self-insured coverage', () => {
    expect(formNeedOf(yearOf(month, []), '1095-C')).toBe('full_time')
    expect(formNeedOf(part_time, '1095-C')).toBe('self_insured_coverage')
    expect(formNeedOf({ ...part_time, self_insured: [spouse] }, '1095-C')).toBe('not_full_time')
    expect(formNeedOf(yearOf({ ...month, status: 'limited_non_assessment' }, []), '1095-C')).toBe('not_full_time')
  })

  it.each([
    ['full-time with coverage', yearOf(month), 'self_insured_coverage'],
    ['part-time with coverage', part_time, 'self_insured_coverage'],
    ['full-time without coverage', yearOf(month, []), 'not_covered'],
    ['waived, with a spouse who is not covered', yearOf(month, [spouse]), 'not_covered'],
  ])('on Form 1095-B, %s, is due only for coverage', (_, year, need) => {
    expect(formOf(year, '1095-B')).toMatchObject({ need, months: [] })
    expect(isFormDue(formOf(year, '1095-B'))).toBe(need === 'self_insured_coverage')
  })

  it('is 1G for the whole year of a part-time employee in a self-insured plan, and nothing else', () => {
    const { months } = formOf(part_time, '1095-C')
    expect(months.map(({ line_14 }) => line_14.value)).toEqual(Array(12).fill('1G'))
    expect(months.flatMap(({ line_15, line_16, line_17 }) => [line_15.value, line_16.value, line_17.value])).toEqual(
      Array(36).fill(null),
    )
  })

  it('is 1S for the whole year of a part-time employee with an ICHRA', () =>
    expect(
      formOf(yearOf({ ...month, status: 'part_time', offer: ichra }), '1095-C').months.map(
        ({ line_14 }) => line_14.value,
      ),
    ).toEqual(Array(12).fill('1S')))

  it('lists only people with coverage in Part III', () =>
    expect(formOf(part_time, '1095-C').covered_people).toEqual([employee]))

  it('counts a qualifying offer, and affordable offers in all months', () => {
    const qualifying = with_offer({ is_within_mainland_poverty_line: true, safe_harbor: 'federal_poverty_line' })
    const year = yearOf(qualifying, [])
    const countedIn = (one: PersonYear<unknown>) => [
      hasQualifyingOffer(one.months, formOf(one, '1095-C').months),
      hasAffordableOffer(one.months),
    ]
    expect(countedIn(year)).toEqual([true, true])
    expect(countedIn(yearOf(with_offer({ safe_harbor: null }), []))).toEqual([false, false])
  })
})

describe('the offer test of a person', () => {
  const allYear = (one: PersonMonth) => Array.from({ length: 12 }, () => one)
  const partly = (left_in_month: boolean) => offeredMonthOf({ ...with_offer({ is_whole_month: false }), left_in_month })

  it('counts an offer that ends in the month only with the employment, and no other offer for a part of it', () => {
    expect(partly(true)).toEqual({ status: 'full_time', is_offered: true, is_protected: true })
    expect(partly(false)).toEqual({ status: 'full_time', is_offered: false, is_protected: false })
    expect(offeredMonthOf({ ...month, offer: null, left_in_month: true }).is_offered).toBe(false)
  })

  it('counts contributions to a multiemployer plan as an affordable offer', () => {
    const relieved = { ...month, offer: null, has_multiemployer_relief: true }
    expect(offeredMonthOf(relieved)).toEqual({ status: 'full_time', is_offered: true, is_protected: true })
    expect(hasAffordableOffer(allYear(relieved))).toBe(true)
  })

  it('does not lose the 98% Offer Method if the offer ends in a month only with the employment', () => {
    const left = { ...with_offer({ is_whole_month: false }), left_in_month: true }
    expect(hasAffordableOffer(allYear(left))).toBe(true)
    expect(hasAffordableOffer(allYear({ ...left, left_in_month: false }))).toBe(false)
  })
})

describe('the exposure of a year', () => {
  it('is null if its assessable payments are unknown', () => {
    expect(exposureOfYear(countForms([]), [], 2026, [])).toMatchObject({ in_cents: 0 })
    expect(exposureOfYear(countForms([]), [], 2035, [])).toBeNull()
  })
})

/** A month of the offer test as words: `full-time`, `offered` and `protected`, as far as they apply. */
const countedBy = (person_month: PersonMonth, cells: Omit<MonthOverride, 'month'>): string => {
  const { status, is_offered, is_protected } = offeredMonthOf(reportedMonth(person_month, { month: 1, ...cells }))
  return [status, is_offered && 'offered', is_protected && 'protected'].filter(Boolean).join(', ')
}

describe('the offer test of a month with overridden cells', () => {
  const without_offer = { ...month, offer: null }
  const part_time: PersonMonth = { ...without_offer, status: 'part_time' }

  it.each<[string, PersonMonth, Omit<MonthOverride, 'month'>, string]>([
    ['no offer', month, { line_14: '1H' }, 'full_time'],
    ['no offer to an enrolled employee', { ...month, is_enrolled: true }, { line_14: '1H' }, 'full_time'],
    ['an offer with a safe harbor', without_offer, { line_14: '1E', line_16: '2G' }, 'full_time, offered, protected'],
    ['an offer that is not affordable', month, { line_14: '1E', line_16: null }, 'full_time, offered'],
    ['a qualifying offer', without_offer, { line_14: '1A' }, 'full_time, offered, protected'],
    ['an offer without minimum value', month, { line_14: '1F' }, 'full_time, offered'],
    ['an offer without the children', month, { line_14: '1B' }, 'full_time, protected'],
    ['an ICHRA of the whole family', without_offer, { line_14: '1N', line_16: '2H' }, 'full_time, offered, protected'],
    ['enrollment', with_offer({ safe_harbor: null }), { line_16: '2C' }, 'full_time, offered, protected'],
    ['a multiemployer plan', without_offer, { line_16: '2E' }, 'full_time, offered, protected'],
    ['a part-time month', without_offer, { line_16: '2B' }, 'part_time'],
    ['a waiting period', without_offer, { line_16: '2D' }, 'limited_non_assessment'],
    ['a month without employment', without_offer, { line_16: '2A' }, 'not_employed'],
    ['a full-time month', part_time, { line_14: '1E', line_16: '2H' }, 'full_time, offered, protected'],
    ['another amount', month, { line_15_in_cents: 100 }, 'full_time, offered, protected'],
  ])('counts %s as the form reports it', (_, person_month, cells, counted) =>
    expect(countedBy(person_month, cells)).toBe(counted),
  )

  it('keeps the last month of an employment, which has code 2B, in the count', () => {
    const left = { ...with_offer({ is_whole_month: false }), left_in_month: true }
    expect(countedBy(left, { line_16: '2B' })).toBe('full_time, offered, protected')
  })

  it('leaves out relief by an offer that line 14 no longer reports', () => {
    const override = { months: [{ month: 1, line_14: '1H' as const }], reason: 'No offer', updated_at: '' }
    const [of_enrolled] = withOverride([cellsOf({ ...month, is_enrolled: true })], override)
    expect(of_enrolled!.line_16).toEqual({
      value: null,
      reason: 'Code 2C does not apply with code 1H.',
      is_overridden: false,
    })
    const [of_leaver] = withOverride([cellsOf(part_time)], override)
    expect(of_leaver!.line_16.value).toBe('2B')
  })
})

describe('the deadlines of Form 1095-C', () => {
  it.each([
    [2023, '2024-03-01'],
    [2024, '2025-03-03'],
    [2025, '2026-03-02'],
  ])('to furnish the forms of %i end on %s', (tax_year, day) => expect(furnishBy(tax_year)).toBe(day))

  it('to file end on a business day, and include the states in which employees live', () => {
    const daysOf = (tax_year: number, states: string[]) =>
      deadlinesOf(tax_year, states, '1095-C').map(
        ({ jurisdiction, step, due_on }) => `${jurisdiction} ${step} ${due_on}`,
      )
    expect(daysOf(2023, ['TX'])).toEqual(['IRS furnish 2024-03-01', 'IRS file 2024-04-01'])
    expect(daysOf(2025, ['NJ', 'CA', 'DC', 'MA', 'RI'])).toEqual([
      'IRS furnish 2026-03-02',
      'IRS file 2026-03-31',
      'CA furnish 2026-02-02',
      'CA file 2026-03-31',
      'DC furnish 2026-03-02',
      'DC file 2026-04-30',
      'MA furnish 2026-02-02',
      'MA file 2026-02-02',
      'NJ furnish 2026-03-02',
      'NJ file 2026-03-31',
      'RI furnish 2026-02-02',
      'RI file 2026-02-02',
    ])
  })
})
