import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'

/** A staffing firm with two clients, and a second company of the same owner. */
const api = useApi()

describe('aggregated ALE groups', () => {
  let firm: string
  let cannery: string
  let orchard: string
  let sister: string

  beforeAll(async () => {
    firm = await createEmployer(api, { legal_name: 'Northwind Staffing LLC', ein: '47-7215386' })
    cannery = await createEmployer(api, { name: 'Cannery' })
    orchard = await createEmployer(api, { name: 'Orchard' })
    sister = await createEmployer(api, { legal_name: 'Southwind Catering LLC' })
  })

  const create = (members: object[], key?: string) =>
    api.post('/v1/ale-groups', { name: 'Northwind', members }, key ? { key } : {})

  it('count the people of a staffing firm at its clients under one EIN', async () => {
    const members = [{ employer_id: firm, employer_ids: [orchard, cannery] }, { employer_id: sister }]
    const { status, body, text } = await create(members)
    expect(status, text).toBe(201)
    expect(body.data.members).toEqual([
      {
        employer_id: firm,
        legal_name: 'Northwind Staffing LLC',
        ein: '**-***5386',
        employers: [
          { employer_id: cannery, employer_name: 'Cannery' },
          { employer_id: orchard, employer_name: 'Orchard' },
        ],
      },
      { employer_id: sister, legal_name: 'Southwind Catering LLC', ein: expect.any(String), employers: [] },
    ])
  })

  it('are replaced as a whole', async () => {
    const { id } = only((await api.get('/v1/ale-groups')).body.data)
    const members = [{ employer_id: firm, employer_ids: [cannery] }]
    const answer = await api.put(`/v1/ale-groups/${id}`, { name: 'Northwind Group', members })
    expect(answer.body.data).toMatchObject({ id, name: 'Northwind Group', members: [{ employer_id: firm }] })
    expect((await api.get(`/v1/ale-groups/${id}`)).body.data).toEqual(answer.body.data)
  })

  it('refuse repeated and unknown employers, and those of another group', async () => {
    const unknown = 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz'
    const wrong = await create([{ employer_id: orchard, employer_ids: [orchard, unknown] }])
    expect([wrong.status, wrong.error.details]).toEqual([
      400,
      [
        { field: 'members[0].employer_ids[0]', message: 'repeats an employer of the group' },
        { field: 'members[0].employer_ids[1]', message: 'is not an employer of the organization' },
      ],
    ])
    const taken = await create([{ employer_id: orchard, employer_ids: [cannery] }])
    expect(refusalOf(taken)).toEqual([409, 'employer_in_other_ale_group', 'members[0].employer_ids[0]'])
  })

  it('are hidden from other organizations, which cannot use our employers', async () => {
    const key = api.story.rival_api_key
    const { id } = only((await api.get('/v1/ale-groups')).body.data)
    expect((await api.get('/v1/ale-groups', { key })).body.data).toEqual([])
    expect((await api.get(`/v1/ale-groups/${id}`, { key })).status).toBe(404)
    expect((await api.call('DELETE', `/v1/ale-groups/${id}`, { key })).status).toBe(404)
    const foreign = await create([{ employer_id: firm }], key)
    expect(refusalOf(foreign)).toEqual([400, 'invalid_request', 'members[0].employer_id'])
  })

  it('stay deleted if other requests replace them at the same time', async () => {
    const employer_id = await createEmployer(api)
    const group = { name: 'Short', members: [{ employer_id }] }
    for (let round = 0; round < 5; round += 1) {
      const { id } = (await api.post('/v1/ale-groups', group)).body.data
      const path = `/v1/ale-groups/${id}` as const
      const deletion = api.call('DELETE', path)
      await Promise.all([api.put(path, group), api.put(path, group), api.put(path, group)])
      expect((await deletion).status).toBe(200)
      expect((await api.get(path)).status).toBe(404)
    }
  })

  it('do not change their employers when they are deleted', async () => {
    const { id } = only((await api.get('/v1/ale-groups')).body.data)
    expect((await api.call('DELETE', `/v1/ale-groups/${id}`)).body.data).toEqual({ id })
    expect((await api.get(`/v1/ale-groups/${id}`)).status).toBe(404)
    expect((await create([{ employer_id: cannery }])).status).toBe(201)
  })
})
