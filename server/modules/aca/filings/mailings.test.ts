import { beforeAll, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { codeOf } from '../../../test/response.ts'

/** Two people get a form on paper. The form of one of them is corrected after the mailing. */
const api = useApi()
const tax_year = 2025
const [released_on, corrected_on] = ['2026-03-10', '2026-03-12']
let employer_id: string
let ada: string

const release = async () => {
  await api.post(`/v1/employers/${employer_id}/forms-1095c/release`, { tax_year })
  await api.work()
}
const mail = (mailed_on: string, is_mailed = true) =>
  api.put(`/v1/employers/${employer_id}/forms-1095c/mailing`, { tax_year, mailed_on, is_mailed })
const tasks = async () =>
  (await api.get(`/v1/tasks?employer_id=${employer_id}&kind=tax_forms_unmailed`)).body.data.map(
    ({ people_count, due_on }) => [people_count, due_on],
  )
const furnished = async () => {
  const { furnished_on, unmailed_count } = (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`))
    .body.data
  return [furnished_on, unmailed_count]
}
const mailings = async () => {
  const { data } = (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`)).body
  return [data.unmailed_count, data.mailings.map(({ mailed_on, form_count }) => [mailed_on, form_count])]
}

beforeAll(async () => {
  employer_id = await createEmployer(api)
  const hired = { start_date: '2024-06-03', employee_class: 'Full Time' } as const
  ada = (await createEmployee(api, employer_id, hired)).id
  await createEmployee(api, employer_id, hired)
  await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year })
  await api.work()
})

it('opens a task for released paper forms until their mailing is recorded', async () => {
  expect(await tasks()).toEqual([])
  await release()
  expect(await tasks()).toEqual([[2, '2026-03-02']])
  expect(await furnished()).toEqual([null, 2])
  await mail(released_on)
  expect(await tasks()).toEqual([])
  expect(await furnished()).toEqual([released_on, 0])
})

it('opens the task again for a form that is corrected after its mailing', async () => {
  await api.moveTo(corrected_on)
  const months = [{ month: 5, line_16: '2E' }]
  await api.put(`/v1/employees/${ada}/form-1095c`, { tax_year, reason: 'Union plan', months })
  await release()
  expect(await tasks()).toEqual([[1, '2026-03-02']])
  expect(await mailings()).toEqual([1, [[released_on, 2]]])
  // The correction does not change the day on which the last person got a first form.
  expect(await furnished()).toEqual([released_on, 1])
})

it('records a mailing again that was removed by mistake, with the forms that were corrected since', async () => {
  await mail(released_on, false)
  expect(await mailings()).toEqual([2, []])
  await mail('2026-03-11')
  expect(await mailings()).toEqual([1, [['2026-03-11', 2]]])
})

it('records the mailing of a corrected form from its release on', async () => {
  expect(codeOf(await mail('2026-03-11'))).toEqual([409, 'mailed_before_release'])
  await mail(corrected_on)
  const recorded = [
    ['2026-03-11', 2],
    [corrected_on, 1],
  ]
  expect(await mailings()).toEqual([0, recorded])
  expect(await tasks()).toEqual([])
})

it('ends the task with the year', async () => {
  await mail(corrected_on, false)
  await api.moveTo('2026-12-31')
  expect(await tasks()).toEqual([[1, '2026-03-02']])
  await api.moveTo('2027-01-01')
  expect(await tasks()).toEqual([])
})
