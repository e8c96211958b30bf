import { isDeepStrictEqual } from 'node:util'
import type { AllowanceRecord, BenefitRecord, CarrierRecord, CatalogChange, changesOf, PlanRecord } from './rules.ts'
import { cellsOfFacts, cellsOfCoverage } from './product-rules.ts'
import { max_planned_changes, type CatalogPlannedChange } from './schemas.ts'

type CatalogChanges = ReturnType<typeof changesOf>
type PlannedCells = Record<string, CatalogPlannedChange['differences'][number]['after']>

/** How to list changes of one kind of item: its kind, its readable name, and its cells. */
type ListedKind<Record> = {
  kind: CatalogPlannedChange['kind']
  nameOf: (record: Record) => string
  cellsOf: (record: Record) => PlannedCells
}

const differencesBetween = (before: PlannedCells, after: PlannedCells): CatalogPlannedChange['differences'] =>
  Object.keys({ ...before, ...after })
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))

const list = <Record>(
  changes: CatalogChange<Record>[],
  { kind, nameOf, cellsOf }: ListedKind<Record>,
): CatalogPlannedChange[] =>
  changes.map(({ row, before, after }) => ({
    index: row,
    kind,
    outcome: before === undefined ? 'created' : 'updated',
    name: nameOf(after),
    differences: differencesBetween(before === undefined ? {} : cellsOf(before), cellsOf(after)),
  }))

const named = ({ name }: { name: string }) => name
const joined = (...parts: (string | number | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
const agesOf = ({ min_age, max_age }: { min_age: number | null; max_age: number | null }) =>
  min_age === null && max_age === null ? null : `${min_age ?? 0} to ${max_age ?? 'any age'}`

/**
 * The changes that an import would make, in the order of its rows, up to a limit. `known` has the existing plans and
 * carriers.
 */
export function plannedChanges(
  changes: CatalogChanges,
  known: { carriers: CarrierRecord[]; plans: PlanRecord[] },
): CatalogPlannedChange[] {
  const namesOf = (stored: CarrierRecord[], given: Iterable<CarrierRecord>) =>
    new Map([...stored, ...given].map(({ id, name }) => [id, name]))
  const carriers = namesOf(known.carriers, changes.carriers.records.values())
  const plans = namesOf(known.plans, changes.plans.records.values())
  const allowance = listedAllowance(plans)
  const removed = changes.allowances.removed.map((record): CatalogPlannedChange => ({
    index: null,
    kind: 'allowance',
    outcome: 'removed',
    name: allowance.nameOf(record),
    differences: differencesBetween(allowance.cellsOf(record), {}),
  }))
  const planned = [
    ...list(changes.carriers.changes, { kind: 'carrier', nameOf: named, cellsOf: ({ name }) => ({ carrier: name }) }),
    ...list<BenefitRecord>(changes.benefits.changes, {
      kind: 'benefit',
      nameOf: named,
      cellsOf: ({ name, product_code, category }) => ({ benefit: name, product_code, category }),
    }),
    ...list<PlanRecord>(changes.plans.changes, {
      kind: 'plan',
      nameOf: named,
      cellsOf: ({ name, carrier_id, network_names, spd_file_url, partial_month_rule, facts, ...plan }) => ({
        plan: name,
        carrier: carriers.get(carrier_id) ?? null,
        networks: network_names,
        spd_file_url,
        partial_month_rule,
        ...cellsOfCoverage(plan),
        ...cellsOfFacts(facts),
      }),
    }),
    ...list(changes.rates.changes, {
      kind: 'premium',
      nameOf: (rate) => joined(plans.get(rate.plan_id), rate.coverage_tier, `from ${rate.effective_on}`),
      cellsOf: ({ premium_in_cents }) => ({ premium_in_cents }),
    }),
    ...list(changes.area_rates.changes, {
      kind: 'premium',
      nameOf: (rate) =>
        joined(
          plans.get(rate.plan_id),
          rate.state,
          rate.county,
          rate.coverage_tier,
          agesOf(rate),
          `from ${rate.effective_on}`,
        ),
      cellsOf: ({ premium_in_cents }) => ({ premium_in_cents }),
    }),
    ...list(changes.allowances.changes, allowance),
    ...removed,
  ]
  return planned.toSorted((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity)).slice(0, max_planned_changes)
}

const listedAllowance = (plans: Map<string, string>): ListedKind<AllowanceRecord> => ({
  kind: 'allowance',
  nameOf: (one) =>
    joined(plans.get(one.plan_id), one.employee_class ?? 'everyone', agesOf(one), one.state, one.coverage_tier),
  cellsOf: ({ allowance_in_cents, position }) => ({ allowance_in_cents, position }),
})
