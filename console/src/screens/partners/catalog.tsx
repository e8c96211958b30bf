import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Catalog as CatalogOf, CatalogImportOutcome, CatalogPlannedChange } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, formatDay, formatDollars, toSentence } from '../../format.ts'
import { catalogQuery } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { tier_names } from '../../parts/benefits/labels.ts'
import { PlanFactsTable } from '../../parts/benefits/plan-facts.tsx'
import { FileDrop } from '../../parts/form/file-drop.tsx'
import { type PlannedChange, ChangePlan } from '../../parts/form/change-plan.tsx'
import { ChangedField, Empty, Loaded, Dash, Section } from '../../parts/page/page.tsx'
import { readText } from '../../parts/roster/file-text.ts'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'

const route = getRouteApi('/partners/$organization_id/catalog')

const tiers = ['EE', 'ES', 'EC', 'EF'] as const

/** The premiums of a plan starting on a date. */
type PricedPlan = {
  id: string
  plan: string
  carrier: string
  from: string | null
  premiums: Map<string, number>
  more: string
}

/** Each plan with its premiums over time, newest first. */
function planPrices({ plans }: CatalogOf['benefits'][number]): PricedPlan[] {
  return plans.flatMap(({ id, name: plan, carrier, tier_rates, area_rates, ichra_allowances }): PricedPlan[] => {
    const more = [
      area_rates.length > 0 && `premiums in ${[...new Set(area_rates.map(({ state }) => state))].join(', ')}`,
      ichra_allowances.length > 0 && formatCount(ichra_allowances.length, 'allowance'),
    ]
    const common = { plan, carrier: carrier.name, more: more.filter(Boolean).join(', ') }
    const by_day = [...Map.groupBy(tier_rates, ({ effective_on }) => effective_on)].toSorted(([a], [b]) =>
      b.localeCompare(a),
    )
    if (by_day.length === 0) return [{ ...common, id, from: null, premiums: new Map() }]
    return by_day.map(([from, rates]) => ({
      ...common,
      id: id + from,
      from,
      premiums: new Map(
        rates.map(({ coverage_tier, premium_in_cents }) => [coverage_tier as string, premium_in_cents]),
      ),
    }))
  })
}

/** The premiums of all tiers in one cell, for narrow screens. */
const TierPremiums = ({ of }: { of: Map<string, number> }) => (
  <dl className="tiers">
    {tiers.map(
      (tier) =>
        of.has(tier) && (
          <div key={tier}>
            <dt className="quiet">{tier}</dt>
            <dd className="number">{formatDollars(of.get(tier)!)}</dd>
          </div>
        ),
    )}
  </dl>
)

const columns: Column<PricedPlan>[] = [
  {
    name: 'Plan',
    width: 18,
    phone: 37,
    cell: ({ plan, from }) => (
      <>
        {plan}
        {from && <span className="only-phone quiet">from {formatDay(from)}</span>}
      </>
    ),
  },
  { name: 'Carrier', only: 'wide', width: 14, cell: ({ carrier }) => carrier },
  dateColumn('From', 'from', { only: 'middle', width: 15 }),
  ...tiers.map((tier): Column<PricedPlan> => ({
    name: tier,
    align: 'end',
    only: 'middle',
    cell: ({ premiums }) => (premiums.has(tier) ? formatDollars(premiums.get(tier)!) : <Dash />),
  })),
  {
    name: 'Premiums',
    only: 'phone',
    cell: ({ premiums }) => (premiums.size === 0 ? <Dash /> : <TierPremiums of={premiums} />),
  },
]

const more_column: Column<PricedPlan> = {
  name: 'Also',
  only: 'wide',
  width: 13,
  wraps: true,
  cell: ({ more }) => more || <Dash />,
}

/** The plans of a benefit with their premiums, and their regional premiums and allowances if any plan has some. */
function BenefitPrices({ of: benefit }: { of: CatalogOf['benefits'][number] }) {
  const prices = planPrices(benefit)
  return (
    <Table
      label={`Plans of ${benefit.name}`}
      columns={prices.some(({ more }) => more !== '') ? [...columns, more_column] : columns}
      rows={fixedRows(prices)}
      empty={<Empty title="No plans." />}
    />
  )
}

