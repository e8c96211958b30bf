import type { Command } from 'commander'
import {
  ApiError,
  type OpenBenefits,
  type WebhookEvent,
  type WebhookEventName,
  type WebhookSubscription,
} from 'openbenefits'
import {
  address,
  clientOf,
  connected,
  type Connection,
  connectionOf,
  type ConnectionOptions,
  examples,
} from '../connection.ts'
import { UsageError } from '../failures.ts'
import { type Io, print, printJson } from '../output.ts'
import { forward, signingSecretOf } from './listen.ts'

type Options = ConnectionOptions & { subscription?: string; forwardTo?: string; secret?: string }

/** `trigger`: resends an event, to test a handler. */
export function addTrigger(program: Command, io: Io): void {
  connected(program.command('trigger'))
    .description('Resend the newest event of a name to one of your receivers.')
    .argument('<event>', 'the event name, such as enrollment.elected; webhook_subscription.test has no effect')
    .option('--subscription <id>', 'the subscription (wsub_…) to deliver to; optional if there is only one')
    .option('--forward-to <address>', 'post the event from here to this local server instead', address)
    .option('--secret <whsec_…>', 'the signing secret for --forward-to (default: the same as that of listen)')
    .addHelpText(
      'after',
      examples('trigger enrollment.elected', 'trigger employee.created --forward-to http://localhost:3000/hooks'),
    )
    .action(async (event_name: string, options: Options) => {
      if (options.forwardTo !== undefined && options.subscription !== undefined)
        throw new UsageError('forward_to: use either --forward-to or --subscription.')
      const connection = connectionOf(options, io.env)
      const ob = clientOf(connection)
      try {
        await resend(ob, connection, event_name as WebhookEventName, options, io)
      } catch (error) {
        throw unknownEvent(event_name, error, connection) ?? error
      }
    })
}

async function resend(
  ob: OpenBenefits,
  connection: Connection,
  event_name: WebhookEventName,
  options: Options,
  io: Io,
): Promise<void> {
  const { forwardTo: forward_to } = options
  if (forward_to === undefined) return deliver(ob, event_name, options, io)
  const { secret = signingSecretOf(connection) } = options
  const event = await newestEvent(ob, event_name)
  const outcome = await forward(event, forward_to, secret)
  if (options.json) return printJson(io, { event, secret, outcome })
  if (options.secret === undefined) print(io, `Signing secret: ${secret}`)
  print(io, `${event.event_name}  ${event.resource_id}  ${outcome}`)
}

/** Names the argument instead of the query parameter, and leaves out the list of all events. */
function unknownEvent(name: string, error: unknown, { url }: Connection): UsageError | undefined {
  const detail = error instanceof ApiError && error.details.find(({ field }) => field.startsWith('event_name'))
  if (!detail) return undefined
  const meant = detail.message.startsWith('must be one of')
    ? `is not an event. The names are at ${url}/docs/events`
    : detail.message
  return new UsageError(`event: '${name}' ${meant}`)
}

async function deliver(ob: OpenBenefits, event_name: WebhookEventName, options: Options, io: Io): Promise<void> {
  const id = options.subscription ?? (await onlySubscription(ob)).id
  const delivery = await ob.webhookSubscriptions.test(id, { event_name })
  if (options.json) return printJson(io, delivery)
  print(io, `Sending ${event_name} to ${id} as ${delivery.id}.`)
  print(io, `See its deliveries: GET /v1/webhook-events/${delivery.webhook_event_id}/deliveries`)
}

async function onlySubscription(ob: OpenBenefits): Promise<WebhookSubscription> {
  const there: WebhookSubscription[] = []
  for await (const subscription of ob.webhookSubscriptions.list()) if (subscription.enabled) there.push(subscription)
  if (there.length === 1) return there[0]!
  const known = there.map(({ id, url }) => `\n  ${id}  ${url}`).join('')
  throw new UsageError(
    there.length === 0
      ? 'subscription: no enabled subscription. Create one, or post from here with --forward-to.'
      : `subscription: several are enabled, so use --subscription.${known}`,
  )
}

async function newestEvent(ob: OpenBenefits, event_name: WebhookEventName): Promise<WebhookEvent> {
  const { data } = await ob.webhookEvents.list({ event_name: [event_name], limit: 1 })
  if (data[0]) return data[0]
  throw new UsageError(`event: no ${event_name} event exists yet. Cause one first, for example by hiring an employee.`)
}
