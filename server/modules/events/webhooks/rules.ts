import { randomBytes } from 'node:crypto'
import { event_names, type EventName } from '../../../runtime/event-types.ts'
import { declareRefusals, type RefusalKind } from '../../../kernel/refusal.ts'
import type { WebhookEventFilter } from './schemas.ts'

export const refusals = declareRefusals({
  webhook_url_not_allowed: [
    422,
    'Webhooks require https and a public address, not a private, local or reserved one.',
    'Use an https URL of a public host. To test locally, run `npx openbenefits listen`.',
  ],
  too_many_webhook_subscriptions: [
    409,
    'An organization can have at most 50 webhook subscriptions.',
    'Delete a subscription that is no longer needed.',
  ],
  too_many_webhook_secrets: [
    409,
    'This secret was rotated 4 times within 24 hours.',
    'Wait until the first previous secret expires, or create a new subscription and delete this one.',
  ],
})

const max_subscriptions = 50

/** Refuses another subscription for an organization at the limit. */
export const whyNotSubscribe = (subscription_count: number): RefusalKind | undefined =>
  subscription_count >= max_subscriptions ? refusals.too_many_webhook_subscriptions : undefined

/** A new secret in the Standard Webhooks format: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** How long a previous secret keeps signing, in milliseconds. */
export const overlap_ms = 24 * 3600_000

/**
 * A previous secret, and the instant until which it keeps signing. Without an instant, the one stored in the
 * subscription applies.
 */
export type FormerSecret = { secret: string; until?: string | undefined }

/** The maximum number of previous secrets in use. Each one adds a signature to every delivery. */
const max_former_secrets = 4

/** Refuses a rotation while too many previous secrets are in use. */
export const whyNotRotate = (former_secrets: FormerSecret[]): RefusalKind | undefined =>
  former_secrets.length >= max_former_secrets ? refusals.too_many_webhook_secrets : undefined

/** Previous secrets in the form in which they are encrypted: one per line, latest first, with the end of each. */
export const serializeFormerSecrets = (former_secrets: FormerSecret[]): string =>
  former_secrets.map(({ secret, until }) => (until === undefined ? secret : `${secret} ${until}`)).join('\n')

/** Parses previous secrets, and returns those that still sign at an instant in milliseconds. */
export const parseFormerSecrets = (words: string, now: number): FormerSecret[] =>
  words
    .split('\n')
    .map((line) => line.split(' '))
    .map(([secret, until]) => ({ secret: secret!, until }))
    .filter(({ until }) => until === undefined || Date.parse(until) > now)

/** Whether the request follows new events, oldest first, instead of listing past ones. */
export const isFollowing = ({ after, wait }: WebhookEventFilter): boolean => after !== undefined || wait !== undefined

/** The event names that pass a filter. Undefined if all do. */
export function namesOf({ event_name, resource_type }: WebhookEventFilter): EventName[] | undefined {
  if (event_name.length === 0 && resource_type.length === 0) return undefined
  return event_names.filter(
    (name) =>
      (event_name.length === 0 || event_name.includes(name)) &&
      (resource_type.length === 0 || resource_type.includes(name.split('.')[0]!)),
  )
}
