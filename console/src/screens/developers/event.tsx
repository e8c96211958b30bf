import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { WebhookDelivery } from 'openbenefits'
import { formatInstant, formatNumber } from '../../format.ts'
import { ResourceLink } from '../../parts/page/links.tsx'
import { BreakableText, Empty, Facts, Id, Loaded, Page, Section } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import type { Column } from '../../parts/table/table.tsx'
import { eventDeliveriesQuery, eventQuery, subscriptionQuery } from './queries.ts'
import { Deliveries } from './deliveries.tsx'

const route = getRouteApi('/developers/events/$event_id')

/** The host of a subscription, or its id while loading or after its deletion. */
function ReceiverHost({ subscription_id }: { subscription_id: string }) {
  const { data } = useQuery(subscriptionQuery(subscription_id))
  return data ? <BreakableText of={data.url.replace(/^https?:\/\//, '')} /> : <Id of={subscription_id} />
}

const receiver_column: Column<WebhookDelivery> = {
  name: 'Delivery to',
  width: 24,
  phone: 38,
  cell: ({ subscription_id }) => (
    <RowLink to="/developers/webhooks/$subscription_id" params={{ subscription_id }}>
      <ReceiverHost subscription_id={subscription_id} />
    </RowLink>
  ),
}

export function EventPage() {
  const { event_id } = route.useParams()
  const event = useQuery(eventQuery(event_id))
  return (
    <Page
      title={event.data?.event_name ?? '\u00a0'}
      breadcrumbs={[{ label: 'Events', link: { to: '/developers/events' } }]}
    >
      <Loaded query={event}>
        {({ resource_id, sequence, created_at, id }) => (
          <Section title="Details">
            <Facts
              of={[
                ['Time', formatInstant(created_at)],
                ['Resource', <ResourceLink id={resource_id} />],
                ['Sequence', `${formatNumber(sequence)} of this resource`],
                ['Id', <code>{id}</code>],
              ]}
            />
          </Section>
        )}
      </Loaded>
      <Section title="Deliveries">
        <Deliveries
          of={eventDeliveriesQuery(event_id)}
          first={receiver_column}
          empty={<Empty title="Not sent to any webhook.">No webhook subscribed to this event when it occurred.</Empty>}
        />
      </Section>
    </Page>
  )
}
