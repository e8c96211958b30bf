import { isDeepStrictEqual } from 'node:util'
import type { Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { declareRefusals, type Detail, generic, Refusal } from '../../../kernel/refusal.ts'
import { overlappingRate, rateLike, withRates, type AreaRate } from '../ichra/rules.ts'
import {
  factsAfter,
  pickFacts,
  type FactsInput,
  benefitName,
  coverageAfter,
  usualCategory,
  pickCoverage,
  type PlanCoverage,
} from './product-rules.ts'
import type { BenefitCategory, CatalogRow, CoverageTier, PartialMonthRule, ProductCode } from './schemas.ts'

export const refusals = declareRefusals({
  benefit_has_another_product_code: [
    422,
    'A benefit of this name already has another product code, which cannot change.',
    'Use another benefit name, or the product code of the existing benefit.',
  ],
  benefit_has_another_category: [
    422,
    'A plan year has already offered the benefit of this name in another category, which can no longer change.',
    'Keep the category, or use another benefit name.',
  ],
})

type CarrierInput = { name: string }
type BenefitInput = { name: string; product_code: ProductCode; category?: BenefitCategory }
type PlanInput = FactsInput &
  Partial<PlanCoverage> & {
    name: string
    benefit: string
    carrier: string
    networks?: string[]
    spd_file_url?: string
    partial_month_rule?: PartialMonthRule
  }
type RateInput = { plan: string; coverage_tier: CoverageTier; effective_on: Day; premium_in_cents: number }
type AreaRateInput = AreaRate & Omit<Area, 'plan_id'> & { plan: string }
type AllowanceInput = Audience & { plan: string; allowance_in_cents: number }

/** Identifies a premium list: a plan in an area starting on a day. `county` is '' for the whole state. */
type Area = { plan_id: string; state: string; county: string; county_key: string; effective_on: Day }

/** The people to whom an allowance applies. Null matches any. */
type Audience = {
  employee_class: string | null
  min_age: number | null
  max_age: number | null
  state: string | null
  coverage_tier: CoverageTier | null
}

/**
 * The items of one kind in the rows, by their key. Each item has its combined facts, its first row, and the row in
 * which each fact first occurs.
 */
type InputRows<Facts> = Map<string, { facts: Facts; row: number; row_of: Record<string, number> }>

export type CatalogItems = {
  carriers: InputRows<CarrierInput>
  benefits: InputRows<BenefitInput>
  plans: InputRows<PlanInput>
  rates: InputRows<RateInput>
  area_rates: InputRows<AreaRateInput>
  allowances: InputRows<AllowanceInput>
}

/** Combines parts into one key. Parts never contain a line break. */
const keyOfAll = (parts: (string | number | null)[]): string => parts.join('\n')

export const planKey = (benefit_key: string, name_key: string): string => keyOfAll([benefit_key, name_key])

/**
 * Combines the rows into items. `keyOf` returns the form in which the database compares names. Refuses with 400 if a
 * row contradicts an earlier one, naming each such row. An absent cell never contradicts.
 */
export function collectItems(rows: CatalogRow[], keyOf: (name: string) => string): CatalogItems {
  const items: CatalogItems = {
    carriers: new Map(),
    benefits: new Map(),
    plans: new Map(),
    rates: new Map(),
    area_rates: new Map(),
    allowances: new Map(),
  }
  const contradictions = rows.flatMap((row, index) => collectRow(items, row, index, keyOf))
  if (contradictions.length > 0) throw new Refusal(generic.invalid_request, contradictions.slice(0, 100))
  return items
}

/** Adds the items of a row. Returns its contradictions with earlier rows. */
function collectRow(items: CatalogItems, row: CatalogRow, index: number, keyOf: (name: string) => string): Detail[] {
  const { product_code, category, networks, spd_file_url, partial_month_rule, coverage_tier, effective_on } = row
  const { premium_in_cents, allowance_in_cents } = row
  const name = benefitName(row)
  const carrier = keyOf(row.carrier)
  const benefit = keyOf(name)
  const plan = planKey(benefit, keyOf(row.plan))
  const contradictions = [
    ...add(items.carriers, carrier, index, { name: row.carrier }, {}),
    ...add(items.benefits, benefit, index, { name }, { product_code, category }),
    ...add(
      items.plans,
      plan,
      index,
      { name: row.plan, benefit },
      { carrier, networks, spd_file_url, partial_month_rule, ...pickFacts(row), ...pickCoverage(row) },
    ),
  ]
  if (row.state && effective_on && premium_in_cents !== undefined) {
    const rate = { plan, ...areaOf(row, effective_on, keyOf), ...coveredBy(row) }
    const { county: _, ...key } = rate
    contradictions.push(...add(items.area_rates, keyOfAll(Object.values(key)), index, rate, { premium_in_cents }))
  } else if (coverage_tier && effective_on && premium_in_cents !== undefined) {
    const rate = { plan, coverage_tier, effective_on }
    contradictions.push(...add(items.rates, keyOfAll(Object.values(rate)), index, rate, { premium_in_cents }))
  }
  if (allowance_in_cents !== undefined) {
    const allowance = { plan, ...audienceOf(row) }
    contradictions.push(
      ...add(items.allowances, keyOfAll(Object.values(allowance)), index, allowance, { allowance_in_cents }),
    )
  }
  return contradictions
}

const areaOf = ({ state, county = '' }: CatalogRow, effective_on: Day, keyOf: (name: string) => string) => ({
  state: state!,
  county,
  county_key: county && keyOf(county),
  effective_on,
})

const coveredBy = ({ coverage_tier = null as never, age = [null, null] as never }: CatalogRow) => ({
  coverage_tier,
  min_age: age[0],
  max_age: age[1],
})

const audienceOf = (input: { [field in keyof Audience]?: Audience[field] | undefined }): Audience => ({
  employee_class: input.employee_class ?? null,
  min_age: input.min_age ?? null,
  max_age: input.max_age ?? null,
  state: input.state ?? null,
  coverage_tier: input.coverage_tier ?? null,
})

/**
 * Adds the facts of an item. `key_facts` follow from its key. `given` has the facts of one row, which may contradict
 * those of an earlier row. Returns the contradictions.
 */
function add<Facts extends object>(
  input: InputRows<Facts>,
  key: string,
  row: number,
  key_facts: Partial<Facts>,
  given: { [field in keyof Facts]?: Facts[field] | undefined },
): Detail[] {
  const item = input.get(key) ?? { facts: { ...key_facts } as Facts, row, row_of: {} }
  input.set(key, item)
  const contradictions: Detail[] = []
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue
    const earlier = item.row_of[field]
    if (earlier === undefined) {
      Object.assign(item.facts, { [field]: value })
      item.row_of[field] = row
    } else if (!isDeepStrictEqual(item.facts[field as keyof Facts], value)) {
      contradictions.push({ field: `rows[${row}].${field}`, message: `contradicts rows[${earlier}]` })
    }
  }
  return contradictions
}

