import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  boundToken,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { max_dependents, refusals, whyNotAdd } from './rules.ts'

const api = useApi()
const unknown = '/v1/dependents/dep_01kdq7b4w8e9rs2mh3n5t6v7xz'
const dependents = (employee_id: string) => `/v1/employees/${employee_id}/dependents` as const
const not_found = [404, 'not_found', undefined]
const forbidden = [403, 'forbidden', undefined]

const child = { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2015-06-01' }
const spouse = { relationship: 'spouse', first_name: 'Annabella', last_name: 'Byron', date_of_birth: '1988-05-17' }

let employer_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
})

const newcomer = async (): Promise<string> => (await createEmployee(api, employer_id)).id

async function added(employee_id: string, input: object = {}) {
  const answer = await api.post(dependents(employee_id), { ...child, ...input })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const change = (dependent_id: string, body: object, key = api.story.api_key) =>
  api.patch(`/v1/dependents/${dependent_id}`, body, { key })
const end = (dependent_id: string, key = api.story.api_key) =>
  api.call('DELETE', `/v1/dependents/${dependent_id}`, { key })

describe('dependents_create', () => {
  it('adds a child and returns the whole dependent', async () => {
    const employee = await createEmployee(api, employer_id)
    const answer = await api.post(dependents(employee.id), {
      ...child,
      first_name: ' Zoë ',
      suffix: 'Jr.',
      gender: 'Female',
      active: false,
      ended_on: '2026-01-01',
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^dep_/),
      member_id: employee.member_id,
      relationship: 'child',
      first_name: 'Zoë',
      last_name: 'Byron',
      suffix: 'Jr.',
      date_of_birth: '2015-06-01',
      gender: 'Female',
      address: null,
      active: true,
      ended_on: null,
      covered_until: '2041-06-30',
      disabled: false,
      verification: { status: 'unverified', decided_at: null, reason: null },
      created_at: '2026-03-10T16:00:00.000Z',
      updated_at: '2026-03-10T16:00:00.000Z',
    })
  })

  it('adds a spouse, whose coverage has no end', async () => {
    expect(await added(await newcomer(), { ...spouse, suffix: null, gender: null })).toMatchObject({
      relationship: 'spouse',
      covered_until: null,
    })
  })

  it('adds a child born today, and one on the day before the 26th birthday', async () => {
    const id = await newcomer()
    await added(id, { date_of_birth: '2026-03-10' })
    await added(id, { date_of_birth: '2000-03-11' })
  })

  it.each([
    ['no relationship', { relationship: undefined }, 'relationship'],
    ['another relationship', { relationship: 'parent' }, 'relationship'],
    ['no first name', { first_name: undefined }, 'first_name'],
    ['a blank last name', { last_name: ' ' }, 'last_name'],
    ['a date of birth that does not exist', { date_of_birth: '2023-02-29' }, 'date_of_birth'],
    ['a date of birth in the future', { date_of_birth: '2026-03-11' }, 'date_of_birth'],
    ['another gender', { gender: 'F' }, 'gender'],
    ['a social security number', { ssn: '078-05-1120' }, 'ssn'],
  ])('refuses %s and names the field', async (_, input, field) => {
    expect(refusalOf(await api.post(dependents(await newcomer()), { ...child, ...input }))).toEqual([
      400,
      'invalid_request',
      field,
    ])
  })

  it('accepts a child until the end of the month of the 26th birthday, when coverage ends', async () => {
    const path = dependents(await newcomer())
    const taken = await api.post(path, { ...child, date_of_birth: '2000-03-10' })
    expect([taken.status, taken.body.data.covered_until]).toEqual([201, '2026-03-31'])
    const answer = await api.post(path, { ...child, date_of_birth: '2000-02-28' })
    expect(refusalOf(answer)).toEqual([422, 'dependent_too_old', 'date_of_birth'])
  })

  it('refuses a second spouse until the first has ended, even for ten requests at the same time', async () => {
    const id = await newcomer()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => api.post(dependents(id), { ...spouse, date_of_birth: `198${at}-05-17` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)])
    const refused = answers.find(({ status }) => status === 409)!
    expect(refusalOf(refused)).toEqual([409, 'spouse_already_exists', undefined])
    await end(answers.find(({ status }) => status === 201)!.body.data.id)
    await added(id, spouse)
  })

  it('refuses a duplicate until the first dependent has ended', async () => {
    const id = await newcomer()
    const anne = await added(id)
    const again = { ...child, first_name: 'ANNE', last_name: 'Býron' }
    const refused = await api.post(dependents(id), again)
    expect(refusalOf(refused)).toEqual([409, 'dependent_already_exists', 'first_name'])
    const message = `Anne Byron, born ${child.date_of_birth}, is already a dependent (${anne.id})`
    expect(refused.error.details).toEqual([{ field: 'first_name', message }])
    // A space, a hyphen or a second click does not make a second child.
    const hyphened = { ...child, first_name: 'An-ne' }
    expect(codeOf(await api.post(dependents(id), hyphened))).toEqual([409, 'dependent_already_exists'])
    const clicks = await Promise.all([1, 2, 3].map(() => api.post(dependents(id), { ...child, first_name: 'Ada' })))
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    await added(await newcomer(), again)
    await end(anne.id)
    await added(id, again)
  })

  it(`refuses more than ${max_dependents} active dependents`, async () => {
    const id = await newcomer()
    const name = (at: number) => ({ first_name: `Anne ${String.fromCharCode(65 + (at % 26))}${at < 26 ? '' : 'a'}` })
    const all = await Promise.all(Array.from({ length: max_dependents }, (_, at) => added(id, name(at))))
    expect(refusalOf(await api.post(dependents(id), child))).toEqual([409, 'too_many_dependents', undefined])
    await end(first(all).id)
    await added(id)
  })

  it('adds dependents of former employees', async () => {
    const id = await newcomer()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-02-28' })
    await added(id)
  })
})

