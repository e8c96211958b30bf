import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/answer.ts'
import { browsing } from '../../../test/browsing.ts'
import { aMember } from '../../../test/cast.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { Visitor } from '../../../test/visitor.ts'
import { issueSessionToken, signIn } from './actions.ts'
import { insertIdentity } from './queries.ts'

const api = useApi()
const { signInAs, tokenOf } = browsing(api)

const operator = () => ({ key: api.operator_key })

describe('signing in to a sandbox', () => {
  it('lists the people at /sign-in, again and again, and switches between them', async () => {
    const { choice, seen, visitor } = await signInAs('Maya Okafor')
    expect(choice.text).toContain('Harbor Benefits, admin')
    expect(choice.headers.get('referrer-policy')).toBe('same-origin')
    expect(new URL(seen.url).pathname).toBe('/console')
    const maya = (await tokenOf(visitor)).body
    expect(maya).toMatchObject({ role: 'ADMIN', sandbox: true, organizations: [{ name: 'Harbor Benefits' }] })
    await signInAs('Olive Marsh', visitor)
    expect((await tokenOf(visitor)).body).toMatchObject({ role: 'owner', user: { name: 'Olive Marsh' } })
    expect((await tokenOf((await signInAs('Maya Okafor')).visitor)).status).toBe(200)
  })

  it('leads back to the page that required sign-in', async () => {
    const visitor = new Visitor()
    const choice = await visitor.visit(`${api.url}/sign-in?to=/docs/reference/`)
    expect(new URL((await visitor.press(choice, 'Maya Okafor')).url).pathname).toBe('/docs/reference/')
    const outside = await visitor.visit(`${api.url}/sign-in?to=//evil.example/`)
    expect(new URL((await visitor.press(outside, 'Maya Okafor')).url).pathname).toBe('/console')
  })

  it('lists no people and refuses sign-in outside a sandbox', async () => {
    const [user] = await api.database.reads.rows<{ id: string }>('select id from users order by id limit 1')
    const { visitor } = await signInAs('Maya Okafor')
    api.runtime.settings.sandbox = false
    const page = await new Visitor().visit(`${api.url}/sign-in`)
    const init = { method: 'POST', headers: { origin: api.url } }
    const stranger = new Visitor()
    const answer = await stranger.visit(`${api.url}/sign-in/people/${user!.id}`, init)
    const { sandbox } = (await tokenOf(visitor)).body
    api.runtime.settings.sandbox = true
    expect([page.text.includes('<form'), page.text.includes('Maya'), answer.status, sandbox]).toEqual([
      false,
      false,
      404,
      false,
    ])
    expect(stranger.cookiesOf(api.url).size).toBe(0)
  })

  it('accepts only pages of its own, and no other domain that resolves to this machine', async () => {
    const [user] = await api.database.reads.rows<{ id: string }>('select id from users order by id limit 1')
    const path = `/sign-in/people/${user!.id}`
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await new Visitor().visit(api.url + path, { method: 'POST', headers: { ...headers } })).status).toBe(403)
    const { port } = new URL(api.url)
    const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }
    const ask = async (method: string, url: string) => {
      const asked = request({ host: '127.0.0.1', port, path: url, method, headers }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    expect([await ask('GET', '/sign-in'), await ask('POST', path)]).toEqual([403, 403])
  })
})

