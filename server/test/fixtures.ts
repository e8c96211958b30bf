import { expect } from 'vitest'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { locateEmployee, locateEmployer } from '../modules/access/auth/queries.ts'
import { locateEnrollment } from '../modules/coverage/enrollments/queries.ts'
import { createUser, grantMembership } from '../modules/access/organizations/actions.ts'
import { issueSessionToken } from '../modules/access/sessions/actions.ts'
import { insertSession } from '../modules/access/sessions/queries.ts'
import { endOfSession, newSessionSecret } from '../modules/access/sessions/rules.ts'
import { newId } from '../kernel/ids.ts'
import { sha256 } from '../security/secrets.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Role } from '../runtime/permissions.ts'
import type { Api, CallOptions } from './harness.ts'
import { pick } from './pick.ts'

let count = 0

/** Letters for a number, so that generated names contain no digits: 0 → A, 27 → BB. */
const letters = (number: number): string =>
  (number >= 26 ? letters(Math.floor(number / 26) - 1) : '') + String.fromCharCode(65 + (number % 26))

/** The body of a unique employer, with changes from `input`. */
export function anEmployer(input: Record<string, unknown> = {}) {
  const number = ++count
  const name = `Bakery ${letters(number)}`
  return {
    name,
    legal_name: `${name} LLC`,
    ein: `12-${String(3_000_000 + number)}`,
    email: `office${number}@bakery.example.com`,
    address: { address_line_1: `${number} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' },
    ...input,
  }
}

/** A unique person as the body of create employee. Also a valid census row. */
export function aPerson(input: Record<string, unknown> = {}) {
  const number = ++count
  return {
    first_name: `Ana ${letters(number)}`,
    last_name: `Costa ${letters(number)}`,
    email: `ana.costa${number}@example.com`,
    phone: `2025${String(number).padStart(6, '0')}`,
    date_of_birth: '1990-05-17',
    start_date: '2026-01-05',
    ...input,
  }
}

/** A unique member of a group, as a row of a sync. */
export function aGroupMember(plan_id: string, input: Record<string, unknown> = {}) {
  const { start_date: _, ...person } = aPerson()
  const address = { address_line_1: '4 Orchard Way', city: 'Winters', state: 'CA', zipcode: '95694' }
  return { ...person, reference_id: `M-${count}`, address, plan_id, ...input }
}

/** Creates a group over HTTP and returns its id. */
export async function createGroup(
  api: Api,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<string> {
  const number = ++count
  const group = { external_reference_id: `group-${number}`, name: `Growers ${letters(number)}`, ...input }
  const answer = await api.post('/v1/groups', group, options)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

/** Creates a sandbox organization as the operator, and a key bound to it. */
export async function createOrganization(api: Api): Promise<{ id: string; key: string; key_id: string }> {
  const operator = { key: api.operator_key }
  const user_id = (await api.post('/operator/v1/users', { name: 'Uma' }, operator)).body.data.id
  const about = { name: 'Northwind', admin_user_id: user_id }
  const { id } = (await api.post('/operator/v1/organizations', about, operator)).body.data
  const made = await api.post('/operator/v1/api-keys', { user_id, organization_id: id, mode: 'test' }, operator)
  return { id, key: made.body.data.api_key, key_id: made.body.data.id }
}

/** Creates a live organization and a live key bound to it. */
export async function createLiveOrganization(api: Api, name: string): Promise<{ id: string; key: string }> {
  const operator = { key: api.operator_key }
  const user_id = (await api.post('/operator/v1/users', { name: 'Uma' }, operator)).body.data.id
  const { id } = (await api.post('/operator/v1/organizations', { name, admin_user_id: user_id }, operator)).body.data
  await api.database.reads.rows('update organizations set sandbox = false where id = $1', [id])
  const wanted = { user_id, organization_id: id, mode: 'live', rate_limited: false } as const
  return { id, key: (await api.act((ctx) => createApiKey(ctx, wanted))).api_key }
}

/** Locates an employer for actions. */
export const theEmployer = async (ctx: Ctx, employer_id: string) => (await locateEmployer(ctx, { employer_id }))!

/** Locates an enrollment for actions. */
export const theEnrollment = async (ctx: Ctx, enrollment_id: string) =>
  (await locateEnrollment(ctx, { enrollment_id }))!

/** Locates an employee for actions. */
export const theEmployee = async (ctx: Ctx, employee_id: string) => (await locateEmployee(ctx, { employee_id }))!

/** Creates an employer over HTTP and returns its id. */
export async function createEmployer(
  api: Api,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<string> {
  const answer = await api.post('/v1/employers', anEmployer(input), options)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

/** Adds an eligibility policy, by default for all employees without a waiting period. */
export async function addPolicy(
  api: Api,
  employer_id: string,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<void> {
  const policy = { classification: 'all', waiting_period: 'none', ...input }
  const answer = await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy, options)
  expect(answer.status, answer.text).toBe(201)
}

/** Creates an employer with a plan year, for which all employees are eligible without a waiting period. */
export async function createOfferingEmployer(
  api: Api,
  catalog: Awaited<ReturnType<typeof importCatalog>>,
  year: Record<string, unknown> = {},
): Promise<{ employer_id: string; plan_year_id: string }> {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, year)
  await api.work()
  return { employer_id, plan_year_id }
}

/** Issues a token that reaches one employee or one employer, with Harbor's key unless another is given. */
export async function boundToken(
  api: Api,
  type: 'employee' | 'employer',
  id: string,
  options: CallOptions = {},
): Promise<string> {
  const input = { grant_type: 'client_credentials', bound_entity: { type, id } }
  const answer = await api.post('/v1/auth/access-tokens', input, options)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.access_token
}

/** Creates an employee over HTTP and returns the response. */
export async function createEmployee(
  api: Api,
  employer_id: string,
  input: Record<string, unknown> = {},
  options: CallOptions = {},
) {
  const answer = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(input), options)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

/** Makes a new user a member of an organization with a role, and returns an unlimited key bound to the organization. */
export const aMember = (api: Api, organization_id: string, role: Role): Promise<{ user_id: string; key: string }> =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: `${role} ${letters(++count)}`, email: null })
    await grantMembership(ctx, { organization_id, user_id, role })
    const made = await createApiKey(ctx, { user_id, organization_id, mode: 'test', rate_limited: false })
    return { user_id, key: made.api_key }
  })

/** The key of a new member. */
export const aMemberKey = async (api: Api, organization_id: string, role: Role): Promise<string> =>
  (await aMember(api, organization_id, role)).key

/** Signs a user in. `tokenAs` issues tokens to act as a member of an organization, or as an `operator`. */
export async function aSession(api: Api, user_id: string) {
  const secret = newSessionSecret()
  await api.act((ctx) =>
    insertSession(ctx, {
      id: newId('sess'),
      secret_hash: sha256(secret),
      user_id,
      signed_in_with: 'openid',
      signed_in_at: ctx.real_now,
      user_agent: null,
      expires_at: endOfSession(ctx.real_now),
    }),
  )
  const tokenAs = async (input: string) => (await api.act((ctx) => issueSessionToken(ctx, secret, input))).access_token
  return { secret, tokenAs }
}

type NewRow = Record<string, unknown>
type Named = { id: string; name: string }

/** Catalog rows of a plan with its premiums for EE, ES, EC and EF in cents, starting in 2020. */
const planRows = (plan: NewRow, premiums: [number, number, number, number]): NewRow[] =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => ({
    ...plan,
    coverage_tier,
    premium_in_cents: premiums[at],
    effective_on: '2020-01-01',
  }))

const evergreen = { carrier: 'Evergreen Health', networks: ['First Health'] }
const mec = { ...evergreen, product_code: 'MEC', benefit: 'Essential Care', plan: 'Essential Care Base' }
const mvp = { ...evergreen, product_code: 'MVP', benefit: 'Major Medical' }
const ichra = { ...evergreen, product_code: 'ICHRA', benefit: 'Own Choice', plan: 'Own Choice Medical' }
const dental = { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' }
const vision = { carrier: 'Clearview Vision', product_code: 'VV', benefit: 'Vision', plan: 'Clearview Basic' }

const catalogRows: NewRow[] = [
  ...planRows(mec, [8_900, 17_500, 16_500, 24_900]),
  ...planRows({ ...mvp, plan: 'Major Medical Silver' }, [42_000, 84_000, 77_700, 121_800]),
  ...planRows({ ...mvp, plan: 'Major Medical Bronze' }, [31_500, 63_000, 58_300, 91_400]),
  ...planRows(dental, [3_200, 6_400, 7_100, 10_300]),
  ...planRows(vision, [790, 1_580, 1_690, 2_490]),
  ...planRows(ichra, [50_000, 100_000, 90_000, 140_000]),
  { ...ichra, employee_class: 'Full Time', max_age: 39, allowance_in_cents: 30_000 },
  { ...ichra, employee_class: 'Full Time', min_age: 40, allowance_in_cents: 45_000 },
  { ...ichra, employee_class: 'Part Time', allowance_in_cents: 15_000 },
]

/**
 * Imports the test catalog and optional rows into an organization, by default Harbor, as the operator, and returns its
 * ids. `mvp.plan_id` is the Silver plan, `mvp.other_plan_id` the Bronze one.
 */
export async function importCatalog(api: Api, more: NewRow[] = [], organization_id = api.story.organization_id) {
  const path = `/operator/v1/organizations/${organization_id}/catalog` as const
  const key = api.operator_key
  const answer = await api.post(`${path}/import`, { rows: [...catalogRows, ...more] }, { key })
  expect(answer.status, answer.text).toBe(200)
  const benefits: (Named & { plans: Named[] })[] = (await api.get(path, { key })).body.data.benefits
  const idsOf = (row: { benefit: string; plan: string }) => {
    const benefit = benefits.find(({ name }) => name === row.benefit)!
    return { benefit_id: benefit.id, plan_id: benefit.plans.find(({ name }) => name === row.plan)!.id }
  }
  return {
    mec: idsOf(mec),
    mvp: {
      ...idsOf({ ...mvp, plan: 'Major Medical Silver' }),
      other_plan_id: idsOf({ ...mvp, plan: 'Major Medical Bronze' }).plan_id,
    },
    dental: idsOf(dental),
    vision: idsOf(vision),
    ichra: idsOf(ichra),
  }
}

type OfferedIds = { benefit_id: string }

/**
 * Opens a plan year of an employer as the operator, and returns its id. The default is 2026 with MEC and dental. The
 * employer pays 100% of MEC for employees and 50% for families, and contributes $20.00 to dental.
 */
export async function openPlanYear(
  api: Api,
  employer_id: string,
  catalog: { mec: OfferedIds; dental: OfferedIds },
  input: Record<string, unknown> = {},
): Promise<string> {
  const benefits = [
    {
      benefit_id: catalog.mec.benefit_id,
      contribution_tiers: [
        { coverage_tier: 'EE', method: 'percentage', percentage: 100 },
        { coverage_tier: null, method: 'percentage', percentage: 50 },
      ],
    },
    {
      benefit_id: catalog.dental.benefit_id,
      contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 2_000 }],
    },
  ]
  const answer = await api.post(
    `/operator/v1/employers/${employer_id}/benefit-plan-years`,
    { coverage_start: '2026-01-01', benefits, ...input },
    { key: api.operator_key },
  )
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

/** Creates an employer with one person whose dental coverage began in January, and returns its id. */
export async function createCoveredEmployer(
  api: Api,
  catalog: Awaited<ReturnType<typeof importCatalog>>,
  input: Record<string, unknown> = {},
): Promise<string> {
  const employer_id = await createEmployer(api, input)
  await addPolicy(api, employer_id)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  const employee = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
  const { data } = (await api.get(`/v1/employees/${employee.id}/enrollments`)).body
  const { id } = pick(data, (row) => row.benefit.category === 'Dental')
  const answer = await api.post(`/v1/enrollments/${id}/elect`, {
    plan_id: catalog.dental.plan_id,
    coverage_tier: 'EE',
  })
  expect(answer.status, answer.text).toBe(200)
  return employer_id
}
