import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aPerson,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  openPlanYear,
} from '../../server/test/fixtures.ts'
import { useApi } from '../../server/test/harness.ts'
import { openPlans, plan_lifetime } from '../src/mcp/plans.ts'
import { type McpOverHttp, serveHttp } from '../src/mcp/serve.ts'
import { openShared } from '../src/mcp/server.ts'
import { useSettings } from './command.ts'

const api = useApi()
const settings = useSettings()
let now = Date.now()
let served: McpOverHttp
beforeAll(async () => void (served = await serveHttp(api.url, openShared(openPlans(() => now)), 0)))
const open: Client[] = []
afterAll(async () => {
  for (const client of open) await client.close()
  await served.close()
})

/** The official client with a key. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }))
  open.push(client)
  return client
}

/** The result or the refusal of a tool. */
async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [part] = content as { type: string; text: string }[]
  const parsed = isError && !part!.text.startsWith('{') ? { error: { message: part!.text } } : JSON.parse(part!.text)
  return isError ? { refused: parsed.error as { message: string; code?: string; trace_id?: string } } : parsed
}

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => void (catalog = await importCatalog(api)))

/** An employer with a plan year that covers every hire. */
async function anEmployerWithBenefits() {
  const employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  return employer_id
}

it('lists reads, plans that change nothing, and one tool that makes changes', async () => {
  const client = await connect(api.story.api_key)
  expect(client.getInstructions()).toContain('apply_plan')
  const { tools } = await client.listTools()
  const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)
  expect(writing).toEqual(['apply_plan'])
  expect(tools.filter(({ name }) => name.startsWith('plan_')).length).toBeGreaterThan(8)
  for (const { name, description, inputSchema } of tools) {
    expect([name, description === '', inputSchema.type]).toEqual([name, false, 'object'])
    if (name.startsWith('list_') && name !== 'list_plan_years') expect(inputSchema.properties).toHaveProperty('limit')
  }

  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['load_census', 'explain_coverage', 'check_invoice'])
  const { messages } = await client.getPrompt({ name: 'explain_coverage', arguments: { person: 'Grace Murray' } })
  const prompt_text = (messages[0]!.content as { text: string }).text
  expect(prompt_text).toContain('Grace Murray')
  const known = new Set(tools.map(({ name }) => name))
  for (const { name } of prompts) {
    const given = { person: 'p', employer: 'e' }
    const { text } = (await client.getPrompt({ name, arguments: given })).messages[0]!.content as { text: string }
    const named = text.match(/\b(?:list|get|plan|apply|explain)_[a-z_]+/g)!
    expect(named.filter((tool) => !known.has(tool))).toEqual([])
  }

  const { resources } = await client.listResources()
  const uri = 'openbenefits://guide/integrating-rosters'
  expect(resources.map((each) => each.uri)).toContain(uri)
  expect((await client.readResource({ uri })).contents[0]).toMatchObject({ mimeType: 'text/markdown' })
  const section = resources.find((each) => each.uri.startsWith(`${uri}/`))!
  const { contents } = await client.readResource({ uri: section.uri })
  expect((contents[0] as { text: string }).text).toMatch(/^## /)
})

it('reads page by page, and reports refusals like the service', async () => {
  const client = await connect(api.story.api_key)
  const employer_id = await createEmployer(api)
  for (let at = 0; at < 3; at++) await createEmployee(api, employer_id)
  const pages = []
  for (const page of [1, 2]) pages.push(await call(client, 'list_employees', { employer_id, limit: 2, page }))
  expect(pages.map(({ data, pagination }) => [data.length, pagination.total_pages])).toEqual([
    [2, 2],
    [1, 2],
  ])
  const [{ id }] = pages[0].data
  expect(await call(client, 'explain_eligibility', { employee_id: id, as_of: '2026-03-10' })).toHaveProperty('reason')
  const missing = await call(client, 'get_employee', { employee_id: `empl_${'0'.repeat(26)}` })
  expect(missing.refused).toMatchObject({ code: 'not_found', trace_id: expect.stringMatching(/\S/) })
  const odd = await call(client, 'get_employee', { employee_id: '../employers' })
  expect(odd.refused.message).toContain('employee_id')
  expect((await call(await connect('nonsense'), 'whoami')).refused.code).toBe('unauthorized')
  expect((await call(await connect(api.story.rival_api_key), 'get_employer', { employer_id })).refused.code).toBe(
    'not_found',
  )
})

