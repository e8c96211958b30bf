import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, createOrganization } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'

const api = useApi()
const path = '/v1/audit-entries' as const
const operators = '/operator/v1/audit-entries' as const

let employer_id: string
let employee_id: string
/** The audit entries of 30 reads of the employee, in order. */
const trace_ids: string[] = []

const written = () => api.runtime.audit_log.close()

beforeAll(async () => {
  employer_id = await createEmployer(api)
  employee_id = (await createEmployee(api, employer_id)).id
  for (let count = 0; count < 30; count++) {
    // Every fourth read ends a batch of audit entries, so that the entries are spread over several batches.
    if (count % 4 === 0) await written()
    api.wait(1000)
    const answer = await api.get(`/v1/employees/${employee_id}`)
    trace_ids.push(answer.headers.get('x-request-id')!)
  }
  await written()
})

/** All pages of a list with this limit. */
async function pagesOf(query: string, limit: number) {
  const found: { trace_id: string; id: string; occurred_at: string }[] = []
  let offset = ''
  for (;;) {
    const { body } = await api.get(`${path}?${query}&limit=${limit}${offset}`)
    found.push(...body.data)
    expect(body.data.length).toBeLessThanOrEqual(limit)
    if (body.next_offset === null) return found
    offset = `&offset=${body.next_offset}`
  }
}

describe('the audit log of an organization', () => {
  it('lists what was done and read, newest first', async () => {
    const made = first((await api.get(`${path}?operation=employees_create_employee`)).body.data)
    expect(made).toMatchObject({
      organization_id: api.story.organization_id,
      resource_id: employee_id,
      outcome: 'succeeded',
      status: 201,
      actor: { kind: 'api_key', id: expect.stringMatching(/^key_/), user_id: expect.stringMatching(/^usr_/) },
      address: '127.0.0.1',
    })
    expect(made.fields).toContain('first_name')
    const { body } = await api.get(`${path}?resource_id=${employee_id}&operation=employees_get&limit=100`)
    expect(body.data.map((entry) => entry.trace_id)).toEqual(trace_ids.toReversed())
    expect(body.data.every((entry) => entry.fields === null)).toBe(true)
    expect(body.next_offset).toBe(null)
  })

  it.each([1, 7, 30])('lists each entry once when paged by %i', async (limit) => {
    for (const narrower of ['', `&resource_id=${employee_id}`]) {
      const found = await pagesOf(`operation=employees_get${narrower}`, limit)
      expect(found.map((entry) => entry.trace_id)).toEqual(trace_ids.toReversed())
      expect(new Set(found.map((entry) => entry.id)).size).toBe(30)
    }
  })

  it('can be filtered by time, actor and outcome', async () => {
    const of_reads = `operation=employees_get`
    const all = (await api.get(`${path}?${of_reads}&limit=100`)).body.data
    const [newer, older] = [all[9]!.occurred_at, all[19]!.occurred_at]
    const between = await pagesOf(`${of_reads}&occurred_after=${older}&occurred_before=${newer}`, 4)
    expect(between.map((entry) => entry.id)).toEqual(all.slice(10, 20).map((entry) => entry.id))
    for (const actor of [all[0]!.actor.id!, all[0]!.actor.user_id!])
      expect((await api.get(`${path}?${of_reads}&actor=${actor}&limit=100`)).body.data).toHaveLength(30)
    expect((await api.get(`${path}?${of_reads}&actor=nobody`)).body.data).toEqual([])
    expect((await api.get(`${path}?trace_id=${all[3]!.trace_id}`)).body.data).toEqual([all[3]])
    await api.get('/v1/employees/nobody')
    await written()
    const refused = (await api.get(`${path}?${of_reads}&outcome=refused`)).body.data
    expect(refused.map(({ status, resource_id }) => [status, resource_id])).toEqual([[404, null]])
  })

  it('is separate from those of other organizations', async () => {
    const { body } = await api.get(`${path}?limit=100`, { key: api.story.rival_api_key })
    expect(body.data.filter((entry) => entry.organization_id !== api.story.rival_organization_id)).toEqual([])
    const foreign = await api.get(`${path}?resource_id=${employee_id}`, { key: api.story.rival_api_key })
    expect(foreign.body.data).toEqual([])
  })

  it('requires callers with several organizations to specify one', async () => {
    const key = api.story.super_api_key
    expect(refusalOf(await api.get(path, { key }))[1]).toBe('organization_required')
    const headers = { 'x-service-organization': api.story.organization_id }
    const { body } = await api.get(`${path}?operation=employees_get&limit=100`, { key, headers })
    expect(body.data.length).toBeGreaterThanOrEqual(30)
  })

  it('refuses a cursor that the service did not issue', async () => {
    const { body } = await api.get(`${operators}?limit=1`, { key: api.operator_key })
    for (const offset of ['nonsense', body.next_offset!])
      expect(refusalOf(await api.get(`${path}?offset=${offset}`))).toEqual([400, 'invalid_request', 'offset'])
  })
})

