import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  failedRows,
  linesOf,
  matchColumns,
  meaningsOf,
  reasonInFile,
  rowOf,
  valuesOf,
  type Meanings,
} from 'openbenefits/census-columns'

const today = '2026-11-29'

/** The parsed value of a cell in the column of a field. */
const read = (field: string, text: string, meanings: Meanings = {}, on = today) =>
  linesOf({ name: 'roster.csv', columns: ['A'], lines: [{ A: text }] }, { [field]: 'A' }, { today: on, meanings })[0]![
    field
  ]

describe('a cell of a roster', () => {
  it.each([
    ['07/04/1985', '1985-07-04'],
    ['7/4/1985', '1985-07-04'],
    ['7-4-1985', '1985-07-04'],
    ['07/04/85', '1985-07-04'],
    ['1985-7-4', '1985-07-04'],
    ['1985/07/04', '1985-07-04'],
    ['19850704', '1985-07-04'],
    ['1985-07-04T00:00:00.000Z', '1985-07-04'],
    ['7/4/1985 12:00:00 AM', '1985-07-04'],
    ['Jul 4, 1985', '1985-07-04'],
    ['July 4 1985', '1985-07-04'],
    ['4-Jul-85', '1985-07-04'],
    ['4 Sept 1985', '1985-09-04'],
    ['31232', '1985-07-04'],
    ['31232.0', '1985-07-04'],
    ['46023', '2026-01-01'],
    // Not parsed, so the service refuses them.
    ['25/12/1985', '25/12/1985'],
    ['02/30/1985', '02/30/1985'],
    ['7/4-85', '7/4-85'],
    ['1985', '1985'],
    ['85', '85'],
    ['soon', 'soon'],
    ['4 Foo 1985', '4 Foo 1985'],
  ])('reads the birthday %s as %s', (text, day) => expect(read('date_of_birth', text)).toBe(day))

  it.each([
    ['date_of_birth', '11/29/26', '2026-11-29'],
    ['date_of_birth', '11/30/26', '1926-11-30'],
    ['date_of_birth', '01/01/27', '1927-01-01'],
    ['start_date', '01/01/27', '2027-01-01'],
    ['start_date', '11/29/46', '2046-11-29'],
    ['start_date', '11/30/46', '1946-11-30'],
    ['termination_date', '12/31/99', '1999-12-31'],
  ])('reads the two-digit year in %s %s as %s', (field, text, day) => expect(read(field, text)).toBe(day))

  it.each([
    ['02139', '02139'],
    ['2139', '02139'],
    ['601', '00601'],
    ['2139-1234', '02139-1234'],
    ['21391234', '021391234'],
    ['95694', '95694'],
    ['94', '94'],
  ])('reads the ZIP code %s as %s', (text, zip) => expect(read('address.zipcode', text)).toBe(zip))

  it.each([
    ['employee_class', 'Full-time', 'Full Time'],
    ['employee_class', 'full time', 'Full Time'],
    ['employee_class', 'FULLTIME', 'Full Time'],
    ['employee_class', 'FT', 'Full Time'],
    ['employee_class', ' p/t ', 'p/t'],
    ['employee_class', 'PT', 'Part Time'],
    ['employee_class', '1099', 'Individual Contractor'],
    ['employee_class', 'Active', 'Active'],
    ['employee_class', 'constructor', 'constructor'],
    ['compensation_type', 'SALARIED', 'Salary'],
    ['compensation_type', 'Exempt', 'Exempt'],
    ['gender', 'f', 'Female'],
    ['gender', 'non binary', 'Non-binary'],
    ['first_name', 'FT', 'FT'],
  ])('reads the %s %s as %s', (field, text, value) => expect(read(field, text)).toBe(value))

  it('has the specified meaning in every row, regardless of case and punctuation', () => {
    const meanings = { employee_class: { active: 'Full Time', 'on leave': 'Part Time', ft: '' } }
    expect(read('employee_class', 'ACTIVE', meanings)).toBe('Full Time')
    expect(read('employee_class', 'On-leave', meanings)).toBe('Part Time')
    // An empty meaning omits the field, even if the text has a built-in meaning.
    expect(read('employee_class', 'FT', meanings)).toBe(undefined)
  })

  const days = fc.date({ min: new Date('1930-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })

  it('is the same day in every US format and in Excel’s format', () => {
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10)
        const [year, month, number] = day.split('-')
        const serial = (Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000
        for (const text of [
          day,
          `${month}/${number}/${year}`,
          `${Number(month)}-${Number(number)}-${year}`,
          String(serial),
        ])
          expect(read('start_date', text)).toBe(day)
      }),
    )
  })

  it('never reads a two-digit year as a future birthday or one more than a hundred years ago', () => {
    fc.assert(
      fc.property(days, days, (born, present) => {
        const [year, month, number] = born.toISOString().slice(0, 10).split('-')
        const on = present.toISOString().slice(0, 10)
        const day = read('date_of_birth', `${month}/${number}/${year!.slice(2)}`, {}, on)!
        // February 29 may not exist in the chosen century.
        if (day.includes('/')) return expect(`${month}-${number}`).toBe('02-29')
        expect(day <= on).toBe(true)
        expect(Number(on.slice(0, 4)) - Number(day.slice(0, 4))).toBeLessThanOrEqual(100)
      }),
    )
  })
})

