import { beforeAll, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import type { PlanYearPreview } from '../../../../sdk/src/operator/types.gen.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { databaseContents } from '../../../test/postgres/database-contents.ts'

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

/** Performs the daily runs of many days, even on slow machines. */
const timeout = { timeout: 240_000 }

/** An employer without a waiting period that offers Silver, Bronze and dental in 2026 and pays half. */
async function anEmployerWithYear() {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [
      { benefit_id: catalog.mvp.benefit_id, contribution_tiers: half },
      { benefit_id: catalog.dental.benefit_id, contribution_tiers: half },
    ],
  })
  await api.work()
  return { employer_id, plan_year_id }
}

/** The medical enrollment of an employee in a plan year. */
const enrollmentIn = async (employee_id: string, plan_year_id: string) => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const theirs = data.filter((row) => row.benefit_plan_year_id === plan_year_id)
  return only(theirs.filter((row) => row.benefit.category === 'Medical'))
}

const elect = async (enrollment_id: string, body: object) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
}
const waive = async (enrollment_id: string, body: object = {}) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/waive`, body)
  expect(answer.status, answer.text).toBe(200)
}

/** An employee with a medical election for dependents in 2026. */
async function a_person(
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
  const enrollment = await enrollmentIn(id, plan_year_id)
  if (plan_id) await elect(enrollment.id, { plan_id, coverage_tier })
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
  `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/renewal` as const
const report = async (employer_id: string, plan_year_id: string) => {
  const answer = await api.get(`${pathOf(employer_id, plan_year_id)}?limit=100`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
type Report = Awaited<ReturnType<typeof report>>
/** The row of the report for the medical coverage of an employee. */
const medicalOf = (rows: Report, employee_id: string) =>
  pick(rows, (row) => row.employee_id === employee_id && row.benefit_id === catalog.mvp.benefit_id)
const tasks = async (employer_id: string) =>
  (await api.get(`/operator/v1/tasks?employer_id=${employer_id}&kind=enrollment_lapsing`, asOperator())).body.data
/** The rows of a report without the ids, which only exist after the renewal. */
const withoutIds = (rows: Report) => rows.map(({ enrollment_id: _, ...row }) => row)

/**
 * Checks the dry run of the copy of 2026: the current and future cost of every employee, by the grants of the engine.
 */
function checkPreviewedContributions(reported: PlanYearPreview | null): void {
  const { mvp } = catalog
  const medical = (id = '') =>
    pick(reported!.data, (row) => row.employee_id === id && row.benefit_id === mvp.benefit_id)
  const cost = { coverage_tier: 'EE', employer_contribution_in_cents: 21_000, employee_deduction_in_cents: 21_000 }
  expect(reported!.as_of).toBe('2026-11-01')
  expect(medical(people.silver)).toMatchObject({
    status: 'pending',
    coverage_start: '2027-01-01',
    former: { plan_id: mvp.plan_id, ...cost },
    outcome: 'carried',
    answer: 'enrolled',
    elected: { plan_id: mvp.plan_id, ...cost },
  })
  expect(medical(people.silver).plans).toMatchObject([{ id: mvp.plan_id, tiers: expect.any(Array) }])
  expect(medical(people.bronze)).toMatchObject({
    former: { plan_id: mvp.other_plan_id },
    elected: { plan_id: mvp.plan_id },
  })
  expect(medical(people.waiver)).toMatchObject({ outcome: 'carried', answer: 'waived', former: null, elected: null })
  expect(medical(people.silent)).toMatchObject({ status: 'pending', reason: 'nothing_to_carry', elected: null })
  const sum = (side: 'former' | 'elected') =>
    reported!.data.reduce((sum, row) => sum + (row[side]?.employee_deduction_in_cents ?? 0), 0)
  expect(reported!.totals).toMatchObject({
    employee_count: 7,
    granted_employee_count: 7,
    carried_employee_count: 6,
    lapsing_employee_count: 0,
    // Half of Bronze costs more than the poverty guideline allows, and no wages are known.
    affordable_employee_count: 0,
    unaffordable_employee_count: 7,
    before: { employee_deduction_in_cents: sum('former') },
    after: { employee_deduction_in_cents: sum('elected') },
  })
}

type Position = Awaited<ReturnType<typeof anEmployerWithYear>> & { next: string }

/**
 * Employers with a passive renewal, an active one, one without a successor plan, one with a late plan year, and one
 * with a gap.
 */
const positions = {} as Record<'passive' | 'active' | 'lacking' | 'late' | 'gap', Position>
const people: Record<string, string> = {}
let preview: Report

it('previews who is carried over to which election and cost, and who is not and why', timeout, async () => {
  const { mvp } = catalog
  for (const name of ['passive', 'active', 'lacking', 'late', 'gap'] as const)
    positions[name] = { ...(await anEmployerWithYear()), next: '' }
  const { passive, active, lacking, late, gap } = positions
  people.silver = await a_person(passive, mvp.plan_id)
  people.bronze = await a_person(passive, mvp.other_plan_id)
  people.family = await a_person(passive, mvp.plan_id, 'EF', [
    { relationship: 'spouse', date_of_birth: '1980-01-01' },
    { relationship: 'child', date_of_birth: '2000-12-10' },
  ])
  people.waiver = await a_person(passive, null)
  await waive((await enrollmentIn(people.waiver, passive.plan_year_id)).id, {
    reason: 'By Sam’s',
    reason_code: 'spouse_plan',
  })
  people.chooser = await a_person(passive, mvp.plan_id)
  people.silent = await a_person(passive, null)
  people.leaver = await a_person(passive, mvp.plan_id)
  for (const one of ['first', 'second', 'third']) people[one] = await a_person(active, mvp.plan_id)
  people.lacking = await a_person(lacking, mvp.plan_id)
  for (const one of ['late', 'later', 'latest']) people[one] = await a_person(late, mvp.plan_id)
  people.gap = await a_person(gap, mvp.plan_id)
  await onDay('2026-09-15')
  active.next = await copy(active.plan_year_id, { ...november, renewal: 'active' })
  lacking.next = await copy(lacking.plan_year_id, november)
  gap.next = await copy(gap.plan_year_id, { coverage_start: '2027-02-01' })
  const next_year = { ...november, plan_successors: { [mvp.other_plan_id]: mvp.plan_id } }
  // The service does not contain the figures of 2027 yet.
  const poverty_guidelines = { contiguous: 15_960, alaska: 19_950, hawaii: 18_360 }
  const figures = { year: 2027, required_contribution_percentage: 9.96, poverty_guidelines }
  expect((await api.post('/operator/v1/affordability-figures', figures, asOperator())).status).toBe(200)
  const before = await databaseContents(api)
  const path = `/operator/v1/benefit-plan-years/${passive.plan_year_id}/copy` as const
  const dry_run = await api.post(path, { ...next_year, dry_run: true, limit: 100 }, asOperator())
  expect([dry_run.status, await databaseContents(api)], dry_run.text).toEqual([200, before])
  passive.next = await copy(passive.plan_year_id, next_year)
  checkPreviewedContributions(dry_run.body.preview)
  preview = await report(passive.employer_id, passive.next)
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
  expect(medicalOf(await report(active.employer_id, active.next), people.first!)).toMatchObject({
    outcome: 'lapses',
    reason: 'active_renewal',
    answer: null,
    plan: null,
  })
  for (const { employer_id } of [passive, active]) expect(await tasks(employer_id)).toEqual([])
})

it('lets everyone elect during open enrollment, and opens tasks for coverage that would lapse', timeout, async () => {
  const { mvp } = catalog
  const { passive, active, lacking } = positions
  const bronze_alone = {
    benefits: [{ benefit_id: mvp.benefit_id, plan_ids: [mvp.other_plan_id], contribution_tiers: half }],
  }
  const year = `/operator/v1/benefit-plan-years/${lacking.next}`
  expect((await api.patch(year, bronze_alone, asOperator())).status).toBe(200)
  await onDay('2026-11-01')
  expect(await tasks(passive.employer_id)).toEqual([])
  expect(await tasks(lacking.employer_id)).toHaveLength(1)
  const enrollment = await enrollmentIn(people.chooser!, passive.next)
  await elect(enrollment.id, { plan_id: mvp.plan_id, coverage_tier: 'EE' })
  await waive(enrollment.id)
  const leaves = async (id: string) =>
    (await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-11-01' })).status
  expect([await leaves(people.leaver!), await leaves(people.second!)]).toEqual([200, 200])
  const first = await enrollmentIn(people.first!, active.next)
  expect(await tasks(active.employer_id)).toContainEqual(
    expect.objectContaining({
      kind: 'enrollment_lapsing',
      resource_id: first.id,
      details: expect.objectContaining({
        employee_id: people.first,
        reason: 'active_renewal',
        coverage_ends_on: '2026-12-31',
      }),
    }),
  )
  await elect(first.id, { plan_id: mvp.plan_id, coverage_tier: 'EE' })
  await onDay('2026-11-30')
  expect((await tasks(active.employer_id)).map((one) => one.details.employee_id)).toEqual([people.third])
  expect(await enrollmentIn(people.silver!, passive.next)).toMatchObject({
    status: 'pending',
    elected_by: null,
  })
  preview = await report(passive.employer_id, passive.next)
  expect(medicalOf(preview, people.silent!)).toMatchObject({ outcome: 'not_carried', reason: 'nothing_to_carry' })
  expect(medicalOf(preview, people.leaver!)).toMatchObject({ outcome: 'not_carried', reason: 'coverage_ended' })
  expect(medicalOf(preview, people.chooser!)).toMatchObject({ outcome: 'answered', answer: 'waived' })
})

it('carries the others over on the day after, once', timeout, async () => {
  const { next, employer_id } = positions.passive
  await onDay('2026-12-01')
  const enrollment = await enrollmentIn(people.family!, next)
  expect(enrollment).toMatchObject({
    status: 'enrolled',
    elected_by: 'renewal',
    coverage_start: '2027-01-01',
    coverage_tier: 'ES',
    premium_in_cents: 84_000,
    employee_deduction_in_cents: 42_000,
  })
  expect((await enrollmentIn(people.bronze!, next)).plan?.id).toBe(catalog.mvp.plan_id)
  const waived = await enrollmentIn(people.waiver!, next)
  expect(waived).toMatchObject({ status: 'waived', elected_by: 'renewal' })
  expect((await api.get(`/v1/enrollments/${waived.id}/history`)).body.data.at(-1)).toMatchObject({
    action: 'renewed',
    reason: 'By Sam’s',
    reason_code: 'spouse_plan',
  })
  expect(await enrollmentIn(people.chooser!, next)).toMatchObject({
    status: 'waived',
    elected_by: 'partner',
  })
  expect((await enrollmentIn(people.silent!, next)).status).toBe('pending')
  const once = ['enrollment.granted', 'enrollment.started', 'enrollment.renewed']
  for (const one of [enrollment, waived]) expect(await api.events(one.id)).toEqual(once)
  await api.act((ctx) =>
    ctx.enqueue('renew_plan_year', { organization_id: api.story.organization_id, plan_year_id: next }),
  )
  await onDay('2026-12-02')
  for (const one of [enrollment, waived]) expect(await api.events(one.id)).toEqual(once)
  expect(withoutIds(await report(employer_id, next)), 'the report after the renewal equals the preview').toEqual(
    withoutIds(preview),
  )
  const year = await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${next}`)
  expect(year.body.data.enrollment_rate).toEqual({ eligible: 6, enrolled: 3, percentage: 50 })
})

