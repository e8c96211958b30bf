import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { MembershipRole, OperatedUser } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatDay, formatInstant, toSentence } from '../../format.ts'
import { operatedUserQuery } from '../../operator-queries.ts'
import { RequiresRecentSignIn } from '../../parts/access/credentials.tsx'
import { member_roles } from '../../parts/access/invitations.tsx'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Facts, Loaded, Dash, Page, Section, Status } from '../../parts/page/page.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { isRoleAllowed } from '../../session.ts'
import { OrganizationSelect } from '../partners/organization-select.tsx'

const route = getRouteApi('/access/users/$user_id')

type Membership = OperatedUser['memberships'][number]

const columns: Column<Membership>[] = [
  linkColumn(
    'Partner',
    ({ organization_id, organization_name }) => [
      organization_name,
      { to: '/partners/$organization_id/members', params: { organization_id } },
    ],
    { width: 34 },
  ),
  { name: 'Role', cell: ({ role }) => toSentence(role.toLowerCase()) },
  dateColumn('Since', 'created_at', { only: 'middle' }),
  dateColumn('Until', 'ended_at', { only: 'middle' }),
]

const action: Column<Membership> = {
  name: 'Action',
  align: 'end',
  width: 12,
  phone: 20,
  cell: ({ organization_id, ended_at }) =>
    ended_at === null ? <HereLink change={{ ending: organization_id }}>End</HereLink> : <Dash />,
}

/** A user who signs in or owns keys, with their memberships. */
export function UserPage() {
  const { user_id } = route.useParams()
  const found = useQuery(operatedUserQuery(user_id))
  return (
    <Page
      title={found.data?.name ?? (found.error ? 'A user' : '\u00a0')}
      breadcrumbs={[{ label: 'Users and roles', link: { to: '/access' } }]}
      badge={found.data?.operator_role && <Status of={`operator, ${found.data.operator_role}`} tone="over" />}
    >
      <Loaded query={found} lines={6}>
        {(user) => (
          <>
            <Section title="Details">
              <Facts
                of={[
                  ['Email', user.email],
                  ['Added', <span title={formatInstant(user.created_at)}>{formatDay(user.created_at)}</span>],
                  ['Id', <code>{user.id}</code>],
                ]}
              />
            </Section>
            <UserMemberships of={user} />
            <Section title="Add to a partner">
              <RequiresRole area="administer">
                <AddMembership user_id={user.id} />
              </RequiresRole>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Reloads the queries that a membership change affects. */
const refresh = (user_id: string) => refetch(operatedUserQuery(user_id).queryKey, ['partners'], ['users'])

function UserMemberships({ of: { id, name, memberships } }: { of: OperatedUser }) {
  const { ending } = route.useSearch()
  const change = useChangeSearch()
  const may_end = isRoleAllowed('administer')
  const to_end = memberships.find(({ organization_id, ended_at }) => organization_id === ending && ended_at === null)
  const stay = () => void change({ ending: undefined })
  const end = async () => {
    await operator.memberships.end(ending!, id)
    await refresh(id)
  }
  return (
    <Section title="Memberships">
      {to_end && may_end && (
        <Confirm key={ending} action="End membership" act={end} back={stay}>
          {name} loses access to {to_end.organization_name} within seconds. Their keys and sessions there end too. Their
          past actions stay in the audit log.
        </Confirm>
      )}
      <Table
        label="Memberships"
        columns={may_end ? [...columns, action] : columns}
        rows={fixedRows(memberships)}
        isChosen={({ organization_id, ended_at }) => organization_id === ending && ended_at === null}
        empty={<Empty title="No memberships yet.">A membership gives a user a role at a partner.</Empty>}
      />
    </Section>
  )
}

function AddMembership({ user_id }: { user_id: string }) {
  const grant = async ({ organization_id = '', role }: Values) => {
    if (organization_id === '') throw new FieldError('organization_id', 'is required')
    await operator.memberships.grant(organization_id, { user_id, role: role as MembershipRole })
    await refresh(user_id)
  }
  return (
    <RequiresRecentSignIn>
      <Form
        fields={[
          { name: 'organization_id', label: 'Partner', render: (input) => <OrganizationSelect {...input} /> },
          {
            name: 'role',
            label: 'Role',
            hint: 'To change a role, end the membership first.',
            options: member_roles,
          },
        ]}
        initial={{ role: 'OPERATIONS' }}
        submit={grant}
        button="Add to partner"
        success="Added."
      />
    </RequiresRecentSignIn>
  )
}
