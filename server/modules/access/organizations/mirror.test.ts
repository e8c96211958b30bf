import { identity_provider } from '../../../integrations/identity/provider.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keycloak } from '../../../integrations/identity/keycloak.ts'
import { fakeKeycloak, keycloak_settings, type FakeKeycloak } from '../../../test/fakes/keycloak.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { createApiKey } from '../api-keys/actions.ts'
import { createUser } from './actions.ts'

const api = useApi()
const path = '/v1/organizations'
let fake: FakeKeycloak

beforeAll(async () => {
  fake = await fakeKeycloak()
  api.runtime.integrations.set(identity_provider, keycloak({ ...keycloak_settings, url: fake.url }))
})
afterAll(() => fake.stop())
beforeEach(async () => {
  Object.assign(fake, { behavior: 'well', tenants: [], requests: [] })
  await api.database.reads.rows('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
})

/** A new user creates an organization. Returns it with a function that reads it again. */
async function create(name = 'Northwind Benefits') {
  const key = await api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Nils Newcomer', email: null })
    return (await createApiKey(ctx, { user_id, organization_id: null, mode: 'test', rate_limited: false })).api_key
  })
  const answer = await api.post(path, { name }, { key })
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ idp_provider: 'external_idp', idp_org_id: null })
  const read = async () => first((await api.get(path, { key })).body.organizations)
  return { id: answer.body.id, read }
}

/** Makes all retries due now. */
const dueNow = () => api.database.reads.rows('update graphile_worker._private_jobs set run_at = now()')

const waiting = () =>
  api.database.reads.rows<{ attempts: number; last_error: string | null }>(
    'select attempts, last_error from graphile_worker.jobs',
  )

it('creates an organization immediately, and a job then creates its tenant at the provider', async () => {
  const { id, read } = await create()
  expect(fake.requests).toEqual([])
  await api.work()
  const [tenant] = fake.tenants
  expect(tenant).toMatchObject({
    name: 'Northwind Benefits',
    alias: id,
    attributes: { openbenefits_organization_id: [id] },
  })
  expect(await read()).toMatchObject({ id, idp_provider: 'external_idp', idp_org_id: tenant!.id })
  expect(await waiting()).toEqual([])
})

it('sends no further requests for an organization that has its tenant', async () => {
  const { id } = await create()
  await api.work()
  fake.requests = []
  await api.act((ctx) => ctx.enqueue('mirror_organization', { organization_id: id }))
  await api.work()
  expect(fake.requests).toEqual([])
})

it('retries after the provider returned 500', async () => {
  fake.behavior = 'failing'
  const { read } = await create()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: null })
  expect(await waiting()).toMatchObject([{ attempts: 1 }])
  fake.behavior = 'well'
  await dueNow()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: fake.tenants[0]!.id })
})

it('retries after the provider was unreachable', async () => {
  await fake.stop()
  const { read } = await create()
  await api.work()
  expect(await waiting()).toMatchObject([{ attempts: 1 }])
  await fake.start()
  await dueNow()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: fake.tenants[0]!.id })
})

it('times out if the provider does not respond, and retries', async () => {
  const persistent = integrationOf(api.runtime, identity_provider)
  api.runtime.integrations.set(identity_provider, keycloak({ ...keycloak_settings, url: fake.url, timeout_ms: 100 }))
  fake.behavior = 'silent'
  const { read } = await create()
  await api.work()
  expect(await waiting()).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('timeout') }])
  fake.behavior = 'well'
  api.runtime.integrations.set(identity_provider, persistent)
  await dueNow()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: fake.tenants[0]!.id })
})

it('adopts a tenant whose creation response was lost, and never creates a second one', async () => {
  fake.behavior = 'forgetful'
  const { id, read } = await create()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: null })
  expect(fake.tenants).toHaveLength(1)
  fake.behavior = 'well'
  await dueNow()
  await api.work()
  expect(fake.tenants.map((tenant) => tenant.alias)).toEqual([id])
  expect(await read()).toMatchObject({ idp_org_id: fake.tenants[0]!.id })
})

it('adopts a tenant that another worker created after the search', async () => {
  const { id, read } = await create()
  const attributes = { openbenefits_organization_id: [id] }
  Object.assign(fake, {
    behavior: 'late',
    tenants: [{ id: 'made-meanwhile', name: 'Northwind Benefits', alias: id, attributes }],
  })
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: 'made-meanwhile' })
  expect(fake.requests.filter((request) => request.startsWith('POST /admin'))).toHaveLength(1)
})

it('gives the second organization of the same name a distinct tenant name', async () => {
  const first = await create('Twin Benefits')
  const second = await create('Twin Benefits')
  await api.work()
  expect(fake.tenants.map((tenant) => tenant.name)).toEqual(['Twin Benefits', `Twin Benefits (${second.id})`])
  expect((await first.read()).idp_org_id).not.toBe((await second.read()).idp_org_id)
})

it('never adopts the tenant of another organization because of a search result', async () => {
  const { id, read } = await create('Late Benefits')
  fake.tenants.push({
    id: 'foreign',
    name: 'Foreign',
    alias: 'foreign',
    attributes: { openbenefits_organization_id: [id] },
  })
  await api.work()
  expect((await read()).idp_org_id).not.toBe('foreign')
})

it('enqueues the creation of the tenant again in the daily run if the job gave up', async () => {
  const { id, read } = await create()
  await api.database.reads.rows(
    'select graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs))',
  )
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: null })
  api.moveTo('2026-03-11')
  await api.runDays()
  await api.work()
  expect(await read()).toMatchObject({ idp_org_id: fake.tenants.find((tenant) => tenant.alias === id)!.id })
})
