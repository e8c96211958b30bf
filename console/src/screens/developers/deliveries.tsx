import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WebhookDelivery } from 'openbenefits'
import { ob } from '../../api.ts'
import { useAction } from '../../parts/use-action.ts'
import { At, Nothing, Status, Trouble } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { inWords } from '../../parts/words.ts'
import type { Listing } from '../../queries.ts'

const isUnderWay = ({ status }: WebhookDelivery) => status === 'Pending' || status === 'In Progress'

/** When it was over, or will be tried next. */
const timeOf = ({ delivered_at, failed_at, next_attempt_at, created_at }: WebhookDelivery) =>
  delivered_at ?? failed_at ?? next_attempt_at ?? created_at

/** Why the last attempt failed, with what the receiver said. */
function Reason({ of: { failure_reason, response_body } }: { of: WebhookDelivery }) {
  if (!failure_reason) return <Nothing />
  return (
    <span title={[failure_reason, response_body].filter(Boolean).join('\n')}>
      {failure_reason} <span className="quiet">{response_body}</span>
    </span>
  )
}

const columns: Column<WebhookDelivery>[] = [
  { name: 'Status', width: 11, phone: 25, cell: ({ status }) => <Status of={status} /> },
  { name: 'Attempts', align: 'end', only: 'middle', width: 8, cell: ({ attempts }) => inWords(attempts) },
  {
    name: 'Answer',
    align: 'end',
    width: 7,
    phone: 17,
    cell: ({ response_status }) => response_status ?? <Nothing />,
  },
  { name: 'Reason', only: 'wide', cell: (delivery) => <Reason of={delivery} /> },
  {
    name: 'Time',
    align: 'end',
    only: 'middle',
    width: 22,
    cell: (delivery) => (
      <>
        {delivery.next_attempt_at && <span className="quiet">next </span>}
        <At of={timeOf(delivery)} />
      </>
    ),
  },
]

const actionOf = (redeliver: (id: string) => void, is_busy: boolean): Column<WebhookDelivery> => ({
  name: 'Action',
  align: 'end',
  width: 8,
  phone: 20,
  cell: (delivery) =>
    isUnderWay(delivery) ? (
      <Nothing />
    ) : (
      <button type="button" className="plain" disabled={is_busy} onClick={() => redeliver(delivery.id)}>
        Resend
      </button>
    ),
})

type DeliveriesProps = {
  of: Listing<WebhookDelivery>
  /** what tells one from another: which event it is of, or where it went */
  first: Column<WebhookDelivery>
  empty: ReactNode
  /** whether more of them may come at any time */
  grows?: boolean
  /** whether nothing can be sent there now */
  is_closed?: boolean
}

/** What became of deliveries, attempt by attempt, for as long as one looks; each can be sent again. */
export function Deliveries({ of, first, empty, grows = false, is_closed = false }: DeliveriesProps) {
  const client = useQueryClient()
  const rows = useRows(of, (each) => grows || each.some(isUnderWay))
  const redeliver = useAction({
    mutationFn: (id: string) => ob.webhookDeliveries.redeliver(id),
    onSuccess: () => client.invalidateQueries({ queryKey: of.key }),
  })
  return (
    <>
      {redeliver.error && <Trouble error={redeliver.error} />}
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
