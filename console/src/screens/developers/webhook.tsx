import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { NewWebhookReplay, WebhookSubscription } from 'openbenefits'
import { useDeed } from '../../parts/deed.ts'
import { ob } from '../../api.ts'
import { Form, type Values } from '../../parts/form.tsx'
import { Empty, Facts, Loaded, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Secret } from '../../parts/secret.tsx'
import { dayAfter, dayOf, endOf, instantOf, presentDay, sentence, startOf } from '../../parts/words.ts'
import { credential, subscription, subscriptions } from '../../queries.ts'
import { healthOf } from './webhooks.tsx'

const route = getRouteApi('/developers/webhooks/$subscription_id')

export function Webhook() {
  const { subscription_id } = route.useParams()
  const found = useQuery(subscription(subscription_id))
  const known = useQuery(credential())
  return (
    <Page
      title={found.data ? new URL(found.data.url).host : '\u00a0'}
      above={[{ label: 'Webhooks', link: { to: '/developers/webhooks' } }]}
      mark={found.data && <Status of={healthOf(found.data)} />}
    >
      <Loaded query={found} lines={6}>
        {({ url, description, event_names, failing_since, disabled_at, disabled_reason, enabled }) => (
          <>
            <Section title="Details">
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
            <Loaded query={known} lines={3}>
              {({ today }) => <Replay of={found.data!} last={today ?? presentDay()} />}
            </Loaded>
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
  const test = useDeed({ mutationFn: () => ob.webhookSubscriptions.test(id) })
  const toggle = useDeed({
    mutationFn: () => ob.webhookSubscriptions.update(id, { enabled: !enabled }),
    onSuccess: refresh,
  })
  const rotate = useDeed({
    mutationFn: () => ob.webhookSubscriptions.rotateSecret(id),
    onSuccess: refresh,
  })
  const remove = async () => {
    await ob.webhookSubscriptions.delete(id)
    await client.invalidateQueries({ queryKey: subscriptions().key })
    await navigate({ to: '/developers/webhooks' })
  }
  const error = test.error ?? toggle.error ?? rotate.error
  const is_busy = test.isPending || toggle.isPending || rotate.isPending
  return (
    <Section title="Actions">
      {rotate.data && (
        <Secret of={rotate.data.secret}>
          This secret signs events from now on. Copy it now: it is not shown again.
        </Secret>
      )}
      {error && <Trouble error={error} />}
      <div className="form-end">
        <button type="button" className="button" disabled={is_busy} onClick={() => test.mutate()}>
          Send a test
        </button>
        <button type="button" className="button" disabled={is_busy} onClick={() => toggle.mutate()}>
          {enabled ? 'Disable' : 'Enable'}
        </button>
        <button type="button" className="button" disabled={is_busy} onClick={() => rotate.mutate()}>
          Rotate the secret
        </button>
        <Confirm deed="Delete the webhook" act={remove}>
          Nothing more is sent to this address, not even events that wait. This can’t be undone.
        </Confirm>
        <span role="status" className="quiet">
          {test.isSuccess && 'Test event sent. See it under Events.'}
        </span>
      </div>
    </Section>
  )
}

/** A replay goes back so many days. */
const most_days = 60

/** What was missed is sent again: the events of the days that one drags over. */
function Replay({ of, last }: { of: WebhookSubscription; last: string }) {
  const first = dayAfter(last, 1 - most_days)
  const began = of.failing_since ?? of.disabled_at
  const missed_from = began ? began.slice(0, 10) : undefined
  const replay = async ({ days = '' }: Values) => {
    const [from = last, to = last] = days.split('/')
    await ob.webhookSubscriptions.replay(of.id, {
      since: startOf(from),
      ...(to < last && { until: endOf(to) }),
    } as NewWebhookReplay)
  }
  return (
    <Section title="Resend missed events">
      {of.enabled ? (
        <Form
          key={`${of.id}${last}`}
          fields={[
            {
              name: 'days',
              label: 'Days',
              kind: 'days',
              hint: 'Drag over the days, or use the arrow keys. Delivered events are not sent again.',
              days: {
                first,
                last,
                known: missed_from
                  ? { from: missed_from, to: last, label: `Failing since ${dayOf(missed_from)}` }
                  : undefined,
              },
            },
          ]}
          initial={{ days: `${missed_from && missed_from > first ? missed_from : dayAfter(last, -1)}/${last}` }}
          submit={replay}
          button="Resend"
          said="On its way: missed events of these days are sent in order."
        />
      ) : (
        <Empty title="This webhook is disabled.">Enable it first. Then missed events can be resent from here.</Empty>
      )}
    </Section>
  )
}
