import type { WebhookEvent } from 'openbenefits'
import type { ReactNode } from 'react'
import { At, Breakable, Id } from '../page/page.tsx'
import { RowLink } from './row-link.tsx'
import { useRows } from './rows.ts'
import { Table, type Column } from './table.tsx'
import { inWords } from '../../format.ts'
import { events, type EventFilter } from '../../queries.ts'

const columns: Column<WebhookEvent>[] = [
  {
    name: 'Event',
    width: 34,
    phone: 68,
    cell: ({ id, event_name }) => (
      <RowLink to="/developers/events/$event_id" params={{ event_id: id }}>
        <Breakable of={event_name} />
      </RowLink>
    ),
  },
  { name: 'Resource', only: 'middle', width: 25, cell: ({ resource_id }) => <Id of={resource_id} /> },
  { name: 'Sequence', align: 'end', only: 'wide', cell: ({ sequence }) => inWords(sequence) },
  { name: 'Time', align: 'end', phone: 32, cell: ({ created_at }) => <At of={created_at} /> },
]

/** Events, newest first, updated live. `empty` describes an empty list. */
export const Events = ({ filter, empty }: { filter: EventFilter; empty: ReactNode }) => (
  <Table label="Events" columns={columns} rows={useRows(events(filter), () => true)} empty={empty} />
)
