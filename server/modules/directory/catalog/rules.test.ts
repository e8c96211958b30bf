import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import { changesOf, collectItems, whyNotImport, type Stored } from './rules.ts'
import { CatalogImport } from './schemas.ts'

type Row = Record<string, unknown>

const base = { carrier: 'Evergreen', product_code: 'MEC', benefit: 'Care', plan: 'Base' }
const rate = { ...base, coverage_tier: 'EE', premium_in_cents: 8900, effective_on: '2026-01-01' }
const own = { carrier: 'Evergreen', product_code: 'ICHRA', plan: 'Own' }

const fieldsOf = (sent: Row) => {
  const parsed = CatalogImport.safeParse({ rows: [sent] })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${String(path.at(-1))} ${message}`)
}
const parse = (...rows: Row[]) => CatalogImport.parse({ rows }).rows
const collect = (...rows: Row[]) => collectItems(parse(...rows), (name) => name.toLowerCase())

const contradictions = (...rows: Row[]) => {
  try {
    collect(...rows)
    return []
  } catch (error) {
    return (error as Refusal).details.map(({ field, message }) => `${field} ${message}`)
  }
}

const nothing: Stored = { carriers: [], benefits: [], plans: [], rates: [], area_rates: [], allowances: [] }

/** The changes and counts of an import. */
const importInto = (before: Stored, ...rows: Row[]) => {
  const { carriers, benefits, plans, rates, allowances } = changesOf(collect(...rows), before)
  return {
    written: {
      carriers: carriers.changed,
      benefits: benefits.changed,
      plans: plans.changed,
      rates: rates.changed,
      allowances: allowances.changed,
    },
    counts: {
      carriers: carriers.counts,
      benefits: benefits.counts,
      plans: plans.counts,
      rates: rates.counts,
      allowances: allowances.counts,
    },
  }
}

/** The stored records after rows were imported into an empty catalog. */
const stored = (...rows: Row[]): Stored => ({ ...importInto(nothing, ...rows).written, area_rates: [] })

describe('a row', () => {
  it.each<[string, Row]>([
    ['can declare a plan', base],
    ['can declare a rate', rate],
    ['can declare an allowance for everyone', { ...own, allowance_in_cents: 0 }],
    [
      'can declare an allowance for some employees',
      {
        ...own,
        allowance_in_cents: 1,
        employee_class: 'Intern',
        min_age: 30,
        max_age: 30,
        state: 'ny',
        coverage_tier: 'EF',
      },
    ],
    [
      'can have null in its optional cells',
      { ...base, category: null, networks: null, min_age: null, premium_in_cents: null },
    ],
  ])('%s', (_, row) => expect(fieldsOf(row)).toEqual([]))

  it('accepts the formats of spreadsheets', () => {
    const [row] = parse({
      ...base,
      carrier: '  Evergreen ',
      product_code: ' mec_plus ',
      category: 'medical',
      networks: ' First Health ; PHCS;First Health;',
      coverage_tier: 'ee',
      premium_in_cents: 8900,
      effective_on: ' 2026-01-01',
      spd_file_url: ' https://plans.example.com/a b.pdf '.replace('a b', 'a'),
    })
    expect(row).toMatchObject({
      carrier: 'Evergreen',
      product_code: 'MEC_PLUS',
      category: 'Medical',
      networks: ['First Health', 'PHCS'],
      coverage_tier: 'EE',
      premium_in_cents: 8900,
      effective_on: '2026-01-01',
      spd_file_url: 'https://plans.example.com/a.pdf',
    })
  })

  it.each<[string, Row, string]>([
    ['a premium without a tier', { ...rate, coverage_tier: null }, 'coverage_tier is required with a premium'],
    ['a premium without a day', { ...rate, effective_on: null }, 'effective_on is required with a premium'],
    ['a day without a premium', { ...base, effective_on: '2026-01-01' }, 'effective_on requires a premium'],
    ['a tier alone', { ...base, coverage_tier: 'EE' }, 'coverage_tier requires a premium or an allowance'],
    [
      'premium and allowance',
      { ...own, ...rate, product_code: 'ICHRA', allowance_in_cents: 1 },
      'allowance_in_cents must not be in the same row as a premium',
    ],
    [
      'an allowance of a product other than ICHRA',
      { ...base, allowance_in_cents: 1 },
      'allowance_in_cents is for ICHRA products only',
    ],
    ['a class without an allowance', { ...rate, employee_class: 'Intern' }, 'employee_class requires an allowance'],
    ['an age without an allowance', { ...own, min_age: 40 }, 'min_age requires an allowance'],
    [
      'a reversed age range',
      { ...own, allowance_in_cents: 1, min_age: 40, max_age: 39 },
      'max_age must not be less than min_age',
    ],
    [
      'cents as text',
      { ...rate, premium_in_cents: '8900' },
      'premium_in_cents must be a whole number from 0 to 100000000000',
    ],
    [
      'dollars',
      { ...rate, premium_in_cents: '89.00' },
      'premium_in_cents must be a whole number from 0 to 100000000000',
    ],
    [
      'a negative premium',
      { ...rate, premium_in_cents: -1 },
      'premium_in_cents must be a whole number from 0 to 100000000000',
    ],
    [
      'an excessive premium',
      { ...rate, premium_in_cents: 100_000_000_001 },
      'premium_in_cents must be a whole number from 0 to 100000000000',
    ],
    [
      'an impossible age',
      { ...own, allowance_in_cents: 1, min_age: '151' },
      'min_age must be a whole number from 0 to 150',
    ],
    [
      'an invalid day',
      { ...rate, effective_on: '1/1/2026' },
      'effective_on must be a valid date in the format YYYY-MM-DD, from 1900 to 2199',
    ],
    ['an unknown tier', { ...rate, coverage_tier: 'XX' }, 'coverage_tier must be one of EE, ES, EC, EF'],
    ['plain http', { ...base, spd_file_url: 'http://plans.example.com/a.pdf' }, 'spd_file_url must be an https URL'],
    [
      'a script as a link',
      { ...base, spd_file_url: 'javascript:alert(1)//https://x' },
      'spd_file_url must be an https URL',
    ],
    [
      'networks that are not names',
      { ...base, networks: [1] },
      'networks must be a list of names, or one string separated by ;',
    ],
    ['a network without a name', { ...base, networks: ['A', ''] }, '1 must not be empty'],
    ['no plan', { ...base, plan: ' ' }, 'plan must not be empty'],
  ])('is refused with %s', (_, row, why) => expect(fieldsOf(row)).toContain(why))
})

describe('rows', () => {
  it('may repeat each other in any case, and may omit cells that others contain', () => {
    expect(
      contradictions(
        rate,
        { ...rate, carrier: 'EVERGREEN', benefit: 'care', plan: 'BASE' },
        { ...base, category: 'Medical', networks: ['A', 'B'] },
        { ...base, networks: 'A; B' },
        { ...rate, coverage_tier: 'ES', premium_in_cents: 1 },
        { ...rate, effective_on: '2027-01-01', premium_in_cents: 1 },
        { ...rate, benefit: 'Another', premium_in_cents: 1 },
      ),
    ).toEqual([])
  })

  it.each<[string, Row, Row, string]>([
    [
      'a rate with two premiums',
      rate,
      { ...rate, premium_in_cents: 9000 },
      'rows[2].premium_in_cents contradicts rows[0]',
    ],
    ['a plan with two carriers', base, { ...base, carrier: 'Brightside' }, 'rows[2].carrier contradicts rows[0]'],
    [
      'a plan with two lists of networks',
      { ...base, networks: ['A'] },
      { ...base, networks: ['B'] },
      'rows[2].networks contradicts rows[0]',
    ],
    [
      'a plan with two descriptions',
      { ...base, spd_file_url: 'https://a.example' },
      { ...base, spd_file_url: 'https://b.example' },
      'rows[2].spd_file_url contradicts rows[0]',
    ],
    [
      'a benefit with two categories',
      { ...base, category: 'Medical' },
      { ...base, category: 'Hospital', plan: 'Other' },
      'rows[2].category contradicts rows[0]',
    ],
    [
      'a benefit with two product codes',
      base,
      { ...base, product_code: 'MEC2', plan: 'Other' },
      'rows[2].product_code contradicts rows[0]',
    ],
    [
      'an allowance with two amounts',
      { ...own, allowance_in_cents: 1 },
      { ...own, allowance_in_cents: 2 },
      'rows[2].allowance_in_cents contradicts rows[0]',
    ],
  ])('must not contradict each other: %s', (_, first, second, why) => {
    expect(contradictions(first, { ...base, benefit: 'Between' }, second)).toEqual([why])
  })

  it('are all reported if they contradict the first', () => {
    expect(contradictions(rate, { ...rate, premium_in_cents: 1 }, { ...rate, premium_in_cents: 1 })).toHaveLength(2)
  })
})

describe('a benefit', () => {
  it.each([
    ['VD', 'Dental', 'Dental'],
    ['VV', 'Vision', 'Vision'],
    ['MEC_PLUS', 'MEC Plus', 'Medical'],
    ['ICHRA_REIMBURSEMENT_ONLY', 'ICHRA Reimbursement Only', 'Medical'],
  ])('of the product %s is named %s and categorized as %s by default', (product_code, name, category) => {
    expect(stored({ carrier: 'C', product_code, plan: 'P' }).benefits).toMatchObject([{ product_code, name, category }])
  })

  it('keeps its product code', () => {
    const { benefits } = stored(base)
    const input = collect({ ...base, benefit: 'X' }, { ...base, product_code: 'MEC2', category: 'Hospital' })
    expect(whyNotImport(collect(base), benefits, [])).toBeUndefined()
    expect(whyNotImport(input, benefits, [benefits[0]!.id])).toMatchObject({
      kind: { status: 422, code: 'benefit_has_another_product_code' },
      details: [{ field: 'rows[1].product_code', message: 'must be MEC, as in the existing benefit of this name' }],
    })
  })

  it('keeps its category once it is offered', () => {
    const { benefits } = stored(base, { ...base, benefit: 'X' })
    const input = collect({ ...base, benefit: 'X', category: 'Hospital' }, base, { ...base, category: 'Hospital' })
    expect(whyNotImport(input, benefits, [])).toBeUndefined()
    expect(whyNotImport(collect({ ...base, category: 'Medical' }), benefits, [benefits[0]!.id])).toBeUndefined()
    expect(whyNotImport(input, benefits, [benefits[0]!.id])).toMatchObject({
      kind: { status: 422, code: 'benefit_has_another_category' },
      details: [{ field: 'rows[2].category', message: 'must be Medical, as in the existing benefit of this name' }],
    })
  })

  it('keeps its category until a row has another one', () => {
    const before = stored({ ...base, category: 'Hospital' })
    expect(importInto(before, base).written.benefits).toEqual([])
    expect(importInto(before, { ...base, category: 'Medical' }).written.benefits).toMatchObject([
      { category: 'Medical' },
    ])
  })
})

describe('an import', () => {
  const whole = [
    { ...rate, networks: ['A'] },
    { ...rate, coverage_tier: 'ES', premium_in_cents: 17_800 },
    { ...own, max_age: 39, allowance_in_cents: 100 },
    { ...own, min_age: 40, allowance_in_cents: 200 },
  ]
  const before = stored(...whole)

  it('writes nothing if nothing changed', () => {
    expect(importInto(before, ...whole)).toEqual({
      written: { carriers: [], benefits: [], plans: [], rates: [], allowances: [] },
      counts: {
        carriers: { created: 0, updated: 0, unchanged: 1 },
        benefits: { created: 0, updated: 0, unchanged: 2 },
        plans: { created: 0, updated: 0, unchanged: 2 },
        rates: { created: 0, updated: 0, unchanged: 2 },
        allowances: { created: 0, updated: 0, unchanged: 2, removed: 0 },
      },
    })
  })

  it('replaces the premium of a rate in place', () => {
    const { written, counts } = importInto(before, { ...rate, premium_in_cents: 9_000 })
    expect(written.rates).toEqual([{ ...before.rates[0], premium_in_cents: 9_000 }])
    expect(counts.rates).toEqual({ created: 0, updated: 1, unchanged: 0 })
  })

  it('keeps the spelling of names, and the networks if a row has none', () => {
    const { plans } = importInto(before, { ...base, carrier: 'Brightside', plan: 'BASE' }).written
    expect(plans).toMatchObject([{ id: before.plans[0]!.id, name: 'Base', network_names: ['A'] }])
  })

  it('keeps the partial-month rule of a plan until a row has another one', () => {
    const known = stored({ ...base, partial_month_rule: 'daily' })
    expect(importInto(known, base).written.plans).toEqual([])
    const { plans } = importInto(known, { ...base, partial_month_rule: '15th_rule' }).written
    expect(plans).toEqual([{ ...known.plans[0], partial_month_rule: '15th_rule' }])
  })

  it('has the usual coverage of its product, and keeps it until a row has another one', () => {
    const usual = { minimum_essential: true, minimum_value: false, self_insured: true }
    expect(stored(base).plans[0]).toMatchObject(usual)
    expect(stored({ ...base, product_code: 'MVP' }).plans[0]).toMatchObject({ ...usual, minimum_value: true })
    const dental = { minimum_essential: false, minimum_value: false, self_insured: false }
    expect(stored({ ...base, product_code: 'VD' }).plans[0]).toMatchObject(dental)
    const known = stored({ ...base, self_insured: false })
    expect(importInto(known, base).written.plans).toEqual([])
    const { plans } = importInto(known, { ...base, minimum_value: true }).written
    expect(plans).toEqual([{ ...known.plans[0], minimum_value: true }])
  })

  it('replaces the allowances of a plan, in the order of its rows', () => {
    const elders = { ...own, min_age: 40, allowance_in_cents: 200 }
    const { written, counts } = importInto(before, elders, { ...own, allowance_in_cents: 50 })
    expect(written.allowances).toMatchObject([
      { position: 1, min_age: 40, allowance_in_cents: 200 },
      { position: 2, min_age: null, allowance_in_cents: 50 },
    ])
    expect(counts.allowances).toEqual({ created: 1, updated: 1, unchanged: 0, removed: 1 })
  })

  it('keeps the allowances of a plan if its rows have none', () => {
    expect(changesOf(collect(own), before).allowances).toMatchObject({ plan_ids: [], changed: [] })
  })
})
