import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, sure } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'
import { groupOf } from './offer-rules.ts'

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  catalog = await importCatalog(api)
})

type Kind = 'mec' | 'dental' | 'vision'

const operator = () => ({ key: api.operator_key })
const offering = (kinds: readonly Kind[]) => kinds.map((kind) => ({ benefit_id: catalog[kind].benefit_id }))
const open = (employer_id: string, kinds: readonly Kind[], days: object) =>
  api.post(
    `/operator/v1/employers/${employer_id}/benefit-plan-years`,
    { ...days, benefits: offering(kinds) },
    operator(),
  )
const change = (id: string, body: object) => api.patch(`/operator/v1/benefit-plan-years/${id}`, body, operator())
const copy = (id: string, body: object) => api.post(`/operator/v1/benefit-plan-years/${id}/copy`, body, operator())

async function opened(employer_id: string, kinds: readonly Kind[], days: object): Promise<string> {
  const answer = await open(employer_id, kinds, days)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

async function employerOfEveryone(): Promise<string> {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  return employer_id
}

const inBook = async (employer_id: string) => only((await api.get(`/v1/employers?search=${employer_id}`)).body.data)
const enrollmentsOf = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data

const medical = { coverage_start: '2026-01-01' }
const midyear = { coverage_start: '2025-07-01', coverage_end: '2026-06-30' }

describe('several concurrent plan years', () => {
  it('grants and explains each benefit in its own plan year, and counts an employee once in each', async () => {
    const employer_id = await employerOfEveryone()
    const years = {
      mec: await opened(employer_id, ['mec', 'vision'], medical),
      dental: await opened(employer_id, ['dental'], midyear),
    }
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
    await api.work()
    const granted = await enrollmentsOf(id)
    expect(granted.map((row) => [row.benefit.name, row.benefit_plan_year_id]).toSorted()).toEqual([
      ['Dental', years.dental],
      ['Essential Care', years.mec],
      ['Vision', years.mec],
    ])

    const kindOf = new Map<string, Kind>([
      ['Essential Care', 'mec'],
      ['Dental', 'dental'],
      ['Vision', 'vision'],
    ])
    for (const { id: enrollment_id, benefit } of granted) {
      const choice = { plan_id: catalog[sure(kindOf.get(benefit.name))].plan_id, coverage_tier: 'EE' }
      expect((await api.post(`/v1/enrollments/${enrollment_id}/elect`, choice)).status).toBe(200)
    }
    const rows = (await api.get(`/v1/employers/${employer_id}/benefit-plan-years`)).body.data
    const counted = { eligible: 1, enrolled: 1, percentage: 100 }
    expect(rows.map((row) => [row.id, row.is_current, row.enrollment_rate])).toEqual([
      [years.mec, true, counted],
      [years.dental, true, counted],
    ])
    const explained = (await api.get(`/v1/employees/${id}/eligibility`)).body.data
    expect(explained.benefits.map((row) => row.benefit_plan_year_id)).toEqual([years.dental, years.mec, years.mec])
    expect(await inBook(employer_id)).toMatchObject({
      benefit_families: ['DENTAL', 'MEC', 'VISION'],
      enrollment_rate_summary: counted,
    })
  })

  it('updates the employer when the first of them ends', async () => {
    const employer_id = await createEmployer(api)
    await opened(employer_id, ['mec'], medical)
    await opened(employer_id, ['dental'], midyear)
    const stages = []
    for (const day of ['2026-03-10', '2026-04-01', '2026-07-01', '2026-10-02', '2027-01-01']) {
      api.moveTo(day)
      const { benefit_lifecycle_stage: stage, benefit_families } = await inBook(employer_id)
      stages.push([day, stage.stage, stage.as_of_date, benefit_families])
    }
    api.moveTo('2026-03-10')
    expect(stages).toEqual([
      ['2026-03-10', 'active', '2026-01-01', ['DENTAL', 'MEC']],
      ['2026-04-01', 'renewal', '2026-07-01', ['DENTAL', 'MEC']],
      ['2026-07-01', 'active', '2026-01-01', ['MEC']],
      ['2026-10-02', 'renewal', '2027-01-01', ['MEC']],
      ['2027-01-01', 'renewal', '2027-01-01', []],
    ])
  })

  it('names the sent and copied benefits that another plan year offers', async () => {
    const employer_id = await createEmployer(api)
    const dental = await opened(employer_id, ['dental'], midyear)
    const mec = await opened(employer_id, ['mec'], { coverage_start: '2026-07-01' })
    const refused = await open(employer_id, ['vision', 'dental'], medical)
    const message = `is in the plan year ${dental} from 2025-07-01 to 2026-06-30`
    expect([refused.status, refused.error.code, refused.error.details]).toEqual([
      409,
      'plan_year_overlaps',
      [{ field: 'benefits[1].benefit_id', message }],
    ])

    const moved = await change(mec, { coverage_start: '2026-06-01', benefits: offering(['dental']) })
    expect(moved.error.details).toEqual([{ field: 'benefits[0].benefit_id', message }])
    const again = await copy(dental, { coverage_start: '2026-06-01' })
    expect(again.error.details).toEqual([{ field: '', message: `benefit ${catalog.dental.benefit_id}: ${message}` }])
    expect((await copy(dental, {})).status).toBe(201)
  })

  it('allows a withdrawn benefit in another plan year, and its return only after that', async () => {
    const employer_id = await createEmployer(api)
    const next = { coverage_start: '2027-01-01' }
    const first = await opened(employer_id, ['mec', 'dental'], next)
    expect((await open(employer_id, ['dental'], next)).status).toBe(409)
    expect((await change(first, { benefits: offering(['mec']) })).status).toBe(200)
    const second = await opened(employer_id, ['dental'], next)
    expect((await change(first, { benefits: offering(['mec', 'dental']) })).status).toBe(409)
    expect((await change(second, { coverage_start: '2028-01-01', coverage_end: '2028-12-31' })).status).toBe(200)
    expect((await change(first, { benefits: offering(['mec', 'dental']) })).status).toBe(200)
  })
})

const kinds = ['mec', 'dental', 'vision'] as const
const Action = fc.record({
  of: fc.nat({ max: 3 }),
  action: fc.constantFrom('open' as const, 'open' as const, 'change' as const, 'copy' as const),
  kinds: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 }),
  starts_in: fc.integer({ min: -120, max: 200 }),
  length: fc.integer({ min: 1, max: 364 }),
})
type Action = typeof Action extends fc.Arbitrary<infer Value> ? Value : never
type Modelled = { id: string; kinds: readonly Kind[]; start: Day; end: Day }

