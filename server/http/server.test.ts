import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { insertMembership, insertUser } from '../modules/access/organizations/queries.ts'
import { aPerson, anEmployer, createEmployee, createEmployer, boundToken } from '../test/fixtures.ts'
import { codeOf } from '../test/response.ts'
import { useApi } from '../test/harness.ts'
import { newId } from '../kernel/ids.ts'

const allowed = 'https://app.example.com'
const api = useApi({ rate_limit: { per_minute: 600, burst: 5 }, cors_origins: [allowed] })

describe('Idempotency-Key', () => {
  const create = (body: object, key: string, more: object = {}) =>
    api.post('/v1/employers', body, { headers: { 'idempotency-key': key }, ...more })

  it('replays the stored response to the same request, however its JSON is formatted', async () => {
    const body = anEmployer()
    const first = await create(body, 'one')
    const again = await api.post('/v1/employers', undefined, {
      raw: JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2),
      headers: { 'idempotency-key': 'one' },
    })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
    expect(await api.events(first.body.data.id)).toEqual(['employer.created'])
  })

  it('refuses the same key with another body, and an empty or overlong key', async () => {
    await create(anEmployer(), 'two')
    expect(codeOf(await create(anEmployer(), 'two'))).toEqual([422, 'idempotency_key_reused'])
    expect(codeOf(await create(anEmployer(), 'x'.repeat(256)))).toEqual([400, 'invalid_request'])
    expect((await create(anEmployer(), 'x'.repeat(255))).status).toBe(201)
  })

  it('is valid for one credential and path, for 24 hours', async () => {
    const body = anEmployer()
    await create(body, 'three')
    expect((await create(body, 'three', { key: api.story.rival_api_key })).status).toBe(201)
    api.wait(23 * 3_600_000)
    expect((await create(body, 'three')).headers.get('idempotent-replayed')).toBe('true')
    api.wait(2 * 3_600_000)
    expect(codeOf(await create(body, 'three'))).toEqual([409, 'EIN_ALREADY_EXISTS'])
    await api.runDays()
    const { count } = (await api.database.reads.row<{ count: number }>(
      `select count(*) from idempotency_keys where key = 'two'`,
    ))!
    expect(count).toBe(0)
    api.moveTo('2026-03-10')
  })

  it('checks permission before a replay, and is valid for one organization', async () => {
    const key = api.story.multi_organization_api_key
    const body = anEmployer()
    const as = (organization: string) =>
      api.post('/v1/employers', body, {
        key,
        headers: { 'idempotency-key': 'six', 'x-service-organization': organization },
      })
    expect((await as(api.story.organization_id)).status).toBe(201)
    expect(codeOf(await as(api.story.rival_organization_id))).toEqual([422, 'idempotency_key_reused'])

    const issue = (more: object) =>
      api.post(
        '/v1/auth/access-tokens',
        { grant_type: 'client_credentials' },
        { headers: { 'idempotency-key': 'seven' }, ...more },
      )
    const { body: issued } = await issue({})
    expect(codeOf(await issue({ key: issued.access_token }))).toEqual([403, 'forbidden'])
  })

  it('does not store a refusal, so the fixed request succeeds with the same key', async () => {
    expect((await create({ ...anEmployer(), name: '' }, 'four')).status).toBe(400)
    expect((await create(anEmployer(), 'four')).status).toBe(201)
  })

  it('creates one employee from 20 simultaneous requests with one key', async () => {
    const employer_id = await createEmployer(api)
    const body = aPerson()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post(`/v1/employers/${employer_id}/employees`, body, { headers: { 'idempotency-key': 'five' } }),
      ),
    )
    const codes = new Set(answers.map((answer) => (answer.status === 409 ? answer.error.code : answer.status)))
    expect([...codes].filter((code) => code !== 201)).toEqual(codes.size > 1 ? ['idempotency_key_in_progress'] : [])
    expect((await api.get(`/v1/employers/${employer_id}/employees`)).body.pagination.total).toBe(1)
  })
})

