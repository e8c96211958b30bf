import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, NewApiKey } from 'openbenefits'
import { ob } from '../../api.ts'
import { Form, type Field, type Values } from '../../parts/form.tsx'
import { Fresh } from '../../parts/fresh.tsx'
import { At, Empty, Nothing, Page, Section, Status } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf } from '../../parts/words.ts'
import { keys } from '../../queries.ts'
import { developer_tabs } from './developers.tsx'

const route = getRouteApi('/developers')

export const keyName = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>) => name ?? `…${last_four ?? ''}`

const columns: Column<ApiKey>[] = [
  {
    name: 'Key',
    width: 24,
    cell: (key) => (
      <Link className="row-link" to="/developers/keys/$key_id" params={{ key_id: key.id }}>
        {keyName(key)}
      </Link>
    ),
  },
  { name: 'Status', width: 10, cell: ({ status }) => <Status of={status} /> },
  { name: 'Ends with', only: 'middle', cell: ({ last_four }) => (last_four ? <code>…{last_four}</code> : <Nothing />) },
  { name: 'For', only: 'wide', width: 22, cell: ({ scopes }) => scopes.join(', ') },
  {
    name: 'Lasts until',
    align: 'end',
    only: 'middle',
    cell: ({ expires_at }) => (expires_at ? dayOf(expires_at) : <Nothing />),
  },
  {
    name: 'Last used',
    align: 'end',
    width: 20,
    phone: 38,
    cell: ({ last_used_at }) => (last_used_at ? <At of={last_used_at} /> : <Nothing />),
  },
]

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'people', label: 'People: names, birthdays, enrollments' },
  { value: 'money', label: 'Money: deductions, invoices' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'keys', label: 'Keys and the audit trail' },
]

const fields: Field[] = [
  { name: 'name', label: 'Name', hint: 'What uses it, so that somebody knows later what it is for.' },
  {
    name: 'scopes',
    label: 'What it is for',
    kind: 'several',
    options: scopes,
    hint: 'As little as does the job: an operation needs each of its own.',
  },
  { name: 'ends', label: 'Last day', kind: 'date', required: false, hint: 'Empty: 90 days from now.' },
  {
    name: 'origins',
    label: 'Origins',
    required: false,
    hint: 'Web pages that may use it, such as https://app.example.com. Empty: none, it is for servers.',
  },
]

const wordsIn = (text = '') => text.split(/[\s,]+/).filter(Boolean)

/** What is empty is the service's to decide. */
function bodyOf({ name = '', scopes, ends, origins }: Values): NewApiKey {
  const body = {
    name,
    scopes: wordsIn(scopes),
    ...(ends && { expires_at: new Date(`${ends}T23:59:59`).toISOString() }),
    ...(origins && { allowed_origins: wordsIn(origins) }),
  }
  return body as NewApiKey
}

/** The keys of the organization, and one more. */
export function Keys() {
  const { add } = route.useSearch()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const rows = useRows(keys())
  const [made, setMade] = useState<string>()
  const create = async (values: Values) => {
    setMade((await ob.apiKeys.create(bodyOf(values))).api_key)
    await client.invalidateQueries({ queryKey: keys().key })
    await navigate({ search: (before) => ({ ...before, add: undefined }) })
  }
  return (
    <Page
      title="Developers"
      tabs={developer_tabs}
      actions={
        !add && (
          <Link
            className="button main"
            from="/developers"
            to="."
            search={(before) => ({ ...before, add: 'yes' as const })}
          >
            Make a key
          </Link>
        )
      }
    >
      {made && <Secret of={made}>The key. It is shown this once: put it where your servers keep secrets.</Secret>}
      {add && (
        <Section title="A new key">
          <Fresh>
            <Form fields={fields} initial={{ scopes: 'read people' }} submit={create} button="Make the key" />
          </Fresh>
        </Section>
      )}
      <Table
        label="API keys"
        columns={columns}
        rows={rows}
        empty={<Empty title="No API keys yet.">A server of yours needs one; the interface takes nothing else.</Empty>}
      />
    </Page>
  )
}
