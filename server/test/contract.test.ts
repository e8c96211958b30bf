import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { toJSONSchema, type ZodType } from 'zod'
import { interfaces } from '../http/openapi/interfaces.ts'
import { endpoints, incoming } from '../modules.ts'
import type { Db } from '../database/query/database.ts'
import { for_operators, type Endpoint } from '../http/endpoint.ts'
import { operator_roles } from '../runtime/caller.ts'
import { newId, type Prefix } from '../kernel/ids.ts'
import { refusalsOf } from '../http/openapi/openapi-errors.ts'
import { roles, scopes, type Role } from '../runtime/permissions.ts'
import {
  aMember,
  aSession,
  aPerson,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  openPlanYear,
} from './fixtures.ts'
import { type ApiResponse, codeOf, statusOrCode } from './response.ts'
import { responsePointer, operationIn } from './openapi-document.ts'
import { share } from './case-count.ts'
import { useApi, type CallOptions } from './harness.ts'
import { isShardingStatement } from './postgres/sharded-queries.ts'
import { Visitor } from './clients/visitor.ts'
import { first, pick, sure } from './pick.ts'
import { sendRaw } from './clients/raw-connection.ts'

/**
 * Checks the contract for every operation. A new endpoint is covered as soon as it is listed. Expectations come only
 * from the endpoint's record and the served OpenAPI document.
 */
const api = useApi()

/** One resource of Harbor for every id in paths. */
const ids: Record<string, string> = {}
const tokens = { employee: '', employer: '', unbound: '', expired: '' }
/** The credentials of members of Harbor by role, and of a member of Rival. */
const held = new Map<Role, Held>()
const refused_count = new Map<Role, Held>()
type Held = Record<'api_key' | 'session_token' | 'access_token' | 'employer_token' | 'employee_token', string>
/** Session tokens last five minutes, and the wrong keys of each operation take a second of the clock. */
const renewals: (() => Promise<void>)[] = []
let renewed_at = 0
async function renewSessionTokens(): Promise<void> {
  if (api.runtime.clock() < renewed_at + 4 * 60_000) return
  renewed_at = api.runtime.clock()
  for (const renew of renewals) await renew()
}
/** A key of an operator of each role. */
const operator_keys: Record<string, string> = {}

type Document = Record<string, unknown>
const documents = new Map<string, Document>()
// Optimized code takes longer to compile than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
formats.default(ajv)

const isOperators = (endpoint: Endpoint) => endpoint.path.startsWith('/operator/')
const documentOf = (endpoint: Endpoint) => (isOperators(endpoint) ? '/operator/v1/openapi.json' : '/v1/openapi.json')
const usualKey = (endpoint: Endpoint) => {
  if (isOperators(endpoint)) return api.operator_key
  return endpoint.allows.includes('api_key') ? api.story.api_key : tokens.employee
}

beforeAll(async () => {
  for (const path of ['/v1/openapi.json', '/operator/v1/openapi.json']) {
    const body: unknown = (await api.get(path, { key: null })).body
    documents.set(path, body as Document)
    ajv.addSchema(body as Document, path)
  }
  await seedResources()
  const issue = async (bound_entity?: object) =>
    (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })).body.access_token
  tokens.expired = await issue()
  api.wait(16 * 60_000)
  tokens.unbound = await issue()
  tokens.employee = await issue({ type: 'employee', id: ids.employee_id })
  tokens.employer = await issue({ type: 'employer', id: ids.employer_id })
  const theirs = { key: api.story.rival_api_key }
  const rivals = { employer_id: await createEmployer(api, {}, theirs), employee_id: '' }
  rivals.employee_id = (await createEmployee(api, rivals.employer_id, {}, theirs)).id
  for (const role of roles) {
    held.set(role, await credentialsOf(api.story.organization_id, role, ids as typeof rivals))
    refused_count.set(role, await credentialsOf(api.story.rival_organization_id, role, rivals))
  }
})

/** An API key of a new member with a role, a token of each kind issued from it, and a session token. */
async function credentialsOf(
  organization_id: string,
  role: Role,
  { employer_id, employee_id }: { employer_id: string; employee_id: string },
): Promise<Held> {
  const { user_id, key: api_key } = await aMember(api, organization_id, role)
  const { tokenAs } = await aSession(api, user_id)
  const issue = async (bound_entity?: object) => {
    const body = { grant_type: 'client_credentials', bound_entity }
    return (await api.post('/v1/auth/access-tokens', body, { key: api_key })).body.access_token
  }
  const credentials = {
    api_key,
    session_token: '',
    access_token: await issue(),
    employer_token: await issue({ type: 'employer', id: employer_id }),
    employee_token: await issue({ type: 'employee', id: employee_id }),
  }
  renewals.push(async () => void (credentials.session_token = await tokenAs(organization_id)))
  return credentials
}

