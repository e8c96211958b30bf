import { beforeAll, describe, expect, it } from 'vitest'
import {
  aPerson,
  createCoveredEmployer,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  aMemberKey,
  createOrganization,
  boundToken,
} from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import type { Employee } from '../../../../sdk/src/v1/types.gen.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only } from '../../../test/pick.ts'

const api = useApi()

const unknown = 'mbr_01kdq7b4w8e9rs2mh3n5t6v7xz'

const list = (query = '', key = api.story.api_key) => api.get(`/v1/members${query}`, { key })
const searched = async (search: string): Promise<string[]> => {
  const answer = await list(`?limit=100&search=${encodeURIComponent(search)}`)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.pagination.total).toBe(answer.body.data.length)
  return answer.body.data.map(({ first_name }) => first_name)
}

let bakery: string
let mill: string
let ines: Employee
let at_mill: Employee
beforeAll(async () => {
  ;[bakery, mill] = [await createEmployer(api, { name: 'Members Bakery' }), await createEmployer(api)]
  const person = { first_name: 'Inês', last_name: "O'Brien-Sá", email: 'Ines.OBrien@quarry.example' }
  ines = await createEmployee(api, bakery, { ...person, reference_id: 'R-77' })
  at_mill = await createEmployee(api, mill, { ...person, member_id: ines.member_id, reference_id: 'M-1' })
  await createEmployee(api, mill, { first_name: 'Joachim', last_name: 'Quarry', reference_id: 'R-77' })
  await createEmployee(api, mill, { first_name: 'Percent%age', last_name: 'Odd' })
})

describe('members_list', () => {
  it('returns a person once, with all their employers', async () => {
    const answer = await list('?search=ines.obrien')
    expect(answer.body.data).toEqual([
      {
        id: ines.member_id,
        organization_id: api.story.organization_id,
        first_name: 'Inês',
        last_name: "O'Brien-Sá",
        suffix: null,
        email: ines.email,
        date_of_birth: '1990-05-17',
        gender: null,
        phone: ines.phone,
        address: null,
        employments: [
          {
            employee_id: at_mill.id,
            employer_id: mill,
            employer_name: expect.any(String),
            reference_id: 'M-1',
            status: 'active',
          },
          {
            employee_id: ines.id,
            employer_id: bakery,
            employer_name: 'Members Bakery',
            reference_id: 'R-77',
            status: 'active',
          },
        ],
        created_at: '2026-03-10T16:00:00.000Z',
        updated_at: expect.any(String),
      },
    ])
  })

  it.each([
    ['a part of a first name, without accents', 'nes o', ['Inês']],
    ['a part of a last name', 'QUARR', ['Joachim', 'Inês']],
    ['a part of an email address', 'OBrien@quarry', ['Inês']],
    ['a reference, at each employer that gave it', 'R-77', ['Joachim', 'Inês']],
    ['no part of a reference', 'R-7', []],
    ['a percent sign literally', 't%a', ['Percent%age']],
    ['an underscore literally', 'n_s', []],
    ['first and last name', 'Inês O’Brien', ['Inês']],
    ['last and first name, with more spaces', "  O'BRIEN   ines", ['Inês']],
    ['a name without its apostrophe and hyphen', 'obriensa', ['Inês']],
    ['short words', 'sa in', ['Inês']],
    ['only all words together', 'ines quarry', []],
    ['nobody', 'no person of this name', []],
  ])('finds by %s', async (_, search, names) => {
    expect(await searched(search)).toEqual(names)
  })

  it('finds by the id of the person or of an employment', async () => {
    expect(await searched(ines.member_id)).toEqual(['Inês'])
    expect(await searched(at_mill.id)).toEqual(['Inês'])
    expect(await searched(bakery)).toEqual([])
  })

  it('returns the total, and pages through everyone', async () => {
    const first = await list('?limit=2')
    const { total, total_pages } = first.body.pagination
    expect(total_pages).toBe(Math.ceil(total / 2))
    const seen: string[] = []
    for (let page = 1; page <= total_pages; page++) {
      const { body } = await list(`?limit=2&page=${page}`)
      seen.push(...body.data.map(({ id }) => id))
    }
    expect(new Set(seen).size).toBe(total)
    expect(seen).toHaveLength(total)
    // Pages that were not reached by walking are found by position.
    const found: string[] = []
    for (let page = Math.ceil(total / 3); page >= 1; page--)
      found.unshift(...(await list(`?limit=3&page=${page}`)).body.data.map(({ id }) => id))
    expect(found).toEqual(seen)
    const known = await api.act((ctx) =>
      ctx.db.rows('select id from members where organization_id = $1', [api.story.organization_id]),
    )
    expect(total).toBe(known.length)
    expect((await list('?page=999')).body.data).toEqual([])
  })

  it('lists people who are only in a group, without an employment', async () => {
    const { mec } = await importCatalog(api)
    const group_id = await createGroup(api)
    const { start_date: _, ...person } = aPerson({ first_name: 'Groupie', email: undefined })
    const address = { address_line_1: '4 Orchard Way', city: 'Winters', state: 'CA', zipcode: '95694' }
    await api.post(`/v1/groups/${group_id}/members/sync`, {
      members: [{ ...person, address, reference_id: 'G-1', plan_id: mec.plan_id }],
    })
    await api.work()
    const answer = await list('?search=groupie')
    expect(answer.body.data).toEqual([expect.objectContaining({ first_name: 'Groupie', email: null, employments: [] })])
  })

  it('refuses a search without letters and digits', async () => {
    expect(codeOf(await list('?search=%25_'))).toEqual([422, 'unprocessable'])
    expect((await list('?search=')).status).toBe(200)
  })

  it('belongs to one organization, which callers of several must name', async () => {
    for (const key of [api.story.multi_organization_api_key, api.story.super_api_key])
      expect(codeOf(await list('', key))).toEqual([400, 'organization_required'])
    const headers = { 'x-service-organization': api.story.organization_id }
    const answer = await api.get('/v1/members?search=in%C3%AAs', { key: api.story.super_api_key, headers })
    expect(answer.body.data).toHaveLength(1)
  })

  it('hides the people of other organizations and refuses bound tokens', async () => {
    expect((await list(`?search=${ines.member_id}`, api.story.rival_api_key)).body.data).toEqual([])
    expect((await list('?search=R-77', api.story.rival_api_key)).body.data).toEqual([])
    for (const key of [await boundToken(api, 'employee', ines.id), await boundToken(api, 'employer', bakery)])
      expect(codeOf(await list('', key))).toEqual([403, 'forbidden'])
  })
})

