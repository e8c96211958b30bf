import type { Endpoint } from '../endpoint.ts'
import { api_version } from '../errors.ts'
import { composeSchemas } from './openapi-compose.ts'
import { describeFields } from './openapi-descriptions.ts'
import { ErrorBody, refusalsByStatus, type ErrorResponses, headers } from './openapi-errors.ts'
import { showExamples } from './openapi-examples.ts'
import { parametersOf, type Parameters } from './openapi-parameters.ts'
import { webhooksOf, type Webhooks } from './openapi-webhooks.ts'
import { collectSchemas, nameResponse, nameEnums, type Json, type Schemas } from './openapi-schemas.ts'
import { roles } from '../../runtime/permissions.ts'

/** The general information of a document. */
export type About = {
  title: string
  description: string
  /** a description of its bearer credential */
  credential: string
  /** a description of each section, in the order of the document; sections without operations are omitted */
  tags: Record<string, string>
}

/** An operation that is not an endpoint record, as the document describes it. */
export type OpenOperation = {
  path: string
  method: string
  operation: Json & { operationId: string; tags: string[] }
  /** its error responses by component name */
  refuses: ErrorResponses
}

/** The components that operations refer to. */
type Components = { schemas: Schemas; parameters: Parameters; responses: ErrorResponses }

/** Other parts of a document: operations without authentication, webhooks, and example responses by name. */
type OpenapiParts = { open: OpenOperation[]; webhooks?: Webhooks; examples: Record<string, unknown> }

/** Builds an OpenAPI 3.1 document. */
export function openapiOf(endpoints: Endpoint[], about: About, { open, webhooks, examples }: OpenapiParts): Json {
  const components: Components = { schemas: collectSchemas(), parameters: {}, responses: {} }
  const { schemas, parameters, responses } = components
  schemas.schemaOf(ErrorBody, 'output')

  refuseDuplicateNames(endpoints)
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, components)
  }
  for (const { path, method, operation, refuses } of open) {
    paths[path] = { [method]: operation }
    Object.assign(responses, refuses)
  }
  const sent = webhooks && webhooksOf(webhooks, components)
  nameEnums(schemas, [paths, parameters])
  describeFields(schemas.named, bodiesIn(paths))
  composeSchemas(schemas.named)
  showExamples(schemas.named, examples)
  const used_tags = new Set([...endpoints.map(({ tag }) => tag), ...open.flatMap(({ operation }) => operation.tags)])
  return {
    openapi: '3.1.1',
    info: {
      title: about.title,
      version: api_version,
      description: about.description,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: Object.entries(about.tags)
      .filter(([name]) => used_tags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(sent && { webhooks: sent }),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: about.credential },
      },
      headers: usedComponents(headers, 'headers', [paths, responses]),
      parameters: byName(parameters),
      responses: byName(responses),
      schemas: byName(schemas.named),
    },
  }
}

const bodiesIn = (paths: Record<string, Json>): unknown[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations).map((one) => (one as Json).requestBody))

const byName = <Value>(all: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The components that are referenced. */
function usedComponents<Value>(all: Record<string, Value>, kind: string, from: unknown): Record<string, Value> {
  const text = JSON.stringify(from)
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
}

const done: Record<string, string> = { 201: 'Created.', 202: 'Accepted.' }

function operationOf(endpoint: Endpoint, { schemas, parameters, responses }: Components): Json {
  const answers = Object.entries(endpoint.returns).map(([status, schema]): [string, Json] => [
    status,
    {
      description: done[status] ?? 'OK',
      content: {
        'application/json': { schema: nameResponse(schemas, schemas.schemaOf(schema, 'output'), endpoint.operation) },
      },
    },
  ])
  return {
    operationId: endpoint.operation,
    ...extensionsOf(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, acceptedBy(endpoint)].filter(Boolean).join('\n\n'),
    parameters: parametersOf(endpoint, schemas.schemaOf, parameters),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse({}).success,
        content: {
          'application/json': {
            schema: schemas.schemaOf(endpoint.body, 'input'),
            ...(endpoint.example !== undefined && { example: endpoint.example }),
          },
          ...(endpoint.csv && { 'text/csv': { schema: csvSchema(endpoint.rows!.field) } }),
        },
      },
    }),
    responses: Object.fromEntries([...answers, ...refusalsByStatus(endpoint, responses)]),
  }
}

