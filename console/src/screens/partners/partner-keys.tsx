import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, MembershipOfUser } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatInstant, toSentence } from '../../format.ts'
import { keysList, membersList, partnerQuery } from '../../operator-queries.ts'
import {
  RequiresRecentSignIn,
  key_columns,
  keyRequest,
  keyFields,
  keyName,
  Secret,
} from '../../parts/access/credentials.tsx'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { AddLink, HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection, Empty, Loaded, Section } from '../../parts/page/page.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { isRoleAllowed } from '../../session.ts'

const route = getRouteApi('/partners/$organization_id/keys')

const columnsOf = (members: MembershipOfUser[], may_choose: boolean): Column<ApiKey>[] => [
  {
    name: 'Key',
    width: 16,
    cell: (key) =>
      may_choose && key.status === 'active' ? (
        <HereLink className="row-link" change={{ chosen: key.id }}>
          {keyName(key)}
        </HereLink>
      ) : (
        keyName(key)
      ),
  },
  {
    name: 'Owner',
    only: 'wide',
    width: 13,
    // Empty until the members have loaded, because an id would make the row jump.
    cell: ({ user_id }) =>
      members.length > 0 && (members.find((member) => member.user_id === user_id)?.name ?? user_id),
  },
  ...key_columns,
]

/** The keys of an organization, with a form to create one for a member. */
export function PartnerKeys() {
  const { organization_id } = route.useParams()
  const { add, chosen } = route.useSearch()
  const may_administer = isRoleAllowed('administer')
  const change = useChangeSearch()
  const rows = useRows(keysList(organization_id))
  const members = useRows(membersList(organization_id))
  const [made, setMade] = useState<string>()
  const present = loadedRows(members).filter(({ ended_at }) => ended_at === null)
  const found = loadedRows(rows).find(({ id, status }) => id === chosen && status === 'active')
  const refresh = () => refetch(keysList(organization_id).key)
  const took = async (api_key: string) => {
    setMade(api_key)
    await refresh()
    await change({ add: undefined })
  }
  const revoke = async () => {
    await operator.apiKeys.revoke(chosen!)
    await refresh()
    await change({ chosen: undefined })
  }
  return (
    <>
      {made && (
        <Secret of={made}>This is the new key. Copy it now and share it securely: it is not shown again.</Secret>
      )}
      {add && may_administer && (
        <AddSection title="New key">
          {members.total !== undefined && present.length === 0 ? (
            <NoOwner organization_id={organization_id} />
          ) : (
            <RequiresRecentSignIn>
              <NewKeyForm organization_id={organization_id} members={present} took={took} />
            </RequiresRecentSignIn>
          )}
        </AddSection>
      )}
      <Section
        title="API keys"
        actions={
          <RequiresRole area="administer" action="Create key">
            {!add && <AddLink>Create key</AddLink>}
          </RequiresRole>
        }
      >
        <Table
          label="API keys"
          columns={columnsOf(loadedRows(members), may_administer)}
          rows={rows}
          isChosen={({ id }) => id === chosen}
          empty={
            <Empty title="No API keys yet.">
              The partner’s servers use a key to call the API. The partner’s admins can also create keys.
            </Empty>
          }
        />
        {found && may_administer && (
          <div key={found.id} className="note">
            <Confirm action={`Revoke ${keyName(found)}`} act={revoke}>
              Requests with this key will be refused within seconds. You can’t undo this.{' '}
              {found.last_used_at
                ? `It was last used on ${formatInstant(found.last_used_at)}.`
                : 'It has never been used.'}
            </Confirm>
          </div>
        )}
      </Section>
    </>
  )
}

const NoOwner = ({ organization_id }: { organization_id: string }) => (
  <p className="note">
    A key belongs to a user, and this partner has no users yet. Invite one on{' '}
    <Link to="/partners/$organization_id/members" params={{ organization_id }}>
      Users
    </Link>
    . You can create a key when the user has accepted the invitation.
  </p>
)

const fields = keyFields({
  end: 'no expiry',
  origins: 'this installation’s default origins',
})

type NewKeyFormProps = {
  organization_id: string
  members: MembershipOfUser[]
  took: (api_key: string) => Promise<void>
}

function NewKeyForm({ organization_id, members, took }: NewKeyFormProps) {
  const about = useQuery(partnerQuery(organization_id))
  const create = async ({ user_id = '', ...values }: Values) => {
    if (user_id === '') throw new FieldError('user_id', 'is required, because a key has the role of its owner')
    const mode = about.data!.sandbox ? 'test' : 'live'
    const { api_key } = await operator.apiKeys.create({ ...keyRequest(values), user_id, organization_id, mode })
    await took(api_key)
  }
  return (
    <Loaded query={about}>
      {() => (
        <Form
          fields={[
            {
              name: 'user_id',
              label: 'Owner',
              hint: 'The key has its owner’s role and ends with the owner’s membership.',
              options: [
                ['', 'Choose a member'],
                ...members.map(
                  ({ user_id, name, role }) => [user_id, `${name}, ${toSentence(role.toLowerCase())}`] as const,
                ),
              ],
            },
            ...fields,
          ]}
          initial={{ scopes: 'read people' }}
          submit={create}
          button="Create key"
        />
      )}
    </Loaded>
  )
}
