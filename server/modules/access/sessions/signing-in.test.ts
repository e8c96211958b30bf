import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sign_in_provider } from '../../../integrations/sign-in/provider.ts'
import { codeOf } from '../../../test/response.ts'
import { openFakeOpenId, type FakeOpenId } from '../../../test/fakes/openid.ts'
import { signInClient } from '../../../test/clients/sign-in.ts'
import { aMember, aMemberKey } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { Visitor, type VisitedPage } from '../../../test/clients/visitor.ts'
import { endMembership } from '../organizations/actions.ts'

const api = useApi()
const { accessTokenOf } = signInClient(api)
let openid: FakeOpenId

const accounts = [
  { id: 'pia', email: 'pia@example.com' },
  { id: 'ada', email: 'Ada@example.com' },
  { id: 'mallory', email: 'pia@example.com', email_verified: false },
  // The Kelvin sign, whose lowercase form is `k`.
  { id: 'kelvin', email: '\u212aate@example.com' },
  { id: 'stranger', email: 'stranger@elsewhere.example' },
]

beforeAll(async () => {
  openid = await openFakeOpenId(`${api.url}/sign-in/callback`, accounts)
  api.runtime.integrations.set(sign_in_provider, openid.provider())
})
afterAll(() => openid.close())

const operator = () => ({ key: api.operator_key })
const invited_to_operate = { name: 'Max', email: 'max@example.com', role: 'owner' }