/** The catalog of carriers, benefits, plans and premiums, with a file import that shows the changes first. */
export function CatalogPage() {
  const { organization_id } = route.useParams()
  const catalog = useQuery(catalogQuery(organization_id))
  const [file, setFile] = useState<{ name: string; text: string }>()
  return (
    <Loaded query={catalog} lines={10}>
      {(found) =>
        file ? (
          <CatalogDifference organization_id={organization_id} file={file} back={() => setFile(undefined)} />
        ) : (
          <>
            {found.benefits.length === 0 && (
              <Empty title="The catalog is empty.">Import benefits and plans from a file below.</Empty>
            )}
            {found.benefits.length > 0 && (
              <p className="quiet note">
                {Object.entries(tier_names)
                  .map(([code, name]) => `${code}: ${name}`)
                  .join(' · ')}
              </p>
            )}
            {found.benefits.map((benefit) => (
              <Section
                key={benefit.id}
                title={benefit.name}
                actions={
                  <span className="quiet">
                    {benefit.category}, {benefit.product_code}
                  </span>
                }
              >
                <BenefitPrices of={benefit} />
                <PlanFactsTable of={benefit.name} plans={benefit.plans} />
              </Section>
            ))}
            <Section title="Import a file">
              <RequiresRole area="administer">
                <FileDrop read={async (dropped) => setFile({ name: dropped.name, text: await readText(dropped) })}>
                  Columns: carrier, product_code, benefit, plan, coverage_tier, premium_in_cents, effective_on and
                  others. You can review every change before it is made.
                </FileDrop>
              </RequiresRole>
            </Section>
          </>
        )
      }
    </Loaded>
  )
}

type DifferenceProps = { organization_id: string; file: { name: string; text: string }; back: () => void }

/** A preview of the changes that a file would make to the catalog. */
function CatalogDifference({ organization_id, file: { name, text }, back }: DifferenceProps) {
  const preview = useQuery({
    queryKey: ['catalog-import', organization_id, text],
    queryFn: ({ signal }) => operator.catalog.import(organization_id, text, { dry_run: true }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const apply = async () => {
    await operator.catalog.import(organization_id, text)
    await refetch(catalogQuery(organization_id).queryKey)
    back()
  }
  return (
    <>
      <Loaded query={preview} lines={6}>
        {(outcome) => {
          const parts = plannedChanges(outcome)
          return (
            <ChangePlan
              title={`Changes from ${name}`}
              parts={parts}
              button="Import"
              unless={
                parts.every(({ count, tone }) => count === 0 || tone === 'over') ? 'Nothing would change.' : undefined
              }
              apply={apply}
              back={back}
            />
          )
        }}
      </Loaded>
      {preview.error && (
        <button type="button" className="button" onClick={back}>
          Choose another file
        </button>
      )}
    </>
  )
}

function plannedChanges({ planned, ...counts }: CatalogImportOutcome): PlannedChange[] {
  const sum = (name: 'created' | 'updated' | 'unchanged') =>
    Object.values(counts).reduce((all, each) => all + each[name], 0)
  const changesWith = (outcome: CatalogPlannedChange['outcome']) => (
    <CatalogChanges of={(planned ?? []).filter((change) => change.outcome === outcome)} />
  )
  return [
    { name: 'changed', count: sum('updated'), tone: 'wait', details: changesWith('updated') },
    { name: 'new', count: sum('created'), tone: 'good', details: changesWith('created') },
    { name: 'removed', count: counts.allowances.removed, tone: 'bad', details: changesWith('removed') },
    { name: 'unchanged', count: sum('unchanged'), tone: 'over' },
  ]
}

type DifferenceValue = CatalogPlannedChange['differences'][number]['after']

/** Formats a cell: money as dollars, days as dates. */
function cellText(field: string, value: DifferenceValue): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return value.join(', ')
  if (field.endsWith('_in_cents')) return formatDollars(Number(value))
  return field.endsWith('_on') ? formatDay(String(value)) : String(value)
}

const change_columns: Column<CatalogPlannedChange>[] = [
  { name: 'Item', width: 44, wraps: true, cell: ({ name }) => name },
  { name: 'Kind', only: 'middle', width: 14, cell: ({ kind }) => toSentence(kind) },
  {
    name: 'Difference',
    wraps: true,
    cell: ({ differences }) =>
      differences.length === 0 ? (
        <Dash />
      ) : (
        differences.map(({ field, before, after }) => (
          <span key={field} className="block">
            <ChangedField
              field={toSentence(field.replace(/_in_cents$|_on$/, ''))}
              before={before === null ? null : cellText(field, before)}
              after={cellText(field, after)}
            />
          </span>
        ))
      ),
  },
]

const CatalogChanges = ({ of }: { of: CatalogPlannedChange[] }) => (
  <Table label="Changes" columns={change_columns} rows={fixedRows(of)} empty={<Dash />} />
)
