import { expect, it } from 'vitest'
import { credentialOf, differences, openPlans, plan_lifetime } from '../src/mcp/plans.ts'

const plan = { tool: 'plan_waiver', input: { reason: 'none' }, basis: { status: 'pending' } }

it('returns a plan once, to its own credential, within ten minutes', () => {
  let now = Date.parse('2026-03-10T16:00:00Z')
  const plans = openPlans(() => now)
  const { plan_id, expires_at } = plans.keep(plan, 'ours')
  expect(expires_at).toBe('2026-03-10T16:10:00.000Z')
  expect(plans.take(plan_id, 'theirs')).toBeUndefined()
  now += plan_lifetime - 1
  expect(plans.take(plan_id, 'ours')).toEqual(plan)
  expect(plans.take(plan_id, 'ours')).toBeUndefined()
  const late = plans.keep(plan, 'ours').plan_id
  now += plan_lifetime
  expect(plans.take(late, 'ours')).toBeUndefined()
  expect(plans.take('plan_unknown', 'ours')).toBeUndefined()
})

it('evicts the oldest plan of a credential that has too many, and no plan of other credentials', () => {
  const plans = openPlans(() => 0)
  const other = plans.keep(plan, 'theirs').plan_id
  const ids = Array.from({ length: 21 }, () => plans.keep(plan, 'ours').plan_id)
  expect(plans.take(ids[0]!, 'ours')).toBeUndefined()
  expect(plans.take(ids[1]!, 'ours')).toEqual(plan)
  expect(plans.take(other, 'theirs')).toEqual(plan)
})

it.each([
  ['another key', { api_key: 'b' }],
  ['another service', { url: 'https://b.example' }],
  ['another organization', { organization: 'org_b' }],
])('never shares plans between credentials: %s', (_, other) => {
  const profile = { url: 'https://a.example', api_key: 'a' }
  expect(credentialOf({ ...profile, ...other })).not.toBe(credentialOf(profile))
  expect(credentialOf({ ...profile })).toBe(credentialOf(profile))
})

it.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2, b: null }, ['a 1 2']],
  [{ a: { b: 'x', c: 'y' } }, { a: { b: 'x', c: 'z' } }, ['a.c "y" "z"']],
  [{ a: [1] }, { a: [2] }, ['a [1] [2]']],
  [{ a: 1 }, {}, ['a 1 null']],
  [{ a: null }, { a: { b: 1 } }, ['a null {"b":1}']],
])('%j and %j differ in %j', (before, after, fields) => {
  const found = differences(before, after).map(({ field, before: was, after: is }) =>
    [field, JSON.stringify(was), JSON.stringify(is)].join(' '),
  )
  expect(found).toEqual(fields)
})