it('is returned in pages, to the organization only', timeout, async () => {
  const { employer_id, next } = positions.passive
  const path = pathOf(employer_id, next)
  const all = await report(employer_id, next)
  const page = await api.get(`${path}?limit=5&page=2`)
  expect(page.body.data).toEqual(all.slice(5, 10))
  const pagination = { limit: 5, total: all.length, total_pages: Math.ceil(all.length / 5) }
  expect(page.body.pagination).toEqual({ ...pagination, page: 2 })
  expect((await api.get(`${path}?limit=5&page=99`)).body).toEqual({ data: [], pagination: { ...pagination, page: 99 } })
  expect((await api.get(path, { key: await boundToken(api, 'employer', employer_id) })).status).toBe(403)
  expect((await api.get(path, { key: await boundToken(api, 'employer', positions.active.employer_id) })).status).toBe(
    404,
  )
  expect((await api.get(path, { key: api.story.rival_api_key })).status).toBe(404)
  expect((await api.get(pathOf(positions.active.employer_id, next))).status).toBe(404)
})

it('carries employees over immediately when a successor is named after open enrollment', timeout, async () => {
  const { mvp } = catalog
  const { employer_id, next } = positions.lacking
  expect(medicalOf(await report(employer_id, next), people.lacking!)).toMatchObject({
    outcome: 'lapses',
    reason: 'plan_not_offered',
  })
  const plan_successors = { [mvp.plan_id]: mvp.other_plan_id }
  await api.patch(`/operator/v1/benefit-plan-years/${next}`, { plan_successors }, asOperator())
  await api.work()
  expect(await enrollmentIn(people.lacking!, next)).toMatchObject({
    status: 'enrolled',
    elected_by: 'renewal',
    plan: { id: mvp.other_plan_id },
    premium_in_cents: 31_500,
  })
  expect(await tasks(employer_id)).toEqual([])
})