/** The permissions in docs/permissions.md: by operation, the cells by their heading. */
const permissions = new Map(
  [...readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8').matchAll(/^\| `\w+` \|.*$/gm)].map(
    ([row]) => {
      const [operation, , ...cells] = row.slice(2, -2).split(' | ')
      const of_partners = [...roles, 'session_token', 'access_token', 'employer_token', 'employee_token', 'scopes']
      const columns = operation!.startsWith('`operator_') ? operator_roles : of_partners
      return [operation!.slice(1, -1), Object.fromEntries(columns.map((column, at) => [column, cells[at]!]))]
    },
  ),
)

async function seedResources(): Promise<void> {
  ids.organization_id = api.story.organization_id
  // The current day of Harbor, so that moving the clock there changes nothing for other tests.
  ids.today = '2026-03-10'
  ids.employer_id = await createEmployer(api)
  const admins = `/v1/employers/${ids.employer_id}/admins` as const
  ids.employer_admin_id = first((await api.get(admins)).body.data).id
  ids.operated_employer_admin_id = (await api.post(admins, { email: 'second@example.com' })).body.data.id
  const employee = await createEmployee(api, ids.employer_id)
  ids.employee_id = employee.id
  ids.member_id = employee.member_id
  ids.note_id = (await api.post(`/v1/employers/${ids.employer_id}/notes`, { text: 'Call first' })).body.data.id
  ids.operated_note_id = (await api.post(`/v1/employees/${ids.employee_id}/notes`, { text: 'On leave' })).body.data.id
  const group = { name: 'Bakers', members: [{ employer_id: ids.employer_id }] }
  ids.ale_group_id = (await api.post('/v1/ale-groups', group)).body.data.id
  const assignments = `/v1/employees/${ids.employee_id}/assignments` as const
  const assignment = { client_name: 'Harbor Cannery', starts_on: '2026-03-02' }
  ids.assignment_id = (await api.post(assignments, assignment)).body.data.id
  const spouse = { relationship: 'spouse', first_name: 'Ivo', last_name: 'Costa', date_of_birth: '1989-02-11' }
  const dependent = await api.post(`/v1/employees/${ids.employee_id}/dependents`, spouse)
  ids.dependent_id = dependent.body.data.id
  const event = await api.post(`/v1/employees/${ids.employee_id}/qualifying-life-events`, {
    type: 'marriage',
    occurred_on: '2026-03-01',
  })
  ids.life_event_id = event.body.data.id
  await seedAttachment()
  const document = { kind: 'guide', title: 'Guide', file_name: 'guide.pdf', content: 'JVBERi0xLjcK' }
  ids.document_id = (await api.post('/v1/documents', document)).body.data.id
  const policy = await api.post(`/v1/employers/${ids.employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'none',
  })
  ids.policy_id = policy.body.data.id
  const catalog = await importCatalog(api)
  ids.benefit_id = catalog.mec.benefit_id
  ids.benefit_plan_year_id = await openPlanYear(api, ids.employer_id, catalog)
  ids.plan_id = catalog.mec.plan_id
  const mec = `/operator/v1/organizations/${ids.organization_id}/benefits/${ids.benefit_id}` as const
  await api.patch(mec, { takes_beneficiaries: true }, { key: api.operator_key })
  const amendments = `/operator/v1/benefit-plan-years/${ids.benefit_plan_year_id}/amendments` as const
  const amendment = { effective_on: '2026-07-01', reason: 'Shorter', coverage_end: '2026-11-30' }
  await api.post(amendments, amendment, { key: api.operator_key })
  ids.amendment_id = first((await api.get(amendments, { key: api.operator_key })).body.data).id
  const proposals =
    `/v1/employers/${ids.employer_id}/benefit-plan-years/${ids.benefit_plan_year_id}/renewal-proposals` as const
  const proposal = await api.post(proposals, { coverage_start: '2098-01-01', scenarios: [{ name: 'As quoted' }] })
  const scheduled = { name: 'Book', list: 'employers', format: 'csv', frequency: 'daily' }
  ids.scheduled_export_id = (await api.post('/v1/scheduled-exports', scheduled)).body.data.id
  ids.renewal_proposal_id = sure(proposal.body.data.renewal_proposal_id)
  const hired = await createEmployee(api, ids.employer_id)
  ids.enrollment_id = first(hired.enrollments).id
  const reminders = { benefit_plan_year_id: ids.benefit_plan_year_id }
  await api.post(`/v1/employers/${ids.employer_id}/enrollment-reminders`, reminders)
  const messages = await api.get(`/v1/employers/${ids.employer_id}/enrollment-messages`)
  ids.enrollment_message_id = first(messages.body.data).id
  await seedInvoice(catalog)
  // The next plan year exists already, so that copying a plan year is always refused.
  await openPlanYear(api, ids.employer_id, catalog, { coverage_start: '2027-01-01' })
  await api.post(
    `/operator/v1/employers/${ids.employer_id}/payroll-deduction-statements/run`,
    {},
    { key: api.operator_key },
  )
  await api.work()
  await seedTaxForms()
  const statements = await api.get(`/v1/employers/${ids.employer_id}/payroll-deduction-statements`)
  ids.statement_id = statements.body.data[0]!.id
  const census = await api.post(`/v1/employers/${ids.employer_id}/census-sync`, { employees: [aPerson()] })
  ids.census_sync_id = sure(census.body.data.census_sync_id)
  const jobs = await api.get('/operator/v1/jobs?state=waiting', { key: api.operator_key })
  ids.job_id = first(jobs.body.data).id
  ids.group_id = await createGroup(api)
  const members = await api.post(`/v1/groups/${ids.group_id}/members/sync`, { members: [] })
  ids.request_id = members.body.data.request_id
  // At another employer, because a connection prevents partners from changing the roster.
  const connection = await api.post(
    `/operator/v1/employers/${await createEmployer(api)}/hris-connections`,
    { source: 'csv' },
    { key: api.operator_key },
  )
  ids.hris_connection_id = connection.body.data.id
  const run = await api.post(
    `/operator/v1/hris-connections/${ids.hris_connection_id}/upload`,
    { rows: [aPerson()] },
    { key: api.operator_key },
  )
  ids.hris_run_id = run.body.data.id
  await seedOperators()
  await seedSignIn()
  const user = await api.post('/operator/v1/users', { name: 'Uma' }, { key: api.operator_key })
  ids.user_id = user.body.data.id
  await seedApiKey()
  ids.api_key = (await api.post('/v1/api-keys', { name: 'Found on a page' })).body.data.api_key
  const subscription = await api.post('/v1/webhook-subscriptions', { url: 'https://example.com/hooks' })
  ids.webhook_subscription_id = subscription.body.data.id
  const delivery = await api.post(`/v1/webhook-subscriptions/${ids.webhook_subscription_id}/test`)
  ids.webhook_delivery_id = delivery.body.data.id
  ids.webhook_event_id = delivery.body.data.webhook_event_id
}

/** The released Forms 1095-C of 2025, with one form. */
async function seedTaxForms(): Promise<void> {
  await createEmployee(api, ids.employer_id!, { start_date: '2025-01-06', employee_class: 'Full Time' })
  const forms = `/v1/employers/${ids.employer_id!}/forms-1095c` as const
  for (const step of ['derive', 'release'] as const) {
    const { status, text } = await api.post(`${forms}/${step}`, { tax_year: 2025 })
    expect(status, text).toBe(202)
    await api.work()
  }
}

async function seedAttachment(): Promise<void> {
  const document = { file_name: 'certificate.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
  const event = await api.post(`/v1/qualifying-life-events/${ids.life_event_id}/attachments`, document)
  ids.attachment_id = first(event.body.data.attachments).id
  const path = `/v1/dependents/${ids.dependent_id}/attachments` as const
  await api.post(path, document)
  ids.dependent_attachment_id = first((await api.get(path)).body.data).id
}

async function seedApiKey(): Promise<void> {
  ids.api_key_id = (await api.post('/v1/api-keys', { name: 'Nightly payroll' })).body.data.id
}

/** An operator of each role, and another one for ids in paths. */
async function seedOperators(): Promise<void> {
  for (const role of [...operator_roles, 'support']) {
    const body = { name: 'Pia', email: 'pia@example.com', role }
    const { data } = (await api.post('/operator/v1/operators', body, { key: api.operator_key })).body
    operator_keys[role] ??= data.key.operator_key
    ids.operator_id = data.id
    ids.operator_key_id = data.key.id
  }
}

/** A session of Maya, who belongs to Harbor, and invitations. */
async function seedSignIn(): Promise<void> {
  const visitor = new Visitor()
  await visitor.press(await visitor.visit(`${api.url}/sign-in`), 'Maya Okafor')
  ids.session_id = first((await api.get('/v1/sessions')).body.data).id
  const invited = { name: 'Ada', email: 'ada@example.com' }
  const to_join = await api.post('/v1/invitations', { ...invited, role: 'SALES' })
  ids.invitation_id = to_join.body.data.id
  const another = await api.post('/v1/invitations', { ...invited, email: 'ada@example.net', role: 'SALES' })
  ids.operated_invitation_id = another.body.data.id
  const operator = { key: api.operator_key }
  const to_operate = await api.post('/operator/v1/operator-invitations', { ...invited, role: 'support' }, operator)
  ids.operator_invitation_id = to_operate.body.data.id
}

/** An issued invoice of Harbor, with its PDF. */
async function seedInvoice({ dental }: Awaited<ReturnType<typeof importCatalog>>): Promise<void> {
  const covered = await createEmployee(api, ids.employer_id!)
  const enrollments = await api.get(`/v1/employees/${covered.id}/enrollments`)
  const teeth = pick(enrollments.body.data, (row) => row.benefit.category === 'Dental')
  await api.post(`/v1/enrollments/${teeth.id}/elect`, { plan_id: dental.plan_id, coverage_tier: 'EE' })
  const path = `/operator/v1/employers/${ids.employer_id}/invoices` as const
  await api.post(`${path}/run`, {}, { key: api.operator_key })
  await api.work()
  const invoices = await api.get(`/v1/employers/${ids.employer_id}/invoices?include_drafts=true`)
  ids.invoice_id = first(invoices.body.data).invoice_id
  await api.post(`${path}/${ids.invoice_id}/issue`, {}, { key: api.operator_key })
  await api.work()
}

/** The path of an operation with Harbor's ids, or with other ids by name. Operators delete a separate key. */
const pathOf = (endpoint: Endpoint, others: Record<string, string> = {}): string =>
  endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = others[name] ?? (isOperators(endpoint) ? ids[`operated_${name}`] : undefined) ?? ids[name]
    if (!id) throw new Error(`contract.test.ts needs a resource for {${name}}: add one to seedResources`)
    return encodeURIComponent(id)
  })

/** Adds a value for each required parameter that a query lacks. */
function withNeeded({ query }: Endpoint, input: string): string {
  const needed = Object.entries(query?.shape ?? {})
    .filter(([name, field]) => !(field as ZodType).safeParse(undefined).success && !input.includes(name))
    .map(([name, field]) => `${name}=${(field as ZodType).safeParse('anybody').success ? 'anybody' : '2026-01-01'}`)
  if (needed.length === 0) return input
  return `${input || '?'}${input ? '&' : ''}${needed.join('&')}`
}

/** Calls an operation and checks the response against its declaration: status, code and body schema. */
async function send(
  endpoint: Endpoint,
  options: CallOptions & { path?: string; query?: string } = {},
): Promise<ApiResponse> {
  const { path = pathOf(endpoint), query: input = '', ...more } = options
  const query = withNeeded(endpoint, input)
  if (endpoint.method === 'GET') delete more.raw
  const answer = await api.call(endpoint.method, path + query, { key: usualKey(endpoint), ...more })
  const status = String(answer.status)
  const document = documents.get(documentOf(endpoint))!
  const { path: template, method } = endpoint
  expect(
    Object.keys(operationIn(document, template, method).responses),
    `${endpoint.operation} returns a status that it does not declare: ${answer.text}`,
  ).toContain(status)
  const fits = ajv.getSchema(documentOf(endpoint) + responsePointer(document, template, method, answer.status))!
  expect(fits(answer.body), `${endpoint.operation} ${status}: ${JSON.stringify(fits.errors)} ${answer.text}`).toBe(true)
  if (answer.status >= 400) holdError(endpoint, answer)
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/)
  expect(answer.headers.get('x-api-version')).toBe('1.0.0')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  return answer
}

/** Expects the standard error body with a code that the operation declares. */
function holdError(endpoint: Endpoint, { status, body, error, headers }: ApiResponse): void {
  const declared = refusalsOf(endpoint)
    .filter((kind) => kind.status === status)
    .map((kind) => kind.code)
  expect(declared).toContain(error.code)
  expect(body).toEqual({
    error: {
      code: expect.any(String),
      message: expect.any(String),
      details: expect.any(Array),
      doc_url: `${api.url}/docs/errors#${error.code}`,
    },
    app_error_code: error.code,
    message: error.message,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    trace_id: headers.get('x-request-id'),
  })
  if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer')
  if (status === 409 || status === 422) expect(headers.get('x-should-retry')).toBe('false')
  expect(JSON.stringify(body)).not.toMatch(/select |insert |node_modules|\.ts:/i)
}

