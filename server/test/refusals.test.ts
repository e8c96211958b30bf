import { describe, expect, it } from 'vitest'
import { endpoints } from '../modules.ts'
import { Refusal } from '../kernel/refusal.ts'
import { parseQuery } from '../http/body/query-validation.ts'
import { codeOf, refusalOf } from './response.ts'
import { aPerson, anEmployer, createEmployee, createEmployer } from './fixtures.ts'
import { useApi } from './harness.ts'
import { sendRaw } from './clients/raw-connection.ts'

/** Refusals name the fault, its position, and the allowed values. */
const api = useApi()

describe('a query', () => {
  it.each(['-1', '0', '101', '1.5', 'x'])('with limit=%s is refused with the allowed range', async (limit) => {
    const { status, error } = await api.get(`/v1/employers?limit=${limit}`)
    const message = 'must be a whole number from 1 to 100'
    expect([status, error.details]).toEqual([400, [{ field: 'limit', message }]])
  })

  it.each(['', '=', '=yes', '=TRUE', '=1', '=&dry_run=true'])('with dry_run%s never runs for real', async (sent) => {
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}/census-sync` as const
    const answer = await api.post(`${path}?dry_run${sent}`, { employees: [aPerson()] })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'dry_run'])
    expect((await api.get(path)).body.data).toEqual([])
  })

  const flags = endpoints.flatMap((endpoint) =>
    Object.keys(endpoint.query?.shape ?? {})
      .filter(
        (name) => ['dry_run', 'unbound', 'late', 'failing', 'under_way'].includes(name) || name.startsWith('include_'),
      )
      .map((name) => [endpoint.operation, name, endpoint] as const),
  )
  it.each(flags)('of %s accepts only true or false for %s', (_, name, endpoint) => {
    const given = (input: string) => parseQuery(endpoint, { [name]: input })[name]
    expect([given('true'), given('false')]).toEqual([true, false])
    for (const wrong of endpoint.method === 'GET' ? ['yes', '0'] : ['', ' ', 'yes', '0'])
      expect(() => given(wrong)).toThrow(expect.toSatisfy((why) => why instanceof Refusal && named(why) === name))
  })
  const named = (why: Refusal) => why.details[0]?.field
})

describe('an invisible name', () => {
  const unseen = ['\u200b', '\u200e\u202e', '\u2066 \u2069', '\u3164', '\ufeff\u2060', '\u00ad', '\u2800']

  it.each(unseen)('is refused for every resource with a name: %j', async (name) => {
    const employer_id = await createEmployer(api)
    const { id } = await createEmployee(api, employer_id)
    const row = aPerson()
    const tried = [
      await api.post('/v1/employers', { ...anEmployer(), name }),
      await api.put(`/v1/employers/${employer_id}`, { name }),
      await api.post('/v1/groups', { external_reference_id: `unseen-${name.codePointAt(0)}`, name }),
      await api.post('/v1/organizations', { name }, { key: api.story.newcomer_api_key }),
    ]
    for (const answer of tried) expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'name'])
    const people = [
      await api.post(`/v1/employers/${employer_id}/employees`, { ...row, start_date: '2026-03-02', first_name: name }),
      await api.post(`/v1/employees/${id}/dependents`, { ...row, relationship: 'child', first_name: name }),
    ]
    for (const answer of people) expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'first_name'])
    const census = await api.post(`/v1/employers/${employer_id}/census-sync`, {
      employees: [{ ...row, last_name: name }],
    })
    expect(refusalOf(census)).toEqual([400, 'invalid_request', 'employees[0].last_name'])
  })

  it('may contain invisible characters among others, since some scripts need them', async () => {
    const { first_name } = await createEmployee(api, await createEmployer(api), { first_name: 'می\u200cخواهم' })
    expect(first_name).toBe('می\u200cخواهم')
  })
})

it('lists all missing fields of a policy', async () => {
  const path = `/v1/employers/${await createEmployer(api)}/benefit-eligibility-policies` as const
  const fieldsOf = async (body: object) => (await api.post(path, body)).error.details.map(({ field }) => field)
  expect(await fieldsOf({})).toEqual(['waiting_period', 'classification'])
  expect(await fieldsOf({ classification: 'all' })).toEqual(['waiting_period'])
  expect(await fieldsOf({ waiting_period: 'none' })).toEqual(['classification'])
})

describe('a refusal names', () => {
  it('the reused Idempotency-Key', async () => {
    const send = () => api.post('/v1/employers', anEmployer(), { headers: { 'idempotency-key': 'plainly' } })
    expect((await send()).status).toBe(201)
    expect(refusalOf(await send())).toEqual([422, 'idempotency_key_reused', 'Idempotency-Key'])
  })

  it('an organization header without an organization, or with one out of reach', async () => {
    const key = api.story.multi_organization_api_key
    const send = (named?: string) =>
      api.get('/v1/employers', { key, headers: named === undefined ? {} : { 'x-service-organization': named } })
    const field = 'X-Service-Organization'
    expect(refusalOf(await send())).toEqual([400, 'organization_required', field])
    expect(refusalOf(await send('Harbor'))).toEqual([400, 'invalid_organization_header', field])
    const elsewhere = 'org_01kdq7b4w8e9rs2mh3n5t6v7xz'
    expect(refusalOf(await send(elsewhere))).toEqual([403, 'organization_access_denied', field])
  })

  it('the organization that a user already has', async () => {
    const answer = await api.post('/v1/organizations', { name: 'A second one' })
    expect(codeOf(answer)).toEqual([409, 'organization_already_exists'])
    const message = `is ${api.story.organization_id}`
    expect(answer.error.details).toEqual([{ field: 'organization_id', message }])
  })
})

it.each([
  ['path', `/v1/employers/${'a'.repeat(20_000)}`],
  ['query', `/v1/employers?search=${'a'.repeat(20_000)}`],
])('refuses a too long %s with the limit, in the standard error body', async (_, path) => {
  const input = await sendRaw(api.url, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  const [head = '', body = ''] = input.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 431 [^]*content-type: application\/json/)
  const message = 'The request is too long. The path, query and headers together may have at most 16 KiB.'
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request', message }, message })
})
