import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditEntry, WebhookDelivery, WebhookEvent } from 'openbenefits'
import { formatInstant, formatNumber, toSentence } from '../../format.ts'
import { ResourceLink } from '../../parts/page/links.tsx'
import { BreakableText, Empty, Facts, Id, Loaded, Dash, Page, Section, Status } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { isOperator } from '../../session.ts'
import { operatorTraceQuery, traceQuery } from './queries.ts'

const route = getRouteApi('/traces/$trace_id')

type TraceDelivery = { event: WebhookEvent; delivery: WebhookDelivery | undefined }

const columns: Column<TraceDelivery>[] = [
  {
    name: 'Event',
    width: 28,
    phone: 40,
    cell: ({ event }) => <EventLink of={event} />,
  },
  { name: 'Resource', only: 'wide', width: 24, cell: ({ event }) => <Id of={event.resource_id} /> },
  { name: 'Delivery', cell: ({ delivery }) => (delivery ? <Status of={delivery.status} /> : 'Not sent') },
  {
    name: 'Attempts',
    align: 'end',
    only: 'middle',
    cell: ({ delivery }) => (delivery ? formatNumber(delivery.attempts) : <Dash />),
  },
  {
    name: 'Response',
    align: 'end',
    only: 'middle',
    cell: ({ delivery }) => delivery?.response_status ?? <Dash />,
  },
  { name: 'Time', align: 'end', width: 20, phone: 34, cell: ({ event }) => formatInstant(event.created_at) },
]

function EventLink({ of: { id, event_name } }: { of: WebhookEvent }) {
  if (isOperator()) return <BreakableText of={event_name} />
  return (
    <RowLink to="/developers/events/$event_id" params={{ event_id: id }}>
      <BreakableText of={event_name} />
    </RowLink>
  )
}

/** One request by its id: caller, operation, caused events and their deliveries. */
export function TracePage() {
  const { trace_id } = route.useParams()
  const query = useQuery(isOperator() ? operatorTraceQuery(trace_id) : traceQuery(trace_id))
  const went = query.data?.events.flatMap(({ event, deliveries }): TraceDelivery[] =>
    deliveries.length > 0 ? deliveries.map((delivery) => ({ event, delivery })) : [{ event, delivery: undefined }],
  )
  return (
    <Page
      title={query.data?.entries[0]?.operation ?? 'A request'}
      breadcrumbs={[{ label: 'Audit log', link: { to: '/audit' } }]}
      badge={query.data?.entries[0] && <Status of={query.data.entries[0].outcome} />}
    >
      <Loaded query={query}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty title="This request is not in the audit log.">
              It may belong to another organization, or be older than the audit log. Reads appear after about a second.
            </Empty>
          ) : (
            <>
              {entries.map((entry) => (
                <RequestEntry key={entry.id} of={entry} />
              ))}
              <Section title="Events">
                <Table
                  label="Events"
                  columns={columns}
                  rows={fixedRows(went ?? [])}
                  empty={<Empty title="No events.">Effects of background jobs are not part of a request.</Empty>}
                />
              </Section>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const RequestEntry = ({
  of: { trace_id, occurred_at, status, actor, resource_id, address, fields },
}: {
  of: AuditEntry
}) => (
  <Section title="Request">
    <Facts
      of={[
        ['Request id', <code>{trace_id}</code>],
        ['Time', formatInstant(occurred_at)],
        ['HTTP status', status],
        [
          'By',
          <>
            {toSentence(actor.kind)} <code>{actor.user_id ?? actor.id}</code>
          </>,
        ],
        ['Resource', resource_id && <ResourceLink id={resource_id} />],
        ['IP address', address],
        ['Fields sent', fields && fields.join(', ')],
      ]}
    />
  </Section>
)
