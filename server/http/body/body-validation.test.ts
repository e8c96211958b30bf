import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { parseBody } from './body-validation.ts'
import { text } from '../../kernel/fields.ts'
import { openValidationPool } from './validation-pool.ts'
import { parseQuery } from './query-validation.ts'
import { large_bodies } from '../../large-bodies.ts'
import { endpoints } from '../../modules.ts'

let checked = 0
const Row = z.object({
  name: text(10).refine(() => ++checked > 0),
  age: z.int(),
})
const most = 1000
const endpoint = {
  operation: 'take_rows',
  body: z.object({ rows: z.array(Row).min(1).max(most), note: text(10).optional() }),
  rows: { field: 'rows', most },
  csv: 'utf-8',
} as unknown as Endpoint

/** Parses a body. Returns it or its faults as text, and how many names were validated to the end. */
function take(sent: unknown) {
  checked = 0
  const bytes = Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent))
  const media_type = typeof sent === 'string' ? 'text/csv' : 'application/json'
  try {
    return { ...parseBody(endpoint, { bytes, media_type }), faults: [], checked }
  } catch (error) {
    const faults = (error as Refusal).details.map(({ field, message }) => `${field} ${message}`)
    return { faults, checked }
  }
}

const good = { name: 'Ana', age: 1 }
const rows = (count: number, row: unknown = good) => Array.from({ length: count }, () => row)

it('names an Excel workbook that is sent as CSV, although it is not UTF-8', () => {
  const bytes = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0xff, 0xfe])
  const parse = () => parseBody(endpoint, { bytes, media_type: 'text/csv' })
  expect(parse).toThrow(
    expect.objectContaining({
      details: [{ field: '', message: expect.stringContaining('an Excel workbook or another ZIP file: send CSV') }],
    }),
  )
})

describe('many rows', () => {
  it('are returned in their order, with the other fields of the body', () => {
    const sent = Array.from({ length: most }, (_, age) => ({ name: ` n${age}`, age }))
    const { body, fields } = take({ rows: sent, note: 'x', id: 'y' }) as { body: object; fields: string[] }
    expect(body).toEqual({ rows: sent.map(({ name, age }) => ({ name: name.trim(), age })), note: 'x' })
    expect(fields).toEqual(['rows', 'note'])
  })

  it('are validated until 100 faults are found', () => {
    const { faults, checked } = take({ rows: rows(most, { ...good, age: 'old' }) })
    expect([faults.length, faults[99]]).toEqual([100, 'rows[99].age must be a number'])
    expect(checked).toBeLessThanOrEqual(200)
    expect(take({ rows: rows(most, {}) }).faults).toHaveLength(100)
  })

  it('are named in faults by their index in the whole list', () => {
    const sent = rows(most).toSpliced(777, 1, { name: '', age: 1 })
    expect(take({ rows: sent }).faults).toEqual(['rows[777].name must not be empty'])
  })

  it('are counted before any is validated', () => {
    expect(take({ rows: rows(most + 1) })).toEqual({ faults: ['rows must contain at most 1000'], checked: 0 })
    expect(take(`name,age\n${'Ana,1\n'.repeat(5 * most)}`)).toEqual({
      faults: ['rows must contain at most 1000'],
      checked: 0,
    })
    expect(take({ rows: [] }).faults).toEqual(['rows must contain at least 1'])
  })

  it('do not hide the faults of other fields, each of which is reported once', () => {
    expect(take({ rows: rows(most), note: '' }).faults).toEqual(['note must not be empty'])
    expect(take({ rows: 'x' }).faults).toEqual(['rows must be an array'])
  })
})

