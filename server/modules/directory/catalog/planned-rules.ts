import { isDeepStrictEqual } from 'node:util'
import type { AllowanceRecord, BenefitRecord, CarrierRecord, CatalogChange, changesOf, PlanRecord } from './rules.ts'
import { cellsOfFacts } from './facts-rules.ts'
import { most_planned_changes, type CatalogPlannedChange } from './schemas.ts'

type CatalogChanges = ReturnType<typeof changesOf>
type PlannedCells = Record<string, CatalogPlannedChange['differences'][number]['after']>

/** What a change is told by: which kind of thing, what people call it, and the cells that a row would say of it. */
type ToldKind<Record> = {
  kind: CatalogPlannedChange['kind']
  nameOf: (record: Record) => string
  cellsOf: (record: Record) => PlannedCells
}

const differencesBetween = (before: PlannedCells, after: PlannedCells): CatalogPlannedChange['differences'] =>
  Object.keys({ ...before, ...after })
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))

const tell = <Record>(
  changes: CatalogChange<Record>[],
  { kind, nameOf, cellsOf }: ToldKind<Record>,
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
 * What an import would change, in the order of its rows; of much, the first. `known`: plans and carriers there are.
 */
export function plannedChanges(
  changes: CatalogChanges,
  known: { carriers: CarrierRecord[]; plans: PlanRecord[] },
): CatalogPlannedChange[] {
  const namesOf = (stored: CarrierRecord[], said: Iterable<CarrierRecord>) =>
    new Map([...stored, ...said].map(({ id, name }) => [id, name]))
  const carriers = namesOf(known.carriers, changes.carriers.all.values())
  const plans = namesOf(known.plans, changes.plans.all.values())
  const allowance = toldAllowance(plans)
  const removed = changes.allowances.removed.map((record): CatalogPlannedChange => ({
    index: null,
    kind: 'allowance',
    outcome: 'removed',
    name: allowance.nameOf(record),
    differences: differencesBetween(allowance.cellsOf(record), {}),
  }))
  const planned = [
    ...tell(changes.carriers.changes, { kind: 'carrier', nameOf: named, cellsOf: ({ name }) => ({ carrier: name }) }),
    ...tell<BenefitRecord>(changes.benefits.changes, {
      kind: 'benefit',
      nameOf: named,
      cellsOf: ({ name, product_code, category }) => ({ benefit: name, product_code, category }),
    }),
    ...tell<PlanRecord>(changes.plans.changes, {
      kind: 'plan',
      nameOf: named,
      cellsOf: ({ name, carrier_id, network_names, spd_file_url, partial_month_rule, facts }) => ({
        plan: name,
        carrier: carriers.get(carrier_id) ?? null,
        networks: network_names,
        spd_file_url,
        partial_month_rule,
        ...cellsOfFacts(facts),
      }),
    }),
    ...tell(changes.rates.changes, {
      kind: 'premium',
      nameOf: (rate) => joined(plans.get(rate.plan_id), rate.coverage_tier, `from ${rate.effective_on}`),
      cellsOf: ({ premium_in_cents }) => ({ premium_in_cents }),
    }),
    ...tell(changes.area_rates.changes, {
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
    ...tell(changes.allowances.changes, allowance),
    ...removed,
  ]
  return planned.toSorted((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity)).slice(0, most_planned_changes)
}

const toldAllowance = (plans: Map<string, string>): ToldKind<AllowanceRecord> => ({
  kind: 'allowance',
  nameOf: (one) =>
    joined(plans.get(one.plan_id), one.employee_class ?? 'everybody', agesOf(one), one.state, one.coverage_tier),
  cellsOf: ({ allowance_in_cents, position }) => ({ allowance_in_cents, position }),
})
