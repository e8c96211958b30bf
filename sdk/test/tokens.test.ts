import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { boundToken, TokenRefusedError, type TokenRouteOptions } from 'openbenefits'
import { refusal, scriptedClient, type Scripted } from './scripted-client.ts'

const issued = { access_token: 'obat_1', token_type: 'Bearer', expires_in: 900, bound_entity: null }
const at_home = { host: 'app.example', origin: 'https://app.example', 'sec-fetch-site': 'same-origin' }
const entity = () => 'empl_1'

const routeOf = (options: Partial<TokenRouteOptions<never>> = {}, script: Scripted[] = [{ body: issued }]) => {
  const { ob, sent } = scriptedClient(script, { maxRetries: 0 })
  return { route: ob.tokens.route({ entity, ...options } as TokenRouteOptions<object>), sent }
}
const requestToken = (headers: Record<string, string>, method = 'POST') =>
  new Request('https://app.example/benefits-token', { method, headers })

describe('a token route', () => {
  it.each([
    ['a page of the same origin', at_home, 200],
    ['an older browser on a page of the same origin', { ...at_home, 'sec-fetch-site': undefined }, 200],
    [
      'a browser that sends no origin within the same origin',
      { host: 'app.example', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['a listed page', { host: 'api.example', origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }, 200],
    ['another page', { ...at_home, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['another page, in an older browser', { host: 'app.example', origin: 'https://evil.example' }, 403],
    ['a page of a sibling domain', { ...at_home, origin: 'https://x.app.example', 'sec-fetch-site': 'same-site' }, 403],
    ['a page on another port', { ...at_home, origin: 'https://app.example:8443' }, 403],
    ['a sandboxed frame', { ...at_home, origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['a typed URL', { host: 'app.example', 'sec-fetch-site': 'none' }, 403],
    ['a client other than a browser', { host: 'app.example' }, 403],
    ['nonsense', { ...at_home, origin: '::', 'sec-fetch-site': undefined }, 403],
  ])('responds to %s', async (_, headers, status) => {
    const { route, sent } = routeOf({ origins: ['https://shop.example'] })
    const present = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    )
    const answer = await route(requestToken(present))
    expect(answer.status).toBe(status)
    expect(sent).toHaveLength(status === 200 ? 1 : 0)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual(
      status === 200 ? { access_token: 'obat_1', expires_in: 900 } : { error: { code: 'origin_not_allowed' } },
    )
    const allowed = present.origin === 'https://shop.example' ? 'https://shop.example' : null
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
  })

  it.each([
    ['empl_1', 'employee'],
    ['empr_1', 'employer'],
  ])('issues a token that is bound to %s', async (id, type) => {
    const { route, sent } = routeOf({ entity: async () => id, organization: 'org_1' })
    await route(requestToken(at_home))
    expect(sent[0]).toMatchObject({
      path: '/v1/auth/access-tokens',
      body: { grant_type: 'client_credentials', bound_entity: { type, id } },
    })
    expect(sent[0]!.headers.get('x-service-organization')).toBe('org_1')
  })

  it('accepts only POST requests of signed-in users', async () => {
    const { route, sent } = routeOf({ entity: () => null })
    expect((await route(requestToken(at_home, 'GET'))).status).toBe(405)
    expect((await route(requestToken(at_home))).status).toBe(401)
    expect(sent).toEqual([])
  })

  it('passes errors to the framework', async () => {
    const { route } = routeOf({}, [{ status: 404, body: refusal('not_found') }])
    await expect(route(requestToken(at_home))).rejects.toMatchObject({ code: 'not_found' })
    const next = vi.fn<(error: unknown) => void>()
    await route({ method: 'POST', headers: at_home }, {}, next)
    expect(next).toHaveBeenCalledWith(expect.objectContaining({ code: 'not_found' }))
  })

  it('accepts a Hono context', async () => {
    const { route } = routeOf({ entity: (c: { get(name: string): string }) => c.get('employee_id') })
    const context = { req: { raw: requestToken(at_home) }, get: () => 'empl_2' }
    expect(await (await route(context)).json()).toMatchObject({ access_token: 'obat_1' })
  })

  it('works as a Next route handler, with its request and context', async () => {
    class NextRequest extends Request {
      readonly cookies = new Map([['signed_in', 'empl_3']])
    }
    type RouteHandler = (request: NextRequest, context: { params: Promise<object> }) => Promise<Response>
    const { route, sent } = routeOf({ entity: (request: NextRequest) => request.cookies.get('signed_in') })
    const POST: RouteHandler = route
    // The URL of the request is the address that the server listens on. The headers contain the requested URL.
    const called = (headers: Record<string, string>) =>
      POST(new NextRequest('http://localhost:3000/benefits-token', { method: 'POST', headers }), {
        params: Promise.resolve({}),
      })
    expect(await (await called(at_home)).json()).toEqual({ access_token: 'obat_1', expires_in: 900 })
    expect(sent[0]!.body).toMatchObject({ bound_entity: { type: 'employee', id: 'empl_3' } })
    const foreign = { ...at_home, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await called(foreign)).status).toBe(403)
    expect((await called({ ...foreign, 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(403)
    expect(sent).toHaveLength(1)
  })

  it('accepts request and response of Express and Node', async () => {
    const { route, sent } = routeOf({ entity: (request: IncomingMessage) => request.headers['x-who'] as string })
    const server = createServer((request, response) => void route(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await fetch(url, { method: 'POST', headers: { origin: url, 'x-who': 'empl_9' } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ access_token: 'obat_1', expires_in: 900 })
    expect((await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect(sent).toHaveLength(1)
    server.close()
  })
})

describe('a bound token', () => {
  let fetched = 0
  const from = async () => ({ access_token: `t${++fetched}`, expires_in: 900 })
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)
  const held: { stop: () => void }[] = []
  const open = (options: object = {}) => {
    const token = boundToken({ from, ...options })
    held.push(token)
    return token
  }

  beforeEach(() => {
    fetched = 0
    vi.useFakeTimers()
  })
  afterEach(() => {
    for (const one of held.splice(0)) one.stop()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('is renewed at 80% of its lifetime, and requested once for concurrent callers', async () => {
    const { getToken } = open()
    expect(await Promise.all([getToken(), getToken(), getToken()])).toEqual(['t1', 't1', 't1'])
    await minutes(11.9)
    expect(await getToken()).toBe('t1')
    expect(fetched).toBe(1)
    await minutes(0.2)
    expect(fetched).toBe(2)
    expect(await getToken()).toBe('t2')
  })

  it('is renewed immediately after a refusal', async () => {
    const { getToken } = open()
    expect(await getToken()).toBe('t1')
    expect(await getToken('t1')).toBe('t2')
    expect(await getToken('t1')).toBe('t2')
    expect(fetched).toBe(2)
  })

  it('is not renewed in the background, and is renewed when the page returns', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
    vi.stubGlobal('document', page)
    const { getToken } = open()
    await getToken()
    page.visibilityState = 'hidden'
    await minutes(40)
    expect(fetched).toBe(1)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await minutes(0)
    expect(fetched).toBe(2)
    expect(await getToken()).toBe('t2')
  })

  it('survives a short failure of the route, and reports a lasting one', async () => {
    let works = true
    const { getToken } = open({ from: () => (works ? from() : Promise.reject(new TokenRefusedError(401))) })
    await getToken()
    works = false
    await minutes(13)
    expect(await getToken()).toBe('t1')
    await minutes(3)
    await expect(getToken()).rejects.toThrow(TokenRefusedError)
    works = true
    expect(await getToken()).toBe('t2')
  })

  it('is discarded when its provider is stopped', async () => {
    const { getToken, stop } = open()
    await getToken()
    stop()
    await minutes(30)
    expect(fetched).toBe(1)
    await expect(getToken()).rejects.toThrow('This token source was stopped.')
  })

  it('reports the response of the route', async () => {
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }))
    await expect(open({ from: '/benefits-token' }).getToken()).rejects.toMatchObject({ status: 401 })
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')))
    await expect(open({ from: '/benefits-token' }).getToken()).rejects.toThrow('is unreachable')
  })
})
