import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewWebhookReplay, WebhookSubscription } from 'openbenefits'
import { useDeed } from '../../parts/deed.ts'
import { ob } from '../../api.ts'
import { Several } from '../../parts/filters.tsx'
import { Form, type Values } from '../../parts/form.tsx'
import { Empty, Facts, Id, Loaded, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import { dayAfter, dayOf, endOf, instantOf, presentDay, sentence, startOf } from '../../parts/words.ts'
import { credential, deliveriesTo, events, subscription, subscriptions } from '../../queries.ts'
import { delivery_outcomes } from '../../routes.tsx'
import { Deliveries } from './deliveries.tsx'
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
            <Delivered id={subscription_id} given_up={disabled_at !== null && disabled_reason !== 'requested'} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const empty_words = {
  any: ['Nothing was sent yet.', 'Each event it takes appears here, with what the receiver answered.'],
  failed: ['No failed deliveries.', 'A delivery fails when the last of 14 attempts did.'],
  waiting: ['Nothing waits.', 'A delivery that is tried again waits here.'],
} as const

/** What was sent here, with what the receiver answered. */
function Delivered({ id, given_up }: { id: string; given_up: boolean }) {
  // Of one that we gave up for its receiver, what failed is what somebody came for.
  const { outcome = given_up ? 'failed' : 'any' } = route.useSearch()
  const navigate = route.useNavigate()
  // Deliveries tell their events by id: of the newest ones their names are known.
  const newest = allOf(useRows(events({}), () => true))
  const names = new Map(newest.map(({ id, event_name }) => [id, event_name]))
  const [title, more] = empty_words[outcome]
  return (
    <Section title="Deliveries">
      <div className="filters">
        <Several
          label="Outcome"
          options={delivery_outcomes.map((value) => ({ value, label: sentence(value) }))}
          chosen={outcome === 'any' ? [] : [outcome]}
          choose={(values) => {
            const chosen = delivery_outcomes.find((one) => one !== outcome && values?.includes(one)) ?? 'any'
            void navigate({ search: (before) => ({ ...before, outcome: chosen }), replace: true, resetScroll: false })
          }}
        />
      </div>
      <Deliveries
        grows
        of={deliveriesTo(id, outcome)}
        first={{
          name: 'Event',
          width: 24,
          phone: 38,
          cell: ({ webhook_event_id: event_id }) => (
            <RowLink to="/developers/events/$event_id" params={{ event_id }}>
              {names.get(event_id) ?? <Id of={event_id} />}
            </RowLink>
          ),
        }}
        empty={<Empty title={title}>{more}</Empty>}
      />
    </Section>
  )
}

function Deeds({ id, enabled }: { id: string; enabled: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: ['subscriptions', id] })
  const test = useDeed({ mutationFn: () => ob.webhookSubscriptions.test(id), onSuccess: refresh })
  const enable = useDeed({
    mutationFn: () => ob.webhookSubscriptions.update(id, { enabled: true }),
    onSuccess: refresh,
  })
  const [secret, setSecret] = useState<string>()
  const disable = async () => {
    await ob.webhookSubscriptions.update(id, { enabled: false })
    await refresh()
  }
  const rotate = async () => {
    setSecret((await ob.webhookSubscriptions.rotateSecret(id)).secret)
    await refresh()
  }
  const remove = async () => {
    await ob.webhookSubscriptions.delete(id)
    await client.invalidateQueries({ queryKey: subscriptions().key })
    await navigate({ to: '/developers/webhooks' })
  }
  const error = test.error ?? enable.error
  const is_busy = test.isPending || enable.isPending
  return (
    <Section title="Actions">
      {secret && <Secret of={secret}>This secret signs events from now on. Copy it now: it is not shown again.</Secret>}
      {error && <Trouble error={error} />}
      <div className="form-end">
        {enabled ? (
          <button type="button" className="button" disabled={is_busy} onClick={() => test.mutate()}>
            Send a test
          </button>
        ) : (
          <button type="button" className="button" disabled={is_busy} onClick={() => enable.mutate()}>
            Enable
          </button>
        )}
        {enabled && (
          <Confirm deed="Disable" act={disable}>
            Nothing is sent until it is enabled again, and what waits now is given up. What is missed can be resent for
            60 days.
          </Confirm>
        )}
        <Confirm deed="Rotate the secret" act={rotate} look="main">
          For 24 hours events are signed with the new secret and the present one, then with the new one alone. This
          can’t be undone.
        </Confirm>
        <Confirm deed="Delete the webhook" act={remove}>
          Nothing more is sent to this address, not even events that wait. This can’t be undone.
        </Confirm>
        <span role="status" className="quiet">
          {test.isSuccess && 'Sent. It appears among the deliveries.'}
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
