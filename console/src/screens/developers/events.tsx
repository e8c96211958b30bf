import { getRouteApi } from '@tanstack/react-router'
import { Events as EventTable } from '../../parts/table/event-table.tsx'
import { Search } from '../../parts/table/filters.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { developer_tabs } from './developers.tsx'
import { useChangeSearch } from '../../parts/page/here-link.tsx'

const route = getRouteApi('/developers/events')

/** The events of the organization. */
export function Events() {
  const { resource_id } = route.useSearch()
  const change = useChangeSearch()
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <div className="filters">
        <Search label="Resource id" value={resource_id} search={(resource_id) => void change({ resource_id })} />
      </div>
      <EventTable
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