describe('a field', () => {
  it('is checked for its length first', () => {
    const { faults, checked } = take({ rows: [{ name: 'x'.repeat(6_000_000), age: 1 }] })
    expect([faults, checked]).toEqual([['rows[0].name must be at most 10 characters'], 0])
    expect(take({ rows: [{ name: `${' '.repeat(100)}Ana`, age: 1 }] }).faults).toEqual([])
  })

  it('is reported as required if it is an enum, too', () => {
    const one_of = { ...endpoint, body: z.object({ kind: z.enum(['a', 'b']) }) }
    const whyNot = (sent: object) => () =>
      parseBody(one_of, { bytes: Buffer.from(JSON.stringify(sent)), media_type: 'application/json' })
    const reply = (message: string) => expect.objectContaining({ details: [{ field: 'kind', message }] })
    for (const sent of [{}, { kind: null }]) expect(whyNot(sent)).toThrow(reply('is required'))
    expect(whyNot({ kind: 5 })).toThrow(reply('must be one of a, b'))
  })

  it.for([
    ['ABC', 'is not a known value. Did you mean abc?'],
    ['employe', 'is not a known value. Did you mean employee?'],
    ['other', `must be one of abc, employee, ${'abcdefghijk'.split('').join(', ')}`],
    [5, `must be one of abc, employee, ${'abcdefghijk'.split('').join(', ')}`],
  ] as const)('with many values names the one that was probably meant by %s, or all', ([kind, message]) => {
    const many = { ...endpoint, body: z.object({ kind: z.enum(['abc', 'employee', ...'abcdefghijk']) }) }
    const bytes = Buffer.from(JSON.stringify({ kind }))
    const parse = () => parseBody(many, { bytes, media_type: 'application/json' })
    expect(parse).toThrow(expect.objectContaining({ details: [{ field: 'kind', message }] }))
  })

  it('is named by at most 200 characters', () => {
    expect(take({ [`${'x'.repeat(5000)}`]: { ssn: 1 } }).faults[0]!.length).toBeLessThan(300)
  })
})

it('treats a missing body as an empty one, and refuses null', () => {
  expect(parseBody({ ...endpoint, body: z.object({}) }, undefined)).toEqual({ body: {}, fields: [] })
  expect(take(null).faults).toEqual([' the body must be an object'])
})

it('refuses social security numbers in CSV too', () => {
  expect(take('name,SSN\nAna,1').faults[0]).toMatch(/^rows\[0\]\.ssn must not be sent/)
  // Before the rest is parsed: the quote in the last row is not closed.
  expect(take('name,SSN\nAna,1\n"Bo,2').faults[0]).toMatch(/^rows\[0\]\.ssn must not be sent/)
})

describe('the validation thread', () => {
  it('refuses a body with 503 after a minute, and validates the next one', async () => {
    const script = `export default ({ operation }) => {
    if (operation === 'endless') for (;;);
    return { parsed: { body: operation, fields: [] } }
  }`
    const pool = openValidationPool(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
    const parse = (operation: string) => {
      const raw = { media_type: 'application/json', bytes: new Uint8Array(new ArrayBuffer(1)) } as const
      return pool.parse('org_x', { operation } as Endpoint, raw, undefined)
    }
    expect(await parse('first')).toMatchObject({ body: 'first' })
    const over = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(over.signal)
    const refused = parse('endless')
    setTimeout(() => over.abort(), 50)
    await expect(refused).rejects.toMatchObject({ kind: { code: 'unavailable' }, headers: { 'retry-after': '2' } })
    expect(await parse('next')).toMatchObject({ body: 'next' })
  })
})

describe('query validation', () => {
  describe('a parameter', () => {
    const query = {
      query: z.object({ limit: z.string().optional(), kinds: z.array(z.string()) }),
    } as unknown as Endpoint
    const whyNot = (sent: Record<string, unknown>) => {
      try {
        return parseQuery(query, sent)
      } catch (error) {
        return (error as Refusal).details[0]!.field
      }
    }

    it.each([
      ['once', { limit: '1' }, { limit: '1', kinds: [] }],
      ['as a list', { 'kinds[]': ['a', 'b'], 'kinds[1]': 'c', kinds: 'd,e' }, { kinds: ['a', 'b', 'c', 'd', 'e'] }],
      ['under an unknown name', { 'sort[by]': 'x', constructor: 'y' }, { kinds: [] }],
    ])('may be sent %s', (_, sent, taken) => expect(whyNot(sent)).toEqual(taken))

    it.each([
      [{ 'limit[a]': '1' }],
      [{ 'limit[': '1' }],
      [{ limit: '1', 'limit[0][1]': '2' }],
      [{ limit: ['1', '2'] }],
    ])('may not be sent as %j', (sent) => expect(whyNot(sent)).toBe('limit'))
  })
})

describe('the large bodies', () => {
  it('the validation thread has the schemas of all large bodies', () => {
    const validated_in_thread = endpoints.filter(({ rows, large }) => rows !== undefined || large === true)
    expect(Object.keys(large_bodies)).toEqual(validated_in_thread.map(({ operation }) => operation).toSorted())
    for (const endpoint of validated_in_thread) {
      const { body, ...sent } = large_bodies[endpoint.operation]!
      expect(endpoint.body).toBe(body)
      expect(endpoint).toMatchObject(sent)
    }
  })
})
