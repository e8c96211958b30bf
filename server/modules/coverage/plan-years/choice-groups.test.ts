import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { groupOf } from './offer-rules.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })
const unknown = 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz'

let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
beforeAll(async () => {
  catalog = await importCatalog(api)
})

const next_year = { coverage_start: '2027-01-01' }
const offering = (...kinds: ('mec' | 'mvp' | 'dental' | 'vision')[]) =>
  kinds.map((kind) => ({ benefit_id: catalog[kind].benefit_id }))

async function opened(input: object): Promise<string> {
  employer_id = await createEmployer(api)
  return openPlanYear(api, employer_id, catalog, { ...next_year, benefits: offering('mec', 'mvp', 'dental'), ...input })
}
const open = (input: object) =>
  api.post(`/operator/v1/employers/${employer_id}/benefit-plan-years`, { ...next_year, ...input }, asOperator())
const change = (id: string, body: object) => api.patch(`/operator/v1/benefit-plan-years/${id}`, body, asOperator())
const groupsOf = async (id: string) =>
  (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${id}`)).body.data.choice_groups

describe('a benefit is usually in', () => {
  it.each([
    ...['EBA', 'MEC', 'MEC2', 'MEC_PLUS', 'MVP', 'MVP2', 'MVPSL', 'MVPSL2'].map((code) => [code, 'medical'] as const),
    ...['ICHRA', 'ICHRA_PREMIUM_PLUS', 'ICHRA_REIMBURSEMENT_ONLY'].map((code) => [code, 'medical'] as const),
    ...['VPC', 'VPC_CORE', 'VD', 'VV'].map((code) => [code, null] as const),
  ])('%s: %s', (product_code, group) => {
    const benefit = { id: 'x', family: 'x', product_code, plans: [] }
    expect(groupOf({}, benefit)).toBe(group)
    expect(groupOf({ choice_group: null }, benefit)).toBeNull()
    expect(groupOf({ choice_group: 'core' }, benefit)).toBe('core')
  })
})

describe('the choice groups of a plan year', () => {
  it('include all medical benefits by default, in the order of the offers', async () => {
    const id = await opened({})
    const { mec, mvp } = catalog
    expect(await groupsOf(id)).toEqual([{ name: 'medical', benefit_ids: [mec.benefit_id, mvp.benefit_id] }])
  })

  it('can be set, and are copied', async () => {
    const { mvp, dental } = catalog
    const group = { name: 'One of two', benefit_ids: [mvp.benefit_id, dental.benefit_id] }
    const id = await opened({ choice_groups: [group] })
    expect(await groupsOf(id)).toEqual([group])
    const copied = await api.post(`/operator/v1/benefit-plan-years/${id}/copy`, {}, asOperator())
    expect(copied.body.data.choice_groups).toEqual([group])
    expect(await groupsOf(await opened({ choice_groups: [] }))).toEqual([])
  })

  it('can change before the plan year starts, alone or together with the offers', async () => {
    const { mec, mvp, dental } = catalog
    const id = await opened({ choice_groups: [] })
    const changed = await change(id, { choice_groups: [{ name: 'm', benefit_ids: [mec.benefit_id] }] })
    expect(changed.body.data.choice_groups).toEqual([{ name: 'm', benefit_ids: [mec.benefit_id] }])
    await change(id, { offered_states: ['NY'] })
    expect(await groupsOf(id)).toEqual([{ name: 'm', benefit_ids: [mec.benefit_id] }])
    await change(id, { benefits: offering('mec', 'dental') })
    await change(id, { benefits: offering('mec', 'mvp', 'dental') })
    expect(await groupsOf(id)).toEqual([
      { name: 'm', benefit_ids: [mec.benefit_id] },
      { name: 'medical', benefit_ids: [mvp.benefit_id] },
    ])
    const all = [{ name: 'all', benefit_ids: [dental.benefit_id, mec.benefit_id] }]
    await change(id, { benefits: offering('mec', 'dental'), choice_groups: all })
    expect(await groupsOf(id)).toEqual([{ name: 'all', benefit_ids: [mec.benefit_id, dental.benefit_id] }])
  })

  it("can't change once an employee has elected, or the plan year has started", async () => {
    const id = await opened({ coverage_start: '2026-01-01' })
    expect(refusalOf(await change(id, { choice_groups: [] }))[1]).toBe('plan_year_has_started')
  })

  it.each<[string, (ids: { mec: string; mvp: string; vision: string }) => object[], number, string]>([
    [
      'a benefit that is not offered',
      ({ vision }) => [{ name: 'a', benefit_ids: [vision] }],
      422,
      '[0].benefit_ids[0]',
    ],
    [
      'a benefit that does not exist',
      ({ mec }) => [{ name: 'a', benefit_ids: [mec, unknown] }],
      422,
      '[0].benefit_ids[1]',
    ],
    [
      'a benefit in two groups',
      ({ mec, mvp }) => [
        { name: 'a', benefit_ids: [mec] },
        { name: 'b', benefit_ids: [mvp, mec] },
      ],
      400,
      '[1].benefit_ids[1]',
    ],
    ['a benefit twice', ({ mec }) => [{ name: 'a', benefit_ids: [mec, mec] }], 400, '[0].benefit_ids[1]'],
    ['none', () => [{ name: 'a', benefit_ids: [] }], 400, '[0].benefit_ids'],
    [
      'a name twice',
      ({ mec, mvp }) => [
        { name: 'a', benefit_ids: [mec] },
        { name: 'a', benefit_ids: [mvp] },
      ],
      400,
      '[1].name',
    ],
  ])('are refused with %s, and the field is named', async (_, groups, status, field) => {
    const id = await opened({})
    const { mec, mvp, vision } = catalog
    const choice_groups = groups({ mec: mec.benefit_id, mvp: mvp.benefit_id, vision: vision.benefit_id })
    const before = await groupsOf(id)
    const benefits = offering('mec', 'mvp')
    const later = { coverage_start: '2028-01-01', benefits, choice_groups }
    for (const answer of [await open(later), await change(id, { choice_groups })])
      expect(refusalOf(answer)).toEqual([
        status,
        status === 422 ? 'invalid_choice_groups' : 'invalid_request',
        `choice_groups${field}`,
      ])
    expect(await groupsOf(id)).toEqual(before)
  })
})