describe('rate limit', () => {
  /** A rate-limited key of Harbor. */
  const aLimitedKey = async (): Promise<string> => {
    const { api_key } = await api.act(async (ctx) => {
      const user_id = newId('usr')
      await insertUser(ctx, { id: user_id, name: 'Limited', email: null })
      await insertMembership(ctx, { organization_id: api.story.organization_id, user_id, role: 'OPERATIONS' })
      return createApiKey(ctx, { user_id, organization_id: null, mode: 'test', rate_limited: true })
    })
    return api_key
  }

  it('accepts a burst, then refuses until tokens have refilled', async () => {
    const api_key = await aLimitedKey()
    const get = () => api.get('/v1/organizations', { key: api_key })
    const answers = []
    for (let count = 0; count < 6; count++) answers.push(await get())
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0'])
    const refused = answers[5]!
    expect(refused.error.code).toBe('rate_limited')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit-reason')).toBe('credential')
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBe(Math.ceil(api.runtime.clock() / 1000 + 0.5))
    api.wait(100)
    expect([(await get()).status, (await get()).status]).toEqual([200, 429])
    api.wait(60_000)
    expect((await get()).headers.get('x-ratelimit-remaining')).toBe('4')
  })

  it('is shared by a key and all its tokens', async () => {
    const { id: employee_id } = await createEmployee(api, await createEmployer(api))
    const api_key = await aLimitedKey()
    const issue = async (bound_entity?: object) =>
      (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity }, { key: api_key }))
        .body.access_token
    const [bound, unbound] = [await issue({ type: 'employee', id: employee_id }), await issue()]
    const leftFor = async (key: string) => {
      const { headers } = await api.get(`/v1/employees/${employee_id}`, { key })
      return headers.get('x-ratelimit-remaining')
    }
    expect([await leftFor(bound), await leftFor(api_key), await leftFor(unbound)]).toEqual(['2', '1', '0'])
    expect((await api.get(`/v1/employees/${employee_id}`, { key: bound })).status).toBe(429)
  })
})

