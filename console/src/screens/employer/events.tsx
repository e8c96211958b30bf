import { getRouteApi } from '@tanstack/react-router'
import { Events } from '../../parts/table/event-table.tsx'
import { Empty } from '../../parts/page/page.tsx'

const route = getRouteApi('/employers/$employer_id/events')

/** The events of an employer and its people. */
export function EmployerEvents() {
  const { employer_id } = route.useParams()
  return (
    <Events
      filter={{ employer_id }}
      empty={<Empty title="No events yet.">Every change at this employer appears here.</Empty>}
    />
  )
}
