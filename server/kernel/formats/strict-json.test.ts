import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultIn, readJson } from './strict-json.ts'
import { Refusal } from '../refusal.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"f${at}":0`).join()}}`

describe('JSON has a fault if', () => {
  it.each([
    ['a name is repeated', '{"a":1,"b":2,"a":3}', 'a'],
    ['a name is repeated with an escape', String.raw`{"a":1,"\u0061":2}`, 'a'],
    ['a nested name is repeated', '{"rows":[{"a":1},{"b":{"c":1,"c":2}}]}', 'rows[1].b.c'],
    ['a name with a quote is repeated', String.raw`{"a\"":1 , "a\"" : 2}`, 'a"'],
    ['a social security number is sent', '{"rows":[{},{"address":{"SSN":"1"}}]}', 'rows[1].address.SSN'],
    ['the name of a social security number contains an escape', String.raw`{"s\u0073n":"1"}`, 'ssn'],
    ['it is 33 levels deep', deep(33), ''],
    ['an object has more than 1000 fields', fields(1001), ''],
    ['it contains more than 1,000,000 values', `[${'0,'.repeat(1_000_000)}0]`, ''],
  ])('%s', (_, json, field) => {
    expect(JSON.parse(json)).toBeDefined()
    expect(faultIn(json)?.field).toBe(field)
    expect(() => readJson(json)).toThrow(Refusal)
  })
})

describe('JSON has no fault if', () => {
  it.each([
    ['sibling objects have the same names', '[{"a":1},{"a":1},{"a":{"a":1}}]'],
    ['a string contains JSON syntax', String.raw`{"a":"{\"b\":1,\"b\":2,[[[","b":"\\"}`],
    ['a value equals a forbidden name', '{"a":"ssn","b":["ssn"]}'],
    ['it is 32 levels deep', deep(32)],
    ['an object has 1000 fields', fields(1000)],
  ])('%s', (_, json) => {
    expect(faultIn(json)).toBeUndefined()
    expect(readJson(json)).toEqual(JSON.parse(json))
  })
})

it('accepts everything that JSON.parse accepts if no name is repeated', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (json) => {
      expect(readJson(json)).toEqual(JSON.parse(json))
    }),
  )
})

it('finds every repeated name, and no others', () => {
  const names = fc.array(fc.string(), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(names, (sent) => {
      const json = `{${sent.map((name) => `${JSON.stringify(name)}: [{"x":1}]`).join(',')}}`
      const once = new Set(sent).size === sent.length && !sent.some((name) => name.toLowerCase() === 'ssn')
      expect(faultIn(json) === undefined).toBe(once)
    }),
  )
})

it('finds repeated names in similar sibling objects', () => {
  const name = fc.constantFrom('a', 'b', 'ab', String.raw`c\\d`, 'ssn', String.raw`\u0061`)
  const rows = fc.array(fc.array(name, { maxLength: 4 }), { maxLength: 6 })
  fc.assert(
    fc.property(rows, fc.constantFrom('', ' '), (sent, blank) => {
      const objects = sent.map((names) => `{${names.map((each) => `"${each}"${blank}:"a"`).join(',')}}`)
      const read = sent.map((names) => names.map((each) => JSON.parse(`"${each}"`) as string))
      const wrong = read.some((names) => new Set(names).size < names.length || names.includes('ssn'))
      expect(faultIn(`[${objects.join(',')}]`) === undefined).toBe(!wrong)
    }),
    { numRuns: 1000 },
  )
})

it('terminates on any text, and refuses invalid JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', ' ') }), (text) => {
      let known = true
      try {
        JSON.parse(text)
      } catch {
        known = false
      }
      if (!known) expect(() => readJson(text)).toThrow(Refusal)
    }),
  )
})
