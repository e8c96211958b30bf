import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hris_fields } from '../../../integrations/payroll/provider.ts'
import { RosterRow } from '../census/schemas.ts'
import { dayIn, rowOf } from './rules.ts'

const ada = { first_name: 'Ada', last_name: 'Lind', email: 'ada@example.com', date_of_birth: '1990-05-17' }

describe('a day', () => {
  it.each([
    ['2026-03-09', '2026-03-09'],
    ['2026-03-09T00:00:00Z', '2026-03-09'],
    ['2026-03-09 00:00', '2026-03-09'],
    ['3/9/2026', '2026-03-09'],
    ['03/09/2026', '2026-03-09'],
    ['12-31-1999', '1999-12-31'],
    ['31/12/1999', '1999-31-12'],
    ['3/9/26', '3/9/26'],
    ['soon', 'soon'],
  ])('in the form %s is read as %s', (text, day) => expect(dayIn(text)).toBe(day))
})

describe('a row of a payroll system', () => {
  it.each([
    ['employee_class', 'Full-Time', 'Full Time'],
    ['employee_class', 'REGULAR PART TIME', 'Part Time'],
    ['employee_class', 'individual_contractor', 'Individual Contractor'],
    ['employee_class', 'temp', 'Temporary'],
    ['compensation_type', 'salaried', 'Salary'],
    ['gender', 'F', 'Female'],
    ['gender', 'decline_to_specify', 'Prefer not to respond'],
    ['gender', 'unknown', undefined],
    ['phone', '+1 (202) 555-0188', '2025550188'],
    ['phone', '+44 20 7946 0018', undefined],
    ['start_date', '1/5/2026', '2026-01-05'],
    ['reference_id', '  77 ', '77'],
    ['suffix', '', undefined],
  ])('with %s "%s" is read as %s', (field, text, value) => {
    expect(rowOf({ ...ada, [field]: text })).toMatchObject({ ...ada, ...(value !== undefined && { [field]: value }) })
    expect(new Map(Object.entries(rowOf({ ...ada, [field]: text }))).get(field)).toBe(value)
  })

  it('has an address if it is complete and in the United States', () => {
    const address = { address_line_1: '1 Elm St', city: 'Troy', state: 'ny', zipcode: '121801234' }
    expect(rowOf({ ...ada, ...address })).toMatchObject({ address: { state: 'NY', zipcode: '12180-1234' } })
    expect(rowOf({ ...ada, ...address, zipcode: null })).not.toHaveProperty('address.city')
    expect(rowOf({ ...ada, ...address, state: 'ON' })).not.toHaveProperty('address.city')
  })

  it.each([
    ['email', null, 'is missing'],
    ['first_name', ' ', 'is missing'],
    ['date_of_birth', '5/17/90', 'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199'],
    ['termination_date', '2026-02-30', 'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199'],
    ['employee_class', 'Astronaut', 'is unknown'],
    ['last_name', 'x'.repeat(256), 'must be at most 255 characters'],
    ['first_name', 'A\u0000da', 'must not contain control characters'],
  ])('is unusable when %s is %j, and keeps the fields that identify the person', (field, text, why) => {
    const { [field]: _, ...others } = { ...ada, reference_id: '7' } as Record<string, string>
    const reason = `invalid_request: ${why}`
    expect(rowOf({ ...others, [field]: text })).toEqual({ ...others, unusable: { field, reason } })
  })

  it('becomes a valid census row or an unusable one, for any input', () => {
    const text = fc.option(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...Object.values(ada), '1/1/1980', 'NY', '12180'),
      ),
    )
    const person = fc.record(Object.fromEntries(hris_fields.map((field) => [field, text])), { requiredKeys: [] })
    fc.assert(
      fc.property(person, fc.boolean(), (reported, known) => {
        const row = rowOf(known ? { ...reported, ...ada } : reported)
        if ('unusable' in row) {
          const { unusable, ...rest } = row
          expect(unusable.field).toBeTruthy()
          expect(RosterRow.partial().safeParse(rest).success).toBe(true)
        } else expect(RosterRow.parse(row)).toEqual(row)
      }),
    )
  })
})
