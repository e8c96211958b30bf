import { getRouteApi } from '@tanstack/react-router'
import type { MembershipOfUser, NewMemberInvitation } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { type Values } from '../../parts/form/form.tsx'
import { Invitations, Invite } from '../../parts/access/invitations.tsx'
import { Empty, Nothing, orNothing, Section } from '../../parts/page/page.tsx'
import { member_roles } from '../../parts/access/roles.ts'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { UpTo } from '../../parts/access/permitted.tsx'
import { dayOf, sentence } from '../../format.ts'
import { invitationsTo, membersOf } from '../../operator-queries.ts'
import { may } from '../../session.ts'
import { AddLink } from '../../parts/page/here-link.tsx'

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
  { name: 'Email', only: 'middle', width: 26, cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Since', align: 'end', phone: 34, cell: ({ created_at }) => dayOf(created_at) },
  {
    name: 'Until',
    align: 'end',
    only: 'middle',
    cell: ({ ended_at }) => orNothing(ended_at, dayOf),
  },
]

/** The users of an organization with their roles, and the invitations. */
export function PartnerMembers() {
  const { organization_id } = route.useParams()
  const { add } = route.useSearch()
  const members = useRows(membersOf(organization_id))
  const invitations = useRows(invitationsTo(organization_id))
  const refresh = () => refetch(invitationsTo(organization_id).key)
  const invite = async (values: Values) => {
    const { url } = await operator.invitations.create(organization_id, values as NewMemberInvitation)
    await refresh()
    return url
  }
  const withdraw = async (id: string) => {
    await operator.invitations.withdraw(id)
    await refresh()
  }
  return (
    <>
      {add && may('administer') && (
        <Invite roles={member_roles} first_role="ADMIN" invite={invite}>
          Send this link to the user. It works once, within 7 days, and is not shown again.
        </Invite>
      )}
      <Section
        title="Users"
        actions={
          <UpTo area="administer" action="Invite user">
            {!add && <AddLink>Invite user</AddLink>}
          </UpTo>
        }
      >
        <Table
          label="Users"
          columns={columns}
          rows={members}
          empty={<Empty title="No users yet.">Invite the first admin, who can invite more users.</Empty>}
        />
      </Section>
      <Invitations rows={invitations} area="administer" withdraw={withdraw} />
    </>
  )
}
