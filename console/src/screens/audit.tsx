import { getRouteApi, useRouteContext } from '@tanstack/react-router'
import type { AuditEntry } from 'openbenefits'
import { useAction } from '../parts/use-action.ts'
import { ob, operator } from '../api.ts'
import { Days, Search, Several } from '../parts/filters.tsx'
import { At, Code, Empty, Id, Nothing, Page, Status, Trouble } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { useTrail } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { endOf, sentence, startOf } from '../parts/words.ts'
import { auditTrail, type AuditFilter } from '../queries.ts'
import { operatorAuditTrail } from '../operator-queries.ts'
import { outcomes } from '../routes.tsx'

const route = getRouteApi('/audit')

const columns: Column<AuditEntry>[] = [
  {
    name: 'Operation',
    width: 22,
    phone: 40,
    cell: ({ operation, trace_id }) => (
      <RowLink to="/traces/$trace_id" params={{ trace_id }}>
        <Code>{operation}</Code>
      </RowLink>
    ),
  },
  { name: 'Outcome', width: 12.5, phone: 27, cell: ({ outcome }) => <Status of={outcome} /> },
  {
    name: 'By',
    width: 23,
    only: 'middle',
    cell: ({ actor }) => (
      <span className="with-id">
        {sentence(actor.kind)} {(actor.user_id ?? actor.id) && <Id of={(actor.user_id ?? actor.id)!} />}
      </span>
    ),
  },
  {
    name: 'Resource',
    width: 15,
    only: 'wide',
    cell: ({ resource_id }) => (resource_id ? <Id of={resource_id} /> : <Nothing />),
  },
  { name: 'Address', only: 'wide', width: 9, cell: ({ address }) => address ?? <Nothing /> },
  { name: 'Time', align: 'end', phone: 33, cell: ({ occurred_at }) => <At of={occurred_at} /> },
]

type Said = ReturnType<typeof route.useSearch>

const filterOf = ({ actor, operation, resource_id, trace_id, outcome, from, to }: Said): AuditFilter => ({
  ...(actor && { actor }),
  ...(operation && { operation }),
  ...(resource_id && { resource_id }),
  ...(trace_id && { trace_id }),
  // Of all there are is the same as of none.
  ...(outcome?.length === 1 && { outcome: outcome[0] }),
  ...(from && { occurred_after: startOf(from) }),
  ...(to && { occurred_before: endOf(to) }),
})

/** Who read and did what: of the organization that one is at, or as an operator of all. */
export function Audit() {
  const said = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const navigate = route.useNavigate()
  const is_operator = session.organization_id === null
  const filter = filterOf(said)
  const rows = useTrail<AuditEntry>(is_operator ? operatorAuditTrail(filter) : auditTrail(filter))
  const say = (more: Partial<Said>) =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true, resetScroll: false })
  return (
    <Page title="Audit trail" actions={<Export filter={filter} is_operator={is_operator} />}>
      <div className="filters">
        <Search label="User or key id" value={said.actor} search={(actor) => say({ actor })} />
        <Search label="Resource id" value={said.resource_id} search={(resource_id) => say({ resource_id })} />
        <Search label="Request id" value={said.trace_id} search={(trace_id) => say({ trace_id })} />
        <Search label="Operation" value={said.operation} search={(operation) => say({ operation })} />
        <Several
          label="Outcome"
          options={outcomes.map((value) => ({ value, label: sentence(value) }))}
          chosen={said.outcome}
          choose={(values) => say({ outcome: values as Said['outcome'] })}
        />
        <Days from={said.from} to={said.to} choose={say} />
      </div>
      <Table
        label="Audit trail"
        columns={columns}
        rows={rows}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No entries match." />
          ) : (
            <Empty title="Nothing yet.">Each read and each change appears here within seconds.</Empty>
          )
        }
      />
    </Page>
  )
}

function Export({ filter, is_operator }: { filter: AuditFilter; is_operator: boolean }) {
  const link = useAction({
    mutationFn: () =>
      is_operator
        ? operator.auditEntries.export({ ...filter, format: 'csv' })
        : ob.auditEntries.export({ ...filter, format: 'csv' }),
    onSuccess: ({ download_url }) => location.assign(download_url),
  })
  return (
    <>
      {link.error && <Trouble error={link.error} />}
      <button type="button" className="button" disabled={link.isPending} onClick={() => link.mutate()}>
        Download as CSV
      </button>
    </>
  )
}