const spreadsheet = {
  name: 'roster.csv',
  columns: ['Name', 'Type', 'Phone'],
  lines: [
    { Name: 'Ann', Type: 'Full-time', Phone: '+1 212' },
    { Name: 'Bo', Type: 'Active', Phone: '=1+1' },
    { Name: 'Cy', Type: 'ACTIVE', Phone: '' },
    { Name: 'Di', Type: '', Phone: '' },
  ],
}

it('ends the bargaining unit of a person with an empty cell, if the file has the column', () => {
  const rows = (matched: Record<string, string>) =>
    linesOf({ ...spreadsheet, lines: [{ Name: 'Ann', Type: ' ' }] }, matched, { today }).map((line) => rowOf(line))
  expect(rows({ first_name: 'Name', bargaining_unit: 'Type', employee_class: 'Phone' })).toEqual([
    { first_name: 'Ann', bargaining_unit: null },
  ])
  expect(rows({ first_name: 'Name' })).toEqual([{ first_name: 'Ann' }])
})

it('lists each text of a column once, with its meaning', () => {
  expect(valuesOf(spreadsheet, { first_name: 'Name', employee_class: 'Type' })).toEqual([
    { field: 'employee_class', text: 'Full-time', row_count: 1, meaning: 'Full Time' },
    { field: 'employee_class', text: 'Active', row_count: 2, meaning: undefined },
  ])
  const meanings = { employee_class: { active: 'Intern', 'full time': '' } }
  expect(valuesOf(spreadsheet, { employee_class: 'Type' }, meanings).map(({ meaning }) => meaning)).toEqual([
    '',
    'Intern',
  ])
})

it('writes failed rows with their numbers from 1, without formulas, and reads them back', () => {
  const failures = [
    { index: 1, field: 'phone', reason: 'must be a phone number' },
    { index: 0, field: 'email', reason: 'is required' },
    { index: 1, field: null, reason: 'ambiguous_person' },
  ]
  const { fields, data } = failedRows(spreadsheet, failures)
  expect([fields, ...data]).toEqual([
    ['failed_row', 'failed_field', 'failed_reason', 'Name', 'Type', 'Phone'],
    ['1', 'email', 'is required', 'Ann', 'Full-time', `'+1 212`],
    ['2', 'phone; ', 'must be a phone number; ambiguous_person', 'Bo', 'Active', `'=1+1`],
  ])
  const lines = data.map((row) => Object.fromEntries(fields.map((name, at) => [name, row[at]!])))
  const matched = matchColumns(fields)
  expect(linesOf({ name: '', columns: fields, lines }, matched, { today }).map(({ phone }) => phone)).toEqual([
    '+1 212',
    '=1+1',
  ])
})

it('converts row numbers in a failure reason to those of the file if only some rows were submitted', () => {
  expect(reasonInFile('is the same as in row 2 (reference row 1)', [0, 4])).toBe(
    'is the same as in row 5 (reference row 1)',
  )
})

describe('the value mappings in the settings of an employer', () => {
  it('replace the texts of a file, and omit texts that map to null', () => {
    const meanings = meaningsOf([
      { field: 'employee_class', text: 'Barista', value: 'Part Time' },
      { field: 'employee_class', text: 'n/a', value: null },
    ])
    expect([read('employee_class', 'barista', meanings), read('employee_class', 'N/A', meanings)]).toEqual([
      'Part Time',
      undefined,
    ])
  })

  it('never pollute prototypes, whatever the fields are named', () => {
    const before = Object.keys
    meaningsOf([
      { field: '__proto__', text: 'polluted', value: 'yes' },
      { field: 'constructor', text: 'keys', value: 'yes' },
    ])
    expect(['polluted' in {}, Object.keys]).toEqual([false, before])
  })
})

it('finds the class of employees in a column named Employee Type', () => {
  expect(matchColumns(['Email', 'Employee Type'])).toEqual({ email: 'Email', employee_class: 'Employee Type' })
  for (const column of ['Emp ID', 'Emp. No.', 'Associate ID', 'File Number', 'Worker_ID'])
    expect(matchColumns([column]), column).toEqual({ reference_id: column })
})
