import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { described_paths } from '../kernel/field-docs.ts'
import { fieldsOf, isNullable } from '../http/openapi/openapi-descriptions.ts'
import { nameIn } from '../http/openapi/openapi-schemas.ts'
import { resolveReference } from './openapi-document.ts'

type Json = Record<string, unknown>
type Parameter = { name: string; description?: string }
type Operation = { operationId: string; parameters?: Json[] }

it('describes only existing fields by their path', () => {
  const paths = ['openapi.json', 'openapi.operator.json'].flatMap((file) => {
    const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Json
    const { schemas } = document.components as { schemas: Record<string, Json> }
    return Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema).map(({ path }) => `.${name}${path}`))
  })
  const unused = described_paths.filter((end) => !paths.some((path) => path.endsWith(`.${end}`)))
  expect(unused).toEqual([])
})

/** Fields are described by name in `kernel/field-docs.ts`, or by a schema's own `.meta({ description })`. */
describe.each(['openapi.json', 'openapi.operator.json'])('%s', (file) => {
  const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Json
  const { schemas } = document.components as { schemas: Record<string, Json> }
  const fields = Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsOf(schema).map(({ path, field }) => ({ path: name + path, field })),
  )
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  )

  it('describes each field', () => {
    expect(fields.length).toBeGreaterThan(300)
    const isSilent = (field: Json) =>
      !field.description && ![field, field.items as Json].some((one) => schemas[nameIn(one ?? {}) ?? '']?.description)
    expect(fields.filter(({ field }) => isSilent(field)).map(({ path }) => path)).toEqual([])
  })

  it('describes null for each nullable field, always in the same form', () => {
    const silent = fields.filter(({ field }) => isNullable(field) && !/\bnull\b/i.test(String(field.description)))
    expect(silent.map(({ path }) => path)).toEqual([])
    expect(JSON.stringify(schemas)).not.toMatch(/"type":\[|"nullable":/)
  })

  it('describes each value of states and kinds', () => {
    const silent = Object.entries(schemas).filter(
      ([name, schema]) =>
        /(?:Status|State|Stage|Kind|Role|Outcome|Mode)$/.test(name) && schema.enum && !schema.description,
    )
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it('describes each parameter', () => {
    const silent = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((parameter) => resolveReference(document, parameter) as Parameter)
        .flatMap(({ name, description }) => (description ? [] : `${operationId} ${name}`)),
    )
    expect(silent).toEqual([])
  })
})