describe('a plan', () => {
  const changed_since = 'has changed since'
  const gone = 'no such plan'

  it('of a census previews the changes, and is applied once, by the key that planned it', async () => {
    const client = await connect(api.story.api_key)
    const employer_id = await createEmployer(api)
    const employees = [aPerson({ reference_id: 'A' }), aPerson({ reference_id: 'B', date_of_birth: '2020-01-01' })]
    const planned = await call(client, 'plan_census', { employer_id, employees, mode: 'merge' })
    expect(planned.would_change).toMatchObject({ dry_run: true, counts: { created: 1, failed: 1 } })
    expect((await call(client, 'list_employees', { employer_id })).data).toEqual([])

    const { plan_id } = planned
    const rival = await connect(api.story.rival_api_key)
    expect((await call(rival, 'apply_plan', { plan_id })).refused.message).toContain(gone)
    const both = await Promise.all([1, 2].map(() => call(client, 'apply_plan', { plan_id })))
    const done = both.filter(({ refused }) => !refused)
    expect(done).toHaveLength(1)
    await api.work()
    const { census_sync_ids } = done[0].result
    const outcome = await call(client, 'get_census', { employer_id, census_sync_id: census_sync_ids[0] })
    expect(outcome).toMatchObject({ state: 'completed', counts: { created: 1, failed: 1 } })
    expect((await call(client, 'apply_plan', { plan_id })).refused.message).toContain(gone)
  })

  it('to confirm a held census shows the people it terminates, and terminates them', async () => {
    const client = await connect(api.story.api_key)
    const employer_id = await createEmployer(api)
    const people = Array.from({ length: 8 }, (_, at) => aPerson({ reference_id: `H-${at}` }))
    const send = async (employees: object[]) => {
      api.wait(1000)
      const { body } = await api.post(`/v1/employers/${employer_id}/census-sync?mode=replace`, { employees })
      await api.work()
      return { employer_id, census_sync_id: body.data.census_sync_id }
    }
    const whole = await call(client, 'plan_census_confirmation', await send(people))
    expect(whole.refused.message).toContain('only a held census can be confirmed; this one is completed')
    const former = await call(client, 'plan_census_confirmation', await send(people.slice(0, 2)))
    expect(former.would_change).toMatchObject({ people_to_be_terminated: 6, counts: { unchanged: 2, terminated: 0 } })

    const held = await send(people.slice(0, 1))
    const superseded = await call(client, 'apply_plan', { plan_id: former.plan_id })
    expect(superseded.refused).toMatchObject({ code: 'census_sync_superseded' })
    const { plan_id, would_change } = await call(client, 'plan_census_confirmation', held)
    expect(would_change.people_to_be_terminated).toBe(7)
    const names = people.slice(1).map(({ first_name }, at) => `${first_name} H-${at + 1}`)
    type Named = { first_name: string; reference_id: string }
    const missing = would_change.missing.map((one: Named) => `${one.first_name} ${one.reference_id}`)
    expect(missing.toSorted()).toEqual(names.toSorted())
    expect((await call(client, 'get_census', held)).state).toBe('held')
    expect((await call(client, 'apply_plan', { plan_id })).refused).toBeUndefined()
    await api.work()
    expect(await call(client, 'get_census', held)).toMatchObject({ state: 'completed', counts: { terminated: 7 } })
  })

  it('shows each field before and after, and is refused if its data has changed', async () => {
    const client = await connect(api.story.api_key)
    const employer_id = await createEmployer(api)
    const { id: employee_id } = await createEmployee(api, employer_id, { employee_class: 'Full Time' })
    const changes = { effective_date: '2026-03-10', employee_class: 'Part Time' }
    const given = { employee_id, changes }
    const first = await call(client, 'plan_employee_update', given)
    expect(first.would_change.differences).toEqual([
      { field: 'employee_class', before: 'Full Time', after: 'Part Time' },
    ])
    api.wait(1000)
    const meanwhile = { effective_date: '2026-03-10', gender: 'Female' }
    expect((await api.patch(`/v1/employees/${employee_id}`, meanwhile)).status).toBe(200)
    expect((await call(client, 'apply_plan', { plan_id: first.plan_id })).refused.message).toContain(changed_since)

    const second = await call(client, 'plan_employee_update', given)
    now += plan_lifetime
    expect((await call(client, 'apply_plan', { plan_id: second.plan_id })).refused.message).toContain(gone)
    const third = await call(client, 'plan_employee_update', given)
    const { result } = await call(client, 'apply_plan', { plan_id: third.plan_id })
    expect(result.employee_class).toBe('Part Time')
    expect((await call(client, 'plan_employee_update', given)).refused.message).toContain('Nothing would change')
    const entries = await api.get(`/v1/audit-entries?resource_id=${employee_id}&operation=employees_update`)
    expect(entries.body.data).toHaveLength(2)
  })

  it('is refused by the service if the key lacks a permission or the data is invalid', async () => {
    const { body } = await api.post('/v1/api-keys', { name: 'Reader', scopes: ['read', 'people', 'money'] })
    const reader = await connect(body.data.api_key)
    const employer_id = await createEmployer(api)
    const changes = { name: 'Blue Heron' }
    const { plan_id } = await call(reader, 'plan_employer_update', { employer_id, changes })
    expect((await call(reader, 'apply_plan', { plan_id })).refused).toMatchObject({ code: 'forbidden' })
    const client = await connect(api.story.api_key)
    const young = { ...aPerson(), date_of_birth: '2020-01-01' }
    const hire = await call(client, 'plan_employee_creation', { employer_id, employee: young })
    expect(hire.would_change.with_same_email).toEqual([])
    const { refused } = await call(client, 'apply_plan', { plan_id: hire.plan_id })
    expect(refused).toMatchObject({ code: 'invalid_employee_update', trace_id: expect.stringMatching(/\S/) })
  })

  it('covers a year of work: hire, elect, waive, terminate, reinstate and rehire', async () => {
    const client = await connect(api.story.api_key)
    const employer_id = await anEmployerWithBenefits()
    const action = async (tool: string, given: Record<string, unknown>) => {
      const { plan_id, would_change, refused } = await call(client, tool, given)
      expect([tool, refused]).toEqual([tool, undefined])
      const { result, refused: why } = await call(client, 'apply_plan', { plan_id })
      expect([tool, why]).toEqual([tool, undefined])
      await api.work()
      return { would_change, result }
    }
    const employee = aPerson({ start_date: '2026-03-09' })
    const { result } = await action('plan_employee_creation', { employer_id, employee })
    const employee_id = result.id

    const { data: rows } = await call(client, 'list_enrollments', { employee_id })
    const of = (wanted: string) => rows.find((row: { benefit: { id: string } }) => row.benefit.id === wanted).id
    const { plan_id, benefit_id } = catalog.dental
    const election = { enrollment_id: of(benefit_id), plan_id, coverage_tier: 'EE' }
    const elected = await action('plan_election', election)
    const shown = Object.fromEntries(
      elected.would_change.differences.map(({ field, after }: { field: string; after: unknown }) => [field, after]),
    )
    expect(shown).toMatchObject({ status: 'enrolled', coverage_tier: 'EE' })
    for (const field of ['premium_in_cents', 'employer_contribution_in_cents', 'employee_deduction_in_cents'])
      expect([field, elected.result[field]]).toEqual([field, shown[field]])
    expect((await action('plan_waiver', { enrollment_id: of(catalog.mec.benefit_id) })).result.status).toBe('waived')

    const ended = await action('plan_termination', { employee_id, termination_date: '2026-03-09' })
    expect(ended.result.status).toBe('terminated')
    await action('plan_reinstatement', { employee_id })
    await action('plan_termination', { employee_id, termination_date: '2026-03-09' })
    const back = await action('plan_rehire', { employee_id, start_date: '2026-03-10' })
    expect(back.result.status).toBe('active')
    expect(
      (await call(client, 'plan_rehire', { employee_id: back.result.id, start_date: '2026-03-10' })).refused,
    ).toBeDefined()
  })
})