async function inviteOperator(role: string, email = 'pia@example.com', name = 'Pia Lund') {
  const answer = await api.post('/operator/v1/operator-invitations', { name, email, role }, operator())
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** Opens an invitation and signs in as one of the accounts. */
async function accept(
  url: string,
  account: string,
  visitor = new Visitor(),
): Promise<{ seen: VisitedPage; visitor: Visitor }> {
  const invited = await visitor.visit(url)
  const requested = await visitor.follow(invited, 'Sign in and accept')
  return { seen: await visitor.press(requested, `Be ${account}`), visitor }
}

describe('signing in with OpenID Connect', () => {
  it('makes an invited user an operator, who then signs in without an invitation', async () => {
    const { url, ...invitation } = await inviteOperator('operations')
    expect(invitation).toMatchObject({ status: 'pending', role: 'operations', email: 'pia@example.com' })
    const { seen, visitor } = await accept(url, 'pia')
    expect(new URL(seen.url).pathname).toBe('/console')
    const { body } = await accessTokenOf(visitor)
    expect(body).toMatchObject({
      expires_in: 300,
      role: 'operations',
      organization_id: null,
      user: { name: 'Pia Lund' },
    })
    const made = await api.post('/operator/v1/users', { name: 'X' }, { key: body.access_token })
    expect(made.status).toBe(201)
    const entry = await api.database.reads.row('select user_id from audit_entries where resource_id = $1', [
      made.body.data.id,
    ])
    expect(entry).toEqual({ user_id: body.user.id })

    const again = new Visitor()
    const requested = await again.follow(await again.visit(`${api.url}/sign-in?to=/docs/reference/`), 'Continue')
    const back = await again.press(requested, 'Be pia')
    expect(new URL(back.url).pathname).toBe('/docs/reference/')
    expect((await accessTokenOf(again)).body.user.id).toBe(body.user.id)
    const listed = (await api.get('/operator/v1/operator-invitations', operator())).body.data
    expect(pick(listed, ({ id }) => id === invitation.id)).toMatchObject({
      status: 'accepted',
      accepted_by: body.user.id,
    })
  })

  it('accepts an invitation once, from the invited person, until it expires', async () => {
    const { url } = await inviteOperator('owner', 'ada@example.com', 'Ada')
    expect((await accept(url, 'stranger')).seen.status).toBe(403)
    const { seen, visitor } = await accept(url, 'ada')
    expect([new URL(seen.url).pathname, (await accessTokenOf(visitor)).body.role]).toEqual(['/console', 'owner'])
    expect((await new Visitor().visit(url)).status).toBe(404)

    const taken_back = await inviteOperator('support')
    const withdrawn = await api.call('DELETE', `/operator/v1/operator-invitations/${taken_back.id}`, operator())
    expect([withdrawn.status, withdrawn.body.data.status]).toEqual([200, 'revoked'])
    expect((await new Visitor().visit(taken_back.url)).status).toBe(404)

    const old = await inviteOperator('support')
    api.wait(7 * 86_400_000)
    expect((await new Visitor().visit(old.url)).status).toBe(404)
    expect((await new Visitor().visit(`${api.url}/invitations/operator.${'x'.repeat(43)}`)).status).toBe(404)
    expect((await new Visitor().visit(`${api.url}/invitations/nonsense`)).status).toBe(404)
  })

  it('ignores an address that the provider has not verified', async () => {
    const { url } = await inviteOperator('owner', 'pia@example.com')
    const { seen, visitor } = await accept(url, 'mallory')
    expect(seen.status).toBe(403)
    expect((await accessTokenOf(visitor)).status).toBe(401)
  })

  it('refuses an invitation for an address that only resembles the invited one', async () => {
    const { url } = await inviteOperator('support', 'kate@example.com')
    expect((await accept(url, 'kelvin')).seen.status).toBe(403)
  })

  it('refuses users who were not invited, and users of another domain', async () => {
    const visitor = new Visitor()
    const requested = await visitor.follow(await visitor.visit(`${api.url}/sign-in`), 'Continue')
    const seen = await visitor.press(requested, 'Be stranger')
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('You have not been invited')])
    api.runtime.integrations.set(sign_in_provider, openid.provider(['elsewhere.example']))
    const { url } = await inviteOperator('support', 'pia@example.com')
    expect((await accept(url, 'pia')).seen.status).toBe(403)
    api.runtime.integrations.set(sign_in_provider, openid.provider())
  })

  it('lets an operator who only had keys sign in', async () => {
    const body = { name: 'Vera', email: 'vera@example.com', role: 'billing' }
    const { id } = (await api.post('/operator/v1/operators', body, operator())).body.data
    accounts.push({ id: 'vera', email: 'vera@example.com' })
    const { url } = await inviteOperator('owner', 'vera@example.com')
    const { visitor } = await accept(url, 'vera')
    // The role does not change, because an invitation cannot raise it.
    expect((await accessTokenOf(visitor)).body).toMatchObject({ user: { id }, role: 'billing' })
  })

  it('makes an invited user a member in the invited role and organization only', async () => {
    accounts.push({ id: 'sam', email: 'sam@example.com' })
    const invitation = { name: 'Sam', email: 'sam@example.com', role: 'OPERATIONS' }
    const { url } = (await api.post('/v1/invitations', invitation)).body.data
    const { seen, visitor } = await accept(url, 'sam')
    expect(new URL(seen.url).pathname).toBe('/console')
    const { body } = await accessTokenOf(visitor)
    expect(body).toMatchObject({ organization_id: api.story.organization_id, role: 'OPERATIONS', operator_role: null })
    const mine = await api.get('/v1/organizations', { key: body.access_token })
    expect(mine.body.organizations.map(({ id }) => id)).toEqual([api.story.organization_id])
    expect((await api.get('/v1/invitations')).body.data[0]).toMatchObject({ status: 'accepted' })
    expect((await api.get('/v1/invitations', { key: api.story.rival_api_key })).body.data).toEqual([])
    expect((await accessTokenOf(visitor, 'operator')).status).toBe(403)
    expect((await accessTokenOf(visitor, api.story.rival_organization_id)).status).toBe(403)
    expect((await api.get('/operator/v1/operators', { key: body.access_token })).status).toBe(401)
  })

  it('rejects an invitation whose inviter may no longer invite', async () => {
    const { user_id, key } = await aMember(api, api.story.organization_id, 'ADMIN')
    accounts.push({ id: 'max', email: 'max@example.com' })
    const invited = { name: 'Max', email: 'max@example.com', role: 'ADMIN' }
    const { url, id } = (await api.post('/v1/invitations', invited, { key })).body.data
    expect((await new Visitor().visit(url)).status).toBe(200)
    await api.act((ctx) => endMembership(ctx, api.story.organization_id, user_id))
    expect((await new Visitor().visit(url)).status).toBe(404)
    const listed = pick((await api.get('/v1/invitations')).body.data, (each) => each.id === id)
    expect(listed).toMatchObject({ status: 'revoked', revoked_at: null })

    const boss = { name: 'Otto', email: 'otto@example.com', role: 'owner' }
    const owner = (await api.post('/operator/v1/operators', boss, operator())).body.data
    const to_operate = await api.post('/operator/v1/operator-invitations', invited_to_operate, {
      key: owner.key.operator_key,
    })
    await api.patch(`/operator/v1/operators/${owner.id}`, { role: 'operations' }, operator())
    expect((await new Visitor().visit(to_operate.body.data.url)).status).toBe(404)
    const of_operators = (await api.get('/operator/v1/operator-invitations', operator())).body.data
    expect(pick(of_operators, (each) => each.id === to_operate.body.data.id).status).toBe('revoked')
    await api.call('DELETE', `/operator/v1/operators/${owner.id}`, operator())
  })

  it('refuses more pending invitations than the limit until some are withdrawn', async () => {
    const key = await aMemberKey(api, api.story.rival_organization_id, 'ADMIN')
    const invite = () => api.post('/v1/invitations', { name: 'Max', email: 'max@example.com', role: 'SALES' }, { key })
    const { id } = (await invite()).body.data
    await api.database.pool.query(
      `insert into member_invitations
         (id, organization_id, secret_hash, name, email, role, invited_by, created_at, expires_at)
       select 'inv_' || lpad(position::text, 26, '0'), organization_id, sha256(position::text::bytea), name, email,
       role,
              invited_by, created_at, expires_at
         from member_invitations, generate_series(1, 99) as position where id = $1`,
      [id],
    )
    expect(codeOf(await invite())).toEqual([409, 'too_many_invitations'])
    expect((await api.post('/v1/invitations', { name: 'X', email: 'x@example.com', role: 'SALES' })).status).toBe(201)
    await api.call('DELETE', `/v1/invitations/${id}`, { key })
    expect((await invite()).status).toBe(201)
    api.wait(7 * 86_400_000)
    expect((await invite()).status).toBe(201)
  })

  it('refuses invitations by a key with fewer rights than the invited role, or by a non-member', async () => {
    const invited = { name: 'Max', email: 'max@example.com', role: 'ADMIN' }
    const { api_key } = (await api.post('/v1/api-keys', { name: 'X', scopes: ['read', 'write', 'keys'] })).body.data
    const narrow = await api.post('/v1/invitations', invited, { key: api_key })
    const token = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' })
    const issued = await api.post('/v1/invitations', invited, { key: token.body.access_token })
    const asHarbor = { 'x-service-organization': api.story.organization_id }
    const above = await api.post('/v1/invitations', invited, { key: api.story.super_api_key, headers: asHarbor })
    expect([narrow, issued, above].map(codeOf)).toEqual([narrow, issued, above].map(() => [403, 'forbidden']))
  })

  it('completes only the flow that the same browser started', async () => {
    const [mine, theirs] = [new Visitor(), new Visitor()]
    await mine.visit(`${api.url}/sign-in/start`)
    const answer = await theirs.visit(`${api.url}/sign-in/callback?code=x&state=y`)
    expect(answer.status).toBe(400)
    expect((await mine.visit(`${api.url}/sign-in/callback?code=x&state=y`)).status).toBe(400)
    api.wait(11 * 60_000)
    expect((await mine.visit(`${api.url}/sign-in/callback?code=x&state=y`)).status).toBe(400)
  })

  it('sends fresh PKCE, state and nonce values to the provider for each sign-in, which completes once', async () => {
    const visitor = new Visitor()
    const requested: URLSearchParams[] = []
    while (requested.length < 2) {
      // The provider does not prompt users who already have a session there.
      const seen = await visitor.visit(`${api.url}/sign-in/start`)
      const back = requested.length === 0 ? await visitor.press(seen, 'Be pia') : seen
      expect(new URL(back.url).pathname).toBe('/console')
      const at = visitor.visited.findLast((url) => url.includes('code_challenge='))!
      requested.push(new URL(at).searchParams)
    }
    for (const name of ['code_challenge', 'state', 'nonce']) {
      const [one, other] = requested.map((each) => each.get(name)!)
      expect(one, name).toMatch(/^[\w-]{43}$/)
      expect(other, name).not.toBe(one)
    }
    expect(requested[0]!.get('code_challenge_method')).toBe('S256')
    expect(requested[0]!.get('max_age')).toBe('3600')
    const [first, second] = visitor.visited.filter((url) => url.includes('/sign-in/callback?'))
    // A completed flow cannot be replayed: by the browser itself, during another flow, or by anyone who saw the URL.
    expect((await visitor.visit(second!)).status).toBe(400)
    await visitor.visit(`${api.url}/sign-in/start`)
    expect((await visitor.visit(first!)).status).toBe(400)
    expect((await new Visitor().visit(second!)).status).toBe(400)
  })

  it('starts at the time that the provider reports, regardless of the clock of this server', async () => {
    const before = Date.now() - 1000
    api.moveTo('2199-01-01')
    const visitor = new Visitor()
    await visitor.press(await visitor.visit(`${api.url}/sign-in/start`), 'Be pia')
    const [row] = await api.database.reads.rows<{ at: number }>(
      'select extract(epoch from max(signed_in_at))::bigint as at from sessions where created_at > $1',
      ['2199-01-01'],
    )
    expect(row!.at * 1000).toBeGreaterThan(before)
    expect(row!.at * 1000).toBeLessThan(Date.now() + 60_000)
    await api.database.pool.query(`delete from sessions where created_at > '2199-01-01'`)
    api.moveTo('2026-06-10')
  })

  it('reports an error if the provider is unreachable or not configured', async () => {
    const { openid: at } = await import('../../../integrations/sign-in/openid.ts')
    const away = { issuer: 'http://127.0.0.1:9', client_id: 'x', client_secret: 'x', allowed_domains: [] }
    api.runtime.integrations.set(sign_in_provider, at(away))
    expect((await new Visitor().visit(`${api.url}/sign-in/start`)).status).toBe(502)
    api.runtime.integrations.set(sign_in_provider, undefined)
    expect((await new Visitor().visit(`${api.url}/sign-in/start`)).status).toBe(404)
    api.runtime.integrations.set(sign_in_provider, openid.provider())
  })
})