describe('members_get, members_list_employments', () => {
  it('returns a person, and each employment as an employee', async () => {
    const { body } = await api.get(`/v1/members/${ines.member_id}`)
    expect(body.data.employments.map(({ employee_id }) => employee_id)).toEqual([at_mill.id, ines.id])
    const employments = await api.get(`/v1/members/${ines.member_id}/employments?limit=1`)
    expect(employments.body.pagination).toEqual({ limit: 1, page: 1, total: 2, total_pages: 2 })
    expect(employments.body.data).toEqual([(await api.get(`/v1/employees/${at_mill.id}`)).body.data])
  })

  it('returns an ended employment as ended, next to the rehire', async () => {
    const left = await createEmployee(api, bakery)
    await api.post(`/v1/employees/${left.id}/terminate`, { termination_date: '2026-02-28' })
    const rehired = await api.post(`/v1/employees/${left.id}/rehire`, { start_date: '2026-03-02' })
    const { body } = await api.get(`/v1/members/${left.member_id}/employments`)
    expect(body.data.map(({ id, status }) => [id, status])).toEqual([
      [rehired.body.data.id, 'active'],
      [left.id, 'terminated'],
    ])
  })

  it('returns 404 to other organizations and to bound tokens for every request', async () => {
    const keys = [
      api.story.rival_api_key,
      await boundToken(api, 'employee', ines.id),
      await boundToken(api, 'employer', bakery),
    ]
    for (const key of keys)
      for (const more of ['', '/employments', '/enrollments'])
        expect(codeOf(await api.get(`/v1/members/${ines.member_id}${more}`, { key }))).toEqual([404, 'not_found'])
    expect((await api.get(`/v1/members/${unknown}`)).status).toBe(404)
  })
})

