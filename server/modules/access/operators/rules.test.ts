import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  endOfKey,
  isOperatorKey,
  newOperatorKey,
  refusals,
  whyNotBootstrap,
  whyNotHandleKeys,
  whyNotRemoveOwner,
} from './rules.ts'

const now = '2026-03-10T16:00:00.000Z'
const any_person = { user_id: 'usr_a', operator_role: 'support' } as const
const owner = { user_id: 'usr_o', operator_role: 'owner' } as const

describe('an operator key', () => {
  it('is recognized by its form, and a typo by its checksum', () => {
    const key = newOperatorKey()
    expect(key).toMatch(/^obop_[0-9A-Za-z]{39}$/)
    expect(isOperatorKey(key)).toBe(true)
    expect(isOperatorKey(key.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(false)
    expect(isOperatorKey(key.replace('obop_', 'obk_live_'))).toBe(false)
  })

  it.each([
    ['after 90 days by default', undefined, '2026-06-08T16:00:00.000Z'],
    ['after 90 days for null', null, '2026-06-08T16:00:00.000Z'],
    ['at the requested instant', '2026-03-11T00:00:00+01:00', '2026-03-10T23:00:00.000Z'],
    ['after 366 days at most', '2027-03-11T16:00:00.000Z', '2027-03-11T16:00:00.000Z'],
  ])('expires %s', (_, requested, ends) => expect(endOfKey(requested, now)).toBe(ends))

  it.each([
    ['in the past', now],
    ['more than 366 days ahead', '2027-03-11T16:00:00.001Z'],
  ])('cannot expire %s', (_, requested) => {
    expect(endOfKey(requested, now)).toBeInstanceOf(Refusal)
  })

  it.each([
    ['operators can manage their own', any_person, 'usr_a', undefined],
    ['operators cannot manage those of others', any_person, 'usr_b', 'forbidden'],
    ['owners can manage all', owner, 'usr_a', undefined],
  ] as const)('has limited managers: %s', (_, caller, operator_id, code) => {
    expect(whyNotHandleKeys(caller, operator_id)?.code).toBe(code)
  })
})

describe('the installation', () => {
  it.each([
    ['the last owner cannot step down', ['usr_o'], 'usr_o', refusals.last_owner],
    ['one of two owners can step down', ['usr_o', 'usr_p'], 'usr_o', undefined],
    ['an operator who is not an owner can leave', ['usr_o'], 'usr_a', undefined],
  ])('always has an owner: %s', (_, owners, operator_id, why) => {
    expect(whyNotRemoveOwner(owners, operator_id)).toBe(why)
  })

  it('accepts the bootstrap key only for its first owner', () => {
    expect(whyNotBootstrap('owner', false)).toBe(undefined)
    expect(whyNotBootstrap('owner', true)).toBe(refusals.owner_exists)
    expect(whyNotBootstrap('support', false)).toBeInstanceOf(Refusal)
  })
})
