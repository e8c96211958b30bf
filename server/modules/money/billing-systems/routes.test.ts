import { expect, it } from 'vitest'
import { useApi } from '../../../test/harness.ts'
import { codeOf } from '../../../test/response.ts'
import { whyNotCollect } from './rules.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
const path = () => `/operator/v1/organizations/${api.story.organization_id}/billing-system` as const
const settings = async () => (await api.get(path(), operator())).body.data

it('is built-in by default, and never shows a secret', async () => {
  expect(await settings()).toEqual({
    organization_id: api.story.organization_id,
    billing_system: 'built_in',
    configured: true,
    stripe_secret_key_set: false,
    stripe_webhook_secret_set: false,
    updated_at: null,
  })
  const without = await api.put(path(), { billing_system: 'stripe' }, operator())
  expect(codeOf(without)).toEqual([422, 'stripe_secret_key_missing'])
  const chosen = await api.put(
    path(),
    { billing_system: 'stripe', stripe_secret_key: 'sk_test_0123456789' },
    operator(),
  )
  expect(chosen.body.data).toMatchObject({ billing_system: 'stripe', configured: false, stripe_secret_key_set: true })
  await api.put(path(), { billing_system: 'stripe', stripe_webhook_secret: 'whsec_0123456789' }, operator())
  expect(await settings()).toMatchObject({ configured: true, stripe_webhook_secret_set: true })
  expect(JSON.stringify(await settings())).not.toMatch(/0123456789/)
  const { rows } = await api.database.pool.query(
    'select stripe_secret_key_sealed, stripe_webhook_secret_sealed from billing_systems',
  )
  expect(api.runtime.secrets.decrypt(rows[0].stripe_secret_key_sealed)).toBe('sk_test_0123456789')
  expect(api.runtime.secrets.decrypt(rows[0].stripe_webhook_secret_sealed)).toBe('whsec_0123456789')
})

it('keeps the keys for existing invoices when new ones are collected elsewhere', async () => {
  await api.put(path(), { billing_system: 'built_in' }, operator())
  expect(await settings()).toMatchObject({ billing_system: 'built_in', configured: true, stripe_secret_key_set: true })
})

it('refuses malformed Stripe keys, naming the field', async () => {
  const keys = [
    'nonsense',
    'pk_live_0123',
    'sk_0123',
    'sk_live_',
    'whsec_0123',
    'sk_test_ключ',
    'sk_test_a b',
    'sk_test_“0”',
  ]
  const secrets = ['nonsense', 'sk_test_0123', 'whsec_', 'whsec_a b']
  const wrong = [
    ...keys.map((value) => ['stripe_secret_key', value] as const),
    ...secrets.map((value) => ['stripe_webhook_secret', value] as const),
  ]
  for (const [field, value] of wrong) {
    const answer = await api.put(path(), { billing_system: 'built_in', [field]: value }, operator())
    expect(codeOf(answer), value).toEqual([400, 'invalid_request'])
    expect(answer.error.details).toMatchObject([{ field }])
  }
  for (const stripe_secret_key of ['sk_live_51Nx', 'rk_live_51Nx', 'sk_test_51Nx', 'rk_test_51Nx']) {
    const answer = await api.put(path(), { billing_system: 'built_in', stripe_secret_key }, operator())
    expect(answer.status, stripe_secret_key).toBe(200)
  }
})

it('requires a Stripe secret key before Stripe collects', () => {
  expect(whyNotCollect('stripe', false)?.code).toBe('stripe_secret_key_missing')
  expect(whyNotCollect('stripe', true)).toBeUndefined()
  expect(whyNotCollect('built_in', false)).toBeUndefined()
})
