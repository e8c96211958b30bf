import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, NewWebhookReplay, WebhookSubscription } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, addDays, formatDay, formatInstant, easternToday } from '../../format.ts'
import { easternDayOf, endOfDay, startOfDay } from '../../zoned-days.ts'
import { Secret } from '../../parts/access/credentials.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import {
  BreakableText,
  Empty,
  type Fact,
  Facts,
  Id,
  Loaded,
  Page,
  Section,
  Status,
  ErrorMessage,
} from '../../parts/page/page.tsx'
import { ToggleFilter } from '../../parts/table/filters.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { credentialQuery } from '../../queries.ts'
import { subscriptionDeliveriesList, eventsList, subscriptionQuery, subscriptionsQuery } from './queries.ts'
import { delivery_outcomes } from '../../routes/filter-values.ts'
import { Deliveries } from './deliveries.tsx'
import { webhookStatus } from './webhooks.tsx'

const route = getRouteApi('/developers/webhooks/$subscription_id')

export function WebhookPage() {
  const { subscription_id } = route.useParams()
  const found = useQuery(subscriptionQuery(subscription_id))
  const known = useQuery(credentialQuery())
  return (
    <Page
      title={found.data ? new URL(found.data.url).host : '\u00a0'}
      breadcrumbs={[{ label: 'Webhooks', link: { to: '/developers/webhooks' } }]}
      badge={found.data && <Status of={webhookStatus(found.data)} />}
    >
      <Loaded query={found} lines={6}>
        {(webhook) => (
          <>
            {isDisabledByService(webhook) && <DisabledNotice of={webhook} />}
            <WebhookDetails of={webhook} />
            <WebhookActions of={webhook} />
            <Loaded query={known} lines={3}>
              {({ today }) => <ReplayForm of={webhook} last={today ?? easternToday()} />}
            </Loaded>
            <WebhookDeliveries of={webhook} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Whether it was disabled automatically and not on request. */
const isDisabledByService = ({ disabled_at, disabled_reason }: WebhookSubscription) =>
  disabled_at !== null && disabled_reason !== 'requested'

const reasons = {
  requested: 'on request',
  gone: 'the receiver responded 410',
  failing: 'all attempts failed for 5 days',
}

function WebhookDetails({ of }: { of: WebhookSubscription }) {
  const { url, description, event_names, failing_since, disabled_at, disabled_reason } = of
  return (
    <Section title="Details">
      <Facts
        of={[
          ['URL', <BreakableText of={url} />],
          ['Description', description],
          ['Events', event_names.length > 0 ? event_names.join(', ') : 'All'],
          ...(failing_since ? [['Failing since', formatInstant(failing_since)] satisfies Fact] : []),
          ...(disabled_at
            ? [['Disabled', `${formatInstant(disabled_at)}, ${reasons[disabled_reason ?? 'requested']}`] satisfies Fact]
            : []),
        ]}
      />
    </Section>
  )
}

/** Explains why a webhook was disabled, what its receiver missed, and how to resume. */
function DisabledNotice({ of: { id, failing_since, disabled_at, disabled_reason } }: { of: WebhookSubscription }) {
  const { total } = useRows(subscriptionDeliveriesList(id, 'failed'))
  return (
    <Section title="Disabled automatically">
      <ul className="notice-lines">
        <li>
          {disabled_reason === 'gone'
            ? 'The receiver responded 410 (Gone), so'
            : `All attempts have failed for 5 days, since ${formatInstant(failing_since ?? disabled_at!)}, so`}{' '}
          the webhook was disabled on {formatInstant(disabled_at!)}.
        </li>
        <li>
          Missed events:{' '}
          {total === undefined ? 'failed deliveries' : formatCount(total, 'failed delivery', 'failed deliveries')}{' '}
          listed below, and all later events.
        </li>
        <li>
          To resume, fix the receiver so that it responds with 2xx, enable the webhook, then resend the missed events.
          Delivered events are not sent again.
        </li>
      </ul>
    </Section>
  )
}

const empty_words = {
  any: ['No deliveries yet.', 'Each delivered event appears here with the receiver’s response.'],
  failed: ['No failed deliveries.', 'A delivery fails after 14 unsuccessful attempts.'],
  waiting: ['No waiting deliveries.', 'Deliveries wait here for their next attempt.'],
} as const

/** The deliveries of the webhook, with the receiver's responses. */
function WebhookDeliveries({ of }: { of: WebhookSubscription }) {
  // After an automatic disable, the failed deliveries are the relevant ones.
  const { outcome = isDisabledByService(of) ? 'failed' : 'any' } = route.useSearch()
  const change = useChangeSearch()
  // Deliveries contain only event ids. The names of the newest events are known.
  const newest = loadedRows(useRows(eventsList({}), () => true))
  const names = new Map(newest.map(({ id, event_name }) => [id, event_name]))
  const [title, more] = empty_words[outcome]
  return (
    <Section title="Deliveries">
      <Deliveries
        grows
        filters={
          <ToggleFilter
            label="Outcome"
            values={delivery_outcomes}
            chosen={outcome === 'any' ? [] : [outcome]}
            choose={(values) => {
              const chosen = delivery_outcomes.find((one) => one !== outcome && values?.includes(one)) ?? 'any'
              void change({ outcome: chosen })
            }}
          />
        }
        of={subscriptionDeliveriesList(of.id, outcome)}
        is_closed={!of.enabled}
        first={{
          name: 'Event',
          width: 24,
          phone: 38,
          cell: ({ webhook_event_id: event_id }) => {
            const name = names.get(event_id)
            return (
              <RowLink to="/developers/events/$event_id" params={{ event_id }}>
                {name === undefined ? <Id of={event_id} /> : <BreakableText of={name} />}
              </RowLink>
            )
          },
        }}
        empty={<Empty title={title}>{more}</Empty>}
      />
    </Section>
  )
}

function WebhookActions({ of }: { of: WebhookSubscription }) {
  const { id, enabled } = of
  const navigate = useNavigate()
  const refresh = () => refetch(['subscriptions', id])
  const test = useAction({ mutationFn: () => ob.webhookSubscriptions.test(id), onSuccess: refresh })
  const enable = useAction({
    mutationFn: () => ob.webhookSubscriptions.update(id, { enabled: true }),
    // Enabling clears `failing_since`, so the URL keeps the first missed day.
    onSuccess: async () => {
      await navigate({ to: '.', search: { missed: firstMissedDay(of) }, replace: true, resetScroll: false })
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
    await refetch(subscriptionsQuery().key)
    await navigate({ to: '/developers/webhooks' })
  }
  const error = test.error ?? enable.error
  const is_busy = test.isPending || enable.isPending
  return (
    <Section title="Actions">
      {secret && (
        <Secret of={secret}>This secret signs all events from now on. Copy it now: it is not shown again.</Secret>
      )}
      {error && <ErrorMessage error={error} />}
      <div className="form-end">
        {enabled ? (
          <button type="button" className="button" disabled={is_busy} onClick={() => test.mutate()}>
            Send test event
          </button>
        ) : (
          <button type="button" className="button main" disabled={is_busy} onClick={() => enable.mutate()}>
            Enable
          </button>
        )}
        {enabled && (
          <Confirm action="Disable" act={disable}>
            No events are sent until you enable the webhook again, and waiting deliveries are dropped. You can resend
            missed events for 60 days.
          </Confirm>
        )}
        <Confirm action="Rotate secret" act={rotate} variant="main">
          For 24 hours, events are signed with both the new and the current secret, then only with the new one. You
          can’t undo this.
        </Confirm>
        <Confirm action="Delete webhook" act={remove}>
          Events, including waiting ones, will not be sent to this URL anymore. You can’t undo this.
        </Confirm>
        <span role="status" className="quiet">
          {test.isSuccess && 'Sent. The test event appears in the deliveries below.'}
        </span>
      </div>
    </Section>
  )
}

/** The days that a replay can reach back. */
const max_replay_days = 60

/** The first day with possibly missed events. Starts a day early to cover all time zones. */
const firstMissedDay = ({ failing_since, disabled_at }: WebhookSubscription): Day | undefined => {
  const began = failing_since ?? disabled_at
  return began === null ? undefined : addDays(easternDayOf(began), -1)
}

/** Resends missed events of the selected days. */
function ReplayForm({ of, last }: { of: WebhookSubscription; last: string }) {
  const { missed } = route.useSearch()
  const missed_from = firstMissedDay(of) ?? missed
  const days = { kind: 'date', min: addDays(last, 1 - max_replay_days), max: last } as const
  const replay = async ({ from = '', to = '' }: Values) => {
    if (from === '') throw new FieldError('from', 'is required')
    if (to < from) throw new FieldError('to', 'must not be before the first day')
    const until = to < last ? { until: endOfDay(to) } : {}
    await ob.webhookSubscriptions.replay(of.id, { since: startOfDay(from), ...until } as NewWebhookReplay)
  }
  if (!of.enabled)
    return (
      <Section title="Resend missed events">
        <Empty title="This webhook is disabled.">
          Enable it to resend missed events{missed_from && ` since ${formatDay(missed_from)}`}.
        </Empty>
      </Section>
    )
  const form = (
    <Form
      key={`${of.id}${last}${missed_from}`}
      fields={[
        {
          name: 'from',
          label: 'First day',
          hint: missed_from && `Events may have been missed since ${formatDay(missed_from)}.`,
          ...days,
        },
        { name: 'to', label: 'Last day', hint: 'Delivered events are not sent again.', ...days },
      ]}
      initial={{ from: missed_from && missed_from > days.min ? missed_from : addDays(last, -1), to: last }}
      submit={replay}
      button="Resend"
      success="The missed events of these days are being sent in order."
    />
  )
  // Only a webhook that may have missed events shows the form above its deliveries.
  if (missed_from) return <Section title="Resend missed events">{form}</Section>
  return (
    <details className="section">
      <summary>Resend missed events</summary>
      {form}
    </details>
  )
}
