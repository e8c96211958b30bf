import {
  resolve,
  isRef,
  nameOf,
  operationsOf,
  pascal,
  queryNameOf,
  queryOf,
  type Called,
  type OpenDocument,
  type Response,
  type Schema,
} from './document.ts'

/** The names of an API in its client: `ob.employers.create`, and `PartnerMethods`, `PartnerErrors`. */
export type Naming = { client: string; kind: string; file: string }

/** Generates the methods of an API: the table for the client, and the types with documentation. */
export function methodsSource(document: OpenDocument, naming: Naming): string {
  const operations = operationsOf(document)
  const groups = [...Map.groupBy(operations, ({ called }) => called.group)]
  const interfaces = groups.map(([group, own]) => {
    const methods = own.map((operation) => methodOf(operation, document, naming))
    return `export interface ${pascal(group)}Methods {\n${methods.join('\n')}}\n`
  })
  const table = groups.map(([group, own]) => {
    const methods = own.map((operation) => `    ${operation.called.name}: '${encoded(operation, document)}',\n`)
    return `  ${group}: {\n${methods.join('')}  },\n`
  })
  const body = [
    `/** All operations by method name, encoded for core/operations.ts. */`,
    `export const operations: OperationTable = {\n${table.join('')}}\n`,
    `/** All methods of the ${naming.kind.toLowerCase()} API. */`,
    `export interface ${naming.kind}Methods {`,
    ...groups.map(([group]) => `  ${group}: ${pascal(group)}Methods`),
    '}\n',
    ...interfaces,
    ...(document.webhooks ? [eventsOf(document.webhooks)] : []),
  ].join('\n')
  const schemas = [...Object.keys(document.components.schemas), ...operations.map(queryNameOf)]
  const used = schemas.filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments(body)))
  return [
    `// Generated from ${naming.file} by npm run gen.\n`,
    `import type { OperationTable } from '../core/operations.ts'`,
    `import type { CallOptions } from '../core/options.ts'`,
    `import type { Pages } from '../core/pages.ts'`,
    `import type {\n${used.map((name) => `  ${name},\n`).join('')}} from './types.gen.ts'\n`,
    body,
  ].join('\n')
}

/** Generates the refusal codes of the methods into their own file, because the core imports nothing else. */
export const errorsSource = (document: OpenDocument, naming: Naming): string =>
  `// Generated from ${naming.file} by npm run gen.\n\n${errorsOf(operationsOf(document), document, naming)}`

const withoutComments = (source: string) => source.replaceAll(/\/\*\*.*?\*\//gs, '')

const successesOf = ({ responses }: Called): Response[] =>
  Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && !isRef(response) ? [response] : [],
  )

const successSchemas = (operation: Called): Schema[] =>
  successesOf(operation).flatMap(({ content }) => content?.['application/json']?.schema ?? [])

/** Whether a response is an envelope around one resource. */
function isEnvelope(schema: Schema, { components }: OpenDocument): boolean {
  const { properties } = resolve(schema as Schema, components.schemas)
  return properties !== undefined && Object.keys(properties).join() === 'data'
}

/** Encodes an operation for core/operations.ts. */
function encoded(operation: Called, document: OpenDocument): string {
  const { method, path, requestBody, parameters = [], 'x-pagination': pages } = operation
  const schemas = successSchemas(operation)
  const words = {
    body: requestBody !== undefined,
    query: queryOf(operation, document).length > 0,
    keyed: parameters.some((one) => resolve(one, document.components.parameters).name === 'Idempotency-Key'),
    data: !pages && schemas.length > 0 && schemas.every((schema) => isEnvelope(schema, document)),
    file: schemas.length === 0,
    [pages?.type === 'cursor' ? `cursor:${pages.rows}` : `page:${pages?.rows}`]: pages !== undefined,
  }
  const flags = Object.entries(words).flatMap(([word, holds]) => (holds ? [word] : []))
  return [method, path, ...flags].join(' ')
}

