import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

const api = useApi()

/**
 * Submits a census, lets the worker process it, and returns its outcome. Checks that a dry run before it reports the
 * same.
 */
async function sync(at: string, employees: object[], query = '') {
  const submit = (requested: string) => api.post(`/v1/employers/${at}/census-sync${requested}`, { employees })
  const dry_run = await submit(`?dry_run=true${query && `&${query}`}`)
  const { body } = await submit(query && `?${query}`)
  await api.work()
  const outcome = (await api.get(`/v1/employers/${at}/census-sync/${body.data.census_sync_id}`)).body.data
  const { counts, state, failures, warnings, missing_count } = outcome
  expect(dry_run.body.data).toMatchObject({ counts, state, failures, warnings, missing_count })
  return outcome
}

const nothing = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }
const address = { address_line_1: '1 A St', address_line_2: 'Apt 2', city: 'Albany', state: 'NY', zipcode: '12207' }
const aCompleteRow = () => ({
  ...aPerson({ start_date: '2025-01-01' }),
  reference_id: 'A',
  suffix: 'Jr.',
  gender: 'Female',
  employee_class: 'Full Time',
  compensation_type: 'Salary',
  address,
})

/** Hires an employee with every detail known, and returns a function that reads them. */
async function hireWithAllDetails() {
  const at = await createEmployer(api)
  const row = aCompleteRow()
  expect((await sync(at, [row])).counts).toEqual({ ...nothing, created: 1 })
  const [person] = (await api.get(`/v1/employers/${at}/employees`)).body.data
  return { at, row, employee_id: person!.id }
}

describe('a census row that repeats known facts', () => {
  it('leaves a person unchanged and publishes no event, however few fields the row has', async () => {
    const { at, row, employee_id } = await hireWithAllDetails()
    const { first_name, last_name, email, phone, date_of_birth, reference_id } = row
    const some = { first_name, last_name, email, phone, date_of_birth, reference_id }
    for (const again of [row, row, some, some, { ...row, start_date: undefined }])
      expect((await sync(at, [again])).counts).toEqual({ ...nothing, unchanged: 1 })
    expect(await api.events(employee_id)).toEqual(['employee.created'])
  })

  it.each([
    ['first name', { first_name: 'Other' }],
    ['suffix', { suffix: 'Sr.' }],
    ['email', { email: 'other@again.example.com' }],
    ['phone', { phone: '2125550111' }],
    ['gender', { gender: 'Male' }],
    ['class', { employee_class: 'Part Time' }],
    ['pay', { compensation_type: 'Hourly' }],
    ['first day', { start_date: '2025-02-01' }],
    ['street', { address: { ...address, address_line_1: '2 B St' } }],
    ['flat', { address: { ...address, address_line_2: null } }],
    ['county', { address: { ...address, county: 'Albany' } }],
  ])('applies the new value when the row has another %s', async (_, input) => {
    const { at, row, employee_id } = await hireWithAllDetails()
    expect((await sync(at, [{ ...row, ...input }])).counts).toEqual({ ...nothing, updated: 1 })
    expect((await sync(at, [{ ...row, ...input }])).counts).toEqual({ ...nothing, unchanged: 1 })
    expect(await api.events(employee_id)).toEqual(['employee.created', 'employee.updated'])
  })

  it('reverts a change that was made elsewhere in the meantime', async () => {
    const { at, row, employee_id } = await hireWithAllDetails()
    const changes = { effective_date: '2026-03-10', email: 'changed@example.com', employee_class: 'Part Time' }
    expect((await api.patch(`/v1/employees/${employee_id}`, changes)).status).toBe(200)
    expect((await sync(at, [row])).counts).toEqual({ ...nothing, updated: 1 })
    expect((await api.get(`/v1/employees/${employee_id}`)).body.data).toMatchObject({
      email: row.email,
      employee_class: 'Full Time',
    })
  })

  it('warns about an unknown class each time it is reported', async () => {
    const at = await createEmployer(api)
    const row = aPerson({ reference_id: 'A' })
    for (const count of ['created', 'unchanged', 'unchanged'])
      expect(await sync(at, [row])).toMatchObject({
        counts: { ...nothing, [count]: 1 },
        warnings: [{ index: 0, field: 'employee_class' }],
      })
  })

  it('keeps the person from being missing, and brings back a person who was missing', async () => {
    const { at, row } = await hireWithAllDetails()
    const others = [1, 2, 3, 4, 5].map((n) => aPerson({ reference_id: `B${n}`, employee_class: 'Full Time' }))
    await sync(at, [row, ...others])
    api.wait(1000)
    expect(await sync(at, [row, ...others.slice(1)], 'mode=replace')).toMatchObject({
      state: 'completed',
      counts: { ...nothing, unchanged: 5, terminated: 1 },
    })
    expect((await sync(at, [row, ...others])).counts).toEqual({ ...nothing, unchanged: 5, updated: 1 })
  })

  it('fails if an earlier row of the census matched the same person', async () => {
    const { at, row, employee_id } = await hireWithAllDetails()
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
