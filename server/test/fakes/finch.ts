import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Finch } from '@tryfinch/finch-api'

type Individual = Extract<Finch.HRIS.Individual, { id: string }>
type Employment = Extract<Finch.HRIS.EmploymentData, { id: string }>

/** A person in the fake payroll. The other fields of Finch's format are null. */
export type Worker = Partial<Individual> & Partial<Omit<Employment, 'id'>> & { id: string }

/**
 * How the fake behaves. `well`; `reauthenticate…`: the employer must sign in again, for all requests or within a batch;
 * `failing`: 500; `busy`: 429 for a number of requests; `silent`: no response; `half`: only half of the directory;
 * `uncounted`: a directory without a count; `preparing`: the first sync of the connection
 * is in progress; `leaving`: the first person leaves after each page; `garbage`: an HTML
 * page; `pending`: one individual is still being prepared.
 */
export type FinchBehavior =
  | 'well'
  | 'reauthenticate'
  | 'reauthenticate_batch'
  | 'failing'
  | 'busy'
  | 'half'
  | 'uncounted'
  | 'preparing'
  | 'leaving'
  | 'garbage'
  | 'pending'

export type FakeFinch = {
  url: string
  workers: Worker[]
  behavior: FinchBehavior
  /** The number of people on a page of the directory, regardless of the requested limit. */
  page_size: number
  /** The number of requests still to be refused with 429 when busy. */
  busy_for: number
  /** The header of those refusals. */
  retry_after: Record<string, string>
  /** The requests so far, such as `GET /employer/directory?limit=…`. */
  requests: string[]
  /** The headers of the last request. */
  headers: IncomingMessage['headers']
  stop(): Promise<void>
}

export const finch_token = 'finch-token-of-the-employer'

/** The part of Finch that the service uses, over HTTP on loopback, in its published format. */
export async function fakeFinch(): Promise<FakeFinch> {
  const fake: Omit<FakeFinch, 'url' | 'stop'> = {
    workers: [],
    behavior: 'well',
    page_size: 1000,
    busy_for: 0,
    retry_after: {},
    requests: [],
    headers: {},
  }
  const server = createServer((request, response) => void answer(fake, request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop })
}

const error = (code: number, name: string, finch_code?: string) => ({
  code,
  name,
  ...(finch_code && { finch_code }),
  message: 'A message for developers, which may name jane.doe@example.com',
})
const reauthenticate = error(401, 'authentication_error', 'reauthenticate_user')

async function answer(
  fake: Omit<FakeFinch, 'url' | 'stop'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://finch')
  fake.requests.push(`${request.method} ${request.url}`)
  fake.headers = request.headers
  const body = await text(request)
  const send = (status: number, content: unknown, headers = {}) => {
    // Shortens the delay before the SDK's retry.
    const soon = status === 429 ? fake.retry_after : { 'retry-after-ms': '1' }
    response.writeHead(status, { 'content-type': 'application/json', ...soon, ...headers })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  }
  if (request.headers.authorization !== `Bearer ${finch_token}`) return send(401, error(401, 'invalid_token_error'))
  if (fake.behavior === 'reauthenticate') return send(401, reauthenticate)
  if (fake.behavior === 'failing') return send(500, error(500, 'server_error'))
  if (fake.behavior === 'garbage') return send(200, '<html>Bad gateway</html>', { 'content-type': 'text/html' })
  if (fake.behavior === 'busy' && fake.busy_for-- > 0) return send(429, error(429, 'rate_limit_exceeded_error'))
  if (fake.behavior === 'preparing') return send(202, error(202, 'accepted', 'data_sync_in_progress'))
  if (request.method === 'GET' && pathname === '/employer/directory') return send(200, directory(fake, searchParams))
  const wanted = { '/employer/individual': individual, '/employer/employment': employment }[pathname]
  if (request.method !== 'POST' || !wanted) return send(404, error(404, 'not_found_error'))
  const { requests } = JSON.parse(body) as { requests: { individual_id: string }[] }
  const responses = requests.map(({ individual_id }, at) => {
    const worker = fake.workers.find(({ id }) => id === individual_id)!
    if (fake.behavior === 'pending' && at === 0)
      return { individual_id, code: 202, body: error(202, 'accepted', 'data_sync_in_progress') }
    if (fake.behavior === 'reauthenticate_batch') return { individual_id, code: 401, body: reauthenticate }
    return { individual_id, code: 200, body: wanted(worker) }
  })
  send(200, { responses })
}

function directory(fake: Omit<FakeFinch, 'url' | 'stop'>, query: URLSearchParams) {
  const { workers, behavior, page_size } = fake
  if (behavior === 'leaving') fake.workers = workers.slice(1)
  const offset = Number(query.get('offset') ?? 0)
  const length = behavior === 'half' ? Math.ceil(workers.length / 2) : workers.length
  const page = workers.slice(0, length).slice(offset, offset + Math.min(page_size, Number(query.get('limit'))))
  return {
    paging: { ...(behavior !== 'uncounted' && { count: workers.length }), offset },
    individuals: page.map(({ id, first_name = null, last_name = null, is_active = true }) => ({
      id,
      first_name,
      middle_name: null,
      last_name,
      manager: null,
      department: null,
      is_active,
    })),
  }
}

const individual = (worker: Worker): Individual => ({
  id: worker.id,
  first_name: worker.first_name ?? null,
  middle_name: null,
  last_name: worker.last_name ?? null,
  preferred_name: null,
  emails: worker.emails ?? null,
  phone_numbers: worker.phone_numbers ?? null,
  gender: worker.gender ?? null,
  ethnicity: null,
  marital_status: null,
  dob: worker.dob ?? null,
  residence: worker.residence ?? null,
})

const employment = (worker: Worker): Employment => ({
  id: worker.id,
  first_name: worker.first_name ?? null,
  middle_name: null,
  last_name: worker.last_name ?? null,
  title: null,
  manager: null,
  department: null,
  employment: worker.employment ?? { type: 'employee', subtype: 'full_time' },
  employment_status: worker.employment_status ?? 'active',
  start_date: worker.start_date ?? null,
  end_date: worker.end_date ?? null,
  latest_rehire_date: worker.latest_rehire_date ?? null,
  is_active: worker.is_active === undefined ? true : worker.is_active,
  class_code: null,
  flsa_status: null,
  highly_compensated_employee: null,
  key_employee: null,
  location: null,
  union_code: null,
  union_local: null,
})
