import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../test/cast.ts'
import { refusalOf } from '../../test/answer.ts'
import { useApi } from '../../test/harness.ts'
import { first, sure } from '../../test/pick.ts'

const api = useApi({ rate_limit: { per_minute: 1e6, burst: 1e6 } })
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

type Said = { enrollment_id: string; elect?: object; waive?: object }

const tokenOf = async (id: string) => {
  const bound_entity = { type: 'employee', id }
  const said = { grant_type: 'client_credentials', bound_entity }
  return (await api.post('/v1/auth/access-tokens', said)).body.access_token
}

/** Somebody hired on 9 March 2026 for coverage from April, with a family, by a token of their own. */
async function aFamily() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await tokenOf(id)
  const add = async (relationship: string, first_name: string, date_of_birth: string): Promise<string> => {
    const who = { relationship, first_name, last_name: `Costa ${id.slice(-6)}`, date_of_birth }
    return (await api.post(`/v1/employees/${id}/dependents`, who, { key })).body.data.id
  }
  const dependent_ids = [await add('spouse', 'Sam', '1991-02-03'), await add('child', 'Lina', '2015-02-03')]
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const of = (benefit_id: string) => sure(data.find(({ benefit }) => benefit.id === benefit_id)).id
  const [mvp, mec, dental, vision] = [catalog.mvp, catalog.mec, catalog.dental, catalog.vision].map(
    ({ benefit_id, plan_id }) => ({ enrollment_id: of(benefit_id), plan_id }),
  ) as [Place, Place, Place, Place]
  const answer = (answers: Said[], more: object = {}) =>
    api.post(`/v1/employees/${id}/enrollment-answers`, { answers, ...more }, { key })
  const statuses = async () => {
    const rows = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body.data
    return rows.map(({ benefit, status }) => `${benefit.product_code} ${status}`).toSorted()
  }
  return { id, key, dependent_ids, mvp, mec, dental, vision, answer, statuses }
}
type Place = { enrollment_id: string; plan_id: string }

const elect = ({ enrollment_id, plan_id }: Place, dependent_ids: string[] = [], coverage_tier = 'EE'): Said => ({
  enrollment_id,
  elect: { plan_id, coverage_tier, dependent_ids },
})

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'first_of_following_month',
  })
  const half = { contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }] }
  await openPlanYear(api, employer_id, catalog, {
    benefits: [catalog.mvp, catalog.mec, catalog.dental, catalog.vision].map(({ benefit_id }) => ({
      benefit_id,
      ...half,
    })),
  })
  await api.runDays()
  await api.work()
})

