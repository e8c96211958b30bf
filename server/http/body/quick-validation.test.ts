import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { large_bodies } from '../../large-bodies.ts'
import { quickCheckOf, unsure } from './quick-validation.ts'

/** The rows of the large bodies, by their operations. */
const rows = Object.entries(large_bodies).flatMap(([operation, { body, rows: many }]): [string, z.ZodType][] => {
  const list = many && body instanceof z.ZodObject ? body.shape[many.field] : undefined
  return list instanceof z.ZodArray ? [[operation, list.element as z.ZodType]] : []
})

const texts = fc.constantFrom(
  'Ana',
  ' Zoë ',
  'Zoe\u0308',
  '',
  'a\nb',
  '\ud800',
  'x'.repeat(256),
  'x'.repeat(5000),
  'ana@example.com',
  '+1 (415) 555-0123',
  '2026-02-29',
  ' 2026-02-28',
  'ca',
  'ZZ',
  '941051234',
  'Hourly',
  'Full Time',
  'Female',
  'EE',
  'empl_01kdq7b4w8e9rs2mh3n5t6v7xz',
  '2026',
)
const values = fc.oneof(
  { weight: 6, arbitrary: texts },
  fc.constantFrom(null, undefined, true, false, 0, 1, -1, 1.5, 2026, 1e21, [], {}),
  fc.array(texts, { maxLength: 2 }),
)

/** What is sent for a schema: mostly of its kind, and its fields mostly there. */
function sentFor(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject) {
    const fields = Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, sentFor(field)]))
    const object = fc.record(fields, { requiredKeys: [] })
    return fc.oneof({ weight: 20, arbitrary: object }, values)
  }
  if (schema instanceof z.ZodPipe) return sentFor(schema.def.in)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fc.oneof({ weight: 3, arbitrary: sentFor(schema.def.innerType) }, fc.constantFrom(null, undefined))
  if (schema instanceof z.ZodEnum) return fc.oneof(fc.constantFrom(...schema.options), values)
  const example = z.globalRegistry.get(schema as z.ZodType)?.['example']
  return example === undefined ? values : fc.oneof({ weight: 4, arbitrary: fc.constant(example) }, values)
}

it.each(rows)('the rows of %s are taken quickly as Zod takes them, or Zod is asked', (_, row) => {
  const check = quickCheckOf(row)
  fc.assert(
    fc.property(sentFor(row), (sent) => {
      const found = check(sent)
      const parsed = row.safeParse(sent)
      expect(found === unsure, 'sure of what Zod takes').toBe(!parsed.success)
      if (parsed.success) {
        expect(found).toStrictEqual(parsed.data)
        expect(Object.keys(found as object)).toEqual(Object.keys(parsed.data as object))
      }
    }),
    { numRuns: 500 },
  )
})

it('asks Zod about what it does not know', () => {
  const odd = z.object({
    known: z.string().min(2),
    transformed: z.string().transform((text, ctx) => (text === 'no' ? (ctx.addIssue('no'), z.NEVER) : text.length)),
    refined: z.object({ a: z.number() }).refine(({ a }) => a > 0),
    usual: z.string().default('usual'),
    absent: z.string().default('made of nothing').optional(),
    exact: z.string().exactOptional(),
    coerced: z.coerce.number(),
    one_of: z.union([z.literal('a'), z.int()]),
    listed: z.array(z.string().toUpperCase()),
    format: z.iso.date().nullish(),
  })
  const right = { known: 'ab', transformed: 'four', refined: { a: 1 }, coerced: '7', one_of: 3, listed: ['x'] }
  const check = quickCheckOf(odd)
  for (const sent of [
    right,
    { ...right, transformed: 'no' },
    { ...right, refined: { a: 0 } },
    { ...right, usual: undefined, format: null },
    { ...right, absent: 'there', exact: 'there', format: '2026-01-01' },
    { ...right, exact: undefined },
    { ...right, one_of: 'b' },
    { ...right, known: 'a' },
    [],
    null,
  ]) {
    const parsed = odd.safeParse(sent)
    const found = check(sent)
    if (!parsed.success) expect(found).toBe(unsure)
    else if (found !== unsure) expect(found).toStrictEqual(parsed.data)
  }
})
