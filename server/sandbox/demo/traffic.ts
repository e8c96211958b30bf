import { disableByService, subscribe } from '../../modules/events/webhooks/actions.ts'
import { NewWebhookSubscription } from '../../modules/events/webhooks/schemas.ts'
import { makeDeliveries, empty_claim } from '../../modules/events/webhook-deliveries/claim-queries.ts'
import { beginDeliveries, saveOutcomes } from '../../modules/events/webhook-deliveries/queries.ts'
import { outcomeOf, type Outcome } from '../../modules/events/webhook-deliveries/rules.ts'
import type { OutboundReply } from '../../integrations/outbound/outbound.ts'
import { nextShard, writeBatches } from '../../http/audit/audit.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { anyOutboxEvents, takeOutboxEvents } from '../../runtime/events.ts'
import type { Request, Timeline } from '../timeline.ts'
import type { Book } from './employers.ts'
import { topics, pseudorandom } from './people.ts'
import { findAdminKey, listSubscriptions } from './queries.ts'

/** Receivers in a reserved domain, so that later events of the sandbox are sent nowhere. */
const receivers = {
  healthy: {
    url: 'https://hooks.SLUG.example/invoices',
    description: 'Ledger',
    event_names: ['invoice.issued', 'employer.created', 'census_sync.completed'],
  },
  given_up: {
    url: 'https://old-hris.SLUG.example/benefits',
    description: 'Former payroll bridge',
    event_names: ['employee.updated', 'enrollment.elected', 'enrollment.waived', 'employee.deduction_created'],
  },
} as const

/** Subscribes an organization to its events with two webhooks, some weeks ago. */
export function subscribeToWebhooks(timeline: Timeline, { slug }: Book): void {
  for (const { url, ...input } of Object.values(receivers))
    timeline.record(
      timeline.ago(35),
      { operation: 'webhook_subscriptions_create', fields: ['url', ...Object.keys(input)] },
      async (ctx) => {
        const wanted = NewWebhookSubscription.parse({ ...input, url: url.replace('SLUG', slug) })
        return (await subscribe(ctx, wanted)).id
      },
    )
}

/** Events per batch. */
const batch_size = 20_000
/** The first attempts started at least this long ago, so that all their retries have ended by now. */
const started_before_ms = 6 * 3_600_000

/**
 * Simulates the deliveries of the recorded events: most succeed, a few only after a retry, and one receiver fails
 * until its subscription is disabled.
 */
export async function sendWebhooks(ctx: Ctx, { id: organization_id }: Book): Promise<void> {
  const began = Date.parse(ctx.real_now) - started_before_ms
  const then = { ...ctx, real_now: new Date(began).toISOString() }
  await makeDeliveries(then, await takeOutboxEvents(ctx.db, anyOutboxEvents(batch_size)), empty_claim)
  const taken = await beginDeliveries(then, { organization_id })
  const [failing] = await listSubscriptions(ctx, { organization_id, description: receivers.given_up.description })
  const ended = taken.map((delivery, index) => ({
    id: delivery.id,
    organization_id,
    outcome: outcomeIn(
      delivery,
      delivery.subscription_id === failing ? repliesOfFailing(index) : repliesOfHealthy(index),
      began,
    ),
  }))
  await saveOutcomes(then, ended)
  // Silent, so that simulated failures do not appear in the log of a sandbox.
  const quietly = { ...ctx, log: ctx.log.child({}, { level: 'silent' }) }
  if (failing) await disableByService(quietly, failing, 'failing')
}

const answered = (status: number, body: string): OutboundReply => ({ status, body, retry_after: undefined })
const accepted = answered(202, '{"received":true}')
const busy = answered(503, '<html><title>503 Service Temporarily Unavailable</title></html>')

const repliesOfHealthy = (at: number): OutboundReply[] =>
  pseudorandom(at, topics.delivery) < 0.07 ? [busy, accepted] : [accepted]

/** The responses of the receiver that fails after an initial success. */
const repliesOfFailing = (at: number): OutboundReply[] =>
  at % 3 === 0 ? [accepted] : [busy, answered(500, 'Internal Server Error')]

/** The outcome of the last of several attempts. */
function outcomeIn({ attempts }: { attempts: number }, replies: OutboundReply[], began: number): Outcome {
  let now = began + 180
  let outcome: Outcome | undefined
  for (const reply of replies) {
    outcome = outcomeOf({ attempts: outcome?.attempts ?? attempts, failing_since: null }, reply, now, 0)
    now = outcome.due_at === null ? now : Date.parse(outcome.due_at) + 240
  }
  return outcome!
}

const statuses: Record<string, number> = { employers_update_settings: 200, employers_submit_census_sync: 202 }

/** Writes the audit log of the partner's requests, with the key of its back office, at the time of seeding. */
export async function writeAuditLog(ctx: Ctx, { id: organization_id }: Book, requests: Request[]): Promise<void> {
  const key = (await findAdminKey(ctx, { organization_id }))!
  const actor = { kind: 'api_key', id: key.id, user_id: key.user_id }
  const occurred_ms = Date.parse(ctx.real_now)
  const entries = requests.map((request) => ({
    ...request,
    organization_id,
    status: statuses[request.operation] ?? 201,
    actor,
    address: null,
    occurred_ms,
  }))
  await writeBatches(ctx, ctx.secrets, ctx.real_now, nextShard(), entries)
}
