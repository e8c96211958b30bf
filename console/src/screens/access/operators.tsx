import { getRouteApi } from '@tanstack/react-router'
import type { NewOperatorInvitation, Operator, OperatorRole } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { toSentence } from '../../format.ts'
import { operatorInvitationsList, operatorsList } from '../../operator-queries.ts'
import { RequiresRecentSignIn } from '../../parts/access/credentials.tsx'
import { Invitations, InviteForm } from '../../parts/access/invitations.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { AddLink, HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Dash, Page, Section, Status, type Tab } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { session } from '../../session.ts'

export const access_tabs: Tab[] = [
  { label: 'Users', link: { to: '/access' }, exact: true },
  { label: 'Operators', link: { to: '/access/operators' } },
]

const route = getRouteApi('/access/operators')

const roles: [role: OperatorRole, label: string][] = [
  ['support', 'Support: read everything'],
  ['operations', 'Operations: administer'],
  ['billing', 'Billing: invoices and payments'],
  ['owner', 'Owner: full access, including operators'],
]

const columns: Column<Operator>[] = [
  {
    name: 'Name',
    width: 28,
    cell: ({ id, name, ended_at }) =>
      ended_at === null ? (
        <HereLink className="row-link" change={{ chosen: id }}>
          {name}
        </HereLink>
      ) : (
        name
      ),
  },
  { name: 'Role', cell: ({ role, ended_at }) => (ended_at ? <Status of="dismissed" /> : toSentence(role)) },
  { name: 'Email', only: 'middle', cell: ({ email }) => email ?? <Dash /> },
  dateColumn('Since', 'created_at', { phone: 36 }),
]

const exported: ExportColumn<Operator>[] = [
  { name: 'Name', of: ({ name }) => name },
  { name: 'Role', of: ({ role, ended_at }) => toSentence(ended_at ? 'dismissed' : role) },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Since', of: ({ created_at }) => created_at },
]

/** The operators of the installation with their roles. Only owners can invite and change them. */
export function Operators() {
  const { chosen, add } = route.useSearch()
  const is_owner = session.role === 'owner'
  const rows = useRows(operatorsList())
  const refresh = () => refetch(operatorInvitationsList().key)
  const invite = async (values: Values) => {
    const { url } = await operator.operators.invite(values as NewOperatorInvitation)
    await refresh()
    return url
  }
  const withdraw = async (id: string) => {
    await operator.operators.withdrawInvitation(id)
    await refresh()
  }
  const found = loadedRows(rows).find(({ id, ended_at }) => id === chosen && ended_at === null)
  return (
    <Page
      title="Users and roles"
      tabs={access_tabs}
      actions={
        <>
          <Export name="operators" list={operatorsList()} columns={exported} />
          {is_owner && !add && <AddLink>Invite an operator</AddLink>}
        </>
      }
    >
      {is_owner && add && (
        <InviteForm roles={roles} first_role="support" invite={invite}>
          Send this link to the new operator. It works once and is not shown again.
        </InviteForm>
      )}
      <Table
        label="Operators"
        columns={columns}
        rows={rows}
        isChosen={({ id }) => id === chosen}
        empty={<Empty title="No operators yet." />}
      />
      {found && <OperatorRoleForm key={found.id} of={found} may_change={is_owner} />}
      <Invitations list={operatorInvitationsList()} area="own" withdraw={withdraw} />
    </Page>
  )
}

function OperatorRoleForm({ of: { id, name, role }, may_change }: { of: Operator; may_change: boolean }) {
  const change = useChangeSearch()
  const refresh = () => refetch(operatorsList().key)
  const dismiss = async () => {
    await operator.operators.dismiss(id)
    await refresh()
    await change({ chosen: undefined })
  }
  if (!may_change) return <p className="quiet note">Only owners can change roles.</p>
  return (
    <Section title={name}>
      <RequiresRecentSignIn>
        <Form
          fields={[{ name: 'role', label: 'Role', options: roles }]}
          initial={{ role }}
          submit={async ({ role }) => {
            await operator.operators.update(id, { role: role as OperatorRole })
            await refresh()
          }}
          button="Change role"
        />
      </RequiresRecentSignIn>
      <div className="note">
        <Confirm action={`Remove ${name}`} act={dismiss}>
          {name} loses access: their sessions and keys end within seconds. Their past actions stay in the audit log.
        </Confirm>
      </div>
    </Section>
  )
}
