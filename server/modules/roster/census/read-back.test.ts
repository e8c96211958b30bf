import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Employee } from '../../../../sdk/src/v1/types.gen.ts'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sure } from '../../../test/pick.ts'
import { caseCount } from '../../../test/case-count.ts'

const api = useApi()

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
  expect(accepted).toBeGreaterThan(5)
}, 600_000)