describe('a session', () => {
  it('is a cookie out of reach of scripts, good for one thing', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const cookie = visitor.cookiesOf(api.url).get('openbenefits')!
    const headers = { cookie: `openbenefits=${cookie}` }
    for (const path of ['/v1/organizations', '/operator/v1/operators', '/v1/employers'])
      expect((await api.get(path, { key: null, headers })).status).toBe(401)
    for (const origin of ['https://evil.example', 'null', `${api.url}.evil.example`])
      expect((await tokenOf(visitor, undefined, origin)).status).toBe(403)
    const { text } = (await api.database.reads.row<{ text: string }>('select sessions::text as text from sessions'))!
    expect(text).not.toContain(cookie)

    const choice = await visitor.visit(`${api.url}/sign-in`)
    const [, action] = /action="([^"]+)"/.exec(choice.text)!
    const answer = await fetch(api.url + action!, { method: 'POST', redirect: 'manual', headers: { origin: api.url } })
    const [set] = answer.headers.getSetCookie()
    expect(set).toMatch(/^openbenefits=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
  })

  it('has a cookie of this host and of TLS alone where there is TLS', async () => {
    const { public_url } = api.runtime.settings
    api.runtime.settings.public_url = 'https://benefits.example.com'
    const path = `${api.url}/sign-in`
    const [, action] = /action="([^"]+)"/.exec(await (await fetch(path)).text())!
    const headers = { origin: 'https://benefits.example.com' }
    const answer = await fetch(api.url + action!, { method: 'POST', redirect: 'manual', headers })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-openbenefits=.*; Secure$/)
    api.runtime.settings.public_url = public_url
  })

  it('is as fresh as the proof of who its user is, as far as the provider tells', async () => {
    const { user_id } = await aMember(api, api.story.organization_id, 'ADMIN')
    const provider = { issuer: 'https://id.example.com', subject: user_id, email: null }
    const browser = { user_agent: null, address: '127.0.0.1', trace_id: 'trace', former: undefined }
    const handingOut = async (minutes_ago: number | null) => {
      const proved = minutes_ago === null ? null : new Date(api.runtime.clock() - minutes_ago * 60_000).toISOString()
      const identity = { ...provider, authenticated_at: proved }
      const { secret } = await api.act((ctx) => signIn(ctx, identity, [], null, browser))
      const { access_token } = await api.act((ctx) => issueSessionToken(ctx, secret, api.story.organization_id))
      return codeOf(await api.post('/v1/api-keys', { name: 'X' }, { key: access_token }))
    }
    await api.act((ctx) => insertIdentity(ctx, { ...provider, authenticated_at: null }, user_id))
    expect([await handingOut(61), await handingOut(59), await handingOut(-5), await handingOut(null)]).toEqual([
      [403, 'sign_in_again'],
      [201, undefined],
      [201, undefined],
      [201, undefined],
    ])
  })

  it('gives tokens of 5 minutes, which a page may send, and which issue no others', async () => {
    const { visitor } = await signInAs('Olive Marsh')
    const { access_token } = (await tokenOf(visitor)).body
    const headers = { origin: api.url }
    const asked = () => api.post('/operator/v1/users', { name: 'X' }, { key: access_token, headers })
    expect((await asked()).status).toBe(201)
    api.wait(299_000)
    expect((await asked()).status).toBe(201)
    api.wait(2_000)
    expect((await asked()).status).toBe(401)
    const member = (await signInAs('Maya Okafor')).visitor
    const key = (await tokenOf(member)).body.access_token
    expect(codeOf(await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key }))).toEqual([
      403,
      'forbidden',
    ])
  })

  it('ends by itself: an hour after its last use, and 12 hours after its beginning', async () => {
    const idle = (await signInAs('Maya Okafor')).visitor
    const used = (await signInAs('Maya Okafor')).visitor
    for (let minutes = 0; minutes < 11 * 60; minutes += 55) {
      api.wait(55 * 60_000)
      expect((await tokenOf(used)).status).toBe(200)
    }
    expect((await tokenOf(idle)).status).toBe(401)
    api.wait(54 * 60_000)
    const last = await tokenOf(used)
    expect(last.body.expires_in).toBeLessThanOrEqual(300)
    api.wait(7 * 60_000)
    expect((await tokenOf(used)).status).toBe(401)
  })

  it('is listed and ended by its owner, with its tokens', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const { access_token: key, session_id } = (await tokenOf(visitor)).body
    const listed = (await api.get('/v1/sessions', { key })).body.data
    expect(pick(listed, ({ id }) => id === session_id)).toMatchObject({
      status: 'active',
      user_name: 'Maya Okafor',
      signed_in_with: 'sandbox',
    })
    expect((await api.get('/v1/sessions', { key: api.story.rival_api_key })).body.data).toEqual([])
    const foreign = await api.call('DELETE', `/v1/sessions/${session_id}`, { key: api.story.rival_api_key })
    expect(foreign.status).toBe(404)
    expect((await api.call('DELETE', `/v1/sessions/${session_id}`, { key })).status).toBe(200)
    expect((await api.get('/v1/sessions', { key })).status).toBe(401)
    expect((await tokenOf(visitor)).status).toBe(401)
  })

  it('ends when its browser signs in anew, as whomever', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const former = (await tokenOf(visitor)).body
    await signInAs('Olive Marsh', visitor)
    const now = (await tokenOf(visitor)).body
    expect([now.role, now.session_id === former.session_id]).toEqual(['owner', false])
    const listed = await api.get('/operator/v1/sessions?limit=2', operator())
    expect(listed.body.data.map(({ id, status }) => [id, status])).toEqual([
      [now.session_id, 'active'],
      [former.session_id, 'revoked'],
    ])
    expect((await api.get('/v1/sessions', { key: former.access_token })).status).toBe(401)
  })

  it('of a member is ended by operators, and of an operator by an owner', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const { session_id, user } = (await tokenOf(visitor)).body
    const olives = (await tokenOf((await signInAs('Olive Marsh')).visitor)).body
    const body = { name: 'Pia', email: 'p@example.com', role: 'operations' }
    const { key } = (await api.post('/operator/v1/operators', body, operator())).body.data
    const end = (id: string, with_key: string) => api.call('DELETE', `/operator/v1/sessions/${id}`, { key: with_key })
    const listed = await api.get(`/operator/v1/sessions?user_id=${user.id}`, operator())
    expect(listed.body.data[0]!.id).toBe(session_id)
    expect((await end(olives.session_id, key.operator_key)).status).toBe(403)
    expect((await end(session_id, key.operator_key)).status).toBe(200)
    expect((await end(olives.session_id, api.operator_key)).status).toBe(200)
    expect((await api.get('/operator/v1/operators', { key: olives.access_token })).status).toBe(401)
  })

  it('is worth what its user is at the moment', async () => {
    const body = { name: 'Quinn', email: 'q@example.com', role: 'support' }
    const { id } = (await api.post('/operator/v1/operators', body, operator())).body.data
    const { visitor } = await signInAs('Quinn')
    const { access_token: key } = (await tokenOf(visitor)).body
    const read = async (with_key = key) => (await api.get('/operator/v1/operators', { key: with_key })).status
    expect(await read()).toBe(200)
    await api.patch(`/operator/v1/operators/${id}`, { role: 'billing' }, operator())
    expect(await read()).toBe(401)
    const next = (await tokenOf(visitor)).body
    expect([next.role, await read(next.access_token)]).toEqual(['billing', 200])
    await api.call('DELETE', `/operator/v1/operators/${id}`, operator())
    expect(await read(next.access_token)).toBe(401)
    expect((await tokenOf(visitor)).status).toBe(403)
  })
})
