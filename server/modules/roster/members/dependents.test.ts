import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { aMemberKey, createEmployee, createEmployer, createOrganization } from '../../../test/fixtures.ts'
import type { Employee } from '../../../../sdk/src/v1/types.gen.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'

const api = useApi()
let employer_id: string
let rosa: Employee
const ids: Record<string, string> = {}

const search = (text: string, key = api.story.api_key, more = '') =>
  api.get(`/v1/dependents?search=${encodeURIComponent(text)}${more}`, { key })
const namesFound = async (text: string) => (await search(text)).body.data.map(({ first_name }) => first_name).toSorted()
const find = (text: string, more = '') =>
  api.get(`/operator/v1/dependents?search=${encodeURIComponent(text)}${more}`, { key: api.operator_key })

const tokenFor = async (type: 'employee' | 'employer', id: string): Promise<string> =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity: { type, id } })).body
    .access_token

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
    for (const key of [await tokenFor('employee', rosa.id), await tokenFor('employer', employer_id)])
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