describe('over HTTP', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const post = (headers: Record<string, string>, path = '') =>
    fetch(`${served.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${api.story.api_key}`,
        ...headers,
      },
      body: JSON.stringify(initialize),
    })

  it('serves only this machine, and only with a bearer token', async () => {
    expect((await post({})).status).toBe(200)
    expect((await post({ origin: 'http://localhost:3000' })).status).toBe(200)
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ origin: 'null' })).status).toBe(403)
    const anonymous = await post({ authorization: '' })
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await post({}, '/else')).status).toBe(404)
  })

  it.each([
    ['localhost', 200],
    ['127.0.0.1', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
  ])('responds to the host name %s with %i', async (name, status) => {
    const { hostname, port, pathname } = new URL(served.url)
    const headers = {
      host: `${name}:${port}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${api.story.api_key}`,
    }
    const chosen = request({ hostname, port, path: pathname, method: 'POST', headers }).end(JSON.stringify(initialize))
    const [answer] = (await once(chosen, 'response')) as [IncomingMessage]
    expect(answer.resume().statusCode).toBe(status)
  })
})

it('runs every read-only tool', async () => {
  const client = await connect(api.story.api_key)
  const employer_id = await anEmployerWithBenefits()
  const { id: employee_id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
  await api.work()
  const firstOf = async (tool: string, given: object) => (await call(client, tool, { ...given })).data[0]
  const { plan_id } = catalog.mec
  const { data: rows } = await call(client, 'list_enrollments', { employee_id })
  const medical = rows.find((row: { benefit: { category: string } }) => row.benefit.category === 'Medical')
  await api.post(`/v1/enrollments/${medical.id}/elect`, { plan_id, coverage_tier: 'EE' })
  await createGroup(api)
  api.moveTo('2026-03-11')
  await api.runDays()
  await api.work()
  const { invoice_id } = await firstOf('list_invoices', { employer_id, include_drafts: true })
  const years = await call(client, 'list_plan_years', { employer_id })
  const { id: group_id } = await firstOf('list_groups', {})
  const benefit_plan_year_id = years[0].id
  const ids = {
    employer_id,
    employee_id,
    enrollment_id: medical.id,
    invoice_id,
    benefit_plan_year_id,
    group_id,
    year: 2026,
  }
  const { tools } = await client.listTools()
  // Excludes `get_census`, which the test of the census tools covers.
  const chosen = tools.filter(({ name }) => /^(whoami$|list_|get_(?!census)|explain_|prove_)/.test(name))
  expect(chosen.length).toBeGreaterThan(24)
  for (const { name, inputSchema } of chosen) {
    const given = Object.entries(ids).filter(([field]) => Object.hasOwn(inputSchema.properties ?? {}, field))
    expect([name, await call(client, name, Object.fromEntries(given))]).not.toHaveProperty('1.refused')
  }
})

it('works the same over stdio, with the key of the process', async () => {
  const client = new Client({ name: 'test', version: '1' })
  const args = [join(import.meta.dirname, '../src/main.ts'), 'mcp']
  const env = { ...settings, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  open.push(client)
  expect((await call(client, 'whoami')).organization.id).toBe(api.story.organization_id)
  const employer_id = await createEmployer(api)
  const changes = { reference_id: 'MCP-1' }
  const { plan_id } = await call(client, 'plan_employer_update', { employer_id, changes })
  expect((await call(client, 'apply_plan', { plan_id })).result.reference_id).toBe('MCP-1')
})
