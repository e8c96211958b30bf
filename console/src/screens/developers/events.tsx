import { getRouteApi } from '@tanstack/react-router'
import { Events as EventTable } from '../../parts/events.tsx'
import { Search } from '../../parts/filters.tsx'
import { Empty, Page } from '../../parts/page.tsx'
import { developer_tabs } from './developers.tsx'

const route = getRouteApi('/developers/events')

/** What happened in the organization. */
export function Events() {
  const { resource_id } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <div className="filters">
        <Search
          label="Resource id"
          value={resource_id}
          search={(resource_id) => void navigate({ search: (before) => ({ ...before, resource_id }), replace: true })}
        />
      </div>
      <EventTable
        filter={{ resource_id }}
        empty={
          resource_id ? (
            <Empty title="No events for this resource." />
          ) : (
            <Empty title="No events yet.">Each change appears here and is sent to webhook subscriptions.</Empty>
          )
        }
      />
    </Page>
  )
}
