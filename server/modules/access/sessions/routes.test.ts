import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { signInClient } from '../../../test/clients/sign-in.ts'
import { aMember } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { Visitor } from '../../../test/clients/visitor.ts'
import { issueSessionToken, signIn } from './actions.ts'
import { insertIdentity } from './queries.ts'

const api = useApi()
const { signInAs, accessTokenOf } = signInClient(api)

const operator = () => ({ key: api.operator_key })

describe('signing in to a sandbox', () => {
  it('lists the users at /sign-in even while one is signed in, and switches to another one', async () => {
    const { choice, seen, visitor } = await signInAs('Maya Okafor')
    expect(choice.text).toContain('Harbor Benefits, admin')
    expect(choice.headers.get('referrer-policy')).toBe('same-origin')
    expect(new URL(seen.url).pathname).toBe('/console')
    const maya = (await accessTokenOf(visitor)).body
    expect(maya).toMatchObject({ role: 'ADMIN', sandbox: true, organizations: [{ name: 'Harbor Benefits' }] })
    await signInAs('Olive Marsh', visitor)
    expect((await accessTokenOf(visitor)).body).toMatchObject({ role: 'owner', user: { name: 'Olive Marsh' } })
    expect((await accessTokenOf((await signInAs('Maya Okafor')).visitor)).status).toBe(200)
  })

  it('shows a button for each kind of user, which signs the visitor in and opens the page of that user', async () => {
    const visitor = new Visitor()
    const opened = new Map<string, string>()
    for (const door of ['Operator', 'Broker', 'HR', 'Employee']) {
      const { url } = await visitor.press(await visitor.visit(`${api.url}/sign-in`), door)
      const { user } = (await accessTokenOf(visitor)).body
      opened.set(door, `${user.name} at ${new URL(url).pathname}`)
    }
    expect(Object.fromEntries(opened)).toEqual({
      Operator: 'Olive Marsh at /console/today',
      Broker: 'Maya Okafor at /console/',
      HR: 'Maya Okafor at /widgets',
      Employee: 'Maya Okafor at /widgets',
    })
  })

  it('returns to the page that required sign-in', async () => {
    const visitor = new Visitor()
    const choice = await visitor.visit(`${api.url}/sign-in?to=/docs/reference/`)
    expect(new URL((await visitor.press(choice, 'Maya Okafor')).url).pathname).toBe('/docs/reference/')
    const outside = await visitor.visit(`${api.url}/sign-in?to=//evil.example/`)
    expect(new URL((await visitor.press(outside, 'Maya Okafor')).url).pathname).toBe('/console')
  })

  it('finds a user by a part of the name, and signs the visitor in', async () => {
    const { user_id } = await aMember(api, api.story.organization_id, 'OPERATIONS')
    const { name } = pick(
      (await api.get('/v1/organization-members?limit=100', { key: api.story.api_key })).body.data,
      (one) => one.user_id === user_id,
    )
    const visitor = new Visitor()
    const found = await visitor.visit(`${api.url}/sign-in?search=${encodeURIComponent(name.slice(1).toUpperCase())}`)
    expect(found.text).not.toContain('Maya Okafor')
    await visitor.press(found, name)
    expect((await accessTokenOf(visitor)).body.user).toEqual({ id: user_id, name })
    const unknown = await visitor.visit(`${api.url}/sign-in?to=/docs/&search=${'x'.repeat(300)}`)
    expect(unknown.text).toContain('No person has this name.')
    expect(unknown.text).toContain('<input type="hidden" name="to" value="/docs/" />')
  })

  it('lists no people and refuses sign-in outside a sandbox', async () => {
    const [user] = await api.database.reads.rows<{ id: string }>('select id from users order by id limit 1')
    const { visitor } = await signInAs('Maya Okafor')
    api.runtime.settings.sandbox = false
    const page = await new Visitor().visit(`${api.url}/sign-in`)
    const init = { method: 'POST', headers: { origin: api.url } }
    const client = new Visitor()
    const answer = await client.visit(`${api.url}/sign-in/people/${user!.id}`, init)
    const { sandbox } = (await accessTokenOf(visitor)).body
    api.runtime.settings.sandbox = true
    expect([page.text.includes('<form'), page.text.includes('Maya'), answer.status, sandbox]).toEqual([
      false,
      false,
      404,
      false,
    ])
    expect(client.cookiesOf(api.url).size).toBe(0)
  })

  it('accepts only its own pages, and no other domain that resolves to this machine', async () => {
    const [user] = await api.database.reads.rows<{ id: string }>('select id from users order by id limit 1')
    const path = `/sign-in/people/${user!.id}`
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await new Visitor().visit(api.url + path, { method: 'POST', headers: { ...headers } })).status).toBe(403)
    const { port } = new URL(api.url)
    const headers = { host: `evil.example:${port}`, origin: `http://evil.example:${port}` }
    const send = async (method: string, url: string) => {
      const requested = request({ host: '127.0.0.1', port, path: url, method, headers }).end()
      const [answer] = (await once(requested, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    expect([await send('GET', '/sign-in'), await send('POST', path)]).toEqual([403, 403])
  })
})

describe('a session', () => {
  it('is a cookie that scripts cannot read and that only issues tokens', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const cookie = visitor.cookiesOf(api.url).get('openbenefits')!
    const headers = { cookie: `openbenefits=${cookie}` }
    for (const path of ['/v1/organizations', '/operator/v1/operators', '/v1/employers'])
      expect((await api.get(path, { key: null, headers })).status).toBe(401)
    for (const origin of ['https://evil.example', 'null', `${api.url}.evil.example`])
      expect((await accessTokenOf(visitor, undefined, origin)).status).toBe(403)
    const { text } = (await api.database.reads.row<{ text: string }>('select sessions::text as text from sessions'))!
    expect(text).not.toContain(cookie)

    const choice = await visitor.visit(`${api.url}/sign-in`)
    const [, action] = /action="([^"]+)"/.exec(choice.text)!
    const answer = await fetch(api.url + action!, { method: 'POST', redirect: 'manual', headers: { origin: api.url } })
    const [set] = answer.headers.getSetCookie()
    expect(set).toMatch(/^openbenefits=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
  })

  it('uses a cookie that is limited to this host and to TLS, if the service has TLS', async () => {
    const { public_url } = api.runtime.settings
    api.runtime.settings.public_url = 'https://benefits.example.com'
    const path = `${api.url}/sign-in`
    const [, action] = /action="([^"]+)"/.exec(await (await fetch(path)).text())!
    const headers = { origin: 'https://benefits.example.com' }
    const answer = await fetch(api.url + action!, { method: 'POST', redirect: 'manual', headers })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-openbenefits=.*; Secure$/)
    api.runtime.settings.public_url = public_url
  })

  it('puts the path of PUBLIC_URL before the paths of its pages and redirects', async () => {
    const { public_url } = api.runtime.settings
    const origin = 'https://benefits.example.com'
    api.runtime.settings.public_url = `${origin}/portal`
    const text = await (await fetch(`${api.url}/sign-in`)).text()
    for (const [, path] of text.matchAll(/(?:href|action|src)="([^"]+)"|url\(([^)]+)\)/g))
      expect(path ?? '/portal').toMatch(/^\/portal/)
    expect(text).toContain('url(/portal/console/inter.woff2)')
    const [, action] = /action="\/portal([^"]+)"/.exec(text)!
    const become = (to: string) =>
      fetch(`${api.url}${action!.split('?')[0]}${to}`, { method: 'POST', redirect: 'manual', headers: { origin } })
    expect((await become('')).headers.get('location')).toBe('/portal/console')
    expect((await become('?to=/console/people')).headers.get('location')).toBe('/portal/console/people')
    const missing = await fetch(`${api.url}/nowhere`, { headers: { accept: 'text/html' } })
    expect(await missing.text()).toContain('href="/portal/console/"')
    api.runtime.settings.public_url = public_url
  })

  it('counts the sign-in from the time of authentication, if the provider reports it', async () => {
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
    await api.act((ctx) => insertIdentity(ctx, { ...provider, user_id }))
    expect([await handingOut(61), await handingOut(59), await handingOut(-5), await handingOut(null)]).toEqual([
      [403, 'sign_in_again'],
      [201, undefined],
      [201, undefined],
      [201, undefined],
    ])
  })

  it('issues tokens of 5 minutes that a page can send, and that cannot issue other tokens', async () => {
    const { visitor } = await signInAs('Olive Marsh')
    const { access_token } = (await accessTokenOf(visitor)).body
    const headers = { origin: api.url }
    const requested = () => api.post('/operator/v1/users', { name: 'X' }, { key: access_token, headers })
    expect((await requested()).status).toBe(201)
    api.wait(299_000)
    expect((await requested()).status).toBe(201)
    api.wait(2_000)
    expect((await requested()).status).toBe(401)
    const member = (await signInAs('Maya Okafor')).visitor
    const key = (await accessTokenOf(member)).body.access_token
    expect(codeOf(await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key }))).toEqual([
      403,
      'forbidden',
    ])
  })

  it('ends an hour after its last use, and 12 hours after its start', async () => {
    const idle = (await signInAs('Maya Okafor')).visitor
    const used = (await signInAs('Maya Okafor')).visitor
    for (let minutes = 0; minutes < 11 * 60; minutes += 55) {
      api.wait(55 * 60_000)
      expect((await accessTokenOf(used)).status).toBe(200)
    }
    expect((await accessTokenOf(idle)).status).toBe(401)
    api.wait(54 * 60_000)
    const last = await accessTokenOf(used)
    expect(last.body.expires_in).toBeLessThanOrEqual(300)
    api.wait(7 * 60_000)
    expect((await accessTokenOf(used)).status).toBe(401)
  })

  it('can be listed and ended by its owner, together with its tokens', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const { access_token: key, session_id } = (await accessTokenOf(visitor)).body
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
    expect((await accessTokenOf(visitor)).status).toBe(401)
  })

  it('ends when its browser signs in again, even as another user', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const former = (await accessTokenOf(visitor)).body
    await signInAs('Olive Marsh', visitor)
    const now = (await accessTokenOf(visitor)).body
    expect([now.role, now.session_id === former.session_id]).toEqual(['owner', false])
    const listed = await api.get('/operator/v1/sessions?limit=2', operator())
    expect(listed.body.data.map(({ id, status }) => [id, status])).toEqual([
      [now.session_id, 'active'],
      [former.session_id, 'revoked'],
    ])
    expect((await api.get('/v1/sessions', { key: former.access_token })).status).toBe(401)
  })

  it('of a member can be ended by operators, and of an operator by an owner', async () => {
    const { visitor } = await signInAs('Maya Okafor')
    const { session_id, user } = (await accessTokenOf(visitor)).body
    const olives = (await accessTokenOf((await signInAs('Olive Marsh')).visitor)).body
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

  it('has the current rights of its user', async () => {
    const body = { name: 'Quinn', email: 'q@example.com', role: 'support' }
    const { id } = (await api.post('/operator/v1/operators', body, operator())).body.data
    const { visitor } = await signInAs('Quinn')
    const { access_token: key } = (await accessTokenOf(visitor)).body
    const read = async (with_key = key) => (await api.get('/operator/v1/operators', { key: with_key })).status
    expect(await read()).toBe(200)
    await api.patch(`/operator/v1/operators/${id}`, { role: 'billing' }, operator())
    expect(await read()).toBe(401)
    const next = (await accessTokenOf(visitor)).body
    expect([next.role, await read(next.access_token)]).toEqual(['billing', 200])
    await api.call('DELETE', `/operator/v1/operators/${id}`, operator())
    expect(await read(next.access_token)).toBe(401)
    expect((await accessTokenOf(visitor)).status).toBe(403)
  })
})
