import { getRouteApi, Link } from '@tanstack/react-router'
import type { WebhookEvent } from 'openbenefits'
import { Search } from '../../parts/filters.tsx'
import { Empty, Page } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { inWords, instantOf } from '../../parts/words.ts'
import { events } from '../../queries.ts'
import { developer_tabs } from './developers.tsx'

const route = getRouteApi('/developers/events')

const columns: Column<WebhookEvent>[] = [
  {
    name: 'Event',
    width: 34,
    cell: ({ id, event_name }) => (
      <Link className="row-link" to="/developers/events/$event_id" params={{ event_id: id }}>
        {event_name}
      </Link>
    ),
  },
  { name: 'Of', only: 'middle', cell: ({ resource_id }) => <code>{resource_id}</code> },
  { name: 'Its number', align: 'end', only: 'wide', cell: ({ sequence }) => inWords(sequence) },
  { name: 'At', align: 'end', cell: ({ created_at }) => instantOf(created_at) },
]

/** What happened, the newest first. */
export function Events() {
  const { resource_id } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(events({ resource_id }))
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <div className="filters">
        <Search
          label="Id of a resource"
          value={resource_id}
          search={(resource_id) => void navigate({ search: (before) => ({ ...before, resource_id }), replace: true })}
        />
      </div>
      <Table
        label="Events"
        columns={columns}
        rows={rows}
        empty={
          resource_id ? (
            <Empty title="Nothing happened to it." />
          ) : (
            <Empty title="Nothing has happened yet.">Whatever changes is told here, and to subscriptions.</Empty>
          )
        }
      />
    </Page>
  )
}