it('has no tasks for lapsed coverage once the plan year has begun', timeout, async () => {
  const { employer_id, next } = positions.active
  expect(await tasks(employer_id)).toHaveLength(1)
  await onDay('2027-01-10')
  expect(await tasks(employer_id)).toEqual([])
  expect((await enrollmentIn(people.third!, next)).status).toBe('pending')
})

it(
  'renews immediately after a late change, and the window of the grant allows changes from the start',
  timeout,
  async () => {
    const { late } = positions
    late.next = await copy(late.plan_year_id, {})
    for (const one of ['late', 'later', 'latest']) {
      const enrollment = await enrollmentIn(people[one]!, late.next)
      expect(enrollment).toMatchObject({ status: 'enrolled', elected_by: 'renewal', coverage_start: '2027-01-01' })
    }
    await onDay('2027-01-20')
    const later = await enrollmentIn(people.later!, late.next)
    await elect(later.id, { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE' })
    expect(await enrollmentIn(people.later!, late.next)).toMatchObject({
      elected_by: 'partner',
      coverage_start: '2027-01-01',
      plan: { id: catalog.mvp.other_plan_id },
      upcoming_election: null,
    })
    await waive((await enrollmentIn(people.latest!, late.next)).id)
    expect(await enrollmentIn(people.latest!, late.next)).toMatchObject({
      status: 'waived',
      elected_by: 'partner',
    })
    expect(await tasks(late.employer_id)).toEqual([])
  },
)

it('carries no one over a gap, and reports that', timeout, async () => {
  const { employer_id, next } = positions.gap
  await onDay('2027-02-01')
  expect(medicalOf(await report(employer_id, next), people.gap!)).toMatchObject({
    outcome: 'lapses',
    reason: 'coverage_gap',
  })
  expect((await enrollmentIn(people.gap!, next)).status).toBe('pending')
})
