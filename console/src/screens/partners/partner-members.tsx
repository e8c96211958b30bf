import { getRouteApi } from '@tanstack/react-router'
import type { MembershipOfUser, NewMemberInvitation } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { toSentence } from '../../format.ts'
import { invitationsList, membersList } from '../../operator-queries.ts'
import { Invitations, InviteForm, member_roles } from '../../parts/access/invitations.tsx'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { AddLink } from '../../parts/page/links.tsx'
import { Empty, Dash, Section } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { isRoleAllowed } from '../../session.ts'

const route = getRouteApi('/partners/$organization_id/members')

const columns: Column<MembershipOfUser>[] = [
  linkColumn('Name', ({ user_id, name }) => [name, { to: '/access/users/$user_id', params: { user_id } }], {
    width: 26,
  }),
  { name: 'Role', cell: ({ role }) => toSentence(role.toLowerCase()) },
  { name: 'Email', only: 'middle', width: 26, cell: ({ email }) => email ?? <Dash /> },
  dateColumn('Since', 'created_at', { phone: 34 }),
  dateColumn('Until', 'ended_at', { only: 'middle' }),
]

const exported: ExportColumn<MembershipOfUser>[] = [
  { name: 'Name', of: ({ name }) => name },
  { name: 'Role', of: ({ role }) => toSentence(role.toLowerCase()) },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Since', of: ({ created_at }) => created_at },
  { name: 'Until', of: ({ ended_at }) => ended_at },
]

/** The users of an organization with their roles, and the invitations. */
export function PartnerMembers() {
  const { organization_id } = route.useParams()
  const { add } = route.useSearch()
  const members = useRows(membersList(organization_id))
  const refresh = () => refetch(invitationsList(organization_id).key)
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
      {add && isRoleAllowed('administer') && (
        <InviteForm roles={member_roles} first_role="ADMIN" invite={invite}>
          Send this link to the user. It works once, within 7 days, and is not shown again.
        </InviteForm>
      )}
      <Section
        title="Users"
        actions={
          <>
            <Export name="members" list={membersList(organization_id)} columns={exported} />
            <RequiresRole area="administer" action="Invite user">
              {!add && <AddLink>Invite user</AddLink>}
            </RequiresRole>
          </>
        }
      >
        <Table
          label="Users"
          columns={columns}
          rows={members}
          empty={<Empty title="No users yet.">Invite the first admin, who can invite more users.</Empty>}
        />
      </Section>
      <Invitations list={invitationsList(organization_id)} area="administer" withdraw={withdraw} />
    </>
  )
}
