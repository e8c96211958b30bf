import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouteContext } from '@tanstack/react-router'
import type { AuditEntry, WebhookDelivery, WebhookEvent } from 'openbenefits'
import { operatorTraceOf } from '../operator-queries.ts'
import { Empty, Facts, Loaded, Nothing, Page, Section, Status } from '../parts/page.tsx'
import { RowLink } from '../parts/row-link.tsx'
import { rowsOf } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { inWords, instantOf, sentence } from '../parts/words.ts'
import { traceOf } from '../queries.ts'

const route = getRouteApi('/traces/$trace_id')

type Went = { event: WebhookEvent; delivery: WebhookDelivery | undefined }

const columns: Column<Went>[] = [
  {
    name: 'Event',
    width: 30,
    phone: 50,
    cell: ({ event }) => <EventName of={event} />,
  },
  { name: 'Of', only: 'wide', width: 26, cell: ({ event }) => <code>{event.resource_id}</code> },
  { name: 'Delivery', cell: ({ delivery }) => (delivery ? <Status of={delivery.status} /> : 'To nobody') },
  {
    name: 'Attempts',
    align: 'end',
    only: 'middle',
    cell: ({ delivery }) => (delivery ? inWords(delivery.attempts) : <Nothing />),
  },
  {
    name: 'Answer',
    align: 'end',
    only: 'middle',
    cell: ({ delivery }) => delivery?.response_status ?? <Nothing />,
  },
  { name: 'At', align: 'end', cell: ({ event }) => instantOf(event.created_at) },
]

function EventName({ of: { id, event_name } }: { of: WebhookEvent }) {
  const { session } = useRouteContext({ from: '__root__' })
  if (session.organization_id === null) return event_name
  return (
    <RowLink to="/developers/events/$event_id" params={{ event_id: id }}>
      {event_name}
    </RowLink>
  )
}

/** One request by its id: who asked for what, which events it caused, and what became of their deliveries. */
export function TracePage() {
  const { trace_id } = route.useParams()
  const { session } = useRouteContext({ from: '__root__' })
  const query = useQuery(session.organization_id === null ? operatorTraceOf(trace_id) : traceOf(trace_id))
  const went = query.data?.events.flatMap(({ event, deliveries }): Went[] =>
    deliveries.length > 0 ? deliveries.map((delivery) => ({ event, delivery })) : [{ event, delivery: undefined }],
  )
  return (
    <Page
      title={query.data?.entries[0]?.operation ?? 'A request'}
      above={[{ label: 'Audit trail', link: { to: '/audit' } }]}
      mark={query.data?.entries[0] && <Status of={query.data.entries[0].outcome} />}
    >
      <Loaded query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title="The trail knows no such request.">
              It may be of another organization, or from before the trail was kept. What was read is in it within a
              second.
            </Empty>
          ) : (
            <>
              {entries.map((entry) => (
                <Request key={entry.id} of={entry} />
              ))}
              <Section title="What it caused">
                <Table
                  label="What it caused"
                  columns={columns}
                  rows={rowsOf(went ?? [])}
                  empty={<Empty title="No event.">What its jobs did later has no request of its own.</Empty>}
                />
              </Section>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const Request = ({
  of: { trace_id, occurred_at, status, actor, resource_id, address, fields },
}: {
  of: AuditEntry
}) => (
  <Section title="The request">
    <Facts
      of={[
        ['X-Request-Id', <code>{trace_id}</code>],
        ['At', instantOf(occurred_at)],
        ['Answered with', status],
        [
          'By',
          <>
            {sentence(actor.kind)} <code>{actor.user_id ?? actor.id}</code>
          </>,
        ],
        ['On', resource_id && <code>{resource_id}</code>],
        ['From', address],
        ['Fields that were sent', fields && fields.join(', ')],
      ]}
    />
  </Section>
)
