import { expect, it } from 'vitest'
import { parseCsv, writeCsv } from './csv.ts'

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
