import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { enum_words } from '../kernel/words.ts'
import { fieldsOf, isNullable } from '../http/openapi/openapi-descriptions.ts'
import { nameIn } from '../http/openapi/openapi-schemas.ts'
import { referredBy } from './document.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; description?: string }
type Operation = { operationId: string; parameters?: Json[] }

it('has no words for enumerations that there are not', () => {
  const documents = ['openapi.json', 'openapi.operator.json'].map((file) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
  )
  for (const name of Object.keys(enum_words))
    expect(
      documents.some((text) => text.includes(`#/components/schemas/${name}"`)),
      name,
    ).toBe(true)
})

/** Fields are described by `kernel/words.ts`, all of a name, or by a schema's `.meta({ description })`, its own. */
describe.each(['openapi.json', 'openapi.operator.json'])('%s', (file) => {
  const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Json
  const { schemas } = document.components as { schemas: Record<string, Json> }
  const fields = Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsOf(schema).map(({ path, field }) => ({ path: name + path, field })),
  )
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  )

  it('says of each field what it is', () => {
    expect(fields.length).toBeGreaterThan(300)
    const isSilent = (field: Json) =>
      !field.description && ![field, field.items as Json].some((one) => schemas[nameIn(one ?? {}) ?? '']?.description)
    expect(fields.filter(({ field }) => isSilent(field)).map(({ path }) => path)).toEqual([])
  })

  it('says of each field that may be null what that means, and spells it in one way', () => {
    const silent = fields.filter(({ field }) => isNullable(field) && !/\bnull\b/i.test(String(field.description)))
    expect(silent.map(({ path }) => path)).toEqual([])
    expect(JSON.stringify(schemas)).not.toMatch(/"type":\[|"nullable":/)
  })

  it('says of states and kinds what each means', () => {
    const silent = Object.entries(schemas).filter(
      ([name, schema]) =>
        /(?:Status|State|Stage|Kind|Role|Outcome|Mode)$/.test(name) && schema.enum && !schema.description,
    )
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it('says of each parameter what it is', () => {
    const silent = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((parameter) => referredBy(document, parameter) as Parameter)
        .flatMap(({ name, description }) => (description ? [] : `${operationId} ${name}`)),
    )
    expect(silent).toEqual([])
  })
})
