import type { Endpoint } from '../endpoint.ts'
import { errorPage, errorText } from './errors.ts'
import type { FixedText } from './fixed-texts.ts'
import { refusalsOf } from './openapi-errors.ts'
import { printJson } from '../../kernel/print-json.ts'
import { generic, Refusal, type RefusalKind } from '../../kernel/refusal.ts'

/** What there is to say of a code. */
export type ErrorPage = { kind: RefusalKind; operations: string[]; retry: string }

/** A page for each code that an operation may answer, by the code. */
export function errorPagesOf(endpoints: Endpoint[]): ErrorPage[] {
  const pages = new Map<string, ErrorPage>()
  const add = (kind: RefusalKind, operation?: string) => {
    const page = pages.get(kind.code) ?? { kind, operations: [], retry: retryOf(kind) }
    if (operation && !page.operations.includes(operation)) page.operations.push(operation)
    pages.set(kind.code, page)
  }
  for (const kind of Object.values(generic)) add(kind)
  for (const endpoint of endpoints) for (const kind of refusalsOf(endpoint)) add(kind, endpoint.operation)
  return [...pages.values()].toSorted((a, b) => (a.kind.code < b.kind.code ? -1 : 1))
}

function retryOf({ status, code }: RefusalKind): string {
  if (code === 'idempotency_key_in_progress') return 'Yes, after `Retry-After` seconds, with the same Idempotency-Key.'
  if (status === 429 || status >= 500)
    return 'Yes, with growing pauses and chance in them, never sooner than `Retry-After`; a POST with its same key.'
  return 'No: the same request gets the same answer, until something is changed.'
}

const lineOf = ({ code, status, message }: RefusalKind): string =>
  `- [${code}](${errorPage(code)}) ${status}: ${message}`

/** Whoever sees more operations than these looks into the reference. */
const most_operations = 12

/** The pages, as HTML and as Markdown, and their index. The example is what is answered. */
export function errorTexts(endpoints: Endpoint[], public_url: () => string | null): FixedText[] {
  const pages = errorPagesOf(endpoints)
  const both = (path: string, title: string, markdown: () => string): FixedText[] => [
    { path: `${path}.md`, content_type: 'text/markdown; charset=utf-8', text: markdown },
    { path, content_type: 'text/html; charset=utf-8', text: () => htmlOf(title, markdown()) },
  ]
  const index = () => `# Errors\n\n${pages.map(({ kind }) => lineOf(kind)).join('\n')}\n`
  return [
    ...both('/docs/errors', 'Errors', index),
    ...pages.flatMap((page) => both(errorPage(page.kind.code), page.kind.code, () => markdownOf(page, public_url()))),
  ]
}

function markdownOf({ kind, operations, retry }: ErrorPage, public_url: string | null): string {
  const detail =
    kind.code === generic.invalid_request.code ? [{ field: 'email', message: 'must be an e-mail address' }] : []
  const example: unknown = JSON.parse(
    errorText(new Refusal(kind, detail), '0b6b2a0e-5a5c-4b53-9d1f-3d0f4f4f8a11', public_url),
  )
  const body = printJson({ ...(example as object), timestamp: '2026-03-10T14:05:09.123Z' }).trimEnd()
  const named = operations.slice(0, most_operations).map((name) => `\`${name}\``)
  const more = operations.length > named.length ? [`and ${operations.length - named.length} more`] : []
  const who = named.length === 0 ? 'Any path of the interface.' : `${[...named, ...more].join(', ')}.`
  return [
    `# ${kind.code}`,
    `HTTP ${kind.status}. [All errors](/docs/errors)`,
    `## Cause\n\n${kind.message}`,
    `## Remedy\n\n${remedyOf(kind)}`,
    `## Repeat it?\n\n${retry}`,
    `## Answered by\n\n${who}`,
    `## Example\n\n\`\`\`json\n${body}\n\`\`\``,
    '',
  ].join('\n\n')
}

const remedyOf = ({ status, remedy }: RefusalKind): string =>
  remedy ??
  (status === 409
    ? 'Read what is there now, then decide.'
    : 'Read what the message and `details` say, mend the request, and send it again.')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The little of Markdown that the pages are written in. */
const htmlOfLine = (line: string): string =>
  escaped(line)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]+)\]\((\/[^)]*)\)/g, '<a href="$2">$1</a>')

function htmlOf(title: string, markdown: string): string {
  const blocks = markdown
    .trimEnd()
    .split(/\n\n(?![^`]*\n```\n?$)/)
    .map((block) => {
      if (block.startsWith('```'))
        return `<pre>${escaped(block.replace(/^```json\n/, '').replace(/\n```\n*$/, ''))}</pre>`
      if (block.startsWith('- '))
        return `<ul>${block
          .split('\n')
          .map((line) => `<li>${htmlOfLine(line.slice(2))}</li>`)
          .join('\n')}</ul>`
      const [, marks, heading] = /^(#+) (.*)$/.exec(block) ?? []
      return marks ? `<h${marks.length}>${htmlOfLine(heading!)}</h${marks.length}>` : `<p>${htmlOfLine(block)}</p>`
    })
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title><style>${style}</style></head><body><main>`,
    ...blocks,
    '</main></body></html>\n',
  ].join('\n')
}

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}' +
  'main{max-width:44rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;padding:1rem;border:1px solid #8885}' +
  'h1{font-size:1.5rem}h2{font-size:1.1rem}'
