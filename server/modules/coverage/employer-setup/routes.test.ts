import { describe, expect, it } from 'vitest'
import {
  aMemberKey,
  createEmployee,
  createEmployer,
  createLiveOrganization,
  importCatalog,
  openPlanYear,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
const setupOf = async (employer_id: string, key = api.story.api_key) =>
  (await api.get(`/v1/employers/${employer_id}/setup`, { key })).body.data
const doneIn = async (employer_id: string) =>
  (await setupOf(employer_id)).steps.filter(({ status }) => status === 'done').map(({ step }) => step)
const setupTasks = async (employer_id: string, key = api.story.api_key) =>
  (await api.get(`/v1/tasks?employer_id=${employer_id}&kind=employer_setup`, { key })).body.data
const requestsOf = async (employer_id: string) =>
  (await api.get(`/operator/v1/tasks?kind=plan_year_requested&employer_id=${employer_id}`, operator())).body.data

describe('employers_get_setup', () => {
  it('completes each step with the data of its form, from a new employer to the first coverage', async () => {
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}` as const
    expect(await setupOf(employer_id)).toMatchObject({ employer_id, done_count: 1, step_count: 8, is_subscribed: true })
    expect(await doneIn(employer_id)).toEqual(['details'])
    expect(only(await setupTasks(employer_id))).toMatchObject({
      resource_id: employer_id,
      details: { done_count: 1, step_count: 8 },
      action: { operation: 'employers_get_setup', path: `${path}/setup` },
    })

    await api.post(`${path}/benefit-eligibility-policies`, { classification: 'all', waiting_period: 'none' })
    await api.put(`${path}/settings`, { census_mode: 'merge' })
    expect(await doneIn(employer_id)).toEqual(['details', 'eligibility'])
    await api.put(`${path}/settings`, { pay_frequency: 'bi_weekly' })
    const [first] = (await api.get(`${path}/admins`)).body.data
    expect((await api.post(`${path}/admins`, { email: first!.email })).error.code).toBe('employer_admin_already_exists')
    const named = await api.post(`${path}/admins`, { email: first!.email, name: 'Ada Lindgren' })
    expect([named.status, named.body.data]).toEqual([201, { ...first!, name: 'Ada Lindgren' }])
    await createEmployee(api, employer_id)
    await api.put(`${path}/enrollment-schedule`, { opening: false })
    expect(only(await setupTasks(employer_id)).details.done_count).toBe(6)
    const catalog = await importCatalog(api)
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-05-01' })
    expect(await setupTasks(employer_id)).toEqual([])
    const waiting = await setupOf(employer_id)
    expect(waiting.steps.filter(({ status }) => status !== 'done')).toEqual([
      { step: 'go_live', status: 'waiting', actor: null, starts_on: '2026-05-01' },
    ])
    expect(await setupOf(employer_id, api.story.api_key)).toEqual(
      (await api.get(`/operator/v1/employers/${employer_id}/setup`, operator())).body.data,
    )
    api.moveTo('2026-05-01')
    expect((await setupOf(employer_id)).done_count).toBe(8)
  })

  it('waits for the operator until the employer has a subscription', async () => {
    const live = await createLiveOrganization(api, 'Setup in earnest')
    const employer_id = await createEmployer(api, {}, { key: live.key })
    const { is_subscribed, steps } = await setupOf(employer_id, live.key)
    expect([is_subscribed, pick(steps, ({ step }) => step === 'census')]).toEqual([
      false,
      { step: 'census', status: 'waiting', actor: 'operator', starts_on: null },
    ])
    const later = { started_on: '2026-06-15' }
    await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, later, operator())
    const censusOf = async () => {
      const { status, actor } = pick((await setupOf(employer_id, live.key)).steps, ({ step }) => step === 'census')
      return [status, actor]
    }
    expect(await censusOf()).toEqual(['waiting', null])
    api.moveTo('2026-06-15')
    expect(await censusOf()).toEqual(['open', 'organization'])
  })

  it('hides the setup of other organizations, and its task from roles that cannot complete it', async () => {
    const employer_id = await createEmployer(api)
    const rival = { key: api.story.rival_api_key }
    expect((await api.get(`/v1/employers/${employer_id}/setup`, rival)).status).toBe(404)
    expect((await api.get(`/v1/employers/${employer_id}/admins`, rival)).status).toBe(404)
    const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
    expect(await setupTasks(employer_id, sales)).toEqual([])
    for (const part of ['setup', 'admins'] as const)
      expect((await api.get(`/v1/employers/${employer_id}/${part}`, { key: sales })).status).toBe(403)
  })
})

describe('employers_request_plan_year', () => {
  it('opens one task for the operator, until the plan year is opened or the request is withdrawn', async () => {
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}/plan-year-request` as const
    const catalog = await importCatalog(api)
    const wanted = {
      coverage_start: '2026-06-01',
      open_enrollment_start: '2026-04-01',
      plan_ids: [catalog.mec.plan_id],
    }
    expect((await api.put(path, { coverage_start: '2026-07-01' })).status).toBe(200)
    const { data } = (await api.put(path, { ...wanted, message: 'Same plans as our Denver office' })).body
    expect(data.plan_year_request).toMatchObject({
      coverage_start: '2026-06-01',
      coverage_end: null,
      open_enrollment_start: '2026-04-01',
      plans: [{ id: catalog.mec.plan_id, benefit_id: catalog.mec.benefit_id }],
      message: 'Same plans as our Denver office',
    })
    expect(pick(data.steps, ({ step }) => step === 'plan_year')).toMatchObject({ status: 'waiting', actor: 'operator' })
    expect(only(await requestsOf(employer_id))).toMatchObject({
      employer_id,
      details: { coverage_start: '2026-06-01', plan_count: 1 },
      action: { operation: 'operator_open_benefit_plan_year' },
    })
    await api.call('DELETE', path)
    expect((await api.call('DELETE', path)).body.data.plan_year_request).toBe(null)
    expect(await requestsOf(employer_id)).toEqual([])
    await api.put(path, wanted)
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-06-01' })
    expect(await requestsOf(employer_id)).toEqual([])
    expect((await setupOf(employer_id)).plan_year_request).toBe(null)
  })

  it('refuses an employer whose subscription has ended', async () => {
    const employer_id = await createEmployer(api)
    const end = `/operator/v1/employers/${employer_id}/subscriptions/end` as const
    api.moveTo('2026-06-17')
    expect((await api.post(end, { ended_on: '2026-06-17' }, operator())).status).toBe(200)
    const answer = await api.put(`/v1/employers/${employer_id}/plan-year-request`, { coverage_start: '2026-09-01' })
    expect(codeOf(answer)).toEqual([409, 'employer_is_cancelled'])
  })

  it('refuses contradictory days, plans of another organization, and callers without the role', async () => {
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}/plan-year-request` as const
    const theirs = await importCatalog(api, [], api.story.rival_organization_id)
    const days = { coverage_start: '2026-06-01', open_enrollment_end: '2026-04-30' }
    const refused = async (body: object, key = api.story.api_key) => refusalOf(await api.put(path, body, { key }))
    expect(await refused(days)).toEqual([400, 'invalid_request', 'open_enrollment_start'])
    expect(await refused({ ...days, open_enrollment_start: '2026-05-01' })).toEqual([
      400,
      'invalid_request',
      'open_enrollment_end',
    ])
    expect(await refused({ coverage_start: '2026-06-01', plan_ids: [theirs.mec.plan_id] })).toEqual([
      400,
      'invalid_request',
      'plan_ids[0]',
    ])
    // Today is March 10, 2026.
    for (const [field, body] of [
      ['coverage_start', { coverage_start: '2062-06-01' }],
      ['coverage_start', { coverage_start: '2024-06-01' }],
      ['coverage_end', { coverage_start: '2026-06-01', coverage_end: '2027-06-01' }],
      ['open_enrollment_start', { coverage_start: '2026-06-01', open_enrollment_start: '2062-04-01' }],
      [
        'open_enrollment_end',
        { coverage_start: '2026-06-01', open_enrollment_start: '2025-04-01', open_enrollment_end: '2025-04-30' },
      ],
    ] as const)
      expect(await refused(body)).toEqual([400, 'invalid_request', field])
    expect(codeOf(await api.put(path, days, { key: api.story.rival_api_key }))).toEqual([404, 'not_found'])
    const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
    expect(codeOf(await api.put(path, days, { key: agent }))).toEqual([403, 'forbidden'])
    expect(await requestsOf(employer_id)).toEqual([])
  })
})