describe('browsers', () => {
  let token: string
  let employee_id: string

  beforeAll(async () => {
    const employee = await createEmployee(api, await createEmployer(api))
    employee_id = employee.id
    token = await boundToken(api, 'employee', employee_id)
  })

  const from = (origin: string, key: string | null, method = 'GET') =>
    api.call(method, `/v1/employees/${employee_id}`, {
      key,
      headers: { origin, 'access-control-request-method': 'GET' },
    })

  it('may call from an allowed origin with a bound token, and never with an API key', async () => {
    const answer = await from(allowed, token)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, allowed])
    expect(codeOf(await from(allowed, api.story.api_key))).toEqual([403, 'api_key_in_browser'])
    expect((await from('https://evil.example.com', token)).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('may send any header that their client requests, and read all response headers', async () => {
    const requested = 'authorization, content-type, idempotency-key, x-client-version, x-retry-count'
    const preflight = await api.call('OPTIONS', `/v1/employees/${employee_id}`, {
      key: null,
      headers: {
        origin: allowed,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': requested,
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toBe(requested)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    const answers = [
      await from(allowed, token),
      await from(allowed, null),
      await from(allowed, token, 'PROPFIND'),
      await api.post(`/v1/employees/${employee_id}/dependents`, {}, { key: token, headers: { origin: allowed } }),
    ]
    // Headers that every page may read, or that the browser handles itself.
    const simple =
      /^(cache-control|x-content-type-options|content-(language|length|type)|expires|last-modified|pragma|date|connection|keep-alive|vary|access-control-.*)$/
    for (const { headers } of answers) {
      const exposed = headers.get('access-control-expose-headers')!.toLowerCase().split(', ')
      expect([...headers.keys()].filter((name) => !simple.test(name) && !exposed.includes(name))).toEqual([])
      expect(exposed).toContain('idempotent-replayed')
    }
  })

  it('get the same decision in the preflight', async () => {
    const answer = await from(allowed, null, 'OPTIONS')
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, allowed])
    expect(
      (await from('https://evil.example.com', null, 'OPTIONS')).headers.get('access-control-allow-origin'),
    ).toBeNull()
  })
})

describe('unusual requests', () => {
  it('escaped paths do not mix up the operator and the partner interface', async () => {
    for (const path of ['/%6fperator/v1/users', '/operator/v1/%75sers']) {
      expect(codeOf(await api.post(path, { name: 'Eve' }))).toEqual([401, 'unauthorized'])
      expect((await api.post(path, { name: 'Eve' }, { key: api.operator_key })).status).toBe(201)
    }
    expect((await api.get('/%761/employers', { key: api.operator_key })).status).toBe(401)
  })

  it('a body that is not UTF-8 returns 400, and an unknown method 405', async () => {
    const raw = Buffer.from(JSON.stringify(anEmployer({ name: 'Caf\u00e9' })), 'latin1')
    expect(codeOf(await api.call('POST', '/v1/employers', { raw }))).toEqual([400, 'invalid_request'])
    const other_method = await api.call('PROPFIND', '/v1/employers')
    expect(codeOf(other_method)).toEqual([405, 'method_not_allowed'])
    expect(other_method.error.message).toBe('This path supports only GET, HEAD, POST.')
  })

  it('bodies of unknown paths and methods are not read', async () => {
    const raw = 'x'.repeat(5_000_000)
    expect(codeOf(await api.call('POST', '/v1/nowhere', { raw, key: null }))).toEqual([401, 'unauthorized'])
    expect(codeOf(await api.call('PUT', '/v1/employers', { raw: '{' }))).toEqual([405, 'method_not_allowed'])
  })

  it('a nested SSN is refused, a compressed body returns 415, and a large one closes the connection', async () => {
    const employer_id = await createEmployer(api)
    const census = { employees: [aPerson(), { ...aPerson(), address: { SSN: '1' } }] }
    const answer = await api.post(`/v1/employers/${employer_id}/census-sync`, census)
    expect(answer.error.details[0]?.field).toBe('employees[1].address.SSN')
    const packed = await api.post('/v1/employers', anEmployer(), { headers: { 'content-encoding': 'gzip' } })
    expect(codeOf(packed)).toEqual([415, 'unsupported_media_type'])
    const large = await api.call('POST', '/v1/employers', { raw: 'x'.repeat(5_000_000) })
    expect(codeOf(large)).toEqual([413, 'payload_too_large'])
    expect(large.headers.get('connection')).toBe('close')
  })

  it('a caller without an organization is refused before the body is validated', async () => {
    const answer = await api.post('/v1/employers', {}, { key: api.story.newcomer_api_key })
    expect([...codeOf(answer), answer.error.message]).toEqual([
      403,
      'forbidden',
      'These credentials reach no organization.',
    ])
  })

  it('a body with too many values is refused early', async () => {
    const employer_id = await createEmployer(api)
    const raw = `{"employees":[${'{},'.repeat(600_000)}{}]}`
    const answer = await api.call('POST', `/v1/employers/${employer_id}/census-sync`, { raw })
    expect(codeOf(answer)).toEqual([400, 'invalid_request'])
  })
})

describe('every response', () => {
  it.each([
    ['a list', '/v1/employers', {}],
    ['a refusal', '/v1/employers', { key: null }],
    ['an unknown path', '/nowhere', { key: null }],
    ['health', '/health/live', { key: null }],
    ['the document', '/v1/openapi.json', { key: null, headers: { 'accept-encoding': 'identity' } }],
  ])('ends with a newline: %s', async (_, path, options) => {
    const { text, headers } = await api.get(path, options)
    expect(text).toMatch(/[^\n]\n$/)
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  })

  it('has the same length for HEAD', async () => {
    const [head, get] = [await api.call('HEAD', '/v1/employers'), await api.get('/v1/employers')]
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })
})

describe('every write', () => {
  it('leaves an audit entry that names fields and never their values', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    await api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', email: 'secret@example.com' })
    const entries = await api.database.reads.rows<{ operation: string; fields: string[] }>(
      `select operation, fields, organization_id, actor_id from audit_entries
        where fields is not null and resource_id = $1 order by id`,
      [id],
    )
    expect(entries.map(({ operation, fields }) => [operation, fields.length])).toEqual([
      ['employees_create_employee', 6],
      ['employees_update', 2],
    ])
    expect(entries[1]).toMatchObject({
      fields: ['effective_date', 'email'],
      organization_id: api.story.organization_id,
      actor_id: expect.stringMatching(/^key_/),
    })
  })
})

describe('a database that restarts', () => {
  it('returns 503 with a Retry-After, and works again afterwards', async () => {
    const name = (await api.database.reads.row<{ name: string }>('select current_database() as name'))!.name
    const others = `select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = $1
        and pid <> pg_backend_pid()`
    await api.database.reads.row(others, [name])
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.get('/v1/organizations')))
    for (const { status, headers } of answers)
      if (status !== 200)
        expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^([5-9]|10)$/)])
    await api.get('/v1/organizations')
    expect((await api.get('/v1/organizations')).status).toBe(200)
  })
})

