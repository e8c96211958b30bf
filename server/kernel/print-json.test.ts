import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printJson } from './print-json.ts'

it('prints what JSON.stringify means, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(printJson(value)))).toBe(JSON.stringify(value))
    }),
  )
})

it('gives what fits one line, and all else lines of its own', () => {
  const long = 'x'.repeat(200)
  expect(printJson({ a: { b: [1, 2], c: undefined }, d: [long, long], e: {}, f: [] })).toBe(
    [
      '{',
      ' "a": {"b": [1, 2]},',
      ' "d": [',
      `  "${long}",`,
      `  "${long}"`,
      ' ],',
      ' "e": {},',
      ' "f": []',
      '}',
      '',
    ].join('\n'),
  )
})
