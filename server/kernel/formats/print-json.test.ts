import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printJson } from './print-json.ts'

it('prints the same values as JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(printJson(value)))).toBe(JSON.stringify(value))
    }),
  )
})

it('prints values that fit on one line, and breaks up all others', () => {
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
