import { describe, expect, it } from 'vitest'
import { scopes } from '../../../runtime/permissions.ts'
import { endOfNewKey, previousSecretExpiry, modeOf, whyNotAnother, whyNotEndAt, whyNotIssueKey } from './rules.ts'

const now = '2026-03-10T12:00:00.000Z'
const later = '2026-06-01T00:00:00.000Z'

describe('a key can create', () => {
  const of_key = { signed_in_at: null }
  const everything = { ...of_key, scopes, expires_at: null }
  const reader = { ...of_key, scopes: ['read', 'keys'] as const, expires_at: null }
  const short = { ...of_key, scopes, expires_at: later }
  const signed_in = { signed_in_at: now, scopes, expires_at: '2026-03-10T12:05:00.000Z' }

  it.each([
    ['keys with all its scopes', everything, everything, undefined],
    ['keys with fewer scopes', everything, reader, undefined],
    ['no keys with more scopes', reader, everything, 'key_exceeds_creator'],
    ['no keys with other scopes', reader, { scopes: ['money'] as const, expires_at: null }, 'key_exceeds_creator'],
    ['keys that expire when it does', short, short, undefined],
    ['keys that expire earlier', short, { scopes, expires_at: now }, undefined],
    ['no keys that expire later', short, { scopes, expires_at: '2026-06-01T00:00:00.001Z' }, 'key_exceeds_creator'],
    ['no keys without an expiry, if it has one', short, everything, 'key_exceeds_creator'],
    ['keys that outlast the session, if the session belongs to a signed-in user', signed_in, everything, undefined],
  ])('%s', (_, maker, wanted, code) => {
    expect(whyNotIssueKey(maker, wanted)?.code).toBe(code)
  })
})

describe('the requested expiry of a key', () => {
  it.each([
    ['is optional', undefined, false],
    ['can be in the future', later, false],
    ['cannot be now', now, true],
    ['cannot be in the past', '2026-03-10T11:59:59.999Z', true],
  ])('%s', (_, expires_at, refused) => {
    expect(whyNotEndAt(expires_at, now) !== undefined).toBe(refused)
  })
})

describe('the expiry of a new key', () => {
  const by_key = { signed_in_at: null, scopes, expires_at: null }
  const signed_in = { ...by_key, signed_in_at: now }
  it.each([
    ['is null by default for a key created by a key', by_key, undefined, null],
    ['is as requested for a key created by a key', by_key, later, later],
    [
      'is 90 days ahead by default for a key created by a signed-in user',
      signed_in,
      undefined,
      '2026-06-08T12:00:00.000Z',
    ],
    ['is as requested for a key created by a signed-in user', signed_in, later, later],
    [
      'is at most 366 days ahead for a key created by a signed-in user',
      signed_in,
      '2027-03-11T12:00:00.000Z',
      '2027-03-11T12:00:00.000Z',
    ],
  ])('%s', (_, maker, requested, ends) => {
    expect(endOfNewKey(maker, requested, now)).toBe(ends)
  })

  it('is refused in the past, and beyond 366 days for signed-in users', () => {
    for (const [maker, requested] of [
      [signed_in, '2027-03-11T12:00:00.001Z'],
      [signed_in, now],
      [by_key, now],
    ] as const)
      expect(endOfNewKey(maker, requested, now)).toMatchObject({ details: [{ field: 'expires_at' }] })
  })
})

it('an organization has at most 200 unrevoked keys', () => {
  expect([whyNotAnother(199)?.code, whyNotAnother(200)?.code]).toEqual([undefined, 'too_many_api_keys'])
})

it('the previous secret stays valid for the hours of the overlap, and not at all without one', () => {
  expect(previousSecretExpiry(now, 24)).toBe('2026-03-11T12:00:00.000Z')
  expect(previousSecretExpiry(now, 0)).toBeNull()
})

it('sandboxes have test keys, and all other organizations have live keys', () => {
  expect([modeOf({ sandbox: true }), modeOf({ sandbox: false })]).toEqual(['test', 'live'])
})
