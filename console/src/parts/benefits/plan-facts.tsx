import type { PlanFacts } from 'openbenefits'
import { Dash, orDash } from '../page/page.tsx'
import { fixedRows } from '../table/rows.ts'
import { Table, type Column } from '../table/table.tsx'
import { formatDollars, toSentence } from '../../format.ts'

export type KnownPlan = { id: string; name: string; facts: PlanFacts }

const money = (cents: number | null) => (cents === null ? null : formatDollars(cents))

/** Whether any fact of a plan is known besides its premium. */
export const hasFacts = ({ facts }: Pick<KnownPlan, 'facts'>): boolean =>
  Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null))

/**
 * The key facts of a plan in one line: `Silver · deductible $1,500.00 · out-of-pocket maximum $6,000.00 ·
 * HSA-eligible`.
 */
export const summarizeFacts = ({
  metal_level,
  deductible_in_cents,
  out_of_pocket_limit_in_cents,
  hsa_eligible,
}: PlanFacts) =>
  [
    metal_level && toSentence(metal_level),
    deductible_in_cents !== null && `deductible ${formatDollars(deductible_in_cents)}`,
    out_of_pocket_limit_in_cents !== null && `out-of-pocket maximum ${formatDollars(out_of_pocket_limit_in_cents)}`,
    hsa_eligible && 'HSA-eligible',
  ]
    .filter(Boolean)
    .join(' · ')

type FactColumn = Column<KnownPlan> & { isKnown: (facts: PlanFacts) => boolean }

const fact_columns: FactColumn[] = [
  {
    name: 'Deductible',
    align: 'end',
    width: 14,
    phone: 33,
    cell: ({ facts }) => money(facts.deductible_in_cents) ?? <Dash />,
    isKnown: ({ deductible_in_cents }) => deductible_in_cents !== null,
  },
  {
    name: 'Out-of-pocket maximum',
    align: 'end',
    width: 15,
    phone: 33,
    cell: ({ facts }) => money(facts.out_of_pocket_limit_in_cents) ?? <Dash />,
    isKnown: ({ out_of_pocket_limit_in_cents }) => out_of_pocket_limit_in_cents !== null,
  },
  {
    name: 'Copays',
    only: 'middle',
    wraps: true,
    cell: ({ facts: { copays } }) => (copays.length > 0 ? copays.join(', ') : <Dash />),
    isKnown: ({ copays }) => copays.length > 0,
  },
  {
    name: 'Metal level',
    only: 'middle',
    width: 11,
    cell: ({ facts: { metal_level } }) => orDash(metal_level, toSentence),
    isKnown: ({ metal_level }) => metal_level !== null,
  },
  {
    name: 'HSA',
    only: 'wide',
    width: 8,
    cell: ({ facts: { hsa_eligible } }) => (hsa_eligible === null ? <Dash /> : hsa_eligible ? 'Yes' : 'No'),
    isKnown: ({ hsa_eligible }) => hsa_eligible !== null,
  },
]

/** The known facts of plans besides their premiums. Facts that no plan has are not shown. */
export function PlanFactsTable({ of, plans }: { of: string; plans: KnownPlan[] }) {
  const known = fact_columns.filter(({ isKnown }) => plans.some(({ facts }) => isKnown(facts)))
  if (known.length === 0) return null
  const described = plans.filter(({ facts }) => known.some(({ isKnown }) => isKnown(facts)))
  const columns: Column<KnownPlan>[] = [{ name: 'Plan', width: 22, phone: 34, cell: ({ name }) => name }, ...known]
  return (
    <div className="facts-of-plans">
      <Table label={`Plan details: ${of}`} columns={columns} rows={fixedRows(described)} empty={<Dash />} />
    </div>
  )
}