const csvSchema = (field: string): Json => ({
  type: 'string',
  description:
    `The rows of \`${field}\` as comma-separated values. The first line contains the field names, and each ` +
    'other line is a row. An empty cell means null. Error details count the rows from 0, without the first line.',
})

const inWords = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
const oneOf = (names: readonly string[]) => inWords(names).replace(/, ([^,]*)$/, ' or $1')

/** The accepted credentials, roles and scopes of an operation, in words. Session tokens count as unbound tokens. */
function acceptedBy({ allows, roles: allowed, scopes }: Endpoint): string {
  if (allows.includes('operator')) return `Accepts operators with the role ${oneOf(allowed)}.`
  const names: Record<string, string> = {
    api_key: 'API keys',
    session_token: 'session tokens',
    access_token: 'unbound tokens',
    employer_token: 'employer tokens',
    employee_token: 'employee tokens',
  }
  const kinds = allows.filter((kind) => kind !== 'session_token' || !allows.includes('access_token'))
  const tenant = allowed.length === roles.length ? 'Any role' : `Roles: ${allowed.join(', ')}`
  const need = scopes?.length ? ` Scopes: ${scopes.join(', ')}.` : ''
  const accepted = kinds
    .map((kind) => names[kind])
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')
  return `Accepts ${accepted}. ${tenant}.${need}`
}

/** `x-sdk` and `x-pagination`: information for client generators that OpenAPI does not define. */
function extensionsOf(endpoint: Endpoint): Json {
  return { 'x-sdk': sdkNameOf(endpoint).join('.'), ...paginationOf(endpoint) }
}

const camel = (words: string): string =>
  words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')

const snake = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

/**
 * The SDK group and method of an operation, such as `hris.listRuns`. Its record may declare them. Otherwise they follow
 * from its id, if that starts with the first part of the path or with the tag. Operator operations use the tag as the
 * group and do not repeat it in the method.
 */
function sdkNameOf({ operation, path, tag, sdk }: Endpoint): [group: string, method: string] {
  if (sdk) return sdk.split('.') as [string, string]
  const tenant = [snake(path.split('/')[2]!), snake(tag)].find((prefix) => operation.startsWith(`${prefix}_`))
  if (tenant) return [camel(tenant), camel(operation.slice(tenant.length + 1))]
  const section = snake(tag)
  const action = operation
    .replace(/^operator_/, '')
    .replace(new RegExp(`_(${section}|${section.slice(0, -1)})(?=_|$)`), '')
  return [camel(tag), camel(action)]
}

/** How a client pages through a list: by page number or by a cursor. */
function paginationOf({ query, returns, method }: Endpoint): Json {
  const { limit, page, offset } = query?.shape ?? {}
  if (method !== 'GET' || !limit || !returns[200]) return {}
  if (offset) return { 'x-pagination': { type: 'cursor', parameter: 'offset', next: 'next_offset', rows: 'data' } }
  const rows = 'organizations' in ((returns[200] as { shape?: object }).shape ?? {}) ? 'organizations' : 'data'
  return page ? { 'x-pagination': { type: 'page', parameter: 'page', rows } } : {}
}

/** Throws if two operations have the same SDK name. */
function refuseDuplicateNames(endpoints: Endpoint[]): void {
  const named = Map.groupBy(endpoints, (endpoint) => sdkNameOf(endpoint).join('.'))
  for (const [name, [one, other]] of named)
    if (one && other)
      throw new Error(
        `${one.operation} and ${other.operation} have the same SDK name ${name}. Declare \`sdk\` on one of them.`,
      )
}
