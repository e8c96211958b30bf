import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../app.ts'
import { aPerson, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import type { Employee } from '../../../../sdk/src/v1/types.gen.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, pick } from '../../../test/pick.ts'

const api = useApi()

const operator = () => ({ key: api.operator_key })
const employers = (query: string) => api.get(`/operator/v1/employers?${query}`, operator())
const people = (query: string) => api.get(`/operator/v1/members?${query}`, operator())
const users = (query: string) => api.get(`/operator/v1/users?${query}`, operator())
const organizations = (query: string) => api.get(`/operator/v1/organizations?${query}`, operator())
const namesOf = ({ body, text }: { body: { data: { name: string }[] }; text: string }) => {
  expect(text).toContain('"pagination"')
  return body.data.map(({ name }) => name)
}

let orchard: string
let rivals: string
let ada: Employee
let adam: Employee
beforeAll(async () => {
  const rival = { key: api.story.rival_api_key }
  orchard = await createEmployer(api, {
    name: 'Quince Orchard',
    legal_name: 'Zephyr Quinces LLC',
    ein: '61-2345678',
    email: 'office@quince.example',
  })
  rivals = await createEmployer(api, { name: 'Quince Cafe' }, rival)
  ada = await createEmployee(api, orchard, { first_name: 'Ada', last_name: "O'Quincey", reference_id: 'Q-1' })
  adam = await createEmployee(api, rivals, { first_name: 'Adam', last_name: 'Quincy', reference_id: 'Q-1' }, rival)
})

describe('finding employers as an operator', () => {
  it.each([
    ['the beginning of a name, in every organization', 'quince', ['Quince Cafe', 'Quince Orchard']],
    ['the beginning of a legal name', 'ZEPHYR', ['Quince Orchard']],
    ['no part within a name', 'orchard', []],
    ['a full EIN', '612345678', ['Quince Orchard']],
    ['the address of an administrator', 'Office@Quince.example', ['Quince Orchard']],
    ['a percent sign literally', 'qui%', []],
    ['no similar name', 'no employer of this name', []],
  ])('finds by %s', async (_, search, names) => {
    const answer = await employers(`search=${encodeURIComponent(search)}`)
    expect(namesOf(answer)).toEqual(names)
    expect(answer.body.pagination.total).toBe(names.length)
  })

  it("finds by id, page by page, and in one organization with the partner's search", async () => {
    expect(namesOf(await employers(`search=${rivals}`))).toEqual(['Quince Cafe'])
    expect(namesOf(await employers('search=quince&limit=1&page=2'))).toEqual(['Quince Orchard'])
    expect(namesOf(await employers(`organization_id=${api.story.organization_id}&search=orchard`))).toEqual([
      'Quince Orchard',
    ])
    const all = await employers('limit=1')
    expect(all.body.pagination.total).toBeGreaterThan(1)
  })

  it('refuses to list by a single letter, and is closed to partners', async () => {
    expect(refusalOf(await employers('search=qu'))).toEqual([400, 'invalid_request', 'search'])
    const partner = await api.get('/operator/v1/employers?search=quince', { key: api.story.super_api_key })
    expect(codeOf(partner)).toEqual([401, 'unauthorized'])
  })

  it('finds employers after they were cancelled, with the history of their subscriptions', async () => {
    const cancelled = await createEmployer(api, { name: 'Medlar Mill' })
    const path = `/operator/v1/employers/${cancelled}/subscriptions` as const
    const ended = await api.post(`${path}/end`, { ended_on: '2026-03-11' }, operator())
    expect(ended.status, ended.text).toBe(200)
    await api.post(path, { started_on: '2026-05-01' }, operator())
    const { body } = await api.get(path, operator())
    expect(body.data.map(({ started_on, ended_on }) => [started_on, ended_on])).toEqual([
      ['2026-05-01', null],
      ['2026-03-10', '2026-03-11'],
    ])
    expect(body.pagination.total).toBe(2)
    expect(namesOf(await employers('search=medlar'))).toEqual(['Medlar Mill'])
    expect((await api.get(`/operator/v1/employers/${cancelled}`, operator())).body.data.name).toBe('Medlar Mill')
  })
})

describe('the representatives of an employer', () => {
  const admins = () => `/operator/v1/employers/${orchard}/admins` as const

  it('can be added once, filter employers, and can be removed and added again', async () => {
    const body = { email: 'bea@quince.example', name: 'Bea', phone: '(415) 555-0123' }
    const added = await api.post(admins(), body, operator())
    expect(added.body.data).toMatchObject({ email: body.email, name: 'Bea', phone: '4155550123', employer_id: orchard })
    const again = await api.post(admins(), { email: 'BEA@quince.example' }, operator())
    expect(refusalOf(again)).toEqual([409, 'employer_admin_already_exists', 'email'])
    const book = (search: string) => api.get(`/v1/employers?search=${search}`)
    expect((await book('bea@quince.example')).body.data).toHaveLength(1)
    const listed = await api.get(admins(), operator())
    expect(listed.body.data.map(({ email }) => email)).toEqual(['office@quince.example', 'bea@quince.example'])
    const removed = await api.call('DELETE', `${admins()}/${added.body.data.id}`, operator())
    expect(removed.status).toBe(200)
    expect(codeOf(await api.call('DELETE', `${admins()}/${added.body.data.id}`, operator()))).toEqual([
      404,
      'not_found',
    ])
    expect((await book('bea@quince.example')).body.data).toEqual([])
    const back = await api.post(admins(), { email: 'bea@quince.example' }, operator())
    expect(back.body.data).toMatchObject({ id: added.body.data.id, name: null })
  })
})

describe('finding people as an operator', () => {
  const found = async (search: string, more = '') => {
    const answer = await people(`search=${encodeURIComponent(search)}${more}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.map(({ first_name }) => first_name).toSorted()
  }

  it('finds people across organizations by known facts about them', async () => {
    expect(await found('Q-1')).toEqual(['Ada', 'Adam'])
    expect(await found('quin')).toEqual(['Adam'])
    expect(await found("o'qui")).toEqual(['Ada'])
    expect(await found(ada.email)).toEqual(['Ada'])
    expect(await found(adam.member_id)).toEqual(['Adam'])
    expect(await found(adam.id)).toEqual(['Adam'])
    expect(await found('Adam')).toEqual([])
    expect(await found('Adam Quincy')).toEqual(['Adam'])
    expect(await found('oquincey  ADA')).toEqual(['Ada'])
    expect(await found('Ada O’Quincey')).toEqual(['Ada'])
    expect(await found('Ana Quincy')).toEqual([])
    expect(await found('---')).toEqual([])
    expect(await found('Q-1', `&organization_id=${api.story.organization_id}`)).toEqual(['Ada'])
    expect(await found('Q-1', `&employer_id=${rivals}`)).toEqual(['Adam'])
  })

  it('never lists people, and records each search in the audit log without the search text', async () => {
    expect(refusalOf(await people(''))).toEqual([400, 'invalid_request', 'search'])
    expect(refusalOf(await people('search=qu'))).toEqual([400, 'invalid_request', 'search'])
    await found(ada.email)
    await api.runtime.audit_log.close()
    const entries = await api.get('/operator/v1/audit-entries?operation=operator_find_members', operator())
    expect(first(entries.body.data)).toMatchObject({ actor: { kind: 'operator' } })
    expect(entries.text).not.toContain(ada.email)
  })

  it('shows people with their employers and enrollments', async () => {
    const one = await api.get(`/operator/v1/members/${adam.member_id}`, operator())
    expect(only(one.body.data.employments)).toMatchObject({ employer_id: rivals, employee_id: adam.id })
    const enrollments = await api.get(`/operator/v1/members/${adam.member_id}/enrollments`, operator())
    expect(enrollments.body.pagination.total).toBe(0)
  })
})

describe('finding users and organizations as an operator', () => {
  it('finds both by the beginning of their names and by id, and users by their email', async () => {
    const made = await api.post('/operator/v1/users', { name: 'Xenia Quist', email: 'xenia@quist.example' }, operator())
    const { id } = made.body.data
    for (const search of ['xenia q', 'XENIA@quist.example', id])
      expect(namesOf(await users(`search=${encodeURIComponent(search)}`))).toEqual(['Xenia Quist'])
    expect(namesOf(await users('search=quist'))).toEqual([])
    const position = await api.post(
      '/operator/v1/organizations',
      { name: 'Xylo Benefits', admin_user_id: id },
      operator(),
    )
    const organization_id = position.body.data.id
    for (const search of ['xylo', organization_id])
      expect(namesOf(await organizations(`search=${search}`))).toEqual(['Xylo Benefits'])
    const shown = await api.get(`/operator/v1/users/${id}`, operator())
    expect(shown.body.data).toMatchObject({
      operator_role: null,
      memberships: [{ organization_id, organization_name: 'Xylo Benefits', role: 'ADMIN', ended_at: null }],
    })
    const members = `/operator/v1/organizations/${organization_id}/members` as const
    await api.call('DELETE', `${members}/${id}`, operator())
    expect(only((await api.get(members, operator())).body.data)).toMatchObject({
      user_id: id,
      name: 'Xenia Quist',
      ended_at: expect.any(String),
    })
    expect((await users('limit=2')).body.data).toHaveLength(2)
  })

  it('pages through users and organizations without counting them', async () => {
    for (const list of [users, organizations]) {
      const { total } = (await list('limit=1')).body.pagination
      const names = []
      for (let page = 1; page <= 3; page++) names.push(...namesOf(await list(`limit=1&page=${page}`)))
      expect(names).toEqual(namesOf(await list('limit=3')))
      expect((await list('limit=100')).body.data).toHaveLength(total)
    }
  })

  it('reports the health of an organization, and finds those whose daily run is late', async () => {
    const path = `/operator/v1/organizations/${api.story.organization_id}` as const
    const { data } = (await api.get(path, operator())).body
    expect(data).toMatchObject({ sandbox: true, today: '2026-03-10' })
    expect(data.employer_count).toBeGreaterThan(0)
    const late = async () => (await organizations('late=true&limit=100')).body.data.map(({ id }) => id)
    api.moveTo('2026-03-11')
    expect(await late()).toContain(data.id)
    expect(pick((await organizations('limit=100')).body.data, ({ id }) => id === data.id)).toMatchObject({ late: true })

    const tasks = async () => {
      const open = `/operator/v1/tasks?kind=daily_run_late&organization_id=${data.id}` as const
      return (await api.get(open, operator())).body.data
    }
    const task = only(await tasks())
    expect(task).toMatchObject({
      resource_id: data.id,
      details: { last_day_run_on: '2026-03-10' },
      opened_at: '2026-03-11T05:00:00.000Z',
      action: { path: `${path}/daily-run` },
    })
    api.wait(-11.5 * 3600_000)
    expect(await tasks()).toEqual([])
    api.wait(11.5 * 3600_000)
    const run = await api.call('POST', task.action.path, operator())
    expect([run.status, run.body], run.text).toMatchObject([202, { data: { id: data.id, late: true } }])
    await api.work()
    expect((await api.get(path, operator())).body.data).toMatchObject({ late: false, last_day_run_on: '2026-03-11' })
    expect(await tasks()).toEqual([])
    api.moveTo('2026-03-10')
  })

  it('reports the use of their credentials', async () => {
    const { organization_id } = api.story
    const member = first((await api.get(`/operator/v1/organizations/${organization_id}/members`, operator())).body.data)
    const wanted = { user_id: member.user_id, organization_id, mode: 'test' }
    const { id, api_key } = (await api.post('/operator/v1/api-keys', wanted, operator())).body.data
    // A process writes its counts when it ends, at the latest.
    const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 3 } })
    for (const url of ['/v1/employers', '/v1/employers', `/v1/employers/${rivals}`, '/v1/employers'])
      await app.inject({ url, headers: { authorization: `Bearer ${api_key}` } })
    await app.close()
    const used = await api.get(`/operator/v1/api-keys/${id}/usage`, operator())
    expect(used.body.data).toMatchObject([
      { day: '2026-03-10', organization_id, operation: 'employers_get', request_count: 1, refused_count: 1 },
      { operation: 'employers_list', request_count: 3, refused_count: 0, limited_count: 1, failed_count: 0 },
    ])
    const all = await api.get(`/operator/v1/organizations/${organization_id}/usage`, operator())
    expect(pick(all.body.data, ({ credential_id }) => credential_id === id)).toMatchObject({ request_count: 4 })
    expect((await api.get(`/operator/v1/api-keys/${id}/usage?since=2026-03-11`, operator())).body.data).toEqual([])
  })
})

it('lists the policies of an employer, newest first', async () => {
  const path = `/v1/employers/${orchard}/benefit-eligibility-policies` as const
  for (const waiting_period of ['none', '30_days'])
    expect((await api.post(path, { classification: 'all', waiting_period })).status).toBe(201)
  const { body } = await api.get(path)
  expect(body.data.map(({ waiting_period, active }) => [waiting_period, active])).toEqual([
    ['30_days', true],
    ['none', false],
  ])
})

describe("censuses in the operator's lists", () => {
  const tasks = async () =>
    (await api.get(`/operator/v1/tasks?kind=census_held&organization_id=${api.story.organization_id}`, operator())).body
      .data

  /** Submits a census that would terminate six of seven people and is therefore held. */
  async function held(): Promise<{ employer_id: string; id: string; rows: ReturnType<typeof aPerson>[] }> {
    const employer_id = await createEmployer(api)
    const rows = Array.from({ length: 7 }, () => aPerson())
    const send = async (employees: object[]) => {
      const path = `/v1/employers/${employer_id}/census-sync?mode=replace` as const
      const answer = await api.post(path, { employees })
      await api.work()
      return (answer.body.data as { census_sync_id: string }).census_sync_id
    }
    await send(rows)
    api.wait(1000)
    return { employer_id, id: await send(rows.slice(0, 1)), rows }
  }

  it('lists held censuses, and the action of their task terminates the missing people', async () => {
    const { employer_id, id } = await held()
    const listed = await api.get(`/operator/v1/employers/${employer_id}/census-syncs`, operator())
    expect(first(listed.body.data)).toMatchObject({ census_sync_id: id, state: 'held', missing_count: 6 })
    const task = pick(await tasks(), ({ resource_id }) => resource_id === id)
    expect(task).toMatchObject({ employer_id, details: { missing_count: 6, roster_count: 7 } })
    const confirmed = await api.call('POST', task.action.path, operator())
    expect(confirmed.status, confirmed.text).toBe(200)
    await api.work()
    const outcome = await api.get(`/operator/v1/census-syncs/${id}`, operator())
    expect(outcome.body.data).toMatchObject({ state: 'completed', counts: { terminated: 6 } })
    expect((await tasks()).map(({ resource_id }) => resource_id)).not.toContain(id)
  })

  it('terminates no one when a census is discarded, and refuses a second decision', async () => {
    const { employer_id, id } = await held()
    const decide = (action: 'confirm' | 'discard') =>
      api.post(`/operator/v1/census-syncs/${id}/${action}`, {}, operator())
    const discarded = await decide('discard')
    expect(discarded.body.data).toMatchObject({ state: 'completed', missing_count: 6, counts: { terminated: 0 } })
    for (const action of ['confirm', 'discard'] as const)
      expect(codeOf(await decide(action))).toEqual([409, 'census_sync_not_held'])
    expect((await tasks()).map(({ resource_id }) => resource_id)).not.toContain(id)
    const roster = await api.get(`/v1/employers/${employer_id}/employees?employment_status=active`)
    expect(roster.body.pagination.total).toBe(7)
    for (const answer of [
      await api.get(`/v1/employers/${employer_id}/census-sync`),
      await api.get(`/operator/v1/employers/${employer_id}/census-syncs`, operator()),
    ]) {
      expect(answer.body.data.map(({ state, row_count }) => [state, row_count])).toEqual([
        ['completed', 1],
        ['completed', 7],
      ])
    }
    const foreign = await api.get(`/v1/employers/${employer_id}/census-sync`, { key: api.story.rival_api_key })
    expect(codeOf(foreign)).toEqual([404, 'not_found'])
  })

  it('closes the task of a held census when a later one is accepted', async () => {
    const { employer_id, id, rows } = await held()
    api.wait(1000)
    await api.post(`/v1/employers/${employer_id}/census-sync?mode=replace`, { employees: rows })
    expect((await tasks()).map(({ resource_id }) => resource_id)).not.toContain(id)
    await api.work()
    // A superseded census may still be discarded.
    expect((await api.post(`/operator/v1/census-syncs/${id}/discard`, {}, operator())).status).toBe(200)
  })
})
