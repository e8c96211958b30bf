import { getRouteApi } from '@tanstack/react-router'
import { Events } from '../../parts/events.tsx'
import { Empty } from '../../parts/page.tsx'

const route = getRouteApi('/employers/$employer_id/events')

/** What happened at an employer: to itself, its people, and what belongs to them. */
export function EmployerEvents() {
  const { employer_id } = route.useParams()
  return (
    <Events
      filter={{ employer_id }}
      empty={<Empty title="Nothing has happened yet.">Whatever changes at this employer is told here.</Empty>}
    />
  )
}
