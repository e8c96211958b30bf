import { giveUpSubscription, subscribe } from '../../modules/events/webhooks/actions.ts'
import { NewWebhookSubscription } from '../../modules/events/webhooks/schemas.ts'
import { makeDeliveries, nothing_taken } from '../../modules/events/webhook-deliveries/claim-queries.ts'
import { beginDeliveries, saveOutcomes } from '../../modules/events/webhook-deliveries/queries.ts'
import { outcomeOf, type Outcome } from '../../modules/events/webhook-deliveries/rules.ts'
import type { OutboundReply } from '../../integrations/outbound/outbound.ts'
import { anyStrand, writeSheets } from '../../http/audit/audit.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { anyOutboxEvents, takeOutboxEvents } from '../../runtime/events.ts'
import type { Request, Timeline } from '../timeline.ts'
import type { Book } from './employers.ts'
import { about, chance } from './people.ts'
import { findAdminKey, listSubscriptions } from './queries.ts'

/** Receivers under a name that nobody can have: what happens in a sandbox later is sent nowhere. */
const receivers = {
  sound: {
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

/** An organization asked for its events some weeks ago, in two places. */
export function subscribes(timeline: Timeline, { slug }: Book): void {
  for (const { url, ...said } of Object.values(receivers))
    timeline.asked(
      timeline.ago(35),
      { operation: 'webhook_subscriptions_create', fields: ['url', ...Object.keys(said)] },
      async (ctx) => {
        const wanted = NewWebhookSubscription.parse({ ...said, url: url.replace('SLUG', slug) })
        return (await subscribe(ctx, wanted)).id
      },
    )
}

/** Events at once in a round. */
const most = 20_000
/** When the first attempts were made, so that those which followed are over by now. */
const begun_ms = 6 * 3_600_000

/**
 * What became of the events since: nearly all were delivered, a few not before a later attempt, and one receiver failed
 * until it was given up.
 */
export async function sendWebhooks(ctx: Ctx, { id: organization_id }: Book): Promise<void> {
  const began = Date.parse(ctx.real_now) - begun_ms
  const then = { ...ctx, real_now: new Date(began).toISOString() }
  await makeDeliveries(then, await takeOutboxEvents(ctx.db, anyOutboxEvents(most)), nothing_taken)
  const taken = await beginDeliveries(then, organization_id)
  const [failing] = await listSubscriptions(ctx, organization_id, receivers.given_up.description)
  const ended = taken.map((delivery, at) => ({
    id: delivery.id,
    organization_id,
    outcome: outcomeIn(
      delivery,
      delivery.subscription_id === failing ? repliesOfFailing(at) : repliesOfSound(at),
      began,
    ),
  }))
  await saveOutcomes(then, ended)
  // Whoever starts a sandbox is not warned of what the stage tells.
  const quietly = { ...ctx, log: ctx.log.child({}, { level: 'silent' }) }
  if (failing) await giveUpSubscription(quietly, failing, 'failing')
}

const answered = (status: number, body: string): OutboundReply => ({ status, body, retry_after: undefined })
const taken_in = answered(202, '{"received":true}')
const busy = answered(503, '<html><title>503 Service Temporarily Unavailable</title></html>')

const repliesOfSound = (at: number): OutboundReply[] =>
  chance(at, about.delivery) < 0.07 ? [busy, taken_in] : [taken_in]

/** It answered at first, and then it did not. */
const repliesOfFailing = (at: number): OutboundReply[] =>
  at % 3 === 0 ? [taken_in] : [busy, answered(500, 'Internal Server Error')]

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

/** The trail of what the partner asked for, by the key of its back office, at the time at which it was planted. */
export async function writeTrail(ctx: Ctx, { id: organization_id }: Book, requests: Request[]): Promise<void> {
  const key = (await findAdminKey(ctx, organization_id))!
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
  await writeSheets(ctx, ctx.secrets, ctx.real_now, anyStrand(), entries)
}
