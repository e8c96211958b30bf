import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** Families for which the end of a dependent, or of the employee's own coverage, is reported or withdrawn late. */
const api = useApi()

let employer_id: string
let plan_year_id: string
let next_year_id: string
let mec_plan: string
let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
  mec_plan = catalog.mec.plan_id
})
/** A plan year is renewed once, so each story needs an employer of its own. */
beforeEach(async () => {
  api.moveTo('2026-03-10')
  employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  plan_year_id = await openPlanYear(api, employer_id, catalog)
  const path = `/operator/v1/benefit-plan-years/${plan_year_id}/copy` as const
  const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
  next_year_id = (await api.post(path, window, asOperator())).body.data.id
  await api.work()
})
const asOperator = () => ({ key: api.operator_key })

/** Moves to days and runs the jobs of each. */
async function goOn(...days: string[]): Promise<void> {
  for (const day of days) {
    await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
}

const daughter = { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2000-05-20' }
const son = { ...daughter, first_name: 'Ralph', date_of_birth: '2012-07-02' }
const of_december = { ...daughter, date_of_birth: '2000-12-20' }
const wife = { relationship: 'spouse', first_name: 'Bell', last_name: 'Byron', date_of_birth: '1991-05-17' }

async function medicalOf(employee_id: string, year = plan_year_id) {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments?limit=100`)).body
  return pick(data, (row) => row.benefit.category === 'Medical' && row.benefit_plan_year_id === year).id
}

async function elect(enrollment_id: string, coverage_tier: string) {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id: mec_plan, coverage_tier })
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}

/** An employee with coverage for these dependents since the hire date, with the coverage level that fits them. */
async function family(coverage_tier: string, people: object[], input: object = {}) {
  const { id } = await createEmployee(api, employer_id, input as never)
  const dependent_ids: string[] = []
  for (const person of people) {
    const answer = await api.post(`/v1/employees/${id}/dependents`, person)
    expect(answer.status, answer.text).toBe(201)
    dependent_ids.push(answer.body.data.id)
  }
  await api.work()
  const enrollment_id = await medicalOf(id)
  await elect(enrollment_id, coverage_tier)
  return { id, enrollment_id, dependent_ids }
}

const read = async (enrollment_id: string) => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
const coverOf = async (enrollment_id: string) => {
  const { coverage_tier, employee_deduction_in_cents, dependent_ids } = await read(enrollment_id)
  return [coverage_tier, employee_deduction_in_cents, dependent_ids]
}
const approve = async (dependent_id: string) => {
  const path = `/operator/v1/dependents/${dependent_id}/disability` as const
  expect((await api.post(path, { reason: 'Certified' }, asOperator())).status).toBe(200)
  await api.work()
}
const publish = async (employee_id: string, action: 'terminate' | 'reinstate', input: object) => {
  const answer = await api.post(`/v1/employees/${employee_id}/${action}`, input)
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}
const stepsOf = async (enrollment_id: string) =>
  (await api.get(`/v1/enrollments/${enrollment_id}/history`)).body.data
    .at(-1)!
    .elections!.map((one) => [one.effective_on, one.coverage_tier])

describe('a reinstated employee', () => {
  it('covers no child who exceeded the age limit in the meantime, which is published and opens a window', async () => {
    const { id, enrollment_id, dependent_ids } = await family('EC', [daughter])
    await goOn('2026-05-10')
    await publish(id, 'terminate', { termination_date: '2026-05-09' })
    await goOn('2026-06-01', '2026-06-20')
    await publish(id, 'reinstate', {})
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
    expect(await stepsOf(enrollment_id)).toEqual([
      [null, 'EC'],
      ['2026-06-01', 'EE'],
    ])
    expect(await api.events(only(dependent_ids))).toEqual(['dependent.coverage_ended'])
    expect((await read(enrollment_id)).window).toEqual({ start: '2026-06-20', end: '2026-07-20' })
  })

  it('has no longer coverage for dependents after a corrected end', async () => {
    const { enrollment_id } = await family('EC', [daughter])
    const correct = async (coverage_end: string | null) => {
      const path = `/operator/v1/enrollments/${enrollment_id}/corrections` as const
      const answer = await api.post(path, { reason: 'So it was', coverage_end }, asOperator())
      expect(answer.status, answer.text).toBe(201)
      await api.work()
    }
    await goOn('2026-04-10')
    await correct('2026-04-30')
    await goOn('2026-05-01', '2026-06-01', '2026-07-10')
    await correct('2026-06-30')
    expect(await stepsOf(enrollment_id)).toEqual([
      [null, 'EC'],
      ['2026-06-01', 'EE'],
    ])
  })
})

describe('coverage that is restored for a returning employee', () => {
  it('has the cost of an amendment from its day on', async () => {
    const { id } = await family('EC', [son])
    await goOn('2026-05-10')
    await publish(id, 'terminate', { termination_date: '2026-05-09' })
    const contribution_tiers = [{ coverage_tier: null, method: 'percentage', percentage: 40 }]
    const contributions = [{ benefit_id: catalog.mec.benefit_id, contribution_tiers }]
    const path = `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const
    const amended = await api.post(path, { effective_on: '2026-07-01', reason: 'R', contributions }, asOperator())
    expect(amended.status, amended.text).toBe(201)
    await goOn('2026-06-10')
    const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
    await api.work()
    await goOn('2026-07-01')
    const back = await read(await medicalOf(answer.body.data.id))
    expect(back).toMatchObject({ elected_by: 'return', employee_deduction_in_cents: 9_900 })
  })
})