describe('an entry belongs to the organization of its resource', () => {
  const entriesOf = async (filter: string, key = api.story.api_key) =>
    (await api.get(`${path}?${filter}&limit=100`, { key })).body.data
  const operator = () => ({ key: api.operator_key })

  it('when another organization reports a leaked key, and neither log names the other organization', async () => {
    const leaked = (await api.post('/v1/api-keys', { name: 'Leaked' })).body.data
    const reporter = { key: api.story.rival_api_key }
    const report = await api.post('/v1/api-keys/report-leak', { api_key: leaked.api_key }, reporter)
    expect(report.status).toBe(200)
    const trace_id = report.headers.get('x-request-id')
    expect(await entriesOf(`resource_id=${leaked.id}&operation=api_keys_report_leak`)).toMatchObject([
      { trace_id, status: 200, actor: { kind: 'api_key', id: leaked.id }, address: null },
    ])
    expect(await entriesOf('operation=api_keys_report_leak', reporter.key)).toMatchObject([
      { trace_id, resource_id: null, organization_id: api.story.rival_organization_id, address: '127.0.0.1' },
    ])
  })

  it('once, when an organization reports a leaked key of its own', async () => {
    const leaked = (await api.post('/v1/api-keys', { name: 'Leaked' })).body.data
    await api.post('/v1/api-keys/report-leak', { api_key: leaked.api_key })
    const entries = await entriesOf(`resource_id=${leaked.id}&operation=api_keys_report_leak`)
    expect(entries).toMatchObject([{ address: '127.0.0.1', actor: { kind: 'api_key' } }])
    expect(first(entries).actor.id).not.toBe(leaked.id)
  })

  it('when the operator creates a key, or a key of several organizations issues a token', async () => {
    const { id, key_id } = await createOrganization(api)
    const created = await api.get(`${operators}?organization_id=${id}`, operator())
    expect(created.body.data.map(({ operation, resource_id }) => [operation, resource_id])).toEqual([
      ['operator_create_api_key', key_id],
      ['operator_create_organization', id],
    ])
    const bound = { grant_type: 'client_credentials', bound_entity: { type: 'employer', id: employer_id } } as const
    await api.post('/v1/auth/access-tokens', bound, { key: api.story.multi_organization_api_key })
    expect(await entriesOf(`resource_id=${employer_id}&operation=issue_access_token`)).toHaveLength(1)
  })

  it('when a key of several organizations reads two invoices of the same number', async () => {
    const { organization_id, rival_organization_id, rival_api_key, multi_organization_api_key } = api.story
    const rivals_employer = await createEmployer(api, {}, { key: rival_api_key })
    const employers = [
      [organization_id, employer_id],
      [rival_organization_id, rivals_employer],
    ]
    for (const [owner, employer] of employers) {
      await api.database.reads.rows(
        `insert into invoices (invoice_id, organization_id, number, employer_id, period, employer_name,
                               employer_legal_name, address_line_1, city, state, zipcode, billing_system, drafted_at,
                               drafted_on, created_at)
         values ('INV-000001', $1, 1, $2, '2026-03-01', 'Bakery', 'Bakery LLC', '1 Post Rd', 'Albany', 'NY', '12207',
                 'built_in', now(), '2026-03-01', now()) returning 1`,
        [owner, employer],
      )
      const lines = `/v1/employers/${employer!}/invoices/INV-000001/lines` as const
      expect((await api.get(lines, { key: multi_organization_api_key })).status).toBe(200)
    }
    await written()
    for (const key of [api.story.api_key, rival_api_key])
      expect(await entriesOf('operation=employers_list_invoice_lines', key)).toHaveLength(1)
  })
})

it('the operator reads the entries of all organizations, and those that belong to no organization', async () => {
  const key = api.operator_key
  await api.get('/operator/v1/tasks', { key })
  await written()
  const { body } = await api.get(`${operators}?operation=operator_list_tasks`, { key })
  expect(first(body.data)).toMatchObject({ organization_id: null, actor: { kind: 'operator' } })
  const theirs = await api.get(`${operators}?organization_id=${api.story.organization_id}&operation=employees_get`, {
    key,
  })
  expect(theirs.body.data).toHaveLength(20)
})

describe('an export', () => {
  const open = async (url: string) => {
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    return answer.text()
  }

  it('is a CSV file, or one line of JSON for each entry', async () => {
    const requested = `operation=employees_get&outcome=succeeded`
    const csv = await open((await api.get(`${path}/export?${requested}`)).body.data.download_url)
    const lines = csv.trim().split('\r\n')
    expect(lines).toHaveLength(31)
    expect(lines[0]).toContain('id,organization_id,occurred_at,operation,resource_id')
    expect(lines[1]).toContain(trace_ids.at(-1))
    const ndjson = await open((await api.get(`${path}/export?${requested}&format=ndjson`)).body.data.download_url)
    const entries = ndjson
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(entries).toEqual((await api.get(`${path}?${requested}&limit=100`)).body.data)
  })

  it('covers one organization for a partner, and all of them for the operator', async () => {
    const theirs = await api.get(`${path}/export?format=ndjson`, { key: api.story.rival_api_key })
    expect(await open(theirs.body.data.download_url)).not.toContain(api.story.organization_id)
    const of_all = await api.get(`${operators}/export?format=ndjson`, { key: api.operator_key })
    const text = await open(of_all.body.data.download_url)
    for (const id of [api.story.organization_id, api.story.rival_organization_id]) expect(text).toContain(id)
  })

  it('is recorded in the audit log with its caller', async () => {
    const { download_url } = (await api.get(`${path}/export`)).body.data
    await open(download_url)
    await written()
    const entry = first((await api.get(`${path}?operation=download_file`)).body.data)
    expect(entry).toMatchObject({ resource_id: null, status: 200, actor: { kind: 'api_key' } })
  })
})

it('a download of a file about an employee is recorded with the employee', async () => {
  const { download_url } = (await api.get(`/v1/employees/${employee_id}/benefits-statement/pdf`)).body.data
  await fetch(download_url)
  await written()
  const found = (await api.get(`${path}?operation=download_file&resource_id=${employee_id}`)).body.data
  expect(first(found)).toMatchObject({ resource_id: employee_id, actor: { kind: 'api_key' } })
})
