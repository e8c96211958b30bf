import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationsOf, queryNameOf, queryOf, type OpenDocument, type Schema } from './document.ts'

/**
 * The generator writes with TypeScript 6, which is a package of this workspace; npm puts the generator where it finds
 * the 7 of the repository, which has no interface for programs that it knows.
 */
registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.parentURL?.includes('/@hey-api/')
      ? next(name, { ...context, parentURL: import.meta.url })
      : next(name, context),
})
const { createClient } = await import('@hey-api/openapi-ts')

/**
 * The types of everything that an interface takes and answers, by @hey-api/openapi-ts: a type for each schema of its
 * document, and for each query.
 */
export async function typesSource(document: OpenDocument, file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openbenefits-sdk-'))
  try {
    await createClient({
      input: schemasOf(document) as never,
      output: {
        path: folder,
        header: [`// Generated from ${file} by npm run gen.`],
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

/** The schemas alone: operations are written by methods.ts. The body of an error gives its name to the class. */
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
 * A day is a text of its own shape, which other texts are not: one from elsewhere goes through `day()`. The options of
 * the generator's own client are of no use.
 */
function adjusted(source: string): string {
  if (!source.includes(plain_day)) throw new Error('No Day is among the generated types.')
  return source.replace(its_client, '').replace(plain_day, 'export type Day = `${number}-${number}-${number}`;')
}
