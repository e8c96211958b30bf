import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationsOf, queryNameOf, queryOf, type OpenDocument, type Schema } from './document.ts'

/**
 * The generator needs TypeScript 6, which is a package of this workspace. npm installs it where it would find the
 * repository's TypeScript 7, which lacks the API it needs.
 */
registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.parentURL?.includes('/@hey-api/')
      ? next(name, { ...context, parentURL: import.meta.url })
      : next(name, context),
})
const { createClient } = await import('@hey-api/openapi-ts')

/**
 * Generates the types of an API with @hey-api/openapi-ts: a type per schema of its document and per query.
 */
export async function typesSource(document: OpenDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openbenefits-sdk-'))
  try {
    await createClient({
      input: schemasOf(document) as never,
      output: {
        path: folder,
        header: [],
        indexFile: false,
        tsConfigPath: null,
      },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
      interactive: false,
    } as never)
    return adjusted(await readFile(join(folder, 'types.gen.ts'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * The document with only its schemas, because methods.ts generates the operations. The error body is renamed, because
 * the error class is called ApiError.
 */
function schemasOf(document: OpenDocument): object {
  const { openapi, info, components } = document
  const queries = operationsOf(document).flatMap((operation): [string, Schema][] => {
    const parameters = queryOf(operation, document)
    if (parameters.length === 0) return []
    const properties = parameters.map(({ name, description, schema }) => [name, described(schema, description)])
    return [[queryNameOf(operation), { type: 'object', properties: Object.fromEntries(properties) as never }]]
  })
  const { ApiError: ErrorBody, ...schemas } = components.schemas
  const all = { ...schemas, ErrorBody, ...Object.fromEntries(queries) }
  return JSON.parse(
    JSON.stringify({ openapi, info, paths: {}, components: { schemas: all } }).replaceAll(
      '"#/components/schemas/ApiError"',
      '"#/components/schemas/ErrorBody"',
    ),
  ) as object
}

const described = (schema: Schema, description?: string): Schema => ({ ...schema, ...(description && { description }) })

const plain_day = 'export type Day = string;'
const its_client = /export type ClientOptions = \{.*?\};\n\n/s

/**
 * A day is a template literal type, so other strings must go through `day()`. Removes the options of the generator's
 * own client.
 */
function adjusted(source: string): string {
  if (!source.includes(plain_day)) throw new Error('The generated types contain no Day.')
  return source.replace(its_client, '').replace(plain_day, 'export type Day = `${number}-${number}-${number}`;')
}