describe('employees_answer_enrollments', () => {
  it('tells what choices come to, writes nothing, and then takes what it told from the first paychecks', async () => {
    const { id, dependent_ids, mvp, dental, vision, answer, statuses } = await aFamily()
    const said = [
      elect(mvp, dependent_ids, 'EF'),
      elect(dental, dependent_ids, 'EF'),
      { enrollment_id: vision.enrollment_id, waive: { reason: 'Covered by a spouse' } },
    ]
    const before = await statuses()
    const told = (await answer(said, { dry_run: true })).body.data
    expect([await statuses(), told.dry_run]).toEqual([before, true])
    expect(told.answers.map(({ benefit, answer, coverage_tier }) => [benefit.name, answer, coverage_tier])).toEqual([
      ['Major Medical', 'enrolled', 'EF'],
      ['Dental', 'enrolled', 'EF'],
      ['Vision', 'waived', null],
    ])
    // Half of 1,218.00 and of 103.00 a month.
    expect(told.answers.map((one) => one.employee_deduction_in_cents)).toEqual([60_900, 5_150, 0])
    expect(told.employee_deduction_in_cents).toBe(66_050)
    const done = (await answer(said)).body.data
    expect({ ...done, dry_run: true }).toEqual(told)
    expect(await statuses()).toEqual(['MEC waived', 'MVP enrolled', 'VD enrolled', 'VV waived'])
    expect(told.gives_way).toHaveLength(1)

    const ahead = async () => (await api.get(`/v1/employees/${id}/paychecks`)).body.data
    const foreseen = await ahead()
    const [paycheck] = foreseen
    for (const { enrollment_id, first_paycheck } of told.answers.filter(({ first_paycheck }) => first_paycheck)) {
      const lines = first(foreseen).lines.filter((line) => line.enrollment_id === enrollment_id)
      expect(lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([first_paycheck?.amount_in_cents])
      expect(first_paycheck?.period_end_date).toBe(paycheck?.period_end_date)
    }
    expect(foreseen.every(({ statement_id }) => statement_id === null)).toBe(true)

    // What was foreseen is what statements then take, line by line.
    api.moveTo('2026-04-30')
    await api.runDays()
    await api.work()
    const written = (await ahead()).filter(({ statement_id }) => statement_id !== null)
    expect(written.length).toBeGreaterThan(1)
    expect(written.map((one) => ({ ...one, statement_id: null }))).toEqual(foreseen.slice(0, written.length))
    api.moveTo('2026-03-10')
  })

  it('gives all answers or none, and says which one was refused', async () => {
    const { mvp, mec, dental, dependent_ids, answer, statuses } = await aFamily()
    const before = await statuses()
    const of = async (answers: Said[]) => refusalOf(await answer(answers))
    expect(await of([elect(dental), elect(mvp, dependent_ids, 'ES')])).toEqual([
      422,
      'dependents_do_not_fit_tier',
      'answers[1]',
    ])
    expect(
      await of([elect(dental), { ...elect(mvp), elect: { ...elect(mvp).elect, plan_id: dental.plan_id } }]),
    ).toEqual([422, 'plan_not_offered', 'answers[1].plan_id'])
    expect(await of([elect(mvp), elect(mec)])).toEqual([422, 'one_of_a_choice', 'answers[1].enrollment_id'])
    expect(await of([elect(mvp), elect(mvp)])).toEqual([400, 'invalid_request', 'answers[1].enrollment_id'])
    expect(await of([{ enrollment_id: mvp.enrollment_id }])).toEqual([400, 'invalid_request', 'answers[0].elect'])
    const other = await aFamily()
    expect(await of([elect(dental), elect(other.dental)])).toEqual([
      422,
      'enrollment_of_another',
      'answers[1].enrollment_id',
    ])
    expect(await statuses()).toEqual(before)
  })

  it('refuses what comes after the window, and whoever has left', async () => {
    const { id, key, dental, answer } = await aFamily()
    api.moveTo('2026-05-20')
    const late = api.post(`/v1/employees/${id}/enrollment-answers`, { answers: [elect(dental)] })
    expect(refusalOf(await late).slice(0, 2)).toEqual([409, 'enrollment_window_closed'])
    api.moveTo('2026-03-10')
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })
    const left = [409, 'employee_is_not_employed']
    expect(refusalOf(await answer([elect(dental)])).slice(0, 2)).toEqual(left)
    const contact = await api.patch(`/v1/employees/${id}/contact`, { phone: '4155550123' }, { key })
    expect(refusalOf(contact).slice(0, 2)).toEqual(left)
    expect((await api.get(`/v1/employees/${id}/paychecks`, { key })).body.data).toEqual([])
    expect((await api.get(`/v1/employees/${id}/deductions/proof`, { key })).body.data.employee_id).toBe(id)
  })

  it('lets employees set their own contact data right', async () => {
    const { id, key } = await aFamily()
    const address = { address_line_1: '1 New St', city: 'Troy', state: 'NY', zipcode: '12180' }
    const changed = await api.patch(`/v1/employees/${id}/contact`, { phone: '(415) 555-0199', address }, { key })
    expect(changed.body.data).toMatchObject({ phone: '4155550199', address: { city: 'Troy' } })
    const contact = (email: string, by: { key?: string } = { key }) =>
      api.patch(`/v1/employees/${id}/contact`, { email }, by)
    expect(refusalOf(await contact('no'))).toEqual([400, 'invalid_request', 'email'])
    // Who could take an address would be taken for whoever is hired with it.
    expect(refusalOf(await contact('somebody.else@example.com'))).toEqual([400, 'invalid_employee_update', 'email'])
    expect((await contact('new.address@example.com', {})).body.data.email).toBe('new.address@example.com')
  })
})
