import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '../endpoint.ts'
import { errorPage, errorText } from '../errors.ts'
import type { DocsPage } from '../../docs-site/site.ts'
import { refusalsOf } from '../openapi/openapi-errors.ts'
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

/** Whoever sees more operations than these looks into the reference. */
const most_operations = 12

const index_path = '/docs/errors'

/** The pages of the codes, and their index. The example of each is what is answered. */
export function errorDocs(endpoints: Endpoint[], public_url: () => string | null): DocsPage[] {
  const pages = errorPagesOf(endpoints)
  return [
    { path: index_path, title: 'Error codes', markdown: () => indexOf(pages) },
    ...pages.map((page) => ({
      path: errorPage(page.kind.code),
      title: page.kind.code,
      within: index_path,
      markdown: () => markdownOf(page, public_url()),
    })),
  ]
}

function indexOf(pages: ErrorPage[]): string {
  const statuses = [...Map.groupBy(pages, ({ kind }) => kind.status)].toSorted(([a], [b]) => a - b)
  const tables = statuses.map(([status, those]) => {
    const rows = those.map(({ kind: { code, message } }) => `| [\`${code}\`](${errorPage(code)}) | ${message} |`)
    return `## ${status} ${STATUS_CODES[status]}\n\n| Code | Meaning |\n|---|---|\n${rows.join('\n')}`
  })
  return [
    '# Error codes',
    'Every code that the service answers, by its status. Each has a page with its cause, what to do about it and an ' +
      'example, and each error leads there by `error.doc_url`. How errors are built and which to repeat is told in ' +
      '[Errors](/docs/handling-errors).',
    ...tables,
    '',
  ].join('\n\n')
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
    `HTTP ${kind.status} ${STATUS_CODES[kind.status]}.`,
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