/** The TypeScript return type of a method. */
function returned(operation: Called, document: OpenDocument): string {
  const { 'x-pagination': pages } = operation
  const schemas = successSchemas(operation)
  if (schemas.length === 0) return 'Promise<Response>'
  if (pages) {
    const page = nameOf(schemas[0] as { $ref: string })
    return `Pages<${partOf(schemas[0]!, pages.rows, document, true)}, ${page}>`
  }
  const is_envelope = schemas.every((schema) => isEnvelope(schema, document))
  const types = schemas.map((schema) =>
    is_envelope ? partOf(schema, 'data', document) : nameOf(schema as { $ref: string }),
  )
  return `Promise<${[...new Set(types)].join(' | ')}>`
}

const fieldOf = (schema: Schema, field: string, { components }: OpenDocument): Schema =>
  resolve(schema, components.schemas).properties![field]!

/** The type of a field of a response or of its items, by name if it has one. */
function partOf(schema: Schema, field: string, document: OpenDocument, item = false): string {
  const name = nameOf(schema as { $ref: string })
  const part = fieldOf(schema, field, document)
  const items = part.items
  if (item) return items && isRef(items) ? nameOf(items) : `${name}['${field}'][number]`
  if (isRef(part)) return nameOf(part)
  return items && isRef(items) ? `${nameOf(items)}[]` : `${name}['${field}']`
}

/** The ids in the path of an operation, each with its type. */
function idsOf({ path, parameters = [] }: Called, { components }: OpenDocument): [name: string, type: string][] {
  const known = parameters.map((one) => resolve(one, components.parameters))
  return [...path.matchAll(/{(\w+)}/g)].map(([, name]) => {
    const { schema } = known.find((one) => one.in === 'path' && one.name === name)!
    return [name!, isRef(schema) ? nameOf(schema) : 'string']
  })
}

function methodOf(operation: Called, document: OpenDocument, naming: Naming): string {
  const { requestBody } = operation
  const json = requestBody?.content['application/json']?.schema
  const takes_csv = requestBody?.content['text/csv'] !== undefined
  const body = json && `${nameOf(json as { $ref: string })}${takes_csv ? ' | string' : ''}`
  const has_query = queryOf(operation, document).length > 0
  const parameters = [
    ...idsOf(operation, document).map(([name, type]) => `${name}: ${type}`),
    ...(body ? [`body${requestBody!.required ? '' : '?'}: ${body}`] : []),
    ...(has_query ? [`query?: ${queryNameOf(operation)}`] : []),
    'options?: CallOptions',
  ]
  const signature = `${operation.called.name}(${parameters.join(', ')}): ${returned(operation, document)}`
  return `${comment(documentationOf(operation, document, naming), '  ')}  ${signature}\n`
}

/** The documentation of a method: summary, refusal codes, an example call and its response. */
function documentationOf(operation: Called, document: OpenDocument, naming: Naming): string[] {
  const { summary, description = '', method, path } = operation
  const own = new Set(refusalsOf(operation, document)).difference(generalCodes(document))
  const codes = [...own].map((code) => `\`${code}\``).join(', ')
  return [
    `${summary}. \`${method} ${path}\``,
    ...description.split('\n').flatMap((line) => (line ? ['', line] : [])),
    ...(codes ? ['', `@throws {ApiError} among others ${codes}`] : []),
    '',
    '@example',
    '```ts',
    ...exampleOf(operation, document, naming),
    '```',
  ]
}