describe('a future election', () => {
  it('keeps its source and time if a dependent ends before its first day', async () => {
    api.moveTo('2026-11-05')
    const { id, dependent_ids } = await family('ES', [wife], { start_date: '2026-10-20' })
    const ahead = await medicalOf(id, next_year_id)
    await elect(ahead, 'ES')
    const made = () =>
      api.database.reads.rows(
        `select elected_by, elected_at::date::text as elected_on, coverage_tier
           from elections where enrollment_id = $1`,
        [ahead],
      )
    await goOn('2026-12-10')
    await api.call('DELETE', `/v1/dependents/${only(dependent_ids)}`)
    await goOn('2027-01-01')
    // This time decides whether January is deducted before tax.
    expect(await made()).toEqual([{ elected_by: 'partner', elected_on: '2026-11-05', coverage_tier: 'EE' }])
  })
})

describe('a child with an approved disability', () => {
  it('is covered after a renewal as if there were no age limit', async () => {
    const { id, enrollment_id, dependent_ids } = await family('EC', [of_december])
    await goOn('2026-11-01', '2026-11-21', '2026-12-31')
    const renewed = await medicalOf(id, next_year_id)
    expect(await coverOf(renewed)).toEqual(['EE', 0, []])
    await goOn('2027-01-01', '2027-01-15')
    expect(await coverOf(renewed)).toEqual(['EE', 0, []])
    await approve(only(dependent_ids))
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, dependent_ids])
    expect(await coverOf(renewed)).toEqual(['EC', 8_250, dependent_ids])
    expect(await read(renewed)).toMatchObject({ elected_by: 'renewal' })
  })

  it('is covered if the approval is before the age limit, too', async () => {
    const { id, dependent_ids } = await family('EC', [of_december])
    await goOn('2026-11-01', '2026-11-21', '2026-12-20')
    await approve(only(dependent_ids))
    expect(await coverOf(await medicalOf(id, next_year_id))).toEqual(['EC', 8_250, dependent_ids])
  })

  it('is covered by a later carried election, long after the end', async () => {
    const { id, enrollment_id, dependent_ids } = await family('EC', [daughter])
    await goOn('2026-06-01', '2026-11-01', '2026-11-21', '2027-01-01')
    const renewed = await medicalOf(id, next_year_id)
    expect(await coverOf(renewed)).toEqual(['EE', 0, []])
    await approve(only(dependent_ids))
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, dependent_ids])
    expect(await coverOf(renewed)).toEqual(['EC', 8_250, dependent_ids])
  })

  it('is covered by an election that was resumed with the employee', async () => {
    const { id, dependent_ids } = await family('EC', [daughter])
    await goOn('2026-05-10')
    await publish(id, 'terminate', { termination_date: '2026-05-09' })
    await goOn('2026-06-01', '2026-06-10')
    const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
    expect(answer.status, answer.text).toBe(201)
    await api.work()
    const back = await medicalOf(answer.body.data.id)
    expect(await coverOf(back)).toEqual(['EE', 0, []])
    await approve(only(dependent_ids))
    expect(await coverOf(back)).toEqual(['EC', 8_250, dependent_ids])
    await goOn('2026-06-20')
    expect(await coverOf(back)).toEqual(['EC', 8_250, dependent_ids])
  })
})
