import { readFileSync } from 'node:fs'
import type { Endpoint } from '../endpoint.ts'
import { api_version } from '../errors.ts'
import { describeFields } from './openapi-descriptions.ts'
import { ErrorBody, errorResponses, headers, refusalsOf } from './openapi-errors.ts'
import type { Documented, Interface } from './interfaces.ts'
import { parametersOf } from './openapi-parameters.ts'
import { webhooksOf } from './openapi-webhooks.ts'
import { addComponent, responseNameOf, schemasIn, type Json, type SchemaOf } from './openapi-schemas.ts'
import { printJson } from '../../kernel/formats/print-json.ts'
import { roles } from '../../runtime/permissions.ts'

/** The components that operations refer to, by name. */
type Components = Record<'schemas' | 'parameters' | 'responses', Record<string, Json>>

/** The responses of the sandbox that serve as examples, by their schema names; see examples.test.ts. */
export const exampleResponses = JSON.parse(
  readFileSync(new URL('./example-responses.json', import.meta.url), 'utf8'),
) as Record<string, unknown>

/** The OpenAPI 3.1 document of an interface as committed. The same operations produce the same document. */
export function documentOf(documented_interface: Interface, documented: Documented): string {
  const { about, prefix } = documented_interface
  const endpoints = documented.endpoints.filter(({ path }) => path.startsWith(prefix))
  const open = documented_interface.open(documented.incoming)
  const components: Components = { schemas: {}, parameters: {}, responses: {} }
  const { schemas, parameters, responses } = components
  const schemaOf = schemasIn(schemas)
  schemaOf(ErrorBody, 'output')

  const names = sdkNamesOf(endpoints)
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    const operation = operationOf(endpoint, names.get(endpoint)!, schemaOf, components)
    operations[endpoint.method.toLowerCase()] = operation
  }
  for (const { path, method, operation, refuses } of open) {
    const refused = errorResponses([...refuses], responses)
    paths[path] = { [method]: { ...operation, responses: { ...operation.responses, ...refused } } }
  }
  const webhooks = documented_interface.sends_webhooks ? webhooksOf(schemaOf) : undefined
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const bodies = operations.map(({ requestBody }) => requestBody)
  describeFields(schemas, bodies)
  for (const [name, example] of Object.entries(exampleResponses)) if (schemas[name]) schemas[name].examples = [example]
  return printJson({
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
    tags: Object.entries(about.tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: about.credential } },
      headers,
      parameters: byName(parameters),
      responses: byName(responses),
      schemas: byName(schemas),
    },
  })
}

const byName = (all: Record<string, Json>): Json =>
  Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const done: Record<string, string> = { 201: 'Created.', 202: 'Accepted.' }

/** `x-sdk` and `x-pagination` are information for client generators that OpenAPI does not define. */
function operationOf(endpoint: Endpoint, sdk_name: string, schemaOf: SchemaOf, components: Components): Json {
  const { operation, body, rows, csv, example } = endpoint
  const responses = Object.entries(endpoint.returns).map(([status, returned]): [string, Json] => {
    const whole = schemaOf(returned, 'output')
    const named = !('$ref' in whole) && responseNameOf(whole, operation)
    const schema = named ? addComponent('schemas', components.schemas, named, whole) : whole
    return [status, { description: done[status] ?? 'OK', content: { 'application/json': { schema } } }]
  })
  return {
    operationId: operation,
    'x-sdk': sdk_name,
    'x-pagination': paginationOf(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, acceptedBy(endpoint)].filter(Boolean).join('\n\n'),
    parameters: parametersOf(endpoint, schemaOf, components.parameters),
    requestBody: body && {
      required: !body.safeParse({}).success,
      content: {
        'application/json': { schema: schemaOf(body, 'input'), example },
        ...(csv && { 'text/csv': { schema: csvSchema(rows!.field) } }),
      },
    },
    responses: { ...Object.fromEntries(responses), ...errorResponses(refusalsOf(endpoint), components.responses) },
  }
}

const csvSchema = (field: string): Json => ({
  type: 'string',
  description:
    `The rows of \`${field}\` as comma-separated values. The first line contains the field names, and each ` +
    'other line is a row. An empty cell means null. Error details count the rows from 0, without the first line.',
})

/** Without a comma before the last word. */
const list = (type: 'conjunction' | 'disjunction', words: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type }).format(words)

const credentials: Record<string, string> = {
  api_key: 'API keys',
  session_token: 'session tokens',
  access_token: 'unbound tokens',
  employer_token: 'employer tokens',
  employee_token: 'employee tokens',
}

/** The accepted credentials, roles and scopes of an operation, in words. Session tokens count as unbound tokens. */
function acceptedBy({ allows, roles: allowed, scopes }: Endpoint): string {
  if (allows.includes('operator')) {
    const names = allowed.map((role) => `\`${role}\``)
    return `Accepts operators with the role ${list('disjunction', names)}.`
  }
  const kinds = allows.filter((kind) => kind !== 'session_token' || !allows.includes('access_token'))
  const accepted = kinds.map((kind) => credentials[kind]!)
  const tenant = allowed.length === roles.length ? 'Any role' : `Roles: ${allowed.join(', ')}`
  const need = scopes?.length ? ` Scopes: ${scopes.join(', ')}.` : ''
  return `Accepts ${list('conjunction', accepted)}. ${tenant}.${need}`
}

/** How a client pages through a list: by page number or by a cursor. */
function paginationOf({ query, operation }: Endpoint): Json | undefined {
  const { limit, page, offset } = query?.shape ?? {}
  if (!limit) return undefined
  if (offset) return { type: 'cursor', parameter: 'offset', next: 'next_offset', rows: 'data' }
  // The contract names the rows of this list after the resource.
  const rows = operation === 'list_organizations' ? 'organizations' : 'data'
  return page && { type: 'page', parameter: 'page', rows }
}

/** The SDK group and method of each operation, such as `hris.listRuns`. Throws if two operations have the same name. */
function sdkNamesOf(endpoints: Endpoint[]): Map<Endpoint, string> {
  const names = new Map(endpoints.map((endpoint) => [endpoint, sdkNameOf(endpoint)]))
  for (const [name, [one, other]] of Map.groupBy(endpoints, (endpoint) => names.get(endpoint)!))
    if (one && other)
      throw new Error(
        `${one.operation} and ${other.operation} have the same SDK name ${name}. Declare \`sdk\` on one of them.`,
      )
  return names
}

/**
 * The record of an operation may declare its name. Otherwise it follows from its id, if that starts with the first part
 * of the path or with the tag. Operator operations use the tag as the group and do not repeat it in the method.
 */
function sdkNameOf({ operation, path, tag, sdk }: Endpoint): string {
  if (sdk) return sdk
  const section = snake(tag)
  const tenant = [snake(path.split('/')[2]!), section].find((prefix) => operation.startsWith(`${prefix}_`))
  if (tenant) return `${camel(tenant)}.${camel(operation.slice(tenant.length + 1))}`
  const action = operation
    .replace(/^operator_/, '')
    .replace(new RegExp(`_(${section}|${section.slice(0, -1)})(?=_|$)`), '')
  return `${camel(section)}.${camel(action)}`
}

const snake = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

/** `list_runs` in camel case: `listRuns`. */
const camel = (words: string): string => words.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
