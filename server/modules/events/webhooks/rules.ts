import { randomBytes } from 'node:crypto'
import { event_names, type EventName } from '../../../runtime/event-types.ts'
import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import type { WebhookEventFilter } from './schemas.ts'

export const refusals = declareRefusals({
  webhook_url_not_allowed: [
    422,
    'Webhooks are sent over https to addresses on the open internet: not to private, local or reserved ones.',
    'Use an https address of a public host. To try things at home: `npx openbenefits listen`.',
  ],
  too_many_webhook_subscriptions: [
    409,
    'An organization has at most 50 webhook subscriptions.',
    'Delete one that is not needed any more.',
  ],
  too_many_webhook_secrets: [
    409,
    'This secret was rotated 4 times within 24 hours.',
    'Wait until the first of the former secrets signs no more, or subscribe anew and delete this subscription.',
  ],
})

const most_subscriptions = 50

/** Why an organization that has so many subscriptions gets no further one. */
export const whyNotSubscribe = (subscription_count: number): RefusalKind | undefined =>
  subscription_count >= most_subscriptions ? refusals.too_many_webhook_subscriptions : undefined

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** For how long a secret signs after it was replaced, in milliseconds. */
export const overlap_ms = 24 * 3600_000

/** A secret that was replaced, and until when it signs besides; without an instant, as the subscription says. */
export type FormerSecret = { secret: string; until?: string | undefined }

/** So many secrets that were replaced sign besides at most: each makes a signature more in each delivery. */
const most_former_secrets = 4

/** Why the secret of a subscription can't be replaced while so many former ones sign. */
export const whyNotRotate = (formers: FormerSecret[]): RefusalKind | undefined =>
  formers.length >= most_former_secrets ? refusals.too_many_webhook_secrets : undefined

/** Former secrets as they are encrypted: one to a line, the last first, with the instant until which it signs. */
export const wordsOfFormer = (formers: FormerSecret[]): string =>
  formers.map(({ secret, until }) => (until === undefined ? secret : `${secret} ${until}`)).join('\n')

/** Those of former secrets, by their words, that still sign at an instant, in milliseconds. */
export const formerOf = (words: string, now: number): FormerSecret[] =>
  words
    .split('\n')
    .map((line) => line.split(' '))
    .map(([secret, until]) => ({ secret: secret!, until }))
    .filter(({ until }) => until === undefined || Date.parse(until) > now)

/** Whether events are followed as they come, the oldest first, and not looked back at. */
export const follows = ({ after, wait }: WebhookEventFilter): boolean => after !== undefined || wait !== undefined

/** The names of events that a filter lets through; undefined: all. */
export function namesOf({ event_name, resource_type }: WebhookEventFilter): EventName[] | undefined {
  if (event_name.length === 0 && resource_type.length === 0) return undefined
  return event_names.filter(
    (name) =>
      (event_name.length === 0 || event_name.includes(name)) &&
      (resource_type.length === 0 || resource_type.includes(name.split('.')[0]!)),
  )
}
