import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeCsv } from '../../server/kernel/formats/csv.ts'
import { csvOf } from '../src/core/format.ts'

// Widgets cannot import server code, so the server and the widgets each have a CSV writer. Both must give the same
// text.
const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text)),
  fc.tuple(fc.constantFrom(...'=+-@\t＝＋－＠\'",;| '), fc.string()).map(([sign, rest]) => sign + rest),
  fc.integer(),
  fc.constant(null),
)

it('writes the same CSV in widgets and in the service, with the same formulas escaped', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ a: cell, b: cell }), { minLength: 1, maxLength: 5 }), async (rows) => {
      const pieces = inOnePiece(rows)
      const written = (await Array.fromAsync(writeCsv(pieces, ['a', 'b']))).join('')
      expect(csvOf([['a', 'b'], ...rows.map(({ a, b }) => [a, b])])).toBe(written)
    }),
  )
})

async function* inOnePiece(rows: object[]) {
  yield rows
}
