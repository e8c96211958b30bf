import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import {
  RequiresRecentSignIn,
  key_columns,
  keyRequest,
  keyFields,
  keyName,
  Secret,
} from '../../parts/access/credentials.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { AddLink, useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection, Empty, Page, type Tab } from '../../parts/page/page.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { apiKeysList } from './queries.ts'
import { isRoleAllowed } from '../../session.ts'

const route = getRouteApi('/developers')

const columns: Column<ApiKey>[] = [
  linkColumn('Key', (key) => [keyName(key), { to: '/developers/keys/$key_id', params: { key_id: key.id } }], {
    width: 24,
  }),
  ...key_columns,
]

const fields = keyFields({ end: '90 days from now', origins: 'servers only' })

/** The organization's API keys, with a form to create one. */
export function Keys() {
  const { add } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(apiKeysList())
  const [made, setMade] = useState<string>()
  const create = async (values: Values) => {
    setMade((await ob.apiKeys.create(keyRequest(values))).api_key)
    await refetch(apiKeysList().key)
    await change({ add: undefined })
  }
  return (
    <Page
      title="Developers"
      tabs={developer_tabs}
      actions={!add && isRoleAllowed('keys') && <AddLink>Create key</AddLink>}
    >
      {made && (
        <Secret of={made}>
          This is the new key. Copy it to your servers’ secret storage now: it is not shown again.
        </Secret>
      )}
      {add && (
        <AddSection title="New key">
          <RequiresRecentSignIn>
            <Form fields={fields} initial={{ scopes: 'read people' }} submit={create} button="Create key" />
          </RequiresRecentSignIn>
        </AddSection>
      )}
      <Table
        label="API keys"
        columns={columns}
        rows={rows}
        empty={<Empty title="No API keys yet.">Your servers use a key to call the API.</Empty>}
      />
    </Page>
  )
}

/** The header and tabs of the developer pages. */
export const developer_tabs: Tab[] = [
  { label: 'API keys', link: { to: '/developers' }, exact: true },
  { label: 'Webhooks', link: { to: '/developers/webhooks' } },
  { label: 'Events', link: { to: '/developers/events' } },
]
