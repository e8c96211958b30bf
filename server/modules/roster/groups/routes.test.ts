import { beforeAll, describe, expect, it } from 'vitest'
import {
  aGroupMember,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure, two } from '../../../test/pick.ts'
import { tasks } from './actions.ts'

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let plan_id: string
let other_plan_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  plan_id = catalog.mvp.plan_id
  other_plan_id = catalog.mvp.other_plan_id
})

const aMember = (input: Record<string, unknown> = {}) => aGroupMember(plan_id, input)
const some = (count: number) => Array.from({ length: count }, () => aMember())

const submit = (group_id: string, members: object[]) => api.post(`/v1/groups/${group_id}/members/sync`, { members })
const requestOf = async (group_id: string, request_id: string) =>
  (await api.get(`/v1/groups/${group_id}/members/sync/${request_id}`)).body.data
const resultsOf = async (group_id: string, request_id: string) => sure((await requestOf(group_id, request_id)).results)
const membersOf = async (group_id: string, query = '') =>
  (await api.get(`/v1/groups/${group_id}/members?limit=100${query}`)).body

/** Submits members without processing them, and returns the id of the request. */
async function accept(group_id: string, members: object[]): Promise<string> {
  const answer = await submit(group_id, members)
  expect(answer.status, answer.text).toBe(202)
  return answer.body.data.request_id
}

/** Submits members, lets the worker synchronize the group, and returns the results. */
async function sync(group_id: string, members: object[]) {
  const request_id = await accept(group_id, members)
  await api.work()
  return resultsOf(group_id, request_id)
}

const failure = (reason: string, { reference_id }: { reference_id: string }) => ({
  operation: 'add',
  reason,
  reference_id,
})
const nothing = { added_group_member_ids: [], removed_group_member_ids: [], failures: [] }
const isAdded = expect.stringMatching(/^grpmbr_/)

