import { fieldsOf, resolved, type Schema } from './schema-tables.ts'
import { sampleOf } from '../http/openapi/openapi-examples.ts'
import { slugOf } from './chapters.ts'
import type { DocsPage } from './site.ts'

/** What of an OpenAPI document is shown. */
export type ShownDocument = {
  paths: Record<string, Record<string, ShownOperation>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
  }
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type Content = Record<string, { schema?: Schema; example?: unknown }>
type ShownAnswer = { $ref?: string; description?: string; content?: Content }
type ShownOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, ShownAnswer>
}

/** An interface, as its reference is made: what it is called, where its pages and requests are tried, and its parts. */
export type Referred = {
  title: string
  /** what stands before its pages, such as `/docs/api` */
  path: string
  /** where requests are tried */
  tried: string
  /** the variable of the guides with its credential */
  credential: string
  description: string
  tags: Record<string, string>
  document: () => ShownDocument
  /** the codes that an operation may be refused with, beside those of every operation */
  codesOf: (operation: string) => string[]
  /** how the SDK calls an operation, by its method and path */
  sdk: () => ReadonlyMap<string, string>
}

type PlacedOperation = ShownOperation & { method: string; url: string }

/** The operations of a part, in the order of the document. */
const operationsOf = ({ paths }: ShownDocument, tag: string): PlacedOperation[] =>
  Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags?.includes(tag) ? [{ ...operation, method: method.toUpperCase(), url }] : [],
    ),
  )

const named = <T extends { $ref?: string }>(part: T, all: Record<string, T> = {}): T =>
  part.$ref === undefined ? part : all[part.$ref.split('/').at(-1)!]!

const table = (head: string, rows: string[]): string =>
  rows.length === 0 ? '' : `| ${head} | | |\n|---|---|---|\n${rows.join('\n')}`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function parametersOf({ parameters = [] }: PlacedOperation, { components }: ShownDocument): string[] {
  return parameters
    .map((parameter) => named(parameter, components.parameters))
    .map(({ name, in: where, required, description = '', schema = {} }) => {
      const { type } = resolved(schema, components.schemas)
      const place = [where, ...(where !== 'path' && required ? ['required'] : []), ...(where === 'query' ? [type] : [])]
      return `| \`${name}\` | ${cell(place.join(', '))} | ${cell(description)} |`
    })
}

const bodyOf = (content: Content = {}) => content['application/json'] ?? {}

/** The fields of a body; of what is answered all are always there. */
const rowsOf = (schema: Schema | undefined, { components }: ShownDocument, is_answer: boolean): string[] =>
  schema === undefined
    ? []
    : fieldsOf(schema, components.schemas).map(
        ({ name, type, required, description }) =>
          `| \`${name}\` | ${cell(type)}${required && !is_answer ? ', required' : ''} | ${cell(description)} |`,
      )

/** A request as a reader of the guides would paste it: `$EMPLOYER` is the id of an employer. */
function curlOf({ method, url, requestBody }: PlacedOperation, credential: string): string {
  const path = url.replaceAll(/\{(\w+?)(?:_id)?\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const { example } = bodyOf(requestBody?.content)
  const verb = method === 'GET' || (method === 'POST' && example !== undefined) ? '' : ` -X ${method}`
  const body =
    example === undefined
      ? ''
      : ` -H "$JSON" -d '${JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`)}'`
  return `curl -s${verb} "$URL${path}" -H "$${credential}"${body}`
}

function operationText(
  operation: PlacedOperation,
  { tried, credential, document, codesOf, sdk }: Referred,
  tag: string,
): string {
  const { method, url, summary, description = '', responses, requestBody, operationId } = operation
  const all = document()
  const [status = '', answer = {}] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const { schema } = bodyOf(answer.content)
  const said = schema && sampleOf(schema, all.components.schemas)
  const codes = codesOf(operationId).map((code) => `\`${code}\``)
  const sent = curlOf(operation, credential)
  const called = sdk().get(`${method} ${url}`)
  return [
    `## ${summary}`,
    `**${method}** \`${url}\` · [try it](${tried}#tag/${slugOf(tag)}/${method}${url})`,
    description,
    table('Parameter', parametersOf(operation, all)),
    table('Body', rowsOf(bodyOf(requestBody?.content).schema, all, false)),
    `\`\`\`sh tab="curl"\n${sent}\n\`\`\``,
    called === undefined ? '' : `\`\`\`ts tab="TypeScript"\n${called}\n\`\`\``,
    said === undefined ? '' : `\`\`\`json tab="Answer, ${status}"\n${JSON.stringify(said)}\n\`\`\``,
    table(`Answer, ${status}`, rowsOf(schema, all, true)),
    codes.length === 0
      ? ''
      : `**Refused with** ${codes.join(', ')}, and what [every operation](/docs/errors) may answer.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The pages of an interface: what it is with all of its operations, and one for each of its parts. */
export function referenceDocs(referred: Referred): DocsPage[] {
  const { title, path, description, tags, document } = referred
  const pageOf = (tag: string) => `${path}/${slugOf(tag)}`
  const index = () => {
    const parts = Object.keys(tags).map((tag) => {
      const rows = operationsOf(document(), tag).map(
        ({ method, url, summary }) => `| [${summary}](${pageOf(tag)}#${slugOf(summary)}) | ${method} | ${url} |`,
      )
      return rows.length === 0 ? '' : `## ${tag}\n\n${tags[tag]}\n\n| | | |\n|---|---|---|\n${rows.join('\n')}`
    })
    return [`# ${title}`, description, ...parts, ''].filter((part, at) => part !== '' || at > parts.length).join('\n\n')
  }
  const pages = Object.entries(tags).map(([tag, sentence]) => ({
    path: pageOf(tag),
    title: tag,
    markdown: () => {
      const operations = operationsOf(document(), tag).map((operation) => operationText(operation, referred, tag))
      return `${[`# ${tag}`, sentence, ...operations].join('\n\n')}\n`
    },
  }))
  return [{ path, title: 'All operations', markdown: index }, ...pages]
}
