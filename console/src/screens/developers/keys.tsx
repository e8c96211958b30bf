import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { key_columns, keyBody, keyFields, keyName } from '../../parts/access/api-keys.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { Fresh } from '../../parts/access/recent-sign-in.tsx'
import { Adding, Empty, Page } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Secret } from '../../parts/access/secret.tsx'
import { Table, type Column } from '../../parts/table/table.tsx'
import { keys } from '../../queries.ts'
import { may } from '../../session.ts'
import { developer_tabs } from './developers.tsx'
import { AddLink, useChangeSearch } from '../../parts/page/here-link.tsx'

const route = getRouteApi('/developers')

const columns: Column<ApiKey>[] = [
  {
    name: 'Key',
    width: 24,
    cell: (key) => (
      <RowLink to="/developers/keys/$key_id" params={{ key_id: key.id }}>
        {keyName(key)}
      </RowLink>
    ),
  },
  ...key_columns,
]

const fields = keyFields({ end: '90 days from now', origins: 'servers only' })

/** The organization's API keys, with a form to create one. */
export function Keys() {
  const { add } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(keys())
  const [made, setMade] = useState<string>()
  const create = async (values: Values) => {
    setMade((await ob.apiKeys.create(keyBody(values))).api_key)
    await refetch(keys().key)
    await change({ add: undefined })
  }
  return (
    <Page title="Developers" tabs={developer_tabs} actions={!add && may('keys') && <AddLink>Create key</AddLink>}>
      {made && (
        <Secret of={made}>
          This is the new key. Copy it to your servers’ secret storage now: it is not shown again.
        </Secret>
      )}
      {add && (
        <Adding title="New key">
          <Fresh>
            <Form fields={fields} initial={{ scopes: 'read people' }} submit={create} button="Create key" />
          </Fresh>
        </Adding>
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
