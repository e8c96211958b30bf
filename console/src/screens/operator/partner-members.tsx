import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { MemberInvitation, MembershipOfUser, NewMemberInvitation } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { Form, type Field, type Values } from '../../parts/form.tsx'
import { Fresh } from '../../parts/fresh.tsx'
import { Invitations } from '../../parts/invitations.tsx'
import { Adding, Empty, Nothing, Section } from '../../parts/page.tsx'
import { member_roles } from '../../parts/roles.ts'
import { RowLink } from '../../parts/row-link.tsx'
import { useRows, type Rows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { dayOf, sentence } from '../../parts/words.ts'
import { invitationsTo, membersOf } from '../../operator-queries.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/partners/$organization_id/members')

const columns: Column<MembershipOfUser>[] = [
  {
    name: 'Name',
    width: 26,
    cell: ({ user_id, name }) => (
      <RowLink to="/access/users/$user_id" params={{ user_id }}>
        {name}
      </RowLink>
    ),
  },
  { name: 'Role', cell: ({ role }) => sentence(role.toLowerCase()) },
  { name: 'E-mail', only: 'middle', width: 26, cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Since', align: 'end', phone: 34, cell: ({ created_at }) => dayOf(created_at) },
  {
    name: 'Until',
    align: 'end',
    only: 'middle',
    cell: ({ ended_at }) => (ended_at ? dayOf(ended_at) : <Nothing />),
  },
]

const fields: Field[] = [
  { name: 'name', label: 'Name' },
  { name: 'email', label: 'E-mail', kind: 'email', hint: 'The address they sign in with.' },
  { name: 'role', label: 'Role', kind: 'choice', options: member_roles },
]

/** Who belongs to an organization, in which role, and who is invited to. */
export function PartnerMembers() {
  const { organization_id } = route.useParams()
  const { add } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const members = useRows(membersOf(organization_id))
  const invitations = useRows(invitationsTo(organization_id))
  return (
    <>
      {add && may(session, 'administer') && <Invite organization_id={organization_id} />}
      <Section
        title="Users"
        actions={
          <UpTo area="administer" action="Invite somebody">
            {!add && (
              <Link
                className="button main"
                from="/partners/$organization_id/members"
                to="."
                search={(before) => ({ ...before, add: 'yes' as const })}
              >
                Invite a user
              </Link>
            )}
          </UpTo>
        }
      >
        <Table
          label="Users"
          columns={columns}
          rows={members}
          empty={<Empty title="No users yet.">Invite the first admin, who can invite the others.</Empty>}
        />
      </Section>
      {invitations.total !== 0 && <Invited organization_id={organization_id} rows={invitations} />}
    </>
  )
}

type InvitedProps = { organization_id: string; rows: Rows<MemberInvitation> }

function Invited({ organization_id, rows }: InvitedProps) {
  const { withdrawing } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  return (
    <Invitations
      rows={rows}
      area="administer"
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
        await operator.invitations.withdraw(id)
        await client.invalidateQueries({ queryKey: invitationsTo(organization_id).key })
      }}
    />
  )
}

function Invite({ organization_id }: { organization_id: string }) {
  const client = useQueryClient()
  const [link, setLink] = useState<string>()
  const invite = async (values: Values) => {
    const { url } = await operator.invitations.create(organization_id, values as NewMemberInvitation)
    setLink(url)
    await client.invalidateQueries({ queryKey: invitationsTo(organization_id).key })
  }
  return (
    <Adding title="New invitation">
      {link && <Secret of={link}>Send them this link. It works once, within 7 days, and is not shown again.</Secret>}
      <Fresh>
        <Form
          fields={fields}
          initial={{ role: 'ADMIN' }}
          submit={invite}
          button="Create the invitation"
          said="The link is above."
        />
      </Fresh>
    </Adding>
  )
}
