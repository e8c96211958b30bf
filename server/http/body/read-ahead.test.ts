import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sent_census } from '../../modules/roster/census/schemas.ts'
import { sent_members } from '../../modules/roster/groups/schemas.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { ReadingAhead, type StagedBody } from './read-ahead.ts'
import { parseBody, type Asked, type Shape } from './validate.ts'

const asked: Asked = { query: 'mode=merge', organization: undefined }
const decoder = new TextDecoder()

/** What was found of a body, so that two findings can be compared; its rows are compared as they are written. */
function told(find: () => Shape | undefined) {
  try {
    const found = find()
    if (!found) return undefined
    const { staged, ...shape } = found
    return { ...shape, count: staged?.count, pieces: staged?.pieces.map((piece) => decoder.decode(piece)) }
  } catch (error) {
    return (error as Refusal).details
  }
}

const raw = (bytes: Uint8Array) => ({ media_type: 'application/json', bytes }) as const

/** What is found of a body that comes in parts, which end at these bytes. */
function readAhead(body: StagedBody, bytes: Uint8Array, ends: number[], known?: Asked) {
  const reading = new ReadingAhead(body, known)
  const places = [...new Set([...ends.map((end) => end % (bytes.length + 1)), bytes.length])].toSorted((a, b) => a - b)
  for (const [at, end] of places.entries()) reading.take(bytes.subarray(at === 0 ? 0 : places[at - 1], end))
  return told(() => reading.finish(raw(bytes)))
}

const row = (number: number, more: object = {}) => ({
  first_name: `Zoë "${number}" \\`,
  last_name: ` Łoś ${number} `,
  email: `zoe${number}@example.com`,
  phone: `2025550${String(number).padStart(3, '0')}`,
  date_of_birth: '1990-02-03',
  address: { address_line_1: '1 {A} St', city: 'Łódź 🎂', state: 'NY', zipcode: '12207' },
  reference_id: `R-${number}`,
  ...more,
})
const rows = (count: number, faults: Record<number, object> = {}) =>
  Array.from({ length: count }, (_, at) => row(at, faults[at]))
const twice = '{"employees":[{"first_name":"A"}],"employees":[{"first_name":"A"},{"first_name":"B"}]}'

const deep = (depth: number) => '['.repeat(depth) + '1' + ']'.repeat(depth)

const bodies: Record<string, string> = {
  'plain rows': JSON.stringify({ employees: rows(230) }),
  'rows with blanks around all': JSON.stringify({ employees: rows(120) }, null, 3).concat('\n '),
  'names in another order': JSON.stringify({ employees: rows(101).map(({ phone, ...one }) => ({ phone, ...one })) }),
  'texts that look like rows': JSON.stringify({
    employees: rows(130).map((one) => ({ ...one, suffix: `"},{"a":1} ,\n{` })),
  }),
  'one row': JSON.stringify({ employees: rows(1) }),
  'no rows': '{"employees":[]}',
  'too many rows': `{"employees":[${'{},'.repeat(10_000)}{}]}`,
  'something beside, before': JSON.stringify({ note: 'x', employees: rows(3) }),
  'something beside, after': JSON.stringify({ employees: rows(130), note: [{ a: 1 }, { b: 2 }] }),
  'a list beside that looks like rows': '{"employees":[{"a":1}],"x":[{"b":2},{"c":3}]}',
  'faults in rows': JSON.stringify({ employees: rows(230, { 7: { email: 'x' }, 203: { phone: '1' } }) }),
  'a fault in the last row': JSON.stringify({ employees: rows(230, { 229: { date_of_birth: '1990-02-30' } }) }),
  'faults in all rows': JSON.stringify({ employees: rows(230).map((one) => ({ ...one, phone: '1' })) }),
  'rows that repeat others': JSON.stringify({ employees: rows(150, { 140: { reference_id: 'R-3' } }) }),
  'a social security number': JSON.stringify({ employees: rows(120, { 110: { ssn: '1' } }) }),
  'a name twice in a row': JSON.stringify({ employees: rows(9) }).replace('"phone"', '"email"'),
  'its rows twice': twice,
  'rows that are none': '{"employees":[{"a":1},2,null,{"b":[{"c":1},{"d":2}]},[]]}',
  'a row too deep': `{"employees":[{"a":1},{"a":${deep(30)}},{"a":${deep(29)}}]}`,
  'a comma too many': '{"employees":[{"a":1},{"a":2},]}',
  'a comma too many between': '{"employees":[{"a":1},,{"a":2}]}',
  'a comma at first': '{"employees":[,{"a":1},{"a":2}]}',
  'a list that closes as an object': '{"employees":[{"a":1},{"a":2}}}',
  'nothing at its end': '{"employees":[{"a":1},{"a":2}]',
  'more than one body': '{"employees":[{"a":1},{"a":2}]}{}',
  'a mark before it': '\uFEFF{"employees":[{"a":1}]}',
  'another blank behind it': '{"employees":[{"a":1}]}\u00a0',
  'its name in other signs': '{"employ\\u0065es":[{"a":1},{"b":2}]}',
  'no object': '[{"a":1},{"a":2}]',
  nothing: '',
}

it.each(Object.entries(bodies))('finds of %s what the whole body says, or leaves it to that', (_, text) => {
  const bytes = Buffer.from(text)
  const whole = told(() => parseBody(sent_census, raw(bytes), asked))
  const ends = fc.array(fc.nat(bytes.length), { maxLength: 6 })
  fc.assert(
    fc.property(ends, (some) => {
      const found = readAhead(sent_census, bytes, some, asked)
      if (found !== undefined) expect(found).toEqual(whole)
    }),
    { numRuns: 25 },
  )
})

it('reads rows, also wrong ones, that come in parts', () => {
  for (const name of ['plain rows', 'rows with blanks around all', 'faults in rows', 'rows that repeat others']) {
    const bytes = Buffer.from(bodies[name]!)
    expect(readAhead(sent_census, bytes, [1000, 9000, 20_001], asked)).toBeDefined()
  }
  const members = Buffer.from(JSON.stringify({ members: rows(120).map((one) => ({ ...one, plan_id: 'gold' })) }))
  const whole = told(() => parseBody(sent_members, raw(members)))
  expect(readAhead(sent_members, members, [1000, 2000, 7777])).toEqual(whole)
})

it('leaves what is no UTF-8 to the whole body', () => {
  const bytes = Buffer.from(bodies['plain rows']!)
  bytes[bytes.indexOf('Zo') + 2] = 0xff
  expect(readAhead(sent_census, bytes, [3000])).toBeUndefined()
})

it('leaves what has very many values to the whole body', () => {
  const many = { a: Array.from({ length: 130_000 }, () => 0) }
  const bytes = Buffer.from(JSON.stringify({ employees: [many, many, many, many] }))
  expect(told(() => parseBody(sent_census, raw(bytes)))).toMatchObject([{ message: expect.stringContaining('500000') }])
  expect(readAhead(sent_census, bytes, [300_000, 600_000, 900_000])).toBeUndefined()
})
