import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError, ConnectionError, OpenBenefits } from 'openbenefits'
import { refusal, scriptedClient, type Scripted } from './scripted-client.ts'

const broken = Object.assign(new TypeError('fetch failed'), { cause: new Error('connect ECONNREFUSED') })
const limited: Scripted = { status: 429, body: refusal('rate_limited'), headers: { 'retry-after': '3' } }
const down: Scripted = { status: 503, body: refusal('unavailable'), headers: { 'retry-after': '5' } }
const failed: Scripted = { status: 500, body: refusal('internal_error') }
const in_progress: Scripted = {
  status: 409,
  body: refusal('idempotency_key_in_progress'),
  headers: { 'retry-after': '1', 'x-should-retry': 'true' },
}
const taken: Scripted = {
  status: 409,
  body: refusal('EIN_ALREADY_EXISTS', [{ field: 'ein', message: 'is taken' }]),
  headers: { 'x-should-retry': 'false' },
}
const done: Scripted = { status: 201, body: { data: { id: 'empr_1' } } }

const employer = {
  name: 'Blue Heron Coffee',
  legal_name: 'Blue Heron Coffee Roasters LLC',
  ein: '47-2915386',
  email: 'benefits@blueheron.example',
  address: { address_line_1: '18 Harbor St', city: 'San Francisco', state: 'CA', zipcode: '94105' },
} as const

const create = (ob: OpenBenefits) => ob.employers.create(employer)
const get = (ob: OpenBenefits) => ob.employers.get('empr_1')
const change = (ob: OpenBenefits) => ob.employers.update('empr_1', { name: 'Heron' })
const revoke = (ob: OpenBenefits) => ob.apiKeys.revoke('key_1')

describe('retries only calls that may succeed:', () => {
  it.each([
    ['a create whose connection broke', create, broken, 2],
    ['a read whose connection broke', get, broken, 2],
    ['a change whose connection broke', change, broken, 2],
    ['a revocation whose connection broke', revoke, broken, 2],
    ['a create beyond the rate limit', create, limited, 2],
    ['a create while the service is down', create, down, 2],
    ['a create that failed', create, failed, 2],
    ['a create whose first attempt still runs', create, in_progress, 2],
    ['a response that is not JSON', get, { status: 200, body: '<html>' }, 2],
    ['a gateway that returns HTML', get, { status: 502, body: '<html>' }, 2],
    ['a create that is refused', create, taken, 1],
    ['a wrong request', create, { status: 400, body: refusal('invalid_request') }, 1],
    ['a wrong key', get, { status: 401, body: refusal('unauthorized') }, 1],
    ['a missing resource', get, { status: 404, body: refusal('not_found') }, 1],
    ['a proxy that forbids the request', get, { status: 403, body: '<html>' }, 1],
    ['a Retry-After of an hour', get, { ...limited, headers: { 'retry-after': '3600' } }, 1],
  ] as const)('%s', async (_, call, first, attempts) => {
    const { ob, sent, pauses } = scriptedClient([first as Scripted, done])
    const outcome = await call(ob).then(
      () => 'done',
      (error: unknown) => error,
    )
    expect(sent).toHaveLength(attempts)
    expect(pauses).toHaveLength(attempts - 1)
    if (attempts === 2) expect(outcome).toBe('done')
    else expect(outcome).toBeInstanceOf(ApiError)
  })

  it('retries five times, or as often as configured', async () => {
    const usual = scriptedClient([failed])
    await expect(get(usual.ob)).rejects.toMatchObject({ code: 'internal_error', status: 500 })
    expect(usual.sent).toHaveLength(6)

    const once = scriptedClient([failed], { maxRetries: 1 })
    await expect(get(once.ob)).rejects.toThrow(ApiError)
    expect(once.sent).toHaveLength(2)
    await expect(once.ob.employers.get('empr_1', { maxRetries: 0 })).rejects.toThrow(ApiError)
    expect(once.sent).toHaveLength(3)
  })

  it('never retries before Retry-After, and then adds a random delay', async () => {
    const { ob, pauses } = scriptedClient([limited, limited, down, failed, failed, done])
    await create(ob)
    expect(pauses[0]).toBeGreaterThanOrEqual(3000)
    expect(pauses[0]).toBeLessThan(3750)
    expect(pauses[2]).toBeGreaterThanOrEqual(5000)
    expect(pauses[3]).toBeLessThanOrEqual(4000)
    expect(new Set(pauses).size).toBe(5)
  })

  it('accepts a date in Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-10T16:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    const date = new Date(Date.now() + 20_000).toUTCString()
    const { ob, pauses } = scriptedClient([{ ...limited, headers: { 'retry-after': date } }, done])
    await create(ob)
    expect(pauses[0]).toBeGreaterThanOrEqual(20_000)
    expect(pauses[0]).toBeLessThanOrEqual(25_000)
  })
})

