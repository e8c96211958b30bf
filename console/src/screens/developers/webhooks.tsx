import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewWebhookSubscription, WebhookSubscription } from 'openbenefits'
import { ob } from '../../api.ts'
import { Form, type Values } from '../../parts/form.tsx'
import { Adding, Breakable, Empty, Page, Status } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf } from '../../parts/words.ts'
import { subscriptions } from '../../queries.ts'
import { may } from '../../session.ts'
import { developer_tabs } from './developers.tsx'

const route = getRouteApi('/developers/webhooks')

export const healthOf = ({ enabled, failing_since }: WebhookSubscription) =>
  !enabled ? 'disabled' : failing_since ? 'failing' : 'enabled'

const columns: Column<WebhookSubscription>[] = [
  {
    name: 'Address',
    width: 44,
    phone: 66,
    cell: ({ id, url }) => (
      <RowLink to="/developers/webhooks/$subscription_id" params={{ subscription_id: id }}>
        <Breakable of={url} />
      </RowLink>
    ),
  },
  { name: 'Health', cell: (subscription) => <Status of={healthOf(subscription)} /> },
  {
    name: 'Events',
    only: 'middle',
    cell: ({ event_names }) => (event_names.length > 0 ? count(event_names.length, 'name') : 'All'),
  },
  { name: 'Since', align: 'end', only: 'middle', cell: ({ created_at }) => dayOf(created_at) },
]

/** A list of names, as one types it. */
const namesOf = (text = '') => text.split(/[\s,]+/).filter(Boolean)

export function Webhooks() {
  const { add } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const rows = useRows(subscriptions())
  const [secret, setSecret] = useState<string>()
  const create = async ({ url, description, event_names }: Values) => {
    const body = { url, ...(description && { description }), event_names: namesOf(event_names) }
    const { secret } = await ob.webhookSubscriptions.create(body as NewWebhookSubscription)
    setSecret(secret)
    await client.invalidateQueries({ queryKey: subscriptions().key })
    await navigate({ search: (before) => ({ ...before, add: undefined }) })
  }
  return (
    <Page
      title="Developers"
      tabs={developer_tabs}
      actions={
        !add &&
        may(session, 'webhooks') && (
          <Link
            className="button main"
            from="/developers/webhooks"
            to="."
            search={(before) => ({ ...before, add: 'yes' as const })}
          >
            Add a webhook
          </Link>
        )
      }
    >
      {secret && <Secret of={secret}>This is the signing secret. Copy it now: it is not shown again.</Secret>}
      {add && (
        <Adding title="New webhook">
          <Form
            fields={[
              { name: 'url', label: 'Address', kind: 'url', hint: 'Events are posted here, over https.' },
              { name: 'description', label: 'Description', required: false },
              {
                name: 'event_names',
                label: 'Events',
                kind: 'long',
                required: false,
                hint: 'Names such as employee.created. Leave empty for all events.',
              },
            ]}
            submit={create}
            button="Add the webhook"
          />
        </Adding>
      )}
      <Table
        label="Webhook subscriptions"
        columns={columns}
        rows={rows}
        empty={<Empty title="No webhooks yet.">A webhook posts events to an address of yours, signed.</Empty>}
      />
    </Page>
  )
}
