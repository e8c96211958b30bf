import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { NewWebhookReplay } from 'openbenefits'
import { ob } from '../../api.ts'
import { Form, type Values } from '../../parts/form.tsx'
import { Facts, Loaded, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Secret } from '../../parts/secret.tsx'
import { instantOf, sentence } from '../../parts/words.ts'
import { subscription, subscriptions } from '../../queries.ts'
import { healthOf } from './webhooks.tsx'

const route = getRouteApi('/developers/webhooks/$subscription_id')

export function Webhook() {
  const { subscription_id } = route.useParams()
  const found = useQuery(subscription(subscription_id))
  return (
    <Page
      title={found.data ? new URL(found.data.url).host : '\u00a0'}
      above={[{ label: 'Webhooks', link: { to: '/developers/webhooks' } }]}
      mark={found.data && <Status of={healthOf(found.data)} />}
    >
      <Loaded query={found} lines={6}>
        {({ url, description, event_names, failing_since, disabled_at, disabled_reason, enabled }) => (
          <>
            <Section title="About">
              <Facts
                of={[
                  ['Address', url],
                  ['Description', description],
                  ['Events', event_names.length > 0 ? event_names.join(', ') : 'All'],
                  ['Failing since', failing_since && instantOf(failing_since)],
                  [
                    'Disabled',
                    disabled_at && `${instantOf(disabled_at)}, ${sentence(disabled_reason ?? '').toLowerCase()}`,
                  ],
                ]}
              />
            </Section>
            <Deeds id={subscription_id} enabled={enabled} />
            <Replay id={subscription_id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Deeds({ id, enabled }: { id: string; enabled: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries(subscription(id))
  const test = useMutation({ mutationFn: () => ob.webhookSubscriptions.test(id) })
  const toggle = useMutation({
    mutationFn: () => ob.webhookSubscriptions.update(id, { enabled: !enabled }),
    onSuccess: refresh,
  })
  const rotate = useMutation({
    mutationFn: () => ob.webhookSubscriptions.rotateSecret(id),
    onSuccess: refresh,
  })
  const remove = async () => {
    await ob.webhookSubscriptions.delete(id)
    await client.invalidateQueries({ queryKey: subscriptions().key })
    await navigate({ to: '/developers/webhooks' })
  }
  const error = test.error ?? toggle.error ?? rotate.error
  return (
    <Section title="Deeds">
      {rotate.data && (
        <Secret of={rotate.data.secret}>
          The secret that signs what is posted from now on. It is shown this once.
        </Secret>
      )}
      {error && <Trouble error={error} />}
      <div className="form-end">
        <button type="button" className="button" onClick={() => test.mutate()}>
          Send a test
        </button>
        <button type="button" className="button" onClick={() => toggle.mutate()}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" className="button" onClick={() => rotate.mutate()}>
          Rotate the secret
        </button>
        <Confirm deed="Delete the subscription" act={remove}>
          Nothing is posted to this address any more, and what waits for it is not sent.
        </Confirm>
        <span role="status" className="quiet">
          {test.isSuccess && 'A test is on its way: its deliveries are among the events.'}
        </span>
      </div>
    </Section>
  )
}

const instant = (text: string | undefined) => (text ? new Date(text).toISOString() : undefined)

/** What was missed is sent again: the events of a span of time. */
function Replay({ id }: { id: string }) {
  const replay = ({ since, until }: Values) =>
    ob.webhookSubscriptions.replay(id, { since: instant(since), until: instant(until) } as NewWebhookReplay)
  return (
    <Section title="Send again what was missed">
      <Form
        fields={[
          { name: 'since', label: 'From', kind: 'date' },
          { name: 'until', label: 'To', kind: 'date', required: false, hint: 'Empty: up to now.' },
        ]}
        submit={replay}
        button="Send again"
      />
    </Section>
  )
}
