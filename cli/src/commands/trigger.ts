import type { Command } from 'commander'
import type { OpenBenefits, WebhookEvent, WebhookEventName, WebhookSubscription } from 'openbenefits'
import { address, clientOf, connected, connectionOf, type ConnectionOptions } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { forward, newSecret } from '../forwarding.ts'
import type { Io } from '../io.ts'
import { say, sayJson } from '../output.ts'

type Options = ConnectionOptions & { subscription?: string; forwardTo?: string; secret?: string }

/** `trigger`: an event now, to see what a handler does with it. */
export function addTrigger(program: Command, io: Io): void {
  connected(program.command('trigger'))
    .description('Sends a receiver of yours the newest event of a name once more, as it was.')
    .argument('<event>', 'its name, such as enrollment.elected; webhook_subscription.test says nothing')
    .option('--subscription <id>', 'wsub_…, to which the service delivers it; unneeded when there is only one')
    .option('--forward-to <address>', 'a server on this machine, to which it is posted from here', address)
    .option('--secret <whsec_…>', 'the secret that signs what is posted from here; a new one unless said')
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits trigger enrollment.elected\n' +
        '  $ openbenefits trigger employee.created --forward-to http://localhost:3000/hooks',
    )
    .action(async (event_name: string, options: Options) => {
      if (options.forwardTo !== undefined && options.subscription !== undefined)
        throw new UsageError('forward_to: name an address or a subscription, not both.')
      const ob = clientOf(connectionOf(options, io.env))
      const { forwardTo: forward_to } = options
      if (forward_to === undefined) return deliver(ob, event_name as WebhookEventName, options, io)
      const { secret = newSecret() } = options
      const event = await newestEvent(ob, event_name as WebhookEventName)
      const outcome = await forward(event, forward_to, secret)
      if (options.json) return sayJson(io, { event, secret, outcome })
      if (options.secret === undefined) say(io, `Signing secret: ${secret}`)
      say(io, `${event.event_name}  ${event.resource_id}  ${outcome}`)
    })
}

async function deliver(ob: OpenBenefits, event_name: WebhookEventName, options: Options, io: Io): Promise<void> {
  const id = options.subscription ?? (await onlySubscription(ob)).id
  const delivery = await ob.webhookSubscriptions.test(id, { event_name })
  if (options.json) return sayJson(io, delivery)
  say(io, `${event_name} goes to ${id} as ${delivery.id}.`)
  say(io, `What becomes of it: GET /v1/webhook-events/${delivery.webhook_event_id}/deliveries`)
}

async function onlySubscription(ob: OpenBenefits): Promise<WebhookSubscription> {
  const there: WebhookSubscription[] = []
  for await (const each of ob.webhookSubscriptions.list()) if (each.enabled) there.push(each)
  if (there.length === 1) return there[0]!
  const known = there.map(({ id, url }) => `\n  ${id}  ${url}`).join('')
  throw new UsageError(
    there.length === 0
      ? 'subscription: there is none that is enabled; make one, or post from here with --forward-to.'
      : `subscription: say to which.${known}`,
  )
}

async function newestEvent(ob: OpenBenefits, event_name: WebhookEventName): Promise<WebhookEvent> {
  const { data } = await ob.webhookEvents.list({ event_name: [event_name], limit: 1 })
  if (data[0]) return data[0]
  throw new UsageError(`event: no ${event_name} has happened yet; do what it tells of, such as hiring somebody.`)
}