export type CarrierRecord = { id: string; key: string; name: string }
export type BenefitRecord = CarrierRecord & { product_code: ProductCode; category: BenefitCategory }
export type PlanRecord = CarrierRecord &
  PlanCoverage & {
    benefit_id: string
    carrier_id: string
    network_names: string[]
    spd_file_url: string | null
    facts: ReturnType<typeof factsAfter>
    partial_month_rule: PartialMonthRule
  }
export type RateRecord = {
  id: string
  plan_id: string
  coverage_tier: CoverageTier
  effective_on: Day
  premium_in_cents: number
}
/** The latest premium list of a plan in an area starting on a day. */
export type AreaRecord = Area & { version: number; rates: AreaRate[] }
export type AllowanceRecord = Audience & { plan_id: string; position: number; allowance_in_cents: number }

/** The existing items of an organization that the rows refer to. */
export type Stored = {
  carriers: CarrierRecord[]
  benefits: BenefitRecord[]
  plans: PlanRecord[]
  rates: RateRecord[]
  area_rates: AreaRecord[]
  allowances: AllowanceRecord[]
}

/**
 * Refuses a different product code for an existing benefit, or a different category for a benefit that was ever
 * offered. The category determines when coverage starts.
 */
export function whyNotImport(
  { benefits }: CatalogItems,
  stored: BenefitRecord[],
  offered_ids: string[],
): Refusal | undefined {
  const stored_by_key = new Map(stored.map((benefit) => [benefit.key, benefit]))
  const offered = new Set(offered_ids)
  const detailsOf = (field: 'product_code' | 'category', keeps: (benefit: BenefitRecord) => boolean): Detail[] =>
    [...benefits].flatMap(([key, { facts, row_of }]) => {
      const before = stored_by_key.get(key)
      if (!before || !keeps(before) || (facts[field] ?? before[field]) === before[field]) return []
      const message = `must be ${before[field]}, as in the existing benefit of this name`
      return [{ field: `rows[${row_of[field]}].${field}`, message }]
    })
  const codes = detailsOf('product_code', () => true)
  if (codes.length > 0) return new Refusal(refusals.benefit_has_another_product_code, codes.slice(0, 100))
  const categories = detailsOf('category', ({ id }) => offered.has(id))
  return categories.length > 0
    ? new Refusal(refusals.benefit_has_another_category, categories.slice(0, 100))
    : undefined
}

