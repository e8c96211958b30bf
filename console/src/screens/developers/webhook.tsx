import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, NewWebhookReplay, WebhookSubscription } from 'openbenefits'
import { useAction } from '../../parts/use-action.ts'
import { ob } from '../../api.ts'
import { Several } from '../../parts/filters.tsx'
import { Form, type Values } from '../../parts/form.tsx'
import { Breakable, Empty, Facts, Id, Loaded, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Secret } from '../../parts/secret.tsx'
import {
  count,
  dayAfter,
  dayOf,
  easternDayOf,
  endOf,
  instantOf,
  presentDay,
  sentence,
  startOf,
} from '../../parts/words.ts'
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
        {(webhook) => (
          <>
            {isGivenUp(webhook) && <GivenUp of={webhook} />}
            <About of={webhook} />
            <Actions of={webhook} />
            <Loaded query={known} lines={3}>
              {({ today }) => <Replay of={webhook} last={today ?? presentDay()} />}
            </Loaded>
            <Delivered of={webhook} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Whether it was disabled for its receiver, and not because somebody asked for it. */
const isGivenUp = ({ disabled_at, disabled_reason }: WebhookSubscription) =>
  disabled_at !== null && disabled_reason !== 'requested'

const reasons = { requested: 'on request', gone: 'the receiver answered 410', failing: 'it failed for 5 days' }

function About({ of }: { of: WebhookSubscription }) {
  const { url, description, event_names, failing_since, disabled_at, disabled_reason } = of
  return (
    <Section title="Details">
      <Facts
        of={[
          ['Address', <Breakable of={url} />],
          ['Description', description],
          ['Events', event_names.length > 0 ? event_names.join(', ') : 'All'],
          ['Failing since', failing_since && instantOf(failing_since)],
          ['Disabled', disabled_at && `${instantOf(disabled_at)}, ${reasons[disabled_reason ?? 'requested']}`],
        ]}
      />
    </Section>
  )
}

/** What happened to one that was given up, what its receiver has not got, and how to go on. */
function GivenUp({ of: { id, failing_since, disabled_at, disabled_reason } }: { of: WebhookSubscription }) {
  const { total } = useRows(deliveriesTo(id, 'failed'))
  return (
    <Section title="Given up">
      <ul className="told-lines">
        <li>
          {disabled_reason === 'gone'
            ? 'The receiver answered 410, which says that it is gone: '
            : `No attempt has succeeded since ${instantOf(failing_since ?? disabled_at!)}, for 5 days: `}
          nothing is sent since {instantOf(disabled_at!)}.
        </li>
        <li>
          Not delivered: {total === undefined ? 'what' : count(total, 'event')}
          {total === undefined ? ' is' : ','} listed below as failed, and all that happened since.
        </li>
        <li>
          To go on, have the receiver answer with 2xx, enable the webhook, then resend what was missed. Nothing that was
          delivered is sent again.
        </li>
      </ul>
    </Section>
  )
}

const empty_words = {
  any: ['Nothing was sent yet.', 'Each event it takes appears here, with what the receiver answered.'],
  failed: ['No failed deliveries.', 'A delivery fails when the last of 14 attempts did.'],
  waiting: ['Nothing waits.', 'A delivery that is tried again waits here.'],
} as const

/** What was sent here, with what the receiver answered. */
function Delivered({ of }: { of: WebhookSubscription }) {
  // Of one that we gave up for its receiver, what failed is what somebody came for.
  const { outcome = isGivenUp(of) ? 'failed' : 'any' } = route.useSearch()
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
        of={deliveriesTo(of.id, outcome)}
        is_closed={!of.enabled}
        first={{
          name: 'Event',
          width: 24,
          phone: 38,
          cell: ({ webhook_event_id: event_id }) => {
            const name = names.get(event_id)
            return (
              <RowLink to="/developers/events/$event_id" params={{ event_id }}>
                {name === undefined ? <Id of={event_id} /> : <Breakable of={name} />}
              </RowLink>
            )
          },
        }}
        empty={<Empty title={title}>{more}</Empty>}
      />
    </Section>
  )
}

function Actions({ of }: { of: WebhookSubscription }) {
  const { id, enabled } = of
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => client.invalidateQueries({ queryKey: ['subscriptions', id] })
  const test = useAction({ mutationFn: () => ob.webhookSubscriptions.test(id), onSuccess: refresh })
  const enable = useAction({
    mutationFn: () => ob.webhookSubscriptions.update(id, { enabled: true }),
    // Once it is enabled, nothing but the address tells from when on something was missed.
    onSuccess: async () => {
      await navigate({ to: '.', search: { missed: missedFrom(of) }, replace: true, resetScroll: false })
      await refresh()
    },
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
          <button type="button" className="button main" disabled={is_busy} onClick={() => enable.mutate()}>
            Enable
          </button>
        )}
        {enabled && (
          <Confirm action="Disable" act={disable}>
            Nothing is sent until it is enabled again, and what waits now is given up. What is missed can be resent for
            60 days.
          </Confirm>
        )}
        <Confirm action="Rotate the secret" act={rotate} look="main">
          For 24 hours events are signed with the new secret and the present one, then with the new one alone. This
          can’t be undone.
        </Confirm>
        <Confirm action="Delete the webhook" act={remove}>
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

/** From which day on something may not have been delivered: the day before is among them, wherever one looks from. */
const missedFrom = ({ failing_since, disabled_at }: WebhookSubscription): Day | undefined => {
  const began = failing_since ?? disabled_at
  return began === null ? undefined : dayAfter(easternDayOf(began), -1)
}

/** What was missed is sent again: the events of the days that one drags over. */
function Replay({ of, last }: { of: WebhookSubscription; last: string }) {
  const first = dayAfter(last, 1 - most_days)
  const { missed } = route.useSearch()
  const missed_from = missedFrom(of) ?? missed
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
          key={`${of.id}${last}${missed_from}`}
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
                  ? { from: missed_from, to: last, label: `Missed from ${dayOf(missed_from)} on` }
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
        <Empty title="This webhook is disabled.">
          Enable it first. Then missed events can be resent from here
          {missed_from && `, as they happened from ${dayOf(missed_from)} on`}.
        </Empty>
      )}
    </Section>
  )
}
