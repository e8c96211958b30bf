import { expect, it } from 'vitest'
import { floodings, openFlood, type Flood, type Flooding } from '../../test/flood.ts'
import { keycloak_settings } from '../../test/fakes/keycloak.ts'
import { unboundedIn } from './bounded.ts'
import { finch } from '../payroll/finch.ts'
import { HrisError } from '../payroll/provider.ts'
import { keycloak } from '../identity/keycloak.ts'
import { stripeAt } from '../stripe/stripe.ts'

const timeout_ms = 2000
const call = { connection_id: '', run_id: '', attempt: 1, today: '2026-03-10', access_token: 'token', settings: {} }

/** The systems of others that we ask, each through its own SDK. */
const systems: Record<string, (url: string) => Promise<unknown>> = {
  payroll: (url) => finch({ url, timeout_ms, retries: 0 }).fetch(call),
  identity: (url) => keycloak({ ...keycloak_settings, url, timeout_ms }).mirror({ id: 'org_1', name: 'Harbor' }),
  billing: async (url) => (await stripeAt({ url, timeout_ms }).account('sk_test_of_nobody')).readInvoice('in_1'),
}

const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => new Error('it was read'),
    (error: Error) => error,
  )

async function ask(flood: Flood, mood: Flooding, system: string): Promise<Error> {
  Object.assign(flood, { mood, requests: [], sent: 0 })
  return failureOf(systems[system]!(flood.url))
}

/** Those that send a little at a time, for as long as they are let, are waited for all at once. */
const [drips, floods] = [
  floodings.filter((mood) => mood === 'dripping'),
  floodings.filter((mood) => mood !== 'dripping'),
]
const each = (moods: readonly Flooding[]) =>
  Object.keys(systems).flatMap((system) => moods.map((mood) => [system, mood] as const))

async function readsWithinBounds(system: string, mood: Flooding): Promise<void> {
  const other = await openFlood()
  const flood = await openFlood({ grants: true })
  flood.elsewhere = other.url
  const error = await ask(flood, mood, system)
  // Stripe's SDK says nothing of a body that breaks off, and the time-out may have been that of another.
  const unsaid = mood === 'dripping' || (system === 'billing' && mood === 'endless')
  if (system !== 'payroll' && !unsaid)
    expect(unboundedIn(error) ?? unboundedIn((error as { detail?: unknown }).detail)).toBeDefined()
  // What was sent lies in the buffers of two sockets besides.
  expect(flood.sent).toBeLessThan(64 * 1024 * 1024)
  expect(other.requests).toEqual([])
  expect(flood.requests.filter((path) => path.includes('again'))).toEqual([])
  if (system !== 'payroll') return
  expect(error).toBeInstanceOf(HrisError)
  const said = {
    endless: '8 MiB',
    compressed: '8 MiB',
    dripping: 'in time',
    elsewhere: 'FINCH_URL',
    around: 'FINCH_URL',
  }
  expect(error.message).toContain(said[mood])
}

async function readsTokenWithinBounds(mood: Flooding): Promise<void> {
  const other = await openFlood()
  const flood = await openFlood()
  flood.elsewhere = other.url
  const error = await ask(flood, mood, 'identity')
  if (mood !== 'dripping') expect(unboundedIn(error)).toBeDefined()
  expect(flood.sent).toBeLessThan(16 * 1024 * 1024)
  expect([other.requests, flood.requests.length]).toEqual([[], 1])
}

it.each(each(floods))('what a system of %s sends is read within bounds when it is %s', readsWithinBounds)
it.each(floods)('so is the token of a system of identity that is %s', readsTokenWithinBounds)
it.concurrent.each(each(drips))('so is what a system of %s sends when it is %s', readsWithinBounds)
it.concurrent.each(drips)('so is its token when it is %s', readsTokenWithinBounds)
