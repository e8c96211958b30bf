import { getRouteApi } from '@tanstack/react-router'
import type { OperatedUser } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, toSentence } from '../../format.ts'
import { operatedUsersList } from '../../operator-queries.ts'
import { Form, type Values } from '../../parts/form/form.tsx'
import { AddLink, useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { AddSection, Empty, Dash, Page } from '../../parts/page/page.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { min_search_length } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'
import { access_tabs } from './operators.tsx'

const route = getRouteApi('/access')

const membershipsOf = ({ memberships, operator_role }: OperatedUser): string =>
  [
    ...(operator_role ? [`Operator, ${operator_role}`] : []),
    ...memberships
      .filter(({ ended_at }) => ended_at === null)
      .map(({ organization_name, role }) => `${organization_name}, ${toSentence(role.toLowerCase())}`),
  ].join(' · ')

const exported: ExportColumn<OperatedUser>[] = [
  { name: 'Name', of: ({ name }) => name },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Memberships', of: membershipsOf },
  { name: 'Since', of: ({ created_at }) => created_at },
]

const columns: Column<OperatedUser>[] = [
  linkColumn('Name', ({ id, name }) => [name, { to: '/access/users/$user_id', params: { user_id: id } }], {
    width: 22,
  }),
  { name: 'Memberships', cell: (user) => membershipsOf(user) || <span className="quiet">No membership</span> },
  { name: 'Email', only: 'middle', width: 30, cell: ({ email }) => email ?? <Dash /> },
  dateColumn('Since', 'created_at', { only: 'wide', width: 14 }),
]

/** Adds a user without a membership. The user's page, which opens next, grants one. */
function AddUser() {
  const navigate = route.useNavigate()
  const create = async ({ name = '', email }: Values) => {
    const { id } = await operator.users.create({ name, ...(email && { email }) })
    await refetch(['users'])
    await navigate({ to: '/access/users/$user_id', params: { user_id: id } })
  }
  return (
    <AddSection title="New user">
      <p className="quiet note">
        For servers that use API keys. To add people who sign in, invite them from their partner’s page.
      </p>
      <Form
        fields={[
          { name: 'name', label: 'Name' },
          { name: 'email', label: 'Email', kind: 'email', required: false },
        ]}
        submit={create}
        button="Add user"
      />
    </AddSection>
  )
}

/** All users who may sign in or own a key. */
export function Users() {
  const { search, add } = route.useSearch()
  const may_add = isRoleAllowed('administer')
  const change = useChangeSearch()
  const list = operatedUsersList(search ? { search } : {})
  const rows = useRows(list)
  return (
    <Page
      title="Users and roles"
      badge={rows.total !== undefined && <span className="quiet">{formatCount(rows.total, 'user')}</span>}
      tabs={access_tabs}
      actions={
        <>
          <Export name="users" list={list} columns={exported} />
          {may_add && !add && <AddLink>Add a user</AddLink>}
        </>
      }
    >
      {may_add && add && <AddUser />}
      <div className="filters">
        <SearchField
          label="Name, email or id"
          least={min_search_length}
          value={search}
          search={(search) => void change({ search })}
        />
      </div>
      <Table
        label="Users"
        columns={columns}
        rows={rows}
        empty={search ? <NoMatches rows="users" /> : <Empty title="No users yet." />}
      />
    </Page>
  )
}
