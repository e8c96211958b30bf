import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { databaseContents } from '../../../test/postgres/database-contents.ts'
import { first, pick } from '../../../test/pick.ts'

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

const elect = (id: string, input: object = {}, key?: string) =>
  api.post(
    `/v1/enrollments/${id}/elect`,
    { plan_id: catalog.mec.plan_id, coverage_tier: 'EE', ...input },
    key === undefined ? {} : { key },
  )
const waive = (id: string, input: object = {}) => api.post(`/v1/enrollments/${id}/waive`, input)
const correct = (id: string, input: object) =>
  api.post(`/operator/v1/enrollments/${id}/corrections`, { reason: 'Set right', ...input }, { key: api.operator_key })

type Enrolled = { id: string; benefit: { id: string } }

/** An employee hired on March 9, 2026 for coverage from April, with the ids of the enrollments by benefit. */
async function newcomer(input: Record<string, unknown> = {}) {
  const employee = await createEmployee(api, employer_id, { start_date: '2026-03-09', ...input })
  const rows: Enrolled[] = (await api.get(`/v1/employees/${employee.id}/enrollments`)).body.data
  const of = (benefit_id: string) => rows.find(({ benefit }) => benefit.id === benefit_id)!.id
  return {
    id: employee.id as string,
    mec: of(catalog.mec.benefit_id),
    dental: of(catalog.dental.benefit_id),
    ichra: of(catalog.ichra.benefit_id),
  }
}

const dependent = async (employee_id: string, relationship: string, date_of_birth: string) =>
  (
    await api.post(`/v1/employees/${employee_id}/dependents`, {
      relationship,
      first_name: `${relationship} ${date_of_birth}`.replaceAll(/[^a-z ]/g, ''),
      last_name: `Costa ${date_of_birth}`,
      date_of_birth,
    })
  ).body.data.id as string

async function approve(employee_id: string, type: string, occurred_on: string): Promise<void> {
  const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  const path = `/operator/v1/qualifying-life-events/${event.body.data.id}/approve` as const
  expect((await api.post(path, undefined, { key: api.operator_key })).status).toBe(200)
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { waiting_period: 'first_of_following_month' })
  await openPlanYear(api, employer_id, catalog, {
    benefits: [
      {
        benefit_id: catalog.mec.benefit_id,
        contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 33.33 }],
      },
      {
        benefit_id: catalog.dental.benefit_id,
        contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 5_000 }],
      },
      { benefit_id: catalog.ichra.benefit_id },
    ],
  })
  await api.work()
})

