import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatInstant, toSentence } from '../../format.ts'
import { RequiresRecentSignIn, keyName, Secret } from '../../parts/access/credentials.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form } from '../../parts/form/form.tsx'
import { Facts, Loaded, Page, Section, Status } from '../../parts/page/page.tsx'
import { apiKeyQuery, apiKeysList } from './queries.ts'

const route = getRouteApi('/developers/keys/$key_id')

export function KeyPage() {
  const { key_id } = route.useParams()
  const found = useQuery(apiKeyQuery(key_id))
  return (
    <Page
      title={found.data ? keyName(found.data) : '\u00a0'}
      breadcrumbs={[{ label: 'API keys', link: { to: '/developers' } }]}
      badge={found.data && <Status of={found.data.status} />}
    >
      <Loaded query={found} lines={6}>
        {(key) => (
          <>
            <KeyDetails of={key} />
            {key.status !== 'revoked' && <KeyActions of={key} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function KeyDetails({ of: key }: { of: ApiKey }) {
  const { mode, scopes, last_four, allowed_origins, created_at, last_used_at, expires_at, rotated_at } = key
  return (
    <Section title="Details">
      <Facts
        of={[
          ['Ends with', last_four && <code>…{last_four}</code>],
          ['Mode', mode === 'test' ? 'Sandbox' : mode === 'live' ? 'Live' : 'Sandbox and live'],
          ['Scopes', scopes.join(', ')],
          ['Origins', allowed_origins?.join(', ') || 'Servers only'],
          ['Last used', last_used_at && formatInstant(last_used_at)],
          ['Expires', expires_at ? formatInstant(expires_at) : 'Never'],
          ['Created', formatInstant(created_at)],
          ['Rotated', rotated_at && formatInstant(rotated_at)],
          ['Previous secret expires', key.former_secret_expires_at && formatInstant(key.former_secret_expires_at)],
          [
            'Revoked',
            key.revoked_at &&
              `${formatInstant(key.revoked_at)}, ${toSentence(key.revoked_because ?? '').toLowerCase()}`,
          ],
          ['Id', <code>{key.id}</code>],
        ]}
      />
    </Section>
  )
}

/** Rotates a key with a grace period for the old secret, or revokes it. */
function KeyActions({ of: { id, last_used_at } }: { of: ApiKey }) {
  const [made, setMade] = useState<string>()
  const refresh = () => refetch(apiKeysList().key)
  const rotate = async ({ overlap_hours }: Record<string, string>) => {
    setMade((await ob.apiKeys.rotate(id, { overlap_hours: Number(overlap_hours) })).api_key)
    await refresh()
  }
  const revoke = async () => {
    await ob.apiKeys.revoke(id)
    await refresh()
  }
  return (
    <>
      <Section title="Rotate">
        {made && <Secret of={made}>This is the new key. Copy it now: it is not shown again.</Secret>}
        <RequiresRecentSignIn>
          <Form
            fields={[
              {
                name: 'overlap_hours',
                label: 'Hours until the previous secret expires',
                kind: 'number',
                hint: 'Allow enough time to replace it everywhere.',
              },
            ]}
            initial={{ overlap_hours: '24' }}
            submit={rotate}
            button="Rotate key"
          />
        </RequiresRecentSignIn>
      </Section>
      <Section title="Revoke">
        <Confirm action="Revoke key" act={revoke}>
          Requests with this key will be refused within seconds. You can’t undo this.{' '}
          {last_used_at ? `It was last used on ${formatInstant(last_used_at)}.` : 'It has never been used.'}
        </Confirm>
      </Section>
    </>
  )
}