describe('the last day on which a dependent can be covered', () => {
  it.each([
    ['of a child born on February 29', '2004-02-29', '2030-03-31'],
    ['of a child born on February 28', '2002-02-28', '2028-02-29'],
    ['of a child born on March 1', '2002-03-01', '2028-03-31'],
    ['of a child born on December 31', '2000-12-31', '2026-12-31'],
    ['of a child born on the first of a month', '2000-04-01', '2026-04-30'],
    ['of a child born on the last day of a month', '2000-04-30', '2026-04-30'],
  ])('%s is the end of the month of the 26th birthday', async (_, date_of_birth, day) => {
    const { covered_until } = await added(await newcomer(), { date_of_birth })
    expect(covered_until).toBe(day)
  })
})

describe('dependents_list', () => {
  it('lists the dependents of the person at each employment, oldest first, including ended ones', async () => {
    const employee = await createEmployee(api, employer_id)
    const first = await added(employee.id)
    api.wait(1000)
    const second = await added(employee.id, spouse)
    api.wait(1000)
    const third = await added(employee.id, { first_name: 'Ralph' })
    api.moveTo('2026-03-10')
    await end(second.id)
    const { first_name, last_name, email, date_of_birth } = employee
    const elsewhere = await createEmployee(api, await createEmployer(api), {
      first_name,
      last_name,
      email,
      date_of_birth,
    })
    expect(elsewhere.member_id).toBe(employee.member_id)

    const page = await api.get(`${dependents(elsewhere.id)}?limit=2`)
    expect(page.body.pagination).toEqual({ limit: 2, page: 1, total: 3, total_pages: 2 })
    expect(page.body.data.map(({ id, active }: { id: string; active: boolean }) => [id, active])).toEqual([
      [first.id, true],
      [second.id, false],
    ])
    expect((await api.get(`${dependents(employee.id)}?limit=2&page=2`)).body.data).toEqual([third])
  })
})

