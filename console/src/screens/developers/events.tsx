import { getRouteApi } from '@tanstack/react-router'
import type { WebhookEvent } from 'openbenefits'
import type { ReactNode } from 'react'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Breakable, Empty, Id, Page } from '../../parts/page/page.tsx'
import { Search } from '../../parts/table/filters.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, numberColumn, Table, timeColumn } from '../../parts/table/table.tsx'
import { type EventFilter, events } from '../../queries.ts'
import { eventSentence } from './event-sentences.ts'
import { developer_tabs } from './keys.tsx'

/** The columns of events, with the words of each. */
const columnsWith = (words: (event: WebhookEvent) => ReactNode): Column<WebhookEvent>[] => [
  linkColumn(
    'Event',
    (event) => [words(event), { to: '/developers/events/$event_id', params: { event_id: event.id } }],
    {
      width: 34,
      phone: 68,
    },
  ),
  { name: 'Resource', only: 'middle', width: 25, cell: ({ resource_id }) => <Id of={resource_id} /> },
  numberColumn('Sequence', 'sequence', { only: 'wide' }),
  timeColumn('Time', 'created_at', { phone: 32 }),
]
const named_columns = columnsWith(({ event_name }) => <Breakable of={event_name} />)
/** For account managers, who do not know the names of events. */
const sentence_columns = columnsWith(eventSentence)

type EventTableProps = { filter: EventFilter; empty: ReactNode; columns: Column<WebhookEvent>[] }

/** Events, newest first, updated live. `empty` describes an empty list. */
const EventTable = ({ filter, empty, columns }: EventTableProps) => (
  <Table label="Events" columns={columns} rows={useRows(events(filter), () => true)} empty={empty} />
)

const of_organization = getRouteApi('/developers/events')

/** The events of the organization. */
export function Events() {
  const { resource_id } = of_organization.useSearch()
  const change = useChangeSearch()
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <div className="filters">
        <Search label="Resource id" value={resource_id} search={(resource_id) => void change({ resource_id })} />
      </div>
      <EventTable
        columns={named_columns}
        filter={{ resource_id }}
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

const of_employer = getRouteApi('/employers/$employer_id/events')

/** The events of an employer and its people. */
export const EmployerEvents = () => (
  <EventTable
    columns={sentence_columns}
    filter={of_employer.useParams()}
    empty={<Empty title="No events yet.">Every change at this employer appears here.</Empty>}
  />
)
