import { getRouteApi } from '@tanstack/react-router'
import type { Group } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { Form, type Values } from '../../parts/form/form.tsx'
import { AddLink } from '../../parts/page/links.tsx'
import { AddSection, Empty, Page } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { groupsList } from './queries.ts'

const route = getRouteApi('/groups')

const columns: Column<Group>[] = [
  linkColumn('Group', ({ id, name }) => [name, { to: '/groups/$group_id', params: { group_id: id } }], { width: 40 }),
  { name: 'Your reference', only: 'middle', cell: ({ external_reference_id }) => external_reference_id },
  dateColumn('Since', 'created_at'),
]

const exported: ExportColumn<Group>[] = [
  { name: 'Group', of: ({ name }) => name },
  { name: 'Your reference', of: ({ external_reference_id }) => external_reference_id },
  { name: 'Since', of: ({ created_at }) => created_at },
]

/** Groups of people without a common employer. */
export function GroupsPage() {
  const { add } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(groupsList())
  const create = async ({ name = '', external_reference_id = '' }: Values) => {
    const { id } = await ob.groups.create({ name, external_reference_id })
    await refetch(groupsList().key)
    await navigate({ to: '/groups/$group_id', params: { group_id: id } })
  }
  return (
    <Page
      title="Groups"
      badge={rows.total !== undefined && <span className="quiet">{formatCount(rows.total, 'group')}</span>}
      actions={
        !add && (
          <>
            <Export name="groups" list={groupsList()} columns={exported} />
            <AddLink>Add group</AddLink>
          </>
        )
      }
    >
      {add && (
        <AddSection title="New group">
          <Form
            fields={[
              { name: 'name', label: 'Name' },
              { name: 'external_reference_id', label: 'Your reference', hint: 'The group’s id in your own systems.' },
            ]}
            submit={create}
            button="Add group"
          />
        </AddSection>
      )}
      <Table
        label="Groups"
        columns={columns}
        rows={rows}
        empty={
          <Empty title="No groups yet.">
            A group has members without a common employer, such as a cooperative or an association.
          </Empty>
        }
      />
    </Page>
  )
}
