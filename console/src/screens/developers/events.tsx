import { getRouteApi } from '@tanstack/react-router'
import type { WebhookEvent } from 'openbenefits'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { BreakableText, Empty, Id, Page } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, numberColumn, Table, timeColumn } from '../../parts/table/table.tsx'
import { eventsList } from './queries.ts'
import { developer_tabs } from './keys.tsx'

const columns: Column<WebhookEvent>[] = [
  linkColumn(
    'Event',
    (event) => [
      <BreakableText of={event.event_name} />,
      { to: '/developers/events/$event_id', params: { event_id: event.id } },
    ],
    { width: 34, phone: 68 },
  ),
  { name: 'Resource', only: 'middle', width: 25, cell: ({ resource_id }) => <Id of={resource_id} /> },
  numberColumn('Sequence', 'sequence', { only: 'wide' }),
  timeColumn('Time', 'created_at', { phone: 32 }),
]

const exported: ExportColumn<WebhookEvent>[] = [
  { name: 'Event', of: ({ event_name }) => event_name },
  { name: 'Resource', of: ({ resource_id }) => resource_id },
  { name: 'Sequence', of: ({ sequence }) => sequence },
  { name: 'Time', of: ({ created_at }) => created_at },
  { name: 'Id', of: ({ id }) => id },
]

const of_organization = getRouteApi('/developers/events')

/** The events of the organization. */
export function Events() {
  const { resource_id } = of_organization.useSearch()
  const change = useChangeSearch()
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <div className="filters">
        <SearchField label="Resource id" value={resource_id} search={(resource_id) => void change({ resource_id })} />
        <Export name="events" list={eventsList({ resource_id })} columns={exported} />
      </div>
      <Table
        label="Events"
        columns={columns}
        // Updated live.
        rows={useRows(eventsList({ resource_id }), () => true)}
        empty={
          resource_id ? (
            <Empty title="No events for this resource." />
          ) : (
            <Empty title="No events yet.">Every change appears here and is sent to subscribed webhooks.</Empty>
          )
        }
      />
    </Page>
  )
}
