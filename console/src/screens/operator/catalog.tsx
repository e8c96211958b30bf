import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Catalog as CatalogOf } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { DropFile } from '../../parts/drop-file.tsx'
import { Empty, Loaded, Nothing, Section } from '../../parts/page.tsx'
import { Plan } from '../../parts/plan.tsx'
import { rowsOf } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, inDollars } from '../../parts/words.ts'
import { catalogOf } from '../../operator-queries.ts'
import { compareCatalog, readCatalog, type CatalogFile, type RateChange } from './catalog-file.ts'

const route = getRouteApi('/partners/$organization_id/catalog')

const tiers = ['EE', 'ES', 'EC', 'EF'] as const

/** The premiums of a plan from one day on. */
type Priced = {
  id: string
  plan: string
  carrier: string
  from: string | null
  premiums: Map<string, number>
  more: string
}

/** Each plan with its premiums over time, the newest first. */
function pricesOf({ plans }: CatalogOf['benefits'][number]): Priced[] {
  return plans.flatMap(({ id, name: plan, carrier, tier_rates, area_rates, ichra_allowances }): Priced[] => {
    const more = [
      area_rates.length > 0 && `premiums in ${[...new Set(area_rates.map(({ state }) => state))].join(', ')}`,
      ichra_allowances.length > 0 && count(ichra_allowances.length, 'allowance'),
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

const columns: Column<Priced>[] = [
  { name: 'Plan', width: 22, cell: ({ plan }) => plan },
  { name: 'Carrier', only: 'wide', width: 15, cell: ({ carrier }) => carrier },
  { name: 'From', align: 'end', width: 12, phone: 32, cell: ({ from }) => (from ? dayOf(from) : <Nothing />) },
  ...tiers.map((tier): Column<Priced> => ({
    name: tier,
    align: 'end',
    ...(tier !== 'EE' && { only: 'middle' as const }),
    cell: ({ premiums }) => (premiums.has(tier) ? inDollars(premiums.get(tier)!) : <Nothing />),
  })),
  { name: 'Besides', only: 'wide', width: 18, cell: ({ more }) => more || <Nothing /> },
]

/** Carriers, benefits, plans and their premiums over time; and more of them from a file, with the difference first. */
export function Catalog() {
  const { organization_id } = route.useParams()
  const catalog = useQuery(catalogOf(organization_id))
  const [file, setFile] = useState<CatalogFile>()
  return (
    <Loaded query={catalog} lines={10}>
      {(found) =>
        file ? (
          <Difference catalog={found} file={file} back={() => setFile(undefined)} />
        ) : (
          <>
            {found.benefits.length === 0 && (
              <Empty title="Nothing is offered yet.">Benefits and plans come from a file, below.</Empty>
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
                <Table
                  label={`Plans of ${benefit.name}`}
                  columns={columns}
                  rows={rowsOf(pricesOf(benefit))}
                  empty={<Empty title="No plans." />}
                />
              </Section>
            ))}
            <Section title="More of it from a file">
              <DropFile read={async (dropped) => setFile(await readCatalog(dropped))}>
                Columns: carrier, product_code, benefit, plan, coverage_tier, premium_in_cents, effective_on and others.
                You will see the difference before anything is changed.
              </DropFile>
            </Section>
          </>
        )
      }
    </Loaded>
  )
}

type DifferenceProps = { catalog: CatalogOf; file: CatalogFile; back: () => void }

function Difference({ catalog, file, back }: DifferenceProps) {
  const { organization_id } = route.useParams()
  const client = useQueryClient()
  const found = compareCatalog(catalog, file)
  const { carriers, benefits, plans, new_rates, changed_rates, unchanged_rates, others } = found
  const names = [...carriers, ...benefits, ...plans]
  const apply = async () => {
    await operator.catalog.import(organization_id, file.text)
    await client.invalidateQueries(catalogOf(organization_id))
    back()
  }
  return (
    <Plan
      title={`What ${file.name} would change`}
      parts={[
        { name: 'premiums changed', count: changed_rates.length, tone: 'wait', details: <Rates of={changed_rates} /> },
        { name: 'premiums new', count: new_rates.length, tone: 'good', details: <Rates of={new_rates} /> },
        {
          name: 'carriers, benefits and plans new',
          count: names.length,
          tone: 'good',
          details: <p className="note">{names.join(', ')}</p>,
        },
        { name: 'rows of areas and allowances', count: others, tone: 'wait' },
        { name: 'premiums as they are', count: unchanged_rates, tone: 'over' },
      ]}
      button={`Import ${count(file.rows.length, 'row')}`}
      apply={apply}
      back={back}
    />
  )
}

const Rates = ({ of }: { of: RateChange[] }) => (
  <Table
    label="Premiums"
    rows={rowsOf(of)}
    columns={[
      { name: 'Plan', width: 40, cell: ({ plan }) => plan },
      { name: 'Tier', cell: ({ tier }) => tier },
      { name: 'From', align: 'end', cell: ({ effective_on }) => (effective_on ? dayOf(effective_on) : <Nothing />) },
      {
        name: 'Before',
        align: 'end',
        only: 'middle',
        cell: ({ before_in_cents }) =>
          before_in_cents === null ? <Nothing /> : <del>{inDollars(before_in_cents)}</del>,
      },
      { name: 'After', align: 'end', cell: ({ after_in_cents }) => <ins>{inDollars(after_in_cents)}</ins> },
    ]}
    empty={<Nothing />}
  />
)
