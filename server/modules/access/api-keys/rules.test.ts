import { describe, expect, it } from 'vitest'
import { scopes } from '../../../runtime/permissions.ts'
import { endOfNewKey, formerSecretEnds, modeOf, whyNotAnother, whyNotEndAt, whyNotHold } from './rules.ts'

const now = '2026-03-10T12:00:00.000Z'
const later = '2026-06-01T00:00:00.000Z'

describe('a key makes keys', () => {
  const of_key = { signed_in_at: null }
  const everything = { ...of_key, scopes, expires_at: null }
  const reader = { ...of_key, scopes: ['read', 'keys'] as const, expires_at: null }
  const short = { ...of_key, scopes, expires_at: later }
  const signed_in = { signed_in_at: now, scopes, expires_at: '2026-03-10T12:05:00.000Z' }

  it.each([
    ['of all that it may', everything, everything, undefined],
    ['of less', everything, reader, undefined],
    ['of no more', reader, everything, 'key_beyond_its_maker'],
    ['of nothing else', reader, { scopes: ['money'] as const, expires_at: null }, 'key_beyond_its_maker'],
    ['that end when it does', short, short, undefined],
    ['that end sooner', short, { scopes, expires_at: now }, undefined],
    ['that end no later', short, { scopes, expires_at: '2026-06-01T00:00:00.001Z' }, 'key_beyond_its_maker'],
    ['that have an end when it has one', short, everything, 'key_beyond_its_maker'],
    ['and so does who is signed in, that outlast the session', signed_in, everything, undefined],
  ])('%s', (_, maker, wanted, code) => {
    expect(whyNotHold(maker, wanted)?.code).toBe(code)
  })
})

describe('the end of a key', () => {
  it.each([
    ['may be left out', undefined, false],
    ['lies ahead', later, false],
    ['is not now', now, true],
    ['is not past', '2026-03-10T11:59:59.999Z', true],
  ])('%s', (_, expires_at, refused) => {
    expect(whyNotEndAt(expires_at, now) !== undefined).toBe(refused)
  })
})

describe('the end of a new key', () => {
  const by_key = { signed_in_at: null, scopes, expires_at: null }
  const signed_in = { ...by_key, signed_in_at: now }
  it.each([
    ['is none when a key makes it and none is asked for', by_key, undefined, null],
    ['is as asked', by_key, later, later],
    ['is after 90 days when somebody makes it who is signed in', signed_in, undefined, '2026-06-08T12:00:00.000Z'],
    ['is as asked then too', signed_in, later, later],
    ['is after 366 days then at the latest', signed_in, '2027-03-11T12:00:00.000Z', '2027-03-11T12:00:00.000Z'],
  ])('%s', (_, maker, asked, ends) => {
    expect(endOfNewKey(maker, asked, now)).toBe(ends)
  })

  it('is refused beyond 366 days of whoever is signed in, and where it has come already', () => {
    for (const [maker, asked] of [
      [signed_in, '2027-03-11T12:00:00.001Z'],
      [signed_in, now],
      [by_key, now],
    ] as const)
      expect(endOfNewKey(maker, asked, now)).toMatchObject({ details: [{ field: 'expires_at' }] })
  })
})

it('an organization has 200 keys that are not revoked at most', () => {
  expect([whyNotAnother(199)?.code, whyNotAnother(200)?.code]).toEqual([undefined, 'too_many_api_keys'])
})

it('the former secret opens for the hours of the overlap, or no longer', () => {
  expect(formerSecretEnds(now, 24)).toBe('2026-03-11T12:00:00.000Z')
  expect(formerSecretEnds(now, 0)).toBeNull()
})

it('the keys of a sandbox are test keys, and those of others live', () => {
  expect([modeOf({ sandbox: true }), modeOf({ sandbox: false })]).toEqual(['test', 'live'])
})
