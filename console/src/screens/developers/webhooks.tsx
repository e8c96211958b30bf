import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewWebhookSubscription, WebhookSubscription } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, toSentence } from '../../format.ts'
import { Secret } from '../../parts/access/credentials.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { AddLink, useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection, BreakableText, Empty, Page, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { subscriptionsQuery } from './queries.ts'
import { isRoleAllowed } from '../../session.ts'
import { developer_tabs } from './keys.tsx'

const route = getRouteApi('/developers/webhooks')

export const webhookStatus = ({ enabled, failing_since }: WebhookSubscription) =>
  !enabled ? 'disabled' : failing_since ? 'failing' : 'enabled'

const columns: Column<WebhookSubscription>[] = [
  linkColumn(
    'URL',
    ({ id, url }) => [
      <BreakableText of={url} />,
      { to: '/developers/webhooks/$subscription_id', params: { subscription_id: id } },
    ],
    { width: 44, phone: 66 },
  ),
  { name: 'Health', cell: (subscription) => <Status of={webhookStatus(subscription)} /> },
  {
    name: 'Events',
    only: 'middle',
    cell: ({ event_names }) => (event_names.length > 0 ? formatCount(event_names.length, 'name') : 'All'),
  },
  dateColumn('Since', 'created_at', { only: 'middle' }),
]

const exported: ExportColumn<WebhookSubscription>[] = [
  { name: 'URL', of: ({ url }) => url },
  { name: 'Description', of: ({ description }) => description },
  { name: 'Health', of: (subscription) => toSentence(webhookStatus(subscription)) },
  { name: 'Events', of: ({ event_names }) => event_names.join(', ') || 'All' },
  { name: 'Since', of: ({ created_at }) => created_at },
  { name: 'Id', of: ({ id }) => id },
]

/** Parses a list of names. */
const splitNames = (text = '') => text.split(/[\s,]+/).filter(Boolean)

export function Webhooks() {
  const { add } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(subscriptionsQuery())
  const [secret, setSecret] = useState<string>()
  const create = async ({ url, description, event_names }: Values) => {
    const body = { url, ...(description && { description }), event_names: splitNames(event_names) }
    const { secret } = await ob.webhookSubscriptions.create(body as NewWebhookSubscription)
    setSecret(secret)
    await refetch(subscriptionsQuery().key)
    await change({ add: undefined })
  }
  return (
    <Page
      title="Developers"
      tabs={developer_tabs}
      actions={
        <>
          <Export name="webhooks" list={subscriptionsQuery()} columns={exported} />
          {!add && isRoleAllowed('webhooks') && <AddLink>Add webhook</AddLink>}
        </>
      }
    >
      {secret && <Secret of={secret}>This is the signing secret. Copy it now: it is not shown again.</Secret>}
      {add && (
        <AddSection title="New webhook">
          <Form
            fields={[
              { name: 'url', label: 'URL', kind: 'url', hint: 'Events are sent here with POST over HTTPS.' },
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
            button="Add webhook"
          />
        </AddSection>
      )}
      <Table
        label="Webhook subscriptions"
        columns={columns}
        rows={rows}
        empty={<Empty title="No webhooks yet.">A webhook sends signed events to your URL.</Empty>}
      />
    </Page>
  )
}
