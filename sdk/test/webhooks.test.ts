import { afterAll, expect, expectTypeOf, it, vi } from 'vitest'
import { bodyOf, headersOf } from '../../server/modules/events/webhook-deliveries/rules.ts'
import { newSecret } from '../../server/modules/events/webhooks/rules.ts'
import { OpenBenefits, verifyWebhook, WebhookVerificationError, type VerifiedEvent } from 'openbenefits'

/** A message signed by the service's own code. */
const now = Date.parse('2026-03-10T16:00:00Z')
vi.useFakeTimers({ toFake: ['Date'], now })
afterAll(() => void vi.useRealTimers())

const secret = newSecret()
const message = {
  event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v7xz',
  event_name: 'employee.created',
  resource_type: 'employee',
  resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz',
  organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz',
  created_at: '2026-03-10T15:59:59.123Z',
  sequence: 1,
} as const
const body = bodyOf(message)
const sent = (secrets = [secret], at = now) => headersOf(message.event_id, body, secrets, at)
const [v1, signature] = sent()['webhook-signature']!.split(',')
const given = (changes: Record<string, string | string[] | undefined>) => ({ ...sent(), ...changes })

it.each([
  ['as Headers', body, new Headers(sent()), secret],
  ['as an object of Node', body, sent(), secret],
  [
    'with names in their sent case',
    body,
    {
      'Webhook-Id': sent()['webhook-id'],
      'Webhook-Timestamp': sent()['webhook-timestamp'],
      'Webhook-Signature': sent()['webhook-signature'],
    },
    secret,
  ],
  ['as bytes', new TextEncoder().encode(body), sent(), secret],
  ['signed with the old secret', body, sent(), [newSecret(), secret]],
  ['signed with both secrets, verified with the new one', body, sent([newSecret(), secret]), secret],
  [
    'after signatures of other kinds',
    body,
    given({ 'webhook-signature': `v1a,xyz v2,${signature} ${v1},${signature}` }),
    secret,
  ],
  ['from a slow clock', body, sent([secret], now - 299_000), secret],
  ['from a fast clock', body, sent([secret], now + 299_000), secret],
] as const)('is verified %s', async (_, content, headers, secrets) => {
  expect(await verifyWebhook(content, headers, secrets)).toEqual({
    type: 'employee.created',
    timestamp: message.created_at,
    data: message,
  })
})

it.each([
  ['another secret', body, sent([newSecret()])],
  ['another body', body.replace('empl_', 'empr_'), sent()],
  ['the same body with other formatting', `${body} `, sent()],
  ['another id', body, given({ 'webhook-id': 'wevt_other' })],
  ['another time', body, given({ 'webhook-timestamp': String(now / 1000 + 1) })],
  ['an old message', body, sent([secret], now - 301_000)],
  ['a message from tomorrow', body, sent([secret], now + 301_000)],
  ['an invalid time', body, given({ 'webhook-timestamp': 'now' })],
  ['no headers', body, {}],
  ['no signature', body, given({ 'webhook-signature': undefined })],
  ['an empty signature', body, given({ 'webhook-signature': 'v1,' })],
  ['a part of the signature', body, given({ 'webhook-signature': `v1,${signature!.slice(0, 8)}` })],
  ['a signature that is not base64', body, given({ 'webhook-signature': 'v1,§§§' })],
  ['a signature of another kind', body, given({ 'webhook-signature': `v2,${signature}` })],
] as const)('is refused with %s', async (_, content, headers) => {
  await expect(verifyWebhook(content, headers, secret)).rejects.toThrow(WebhookVerificationError)
})

it('accepts messages up to the given age', async () => {
  const old = sent([secret], now - 3_000_000)
  expect(await verifyWebhook(body, old, secret, { tolerance: 3600 })).toMatchObject({ type: 'employee.created' })
})

it('reports an invalid secret as a mistake of the caller and not as a forged message', async () => {
  await expect(verifyWebhook(body, sent(), '')).rejects.toThrow(TypeError)
  await expect(verifyWebhook(body, sent(), 'whsec_§')).rejects.toThrow(TypeError)
})

it('has a type that identifies its event', async () => {
  const ob = new OpenBenefits({ apiKey: 'k' })
  const event = await ob.webhooks.verify(body, sent(), secret)
  if (event.type === 'employee.created') expectTypeOf(event.data.resource_type).toEqualTypeOf<'employee'>()
  if (event.type === 'census_sync.completed') expectTypeOf(event.data.resource_type).toEqualTypeOf<'census_sync'>()
  expectTypeOf<'invoice.issued'>().toExtend<VerifiedEvent['type']>()
  expectTypeOf<'employee.vanished'>().not.toExtend<VerifiedEvent['type']>()
})
