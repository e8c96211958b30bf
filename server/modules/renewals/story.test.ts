import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

const onDay = async (day: string) => {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]

/** An employer whose people are eligible at once, with Silver, Bronze and dental in 2026, of which it pays half. */
async function anEmployerWithYear() {
  api.moveTo('2026-03-10')
  const employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'none',
  })
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [
      { benefit_id: catalog.mvp.benefit_id, contribution_tiers: half },
      { benefit_id: catalog.dental.benefit_id, contribution_tiers: half },
    ],
  })
  await api.work()
  return { employer_id, plan_year_id }
}

type Shown = { id: string; status: string; benefit_plan_year_id: string; benefit: { category: string } }

const enrollmentsOf = async (employee_id: string, plan_year_id: string): Promise<Record<string, any>> => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const theirs = data.filter((row: Shown) => row.benefit_plan_year_id === plan_year_id)
  return Object.fromEntries(theirs.map((row: Shown) => [row.benefit.category, row]))
}

const elect = async (enrollment_id: string, body: object) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
}
const waive = async (enrollment_id: string, body: object = {}) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/waive`, body)
  expect(answer.status, answer.text).toBe(200)
}

/** Somebody of an employer who elects a medical plan in 2026, with dependents. */
async function somebody(
  { employer_id, plan_year_id }: { employer_id: string; plan_year_id: string },
  plan_id: string | null,
  coverage_tier = 'EE',
  dependents: object[] = [],
): Promise<string> {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
  for (const one of dependents) {
    const names = { first_name: 'Kim', last_name: 'Costa' }
    expect((await api.post(`/v1/employees/${id}/dependents`, { ...names, ...one })).status).toBe(201)
  }
  const { Medical } = await enrollmentsOf(id, plan_year_id)
  if (plan_id) await elect(Medical.id, { plan_id, coverage_tier })
  return id
}

const copy = async (plan_year_id: string, body: object): Promise<string> => {
  const answer = await api.post(`/operator/v1/benefit-plan-years/${plan_year_id}/copy`, body, asOperator())
  expect(answer.status, answer.text).toBe(201)
  await api.work()
  return answer.body.data.id
}
const november = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }

const pathOf = (employer_id: string, plan_year_id: string) =>
  `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/renewal`
const report = async (employer_id: string, plan_year_id: string) => {
  const answer = await api.get(`${pathOf(employer_id, plan_year_id)}?limit=100`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
/** What a report says of somebody's medical coverage. */
const medicalOf = (rows: any[], employee_id: string) =>
  rows.find((row) => row.employee_id === employee_id && row.benefit_id === catalog.mvp.benefit_id)
const matters = async (employer_id: string) =>
  (await api.get(`/operator/v1/open-matters?employer_id=${employer_id}`, asOperator())).body.data
/** What a report says apart from what only the deed gives. */
const withoutIds = (rows: any[]) => rows.map(({ enrollment_id: _, ...row }) => row)

describe('a passive renewal', () => {
  let place: Awaited<ReturnType<typeof anEmployerWithYear>>
  let next: string
  const people: Record<string, string> = {}
  let preview: any[]

  it('tells beforehand who is carried, to what and at which cost, who is not and why', async () => {
    const { mvp } = catalog
    place = await anEmployerWithYear()
    people.silver = await somebody(place, mvp.plan_id)
    people.bronze = await somebody(place, mvp.other_plan_id)
    people.family = await somebody(place, mvp.plan_id, 'EF', [
      { relationship: 'spouse', date_of_birth: '1980-01-01' },
      { relationship: 'child', date_of_birth: '2000-12-10' },
    ])
    people.waiver = await somebody(place, null)
    await waive((await enrollmentsOf(people.waiver, place.plan_year_id)).Medical.id, { reason: 'Covered by a spouse' })
    people.chooser = await somebody(place, mvp.plan_id)
    people.silent = await somebody(place, null)
    people.leaver = await somebody(place, mvp.plan_id)
    api.moveTo('2026-09-15')
    next = await copy(place.plan_year_id, { ...november, plan_successors: { [mvp.other_plan_id]: mvp.plan_id } })
    preview = await report(place.employer_id, next)
    const carried = { outcome: 'carried', reason: null, answer: 'enrolled', enrollment_id: null }
    expect(medicalOf(preview, people.silver)).toMatchObject({
      ...carried,
      former_plan: 'Major Medical Silver',
      former_coverage_tier: 'EE',
      coverage_start: '2027-01-01',
      plan: { id: mvp.plan_id, name: 'Major Medical Silver', carrier: 'Evergreen Health' },
      coverage_tier: 'EE',
      premium_in_cents: 42_000,
      employer_contribution_in_cents: 21_000,
      employee_deduction_in_cents: 21_000,
      dependent_ids: [],
    })
    expect(medicalOf(preview, people.bronze)).toMatchObject({ ...carried, plan: { id: mvp.plan_id } })
    expect(medicalOf(preview, people.family)).toMatchObject({
      ...carried,
      former_coverage_tier: 'EF',
      coverage_tier: 'ES',
      premium_in_cents: 84_000,
      dependent_ids: [expect.stringMatching(/^dep_/)],
    })
    expect(medicalOf(preview, people.waiver)).toMatchObject({ ...carried, answer: 'waived', plan: null })
    expect(preview.filter(({ outcome }) => outcome === 'lapses')).toEqual([])
    expect(await matters(place.employer_id)).toEqual([])
  })

  it('leaves everybody the open enrollment to answer for themselves', async () => {
    await onDay('2026-11-01')
    expect(await matters(place.employer_id)).toEqual([])
    const { Medical } = await enrollmentsOf(people.chooser!, next)
    await elect(Medical.id, { plan_id: catalog.mvp.plan_id, coverage_tier: 'EE' })
    await waive(Medical.id)
    await api.post(`/v1/employees/${people.leaver}/terminate`, { termination_date: '2026-11-01' })
    await onDay('2026-11-30')
    expect((await enrollmentsOf(people.silver!, next)).Medical).toMatchObject({ status: 'pending', elected_by: null })
    const rows = await report(place.employer_id, next)
    expect(medicalOf(rows, people.silent!)).toMatchObject({ outcome: 'not_carried', reason: 'nothing_to_carry' })
    expect(medicalOf(rows, people.leaver!)).toMatchObject({ outcome: 'not_carried', reason: 'coverage_ended' })
    preview = rows
  })

  it('carries the others on the day after, once', async () => {
    await onDay('2026-12-01')
    const { Medical } = await enrollmentsOf(people.family!, next)
    expect(Medical).toMatchObject({
      status: 'enrolled',
      elected_by: 'renewal',
      coverage_start: '2027-01-01',
      coverage_tier: 'ES',
      premium_in_cents: 84_000,
      employee_deduction_in_cents: 42_000,
    })
    expect((await enrollmentsOf(people.bronze!, next)).Medical.plan.id).toBe(catalog.mvp.plan_id)
    const { Medical: waived } = await enrollmentsOf(people.waiver!, next)
    expect(waived).toMatchObject({ status: 'waived', elected_by: 'renewal' })
    expect((await enrollmentsOf(people.chooser!, next)).Medical).toMatchObject({
      status: 'waived',
      elected_by: 'partner',
    })
    expect((await enrollmentsOf(people.silent!, next)).Medical.status).toBe('pending')
    for (const one of [Medical, waived])
      expect(await api.events(one.id)).toEqual(['enrollment.granted', 'enrollment.started', 'enrollment.renewed'])
    await onDay('2026-12-02')
    expect(await api.events(Medical.id)).toHaveLength(3)
  })

  it('tells afterwards what it told beforehand', async () => {
    const rows = await report(place.employer_id, next)
    expect(withoutIds(rows)).toEqual(withoutIds(preview))
  })

  it('counts who was carried', async () => {
    const year = await api.get(`/v1/employers/${place.employer_id}/benefit-plan-years/${next}`)
    expect(year.body.data.enrollment_rate).toEqual({ eligible: 6, enrolled: 3, percentage: 50 })
  })

  it('is paged, for the organization and the employer’s own token alone', async () => {
    const path = pathOf(place.employer_id, next)
    const all = await report(place.employer_id, next)
    const page = await api.get(`${path}?limit=5&page=2`)
    expect(page.body.data).toEqual(all.slice(5, 10))
    const pagination = { limit: 5, total: all.length, total_pages: Math.ceil(all.length / 5) }
    expect(page.body.pagination).toEqual({ ...pagination, page: 2 })
    expect((await api.get(`${path}?limit=5&page=99`)).body).toEqual({
      data: [],
      pagination: { ...pagination, page: 99 },
    })
    const tokenOf = async (id: string) => {
      const bound_entity = { type: 'employer', id }
      const issued = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })
      return issued.body.access_token
    }
    expect((await api.get(path, { key: await tokenOf(place.employer_id) })).status).toBe(200)
    expect((await api.get(path, { key: await tokenOf(await createEmployer(api)) })).status).toBe(404)
    expect((await api.get(path, { key: api.story.rival_api_key })).status).toBe(404)
    expect((await api.get(pathOf(await createEmployer(api), next))).status).toBe(404)
  })
})

describe('whoever would lapse', () => {
  it('is an open matter from the first day of open enrollment, until answered or the year has begun', async () => {
    const { mvp } = catalog
    const place = await anEmployerWithYear()
    const [first, second, third] = [
      await somebody(place, mvp.plan_id),
      await somebody(place, mvp.plan_id),
      await somebody(place, mvp.plan_id),
    ]
    const next = await copy(place.plan_year_id, { ...november, renewal: 'active' })
    expect(medicalOf(await report(place.employer_id, next), first)).toMatchObject({
      outcome: 'lapses',
      reason: 'active_renewal',
      answer: null,
      plan: null,
    })
    expect(await matters(place.employer_id)).toEqual([])
    await onDay('2026-11-01')
    const { Medical } = await enrollmentsOf(first, next)
    expect(await matters(place.employer_id)).toHaveLength(3)
    expect(await matters(place.employer_id)).toContainEqual(
      expect.objectContaining({
        kind: 'enrollment_lapsing',
        resource_id: Medical.id,
        details: expect.objectContaining({ employee_id: first, reason: 'active_renewal', lapses_on: '2027-01-01' }),
      }),
    )
    await elect(Medical.id, { plan_id: mvp.plan_id, coverage_tier: 'EE' })
    expect(await matters(place.employer_id)).toHaveLength(2)
    await api.post(`/v1/employees/${second}/terminate`, { termination_date: '2026-11-01' })
    await onDay('2026-11-02')
    expect((await matters(place.employer_id)).map((one: any) => one.details.employee_id)).toEqual([third])
    await onDay('2027-01-01')
    expect(await matters(place.employer_id)).toEqual([])
    expect((await enrollmentsOf(third, next)).Medical.status).toBe('pending')
  })

  it('is carried at once when a successor is named after open enrollment', async () => {
    const { mvp } = catalog
    const place = await anEmployerWithYear()
    const silver = await somebody(place, mvp.plan_id)
    const next = await copy(place.plan_year_id, november)
    const year = `/operator/v1/benefit-plan-years/${next}`
    const bronze_alone = {
      benefits: [{ benefit_id: mvp.benefit_id, plan_ids: [mvp.other_plan_id], contribution_tiers: half }],
    }
    expect((await api.patch(year, bronze_alone, asOperator())).status).toBe(200)
    await onDay('2026-12-05')
    expect(await matters(place.employer_id)).toHaveLength(1)
    expect(medicalOf(await report(place.employer_id, next), silver)).toMatchObject({
      outcome: 'lapses',
      reason: 'plan_not_offered',
    })
    await api.patch(year, { plan_successors: { [mvp.plan_id]: mvp.other_plan_id } }, asOperator())
    await api.work()
    expect((await enrollmentsOf(silver, next)).Medical).toMatchObject({
      status: 'enrolled',
      elected_by: 'renewal',
      plan: { id: mvp.other_plan_id },
      premium_in_cents: 31_500,
    })
    expect(await matters(place.employer_id)).toEqual([])
  })
})

describe('a plan year that comes late', () => {
  it('is renewed at once, also when it has begun', async () => {
    const place = await anEmployerWithYear()
    const silver = await somebody(place, catalog.mvp.plan_id)
    await onDay('2027-01-10')
    const next = await copy(place.plan_year_id, november)
    expect((await enrollmentsOf(silver, next)).Medical).toMatchObject({
      status: 'enrolled',
      elected_by: 'renewal',
      coverage_start: '2027-01-01',
    })
    expect(await matters(place.employer_id)).toEqual([])
  })

  it('leaves the window of a grant to change what was carried, from the start', async () => {
    const place = await anEmployerWithYear()
    const [silver, other] = [await somebody(place, catalog.mvp.plan_id), await somebody(place, catalog.mvp.plan_id)]
    await onDay('2027-01-10')
    const next = await copy(place.plan_year_id, {})
    await onDay('2027-01-20')
    const { Medical } = await enrollmentsOf(silver, next)
    expect(Medical.window).toMatchObject({ end: '2027-02-09' })
    await elect(Medical.id, { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE' })
    expect((await enrollmentsOf(silver, next)).Medical).toMatchObject({
      elected_by: 'partner',
      coverage_start: '2027-01-01',
      plan: { id: catalog.mvp.other_plan_id },
      upcoming_election: null,
    })
    const waived = (await enrollmentsOf(other, next)).Medical
    await waive(waived.id)
    expect((await enrollmentsOf(other, next)).Medical).toMatchObject({ status: 'waived', elected_by: 'partner' })
  })

  it('is the same when days are caught up with', async () => {
    const place = await anEmployerWithYear()
    const silver = await somebody(place, catalog.mvp.plan_id)
    const next = await copy(place.plan_year_id, november)
    await onDay('2027-01-05')
    const { Medical } = await enrollmentsOf(silver, next)
    expect(Medical).toMatchObject({ status: 'enrolled', elected_by: 'renewal', coverage_start: '2027-01-01' })
    expect(await api.events(Medical.id)).toEqual(['enrollment.granted', 'enrollment.started', 'enrollment.renewed'])
  })

  it('carries nobody over a gap, and says so', async () => {
    const place = await anEmployerWithYear()
    const silver = await somebody(place, catalog.mvp.plan_id)
    const next = await copy(place.plan_year_id, { coverage_start: '2027-02-01' })
    await onDay('2027-02-01')
    expect(medicalOf(await report(place.employer_id, next), silver)).toMatchObject({
      outcome: 'lapses',
      reason: 'coverage_gap',
    })
    expect((await enrollmentsOf(silver, next)).Medical.status).toBe('pending')
  })
})