const collides = (wanted: Modelled, others: Modelled[]) =>
  others.some(
    (other) =>
      other.id !== wanted.id &&
      other.start <= wanted.end &&
      wanted.start <= other.end &&
      other.kinds.some((kind) => wanted.kinds.includes(kind)),
  )

/**
 * Performs an action over HTTP and in the model, which predicts refusals. Changes of a started plan year are always
 * refused.
 */
async function attempt(employer_id: string, years: Modelled[], input: Action): Promise<void> {
  const start = addDays('2026-03-10', input.starts_in)
  const days = { coverage_start: start, coverage_end: addDays(start, input.length) }
  const known = years[input.of]
  if (input.action === 'open' || !known) {
    const wanted = { id: '', kinds: input.kinds, start, end: days.coverage_end }
    const answer = await open(employer_id, input.kinds, days)
    expect(answer.status, answer.text).toBe(collides(wanted, years) ? 409 : 201)
    if (answer.status === 201) years.push({ ...wanted, id: answer.body.data.id })
  } else if (input.action === 'copy') {
    const wanted = { ...known, id: '', start, end: addDays(start, 364) }
    const answer = await copy(known.id, { coverage_start: start })
    const end = answer.status === 201 ? answer.body.data.coverage_end : wanted.end
    expect(answer.status, answer.text).toBe(collides({ ...wanted, end }, years) ? 409 : 201)
    if (answer.status === 201) years.push({ ...wanted, end, id: answer.body.data.id })
  } else {
    const wanted = { ...known, kinds: input.kinds, start, end: days.coverage_end }
    const answer = await change(known.id, { ...days, benefits: offering(input.kinds) })
    expect(answer.status, answer.text).toBe(known.start <= '2026-03-10' || collides(wanted, years) ? 409 : 200)
    if (answer.status === 200) years[input.of] = wanted
  }
}

describe('whatever an operator does with plan years', () => {
  it('no employee is covered by two plan years for one benefit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Action, { minLength: 3, maxLength: 8 }), async (actions) => {
        const employer_id = await employerOfEveryone()
        await createEmployee(api, employer_id, { start_date: '2025-01-01' })
        const years: Modelled[] = []
        for (const action of actions) await attempt(employer_id, years, action)
        await api.work()
        const doubled = await api.database.reads.rows(
          `select one.id, other.id as other_id
             from enrollments as one
             join enrollments as other using (employee_id, benefit_id)
             join benefit_plan_years as its on its.id = one.plan_year_id
             join benefit_plan_years as others on others.id = other.plan_year_id
            where one.employer_id = $1 and one.id < other.id and one.plan_year_id <> other.plan_year_id
              and one.inactive_on is null and other.inactive_on is null
              and daterange(one.coverage_start, coalesce(one.coverage_end, its.coverage_end), '[]')
                  && daterange(other.coverage_start, coalesce(other.coverage_end, others.coverage_end), '[]')`,
          [employer_id],
        )
        expect(doubled).toEqual([])
        const granted = await api.database.reads.rows<{ plan_year_id: string }>(
          'select distinct plan_year_id from enrollments where employer_id = $1 and inactive_on is null',
          [employer_id],
        )
        const grantable = years.filter(({ end }) => end >= '2026-03-10')
        expect(granted.map(({ plan_year_id }) => plan_year_id).toSorted()).toEqual(
          grantable.map(({ id }) => id).toSorted(),
        )
      }),
      { numRuns: 15 },
    )
  })
})

describe('choice groups', () => {
  const asOperator = () => ({ key: api.operator_key })
  const unknown = 'bprd_01kdq7b4w8e9rs2mh3n5t6v7xz'
  let employer_id: string

  const next_year = { coverage_start: '2027-01-01' }
  const offering = (...kinds: ('mec' | 'mvp' | 'dental' | 'vision')[]) =>
    kinds.map((kind) => ({ benefit_id: catalog[kind].benefit_id }))

  async function opened(input: object): Promise<string> {
    employer_id = await createEmployer(api)
    return openPlanYear(api, employer_id, catalog, {
      ...next_year,
      benefits: offering('mec', 'mvp', 'dental'),
      ...input,
    })
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
})
