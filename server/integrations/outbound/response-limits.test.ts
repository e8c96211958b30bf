import { expect, it } from 'vitest'
import {
  misbehaviors,
  openMisbehavingServer,
  type MisbehavingServer,
  type Misbehavior,
} from '../../test/fakes/misbehaving-server.ts'
import { keycloak_settings } from '../../test/fakes/keycloak.ts'
import { unboundedIn } from './response-limits.ts'
import { finch } from '../payroll/finch.ts'
import { HrisError } from '../payroll/provider.ts'
import { keycloak } from '../identity/keycloak.ts'
import { stripeAt } from '../stripe/stripe.ts'

const timeout_ms = 2000
const call = { connection_id: '', run_id: '', attempt: 1, today: '2026-03-10', access_token: 'token', settings: {} }

/** The outside systems, each through its own SDK. */
const systems: Record<string, (url: string) => Promise<unknown>> = {
  payroll: (url) => finch({ url, timeout_ms, retries: 0 }).fetch(call),
  identity: (url) => keycloak({ ...keycloak_settings, url, timeout_ms }).mirror({ id: 'org_1', name: 'Harbor' }),
  billing: async (url) => (await stripeAt({ url, timeout_ms }).account('sk_test_of_no_one')).readInvoice('in_1'),
}

const failureOf = (requested: Promise<unknown>): Promise<Error> =>
  requested.then(
    () => new Error('it was read'),
    (error: Error) => error,
  )

async function send(flood: MisbehavingServer, behavior: Misbehavior, system: string): Promise<Error> {
  Object.assign(flood, { behavior, requests: [], sent: 0 })
  return failureOf(systems[system]!(flood.url))
}

/** Servers that send a little at a time are tested concurrently, because each one uses its whole time limit. */
const [drips, floods] = [
  misbehaviors.filter((behavior) => behavior === 'dripping'),
  misbehaviors.filter((behavior) => behavior !== 'dripping'),
]
const each = (moods: readonly Misbehavior[]) =>
  Object.keys(systems).flatMap((system) => moods.map((behavior) => [system, behavior] as const))

async function readsWithinBounds(system: string, behavior: Misbehavior): Promise<void> {
  const other = await openMisbehavingServer()
  const flood = await openMisbehavingServer({ grants: true })
  flood.elsewhere = other.url
  const error = await send(flood, behavior, system)
  // Stripe's SDK does not report a body that breaks off, and the timeout may belong to another request.
  const omitted = behavior === 'dripping' || (system === 'billing' && behavior === 'endless')
  if (system !== 'payroll' && !omitted)
    expect(unboundedIn(error) ?? unboundedIn((error as { detail?: unknown }).detail)).toBeDefined()
  // Two sockets buffer the rest.
  expect(flood.sent).toBeLessThan(64 * 1024 * 1024)
  expect(other.requests).toEqual([])
  expect(flood.requests.filter((path) => path.includes('again'))).toEqual([])
  if (system !== 'payroll') return
  expect(error).toBeInstanceOf(HrisError)
  const input = {
    endless: '8 MiB',
    compressed: '8 MiB',
    dripping: 'in time',
    elsewhere: 'FINCH_URL',
    around: 'FINCH_URL',
  }
  expect(error.message).toContain(input[behavior])
}

async function readsTokenWithinBounds(behavior: Misbehavior): Promise<void> {
  const other = await openMisbehavingServer()
  const flood = await openMisbehavingServer()
  flood.elsewhere = other.url
  const error = await send(flood, behavior, 'identity')
  if (behavior !== 'dripping') expect(unboundedIn(error)).toBeDefined()
  expect(flood.sent).toBeLessThan(16 * 1024 * 1024)
  expect([other.requests, flood.requests.length]).toEqual([[], 1])
}

it.each(each(floods))('reads the response of %s within limits when it is %s', readsWithinBounds)
it.each(floods)('reads the token of an identity provider within limits when it is %s', readsTokenWithinBounds)
it.concurrent.each(each(drips))('reads the slow response of %s within limits when it is %s', readsWithinBounds)
it.concurrent.each(drips)('reads the slow token of an identity provider within limits: %s', readsTokenWithinBounds)
