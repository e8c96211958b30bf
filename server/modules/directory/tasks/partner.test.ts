import { beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../modules.ts'
import { scopes } from '../../../runtime/permissions.ts'
import { aMemberKey, aPerson, createEmployer, importCatalog, openPlanYear, boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick, sure } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { partner_actions, partner_task_kinds } from './rules.ts'

const api = useApi({ with_story: 'usual_day' })
beforeAll(() => api.work())

const requested = (query = '', key = api.story.api_key) => api.get(`/v1/tasks?limit=100&${query}`, { key })
const list = async (query = '', key = api.story.api_key) => (await requested(query, key)).body
const kindsOf = ({ data }: { data: { kind: string }[] }) => [...new Set(data.map(({ kind }) => kind))].toSorted()
const employerCalled = async (search: string) => sure((await api.get(`/v1/employers?search=${search}`)).body.data[0]).id

describe('tasks_list', () => {
  it('lists what needs a broker by due date, with the number of each kind', async () => {
    const { data, groups, pagination } = await list()
    expect(kindsOf({ data })).toEqual([
      'employer_setup',
      'enrollment_lapsing',
      'hris_access_lost',
      'invoice_drafted',
      'invoice_overdue',
      'life_event_pending',
      'open_enrollment_pending',
      'renewal_due',
    ])
    const due_order = data.map(({ due_on, opened_at }) => due_on ?? opened_at)
    expect(due_order).toEqual(due_order.toSorted())
    expect(groups.map(({ kind }) => kind).toSorted()).toEqual(kindsOf({ data }))
    for (const { kind, total, due_on } of groups) {
      const theirs = data.filter((task) => task.kind === kind)
      expect([kind, total, due_on]).toEqual([kind, theirs.length, theirs[0]?.due_on])
    }
    expect(pagination.total).toBe(data.length)
    expect(pick(data, ({ kind }) => kind === 'life_event_pending')).toMatchObject({
      employer_name: 'Sunrise Bakery',
      person_name: 'Farid Rahimi',
      people_count: 1,
      details: { type: 'loss_of_coverage', occurred_on: '2026-03-06' },
      due_on: null,
    })
    expect(pick(data, ({ person_name }) => person_name === 'Nora Olsen')).toMatchObject({
      kind: 'enrollment_lapsing',
      details: { benefit_name: 'Dental' },
      due_on: '2026-03-31',
    })
  })

  it('counts the people who have not responded in an open enrollment window, until all have', async () => {
    const freight = await employerCalled('Granite')
    const windows = async () => (await list(`kind=open_enrollment_pending&employer_id=${freight}`)).data
    const { resource_id, people_count, details, due_on } = only(await windows())
    const year = `/v1/employers/${freight}/benefit-plan-years/${resource_id}` as const
    expect(due_on).toBe((await api.get(year)).body.data.open_enrollment_end)
    const { people } = (await api.get(`${year}/enrollments/summary`)).body.data
    expect([people_count, details.eligible_count]).toEqual([people.pending, people.eligible])
    const rows = (await api.get(`${year}/enrollments?limit=100`)).body.data
    const waive = async (kept: string | null) => {
      for (const { enrollment_id, employee_id } of rows)
        if (employee_id !== kept) await api.post(`/v1/enrollments/${enrollment_id}/waive`, {})
    }
    await waive(sure(rows[0]).employee_id)
    expect(only(await windows()).people_count).toBe(1)
    await waive(null)
    expect(await windows()).toEqual([])
  })

  it('lists a plan year without a successor from 120 days before its end, and no longer once one follows', async () => {
    const employer_id = await createEmployer(api)
    const catalog = await importCatalog(api)
    const ends = { coverage_start: '2025-08-01', coverage_end: '2026-07-09' }
    await openPlanYear(api, employer_id, catalog, ends)
    expect((await list(`employer_id=${employer_id}`)).data).toEqual([])
    const following = await createEmployer(api)
    const id = await openPlanYear(api, following, catalog, { ...ends, coverage_end: '2026-07-08' })
    const { data } = await list(`employer_id=${following}`)
    expect(only(data)).toMatchObject({ kind: 'renewal_due', resource_id: id, due_on: '2026-07-08' })
    await openPlanYear(api, following, catalog, { coverage_start: '2026-07-09', coverage_end: '2027-07-08' })
    expect((await list(`employer_id=${following}`)).data).toEqual([])
  })

  it('lists a held census and failed rows until a later census succeeds', async () => {
    const employer_id = await createEmployer(api)
    const tasks = async () => {
      await api.work()
      return (await list(`employer_id=${employer_id}&kind=census_held,census_failed`)).data
    }
    const people = Array.from({ length: 8 }, () => aPerson())
    const send = async (employees: object[], mode = 'merge') => {
      api.wait(1000)
      const path = `/v1/employers/${employer_id}/census-sync?mode=${mode}` as const
      return (await api.post(path, { employees })).body.data.census_sync_id
    }
    const young = await send([...people, aPerson({ date_of_birth: '2020-01-01' })])
    expect(only(await tasks())).toMatchObject({ kind: 'census_failed', resource_id: young, people_count: 1 })
    const held = await send(people.slice(0, 1), 'replace')
    const task = only(await tasks())
    expect(task).toMatchObject({ kind: 'census_held', resource_id: held, people_count: 7 })
    expect((await api.post(task.action.path as never, {})).status).toBe(200)
    expect(await tasks()).toEqual([])
  })

  it('lists overdue invoices by due date until they are paid', async () => {
    const { data } = await list('kind=invoice_overdue')
    const { resource_id, employer_id, details } = sure(data[0])
    const { data: owed } = (await api.get(`/v1/invoices?status=overdue&limit=100`)).body
    expect(data.map((task) => task.resource_id).toSorted()).toEqual(owed.map(({ invoice_id }) => invoice_id).toSorted())
    expect(details.total_in_cents).toBe(pick(owed, ({ invoice_id }) => invoice_id === resource_id).total_in_cents)
    const paid = `/operator/v1/employers/${employer_id}/invoices/${resource_id}/pay` as const
    expect((await api.post(paid, { paid_on: '2026-03-10' }, { key: api.operator_key })).status).toBe(200)
    expect((await list('kind=invoice_overdue')).data).toEqual(data.slice(1))
  })

  it('pages through the tasks, and skips none while others are completed', async () => {
    const all = (await list()).data.map(({ id }) => id)
    const page = async (number: number) =>
      (await api.get(`/v1/tasks?limit=2&page=${number}`)).body.data.map(({ id }) => id)
    const event = pick((await list()).data, ({ kind }) => kind === 'life_event_pending')
    // Tasks with the same due date are in the order of their ids, so the page of the event varies.
    const last = Math.floor(all.indexOf(event.id) / 2) + 1
    const pages: string[] = []
    for (let number = 1; number <= last; number++) pages.push(...(await page(number)))
    expect(pages).toEqual(all.slice(0, last * 2))
    const approval = `/operator/v1/qualifying-life-events/${event.resource_id}/approve` as const
    await api.post(approval, {}, { key: api.operator_key })
    expect(await page(last + 1)).toEqual(all.slice(last * 2, last * 2 + 2))
  })
})

describe('the callers of tasks_list', () => {
  it('see nothing of another organization', async () => {
    const own = new Set((await list()).data.map(({ id }) => id))
    const rivals = await list('', api.story.rival_api_key)
    expect(rivals.data.filter(({ id }) => own.has(id))).toEqual([])
    const employer_id = await employerCalled('Granite')
    expect((await list(`employer_id=${employer_id}`, api.story.rival_api_key)).data).toEqual([])
    const of_two = { key: api.story.multi_organization_api_key }
    expect(codeOf(await api.get('/v1/tasks', of_two))).toEqual([400, 'organization_required'])
    const headers = { 'X-Service-Organization': api.story.rival_organization_id }
    const { data } = (await api.get('/v1/tasks?limit=100', { ...of_two, headers })).body
    expect(data.map(({ id }) => id)).toEqual(rivals.data.map(({ id }) => id))
  })

  it('see the tasks whose resources their role lets them see', async () => {
    const kinds = async (role: 'SALES' | 'ENROLLMENT_AGENT' | 'OPERATIONS') =>
      kindsOf(await list('', await aMemberKey(api, api.story.organization_id, role)))
    expect(await kinds('SALES')).toEqual(['renewal_due'])
    expect(await kinds('ENROLLMENT_AGENT')).toEqual(['enrollment_lapsing', 'renewal_due'])
    expect(await kinds('OPERATIONS')).toEqual(kindsOf(await list()))
  })

  it('see the tasks that the scopes of their key allow', async () => {
    const keyWith = async (...chosen: string[]) =>
      (await api.post('/v1/api-keys', { name: 'Tasks', scopes: chosen })).body.data.api_key
    expect(kindsOf(await list('', await keyWith('read')))).toEqual([
      'employer_setup',
      'hris_access_lost',
      'renewal_due',
    ])
    const money = kindsOf(await list('', await keyWith('read', 'money')))
    expect(money).toEqual(['employer_setup', 'hris_access_lost', 'invoice_drafted', 'invoice_overdue', 'renewal_due'])
    expect(codeOf(await requested('', await keyWith('write')))).toEqual([403, 'forbidden'])
  })

  it('cannot use a token that is bound to an employer', async () => {
    const id = await employerCalled('Granite')
    expect(codeOf(await requested('', await boundToken(api, 'employer', id)))).toEqual([403, 'forbidden'])
  })

  it.each([
    ['kind=job_failed', 'kind[0]'],
    ['employer_id=x', 'employer_id'],
    ['page=0', 'page'],
  ])('are refused with %s, and the error names the field', async (query, field) => {
    expect(refusalOf(await api.get(`/v1/tasks?${query}`))).toEqual([400, 'invalid_request', field])
  })
})

describe('the operation of each kind', () => {
  it.each(partner_task_kinds)('of %s is open to the callers who see its tasks', (kind) => {
    const { operation, method, path, ...needed } = partner_actions[kind]
    const found = sure(endpoints.find((endpoint) => endpoint.operation === operation))
    const named = (text: string) => text.replaceAll(/\{\w+\}/g, '{}')
    expect([found.method, named(found.path)]).toEqual([method, named(path)])
    expect(found.roles).toEqual(needed.roles)
    const areas = sure(found.scopes).filter((scope) => scope !== 'read' && scope !== 'write')
    expect(areas).toEqual('scope' in needed ? [needed.scope] : [])
    expect(scopes).toEqual(expect.arrayContaining(areas))
  })
})