describe('enrollments_elect', () => {
  it('shows the electable plans and their cost', async () => {
    const { mec, ichra } = await newcomer()
    const { plans } = (await api.get(`/v1/enrollments/${mec}`)).body.data
    expect(plans).toEqual([
      expect.objectContaining({
        id: catalog.mec.plan_id,
        carrier: 'Evergreen Health',
        network_names: ['First Health'],
      }),
    ])
    expect(plans[0]?.tiers[0]).toEqual({
      coverage_tier: 'EE',
      premium_in_cents: 8_900,
      employer_contribution_in_cents: 2_966,
      employee_deduction_in_cents: 5_934,
    })
    const own = first((await api.get(`/v1/enrollments/${ichra}`)).body.data.plans)
    expect(own.tiers[0]).toEqual({
      coverage_tier: 'EE',
      premium_in_cents: 50_000,
      employer_contribution_in_cents: 30_000,
      employee_deduction_in_cents: 20_000,
    })
  })

  it.each([
    ['a percentage, half up', 'mec', 'EE', {}, [8_900, 2_966, 5_934]],
    ['a fixed amount, at most the premium', 'dental', 'EE', {}, [3_200, 3_200, 0]],
    ['the allowance of the younger group', 'ichra', 'EE', { date_of_birth: '1986-04-02' }, [50_000, 30_000, 20_000]],
    [
      'the allowance of an employee who is 40 when coverage begins',
      'ichra',
      'EE',
      { date_of_birth: '1986-04-01' },
      [50_000, 45_000, 5_000],
    ],
    ['the allowance of the class', 'ichra', 'EE', { employee_class: 'Part Time' }, [50_000, 15_000, 35_000]],
  ] as const)('takes %s', async (_, benefit, coverage_tier, input, cents) => {
    const employee = await newcomer(input)
    const answer = await elect(employee[benefit], { plan_id: catalog[benefit].plan_id, coverage_tier })
    const { premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents } = answer.body.data
    expect([premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents]).toEqual(cents)
  })

  it('replaces the election, even after a waiver, until coverage begins', async () => {
    const { id, mec } = await newcomer()
    await dependent(id, 'spouse', '1990-02-03')
    expect((await elect(mec)).body.data).toMatchObject({ status: 'enrolled', coverage_tier: 'EE', dependent_ids: [] })
    expect((await elect(mec, { coverage_tier: 'ES' })).body.data.dependent_ids).toHaveLength(1)
    expect((await waive(mec)).body.data).toMatchObject({ status: 'waived', plan: null, employee_deduction_in_cents: 0 })
    expect((await elect(mec)).body.data).toMatchObject({ status: 'enrolled', coverage_start: '2026-04-01' })
    expect(await api.events(mec)).toEqual(
      ['granted', 'started', 'elected', 'accepted', 'elected', 'accepted', 'waived', 'elected', 'accepted'].map(
        (name) => `enrollment.${name}`,
      ),
    )
  })

  it('saves the last of many concurrent elections, and counts once', async () => {
    const { mec } = await newcomer()
    const answers = await Promise.all(Array.from({ length: 10 }, () => elect(mec)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const rows = await api.database.reads.rows('select 1 as one from elections where enrollment_id = $1', [mec])
    expect(rows).toHaveLength(1)
  })

  it('applies a change of coverage that has begun from the next month on, and keeps the earlier days', async () => {
    const { id, mec } = await newcomer()
    await elect(mec)
    api.moveTo('2026-05-10')
    await approve(id, 'marriage', '2026-05-02')
    await dependent(id, 'spouse', '1990-02-03')
    expect((await elect(mec, { coverage_tier: 'ES' })).body.data).toMatchObject({
      coverage_tier: 'EE',
      coverage_start: '2026-04-01',
    })
    api.moveTo('2026-06-01')
    expect((await api.get(`/v1/enrollments/${mec}`)).body.data).toMatchObject({
      coverage_tier: 'ES',
      premium_in_cents: 17_500,
      dependent_ids: [expect.any(String)],
    })
    api.moveTo('2026-03-10')
  })

  it('covers an employee who had waived from the month after a life event, and from the day of a birth', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    await waive(one.mec)
    api.moveTo('2026-06-10')
    await approve(one.id, 'loss_of_coverage', '2026-06-01')
    await approve(other.id, 'birth', '2026-06-05')
    await dependent(other.id, 'child', '2026-06-05')
    expect((await elect(one.mec)).body.data).toMatchObject({ status: 'enrolled', coverage_start: '2026-07-01' })
    expect((await elect(other.mec, { coverage_tier: 'EC' })).body.data.coverage_start).toBe('2026-06-05')
    await api.patch(`/v1/employees/${one.id}`, { effective_date: '2026-06-10', gender: 'Female' })
    expect((await api.get(`/v1/enrollments/${one.mec}`)).body.data.coverage_start).toBe('2026-07-01')
    api.moveTo('2026-03-10')
  })

  it('allows employees to elect with their own token, and no other employees', async () => {
    const [one, other] = [await newcomer(), await newcomer()]
    const own = await boundToken(api, 'employee', one.id)
    expect((await elect(one.mec, {}, own)).status).toBe(200)
    expect(refusalOf(await elect(other.mec, {}, own))).toEqual([404, 'not_found', undefined])
    expect(refusalOf(await elect(one.mec, {}, await boundToken(api, 'employer', employer_id)))).toEqual([
      403,
      'forbidden',
      undefined,
    ])
    expect(refusalOf(await elect(one.mec, {}, api.story.rival_api_key))).toEqual([404, 'not_found', undefined])
  })

  it("refuses plans that are not offered, and dependents who don't fit or can't be covered", async () => {
    const { id, mec } = await newcomer()
    const other = await newcomer()
    const child = await dependent(id, 'child', '2015-01-01')
    const client = await dependent(other.id, 'child', '2015-01-01')
    expect(refusalOf(await elect(mec, { plan_id: catalog.dental.plan_id }))).toEqual([
      422,
      'plan_not_offered',
      'plan_id',
    ])
    expect(refusalOf(await elect(mec, { plan_id: catalog.mvp.plan_id }))).toEqual([422, 'plan_not_offered', 'plan_id'])
    for (const election of [{ coverage_tier: 'ES' }, { dependent_ids: [child] }])
      expect(refusalOf(await elect(mec, election))).toEqual([422, 'dependents_do_not_fit_tier', 'coverage_tier'])
    const refused = await elect(mec, { coverage_tier: 'EC', dependent_ids: [child, client] })
    expect(refusalOf(refused)).toEqual([422, 'dependent_not_coverable', 'dependent_ids[1]'])
    expect((await api.get(`/v1/enrollments/${mec}`)).body.data.status).toBe('pending')
  })

  it('refuses after the window is closed, and always once inactive', async () => {
    const { id, mec } = await newcomer()
    api.moveTo('2026-04-09')
    expect((await elect(mec)).status).toBe(200)
    api.moveTo('2026-04-10')
    expect(refusalOf(await elect(mec))).toEqual([409, 'enrollment_window_closed', undefined])
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' })
    expect(refusalOf(await elect(mec))).toEqual([409, 'enrollment_is_inactive', undefined])
    api.moveTo('2026-03-10')
  })
})

describe('enrollments_waive', () => {
  it('refuses once coverage has begun', async () => {
    const { mec } = await newcomer()
    await elect(mec)
    api.moveTo('2026-04-01')
    expect(refusalOf(await waive(mec))).toEqual([409, 'coverage_has_started', undefined])
    api.moveTo('2026-03-10')
  })

  it('accepts repeated waivers and elections, of which the last one counts', async () => {
    const { mec, dental } = await newcomer()
    await elect(mec)
    await waive(dental, { reason: 'Has other coverage', reason_code: 'spouse_plan' })
    const [, waived] = (await api.get(`/v1/enrollments/${dental}/history`)).body.data
    expect(waived).toMatchObject({ action: 'waived', reason: 'Has other coverage', reason_code: 'spouse_plan' })
    expect(refusalOf(await waive(dental, { reason_code: 'whim' }))).toEqual([400, 'invalid_request', 'reason_code'])
    api.moveTo('2026-03-20')
    expect((await waive(dental)).body.data).toMatchObject({
      status: 'waived',
      answered_at: '2026-03-20T16:00:00.000Z',
    })
    expect((await elect(mec)).body.data).toMatchObject({
      status: 'enrolled',
      coverage_start: '2026-04-01',
      answered_at: '2026-03-20T16:00:00.000Z',
      upcoming_election: null,
    })
    expect((await api.events(dental)).slice(2)).toEqual(['enrollment.waived', 'enrollment.waived'])
    api.moveTo('2026-03-10')
  })
})

describe('operator_correct_enrollment', () => {
  it('elects outside of the windows, from the first day of coverage', async () => {
    const { mec, ichra } = await newcomer()
    api.moveTo('2026-05-10')
    const election = { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' }
    const before = await databaseContents(api)
    const bought = await correct(mec, { election, coverage_start: '2026-05-01', dry_run: true })
    expect([bought.status, await databaseContents(api)], bought.text).toEqual([200, before])
    const becomes = { status: 'enrolled', coverage_start: '2026-05-01', premium_in_cents: 8_900 }
    const changes = bought.body.enrollments.map(({ before, after }) => [before?.id, before?.status, after.status])
    expect(changes).toEqual(
      expect.arrayContaining([
        [mec, 'pending', 'enrolled'],
        [ichra, 'pending', 'waived'],
      ]),
    )
    expect(pick(bought.body.enrollments, ({ after }) => after.id === mec)).toMatchObject({ after: becomes })
    const answer = await correct(mec, { election, coverage_start: '2026-05-01' })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toMatchObject({
      status: 'enrolled',
      coverage_start: '2026-05-01',
      premium_in_cents: 8_900,
    })
    api.moveTo('2026-03-10')
  })

  it('ends coverage on a day that no recalculation moves, until the end is returned to the rules', async () => {
    const { id, mec } = await newcomer()
    await elect(mec)
    const ended = await correct(mec, { coverage_end: '2026-05-15' })
    expect(ended.body.data).toMatchObject({
      status: 'enrolled',
      coverage_end: '2026-05-15',
      terminated_at: null,
    })
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-08-20' })
    expect((await api.get(`/v1/enrollments/${mec}`)).body.data.coverage_end).toBe('2026-05-15')
    expect((await correct(mec, { coverage_end: null })).body.data.coverage_end).toBe('2026-08-31')
    const rescheduled = 'enrollment.termination_rescheduled'
    expect((await api.events(mec)).slice(4)).toEqual([rescheduled, rescheduled])
  })

  it('stores the reasons, and refuses requests without a reason or with inconsistent fields', async () => {
    const { mec } = await newcomer()
    expect(refusalOf(await correct(mec, { reason: ' ', waive: true }))).toEqual([400, 'invalid_request', 'reason'])
    expect(refusalOf(await correct(mec, {}))).toEqual([400, 'invalid_request', ''])
    expect(refusalOf(await correct(mec, { coverage_start: '2027-01-01' }))).toEqual([
      400,
      'invalid_request',
      'coverage_start',
    ])
    expect((await correct(mec, { waive: true })).body.data.status).toBe('waived')
    const rows = await api.database.reads.rows(
      'select reason, changes from enrollment_corrections where enrollment_id = $1',
      [mec],
    )
    expect(rows).toEqual([{ reason: 'Set right', changes: { waive: true } }])
  })

  it('is for operators only', async () => {
    const { mec } = await newcomer()
    const answer = await api.post(`/operator/v1/enrollments/${mec}/corrections`, { reason: 'R', waive: true })
    expect(answer.status).toBe(401)
  })
})