/** The example body of an operation, with existing ids. */
const exampleOf = ({ example }: Endpoint) =>
  JSON.parse(JSON.stringify(example), (name, value) => (name ? (ids[name] ?? value) : value))

/** The statements sent by the reads of a request. */
async function statementsOf(request: () => Promise<unknown>): Promise<string[]> {
  const { database } = api.runtime
  const { readsOf } = database
  const sent: string[] = []
  const noted = (db: Db, kind: 'rows' | 'row' | 'json') => (text: string, values?: unknown[]) => {
    sent.push(text)
    return db[kind](text, values) as never
  }
  database.readsOf = (tenant, rows_of) => {
    const db = readsOf(tenant, rows_of)
    return { ...db, rows: noted(db, 'rows'), row: noted(db, 'row'), json: noted(db, 'json') }
  }
  try {
    await request()
  } finally {
    database.readsOf = readsOf
  }
  return sent
}

/** Additional statements of lists over several organizations with sharding. */
const of_a_list = /^\/\* [\w.-]+(?:Keys|Totals|Items|listMoved)\b/

/** An error body without the fields that differ between requests. */
const bare = ({ body }: ApiResponse) => ({ ...(body as object), trace_id: '', timestamp: '' })

/**
 * Returns all cases in CI. Elsewhere, returns `count` of them, and other ones for the next operation, because
 * `server/http` has one implementation for all operations. All operations together still use each case.
 */