describe('a call', () => {
  it('keeps its idempotency key in all attempts, and the next call has another', async () => {
    const { ob, sent } = scriptedClient([broken, failed, done])
    await create(ob)
    await create(ob)
    await ob.employers.create(employer, { idempotencyKey: 'mine' })
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]])
    expect(keys[3]).not.toBe(keys[0])
    expect(keys[4]).toBe('mine')
  })

  it('sends ids, query, body and options in the right places', async () => {
    const { ob, sent } = scriptedClient([{ body: { data: [], pagination: { total_pages: 0 } } }], {
      organization: 'org_1',
    })
    const query = {
      benefit_family: ['mec', 'dental'],
      include_cancelled: true,
      search: 'a&b',
      hris_status: [],
    } as const
    await ob.employers.list({ ...query, benefit_family: [...query.benefit_family], hris_status: [] })
    expect(sent[0]).toMatchObject({
      method: 'GET',
      path: '/v1/employers?benefit_family=mec&benefit_family=dental&include_cancelled=true&search=a%26b',
    })
    expect(Object.fromEntries(sent[0]!.headers)).toEqual({
      accept: 'application/json',
      authorization: 'Bearer obk_test_x',
      'x-service-organization': 'org_1',
    })
    await ob.statements.recordActuals('empr_1', 'stmt_1', 'a,b\n1,2\n', { organization: 'org_2' })
    expect(sent[1]).toMatchObject({
      method: 'POST',
      path: '/v1/employers/empr_1/payroll-deduction-statements/stmt_1/actuals',
      body: 'a,b\n1,2\n',
    })
    expect(sent[1]!.headers.get('content-type')).toBe('text/csv')
    expect(sent[1]!.headers.get('x-service-organization')).toBe('org_2')
  })

  it.each(['', undefined, null, 7])('with the id %j is refused before it is sent', async (id) => {
    const { ob, sent } = scriptedClient([done])
    await expect(async () => ob.employers.get(id as string)).rejects.toThrow(
      'employers.get: employer_id must be a non-empty string.',
    )
    expect(sent).toEqual([])
  })

  it.each(['.', '..'])('with the id %j is refused, because it would reach another operation', async (id) => {
    const { ob, sent } = scriptedClient([done])
    await expect(async () => ob.employers.get(id)).rejects.toThrow('employers.get: employer_id must be an id.')
    expect(sent).toEqual([])
  })

  it('keeps its path with any characters in an id', async () => {
    const { ob, sent } = scriptedClient([done])
    await ob.employers.get('../organizations?x=1')
    expect(sent[0]!.path).toBe('/v1/employers/..%2Forganizations%3Fx%3D1')
  })

  it('passes each attempt to the hooks, which can add headers, and throws their errors', async () => {
    const seen: string[] = []
    const { ob, sent } = scriptedClient([limited, done], {
      onRequest: (request, { operation, attempt }) => {
        seen.push(`${operation} ${attempt}`)
        request.headers.set('x-trace', `t-${attempt}`)
      },
      onResponse: (response, { attempt }) => void seen.push(`${response.status} ${attempt}`),
    })
    await create(ob)
    expect(seen).toEqual(['employers.create 1', '429 1', 'employers.create 2', '201 2'])
    expect(sent.map(({ headers }) => headers.get('x-trace'))).toEqual(['t-1', 't-2'])

    const wrong = new Error('of the hook')
    const { ob: hooked, sent: none } = scriptedClient([done], { onRequest: () => Promise.reject(wrong) })
    await expect(create(hooked)).rejects.toBe(wrong)
    expect(none).toEqual([])
  })

  it('ends with its signal, even while it waits for a retry', async () => {
    const stopping = new AbortController()
    const reason = new Error('enough')
    const waiting = scriptedClient([limited], {
      sleep: (_, signal) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason))
          stopping.abort(reason)
        }),
    })
    await expect(waiting.ob.employers.get('empr_1', { signal: stopping.signal })).rejects.toBe(reason)
    await expect(waiting.ob.employers.get('empr_1', { signal: stopping.signal })).rejects.toBe(reason)
    expect(waiting.sent).toHaveLength(1)

    const sending = new AbortController()
    const ob = new OpenBenefits({
      apiKey: 'k',
      fetch: (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason))
          sending.abort(reason)
        }),
    })
    await expect(ob.employers.get('empr_1', { signal: sending.signal })).rejects.toBe(reason)
  })

  it('times out an attempt, reports it, and retries', async () => {
    vi.useFakeTimers()
    try {
      let attempts = 0
      const ob = new OpenBenefits({
        apiKey: 'k',
        timeout: 1500,
        sleep: async () => undefined,
        fetch: (request) =>
          new Promise((resolve, reject) => {
            if (++attempts === 3) resolve(new Response('{"data":{"id":"empr_1"}}'))
            request.signal.addEventListener('abort', () => reject(request.signal.reason))
          }),
      })
      const answer = ob.employers.get('empr_1')
      await vi.advanceTimersByTimeAsync(3100)
      expect(await answer).toEqual({ id: 'empr_1' })
      const given_up = ob.employers.get('empr_1', { maxRetries: 0, timeout: 10 }).catch((error: Error) => error.message)
      await vi.advanceTimersByTimeAsync(10)
      expect(await given_up).toBe('GET http://127.0.0.1:8080/v1/employers/empr_1: no response within 10 ms')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a client', () => {
  it('reports a missing key', () => {
    vi.stubEnv('OPENBENEFITS_API_KEY', undefined)
    expect(() => new OpenBenefits()).toThrow('Pass apiKey or getToken, or set OPENBENEFITS_API_KEY.')
    vi.unstubAllEnvs()
  })

  it('reads its key and URL from the environment', async () => {
    vi.stubEnv('OPENBENEFITS_API_KEY', 'obk_env')
    vi.stubEnv('OPENBENEFITS_URL', 'https://benefits.example/base/')
    const requested: string[] = []
    const ob = new OpenBenefits({
      fetch: async ({ url, headers }) => {
        requested.push(url, headers.get('authorization')!)
        return new Response('{"data":{}}')
      },
    })
    vi.unstubAllEnvs()
    await ob.employers.get('empr_1')
    expect(requested).toEqual(['https://benefits.example/base/v1/employers/empr_1', 'Bearer obk_env'])
  })

  it('requests another token once after a refusal', async () => {
    const refused: (string | undefined)[] = []
    const unauthorized: Scripted = { status: 401, body: refusal('unauthorized') }
    const getToken = async (token?: string) => `t${refused.push(token)}`
    const once = scriptedClient([unauthorized, { body: { data: {} } }], { apiKey: undefined as never, getToken })
    await get(once.ob)
    expect(refused).toEqual([undefined, 't1'])
    expect(once.sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer t1', 'Bearer t2'])

    const never = scriptedClient([unauthorized], { apiKey: undefined as never, getToken })
    await expect(get(never.ob)).rejects.toMatchObject({ status: 401 })
    expect(never.sent).toHaveLength(2)
  })

  it('sends nothing if getToken returns anything but a string', async () => {
    const getToken = async () => ({ access_token: 'obat_1', expires_in: 900 }) as never
    const { ob, sent } = scriptedClient([{ body: { data: {} } }], { apiKey: undefined as never, getToken })
    await expect(get(ob)).rejects.toThrow('getToken must return a string, the access_token.')
    expect(sent).toEqual([])
  })
})

describe('a refusal', () => {
  it('has its code, fields, documentation page and trace id', async () => {
    const { ob } = scriptedClient([taken])
    const error: unknown = await create(ob).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ApiError)
    if (!(error instanceof ApiError)) return
    expect(error.is('EIN_ALREADY_EXISTS')).toBe(true)
    expect(error.is('not_found')).toBe(false)
    expect(error.fields.ein).toBe('is taken')
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'EIN_ALREADY_EXISTS: ein: is taken',
      operation: 'employers.create',
      status: 409,
      doc_url: 'http://x/docs/errors/EIN_ALREADY_EXISTS',
      trace_id: 'trace-1',
    })
    expect(error.from('employees.create')).toBe(false)
    if (!error.from('employers.create')) throw new Error('The refused method is employers.create.')
    expect(error.is('EIN_ALREADY_EXISTS')).toBe(true)
    // @ts-expect-error -- this code is not among the codes of the method
    expect(error.is('employee_already_exists')).toBe(false)
  })

  it('names a proxy as its source', async () => {
    const { ob } = scriptedClient([{ status: 413, body: '<html>' }])
    await expect(get(ob)).rejects.toMatchObject({ status: 413, code: 'upstream_error', trace_id: '', details: [] })
    const { ob: read } = scriptedClient([{ body: '[broken' }], { maxRetries: 0 })
    await expect(get(read)).rejects.toMatchObject({ status: 502, code: 'upstream_error' })
  })

  it('differs from a ConnectionError, which has the reason for a missing response', async () => {
    const { ob } = scriptedClient([broken], { maxRetries: 0 })
    const error: unknown = await get(ob).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: 'GET http://service.example/v1/employers/empr_1: connect ECONNREFUSED',
      cause: broken,
    })
  })
})

