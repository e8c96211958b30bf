import type { ReactNode } from 'react'
import type { WebhookDelivery } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { Timestamp, Dash, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, numberColumn, Table } from '../../parts/table/table.tsx'
import type { PagedList } from '../../queries.ts'

const isUnderWay = ({ status }: WebhookDelivery) => status === 'Pending' || status === 'In Progress'

/** The time of completion or of the next attempt. */
const deliveryTime = ({ delivered_at, failed_at, next_attempt_at, created_at }: WebhookDelivery) =>
  delivered_at ?? failed_at ?? next_attempt_at ?? created_at

/** The reason of the last failure, with the receiver's response. */
function FailureReason({ of: { failure_reason, response_body } }: { of: WebhookDelivery }) {
  if (!failure_reason) return <Dash />
  return (
    <span title={[failure_reason, response_body].filter(Boolean).join('\n')}>
      {failure_reason} <span className="quiet">{response_body}</span>
    </span>
  )
}

const columns: Column<WebhookDelivery>[] = [
  { name: 'Status', width: 11, phone: 34, cell: ({ status }) => <Status of={status} /> },
  numberColumn('Attempts', 'attempts', { only: 'middle', width: 8 }),
  {
    name: 'Response',
    align: 'end',
    only: 'middle',
    width: 8,
    cell: ({ response_status }) => response_status ?? <Dash />,
  },
  { name: 'Reason', only: 'wide', cell: (delivery) => <FailureReason of={delivery} /> },
  {
    name: 'Time',
    align: 'end',
    only: 'middle',
    width: 22,
    cell: (delivery) => (
      <>
        {delivery.next_attempt_at && <span className="quiet">next </span>}
        <Timestamp of={deliveryTime(delivery)} />
      </>
    ),
  },
]

const exported: ExportColumn<WebhookDelivery>[] = [
  { name: 'Event', of: ({ webhook_event_id }) => webhook_event_id },
  { name: 'Status', of: ({ status }) => status },
  { name: 'Attempts', of: ({ attempts }) => attempts },
  { name: 'Response', of: ({ response_status }) => response_status },
  { name: 'Reason', of: ({ failure_reason }) => failure_reason },
  { name: 'Time', of: deliveryTime },
  { name: 'Id', of: ({ id }) => id },
]

const actionOf = (redeliver: (id: string) => void, is_busy: boolean): Column<WebhookDelivery> => ({
  name: 'Action',
  align: 'end',
  width: 8,
  phone: 24,
  cell: (delivery) =>
    isUnderWay(delivery) ? (
      <Dash />
    ) : (
      <button type="button" className="plain" disabled={is_busy} onClick={() => redeliver(delivery.id)}>
        Resend
      </button>
    ),
})

type DeliveriesProps = {
  of: PagedList<WebhookDelivery>
  /** the first column: the event of a delivery, or its destination */
  first: Column<WebhookDelivery>
  empty: ReactNode
  filters?: ReactNode
  /** whether new deliveries may appear */
  grows?: boolean
  /** whether the destination is disabled */
  is_closed?: boolean
}

/** Deliveries with their attempts, updated live. Each can be resent. */
export function Deliveries({ of, first, empty, filters, grows = false, is_closed = false }: DeliveriesProps) {
  const rows = useRows(of, (each) => grows || each.some(isUnderWay))
  const redeliver = useAction({
    mutationFn: (id: string) => ob.webhookDeliveries.redeliver(id),
    onSuccess: () => refetch(of.key),
  })
  return (
    <>
      {redeliver.error && <ErrorMessage error={redeliver.error} />}
      {(filters || rows.total !== 0) && (
        <div className="filters">
          {filters}
          <Export name="deliveries" list={of} columns={exported} />
        </div>
      )}
      <Table
        label="Deliveries"
        columns={[
          first,
          ...columns,
          ...(is_closed ? [] : [actionOf((id) => redeliver.mutate(id), redeliver.isPending)]),
        ]}
        rows={rows}
        empty={empty}
      />
    </>
  )
}