const inTurns = <T>(cases: T[], at: number, count: number): T[] =>
  share >= 1 ? cases : Array.from({ length: count }, (_, nth) => cases[(at * count + nth) % cases.length]!)

/** Deletions come last, because other operations need the resources. */
const ordered = endpoints.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

describe.each(ordered.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (_, endpoint) => {
  const at = ordered.indexOf(endpoint)
  const named = Object.entries(endpoint.params ?? {}) as [string, Prefix][]
  // Some operations permanently end the API key in their path.
  if (endpoint.params?.api_key_id) beforeAll(seedApiKey)
  beforeAll(renewSessionTokens)

  // This must be first: resources deleted below are not found any more.
  if (isOperators(endpoint)) {
    it('is restricted to the operator roles in docs/permissions.md', async () => {
      const { roles } = endpoint
      expect(roles, 'it declares them').toContain('owner')
      if (endpoint.method === 'GET') expect(roles).toEqual(for_operators.read.roles)
      const refused = operator_roles.filter((role) => permissions.get(endpoint.operation)![role] !== 'yes')
      expect(refused).toEqual(operator_roles.filter((role) => !roles.includes(role)))
      for (const role of refused)
        expect(codeOf(await send(endpoint, { key: operator_keys[role]!, raw: '{' })), role).toEqual([403, 'forbidden'])
    })
  }

  if (!isOperators(endpoint)) {
    it('declares the roles and scopes it requires', () => {
      expect(endpoint.roles).toContain('ADMIN')
      expect(roles.filter((role) => endpoint.roles.includes(role))).toEqual(
        roles.filter((role) => permissions.get(endpoint.operation)?.[role] === 'yes'),
      )
      // Operations about the caller alone may require no scope.
      const needed = endpoint.scopes!
      expect(scopes).toEqual(expect.arrayContaining([...needed]))
      if (needed.length > 0) expect(needed).toContain(endpoint.method === 'GET' ? 'read' : 'write')
      expect(permissions.get(endpoint.operation)!.scopes).toBe(needed.map((scope) => `\`${scope}\``).join(' ') || '–')
    })

    // Refused roles are tested first, before an allowed one deletes the resource in the path.
    const refused_roles_first = roles.toSorted((a, b) => endpoint.roles.indexOf(a) - endpoint.roles.indexOf(b))
    it.each(refused_roles_first)(
      'allows or refuses %s, by key and token, as docs/permissions.md declares',
      async (role) => {
        const row = permissions.get(endpoint.operation)!
        const isAllowed = (kind: string) =>
          row[role] === 'yes' && (kind === 'api_key' ? endpoint.allows.includes('api_key') : row[kind] !== '–')
        // Outside of CI, each role uses one kind of credential, and another kind for the next operation.
        const credentials = inTurns(Object.entries(held.get(role)!), at + roles.indexOf(role), 1)
        const refused_first = credentials.toSorted(([a], [b]) => +isAllowed(a) - +isAllowed(b))
        for (const [kind, key] of refused_first) {
          const is_bound = kind === 'employer_token' || kind === 'employee_token'
          const allowed = isAllowed(kind)
          const answer = await send(endpoint, { key, raw: '{' })
          if (allowed) expect([401, 403], `${role} ${kind}: ${answer.text}`).not.toContain(answer.status)
          else if (is_bound) expect(['forbidden', 'not_found']).toContain(answer.error.code)
          else expect(codeOf(answer), `${role} ${kind}`).toEqual([403, 'forbidden'])
        }
      },
    )

    if (named.length > 0) {
      it('returns 404 to every role of another organization', async () => {
        // Each role uses another kind of credential per operation, so that over all operations each role uses each
        // kind.
        for (const [nth, role] of roles.entries()) {
          const credentials = Object.values(refused_count.get(role)!)
          const key = credentials[(at + nth) % credentials.length]!
          expect(codeOf(await send(endpoint, { key, raw: '{' })), role).toEqual([404, 'not_found'])
        }
      })
    }
  }

  it('authenticates before anything else', async () => {
    const other = isOperators(endpoint) ? api.story.api_key : api.operator_key
    const typo = api.story.api_key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const wrong = [
      null,
      'nonsense',
      typo,
      'obk_test_000000000000000000000000000000000AAAAAA',
      'obat_x.y.z',
      tokens.expired,
      other,
    ]
    // Without this pause, so many wrong keys from one address would be throttled.
    api.wait(1000)
    for (const key of inTurns(wrong, at, 3)) {
      expect(codeOf(await send(endpoint, { key, raw: '{' }))).toEqual([401, 'unauthorized'])
    }
    expect((await send(endpoint, { key: null, headers: { authorization: `Basic ${btoa('a:b')}` } })).status).toBe(401)
  })

  it('returns the number of remaining requests', async () => {
    const { headers } = await send(endpoint, { raw: '{' })
    for (const header of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${header}`)).toMatch(/^\d+$/)
  })

  it('refuses other methods with 405 and lists the allowed ones', async () => {
    const methods: string[] = endpoints.filter((one) => one.path === endpoint.path).map((one) => one.method)
    const other = (['DELETE', 'PATCH', 'PUT', 'POST', 'OPTIONS'] as const).find((method) => !methods.includes(method))!
    const answer = await api.call(other, pathOf(endpoint), { key: usualKey(endpoint) })
    expect(codeOf(answer)).toEqual([405, 'method_not_allowed'])
    for (const method of methods) expect(answer.headers.get('allow')).toContain(method)
    expect((await api.call(other, pathOf(endpoint), { key: null })).status).toBe(401)
  })

  if (named.length > 0) {
    it('returns the same 404 for missing, malformed and foreign ids', async () => {
      for (const [name, prefix] of named) {
        const missing = await send(endpoint, {
          path: pathOf(endpoint, { [name]: `${prefix}_${newId('org').slice(4)}` }),
          raw: '{',
        })
        expect(codeOf(missing)).toEqual([404, 'not_found'])
        const malformed = [
          'x',
          `${prefix}_`,
          'usr_01kdq7b4w8e9rs2mh3n5t6v7xz2',
          '\u0000',
          `${prefix}_${'z'.repeat(26)}`,
          "' or 1=1 --",
          'a'.repeat(3000),
        ]
        for (const id of inTurns(malformed, at, 3)) {
          expect(bare(await send(endpoint, { path: pathOf(endpoint, { [name]: id }), raw: '{' }))).toEqual(
            bare(missing),
          )
        }
        if (!isOperators(endpoint)) {
          const foreign = await send(endpoint, {
            key: api.story.rival_api_key,
            raw: JSON.stringify(endpoint.example ?? {}),
          })
          expect(bare(foreign)).toEqual(bare(missing))
        }
      }
    })
  }

  if (!isOperators(endpoint)) {
    it('checks the organization header', async () => {
      const as = (organization: string, key = api.story.api_key) =>
        send(endpoint, { key, raw: '{', headers: { 'x-service-organization': organization } })
      expect(codeOf(await as('org_x'))).toEqual([400, 'invalid_organization_header'])
      expect(codeOf(await as(''))).toEqual([400, 'invalid_organization_header'])
      const foreign = await as(api.story.rival_organization_id)
      expect(codeOf(foreign)).toEqual([403, 'organization_access_denied'])
      expect(bare(await as(newId('org')))).toEqual(bare(foreign))
      expect(bare(await as(newId('org'), api.story.super_api_key))).toEqual(bare(foreign))
      const needed = endpoint.organization === 'header' || endpoint.organization === 'needed'
      const many = await send(endpoint, { key: api.story.multi_organization_api_key, raw: '{' })
      expect(statusOrCode(many) === 'organization_required').toBe(needed)
    })

    it('refuses an API key sent by a browser', async () => {
      const headers = { origin: 'https://app.example.com' }
      const answer = await send(endpoint, { key: api.story.api_key, headers, raw: '{' })
      expect(codeOf(answer)).toEqual([403, 'api_key_in_browser'])
    })

    it('lets bound tokens access only their own resources', async () => {
      for (const kind of ['employee', 'employer'] as const) {
        const { status } = await send(endpoint, { key: tokens[kind], raw: '{' })
        if (!endpoint.allows.includes(`${kind}_token`)) expect([403, 404]).toContain(status)
        else if (status === 404) expect(kind).toBe('employee')
      }
    })
  }

  if (endpoint.body) {
    it('refuses bodies that are malformed, deep, large or not JSON', async () => {
      const malformed = [
        '{"a":',
        `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
        `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
        '[]',
        '"x"',
        'null',
        '{"a":1,"a":1}',
        '{"a":{"ssn":"1"}}',
      ]
      for (const raw of inTurns(malformed, at, 3))
        expect(codeOf(await send(endpoint, { raw })), raw.slice(0, 50)).toEqual([400, 'invalid_request'])
      const large = JSON.stringify({ a: 'x'.repeat(endpoint.body_limit ?? 64 * 1024) })
      expect(codeOf(await send(endpoint, { raw: large }))).toEqual([413, 'payload_too_large'])
      expect(
        codeOf(await send(endpoint, { raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
      ).toEqual([415, 'unsupported_media_type'])
    })

    it('treats no body, an empty body and an empty object the same', async () => {
      const answers = []
      // An operation that can succeed only once must not do so in the first of the compared requests.
      await send(endpoint)
      for (const raw of [undefined, '', '{}']) answers.push(await send(endpoint, raw === undefined ? {} : { raw }))
      expect(new Set(answers.map(({ status }) => status)).size).toBe(1)
      expect(answers[0]!.status).toBeLessThan(500)
    })

    it('names each field whose value has the wrong type', async () => {
      const fields = Object.keys((endpoint.example ?? {}) as object)
      for (const field of fields) {
        const answer = await send(endpoint, { body: { ...(endpoint.example as object), [field]: { not: ['this'] } } })
        expect(codeOf(answer), field).toEqual([400, 'invalid_request'])
        expect(
          answer.error.details.some((detail: { field: string }) => detail.field.startsWith(field)),
          answer.text,
        ).toBe(true)
      }
    })
  }

  if (!endpoint.body && endpoint.method !== 'GET') {
    it('ignores a body, since it takes none', async () => {
      // The request is sent with a key without access, and must still be refused as declared.
      for (const type of ['application/xml', 'nonsense', 'application/json'])
        await send(endpoint, {
          key: api.story.newcomer_api_key,
          raw: 'x'.repeat(70_000),
          headers: { 'content-type': type },
        })
    })
  }

  for (const name of Object.keys(endpoint.query?.shape ?? {})) {
    it(`ignores no part of ${name}`, async () => {
      expect(codeOf(await send(endpoint, { query: `?${name}[a]=1` }))).toEqual([400, 'invalid_request'])
    })
  }

  if (endpoint.query?.shape.limit && endpoint.query.shape.offset) {
    it('accepts page sizes from 1 to 100, and only its own cursors', async () => {
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=1', 'offset=x.y', `offset=${'x'.repeat(2000)}`])
        expect(codeOf(await send(endpoint, { query: `?${query}` })), query).toEqual([400, 'invalid_request'])
      for (const query of ['', '?limit=1', '?limit=100', '?limit=&offset=', '?unknown=1'])
        expect((await send(endpoint, { query })).status, query).toBe(200)
    })
  } else if (endpoint.query?.shape.limit) {
    it('accepts page sizes from 1 to 100', async () => {
      const wrong = ['limit=0', 'limit=101', 'limit=-1', 'limit=x', 'limit=1.5', 'page=0', 'page=-1', 'limit=1&limit=2']
      for (const query of inTurns(wrong, at, 3))
        expect(codeOf(await send(endpoint, { query: `?${query}` })), query).toEqual([400, 'invalid_request'])
      const right = ['', '?limit=1', '?limit=100', '?limit=&page=', '?page=999999', '?unknown=1']
      for (const query of inTurns(right, at, 3)) expect((await send(endpoint, { query })).status, query).toBe(200)
    })
  }

  if (endpoint.method === 'GET') {
    // For an operator, the day comes from the organization in the path, which requires locating it and reading its
    // clock.
    const of_none = named.some(([name]) => name === 'operator_id' || name === 'user_id')
    // A link to an export contains the request, which runs when the link is opened.
    const is_link = endpoint.path.endsWith('/export')
    const statements = is_link ? 0 : !isOperators(endpoint) || !endpoint.locate ? 1 : of_none ? 2 : 3
    it(`reads by ${statements === 1 ? 'one statement' : `${statements} statements`}`, async () => {
      const sent = (await statementsOf(() => send(endpoint))).filter((text) => !isShardingStatement(text))
      // With sharding, a list over several organizations sends several statements in place of one.
      const others = sent.filter((text) => !of_a_list.test(text))
      expect(others.length + Number(others.length < sent.length), sent.join('\n\n')).toBe(statements)
    })
  }

  it('accepts its example and responds as declared', async () => {
    const answer = await send(endpoint, endpoint.example === undefined ? {} : { body: exampleOf(endpoint) })
    // The resource may already have been created or deleted by a test above.
    if (answer.status >= 400)
      expect([409, 422, endpoint.method === 'DELETE' ? 404 : 409], answer.text).toContain(answer.status)
    else expect(Object.keys(endpoint.returns)).toContain(String(answer.status))
  })
})

const whole = { io: 'input', unrepresentable: 'any', reused: 'inline' } as const
type Schema = { type?: unknown; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; $ref?: string }

/** The paths of numbers and booleans in a body. 0 stands for any item of a list. */
function plainIn(schema: Schema, root: { $defs?: Record<string, Schema> } = schema as object): (string | 0)[][] {
  if (schema.$ref) return plainIn(root.$defs![schema.$ref.split('/').at(-1)!]!, root)
  if (['integer', 'number', 'boolean'].includes(schema.type as string)) return [[]]
  const inItems = schema.items ? plainIn(schema.items, root).map((path) => [0 as const, ...path]) : []
  const inChoices = (schema.anyOf ?? []).flatMap((choice) => plainIn(choice, root))
  const inFields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    plainIn(field, root).map((path) => [name, ...path]),
  )
  return [...inItems, ...inChoices, ...inFields]
}

describe('requests outside of the operations', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['endless headers', `GET /v1/employers HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(40_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /v1/employers HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
  ])('refuses %s with the standard error body', async (_, bytes, status) => {
    const [head = '', body = ''] = (await sendRaw(api.url, bytes)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'invalid_request' },
      app_error_code: 'invalid_request',
      trace_id: expect.any(String),
    })
  })

  it.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/employers/',
    '/v1//employers',
    '/operator/v1/nothing',
    '/v1/%',
    '/v1/employers/%00',
    '/v1/employers/%ff',
  ])('returns the same 404 for the unknown path %s as for a missing resource', async (path) => {
    const key = path.startsWith('/operator') ? api.operator_key : api.story.api_key
    expect(codeOf(await api.get(path, { key }))).toEqual([404, 'not_found'])
  })

  it('authenticates on unknown paths of the API too', async () => {
    expect((await api.get('/v1/nothing', { key: null })).status).toBe(401)
  })

  it(
    'requires the organization header where the contract marks it with H, and otherwise where the path ' +
      'has no organization',
    () => {
      const marked = endpoints.filter(({ organization }) => organization === 'header').map(({ operation }) => operation)
      expect(marked.toSorted()).toEqual([
        'employees_create_employee',
        'employers_create',
        'employers_get',
        'employers_get_benefit_plan_year',
        'employers_get_hris',
        'employers_get_invoice_pdf',
        'employers_list',
        'employers_list_benefit_plan_year_enrollments',
        'employers_list_benefit_plan_years',
        'employers_list_employees',
        'employers_list_hris_providers',
        'employers_list_invoices',
        'employers_update',
        'employers_update_settings',
      ])
      const needed = endpoints.filter(({ organization, params }) => organization === 'needed' && params !== undefined)
      expect(needed.map(({ operation }) => operation)).toEqual([])
    },
  )

  it('declares every number in a query as a number', () => {
    const numbers = endpoints.flatMap((endpoint) =>
      Object.entries(endpoint.query?.shape ?? {}).flatMap(([name, field]) =>
        [2026, 7].some((number) => (field as ZodType).safeParse(String(number)).data === number)
          ? [{ endpoint, name }]
          : [],
      ),
    )
    expect(numbers.map(({ name }) => name)).toEqual(expect.arrayContaining(['limit', 'page', 'year']))
    for (const { endpoint, name } of numbers) {
      const { parameters } = operationIn(documents.get(documentOf(endpoint))!, endpoint.path, endpoint.method)
      expect(
        parameters!.find((parameter) => parameter.name === name),
        endpoint.operation,
      ).toMatchObject({
        schema: { type: 'integer' },
      })
    }
  })

  it('accepts a number or boolean in a body only as such, not as text', () => {
    const bodies = endpoints.flatMap(({ operation, body }) => (body ? [{ operation, body }] : []))
    const positions = bodies.flatMap((each) =>
      plainIn(toJSONSchema(each.body, whole) as Schema).map((path) => ({ ...each, path })),
    )
    expect(positions.length).toBeGreaterThan(10)
    for (const { operation, body, path } of positions) {
      for (const text of ['1', 'true']) {
        const parsed = body.safeParse(
          path.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { [step]: inner }), text),
        )
        const at = parsed.error?.issues.map((issue) => issue.path.join('.')) ?? []
        expect(
          at.some((position) => path.join('.').startsWith(position)),
          `${operation} accepts ${path.join('.')} as text`,
        ).toBe(true)
      }
    }
  })

  it('declares every operation once, with a unique id', () => {
    const all = [...documents.values()].flatMap(({ paths }) =>
      Object.values(paths as Record<string, Record<string, { operationId: string }>>).flatMap((path) =>
        Object.values(path),
      ),
    )
    const operations = all.map((operation) => operation.operationId)
    const open = interfaces.flatMap((each) => each.open(incoming).map((one) => one.operation.operationId))
    expect(operations.toSorted()).toEqual([...endpoints.map((endpoint) => endpoint.operation), ...open].toSorted())
    expect(new Set(operations).size).toBe(operations.length)
  })
})
