import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Tenant = { id: string; name: string; alias: string; attributes: Record<string, string[]> }

/**
 * How the fake behaves. `well`; `failing`: 500; `silent`: no response; `forgetful`: creates an organization but loses
 * the response; `late`: finds nothing until it has refused a duplicate.
 */
export type KeycloakBehavior = 'well' | 'failing' | 'silent' | 'forgetful' | 'late'

export type FakeKeycloak = {
  url: string
  tenants: Tenant[]
  behavior: KeycloakBehavior
  /** The requests so far, such as `POST /admin/realms/partners/organizations`. */
  requests: string[]
  stop(): Promise<void>
  /** Opens the same port again after `stop`. */
  start(): Promise<void>
}

const organizations_path = '/admin/realms/partners/organizations'
const token_path = '/realms/partners/protocol/openid-connect/token'

export const keycloak_settings = { realm: 'partners', client_id: 'openbenefits', client_secret: 'secret of the client' }

/**
 * The part of Keycloak that the service uses, over HTTP on loopback: client credentials, search by attribute (10
 * results, without attributes), creation with unique names and aliases.
 */
export async function fakeKeycloak(): Promise<FakeKeycloak> {
  const fake = { tenants: [] as Tenant[], behavior: 'well' as KeycloakBehavior, requests: [] as string[] }
  let port = 0
  let server = createServer()
  const start = async () => {
    server = createServer((request, response) => void answer(fake, request, response))
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    port = (server.address() as AddressInfo).port
  }
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  await start()
  return Object.assign(fake, { url: `http://127.0.0.1:${port}`, start, stop })
}

async function answer(
  fake: Pick<FakeKeycloak, 'tenants' | 'behavior' | 'requests'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://keycloak')
  fake.requests.push(`${request.method} ${pathname}`)
  const body = await text(request)
  const send = (status: number, content?: object, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(content && JSON.stringify(content))
  }
  if (fake.behavior === 'silent') return
  if (fake.behavior === 'failing') return send(500, { error: 'unknown_error' })
  if (pathname === token_path) return send(...token(request, body))
  if (request.headers.authorization !== 'Bearer a token') return send(401, { error: 'HTTP 401 Unauthorized' })
  if (pathname.replace(/\/$/, '') !== organizations_path) return send(404, { error: 'HTTP 404 Not Found' })
  if (request.method === 'GET')
    return send(200, fake.behavior === 'late' ? [] : search(fake.tenants, searchParams.get('q') ?? ''))

  const wanted = JSON.parse(body) as Tenant
  const taken = fake.tenants.some((tenant) => tenant.name === wanted.name || tenant.alias === wanted.alias)
  if (taken) {
    if (fake.behavior === 'late') fake.behavior = 'well'
    return send(409, { errorMessage: 'A organization with the same name already exists.' })
  }
  const id = crypto.randomUUID()
  fake.tenants.push({ ...wanted, id })
  if (fake.behavior === 'forgetful') return void request.socket.destroy()
  send(201, undefined, { location: `http://${request.headers.host}${organizations_path}/${id}` })
}

function token(request: IncomingMessage, body: string): [number, object] {
  const basic = `Basic ${btoa('openbenefits:secret+of+the+client')}`
  const granted = request.headers.authorization === basic && body.includes('grant_type=client_credentials')
  return granted ? [200, { access_token: 'a token', expires_in: 60 }] : [401, { error: 'invalid_client' }]
}

function search(tenants: Tenant[], query: string): object[] {
  const [attribute = '', value = ''] = query.split(':')
  return tenants
    .filter((tenant) => query === '' || tenant.attributes[attribute]?.includes(value))
    .slice(0, 10)
    .map(({ attributes: _, ...brief }) => brief)
}
