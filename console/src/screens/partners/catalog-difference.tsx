import { useQuery } from '@tanstack/react-query'
import type { CatalogImportOutcome, CatalogPlannedChange } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { Changed } from '../../parts/page/difference.tsx'
import { Loaded, Nothing } from '../../parts/page/page.tsx'
import { Plan, type Part } from '../../parts/form/plan.tsx'
import { rowsOf } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { dayOf, inDollars, sentence } from '../../format.ts'
import { catalogOf } from '../../operator-queries.ts'

type DifferenceProps = { organization_id: string; file: { name: string; text: string }; back: () => void }

/** A preview of the changes that a file would make to the catalog. */
export function CatalogDifference({ organization_id, file: { name, text }, back }: DifferenceProps) {
  const preview = useQuery({
    queryKey: ['catalog-import', organization_id, text],
    queryFn: ({ signal }) => operator.catalog.import(organization_id, text, { dry_run: true }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const apply = async () => {
    await operator.catalog.import(organization_id, text)
    await refetch(catalogOf(organization_id).queryKey)
    back()
  }
  return (
    <>
      <Loaded query={preview} lines={6}>
        {(outcome) => {
          const parts = partsOf(outcome)
          return (
            <Plan
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

function partsOf({ planned, ...counts }: CatalogImportOutcome): Part[] {
  const sum = (name: 'created' | 'updated' | 'unchanged') =>
    Object.values(counts).reduce((all, each) => all + each[name], 0)
  const changesWith = (outcome: CatalogPlannedChange['outcome']) => (
    <Changes of={(planned ?? []).filter((change) => change.outcome === outcome)} />
  )
  return [
    { name: 'changed', count: sum('updated'), tone: 'wait', details: changesWith('updated') },
    { name: 'new', count: sum('created'), tone: 'good', details: changesWith('created') },
    { name: 'removed', count: counts.allowances.removed, tone: 'bad', details: changesWith('removed') },
    { name: 'unchanged', count: sum('unchanged'), tone: 'over' },
  ]
}

type Cell = CatalogPlannedChange['differences'][number]['after']

/** Formats a cell: money as dollars, days as dates. */
function cellText(field: string, value: Cell): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return value.join(', ')
  if (field.endsWith('_in_cents')) return inDollars(Number(value))
  return field.endsWith('_on') ? dayOf(String(value)) : String(value)
}

const columns: Column<CatalogPlannedChange>[] = [
  { name: 'Item', width: 44, wraps: true, cell: ({ name }) => name },
  { name: 'Kind', only: 'middle', width: 14, cell: ({ kind }) => sentence(kind) },
  {
    name: 'Difference',
    wraps: true,
    cell: ({ differences }) =>
      differences.length === 0 ? (
        <Nothing />
      ) : (
        differences.map(({ field, before, after }) => (
          <span key={field} className="block">
            <Changed
              field={sentence(field.replace(/_in_cents$|_on$/, ''))}
              before={before === null ? null : cellText(field, before)}
              after={cellText(field, after)}
            />
          </span>
        ))
      ),
  },
]

const Changes = ({ of }: { of: CatalogPlannedChange[] }) => (
  <Table label="Changes" columns={columns} rows={rowsOf(of)} empty={<Nothing />} />
)
