import {
  found,
  isRef,
  nameOf,
  operationsOf,
  pascal,
  queryNameOf,
  queryOf,
  sampleOf,
  type Called,
  type OpenDocument,
  type Response,
  type Schema,
} from './document.ts'

/** How an interface is called in its client: `ob.employers.create`, and `PartnerMethods`, `PartnerErrors`. */
export type Naming = { client: string; kind: string; file: string }

/** The methods of an interface: the table by which the client calls them, and their types with what they say. */
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
    `/** Every operation as the client calls it; core/operations.ts reads them. */`,
    `export const operations: OperationTable = {\n${table.join('')}}\n`,
    `/** All methods of the ${naming.kind.toLowerCase()} interface. */`,
    `export interface ${naming.kind}Methods {`,
    ...groups.map(([group]) => `  ${group}: ${pascal(group)}Methods`),
    '}\n',
    ...interfaces,
    errorsOf(operations, document, naming),
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

const withoutComments = (source: string) => source.replaceAll(/\/\*\*.*?\*\//gs, '')

/** What succeeds; of several successes, all. */
const successesOf = ({ responses }: Called): Response[] =>
  Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && !isRef(response) ? [response] : [],
  )

const answersOf = (operation: Called): Schema[] =>
  successesOf(operation).flatMap(({ content }) => content?.['application/json']?.schema ?? [])

/** Whether an answer is an envelope around one thing. */
function isEnvelope(schema: Schema, { components }: OpenDocument): boolean {
  const { properties } = found(schema as Schema, components.schemas)
  return properties !== undefined && Object.keys(properties).join() === 'data'
}

/** As core/operations.ts reads it. */
function encoded(operation: Called, document: OpenDocument): string {
  const { method, path, requestBody, parameters = [], 'x-pagination': pages } = operation
  const answers = answersOf(operation)
  const words = {
    body: requestBody !== undefined,
    query: queryOf(operation, document).length > 0,
    keyed: parameters.some((one) => found(one, document.components.parameters).name === 'Idempotency-Key'),
    data: !pages && answers.length > 0 && answers.every((answer) => isEnvelope(answer, document)),
    file: answers.length === 0,
    [pages?.type === 'cursor' ? `cursor:${pages.rows}` : `page:${pages?.rows}`]: pages !== undefined,
  }
  const said = Object.entries(words).flatMap(([word, holds]) => (holds ? [word] : []))
  return [method, path, ...said].join(' ')
}

/** What a method answers, in the words of TypeScript. */
function returned(operation: Called, document: OpenDocument): string {
  const { 'x-pagination': pages } = operation
  const answers = answersOf(operation)
  if (answers.length === 0) return 'Promise<Response>'
  if (pages) {
    const page = nameOf(answers[0] as { $ref: string })
    return `Pages<${partOf(answers[0]!, pages.rows, document, true)}, ${page}>`
  }
  const is_envelope = answers.every((answer) => isEnvelope(answer, document))
  const types = answers.map((answer) =>
    is_envelope ? partOf(answer, 'data', document) : nameOf(answer as { $ref: string }),
  )
  return `Promise<${[...new Set(types)].join(' | ')}>`
}

const fieldOf = (answer: Schema, field: string, { components }: OpenDocument): Schema =>
  found(answer, components.schemas).properties![field]!

/** The type of a field of an answer, or of its items: by its name where it has one. */
function partOf(answer: Schema, field: string, document: OpenDocument, item = false): string {
  const name = nameOf(answer as { $ref: string })
  const part = fieldOf(answer, field, document)
  const items = part.items
  if (item) return items && isRef(items) ? nameOf(items) : `${name}['${field}'][number]`
  if (isRef(part)) return nameOf(part)
  return items && isRef(items) ? `${nameOf(items)}[]` : `${name}['${field}']`
}

/** The ids in the path of an operation, each with its type. */
function idsOf({ path, parameters = [] }: Called, { components }: OpenDocument): [name: string, type: string][] {
  const known = parameters.map((one) => found(one, components.parameters))
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
  return `${comment(said(operation, document, naming), '  ')}  ${signature}\n`
}