describe('groups', () => {
  it('lets partners create, read, change and list groups, newest first', async () => {
    const created = await api.post('/v1/groups', { external_reference_id: ' coop-1 ', name: 'Coop' })
    expect([created.status, created.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^grp_/),
        organization_id: api.story.organization_id,
        name: 'Coop',
        external_reference_id: 'coop-1',
        created_at: '2026-03-10T16:00:00.000Z',
        updated_at: '2026-03-10T16:00:00.000Z',
      },
    ])
    const { id } = created.body.data
    api.wait(1000)
    const renamed = await api.patch(`/v1/groups/${id}`, { name: 'Cooperative', external_reference_id: null })
    const shown = { ...created.body.data, name: 'Cooperative', updated_at: '2026-03-10T16:00:01.000Z' }
    expect([renamed.status, renamed.body.data]).toEqual([200, shown])
    api.wait(1000)
    await api.patch(`/v1/groups/${id}`, { name: 'Cooperative', external_reference_id: 'coop-1' })
    expect((await api.get(`/v1/groups/${id}`)).body.data).toEqual(shown)

    const newer = await createGroup(api)
    const { data, pagination } = (await api.get('/v1/groups?limit=2')).body
    expect(data.map((group) => group.id)).toEqual([newer, id])
    expect(pagination).toEqual({ limit: 2, page: 1, total: 2, total_pages: 1 })
    expect((await api.get('/v1/groups?page=2')).body).toMatchObject({ data: [], pagination: { total: 2 } })
  })

  it('finds a group by its exact external reference', async () => {
    const id = await createGroup(api, { external_reference_id: 'Find-Me' })
    const found = async (reference: string) => {
      const { body } = await api.get(`/v1/groups?external_reference_id=${reference}`)
      expect(body.pagination.total).toBe(body.data.length)
      return body.data.map((group) => group.id)
    }
    expect(await found('Find-Me')).toEqual([id])
    expect(await found('find-me')).toEqual([])
    expect(await found('Find')).toEqual([])
  })

  it('requires an external reference that is unique within its organization', async () => {
    const key = api.story.rival_api_key
    await createGroup(api, { external_reference_id: 'taken' })
    await createGroup(api, { external_reference_id: 'taken' }, { key })
    const other = await createGroup(api)
    const refused = [
      await api.post('/v1/groups', { external_reference_id: 'taken', name: 'X' }),
      await api.patch(`/v1/groups/${other}`, { external_reference_id: 'taken', name: 'X' }),
    ]
    expect(refused.map(codeOf)).toEqual([
      [409, 'external_reference_id_already_exists'],
      [409, 'external_reference_id_already_exists'],
    ])
    const named = [{ field: 'external_reference_id', message: 'belongs to another group' }]
    expect(refused.map(({ error }) => error.details)).toEqual([named, named])
    expect((await api.get(`/v1/groups/${other}`)).body.data.name).not.toBe('X')
  })

  it('creates one group for 10 identical simultaneous requests', async () => {
    const body = { external_reference_id: 'race', name: 'Race' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/v1/groups', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  it('puts the name of an invalid field before the message, and names the body if all of it is invalid', async () => {
    const whole = await api.post('/v1/groups', [])
    expect(whole.error.details).toEqual([{ field: '', message: 'the body must be an object' }])
    expect(whole.error.message).toBe('the body must be an object')
    const part = await api.post('/v1/groups', { name: 'X' })
    expect(part.error.message).toBe('external_reference_id: is required')
  })

  it('requires a name and an external reference', async () => {
    const answer = await api.post('/v1/groups', { name: ' ' })
    expect(answer.error.details.map(({ field }) => field)).toEqual(['external_reference_id', 'name'])
  })

  it('hides groups from other organizations, and requires callers of several organizations to name one', async () => {
    const group_id = await createGroup(api)
    const request_id = await accept(group_id, [])
    const key = api.story.rival_api_key
    const path = `/v1/groups/${group_id}` as const
    for (const at of [path, `${path}/members`, `${path}/members/sync/${request_id}`])
      expect((await api.get(at, { key })).status).toBe(404)
    expect((await api.patch(path, { name: 'X' }, { key })).status).toBe(404)
    expect((await api.post(`${path}/members/sync`, { members: [] }, { key })).status).toBe(404)
    expect((await api.get('/v1/groups', { key })).body.data.map((group) => group.id)).not.toContain(group_id)
    const other = await createGroup(api)
    expect((await api.get(`/v1/groups/${other}/members/sync/${request_id}`)).status).toBe(404)
    const many = await api.get('/v1/groups', { key: api.story.multi_organization_api_key })
    expect(many.error.code).toBe('organization_required')
    const { total } = (await api.get('/v1/groups', { key: api.story.super_api_key })).body.pagination
    expect(total).toBeGreaterThan((await api.get('/v1/groups')).body.pagination.total)
  })
})

