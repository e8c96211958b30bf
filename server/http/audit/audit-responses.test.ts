import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { newId } from '../../kernel/ids.ts'
import { createEmployee, createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { openAuditLog } from './audit-log.ts'
import { every_organization } from '../../database/query/rows-of.ts'

const api = useApi()

type Entry = {
  operation: string
  organization_id: string
  resource_id: string | null
  status: number
  actor_kind: string
  actor_id: string | null
  user_id: string | null
  address: string | null
  fields: string[] | null
}

/** The audit entries of a request, found by the id of its response. */
async function entriesOf(answer: { headers: Headers }): Promise<Entry[]> {
  await api.runtime.audit_log.close()
  return api.database.reads.rows<Entry>(
    `select operation, organization_id, resource_id, status, actor_kind, actor_id, user_id, address, fields
       from audit_entries where trace_id = $1`,
    [answer.headers.get('x-request-id')],
  )
}

let employee_id: string
let employer_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
  employee_id = (await createEmployee(api, employer_id)).id
})

const tokenFor = async (bound_entity?: object): Promise<string> =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })).body.access_token

describe('an entry', () => {
  const harbor = { organization_id: '', address: '127.0.0.1' }
  beforeAll(() => void (harbor.organization_id = api.story.organization_id))

  it('records the actor, address and resource of a read', async () => {
    const [entry, ...more] = await entriesOf(await api.get(`/v1/employees/${employee_id}`))
    expect(more).toEqual([])
    expect(entry).toEqual({
      ...harbor,
      operation: 'employees_get',
      resource_id: employee_id,
      status: 200,
      actor_kind: 'api_key',
      actor_id: expect.stringMatching(/^key_/),
      user_id: expect.stringMatching(/^usr_/),
      fields: null,
    })
  })

  it('contains the ids of the path and nothing else of the URL', async () => {
    const search = await api.get(`/v1/employers/${employer_id}/employees?search=Maria`)
    expect(await entriesOf(search)).toEqual([
      { ...(await entriesOf(search))[0]!, operation: 'employers_list_employees', resource_id: employer_id },
    ])
    const odd = await api.get('/v1/employees/maria@example.com')
    expect(await entriesOf(odd)).toMatchObject([{ operation: 'employees_get', resource_id: null, status: 404 }])
    const stored = await api.database.pool.query(`select row_to_json(batch)::text as text from audit_batches as batch`)
    expect(stored.rows.filter(({ text }) => /maria/i.test(text))).toEqual([])
  })

  it('of a write is recorded in its transaction, and only once', async () => {
    const write = await api.patch(`/v1/employees/${employee_id}`, { effective_date: '2026-03-10', phone: '2025550199' })
    expect(await entriesOf(write)).toMatchObject([
      { ...harbor, operation: 'employees_update', status: 200, fields: ['effective_date', 'phone'] },
    ])
  })

  it('records a replayed response', async () => {
    const send = () =>
      api.post('/v1/groups', { external_reference_id: 'g', name: 'G' }, { headers: { 'idempotency-key': 'again' } })
    await send()
    const again = await send()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await entriesOf(again)).toMatchObject([{ operation: 'groups_create', status: 201, fields: null }])
  })

  it('records refusals: missing permission, foreign resources, invalid bodies', async () => {
    const bound = { key: await tokenFor({ type: 'employee', id: employee_id }) }
    const forbidden = await api.get('/v1/groups', bound)
    expect(await entriesOf(forbidden)).toMatchObject([
      { ...harbor, status: 403, actor_kind: 'employee_token', actor_id: expect.stringContaining(`/${employee_id}`) },
    ])
    // A foreign id is recorded like one that does not exist, so that the entry does not reveal its existence.
    const entryOf = async (id: string) =>
      entriesOf(await api.get(`/v1/employees/${id}`, { key: api.story.rival_api_key }))
    const foreign = await entryOf(employee_id)
    expect(foreign).toMatchObject([
      { organization_id: api.story.rival_organization_id, resource_id: employee_id, status: 404 },
    ])
    const missing = newId('empl')
    expect(await entryOf(missing)).toEqual(foreign.map((entry) => ({ ...entry, resource_id: missing })))
    const wrong = await api.patch(`/v1/employees/${employee_id}`, { phone: 'no' })
    expect(await entriesOf(wrong)).toMatchObject([{ status: 400, fields: null }])
  })

  it('records invalid credentials, but not missing ones', async () => {
    const wrong = await api.get('/v1/groups', { key: 'maria' })
    expect(await entriesOf(wrong)).toMatchObject([{ status: 401, actor_kind: 'unauthenticated', actor_id: null }])
    expect(await entriesOf(await api.get('/v1/groups', { key: null }))).toEqual([])
  })

  it('of an operator or a super caller is recorded at the organization of the resource', async () => {
    const by_operator = await api.get(`/operator/v1/employers/${employer_id}/invoices`, { key: api.operator_key })
    expect(await entriesOf(by_operator)).toMatchObject([{ ...harbor, actor_kind: 'operator' }])
    const by_super = await api.get(`/v1/employees/${employee_id}`, { key: api.story.super_api_key })
    expect(await entriesOf(by_super)).toMatchObject([{ ...harbor, resource_id: employee_id, status: 200 }])
  })

  it('contains the address of the client as far as proxies are trusted', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    expect(await entriesOf(await api.get('/v1/groups', { headers }))).toMatchObject([{ address: '127.0.0.1' }])
  })
})