/** What a method says of itself: what it does, what it may be refused with, a call and what is answered. */
function said(operation: Called, document: OpenDocument, naming: Naming): string[] {
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

/** A call, with the body that works in the sandbox, and what was answered there. */
function exampleOf(operation: Called, document: OpenDocument, { client }: Naming): string[] {
  const { called, requestBody, 'x-pagination': pages } = operation
  const body = requestBody?.content['application/json']?.example
  const given = [...idsOf(operation, document).map(([id]) => id), ...(body === undefined ? [] : [literal(body)])]
  const call = `${client}.${called.group}.${called.name}(${given.join(', ')})`
  const [answer] = answersOf(operation)
  const is_envelope = encoded(operation, document).split(' ').includes('data')
  const within = pages?.rows ?? (is_envelope ? 'data' : undefined)
  const whole = answer && (sampleOf(answer, document) as Record<string, unknown> | undefined)
  const part = answer && within && sampleOf(fieldOf(answer, within, document), document)
  const shown = within ? (part ?? whole?.[within]) : whole
  const said = pages ? (shown as unknown[] | undefined)?.[0] : shown
  return [pages ? `for await (const row of ${call}) console.log(row)` : `await ${call}`, ...(said ? told(said) : [])]
}

/** JSON as one writes it in a program. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")

const told = (value: unknown): string[] =>
  literal(value)
    .split('\n')
    .map((line) => `// ${line}`)

const comment = (lines: string[], margin: string): string => {
  const text = lines.flatMap((line) => line.split('\n')).map((line) => line.replaceAll('*/', '*\\/'))
  return `${margin}/**\n${text.map((line) => `${margin} * ${line}`.trimEnd()).join('\n')}\n${margin} */\n`
}

/**
 * Codes of refusals that many operations share: those are named after what they are, the others after their operation.
 */
function generalCodes(document: OpenDocument): Set<string> {
  const own = operationsOf(document).map(({ operationId }) => pascal(operationId))
  const shared = Object.keys(document.components.responses).filter((name) => !own.some((one) => name.startsWith(one)))
  return new Set(shared.flatMap((name) => codesOf(name, document)))
}

/** The codes that an operation may be refused with. */
export const refusalsOf = ({ responses }: Called, document: OpenDocument): string[] =>
  Object.values(responses).flatMap((one) => (isRef(one) ? codesOf(nameOf(one), document) : []))

/** The codes that a refusal of the document may have. */
function codesOf(response: string, { components }: OpenDocument): string[] {
  const schema = components.responses[response]?.content?.['application/json']?.schema
  const [, refined] = schema?.allOf ?? []
  return refined?.properties?.error?.properties?.code?.anyOf?.[0]?.enum ?? []
}

/** The codes that every method with a credential may be refused with. */
function codesOfAny(operations: Called[], document: OpenDocument): Set<string> {
  const [first, ...others] = operations
    .filter(({ responses }) => '401' in responses)
    .map((operation) => new Set(refusalsOf(operation, document)))
  return others.reduce((common, codes) => common.intersection(codes), first!)
}

const union = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(' | ')

/** The codes of each refusal beyond those of every method, and for each method those that it may be refused with. */
function errorsOf(operations: Called[], document: OpenDocument, { kind }: Naming): string {
  const of_any = codesOfAny(operations, document)
  const own = new Map(
    Object.keys(document.components.responses).flatMap((name) => {
      const codes = codesOf(name, document).filter((code) => !of_any.has(code))
      return codes.length > 0 ? [[name, codes] as const] : []
    }),
  )
  const named = new Set<string>()
  const methods = operations.map((operation) => {
    const { responses, called } = operation
    const signature = `  '${called.group}.${called.name}': `
    const refused = Object.values(responses).flatMap((one) => (isRef(one) && own.has(nameOf(one)) ? [nameOf(one)] : []))
    if (!('401' in responses)) return `${signature}${union(refusalsOf(operation, document))}\n`
    for (const name of refused) named.add(name)
    return `${signature}Refused${refused.length > 0 ? ` | Refusals[${union(refused)}]` : ''}\n`
  })
  const refusals = [...own].flatMap(([name, codes]) => (named.has(name) ? [`  ${name}: ${union(codes)}\n`] : []))
  return [
    `/** The codes that every method with a credential may be refused with. */`,
    `type Refused = ${union(of_any)}\n`,
    `interface Refusals {\n${refusals.join('')}}\n`,
    `/** The codes that each method may be refused with. */`,
    `export interface ${kind}Errors {\n${methods.join('')}}\n`,
  ].join('\n')
}

/** The events that are posted to webhooks, by their names. */
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
    `/** What is posted to webhooks, by the name of the event. */`,
    `export interface WebhookMessages {\n${events.join('')}}\n`,
    `/** An event that was verified: \`type\` tells which. Later versions of the service may send others. */`,
    `export type VerifiedEvent = WebhookMessages[keyof WebhookMessages]\n`,
  ].join('\n')
}