describe('transport security', () => {
  const hsts = 'max-age=31536000'

  describe('behind a trusted proxy', () => {
    const api = useApi({ trusted_proxies: ['127.0.0.0/8'] })
    const sentOver = async (proto: string, path = '/v1/employers') =>
      (await api.get(path, { headers: { 'x-forwarded-proto': proto } })).headers.get('strict-transport-security')

    it('responses over https include Strict-Transport-Security', async () => {
      expect(await sentOver('https')).toBe(hsts)
      for (const path of ['/docs', '/sign-in', '/health/live', '/v1/nowhere', '/v1/openapi.json'])
        expect(await sentOver('https', path), path).toBe(hsts)
    })

    it('responses over http omit it', async () => {
      expect(await sentOver('http')).toBeNull()
    })
  })

  describe('without a trusted proxy', () => {
    const api = useApi()

    it('a client cannot claim that its request came over https', async () => {
      const { headers } = await api.get('/v1/employers', { headers: { 'x-forwarded-proto': 'https' } })
      expect(headers.get('strict-transport-security')).toBeNull()
    })
  })
})

describe('an unknown path', () => {
  it.each([
    ['/v1/employer', '/v1/employers'],
    ['/v1/Employers', '/v1/employers'],
    ['/v1/organizations/', '/v1/organizations'],
    ['/v1/employers/?limit=1', '/v1/employers'],
    ['/v1/groups/', '/v1/groups'],
    ['//v1//employers', '/v1/employers'],
    ['/employers', '/v1/employers'],
    ['/v1/employees', '/v1/employers/{employer_id}/employees'],
    ['/v1/employers/x/employes?search=x', '/v1/employers/{employer_id}/employees'],
    ['/v1/auth/access-token', '/v1/auth/access-tokens'],
    ['/v1/auth/access_tokens', '/v1/auth/access-tokens'],
  ])('%s returns 404 with the path that was meant', async (path, meant) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const answer = await api.call(method, path)
      expect(codeOf(answer)).toEqual([404, 'not_found'])
      expect(answer.error.message).toBe(`This path does not exist. Did you mean ${meant}?`)
    }
  })

  it.each(['/v1', '/v1/nothing-like-it', '/v1/confirm', '/v1/operator/v1/tasks', '/v1/employers/x/y/z'])(
    '%s returns 404 without a guess, and without the message about resources',
    async (path) => {
      const { error } = await api.get(path)
      expect([error.code, error.message]).toEqual([
        'not_found',
        'This path does not exist. GET /v1/openapi.json lists the paths.',
      ])
    },
  )

  it('names the interface that accepts the credential if it is valid for the other one', async () => {
    const operators = await api.get('/operator/v1/tasks')
    expect([codeOf(operators), operators.error.message]).toEqual([
      [401, 'unauthorized'],
      expect.stringContaining('work at /v1 only. Use an operator key'),
    ])
    const partners = await api.get('/v1/employers', { key: api.operator_key })
    expect([codeOf(partners), partners.error.message]).toEqual([
      [401, 'unauthorized'],
      expect.stringContaining('Operator credentials work at /operator/v1 only.'),
    ])
  })

  it('gets no guess of operator paths, and nothing without credentials', async () => {
    expect((await api.get('/v1/audit')).error.message).not.toContain('/operator/')
    expect(codeOf(await api.get('/v1/employer', { key: null }))).toEqual([401, 'unauthorized'])
    const answer = await api.get('/operator/v1/organisations', { key: api.operator_key })
    expect(answer.error.message).toBe('This path does not exist. Did you mean /operator/v1/organizations?')
  })
})
