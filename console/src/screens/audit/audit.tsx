import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditEntry, OrganizationMember } from 'openbenefits'
import { ob, operator } from '../../api.ts'
import { toSentence } from '../../format.ts'
import { endOfDay, startOfDay } from '../../zoned-days.ts'
import { operatorAuditLogList } from './queries.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Code, Empty, Id, Dash, Page, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Menu } from '../../parts/table/menu.tsx'
import { DayRangeFilter, SearchField, ToggleFilter } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useCursorRows } from '../../parts/table/rows.ts'
import { type Column, Table, timeColumn } from '../../parts/table/table.tsx'
import { type AuditFilter, auditLogList, colleaguesQuery } from '../../queries.ts'
import { audit_outcomes } from '../../routes/filter-values.ts'
import { isOperator } from '../../session.ts'

const route = getRouteApi('/audit')

const columnsOf = (members: OrganizationMember[]): Column<AuditEntry>[] => [
  {
    name: 'Operation',
    width: 22,
    phone: 35,
    cell: ({ operation, trace_id }) => (
      <RowLink to="/traces/$trace_id" params={{ trace_id }}>
        <Code>{operation}</Code>
      </RowLink>
    ),
  },
  { name: 'Outcome', width: 12.5, phone: 31, cell: ({ outcome }) => <Status of={outcome} /> },
  {
    name: 'By',
    width: 23,
    only: 'middle',
    cell: ({ actor }) => {
      const id = actor.user_id ?? actor.id
      const member = members.find(({ user_id }) => user_id === actor.user_id)
      return (
        <span className="with-id">
          {member ? (
            <>
              {member.name} <span className="quiet">{toSentence(actor.kind)}</span>
            </>
          ) : (
            <>
              {toSentence(actor.kind)} {id && <Id of={id} />}
            </>
          )}
        </span>
      )
    },
  },
  {
    name: 'Resource',
    width: 15,
    only: 'wide',
    cell: ({ resource_id }) => (resource_id ? <Id of={resource_id} /> : <Dash />),
  },
  { name: 'IP address', only: 'wide', width: 9, cell: ({ address }) => address ?? <Dash /> },
  timeColumn('Time', 'occurred_at', { phone: 34 }),
]

type AuditSearch = ReturnType<typeof route.useSearch>

const auditFilter = ({ actor, operation, resource_id, trace_id, outcome, from, to }: AuditSearch): AuditFilter => ({
  ...(actor && { actor }),
  ...(operation && { operation }),
  ...(resource_id && { resource_id }),
  ...(trace_id && { trace_id }),
  // Selecting all values is the same as having no filter.
  ...(outcome?.length === 1 && { outcome: outcome[0] }),
  ...(from && { occurred_after: startOfDay(from) }),
  ...(to && { occurred_before: endOfDay(to) }),
})

/** All reads and changes of the organization, or of all organizations for operators. */
export function Audit() {
  const search = route.useSearch()
  const filter = auditFilter(search)
  const rows = useCursorRows<AuditEntry>(isOperator() ? operatorAuditLogList(filter) : auditLogList(filter))
  const change = useChangeSearch()
  const members = useQuery({ ...colleaguesQuery(), enabled: !isOperator() }).data ?? []
  return (
    <Page title="Audit log" actions={<AuditExport filter={filter} />}>
      <div className="filters">
        <SearchField label="User or key id" value={search.actor} search={(actor) => void change({ actor })} />
        <SearchField
          label="Resource id"
          value={search.resource_id}
          search={(resource_id) => void change({ resource_id })}
        />
        <SearchField label="Request id" value={search.trace_id} search={(trace_id) => void change({ trace_id })} />
        <SearchField label="Operation" value={search.operation} search={(operation) => void change({ operation })} />
        <ToggleFilter
          label="Outcome"
          values={audit_outcomes}
          chosen={search.outcome}
          choose={(outcome) => void change({ outcome })}
        />
        <DayRangeFilter from={search.from} to={search.to} choose={(range) => void change(range)} />
      </div>
      <Table
        label="Audit log"
        columns={columnsOf(members)}
        rows={rows}
        empty={
          Object.keys(filter).length > 0 ? (
            <NoMatches rows="entries" />
          ) : (
            <Empty title="No entries yet.">Every read and change appears here within seconds.</Empty>
          )
        }
      />
    </Page>
  )
}

/** The service writes all matching entries as CSV. An Excel file has the same columns. */
function AuditExport({ filter }: { filter: AuditFilter }) {
  const save = useAction({
    mutationFn: async (format: 'csv' | 'xlsx') => {
      const client = isOperator() ? operator : ob
      const { download_url } = await client.auditEntries.export({ ...filter, format: 'csv' })
      if (format === 'csv') return location.assign(download_url)
      const { saveAsWorkbook } = await import('../../parts/table/export-file.ts')
      return saveAsWorkbook('audit-log', download_url)
    },
  })
  return (
    <Menu label="Export" end>
      <button type="button" className="plain" disabled={save.isPending} onClick={() => save.mutate('csv')}>
        CSV
      </button>
      <button type="button" className="plain" disabled={save.isPending} onClick={() => save.mutate('xlsx')}>
        Excel
      </button>
      {save.error && <ErrorMessage error={save.error} />}
    </Menu>
  )
}
