import { expect, it } from 'vitest'
import { whyNotCollect } from './rules.ts'

it('requires a Stripe secret key before Stripe collects', () => {
  expect(whyNotCollect('stripe', false)?.code).toBe('stripe_secret_key_missing')
  expect(whyNotCollect('stripe', true)).toBeUndefined()
  expect(whyNotCollect('built_in', false)).toBeUndefined()
})