describe('a list', () => {
  const page = (ids: string[], pagination: object): Scripted => ({
    body: { data: ids.map((id) => ({ id })), ...pagination },
  })
  const counted = (number: number, total_pages: number) => ({
    pagination: { page: number, limit: 2, total: 5, total_pages },
  })
  const all = async <Row extends { id: string }>(rows: AsyncIterable<Row>) => {
    const ids: string[] = []
    for await (const { id } of rows) ids.push(id)
    return ids
  }

  it('returns one page when awaited', async () => {
    const { ob, sent } = scriptedClient([page(['a', 'b'], counted(1, 3))])
    const first = await ob.employers.list({ limit: 2 })
    expect(first.data.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(first.pagination.total_pages).toBe(3)
    expect(sent.map(({ path }) => path)).toEqual(['/v1/employers?limit=2'])
  })

  it('returns all rows when iterated, 100 per request by default', async () => {
    const script = [page(['a', 'b'], counted(1, 3)), page(['c', 'd'], counted(2, 3)), page(['e'], counted(3, 3))]
    const { ob, sent } = scriptedClient(script)
    expect(await all(ob.employees.list('empr_1', { search: 'x' }))).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(sent.map(({ path }) => path.split('?')[1])).toEqual([
      'limit=100&search=x',
      'limit=100&search=x&page=2',
      'limit=100&search=x&page=3',
    ])
    const { ob: from_two, sent: requested } = scriptedClient(script.slice(1))
    expect(await all(from_two.employees.list('empr_1', { page: 2, limit: 2 }))).toEqual(['c', 'd', 'e'])
    expect(requested.map(({ path }) => path.split('?')[1])).toEqual(['limit=2&page=2', 'limit=2&page=3'])
  })

  it('follows cursors', async () => {
    const { ob, sent } = scriptedClient([page(['a'], { next_offset: 'n1' }), page(['b'], { next_offset: null })])
    expect(await all(ob.auditEntries.list())).toEqual(['a', 'b'])
    expect(sent.map(({ path }) => path.split('?')[1])).toEqual(['limit=100', 'limit=100&offset=n1'])
  })

  it('is complete in one request if the service returns all rows', async () => {
    const { ob, sent } = scriptedClient([{ body: { organizations: [{ id: 'org_1' }, { id: 'org_2' }], total: 2 } }])
    expect(await all(ob.organizations.list())).toEqual(['org_1', 'org_2'])
    expect(sent.map(({ path }) => path)).toEqual(['/v1/organizations'])
  })

  it('stops sending requests when the reader stops or a page is empty', async () => {
    const { ob, sent } = scriptedClient([page(['a', 'b'], counted(1, 3)), page([], counted(2, 3))])
    for await (const row of ob.employers.list()) {
      expect(row.id).toBe('a')
      break
    }
    expect(sent).toHaveLength(1)
    expect(await all(ob.employers.list({ page: 2 }))).toEqual([])
    expect(sent).toHaveLength(2)
  })

  it('throws refusals like any call', async () => {
    const { ob } = scriptedClient([{ status: 404, body: refusal('not_found') }])
    await expect(ob.employees.list('empr_1').then(() => 'a page')).rejects.toMatchObject({ code: 'not_found' })
    await expect(all(ob.employees.list('empr_1'))).rejects.toMatchObject({ operation: 'employees.list' })
  })
})
