import { describe, expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import fc from 'fast-check'
import type { Employee } from '../../../../sdk/src/v1/types.gen.ts'
import { sure } from '../../../test/pick.ts'
import { caseCount } from '../../../test/case-count.ts'

const api = useApi()

/**
 * Submits a census, lets the worker process it, and returns its outcome. Checks that a dry run gives the same outcome
 * first.
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

  it('counts the person as present, and brings back a person who was missing', async () => {
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

const optional = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const home = { address_line_1: '1 Elm', address_line_2: null, city: 'Troy', state: 'NY', zipcode: '12180' }
const facts = fc.record({
  last_name: fc.constantFrom('Readback', 'READ-BACK', 'Other'),
  date_of_birth: fc.constantFrom('1990-05-17', '1990-05-17', '1990-05-18'),
  suffix: optional('Jr.', 'Sr.'),
  gender: optional('Female', 'Male'),
  address: optional<object>(home, { ...home, address_line_2: 'Apt 2' }, { ...home, county: 'Rensselaer' }),
  employee_class: optional('Full Time', 'Part Time'),
  compensation_type: optional('Salary', 'Hourly'),
  start_date: fc.constantFrom('2026-01-05', '2026-01-05', '2026-02-02'),
})
const report = fc.record({
  facts,
  employer: fc.nat(1),
  person: fc.nat(1),
  phone: optional(0, 1, 2),
  has_reference: fc.boolean(),
  termination_date: optional('2026-03-05', '2026-06-30'),
  is_hire: fc.boolean(),
})

type Row = Record<string, unknown> & { first_name: string }

/** Returns the fields of an accepted hire or row that neither read back nor are named in a warning. */
function lostFields(row: Row, employee: Employee, named: (string | null)[]): string[] {
  const { address, ...sent } = row
  const { county, ...known } = employee.address ?? { county: null }
  const { county: sent_county, ...lines } = (address ?? {}) as { county?: string }
  const lost = Object.entries(sent).flatMap(([field, value]) =>
    value === undefined || value === employee[field as keyof Employee] ? [] : [field],
  )
  const has_moved = JSON.stringify({ ...known, ...lines }) !== JSON.stringify(known)
  if (has_moved || (sent_county !== undefined && sent_county !== county)) lost.push('address')
  return lost.filter((field) => !named.includes(field))
}

/** Returns the fields that a census or hire reports as not adopted, or undefined when it is refused. */
async function send(employer_id: string, row: Row, is_hire: boolean): Promise<(string | null)[] | undefined> {
  if (is_hire) {
    const answer = await api.post(`/v1/employers/${employer_id}/employees`, row)
    return answer.status === 201 ? (answer.body.data.warnings ?? []).map(({ field }) => field) : undefined
  }
  const path = `/v1/employers/${employer_id}/census-sync` as const
  const { census_sync_id } = (await api.post(path, { employees: [row] })).body.data
  await api.work()
  const { counts, warnings } = (await api.get(`${path}/${census_sync_id}`)).body.data
  return counts.failed > 0 ? undefined : warnings.map(({ field }) => field)
}

it('reads back every field of an accepted hire or census row, or names it', async () => {
  let accepted = 0
  const property = fc.asyncProperty(fc.array(report, { minLength: 3, maxLength: 6 }), async (reports) => {
    const employers = [await createEmployer(api), await createEmployer(api)] as const
    const people = [aPerson(), aPerson()] as const
    const phones = [people[0].phone, people[1].phone, aPerson().phone]
    for (const { facts, employer, person, phone, has_reference, termination_date, is_hire } of reports) {
      const { first_name, email } = people[person]!
      const row = {
        ...facts,
        first_name,
        email,
        phone: is_hire && phone === undefined ? undefined : phones[phone ?? person],
        reference_id: has_reference ? `P${person}` : undefined,
        ...(!is_hire && { termination_date }),
      }
      const named = await send(employers[employer]!, row, is_hire)
      if (!named) continue
      accepted++
      const { data } = (await api.get(`/v1/employers/${employers[employer]}/employees?search=${first_name}`)).body
      const latest = sure(data.toSorted((a, b) => (sure(a.hire_date) < sure(b.hire_date) ? 1 : -1))[0])
      expect(lostFields(row, latest, named), JSON.stringify(row)).toEqual([])
    }
  })
  await fc.assert(property, { numRuns: caseCount(8) })
  expect(accepted).toBeGreaterThan(0)
}, 600_000)