const auditLogOf = (more: object = {}) =>
  openAuditLog({
    database: api.database,
    clock: api.runtime.clock,
    secrets: api.runtime.secrets,
    log: api.runtime.log,
    ...more,
  })
const entry = {
  operation: 'employees_get',
  organization_id: null,
  resource_id: null,
  fields: null,
  status: 200,
  actor: { kind: 'api_key', id: 'key_1', user_id: null },
  address: null,
  trace_id: 'kept',
}

it('entries that arrive during a write wait for the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let written = 0
    const transaction = async () => {
      audit_log.note(entry)
      await Promise.resolve()
      audit_log.note(entry)
      written++
    }
    const audit_log = auditLogOf({ database: { ...api.database, transaction } })
    audit_log.note(entry)
    await vi.advanceTimersByTimeAsync(600)
    expect(written).toBe(1)
    await vi.advanceTimersByTimeAsync(599)
    expect(written).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(written).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

describe('when the database accepts no writes', () => {
  it('entries are queued, reads are refused when the queue is full, and all entries are written later', async () => {
    let is_away = true
    const transaction: typeof api.database.transaction = (rows_of, work, ms) =>
      is_away ? Promise.reject(new Error('away')) : api.database.transaction(rows_of, work, ms)
    const audit_log = auditLogOf({ database: { ...api.database, transaction } })
    const app = await buildApp(
      { ...api.runtime, audit_log },
      { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } },
    )
    const read = () =>
      app.inject({ method: 'GET', url: '/v1/groups', headers: { authorization: `Bearer ${api.story.api_key}` } })
    for (let count = 0; count < 20_000; count++) audit_log.note(entry)
    const refused = await read()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
    is_away = false
    await expect.poll(async () => (await read()).statusCode).toBe(200)
    await app.close()
    const { rows } = await api.database.pool.query(`select count(*) from audit_entries where trace_id = 'kept'`)
    expect(rows[0].count).toBe('20000')
  })

  it('entries that could not be written before the shutdown are logged', async () => {
    const reported: object[] = []
    const log = { ...api.runtime.log, error: (about: object) => void reported.push(about) }
    const transaction = () => Promise.reject(new Error('away'))
    const audit_log = auditLogOf({ database: { ...api.database, transaction }, log })
    audit_log.note(entry)
    await audit_log.close()
    expect(reported).toMatchObject([{ entries: [{ trace_id: 'kept', operation: 'employees_get' }] }])
  })

  it('refusals of unauthenticated clients beyond a limit are only counted', async () => {
    const audit_log = auditLogOf()
    for (let count = 0; count < 500; count++)
      audit_log.note({ ...entry, actor: { kind: 'unauthenticated', id: null, user_id: null }, trace_id: 'strange' })
    await audit_log.close()
    const { rows } = await api.database.pool.query(`select count(*) from audit_entries where trace_id = 'strange'`)
    expect(rows[0].count).toBe('100')
  })
})

it('writes an entry without a further request', async () => {
  const answer = await api.get(`/v1/employees/${employee_id}`)
  const written = async () => {
    const { rows } = await api.database.pool.query('select count(*) from audit_entries where trace_id = $1', [
      answer.headers.get('x-request-id'),
    ])
    return rows[0].count
  }
  await expect.poll(written).toBe('1')
})

it.each([
  ['changed', `update audit_batches set operations = '{}'`],
  ['removed', 'delete from audit_batches'],
  ['emptied', 'truncate audit_batches'],
  ['changed in its partition', `update audit_batches_2026_03 set operations = '{}'`],
  ['stripped of its chains', 'delete from audit_chains'],
  ['stripped of its seals', 'truncate audit_seals'],
])('the audit log cannot be %s, neither by the service nor by the owner of the tables', async (_, statement) => {
  const served = api.runtime.database.transaction(every_organization, (db) => db.rows(statement))
  await expect(served).rejects.toMatchObject({ code: '42501' })
  await expect(api.database.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
})

it('a chain cannot be rolled back', async () => {
  const turned = 'update audit_chains set batch_count = 1'
  const back = api.runtime.database.transaction(every_organization, (db) => db.rows(turned))
  await expect(back).rejects.toMatchObject({ code: '23001' })
})
