import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, MembershipOfUser } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { key_columns, keyBody, keyFields, keyName } from '../../parts/api-keys.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Form, Wrong, type Values } from '../../parts/form.tsx'
import { Fresh } from '../../parts/fresh.tsx'
import { Adding, Empty, Loaded, Section } from '../../parts/page.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { instantOf, sentence } from '../../parts/words.ts'
import { keysOf, membersOf, partner } from '../../operator-queries.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/partners/$organization_id/keys')

const columnsOf = (members: MembershipOfUser[], may_choose: boolean): Column<ApiKey>[] => [
  {
    name: 'Key',
    width: 20,
    cell: (key) =>
      may_choose && key.status === 'active' ? (
        <Link
          className="row-link"
          from="/partners/$organization_id/keys"
          to="."
          search={(before) => ({ ...before, chosen: key.id })}
          resetScroll={false}
        >
          {keyName(key)}
        </Link>
      ) : (
        keyName(key)
      ),
  },
  {
    name: 'Owner',
    only: 'wide',
    cell: ({ user_id }) => members.find((member) => member.user_id === user_id)?.name ?? user_id,
  },
  ...key_columns,
]

/** The keys that are bound to an organization, and one more for a member of it. */
export function PartnerKeys() {
  const { organization_id } = route.useParams()
  const { add, chosen } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const may_administer = may(session, 'administer')
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const rows = useRows(keysOf(organization_id))
  const members = useRows(membersOf(organization_id))
  const [made, setMade] = useState<string>()
  const found = allOf(rows).find(({ id, status }) => id === chosen && status === 'active')
  const refresh = () => client.invalidateQueries({ queryKey: keysOf(organization_id).key })
  const took = async (api_key: string) => {
    setMade(api_key)
    await refresh()
    await navigate({ search: (before) => ({ ...before, add: undefined }) })
  }
  const revoke = async () => {
    await operator.apiKeys.revoke(chosen!)
    await refresh()
    await navigate({ search: (before) => ({ ...before, chosen: undefined }), replace: true, resetScroll: false })
  }
  return (
    <>
      {made && <Secret of={made}>This is the key. Copy it now and hand it over safely: it is not shown again.</Secret>}
      {add && may_administer && (
        <Adding title="New key">
          <Fresh>
            <Make organization_id={organization_id} members={allOf(members)} took={took} />
          </Fresh>
        </Adding>
      )}
      <Section
        title="API keys"
        actions={
          <UpTo area="administer" action="Create a key">
            {!add && (
              <Link
                className="button main"
                from="/partners/$organization_id/keys"
                to="."
                search={(before) => ({ ...before, add: 'yes' as const })}
              >
                Create a key
              </Link>
            )}
          </UpTo>
        }
      >
        <Table
          label="API keys"
          columns={columnsOf(allOf(members), may_administer)}
          rows={rows}
          isChosen={({ id }) => id === chosen}
          empty={
            <Empty title="No API keys yet.">
              The partner’s servers call the API with a key. Its admins can create keys too.
            </Empty>
          }
        />
        {found && may_administer && (
          <div key={found.id} className="note">
            <Confirm action={`Revoke ${keyName(found)}`} act={revoke}>
              Requests with this key are refused within seconds. This can’t be undone.{' '}
              {found.last_used_at ? `It was last used on ${instantOf(found.last_used_at)}.` : 'It was never used.'}
            </Confirm>
          </div>
        )}
      </Section>
    </>
  )
}

const fields = keyFields({
  end: 'no end',
  origins: 'the origins that this installation allows by default',
})

type MakeProps = { organization_id: string; members: MembershipOfUser[]; took: (api_key: string) => Promise<void> }

function Make({ organization_id, members, took }: MakeProps) {
  const about = useQuery(partner(organization_id))
  const present = members.filter(({ ended_at }) => ended_at === null)
  const create = async ({ user_id = '', ...values }: Values) => {
    if (user_id === '') throw new Wrong('user_id', 'must be chosen: a key has the role of its owner')
    const mode = about.data!.sandbox ? 'test' : 'live'
    const { api_key } = await operator.apiKeys.create({ ...keyBody(values), user_id, organization_id, mode })
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
              kind: 'choice',
              hint: 'The key can do what its owner can, and ends with their membership.',
              options: [
                { value: '', label: 'Choose a member' },
                ...present.map(({ user_id, name, role }) => ({
                  value: user_id,
                  label: `${name}, ${sentence(role.toLowerCase())}`,
                })),
              ],
            },
            ...fields,
          ]}
          initial={{ scopes: 'read people' }}
          submit={create}
          button="Create the key"
        />
      )}
    </Loaded>
  )
}
