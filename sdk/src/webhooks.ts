import { OpenBenefitsError } from './core/errors.ts'
import type { VerifiedEvent } from './v1/methods.gen.ts'

/** The message is not from the service, is too old, or was modified. Respond with 400 and ignore it. */
export class WebhookVerificationError extends OpenBenefitsError {
  override name = 'WebhookVerificationError'
}

/** Headers as servers provide them: `Headers`, or an object of Node or Express. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** The maximum age of a message and clock difference in seconds. Defaults to 300. */
  tolerance?: number
}

/**
 * Verifies a webhook message (Standard Webhooks 1.0) and returns its event. Pass the raw body, before any parsing.
 * During a rotation of the secret, pass both the new and the old one. Throws a {@link WebhookVerificationError} for
 * messages that are not from the service.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(await request.text(), request.headers, secret)
 * if (event.type === 'employee.created') await refresh(event.data.resource_id)
 * ```
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<VerifiedEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(headerOf(headers))
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The webhook headers are missing.')
  const age = Date.now() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > tolerance)
    throw new WebhookVerificationError('The message is too old, or the clock is wrong.')
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content)
  const given = signatures
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [fromBase64(signature.slice(3))] : []))
  for (const secret of [secrets].flat())
    for (const signature of given)
      if (signature && (await isSignedWith(secret, signature, signed)))
        return JSON.parse(new TextDecoder().decode(content)) as VerifiedEvent
  throw new WebhookVerificationError('No valid signature.')
}

const headerOf = (headers: WebhookHeaders) => (name: string) =>
  isHeaders(headers)
    ? headers.get(name)
    : [Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]].flat()[0]

/** Detects the type by its methods, because runtimes and frameworks have their own classes. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

/** WebCrypto compares in constant time. */
async function isSignedWith(secret: string, signature: Bytes, signed: Bytes): Promise<boolean> {
  const raw = fromBase64(secret.replace(/^whsec_/, ''))
  if (!raw || raw.length === 0) throw new TypeError('A webhook secret must be whsec_ followed by base64.')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, signature, signed)
}

type Bytes = Uint8Array<ArrayBuffer>

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Undefined if the string is not base64. */
function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