describe('members_list_enrollments', () => {
  it('lists the enrollments of a person at every employer', async () => {
    const catalog = await importCatalog(api)
    const employers = [await createCoveredEmployer(api, catalog), await createCoveredEmployer(api, catalog)]
    const a_person = first((await api.get(`/v1/employers/${employers[0]}/employees`)).body.data)
    const second = await createEmployee(api, employers[1]!, {
      first_name: a_person.first_name,
      last_name: a_person.last_name,
      email: a_person.email,
      member_id: a_person.member_id,
      phone: a_person.phone,
    })
    const each = async (employee_id: string) => (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
    const { body } = await api.get(`/v1/members/${a_person.member_id}/enrollments`)
    const expected = [...(await each(second.id)), ...(await each(a_person.id))]
    expect(expected).toHaveLength(4)
    expect(body.data.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(body.pagination.total).toBe(4)
  })
})

describe('the search for dependents', () => {
  let employer_id: string
  let rosa: Employee
  const ids: Record<string, string> = {}

  const search = (text: string, key = api.story.api_key, more = '') =>
    api.get(`/v1/dependents?search=${encodeURIComponent(text)}${more}`, { key })
  const namesFound = async (text: string) =>
    (await search(text)).body.data.map(({ first_name }) => first_name).toSorted()
  const find = (text: string, more = '') =>
    api.get(`/operator/v1/dependents?search=${encodeURIComponent(text)}${more}`, { key: api.operator_key })

  beforeAll(async () => {
    employer_id = await createEmployer(api, { name: 'Dependents Bakery' })
    rosa = await createEmployee(api, employer_id, { first_name: 'Rosa', last_name: 'Quist' })
    for (const [first_name, last_name, relationship] of [
      ['Zoë', 'Łukaszewicz-Quist', 'child'],
      ['Zoran', "O'Quist", 'child'],
      ['Per%cent', 'Zzyzx', 'spouse'],
    ] as const) {
      const body = { first_name, last_name, relationship, date_of_birth: '2015-06-01' }
      const added = await api.post(`/v1/employees/${rosa.id}/dependents`, body)
      ids[first_name] = added.body.data.id
    }
  })

  describe('dependents_search', () => {
    it('finds a dependent by the beginning of a name, with the person and their employers', async () => {
      const answer = await search('zoe luka')
      expect(answer.status, answer.text).toBe(200)
      expect(only(answer.body.data)).toMatchObject({
        id: ids['Zoë'],
        first_name: 'Zoë',
        relationship: 'child',
        member_id: rosa.member_id,
        member_first_name: 'Rosa',
        member_last_name: 'Quist',
        employments: [{ employee_id: rosa.id, employer_id, employer_name: 'Dependents Bakery', status: 'active' }],
      })
      expect(await namesFound('ZO')).toEqual(['Zoran', 'Zoë'])
      expect(await namesFound('łukas')).toEqual(['Zoë'])
      expect(await namesFound("O'Quist Zoran")).toEqual(['Zoran'])
      expect(await namesFound('oquist zoran')).toEqual(['Zoran'])
      expect(await namesFound('Zoë Łukaszewicz‑Quist')).toEqual(['Zoë'])
      expect(await namesFound('lukaszewiczquist')).toEqual(['Zoë'])
      expect(await namesFound('zzy')).toEqual(['Per%cent'])
      expect(await namesFound(ids['Zoran']!)).toEqual(['Zoran'])
      expect([await namesFound('oran'), await namesFound('per_c'), await namesFound('z%n')].flat()).toEqual([])
    })

    it('finds dependents that have ended, page by page', async () => {
      await api.call('DELETE', `/v1/dependents/${ids['Zoran']!}`)
      const pages = await Promise.all([1, 2, 3].map((page) => search('zo', api.story.api_key, `&limit=1&page=${page}`)))
      expect(pages.map(({ body }) => [body.data.length, body.pagination.total])).toEqual([
        [1, 2],
        [1, 2],
        [0, 2],
      ])
      expect(pages.flatMap(({ body }) => body.data.map(({ active }) => active)).toSorted()).toEqual([false, true])
    })

    it('refuses a search without letters and digits', async () => {
      expect((await api.get('/v1/dependents')).status).toBe(400)
      expect(codeOf(await search('!?'))).toEqual([422, 'unprocessable'])
    })

    it('finds no dependent of another organization, and is closed to SALES and to bound tokens', async () => {
      expect((await search('zo', api.story.rival_api_key)).body.data).toEqual([])
      expect((await search(ids['Zoë']!, (await createOrganization(api)).key)).body.data).toEqual([])
      const sales = await aMemberKey(api, api.story.organization_id, 'SALES')
      const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
      expect([codeOf(await search('zo', sales)), (await search('zo', agent)).status]).toEqual([[403, 'forbidden'], 200])
      for (const key of [await boundToken(api, 'employee', rosa.id), await boundToken(api, 'employer', employer_id)])
        expect((await search('zo', key)).status).toBe(403)
    })
  })

  describe('operator_find_dependents', () => {
    it('finds dependents of all organizations or of one by the beginning of the last name', async () => {
      const found = only((await find('lukasz')).body.data)
      expect([found.id, found.employments[0]?.employee_id]).toEqual([ids['Zoë'], rosa.id])
      expect(only((await find(ids['Zoran']!)).body.data).first_name).toBe('Zoran')
      expect((await find('lukasz', `&organization_id=${api.story.organization_id}`)).body.data).toHaveLength(1)
      expect((await find('lukasz', `&organization_id=${api.story.rival_organization_id}`)).body.data).toEqual([])
      expect((await find('zo')).status).toBe(400)
      expect((await find('zoran')).body.data).toEqual([])
    })
  })
})