/** An example call with a body that works in the sandbox, and the response. */
function exampleOf(operation: Called, document: OpenDocument, { client }: Naming): string[] {
  const { called, requestBody, 'x-pagination': pages } = operation
  const body = requestBody?.content['application/json']?.example
  const given = [...idsOf(operation, document).map(([id]) => id), ...(body === undefined ? [] : [literal(body)])]
  const call = `${client}.${called.group}.${called.name}(${given.join(', ')})`
  const [schema] = successSchemas(operation)
  const is_envelope = encoded(operation, document).split(' ').includes('data')
  const within = pages?.rows ?? (is_envelope ? 'data' : undefined)
  const [whole] = schema ? (resolve(schema, document.components.schemas).examples ?? []) : []
  const shown = within ? (whole as Record<string, unknown> | undefined)?.[within] : whole
  const sample = pages ? (shown as unknown[] | undefined)?.[0] : shown
  return [
    pages ? `for await (const row of ${call}) console.log(row)` : `await ${call}`,
    ...(sample ? commented(sample) : []),
  ]
}

/** JSON as a JavaScript literal. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")

const commented = (value: unknown): string[] =>
  literal(value)
    .split('\n')
    .map((line) => `// ${line}`)

const comment = (lines: string[], margin: string): string => {
  const text = lines.flatMap((line) => line.split('\n')).map((line) => line.replaceAll('*/', '*\\/'))
  return `${margin}/**\n${text.map((line) => `${margin} * ${line}`.trimEnd()).join('\n')}\n${margin} */\n`
}

/** The refusal codes that many operations share. The document declares their responses as components. */
const generalCodes = ({ components }: OpenDocument): Set<string> =>
  new Set(Object.values(components.responses).flatMap(codesOf))

/** The refusal codes of an operation. */
export const refusalsOf = ({ responses }: Called, { components }: OpenDocument): string[] =>
  Object.values(responses).flatMap((response) => codesOf(resolve(response, components.responses)))

function codesOf({ content }: Response): string[] {
  const [, refined] = content?.['application/json']?.schema.allOf ?? []
  return refined?.properties?.error?.properties?.code?.anyOf?.[0]?.enum ?? []
}

/** The refusal codes that every authenticated method can return. */
function codesOfAny(operations: Called[], document: OpenDocument): Set<string> {
  const [first, ...others] = operations
    .filter(({ responses }) => '401' in responses)
    .map((operation) => new Set(refusalsOf(operation, document)))
  return others.reduce((common, codes) => common.intersection(codes), first!)
}

const union = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(' | ')

/** Generates the codes of each method. */
function errorsOf(operations: Called[], document: OpenDocument, { kind }: Naming): string {
  const of_any = codesOfAny(operations, document)
  const methods = operations.map((operation) => {
    const { called, responses } = operation
    const codes = new Set(refusalsOf(operation, document))
    const own = union(codes.difference(of_any))
    const all = '401' in responses ? ['Refused', own].filter(Boolean).join(' | ') : union(codes)
    return `  '${called.group}.${called.name}': ${all}\n`
  })
  return [
    `/** The refusal codes of every method with a credential. */`,
    `type Refused = ${union(of_any)}\n`,
    `/** The refusal codes of each method. */`,
    `export interface ${kind}Errors {\n${methods.join('')}}\n`,
  ].join('\n')
}

/** Generates the types of webhook events by name. */
function eventsOf(webhooks: NonNullable<OpenDocument['webhooks']>): string {
  const events = Object.entries(webhooks).map(
    ([name, { post }]) => `  /** ${post.summary} */\n  '${name}': Posted<'${name}'>\n`,
  )
  return [
    `type Posted<Name extends string> = Omit<WebhookMessage, 'type' | 'data'> & {`,
    `  type: Name`,
    `  data: Omit<WebhookMessage['data'], 'event_name' | 'resource_type'> & {`,
    `    event_name: Name`,
    '    resource_type: Name extends `${infer Resource}.${string}` ? Resource : never',
    `  }`,
    `}\n`,
    `/** Webhook messages by event name. */`,
    `export interface WebhookMessages {\n${events.join('')}}\n`,
    `/** A verified event, identified by \`type\`. Later versions may send other events. */`,
    `export type VerifiedEvent = WebhookMessages[keyof WebhookMessages]\n`,
  ].join('\n')
}
