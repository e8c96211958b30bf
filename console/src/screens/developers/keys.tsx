import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from 'openbenefits'
import { ob } from '../../api.ts'
import { key_columns, keyBody, keyFields, keyName } from '../../parts/api-keys.tsx'
import { Form, type Values } from '../../parts/form.tsx'
import { Fresh } from '../../parts/fresh.tsx'
import { Adding, Empty, Page } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { keys } from '../../queries.ts'
import { may } from '../../session.ts'
import { developer_tabs } from './developers.tsx'

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

/** The keys of the organization, and one more. */
export function Keys() {
  const { add } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const rows = useRows(keys())
  const [made, setMade] = useState<string>()
  const create = async (values: Values) => {
    setMade((await ob.apiKeys.create(keyBody(values))).api_key)
    await client.invalidateQueries({ queryKey: keys().key })
    await navigate({ search: (before) => ({ ...before, add: undefined }) })
  }
  return (
    <Page
      title="Developers"
      tabs={developer_tabs}
      actions={
        !add &&
        may(session, 'keys') && (
          <Link
            className="button main"
            from="/developers"
            to="."
            search={(before) => ({ ...before, add: 'yes' as const })}
          >
            Create a key
          </Link>
        )
      }
    >
      {made && (
        <Secret of={made}>
          This is the key. Copy it now to where your servers keep secrets: it is not shown again.
        </Secret>
      )}
      {add && (
        <Adding title="New key">
          <Fresh>
            <Form fields={fields} initial={{ scopes: 'read people' }} submit={create} button="Create the key" />
          </Fresh>
        </Adding>
      )}
      <Table
        label="API keys"
        columns={columns}
        rows={rows}
        empty={<Empty title="No API keys yet.">Your servers call the API with a key.</Empty>}
      />
    </Page>
  )
}
