import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../../test/cast.ts'
import { useApi } from '../../../test/harness.ts'

const api = useApi()

/** Submits a census, lets the worker process it, and returns its outcome; a rehearsal before says the same. */
async function sync(at: string, employees: object[], query = '') {
  const submit = (asked: string) => api.post(`/v1/employers/${at}/census-sync${asked}`, { employees })
  const rehearsal = await submit(`?dry_run=true${query && `&${query}`}`)
  const { body } = await submit(query && `?${query}`)
  await api.work()
  const outcome = (await api.get(`/v1/employers/${at}/census-sync/${body.data.census_sync_id}`)).body.data
  const { counts, state, failures, warnings, missing_count } = outcome
  expect(rehearsal.body.data).toMatchObject({ counts, state, failures, warnings, missing_count })
  return outcome
}

const nothing = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }
const address = { address_line_1: '1 A St', address_line_2: 'Apt 2', city: 'Albany', state: 'NY', zipcode: '12207' }
const whole = () => ({
  ...aPerson({ start_date: '2025-01-01' }),
  reference_id: 'A',
  suffix: 'Jr.',
  gender: 'Female',
  employee_class: 'Full Time',
  compensation_type: 'Salary',
  address,
})

/** An employer with somebody of whom all is said, and how to find them. */
async function employed() {
  const at = await createEmployer(api)
  const row = whole()
  expect((await sync(at, [row])).counts).toEqual({ ...nothing, created: 1 })
  const [person] = (await api.get(`/v1/employers/${at}/employees`)).body.data
  return { at, row, employee_id: person!.id }
}

describe('a row that is told again', () => {
  it('leaves alone who is as it says, however little it says, and tells no event', async () => {
    const { at, row, employee_id } = await employed()
    const { first_name, last_name, email, phone, date_of_birth, reference_id } = row
    const some = { first_name, last_name, email, phone, date_of_birth, reference_id }
    for (const again of [row, row, some, some, { ...row, start_date: undefined }])
      expect((await sync(at, [again])).counts).toEqual({ ...nothing, unchanged: 1 })
    expect(await api.events(employee_id)).toEqual(['employee.created'])
  })

  it.each([
    ['first name', { first_name: 'Other' }],
    ['suffix', { suffix: 'Sr.' }],
    ['e-mail', { email: 'other@again.example.com' }],
    ['phone', { phone: '2125550111' }],
    ['gender', { gender: 'Male' }],
    ['class', { employee_class: 'Part Time' }],
    ['pay', { compensation_type: 'Hourly' }],
    ['first day', { start_date: '2025-02-01' }],
    ['street', { address: { ...address, address_line_1: '2 B St' } }],
    ['flat', { address: { ...address, address_line_2: null } }],
    ['county', { address: { ...address, county: 'Albany' } }],
  ])('takes what is said anew: another %s', async (_, said) => {
    const { at, row, employee_id } = await employed()
    expect((await sync(at, [{ ...row, ...said }])).counts).toEqual({ ...nothing, updated: 1 })
    expect((await sync(at, [{ ...row, ...said }])).counts).toEqual({ ...nothing, unchanged: 1 })
    expect(await api.events(employee_id)).toEqual(['employee.created', 'employee.updated'])
  })

  it('takes back what was changed otherwise since', async () => {
    const { at, row, employee_id } = await employed()
    const changes = { effective_date: '2026-03-10', email: 'changed@example.com', employee_class: 'Part Time' }
    expect((await api.patch(`/v1/employees/${employee_id}`, changes)).status).toBe(200)
    expect((await sync(at, [row])).counts).toEqual({ ...nothing, updated: 1 })
    expect((await api.get(`/v1/employees/${employee_id}`)).body.data).toMatchObject({
      email: row.email,
      employee_class: 'Full Time',
    })
  })

  it('says that a class is not known as often as it is told', async () => {
    const at = await createEmployer(api)
    const row = aPerson({ reference_id: 'A' })
    for (const count of ['created', 'unchanged', 'unchanged'])
      expect(await sync(at, [row])).toMatchObject({
        counts: { ...nothing, [count]: 1 },
        warnings: [{ index: 0, field: 'employee_class' }],
      })
  })

  it('keeps whom it means from being missing, and brings back who was', async () => {
    const { at, row } = await employed()
    const others = [1, 2, 3, 4, 5].map((n) => aPerson({ reference_id: `B${n}`, employee_class: 'Full Time' }))
    await sync(at, [row, ...others])
    api.wait(1000)
    expect(await sync(at, [row, ...others.slice(1)], 'mode=replace')).toMatchObject({
      state: 'completed',
      counts: { ...nothing, unchanged: 5, terminated: 1 },
    })
    expect((await sync(at, [row, ...others])).counts).toEqual({ ...nothing, unchanged: 5, updated: 1 })
  })

  it('is refused behind another that was taken for the same person, and refuses one behind it', async () => {
    const { at, row, employee_id } = await employed()
    const { reference_id: _, ...nameless } = row
    const other = { ...nameless, employee_id, last_name: 'Other' }
    const failed = (index: number) => [{ index, reason: expect.stringMatching(/^repeated_person/) }]
    expect(await sync(at, [row, other])).toMatchObject({
      counts: { ...nothing, unchanged: 1, failed: 1 },
      failures: failed(1),
    })
    expect(await sync(at, [other, row])).toMatchObject({
      counts: { ...nothing, updated: 1, failed: 1 },
      failures: failed(1),
    })
  })
})