describe('dependents_update', () => {
  it('changes the fields that are sent and clears those that are null', async () => {
    const before = await added(await newcomer(), { suffix: 'Jr.', gender: 'Female' })
    api.wait(1000)
    const changes = { last_name: 'King', suffix: null, gender: null, first_name: null, date_of_birth: '2000-04-02' }
    const answer = await change(before.id, changes)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      ...before,
      last_name: 'King',
      suffix: null,
      gender: null,
      date_of_birth: '2000-04-02',
      covered_until: '2026-04-30',
      updated_at: '2026-03-10T16:00:01.000Z',
    })
    api.wait(1000)
    expect((await change(before.id, { last_name: 'King' })).body).toEqual(answer.body)
    expect((await change(before.id, {})).body).toEqual(answer.body)
    api.moveTo('2026-03-10')
  })

  it('changes a child to a spouse if the person has no spouse', async () => {
    const id = await newcomer()
    const one = await added(id)
    expect((await change(one.id, { relationship: 'spouse' })).body.data.covered_until).toBeNull()
    const other = await added(id, { first_name: 'Ralph' })
    expect(refusalOf(await change(other.id, { relationship: 'spouse' }))).toEqual([
      409,
      'spouse_already_exists',
      undefined,
    ])
  })

  it('changes nothing for a duplicate, a child over the age limit or a future date of birth', async () => {
    const id = await newcomer()
    await added(id)
    const other = await added(id, { first_name: 'Ralph' })
    const renamed = { first_name: 'Anne', suffix: 'Jr.' }
    expect(refusalOf(await change(other.id, renamed))).toEqual([409, 'dependent_already_exists', 'first_name'])
    expect(refusalOf(await change(other.id, { date_of_birth: '2000-02-10' }))).toEqual([
      422,
      'dependent_too_old',
      'date_of_birth',
    ])
    expect(refusalOf(await change(other.id, { date_of_birth: '2026-03-11' }))).toEqual([
      400,
      'invalid_request',
      'date_of_birth',
    ])
    expect((await api.get(dependents(id))).body.data[1]).toEqual(other)
  })

  it('refuses to change a dependent who was removed', async () => {
    const { id } = await added(await newcomer())
    await end(id)
    expect(refusalOf(await change(id, { first_name: 'Eva' }))).toEqual([409, 'dependent_already_ended', undefined])
  })
})

describe('dependents_end', () => {
  it('makes today the last day, and coverage ends with the month', async () => {
    for (const [input, covered_until] of [
      [child, '2026-03-31'],
      [spouse, '2026-03-31'],
    ] as const) {
      const before = await added(await newcomer(), input)
      const answer = await end(before.id)
      expect(answer.status).toBe(200)
      expect(answer.body.data).toEqual({ ...before, active: false, ended_on: '2026-03-10', covered_until })
    }
  })

  it('does not extend the coverage of a child beyond the month of the 26th birthday', async () => {
    const { id } = await added(await newcomer(), { date_of_birth: '2000-03-20' })
    api.moveTo('2026-05-04')
    expect((await end(id)).body.data).toMatchObject({ ended_on: '2026-05-04', covered_until: '2026-03-31' })
    api.moveTo('2026-03-10')
  })

  it('refuses to end a dependent twice', async () => {
    const { id } = await added(await newcomer())
    await end(id)
    expect(refusalOf(await end(id))).toEqual([409, 'dependent_already_ended', undefined])
  })
})

describe('coverage of dependents', () => {
  let enrollment_id: string
  let family: { spouse: string; child: string }
  beforeAll(coverFamily)

  /** Enrolls a new employee in MEC together with a spouse and a child. */
  async function coverFamily(): Promise<void> {
    const catalog = await importCatalog(api)
    const { employer_id: at } = await createOfferingEmployer(api, catalog)
    const { id } = await createEmployee(api, at)
    family = { spouse: (await added(id, spouse)).id, child: (await added(id)).id }
    const enrollments: { id: string; benefit: { id: string } }[] = (await api.get(`/v1/employees/${id}/enrollments`))
      .body.data
    enrollment_id = enrollments.find(({ benefit }) => benefit.id === catalog.mec.benefit_id)!.id
    const election = { plan_id: catalog.mec.plan_id, coverage_tier: 'EF', dependent_ids: Object.values(family) }
    const elected = await api.post(`/v1/enrollments/${enrollment_id}/elect`, election)
    expect(elected.status, elected.text).toBe(200)
  }

  /** The covered dependents of the employee on a day. */
  async function coveredOn(day: string): Promise<string[]> {
    api.moveTo(day)
    const { body } = await api.get(`/v1/enrollments/${enrollment_id}`)
    api.moveTo('2026-03-10')
    return body.data.dependent_ids
  }

  it('follows a corrected date of birth, and the correction of that correction', async () => {
    await change(family.child, { date_of_birth: '2000-03-20' })
    expect(await coveredOn('2026-03-31')).toContain(family.child)
    expect(await coveredOn('2026-04-01')).toEqual([family.spouse])
    await change(family.child, { date_of_birth: child.date_of_birth })
    expect(await coveredOn('2026-04-01')).toContain(family.child)
  })

  it('ends on the last day of the month in which the dependent ends', async () => {
    await end(family.spouse)
    expect(await coveredOn('2026-03-31')).toContain(family.spouse)
    expect(await coveredOn('2026-04-01')).toEqual([family.child])
  })
})

