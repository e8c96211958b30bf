import { expect, it } from 'vitest'
import { whyNotCollect } from './rules.ts'

it('asks for a secret key of Stripe before it collects there', () => {
  expect(whyNotCollect('stripe', false)?.code).toBe('stripe_secret_key_missing')
  expect(whyNotCollect('stripe', true)).toBeUndefined()
  expect(whyNotCollect('built_in', false)).toBeUndefined()
})
