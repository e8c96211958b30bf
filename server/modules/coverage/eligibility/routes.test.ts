import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import { boundToken } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { type ApiResponse } from '../../../test/response.ts'
import { max_waiting_days } from './schemas.ts'

const api = useApi()
const fullTime = { classification: 'full_time', waiting_period: '30_days' }
const everyone = { classification: 'all', waiting_period: 'none' }
const unknown = '/v1/benefit-eligibility-policies/epol_01kdq7b4w8e9rs2mh3n5t6v7xz'

let made = 0
async function employer(): Promise<string> {
  const number = String(++made).padStart(7, '0')
  const { body } = await api.post('/v1/employers', {
    name: `Bakery ${number}`,
    legal_name: `Bakery ${number} LLC`,
    ein: `12-${number}`,
    email: `owner${number}@bakery.example`,
    address: { address_line_1: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' },
  })
  return body.data.id
}

const policies = (employer_id: string) => `/v1/employers/${employer_id}/benefit-eligibility-policies` as const
const policy = (policy_id: string) => `/v1/benefit-eligibility-policies/${policy_id}` as const
const reported = ({ status, error }: ApiResponse) => [status, error.code, ...error.details.map(({ field }) => field)]

let bakery: string
beforeAll(async () => {
  bakery = await employer()
})

describe('create_benefit_eligibility_policy', () => {
  it('activates the policy, archives the previous one and publishes an event', async () => {
    const id = await employer()
    const first = await api.post(policies(id), fullTime)
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      data: {
        id: expect.stringMatching(/^epol_/),
        active: true,
        classification: 'full_time',
        employee_classes: ['Full Time'],
        compensation_types: null,
        employer_id: id,
        waiting_period: '30_days',
        start_alignment: 'exact',
        service_credit_weeks: 13,
        benefit_ids: [],
        eligibility_basis: 'employee_class',
        created_at: '2026-03-10T16:00:00.000Z',
        updated_at: '2026-03-10T16:00:00.000Z',
      },
    })
    expect((await api.get(`/v1/employers/${id}`)).body.data.eligibility_policy_id).toBe(first.body.data.id)

    const second = await api.post(policies(id), everyone)
    expect(second.body.data.active).toBe(true)
    expect((await api.get(policy(first.body.data.id))).body.data.active).toBe(false)
    expect((await api.get(`/v1/employers/${id}`)).body.data.eligibility_policy_id).toBe(second.body.data.id)
    expect((await api.get(`/v1/employers?search=${id}`)).body.data[0]?.eligibility_policy_id).toBe(second.body.data.id)
    const created = 'employer.eligibility_policy_created'
    expect(await api.events(id)).toEqual(['employer.created', created, created])
  })

  it.each([
    ['full_time', ['Full Time']],
    ['part_time', ['Part Time']],
    ['all', ['Full Time', 'Intern']],
    ['all', ['Individual Contractor']],
  ])('returns the classification %s of a policy for the classes %j', async (classification, employee_classes) => {
    const id = await employer()
    const created = await api.post(policies(id), { employee_classes, waiting_period: 'none' })
    expect(created.body.data).toMatchObject({ classification, employee_classes })
    expect((await api.get(policy(created.body.data.id))).body.data).toMatchObject({ classification, employee_classes })
    expect((await api.get(policies(id))).body.data).toMatchObject([{ classification, employee_classes }])
  })

  it('leaves one policy active after ten are created at the same time', async () => {
    const id = await employer()
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(policies(id), everyone)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(201))
    const now = await Promise.all(answers.map(({ body }) => api.get(policy(body.data.id))))
    const current = now.map(({ body }) => body.data).filter(({ active }) => active)
    expect(current.map(({ id }) => id)).toEqual([
      (await api.get(`/v1/employers/${id}`)).body.data.eligibility_policy_id,
    ])
  })

  it.each([
    [{ waiting_period: 'none' }, 'classification'],
    [{ classification: 'all' }, 'waiting_period'],
    [{ ...everyone, classification: 'Full Time' }, 'classification'],
    [{ ...everyone, waiting_period: '90_days' }, 'waiting_period'],
    [{ ...everyone, waiting_period: null }, 'waiting_period'],
    [{ ...everyone, employee_classes: ['Full Time'] }, 'employee_classes'],
    [{ waiting_period: 'none', employee_classes: [] }, 'employee_classes'],
    [{ waiting_period: 'none', employee_classes: ['Contractor'] }, 'employee_classes[0]'],
    [{ ...everyone, compensation_types: [] }, 'compensation_types'],
    [{ ...everyone, start_alignment: 'first' }, 'start_alignment'],
    [{ ...everyone, benefit_ids: ['epol_1'] }, 'benefit_ids[0]'],
  ])('refuses %j and names the field', async (body, field) => {
    expect(reported(await api.post(policies(bakery), body))).toEqual([400, 'invalid_request', field])
  })

  it('hides the employer from other organizations, and refuses tokens bound to it', async () => {
    expect(reported(await api.post(policies(bakery), everyone, { key: api.story.rival_api_key }))).toEqual([
      404,
      'not_found',
    ])
    expect(
      reported(await api.post(policies(bakery), everyone, { key: await boundToken(api, 'employer', bakery) })),
    ).toEqual([403, 'forbidden'])
    expect(
      reported(
        await api.post(policies(bakery), everyone, { key: await boundToken(api, 'employer', await employer()) }),
      ),
    ).toEqual([404, 'not_found'])
  })

  it('needs no organization header, since the path names the employer', async () => {
    expect((await api.post(policies(bakery), everyone, { key: api.story.multi_organization_api_key })).status).toBe(201)
  })
})

describe('get_benefit_eligibility_policy', () => {
  it('returns a policy', async () => {
    const { body } = await api.post(policies(bakery), fullTime)
    const answer = await api.get(policy(body.data.id))
    expect([answer.status, answer.body]).toEqual([200, body])
  })

  it('hides a policy from other organizations and employers, and refuses tokens of its employer', async () => {
    const { id } = (await api.post(policies(bakery), fullTime)).body.data
    expect(reported(await api.get(policy(id), { key: api.story.rival_api_key }))).toEqual([404, 'not_found'])
    expect(reported(await api.get(policy(id), { key: await boundToken(api, 'employer', await employer()) }))).toEqual([
      404,
      'not_found',
    ])
    expect(reported(await api.get(policy(id), { key: await boundToken(api, 'employer', bakery) }))).toEqual([
      403,
      'forbidden',
    ])
  })

  it('returns 404 for unknown and malformed ids', async () => {
    expect(reported(await api.get(unknown))).toEqual([404, 'not_found'])
    expect(reported(await api.get(policy(bakery)))).toEqual([404, 'not_found'])
  })
})

it('states the longest waiting period of medical products that the SQL function applies', async () => {
  const { rows } = await api.database.pool.query(
    `select coverage_starts_on('2026-01-01', 'infinity', '-infinity', '-infinity', true)::text as cap`,
  )
  expect(rows).toEqual([{ cap: addDays('2026-01-01', max_waiting_days) }])
})