describe('permissions for dependents', () => {
  it('lets employees manage their own dependents at every employment, and no others', async () => {
    const employee_id = await newcomer()
    const key = await boundToken(api, 'employee', employee_id)
    const made = await api.post(dependents(employee_id), child, { key })
    expect(made.status).toBe(201)
    expect((await api.get(dependents(employee_id), { key })).body.data).toEqual([made.body.data])
    expect((await change(made.body.data.id, { suffix: 'II' }, key)).status).toBe(200)
    expect((await end(made.body.data.id, key)).status).toBe(200)

    const other_id = await newcomer()
    const { id } = await added(other_id)
    expect(refusalOf(await api.get(dependents(other_id), { key }))).toEqual(not_found)
    expect(refusalOf(await api.post(dependents(other_id), child, { key }))).toEqual(not_found)
    expect(refusalOf(await change(id, { suffix: 'II' }, key))).toEqual(not_found)
    expect(refusalOf(await end(id, key))).toEqual(not_found)
  })

  it('lets former employees only read, while the partner can still make corrections', async () => {
    const employee_id = await newcomer()
    const key = await boundToken(api, 'employee', employee_id)
    const { id } = await added(employee_id)
    const leave = (termination_date: string) => api.post(`/v1/employees/${employee_id}/terminate`, { termination_date })
    await leave('2026-03-10')
    expect((await change(id, { suffix: 'II' }, key)).status).toBe(200)
    await leave('2026-03-09')
    const writes = [
      api.post(dependents(employee_id), spouse, { key }),
      change(id, { suffix: 'III' }, key),
      end(id, key),
    ]
    for (const write of writes) expect(refusalOf(await write)).toEqual([409, 'employee_is_not_employed', undefined])
    expect((await api.get(dependents(employee_id), { key })).body.data).toMatchObject([{ suffix: 'II', active: true }])
    expect((await change(id, { suffix: 'III' })).status).toBe(200)
  })

  it('forbids employers to read dependents, and hides people of other employers from them', async () => {
    const employee_id = await newcomer()
    const { id } = await added(employee_id)
    const calls = (key: string) => [
      api.get(dependents(employee_id), { key }),
      api.post(dependents(employee_id), child, { key }),
      change(id, { suffix: 'II' }, key),
      end(id, key),
    ]
    const own = await boundToken(api, 'employer', employer_id)
    const other = await boundToken(api, 'employer', await createEmployer(api))
    for (const call of calls(own)) expect(refusalOf(await call)).toEqual(forbidden)
    for (const key of [other, api.story.rival_api_key])
      for (const call of calls(key)) expect(refusalOf(await call)).toEqual(not_found)
  })

  it('returns 404 for an unknown dependent', async () => {
    expect(refusalOf(await api.patch(unknown, { suffix: 'II' }))).toEqual(not_found)
  })
})

it('ends the coverage of a child at the age at which a child can no longer be added', async () => {
  const { rows } = await api.database.pool.query<{ last_day: string }>(
    `select dependent_covered_until('child', '2000-01-10', null)::text as last_day`,
  )
  const { last_day } = first(rows)
  const born = { relationship: 'child', date_of_birth: '2000-01-10', first_name: 'A', last_name: 'B' } as const
  expect(whyNotAdd(born, [], last_day)).toBeUndefined()
  expect(whyNotAdd(born, [], addDays(last_day, 1))).toBe(refusals.dependent_too_old)
})
