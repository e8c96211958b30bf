import { describe, expect, it } from 'vitest'
import { decodeText, parseCsv, writeCsv } from './csv.ts'
import { Refusal } from '../refusal.ts'

const whyNot = (text: string) => {
  try {
    return parseCsv(text)
  } catch (error) {
    return (error as Refusal).details[0]!.message
  }
}

describe('CSV is parsed', () => {
  it.each([
    [
      'a line per row',
      'a,b\n1,2\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['with the line ends of Windows and a byte order mark', '\uFEFFa,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['with the line ends of old Macs', 'a,b\r1,2', [{ a: '1', b: '2' }]],
    [
      'with both line ends in one text',
      'a,b\n1,2\r\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['with names of columns in any case', ' A ,B b\n1,2', [{ a: '1', 'b b': '2' }]],
    ['with spaces around cells', 'a , b\n 1 x ,\t2', [{ a: '1 x', b: '2' }]],
    ['with quoted cells', 'a,b\n"1, ""one""\nand more", "2"', [{ a: '1, "one"\nand more', b: '2' }]],
    ['with null for an empty cell', 'a,b,c\n1,,"  "', [{ a: '1', b: null, c: null }]],
    ['without empty lines', '\na,b\n\n1,2\n,\n  \n', [{ a: '1', b: '2' }]],
    ['without columns that have no name', 'a,,\n1,2,', [{ a: '1' }]],
    ['with up to 200 columns', `a${','.repeat(199)}\n1${','.repeat(199)}`, [{ a: '1' }]],
    ['without rows if there is only a header line', 'a,b\n', []],
    ['without rows if it is empty', '', []],
  ])('%s', (_, text, rows) => expect(parseCsv(text)).toEqual(rows))

  it('without changing the prototype of objects', () => {
    expect(Object.entries(parseCsv('__proto__,constructor\n1,2')[0]!)).toContainEqual(['constructor', '2'])
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })
})

describe('CSV is refused with its line', () => {
  it.each([
    ['a missing cell', 'a,b\n1,2\n3\n', 'line 3 of the CSV has fewer or more cells than the first line'],
    ['an extra cell', 'a,b\r\n1,2,3\r\n', 'line 2 of the CSV has fewer or more cells than the first line'],
    [
      'an extra cell after a cell of two lines',
      'a,b\n"1\n1",2\n1,2,3',
      'line 4 of the CSV has fewer or more cells than the first line',
    ],
    [
      'a quote that never ends',
      `a,b\n1,2\n3,"4\n${'5,6\n'.repeat(1000)}`,
      'line 3 of the CSV opens a quote that is never closed',
    ],
    [
      'text after a quoted cell',
      'a,b\n1,"2"x',
      'line 2 of the CSV has a misplaced quote: quote the whole cell, and double the quotes within it',
    ],
    [
      'a quote within a cell',
      'a,b\n1,x"2"',
      'line 2 of the CSV has a misplaced quote: quote the whole cell, and double the quotes within it',
    ],
    ['a repeated column', 'a,b,A\n1,2,3', 'line 1 of the CSV gives column 3 the name of an earlier column'],
    ['more than 200 columns', `a${','.repeat(200)}`, 'line 1 of the CSV has more than 200 columns'],
  ])('%s', (_, text, why) => expect(whyNot(text)).toBe(why))
})

it.each([
  ['an HTML page', '<!DOCTYPE html>\n<html><body>Sign in</body></html>'],
  ['an HTML page', ' \n<table><tr><td>first_name</td></tr></table>'],
  ['XML', '\uFEFF<?xml version="1.0"?>'],
  ['an Excel workbook or another ZIP file', 'PK\x03\x04\x14\0\x06'],
  ['an old Excel workbook', decodeText(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]))],
  ['a PDF', '%PDF-1.7\n'],
  ['JSON', '[ { "first_name": "Ana" } ]'],
  ['JSON', '{"rows": []}'],
  ['a binary file', 'RIFF\0\0'],
])('names %s that is sent instead of CSV', (format, text) =>
  expect(whyNot(text)).toBe(`the content is ${format}: send CSV, with column names in the first line`),
)

describe('written CSV', () => {
  /** Each row as a separate chunk. */
  async function* inPieces(rows: object[]) {
    for (const row of rows) yield [row]
  }

  const written = async (rows: object[], columns: string[], dollars?: string[]) =>
    (await Array.fromAsync(writeCsv(inPieces(rows), columns, dollars))).join('')

  it('writes a header line and a line per row, with quotes where needed', async () => {
    const csv = await written([{ name: 'Núñez, "Pepe"', note: null, left_out: 1 }], ['name', 'note'])
    expect(csv).toBe('\ufeffname,note\r\n"Núñez, ""Pepe""",\r\n')
    expect(await written([], ['name'])).toBe('\ufeffname\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
    'prevents spreadsheets from running %j as a formula',
    async (name) => {
      const [row] = parseCsv(await written([{ name }], ['name']))
      expect(row!.name!.startsWith("'")).toBe(true)
    },
  )

  it('writes cents as dollars, including negative amounts', async () => {
    const rows = [5, -5, 123_456, -100].map((cents) => ({ amount: cents, cents }))
    const csv = await written(rows, ['amount', 'cents'], ['amount'])
    expect(csv.split('\r\n').slice(1, -1)).toEqual(['0.05,5', '-0.05,-5', '1234.56,123456', '-1.00,-100'])
  })
})
