import { describe, expect, it } from 'vitest'
import { scopes } from '../../platform/permissions.ts'
import { formerSecretEnds, modeOf, whyNotEndAt, whyNotMake } from './rules.ts'

const now = '2026-03-10T12:00:00.000Z'
const later = '2026-06-01T00:00:00.000Z'

describe('a key makes keys', () => {
  const everything = { scopes, expires_at: null }
  const reader = { scopes: ['read', 'keys'] as const, expires_at: null }
  const short = { scopes, expires_at: later }

  it.each([
    ['of all that it may', everything, everything, undefined],
    ['of less', everything, reader, undefined],
    ['of no more', reader, everything, 'key_beyond_its_maker'],
    ['of nothing else', reader, { scopes: ['money'] as const, expires_at: null }, 'key_beyond_its_maker'],
    ['that end when it does', short, short, undefined],
    ['that end sooner', short, { scopes, expires_at: now }, undefined],
    ['that end no later', short, { scopes, expires_at: '2026-06-01T00:00:00.001Z' }, 'key_beyond_its_maker'],
    ['that have an end when it has one', short, everything, 'key_beyond_its_maker'],
  ])('%s', (_, maker, wanted, code) => {
    expect(whyNotMake(maker, wanted)?.code).toBe(code)
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

it('the former secret opens for the hours of the overlap, or no longer', () => {
  expect(formerSecretEnds(now, 24)).toBe('2026-03-11T12:00:00.000Z')
  expect(formerSecretEnds(now, 0)).toBeNull()
})

it('the keys of a sandbox are test keys, and those of others live', () => {
  expect([modeOf({ sandbox: true }), modeOf({ sandbox: false })]).toEqual(['test', 'live'])
})
