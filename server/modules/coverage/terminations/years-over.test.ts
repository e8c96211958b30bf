import { beforeAll, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

/** Moves to a day and runs its daily run, without the days in between. */
async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** An employee with coverage in 2026. Returns the enrollment. */
async function covered(employer_id: string) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-01' })
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const enrollment_id: string = data.find(({ benefit }) => benefit.category === 'Dental')!.id
  const election = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const elected = await api.post(`/v1/enrollments/${enrollment_id}/elect`, election)
  expect(elected.status, elected.text).toBe(200)
  return { id: id as string, enrollment_id }
}

const daysOf = async (enrollment_id: string) => {
  const { status, coverage_end } = (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
  return { status, coverage_end }
}

it(
  'ends an enrollment with its plan year if the operator corrects it right after that year',
  { timeout: 200_000 },
  async () => {
    const employer_id = await createEmployer(api)
    const all_people = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, all_people)
    await openPlanYear(api, employer_id, catalog)
    await api.work()
    const ended = await covered(employer_id)
    const corrected = await covered(employer_id)
    const gained = { type: 'gain_of_coverage', occurred_on: '2026-03-01' }
    const event = await api.post(`/v1/employees/${ended.id}/qualifying-life-events`, gained)
    await api.post(`/operator/v1/qualifying-life-events/${event.body.data.id}/approve`, {}, asOperator())
    expect((await api.post(`/v1/enrollments/${ended.enrollment_id}/terminate`, {})).status).toBe(200)
    const correct = (enrollment_id: string, coverage_end: string) =>
      api.post(
        `/operator/v1/enrollments/${enrollment_id}/corrections`,
        { coverage_end, reason: 'Reported late' },
        asOperator(),
      )
    expect((await correct(corrected.enrollment_id, '2026-03-31')).status).toBe(201)
    await goOn('2026-04-01')
    for (const { enrollment_id } of [ended, corrected])
      expect(await daysOf(enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-03-31' })

    await goOn('2027-05-01')
    const reissue = { reason: 'Ended by mistake' }
    const reissued = await api.post(`/operator/v1/enrollments/${ended.enrollment_id}/reissue`, reissue, asOperator())
    expect(reissued.status, reissued.text).toBe(200)
    const moved = await correct(corrected.enrollment_id, '2026-06-30')
    expect(moved.status, moved.text).toBe(201)
    expect(await daysOf(ended.enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-12-31' })
    expect(await daysOf(corrected.enrollment_id)).toEqual({ status: 'inactive', coverage_end: '2026-06-30' })
  },
)