describe('a group member sync', () => {
  it('adds new members, keeps and updates known ones, removes missing ones, and publishes the changes', async () => {
    const group_id = await createGroup(api)
    const [ann, bea, cid] = [aMember({ email: undefined }), aMember(), aMember()]
    const accepted = await submit(group_id, [ann, bea])
    expect([accepted.status, accepted.body.data]).toEqual([
      202,
      {
        accepted_at: expect.stringMatching(/^2026-03-10T16:00/),
        group_id,
        request_id: expect.stringMatching(/^grpmsr_/),
      },
    ])
    const { request_id, accepted_at } = accepted.body.data
    const in_flight = { request_id, group_id, accepted_at, completed_at: null, results: null }
    expect(await requestOf(group_id, request_id)).toEqual(in_flight)
    expect((await membersOf(group_id)).data).toEqual([])
    await api.work()
    const done = await requestOf(group_id, request_id)
    expect(done).toEqual({
      ...in_flight,
      completed_at: expect.stringMatching(/^2026-03-10T/),
      results: { ...nothing, added_group_member_ids: [isAdded, isAdded] },
    })
    expect(await api.events(request_id)).toEqual(['group_member_sync.completed'])

    const [id_of_ann, id_of_bea] = sure(done.results).added_group_member_ids
    const { data, pagination } = await membersOf(group_id)
    expect(pagination.total).toBe(2)
    expect(data.map((member) => member.id)).toEqual([id_of_bea, id_of_ann])
    expect(data[1]).toEqual({
      id: id_of_ann,
      group_id,
      member_id: expect.stringMatching(/^mbr_/),
      ...ann,
      email: null,
      address: { ...ann.address, address_line_2: null },
      joined_at: done.completed_at,
      updated_at: done.completed_at,
    })

    api.wait(1000)
    const moved = { ...bea, phone: aMember().phone, plan_id: other_plan_id, email: null }
    const results = await sync(group_id, [moved, cid])
    expect(results).toEqual({
      added_group_member_ids: [isAdded],
      removed_group_member_ids: [id_of_ann],
      failures: [],
    })
    const after = (await membersOf(group_id)).data
    const [newest, stayed] = two(after)
    expect(after).toMatchObject([
      { id: results.added_group_member_ids[0], reference_id: cid.reference_id },
      { id: id_of_bea, phone: moved.phone, plan_id: other_plan_id, email: bea.email, joined_at: done.completed_at },
    ])
    expect(stayed.updated_at > sure(done.completed_at)).toBe(true)
    expect(await sync(group_id, [])).toMatchObject({ removed_group_member_ids: [id_of_bea, newest.id] })
    const operator = { key: api.operator_key }
    const listed = await api.get(`/v1/groups/${group_id}/members/sync`)
    expect(
      listed.body.data.map(({ added_count, removed_count, failure_count }) => [
        added_count,
        removed_count,
        failure_count,
      ]),
    ).toEqual([
      [0, 2, 0],
      [1, 1, 0],
      [2, 0, 0],
    ])
    const in_operation = await api.get(
      `/operator/v1/group-member-syncs?organization_id=${api.story.organization_id}&limit=100`,
      operator,
    )
    expect(in_operation.body.data).toEqual(expect.arrayContaining(listed.body.data))
    const under_way = await api.get('/operator/v1/group-member-syncs?under_way=true', operator)
    expect(under_way.body.data.map((one) => one.group_id)).not.toContain(group_id)
    expect((await api.get(`/operator/v1/group-member-syncs/${request_id}`, operator)).body.data).toEqual(done)
    expect((await api.get(`/v1/groups/${group_id}/members/sync`, { key: api.story.rival_api_key })).status).toBe(404)
    expect(await membersOf(group_id)).toMatchObject({ data: [], pagination: { total: 0, total_pages: 0 } })
  })

  it('changes nothing when the same body is submitted five times, and completes each request once', async () => {
    const group_id = await createGroup(api)
    const members = some(3)
    const requests = []
    for (let time = 0; time < 5; time++) requests.push(await accept(group_id, members))
    await api.work()
    const results = await Promise.all(requests.map((id) => resultsOf(group_id, id)))
    expect(results.map((each) => each.added_group_member_ids.length)).toEqual([3, 0, 0, 0, 0])
    expect(results.slice(1)).toEqual(results.slice(1).map(() => nothing))
    for (const id of requests) expect(await api.events(id)).toEqual(['group_member_sync.completed'])
    expect((await membersOf(group_id)).pagination.total).toBe(3)
  })

  it('reports failing rows with the reason and processes the others', async () => {
    const employer_id = await createEmployer(api)
    const [known, other] = [await createEmployee(api, employer_id), await createEmployee(api, employer_id)]
    const [elsewhere, group_id] = [await createGroup(api), await createGroup(api)]
    const [theirs, fine] = [aMember(), aMember()]
    await sync(elsewhere, [theirs])
    const foreign = await importCatalog(api, [], api.story.rival_organization_id)
    const rows = {
      plan_not_found: [aMember({ plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz' }), aMember({ plan_id: 'gold' })],
      foreign: [aMember({ plan_id: foreign.mvp.plan_id })],
      under_18: [aMember({ date_of_birth: '2008-03-11' })],
      unknown_state: [aMember({ address: { address_line_1: '1 A', city: 'B', state: 'ZZ', zipcode: '12207' } })],
      ambiguous_person: [
        aMember({ phone: known.phone, last_name: known.last_name, date_of_birth: known.date_of_birth }),
      ],
      email_taken: [
        aMember({ email: known.email.toUpperCase(), date_of_birth: '1970-01-01' }),
        aMember({ email: known.email, distinct: true }),
      ],
      member_not_found: [aMember({ member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v7xz' })],
      invalid_account_update: [aMember({ phone: known.phone })],
      member_in_other_group: [{ ...theirs, reference_id: 'ANOTHER' }],
      repeated_person: [{ ...fine, reference_id: 'AGAIN' }],
    }
    const { foreign: foreign_plan, ...others } = rows
    const results = await sync(group_id, [fine, ...Object.values(others).flat(), ...foreign_plan])
    expect(results).toEqual({
      added_group_member_ids: [isAdded],
      removed_group_member_ids: [],
      failures: [
        ...Object.entries(others).flatMap(([reason, some]) => some.map((row) => failure(reason, row))),
        failure('plan_not_found', foreign_plan[0]!),
      ],
    })
    expect((await membersOf(group_id)).pagination.total).toBe(1)
    expect((await membersOf(elsewhere)).pagination.total).toBe(1)
    expect(JSON.stringify(results.failures)).not.toContain(other.email)
    expect(await sync(group_id, [aMember({ date_of_birth: '2008-03-10' })])).toMatchObject({ failures: [] })
  })

  it('keeps a member unchanged if their row fails', async () => {
    const group_id = await createGroup(api)
    const member = aMember()
    await sync(group_id, [member])
    const before = await membersOf(group_id)
    api.wait(1000)
    const results = await sync(group_id, [{ ...member, first_name: 'New', plan_id: 'none' }])
    expect(results).toEqual({ ...nothing, failures: [failure('plan_not_found', member)] })
    expect(await membersOf(group_id)).toEqual(before)
  })

  it('never overwrites a member when their reference is reused for someone with nothing in common', async () => {
    const group_id = await createGroup(api)
    const member = aMember({ email: undefined })
    await sync(group_id, [member])
    const client = aMember({ reference_id: member.reference_id, date_of_birth: '1971-01-01', email: undefined })
    expect(await sync(group_id, [client])).toEqual({
      ...nothing,
      failures: [failure('reference_of_other_person', member)],
    })
    // The reference is free after its former holder has left.
    await sync(group_id, [])
    expect((await sync(group_id, [client])).added_group_member_ids).toHaveLength(1)
    const shown = only((await membersOf(group_id)).data)
    expect(shown.last_name).toBe(client.last_name)
  })

  it('links a known person, fills in missing details, and publishes the change to their employers', async () => {
    const employer_id = await createEmployer(api)
    const employee = await createEmployee(api, employer_id)
    const group_id = await createGroup(api)
    const { first_name, last_name, email, date_of_birth, id } = employee
    const phone = aMember().phone
    const row = aMember({ first_name, last_name, email, date_of_birth, phone })
    await sync(group_id, [row])
    const member = only((await membersOf(group_id)).data)
    expect(member).toMatchObject({ member_id: employee.member_id, phone: employee.phone })
    const shown = (await api.get(`/v1/employees/${id}`)).body.data
    expect(shown).toMatchObject({ phone: employee.phone, address: row.address })
    expect(await api.events(id)).toEqual(['employee.created', 'employee.updated'])
    await sync(group_id, [row])
    expect((await api.get(`/v1/employees/${id}`)).body.data.phone).toBe(phone)
    await sync(group_id, [row])
    expect(await api.events(id)).toEqual(['employee.created', 'employee.updated', 'employee.updated'])
  })

  it('links a group member who is hired, and adopts the missing email from the hire', async () => {
    const group_id = await createGroup(api)
    const { plan_id: _, email: __, ...person } = aMember({ email: undefined })
    await sync(group_id, [{ ...person, plan_id }])
    const member = only((await membersOf(group_id)).data)
    const hired = await createEmployee(api, await createEmployer(api), person)
    expect(hired).toMatchObject({ member_id: member.member_id, email: expect.stringContaining('@') })
    expect((await membersOf(group_id)).data[0]?.email).toBe(hired.email)
    expect(await sync(group_id, [{ ...person, plan_id }])).toEqual(nothing)
    expect((await membersOf(group_id)).data[0]?.email).toBe(hired.email)
  })

  it('gives a returning member a new membership for the same person, and keeps the old one', async () => {
    const [group_id, elsewhere] = [await createGroup(api), await createGroup(api)]
    const member = aMember()
    const former = first((await sync(group_id, [member])).added_group_member_ids)
    await sync(group_id, [])
    api.wait(1000)
    // Matched by the reference alone: email and phone are new.
    const back = { ...member, email: 'back@example.com', phone: aMember().phone, address: aMember().address }
    const latter = first((await sync(group_id, [back])).added_group_member_ids)
    expect(latter).not.toBe(former)
    expect((await sync(group_id, [{ ...back, reference_id: 'RENAMED' }])).removed_group_member_ids).toEqual([latter])
    await sync(group_id, [])
    await sync(elsewhere, [back])
    const { rows } = await api.database.pool.query(
      `select group_id, member_id, reference_id, left_at is null as present from group_members
        where member_id = (select member_id from group_members where id = $1) order by id`,
      [former],
    )
    expect(rows.map(({ group_id, reference_id, present }) => [group_id, reference_id, present])).toEqual([
      [group_id, member.reference_id, false],
      [group_id, member.reference_id, false],
      [group_id, 'RENAMED', false],
      [elsewhere, member.reference_id, true],
    ])
    expect((await membersOf(elsewhere)).data[0]).toMatchObject({ email: 'back@example.com', phone: back.phone })
  })

  it('moves an email, a phone and a reference to other members within one body', async () => {
    const group_id = await createGroup(api)
    const old = aMember()
    await sync(group_id, [old])
    const moved = { ...old, phone: aMember().phone, email: 'gave.it.up@example.com' }
    const successor = aMember({ phone: old.phone, email: old.email })
    expect(await sync(group_id, [moved, successor])).toEqual({ ...nothing, added_group_member_ids: [isAdded] })
  })

  it('refuses a body with an invalid structure before it accepts any of it', async () => {
    const group_id = await createGroup(api)
    const row = aMember()
    const of = async (members: unknown) => refusalOf(await api.post(`/v1/groups/${group_id}/members/sync`, { members }))
    const refused = (field: string) => [400, 'invalid_request', field]
    expect(await of(undefined)).toEqual(refused('members'))
    expect(await of('x')).toEqual(refused('members'))
    for (const field of Object.keys(row).filter((name) => name !== 'email'))
      expect(await of([row, { ...aMember(), [field]: undefined }])).toEqual(refused(`members[1].${field}`))
    const { address } = row
    expect(await of([{ ...row, address: { ...address, city: '' } }])).toEqual(refused('members[0].address.city'))
    expect(await of([{ ...row, phone: '12' }])).toEqual(refused('members[0].phone'))
    expect(await of([{ ...row, date_of_birth: '1990-02-30' }])).toEqual(refused('members[0].date_of_birth'))
    expect(await of([row, aMember({ reference_id: row.reference_id })])).toEqual(refused('members[1].reference_id'))
    expect(await of(Array.from({ length: 10_001 }, () => row))).toEqual(refused('members'))
    expect((await membersOf(group_id)).data).toEqual([])
  })

  it('lets callers search enrollments of a plan year by the id and the reference of a membership', async () => {
    const { employer_id, plan_year_id } = await createOfferingEmployer(api, catalog)
    const { first_name, last_name, email, date_of_birth, id } = await createEmployee(api, employer_id)
    await createEmployee(api, employer_id)
    const group_id = await createGroup(api)
    const reference_id = 'COOP/17'
    const row = aMember({ reference_id, first_name, last_name, email, date_of_birth })
    const group_member_id = first((await sync(group_id, [row, aMember()])).added_group_member_ids)
    const found = async (search: string, key = api.story.api_key) => {
      const path = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/enrollments` as const
      const { body } = await api.get(`${path}?search=${encodeURIComponent(search)}`, { key })
      return [...new Set(body.data?.map((each) => each.employee_id))]
    }
    expect(await found(group_member_id)).toEqual([id])
    expect(await found(reference_id)).toEqual([id])
    expect(await found(reference_id, api.story.super_api_key)).toEqual([id])
    expect(await found('COOP/1')).toEqual([])
    // The id identifies the membership permanently. A reference can be reused once its holder has left.
    await sync(group_id, [])
    expect(await found(group_member_id)).toEqual([id])
    expect(await found(reference_id)).toEqual([])
  })
})

describe('concurrent group member syncs', () => {
  it('runs the syncs of a group in order of acceptance, whichever job runs first', async () => {
    const group_id = await createGroup(api)
    const [ann, bea, cid] = some(3)
    const requests = [
      await accept(group_id, [ann!, bea!]),
      await accept(group_id, [bea!, cid!]),
      await accept(group_id, []),
      await accept(group_id, [ann!]),
    ]
    await api.work()
    const results = await Promise.all(requests.map((id) => resultsOf(group_id, id)))
    expect(results.map((each) => [each.added_group_member_ids.length, each.removed_group_member_ids.length])).toEqual([
      [2, 0],
      [1, 1],
      [0, 2],
      [1, 0],
    ])
    const [added, next] = two(results)
    expect(next.removed_group_member_ids).toEqual([added.added_group_member_ids[0]])
    expect((await membersOf(group_id)).data.map((member) => member.reference_id)).toEqual([ann!.reference_id])
  })

  it('leaves the group as the last accepted sync requires, without duplicate people', async () => {
    const [group_id, other] = [await createGroup(api), await createGroup(api)]
    const [mine, both, theirs] = some(3)
    const answers = await Promise.all([
      submit(group_id, [mine!, both!]),
      submit(group_id, [both!, theirs!]),
      submit(other, [{ ...mine!, reference_id: 'O-1' }]),
    ])
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    await Promise.all([api.work(), api.work()])
    const { rows } = await api.database.pool.query<{ id: string }>(
      'select id from group_member_syncs where group_id = $1 order by position desc',
      [group_id],
    )
    const last = answers[0]!.body.data.request_id === rows[0]!.id ? [mine!, both!] : [both!, theirs!]
    const present = (await membersOf(group_id)).data.map((member) => member.reference_id)
    const failed = (await resultsOf(group_id, first(rows).id)).failures.map((each) => each.reference_id)
    expect([...present, ...failed].toSorted()).toEqual(last.map(({ reference_id }) => reference_id).toSorted())
    for (const { body } of answers)
      expect(await api.events(body.data.request_id)).toEqual(['group_member_sync.completed'])
    const people = await api.database.pool.query('select id from members where phone = $1', [mine!.phone])
    expect(people.rows).toHaveLength(1)
  })

  it('creates one person for someone who is hired and joins several groups at the same time', async () => {
    const employer_id = await createEmployer(api)
    const group_ids = [await createGroup(api), await createGroup(api), await createGroup(api)]
    const people = some(8)
    const rows = people.map((person) => ({ ...person, email: undefined }))
    const requests = await Promise.all(group_ids.map((group_id) => accept(group_id, rows)))
    const hire = ({ plan_id: _, ...person }: ReturnType<typeof aMember>) => createEmployee(api, employer_id, person)
    const [hired] = await Promise.all([Promise.all(people.map(hire)), api.work(), api.work()])
    await api.work()

    const groups = await Promise.all(group_ids.map((group_id) => membersOf(group_id)))
    expect(groups.map(({ data, pagination }) => data.length === pagination.total)).toEqual([true, true, true])
    const member_ids = groups.flatMap(({ data }) => data.map((member) => member.member_id))
    expect(member_ids.toSorted()).toEqual(hired.map(({ member_id }) => member_id).toSorted())
    const results = await Promise.all(requests.map((id, at) => resultsOf(group_ids[at]!, id)))
    const reasons = results.flatMap(({ failures }) => failures.map(({ reason }) => reason))
    expect(reasons).toEqual(Array.from({ length: 16 }, () => 'member_in_other_group'))
    const emails = hired.map(({ email }) => email)
    expect(emails.toSorted()).toEqual(people.map(({ email }) => email).toSorted())
  })

  it('synchronizes thousands of members in chunks: additions, changes, failing rows and removals', async () => {
    const group_id = await createGroup(api)
    const members = some(1_234)
    const added = (await sync(group_id, members)).added_group_member_ids
    expect(new Set(added).size).toBe(1_234)
    const all = await Promise.all([1, 13].map((page) => membersOf(group_id, `&page=${page}`)))
    expect(all.map(({ data, pagination }) => [data.length, pagination.total])).toEqual([
      [100, 1_234],
      [34, 1_234],
    ])
    expect(all[1]?.data.at(-1)?.id).toBe(added[0])
    const changed = members.map((row, at) => {
      if ([7, 601, 1_233].includes(at)) return { ...row, plan_id: 'none' }
      return at % 10 === 0 ? { ...row, first_name: 'Changed', plan_id: other_plan_id } : row
    })
    const results = await sync(group_id, changed)
    expect(results).toEqual({
      ...nothing,
      failures: [7, 601, 1_233].map((at) => failure('plan_not_found', members[at]!)),
    })
    const { rows } = await api.database.pool.query(
      `select count(*)::int as count from group_members join members on members.id = member_id
        where group_id = $1 and left_at is null and first_name = 'Changed' and plan_id = $2`,
      [group_id, other_plan_id],
    )
    expect(rows[0].count).toBe(124)
    expect((await sync(group_id, [])).removed_group_member_ids).toEqual(added)
    expect((await membersOf(group_id)).pagination.total).toBe(0)
  })

  it('resumes after a crash with whole chunks done, and completes the request once with correct results', async () => {
    const group_id = await createGroup(api)
    const [gone, ...rest] = some(2_300)
    await sync(group_id, [gone!])
    const request_id = await accept(group_id, rest)
    const job = { organization_id: api.story.organization_id, group_id }
    const step = () => tasks.sync_group_members(api.runtime, job)
    await step()
    expect((await membersOf(group_id)).pagination.total).toBe(1_000)
    expect((await requestOf(group_id, request_id)).results).toBeNull()

    // Crashes in the middle of the second chunk, after its people were written.
    const broken = `create function break_off() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
      create trigger break_off before insert on group_members execute function break_off()`
    await api.database.pool.query(broken)
    await expect(step()).rejects.toThrow('killed')
    await api.database.pool.query('drop function break_off cascade')
    expect((await membersOf(group_id)).pagination.total).toBe(1_000)
    const people = await api.database.pool.query('select id from members where phone = $1', [rest[1_200]!.phone])
    expect(people.rows).toEqual([])

    await api.work()
    const results = await resultsOf(group_id, request_id)
    expect(new Set(results.added_group_member_ids).size).toBe(2_299)
    expect(results.removed_group_member_ids).toHaveLength(1)
    await step()
    await step()
    expect((await requestOf(group_id, request_id)).results).toEqual(results)
    expect(await api.events(request_id)).toEqual(['group_member_sync.completed'])
    expect((await membersOf(group_id)).pagination.total).toBe(2_299)
  })

  it('continues row by row when PostgreSQL refuses a chunk', async () => {
    const group_id = await createGroup(api)
    const members = some(4)
    await sync(group_id, [members[0]!])
    await api.database.pool.query(`alter table members add constraint no_zed check (first_name <> 'Zed')`)
    const zed = aMember({ first_name: 'Zed' })
    const results = await sync(group_id, [...members.slice(1), zed])
    await api.database.pool.query('alter table members drop constraint no_zed')
    expect(results).toEqual({
      added_group_member_ids: [isAdded, isAdded, isAdded],
      removed_group_member_ids: [isAdded],
      failures: [failure('conflict', zed)],
    })
    expect((await membersOf(group_id)).pagination.total).toBe(3)
  })

  it('deletes all personal data from the stored chunks of a request', async () => {
    const group_id = await createGroup(api)
    const member = aMember()
    await sync(group_id, [member])
    const { rows } = await api.database.pool.query('select row_to_json(c)::text as kept from group_member_chunks as c')
    expect(rows.map(({ kept }) => kept).join()).not.toContain(member.phone)
  })
})
