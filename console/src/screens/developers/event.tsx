import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { WebhookDelivery } from 'openbenefits'
import { useDeed } from '../../parts/deed.ts'
import { ob } from '../../api.ts'
import { Empty, Facts, Id, Loaded, Nothing, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { Resource } from '../../parts/resource.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { inWords, instantOf } from '../../parts/words.ts'
import { deliveriesOf, eventOf } from '../../queries.ts'

const route = getRouteApi('/developers/events/$event_id')

const columnsOf = (redeliver: (id: string) => void, is_busy: boolean): Column<WebhookDelivery>[] => [
  {
    name: 'Delivery to',
    width: 34,
    cell: ({ subscription_id }) => (
      <RowLink to="/developers/webhooks/$subscription_id" params={{ subscription_id }}>
        <Id of={subscription_id} />
      </RowLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Attempts', align: 'end', only: 'middle', cell: ({ attempts }) => inWords(attempts) },
  { name: 'Answer', align: 'end', only: 'middle', cell: ({ response_status }) => response_status ?? <Nothing /> },
  { name: 'Reason', only: 'wide', cell: ({ failure_reason }) => failure_reason || <Nothing /> },
  {
    name: 'Action',
    align: 'end',
    cell: ({ id, status }) =>
      ['Delivered', 'Failed'].includes(status) ? (
        <button type="button" className="plain" disabled={is_busy} onClick={() => redeliver(id)}>
          Resend
        </button>
      ) : (
        <Nothing />
      ),
  },
]

export function Event() {
  const { event_id } = route.useParams()
  const client = useQueryClient()
  const event = useQuery(eventOf(event_id))
  const deliveries = useRows(deliveriesOf(event_id), (each) =>
    each.some(({ status }) => status === 'Pending' || status === 'In Progress'),
  )
  const redeliver = useDeed({
    mutationFn: (id: string) => ob.webhookDeliveries.redeliver(id),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesOf(event_id).key }),
  })
  return (
    <Page title={event.data?.event_name ?? '\u00a0'} above={[{ label: 'Events', link: { to: '/developers/events' } }]}>
      <Loaded query={event}>
        {({ resource_id, sequence, created_at, id }) => (
          <Section title="Details">
            <Facts
              of={[
                ['Time', instantOf(created_at)],
                ['Resource', <Resource id={resource_id} />],
                ['Sequence', `${inWords(sequence)} of this resource`],
                ['Id', <code>{id}</code>],
              ]}
            />
          </Section>
        )}
      </Loaded>
      <Section title="Deliveries">
        {redeliver.error && <Trouble error={redeliver.error} />}
        <Table
          label="Deliveries"
          columns={columnsOf((id) => redeliver.mutate(id), redeliver.isPending)}
          rows={deliveries}
          empty={<Empty title="Not sent to any webhook.">No subscription asked for this event when it happened.</Empty>}
        />
      </Section>
    </Page>
  )
}
