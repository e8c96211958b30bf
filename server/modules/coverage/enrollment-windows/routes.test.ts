import { beforeAll, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** The progress of enrollment in an open window. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let plan_year_id: string

const windows = async () => (await api.get(`/v1/employers/${employer_id}/enrollment-windows`)).body.data
const people = async (query = '') =>
  (await api.get(`/v1/employers/${employer_id}/enrollment-windows/${plan_year_id}/people${query}`)).body
const hire = async (input: Record<string, unknown>): Promise<string> =>
  (await createEmployee(api, employer_id, input)).id
const enrollmentOf = async (employee_id: string, name: string): Promise<string> =>
  pick(
    (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data as {
      id: string
      benefit: { name: string }
    }[],
    ({ benefit }) => benefit.name === name,
  ).id
const elect = async (employee_id: string) =>
  api.post(`/v1/enrollments/${await enrollmentOf(employee_id, 'Essential Care')}/elect`, {
    plan_id: catalog.mec.plan_id,
    coverage_tier: 'EE',
  })
const waive = async (employee_id: string, name: string) =>
  api.post(`/v1/enrollments/${await enrollmentOf(employee_id, name)}/waive`, {})

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  await hire({ first_name: 'Nora', last_name: 'Abel', email: 'nora@abel.example.com' })
  const ines = await hire({ first_name: 'Ines', last_name: 'Berg' })
  const enzo = await hire({ first_name: 'Enzo', last_name: 'Cole', employee_class: 'Part Time' })
  const wes = await hire({ first_name: 'Wes', last_name: 'Dorn' })
  plan_year_id = await openPlanYear(api, employer_id, catalog, {
    coverage_start: '2026-05-01',
    open_enrollment_start: '2026-03-11',
    open_enrollment_end: '2026-03-31',
  })
  api.moveTo('2026-03-11')
  await api.runDays()
  await api.work()
  await elect(ines)
  await elect(enzo)
  await waive(enzo, 'Dental')
  await waive(wes, 'Essential Care')
  await waive(wes, 'Dental')
})

it('counts the employees of an open window once each, by progress, by benefit and by class', async () => {
  const window = first(await windows())
  expect(window).toMatchObject({
    benefit_plan_year_id: plan_year_id,
    open_enrollment_start: '2026-03-11',
    open_enrollment_end: '2026-03-31',
    is_open: true,
    days_left: 20,
    people: { eligible: 4, enrolled: 1, waived: 1, in_progress: 1, not_started: 1 },
    can_answer: 2,
  })
  expect(window.benefits).toEqual([
    expect.objectContaining({ benefit_name: 'Essential Care', eligible: 4, enrolled: 2, waived: 1, unanswered: 1 }),
    expect.objectContaining({ benefit_name: 'Dental', eligible: 4, enrolled: 0, waived: 2, unanswered: 2 }),
  ])
  expect(window.classes).toMatchObject([
    { employee_class: 'Full Time', eligible: 3, enrolled: 0, waived: 1, in_progress: 1, not_started: 1 },
    { employee_class: 'Part Time', eligible: 1, enrolled: 1 },
  ])
})

it('lists people by name with their progress, and filters and searches them', async () => {
  const { data, pagination } = await people()
  expect(pagination.total).toBe(4)
  expect(data.map((row) => [row.member_last_name, row.status, row.answered_count, row.window_ends_on])).toEqual([
    ['Abel', 'not_started', 0, '2026-03-31'],
    ['Berg', 'in_progress', 1, '2026-03-31'],
    ['Cole', 'enrolled', 2, null],
    ['Dorn', 'waived', 2, null],
  ])
  expect(first(data)).toMatchObject({ email: 'nora@abel.example.com', last_activity_at: null, benefit_count: 2 })
  const unfinished = await people('?status=not_started&status=in_progress')
  expect(unfinished.data.map((row) => row.member_last_name)).toEqual(['Abel', 'Berg'])
  expect((await people('?search=nora@abel')).data.map((row) => row.member_last_name)).toEqual(['Abel'])
  expect((await people('?can_answer=true&search=Dorn')).data).toEqual([])
  expect((await people('?search=abel%20nora')).data.map((row) => row.member_last_name)).toEqual(['Abel'])
  expect((await people('?limit=1&page=2')).data.map((row) => row.member_last_name)).toEqual(['Berg'])
})

it('lists a new hire after open enrollment with their own window, and no window before that', async () => {
  api.moveTo('2026-04-10')
  await api.runDays()
  await api.work()
  expect(await windows()).toEqual([])
  await hire({ first_name: 'Ola', last_name: 'Eder', start_date: '2026-04-10' })
  await api.work()
  expect(first(await windows())).toMatchObject({ is_open: false, days_left: null, can_answer: 1 })
  expect(pick((await people()).data, (row) => row.member_last_name === 'Eder').window_ends_on).toBe('2026-05-10')
  const remindable = await people('?can_answer=true')
  expect(remindable.data.map((row) => row.member_last_name)).toEqual(['Eder'])
  expect(remindable.pagination.total).toBe(1)
})

it('hides the windows of another organization', async () => {
  const rival = { key: api.story.rival_api_key }
  expect(codeOf(await api.get(`/v1/employers/${employer_id}/enrollment-windows`, rival))).toEqual([404, 'not_found'])
  const path = `/v1/employers/${employer_id}/enrollment-windows/${plan_year_id}/people` as const
  expect(codeOf(await api.get(path, rival))).toEqual([404, 'not_found'])
})
