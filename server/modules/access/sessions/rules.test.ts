import { describe, expect, it } from 'vitest'
import { generic } from '../../../kernel/refusal.ts'
import {
  actingAs,
  isAlive,
  isUseNoted,
  ownPath,
  refusals,
  signedInAt,
  whyNotLetIn,
  whyNotRevoke,
  whyNotSignInAtHost,
  type Places,
} from './rules.ts'

const alive = { last_used_at: '2026-03-10T16:00:00.000Z', expires_at: '2026-03-11T04:00:00.000Z', revoked_at: null }

describe('a session', () => {
  it.each([
    ['lives while it is used', alive, '2026-03-10T16:59:59.999Z', true],
    ['ends an hour after its last use', alive, '2026-03-10T17:00:00.000Z', false],
    ['ends when it ends, however it is used', { ...alive, last_used_at: alive.expires_at }, alive.expires_at, false],
    ['ends when it is revoked', { ...alive, revoked_at: alive.last_used_at }, alive.last_used_at, false],
  ])('%s', (_, session, now, lives) => expect(isAlive(session, now)).toBe(lives))

  it('is noted as used once a minute', () => {
    expect(isUseNoted(alive, '2026-03-10T16:00:59.999Z')).toBe(false)
    expect(isUseNoted(alive, '2026-03-10T16:01:00.000Z')).toBe(true)
  })

  const theirs = { user_id: 'usr_m', is_operators: false }
  const operators = { user_id: 'usr_p', is_operators: true }
  it.each([
    ['its own operator', { user_id: 'usr_p', operator_role: 'support' }, operators, true],
    ['an owner', { user_id: 'usr_o', operator_role: 'owner' }, operators, true],
    ['operations, of a member', { user_id: 'usr_o', operator_role: 'operations' }, theirs, true],
    ['operations, of an operator', { user_id: 'usr_o', operator_role: 'operations' }, operators, false],
    ['support, of a member', { user_id: 'usr_o', operator_role: 'support' }, theirs, false],
  ] as const)('is ended by %s', (_, caller, session, may) =>
    expect(whyNotRevoke(caller, session) === undefined).toBe(may),
  )
})

describe('who signs in', () => {
  const now = '2026-03-10T16:00:00.000Z'
  it.each([
    ['now, where the provider tells nothing', null, now],
    ['when they proved who they are, where it does', '2026-03-10T15:10:00.000Z', '2026-03-10T15:10:00.000Z'],
    ['now, where its clock is ahead', '2026-03-10T16:00:05.000Z', now],
  ])('did so %s', (_, told, at) => expect(signedInAt(told, now)).toBe(at))

  it.each([
    ['with any address where no domain is named', null, [], true],
    ['with an address of an allowed domain', 'Ada@Example.com', ['example.com'], true],
    ['not with one of another', 'ada@example.com.evil.example', ['example.com'], false],
    ['not without a verified one', null, ['example.com'], false],
  ])('%s', (_, email, domains, may) => expect(whyNotLetIn(email, domains) === undefined).toBe(may))

  it.each([
    ['/docs/', '/docs/'],
    ['/operator/docs/', '/operator/docs/'],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['https://evil.example', null],
    ['/console/employers?stage=renewal&search=maple+row%20b', '/console/employers?stage=renewal&search=maple+row%20b'],
    ['/docs?to=//evil.example', null],
    ['/docs?a\r\nb', null],
    ['', null],
    [null, null],
  ])('is led to a path of our own alone: %s', (asked, path) => expect(ownPath(asked)).toBe(path))

  it.each([
    ['localhost', null, undefined],
    ['sandbox.localhost', null, undefined],
    ['127.0.0.1', null, undefined],
    ['[::1]', null, undefined],
    ['10.0.0.7', null, undefined],
    ['evil.example', null, refusals.unknown_host],
    ['localhost.evil.example', null, refusals.unknown_host],
    ['127.0.0.1.evil.example', 'https://demo.example.com', refusals.unknown_host],
    ['demo.example.com', 'https://demo.example.com/app', undefined],
  ])('of a sandbox begins at a host that cannot be rebound: %s with PUBLIC_URL %s', (hostname, public_url, why) =>
    expect(whyNotSignInAtHost(hostname, public_url)).toBe(why),
  )

  const user = { id: 'usr_a', name: 'Ada' }
  const nobody: Places = { user, operator_role: null, organizations: [] }
  const both: Places = {
    user,
    operator_role: 'billing',
    organizations: [{ id: 'org_a', name: 'A', role: 'SALES' }],
  }
  it.each([
    ['as a member', both, 'org_a', { organization_id: 'org_a', role: 'SALES' }],
    ['as an operator', both, 'operator', { organization_id: null, role: 'billing' }],
    ['as a member unless said', both, null, { organization_id: 'org_a', role: 'SALES' }],
    [
      'as an operator who is no member',
      { ...both, organizations: [] },
      null,
      { organization_id: null, role: 'billing' },
    ],
    ['not as a member of another organization', both, 'org_b', generic.forbidden],
    ['not as an operator who is none', nobody, 'operator', generic.forbidden],
    ['not as anything who is nothing', nobody, null, refusals.belongs_nowhere],
  ])('acts %s', (_, places, said, acting) => expect(actingAs(places, said)).toEqual(acting))
})