/**
 * The changes of an import: for each kind, the new and changed records with counts. If any allowance of a plan changes,
 * all allowances of the plan are included. Names keep their first spelling.
 */
export function changesOf(items: CatalogItems, stored: Stored) {
  const carriers = settle(items.carriers, stored.carriers, keyOfRecord, (key, { name }, before) => ({
    id: before?.id ?? newId('carr'),
    key,
    name: before?.name ?? name,
  }))
  const benefits = settle(items.benefits, stored.benefits, keyOfRecord, (key, { name, ...input }, before) => ({
    id: before?.id ?? newId('bprd'),
    key,
    name: before?.name ?? name,
    product_code: input.product_code,
    category: input.category ?? before?.category ?? usualCategory(input.product_code),
  }))
  const plans = settle(items.plans, stored.plans, keyOfRecord, (key, { name, ...input }, before) => ({
    id: before?.id ?? newId('pln'),
    key,
    name: before?.name ?? name,
    benefit_id: benefits.records.get(input.benefit)!.id,
    carrier_id: carriers.records.get(input.carrier)!.id,
    network_names: input.networks ?? before?.network_names ?? [],
    spd_file_url: input.spd_file_url ?? before?.spd_file_url ?? null,
    facts: factsAfter(before?.facts, input),
    partial_month_rule: input.partial_month_rule ?? before?.partial_month_rule ?? 'full_month_on_first',
    ...coverageAfter(before, input, benefits.records.get(input.benefit)!.product_code),
  }))
  const key_of_plan = new Map(stored.plans.map(({ id, key }) => [id, key]))
  const rates = settle(items.rates, stored.rates, rateKey(key_of_plan), (_, { plan, ...rate }, before) => ({
    id: before?.id ?? newId('tier'),
    plan_id: plans.records.get(plan)!.id,
    ...rate,
  }))
  const area_rates = settleAreaRates(items.area_rates, stored.area_rates, plans.records)
  const allowances = settleAllowances(items.allowances, stored.allowances, plans.records, key_of_plan)
  return { carriers, benefits, plans, rates, area_rates, allowances }
}

const keyOfRecord = ({ key }: { key: string }) => key

const rateKey = (key_of_plan: Map<string, string>) => (rate: RateRecord) =>
  keyOfAll([key_of_plan.get(rate.plan_id)!, rate.coverage_tier, rate.effective_on])

const allowanceKey = (key_of_plan: Map<string, string>) => (allowance: AllowanceRecord) =>
  keyOfAll([key_of_plan.get(allowance.plan_id)!, ...Object.values(audienceOf(allowance))])

/** A new or changed record, and the first row with it. */
export type CatalogChange<Record> = { row: number; before: Record | undefined; after: Record }

/** Compares items with the stored records. Returns all records by key, the new and changed ones, and counts. */
function settle<Facts, Stored>(
  input: InputRows<Facts>,
  stored: Stored[],
  keyOf: (record: Stored) => string,
  recordOf: (key: string, facts: Facts, known: Stored | undefined) => Stored,
) {
  const stored_by_key = new Map(stored.map((record) => [keyOf(record), record]))
  const records = new Map<string, Stored>()
  const changes: CatalogChange<Stored>[] = []
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const [key, { facts, row }] of input) {
    const before = stored_by_key.get(key)
    const record = recordOf(key, facts, before)
    records.set(key, record)
    const action = before === undefined ? 'created' : isDeepStrictEqual(before, record) ? 'unchanged' : 'updated'
    counts[action]++
    if (action !== 'unchanged') changes.push({ row, before, after: record })
  }
  return { records, changes, changed: changes.map(({ after }) => after), counts }
}

