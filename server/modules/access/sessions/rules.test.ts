import { describe, expect, it } from 'vitest'
import { generic } from '../../../kernel/refusal.ts'
import {
  actingAs,
  isSessionAlive,
  isUseNoted,
  ownPath,
  refusals,
  signedInAt,
  whyNotSignIn,
  whyNotRevoke,
  whyNotSignInAtHost,
  type GrantedRoles,
} from './rules.ts'

const alive = { last_used_at: '2026-03-10T16:00:00.000Z', expires_at: '2026-03-11T04:00:00.000Z', revoked_at: null }

describe('a session', () => {
  it.each([
    ['is alive while it is used', alive, '2026-03-10T16:59:59.999Z', true],
    ['ends an hour after its last use', alive, '2026-03-10T17:00:00.000Z', false],
    ['ends at its expiry even if it is used', { ...alive, last_used_at: alive.expires_at }, alive.expires_at, false],
    ['ends when it is revoked', { ...alive, revoked_at: alive.last_used_at }, alive.last_used_at, false],
  ])('%s', (_, session, now, lives) => expect(isSessionAlive(session, now)).toBe(lives))

  it('records its use once a minute', () => {
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
  ] as const)('can be ended only by those allowed: %s', (_, caller, session, may) =>
    expect(whyNotRevoke(caller, session) === undefined).toBe(may),
  )
})

describe('sign-in', () => {
  const now = '2026-03-10T16:00:00.000Z'
  it.each([
    ['is now if the provider reports no time', null, now],
    ['is when the provider authenticated the user', '2026-03-10T15:10:00.000Z', '2026-03-10T15:10:00.000Z'],
    ["is now if the provider's clock is ahead", '2026-03-10T16:00:05.000Z', now],
  ])('records its time: it %s', (_, reported, at) => expect(signedInAt(reported, now)).toBe(at))

  it.each([
    ['is allowed with any address if no domains are set', null, [], true],
    ['is allowed with an address of an allowed domain', 'Ada@Example.com', ['example.com'], true],
    ['is refused with an address of another domain', 'ada@example.com.evil.example', ['example.com'], false],
    ['is refused without a verified address', null, ['example.com'], false],
  ])('%s', (_, email, domains, may) => expect(whyNotSignIn(email, domains) === undefined).toBe(may))

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
  ])('redirects only to a path of this installation: %s', (requested, path) => expect(ownPath(requested)).toBe(path))

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
  ])('of a sandbox requires a host that cannot be rebound: %s with PUBLIC_URL %s', (hostname, public_url, why) =>
    expect(whyNotSignInAtHost(hostname, public_url)).toBe(why),
  )

  const user = { id: 'usr_a', name: 'Ada' }
  const no_one: GrantedRoles = { user, operator_role: null, organizations: [], today: '2026-03-10', latest_today: null }
  const both: GrantedRoles = {
    ...no_one,
    operator_role: 'billing',
    organizations: [{ id: 'org_a', name: 'A', role: 'SALES', today: '2026-03-10' }],
  }
  it.each([
    ['as a member', both, 'org_a', { organization_id: 'org_a', role: 'SALES' }],
    ['as an operator', both, 'operator', { organization_id: null, role: 'billing' }],
    ['as a member by default', both, null, { organization_id: 'org_a', role: 'SALES' }],
    [
      'as an operator without memberships by default',
      { ...both, organizations: [] },
      null,
      { organization_id: null, role: 'billing' },
    ],
    ['not as a member of another organization', both, 'org_b', generic.forbidden],
    ['not as an operator without that role', no_one, 'operator', generic.forbidden],
    ['not at all without any role', no_one, null, refusals.belongs_nowhere],
  ])('lets the user act %s', (_, access, requested_role, acting) =>
    expect(actingAs(access, requested_role)).toEqual(acting),
  )
})
