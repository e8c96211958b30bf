import type { ApiKey } from 'openbenefits'
import { Empty, Nothing, Page, Status } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { instantOf } from '../../parts/words.ts'
import { keys } from '../../queries.ts'
import { base_url } from '../../session.ts'
import { developer_tabs } from './developers.tsx'

const columns: Column<ApiKey>[] = [
  { name: 'Key', width: 26, cell: ({ name, last_four }) => name ?? `…${last_four ?? ''}` },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Ends with', only: 'middle', cell: ({ last_four }) => (last_four ? <code>…{last_four}</code> : <Nothing />) },
  { name: 'Mode', only: 'middle', cell: ({ mode }) => mode ?? 'test and live' },
  { name: 'For', only: 'wide', cell: ({ scopes }) => scopes.join(', ') },
  {
    name: 'Last used',
    align: 'end',
    cell: ({ last_used_at }) => (last_used_at ? instantOf(last_used_at) : <Nothing />),
  },
]

export function Keys() {
  const rows = useRows(keys())
  return (
    <Page title="Developers" tabs={developer_tabs}>
      <p className="quiet note">
        A key is made and revoked with a key, over the interface: whoever holds a browser for a moment is given none.{' '}
        <a href={`${base_url}/docs/`}>Documentation</a>
      </p>
      <Table
        label="API keys"
        columns={columns}
        rows={rows}
        empty={<Empty title="No API keys yet.">The operator hands out the first.</Empty>}
      />
    </Page>
  )
}