const areaKey = ({ plan_id, state, county_key, effective_on }: Area): string =>
  keyOfAll([plan_id, state, county_key, effective_on])

/** The premiums that an import has for a plan in an area starting on a day, each with its row. */
type ImportedList = { area: Area; rates: AreaRate[]; rows: number[] }

function importedLists(input: CatalogItems['area_rates'], plans: Map<string, PlanRecord>): Map<string, ImportedList> {
  const lists = new Map<string, ImportedList>()
  for (const { facts, row_of } of input.values()) {
    const { plan, coverage_tier, min_age, max_age, premium_in_cents, ...where } = facts
    const area = { plan_id: plans.get(plan)!.id, ...where }
    const list = lists.getOrInsertComputed(areaKey(area), () => ({ area, rates: [], rows: [] }))
    list.rates.push({ coverage_tier, min_age, max_age, premium_in_cents })
    list.rows.push(row_of.premium_in_cents!)
  }
  return lists
}

/**
 * Compares premium lists with the stored ones. A changed list is written completely, as the next version of its plan.
 * Refuses with 400 a row whose ages already have another premium in its list.
 */
function settleAreaRates(input: CatalogItems['area_rates'], stored: AreaRecord[], plans: Map<string, PlanRecord>) {
  const stored_lists = new Map(stored.map((list) => [areaKey(list), list]))
  const versions = new Map<string, number>()
  for (const { plan_id, version } of stored) versions.set(plan_id, Math.max(version, versions.get(plan_id) ?? 0))
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const changed: AreaRecord[] = []
  const changes: CatalogChange<AreaRate & Area>[] = []
  for (const [key, { area, rates, rows }] of importedLists(input, plans)) {
    const { rates: stored_rates, county } = stored_lists.get(key) ?? { rates: [], county: area.county }
    let is_changed = false
    for (const [index, rate] of rates.entries()) {
      const before = rateLike(stored_rates, rate)
      const action = before === undefined ? 'created' : isSamePremium(before, rate) ? 'unchanged' : 'updated'
      counts[action]++
      if (action === 'unchanged') continue
      is_changed = true
      changes.push({ row: rows[index]!, before: before && { ...before, ...area }, after: { ...rate, ...area } })
    }
    if (!is_changed) continue
    const whole = withRates(stored_rates, rates)
    const twice = overlappingRate(whole)
    if (twice) throw repeatedAge(rows[Math.max(0, rates.indexOf(twice))]!)
    const version = (versions.get(area.plan_id) ?? 0) + 1
    changed.push({ ...area, county, version, rates: whole })
  }
  return { changed, changes, counts }
}

const isSamePremium = (a: AreaRate, b: AreaRate): boolean => a.premium_in_cents === b.premium_in_cents

const repeatedAge = (row: number) =>
  new Refusal(generic.invalid_request, [
    { field: `rows[${row}].age`, message: 'already has another premium in this area from this day on' },
  ])

/** The order of a plan's allowances determines which one applies, so the list is replaced as a whole. */
function settleAllowances(
  input: CatalogItems['allowances'],
  stored: AllowanceRecord[],
  plans: Map<string, PlanRecord>,
  key_of_plan: Map<string, string>,
) {
  const keyOf = allowanceKey(key_of_plan)
  const lengths = new Map<string, number>()
  const { records, changes, changed, counts } = settle(input, stored, keyOf, (_, { plan, ...allowance }) => {
    const position = (lengths.get(plan) ?? 0) + 1
    lengths.set(plan, position)
    return { plan_id: plans.get(plan)!.id, position, ...allowance }
  })
  const removed = stored.filter(
    (record) => lengths.has(key_of_plan.get(record.plan_id)!) && !records.has(keyOf(record)),
  )
  const plan_ids = new Set([...changed, ...removed].map(({ plan_id }) => plan_id))
  return {
    plan_ids: [...plan_ids],
    changed: [...records.values()].filter(({ plan_id }) => plan_ids.has(plan_id)),
    changes,
    removed,
    counts: { ...counts, removed: removed.length },
  }
}
