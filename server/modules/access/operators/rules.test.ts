import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  endOfKey,
  isOperatorKey,
  newOperatorKey,
  refusals,
  whyNotBootstrap,
  whyNotHandleKeys,
  whyNotStepDown,
} from './rules.ts'

const now = '2026-03-10T16:00:00.000Z'
const anybody = { user_id: 'usr_a', operator_role: 'support' } as const
const owner = { user_id: 'usr_o', operator_role: 'owner' } as const

describe('an operator key', () => {
  it('is known by its form, and a typo by its checksum', () => {
    const key = newOperatorKey()
    expect(key).toMatch(/^obop_[0-9A-Za-z]{39}$/)
    expect(isOperatorKey(key)).toBe(true)
    expect(isOperatorKey(key.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(false)
    expect(isOperatorKey(key.replace('obop_', 'obk_live_'))).toBe(false)
  })

  it.each([
    ['after 90 days unless said', undefined, '2026-06-08T16:00:00.000Z'],
    ['after 90 days for null', null, '2026-06-08T16:00:00.000Z'],
    ['when it is said', '2026-03-11T00:00:00+01:00', '2026-03-10T23:00:00.000Z'],
    ['after 366 days at the latest', '2027-03-11T16:00:00.000Z', '2027-03-11T16:00:00.000Z'],
  ])('ends %s', (_, asked, ends) => expect(endOfKey(asked, now)).toBe(ends))

  it.each([
    ['that is over', now],
    ['more than 366 days off', '2027-03-11T16:00:00.001Z'],
  ])('takes no end %s', (_, asked) => {
    expect(endOfKey(asked, now)).toBeInstanceOf(Refusal)
  })

  it.each([
    ['their own', anybody, 'usr_a', undefined],
    ["nobody else's", anybody, 'usr_b', 'forbidden'],
    ["an owner's are all", owner, 'usr_a', undefined],
  ] as const)('is handled by whose it is: %s', (_, caller, operator_id, code) => {
    expect(whyNotHandleKeys(caller, operator_id)?.code).toBe(code)
  })
})

describe('the installation', () => {
  it.each([
    ['the last owner stays', ['usr_o'], 'usr_o', refusals.last_owner],
    ['one of two may go', ['usr_o', 'usr_p'], 'usr_o', undefined],
    ['who is no owner may go', ['usr_o'], 'usr_a', undefined],
  ])('is always owned: %s', (_, owners, operator_id, why) => {
    expect(whyNotStepDown(owners, operator_id)).toBe(why)
  })

  it('gets its first owner, and nobody else, by the bootstrap key', () => {
    expect(whyNotBootstrap('owner', false)).toBe(undefined)
    expect(whyNotBootstrap('owner', true)).toBe(refusals.owner_exists)
    expect(whyNotBootstrap('support', false)).toBeInstanceOf(Refusal)
  })
})
