import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBody } from '../../../http/body/body-validation.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { caseCount } from '../../../test/case-count.ts'
import { readUsualHours } from './rules.ts'
import { NewHours, sent_hours } from './schemas.ts'

const usual = {
  reference_id: 'E-1',
  period_starts_on: '2026-02-01',
  period_ends_on: '2026-02-14',
  kind: 'worked',
  hours: 76.5,
}

/** Values of which some are valid in a field, some only after the schema changed them, and some in none. */
const aValue = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  ' E-1',
  'E 1',
  'x'.repeat(256),
  'Núñez',
  'empl_01kdq7b4w8e9rs2mh3n5t6v7xz',
  '2026-02-01',
  ' 2026-02-28 ',
  '2026-02-30',
  '2026-03-31',
  '1899-12-31',
  'paid_leave',
  'special_unpaid_leave',
  'remove',
  0,
  -0,
  -1,
  1.005,
  24.25,
  336.01,
  745,
  Number.NaN,
  true,
  [],
  {},
)
const fields = [...Object.keys(usual), 'employee_id', 'days', 'weeks', 'action', 'unknown']
const aRow = fc
  .array(fc.tuple(fc.constantFrom(...fields), aValue), { maxLength: 3 })
  .map((changes): unknown => ({ ...usual, ...Object.fromEntries(changes) }))

it('reads a usual row as its schema does, and leaves all others to the schema', () => {
  let read = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: aRow }, aValue), (row) => {
      const found = readUsualHours(row)
      if (found === undefined) return
      read++
      expect(found).toEqual(NewHours.parse(row))
    }),
    { numRuns: caseCount(4000, 1000) },
  )
  expect(read).toBeGreaterThan(50)
  expect(
    readUsualHours({ ...usual, reference_id: undefined, employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz' }),
  ).toBeTruthy()
})

it('names the fault of a row among many usual ones', () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ ...usual, reference_id: `E-${at}` }))
  const parse = (list: object[]) =>
    parseBody(sent_hours, {
      bytes: new TextEncoder().encode(JSON.stringify({ rows: list })),
      media_type: 'application/json',
    })
  expect(parse(rows).staged!.count).toBe(300)
  const wrong = rows.with(250, { ...usual, reference_id: 'E-250', hours: 745 })
  try {
    parse(wrong)
    expect.unreachable()
  } catch (error) {
    expect((error as Refusal).details).toEqual([{ field: 'rows[250].hours', message: 'must be at most 744' }])
  }
})
