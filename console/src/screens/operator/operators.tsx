import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewOperatorInvitation, Operator, OperatorRole } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Form, type Values } from '../../parts/form.tsx'
import { Fresh } from '../../parts/fresh.tsx'
import { Invitations } from '../../parts/invitations.tsx'
import { Adding, Empty, Nothing, Page, Section, Status, type Tab } from '../../parts/page.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, sentence } from '../../parts/words.ts'
import { operatorInvitations, operatorsIn } from '../../operator-queries.ts'

export const access_tabs: Tab[] = [
  { label: 'Users', link: { to: '/access' }, exact: true },
  { label: 'Operators', link: { to: '/access/operators' } },
]

const route = getRouteApi('/access/operators')

const roles: { value: OperatorRole; label: string }[] = [
  { value: 'support', label: 'Support: view everything' },
  { value: 'operations', label: 'Operations: administer' },
  { value: 'billing', label: 'Billing: invoices and payments' },
  { value: 'owner', label: 'Owner: everything, and manage operators' },
]

const columns: Column<Operator>[] = [
  {
    name: 'Name',
    width: 28,
    cell: ({ id, name, ended_at }) =>
      ended_at === null ? (
        <Link
          className="row-link"
          from="/access/operators"
          to="."
          search={(before) => ({ ...before, chosen: id })}
          resetScroll={false}
        >
          {name}
        </Link>
      ) : (
        name
      ),
  },
  { name: 'Role', cell: ({ role, ended_at }) => (ended_at ? <Status of="dismissed" /> : sentence(role)) },
  { name: 'E-mail', only: 'middle', cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Since', align: 'end', phone: 36, cell: ({ created_at }) => dayOf(created_at) },
]

/** Who operates the installation, and in which role. Owners say so; others look. */
export function Operators() {
  const { chosen, add } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const is_owner = session.role === 'owner'
  const rows = useRows(operatorsIn())
  const found = allOf(rows).find(({ id, ended_at }) => id === chosen && ended_at === null)
  return (
    <Page
      title="Users and roles"
      tabs={access_tabs}
      actions={
        is_owner &&
        !add && (
          <Link
            className="button main"
            from="/access/operators"
            to="."
            search={(before) => ({ ...before, add: 'yes' as const })}
          >
            Invite an operator
          </Link>
        )
      }
    >
      {is_owner && add && <Invite />}
      <Table
        label="Operators"
        columns={columns}
        rows={rows}
        isChosen={({ id }) => id === chosen}
        empty={<Empty title="No operators." />}
      />
      {found && <Role key={found.id} of={found} may_change={is_owner} />}
      <Invited />
    </Page>
  )
}

/** Who is invited to operate it; owners take that back. */
function Invited() {
  const { withdrawing } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const rows = useRows(operatorInvitations())
  if (rows.total === 0) return null
  return (
    <Invitations
      rows={rows}
      area="own"
      withdrawing={withdrawing}
      wayTo={(withdrawing) => ({ to: '.', search: (before) => ({ ...before, withdrawing }) })}
      stay={() =>
        void navigate({
          search: (before) => ({ ...before, withdrawing: undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      withdraw={async (id) => {
        await operator.operators.withdrawInvitation(id)
        await client.invalidateQueries({ queryKey: operatorInvitations().key })
      }}
    />
  )
}

function Invite() {
  const client = useQueryClient()
  const [link, setLink] = useState<string>()
  const invite = async (values: Values) => {
    const { url } = await operator.operators.invite(values as NewOperatorInvitation)
    setLink(url)
    await client.invalidateQueries({ queryKey: operatorInvitations().key })
  }
  return (
    <Adding title="New invitation">
      {link && <Secret of={link}>Send them this link. It works once and is not shown again.</Secret>}
      <Fresh>
        <Form
          fields={[
            { name: 'name', label: 'Name' },
            { name: 'email', label: 'E-mail', kind: 'email', hint: 'The address they sign in with.' },
            { name: 'role', label: 'Role', kind: 'choice', options: roles },
          ]}
          initial={{ role: 'support' }}
          submit={invite}
          button="Create the invitation"
        />
      </Fresh>
    </Adding>
  )
}

function Role({ of: { id, name, role }, may_change }: { of: Operator; may_change: boolean }) {
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: operatorsIn().key })
  const dismiss = async () => {
    await operator.operators.dismiss(id)
    await refresh()
    await navigate({ search: (before) => ({ ...before, chosen: undefined }), replace: true })
  }
  if (!may_change) return <p className="quiet note">Only owners change roles.</p>
  return (
    <Section title={name}>
      <Fresh>
        <Form
          fields={[{ name: 'role', label: 'Role', kind: 'choice', options: roles }]}
          initial={{ role }}
          submit={async ({ role }) => {
            await operator.operators.update(id, { role: role as OperatorRole })
            await refresh()
          }}
          button="Change the role"
        />
      </Fresh>
      <div className="note">
        <Confirm action={`Dismiss ${name}`} act={dismiss}>
          {name} loses access: their sessions and keys end within seconds. What they did stays in the audit trail.
        </Confirm>
      </div>
    </Section>
  )
}
