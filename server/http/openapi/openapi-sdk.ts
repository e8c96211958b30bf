import type { Endpoint } from '../endpoint.ts'
import type { Json } from './openapi-schemas.ts'

/** `x-sdk` and `x-pagination`: what generators of clients are told of an operation, beyond what OpenAPI says. */
export function extensionsOf(endpoint: Endpoint): Json {
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
 * The group and the name of the method by which a client calls an operation: as its record says; or by its id, when
 * that begins with what its path begins with, or with its section; an operator's by its section and the action, in
 * which
 * the section is not named again: `hris.listRuns`.
 */
function sdkNameOf({ operation, path, tag, sdk }: Endpoint): [group: string, method: string] {
  if (sdk) return sdk.split('.') as [string, string]
  const whose = [snake(path.split('/')[2]!), snake(tag)].find((prefix) => operation.startsWith(`${prefix}_`))
  if (whose) return [camel(whose), camel(operation.slice(whose.length + 1))]
  const section = snake(tag)
  const action = operation
    .replace(/^operator_/, '')
    .replace(new RegExp(`_(${section}|${section.slice(0, -1)})(?=_|$)`), '')
  return [camel(tag), camel(action)]
}

/** How a client comes to the rows of the next page: by their number, or by what the page before says. */
function paginationOf({ query, returns, method }: Endpoint): Json {
  const { limit, page, offset } = query?.shape ?? {}
  if (method !== 'GET' || !limit || !returns[200]) return {}
  if (offset) return { 'x-pagination': { type: 'cursor', parameter: 'offset', next: 'next_offset', rows: 'data' } }
  const rows = 'organizations' in ((returns[200] as { shape?: object }).shape ?? {}) ? 'organizations' : 'data'
  return page ? { 'x-pagination': { type: 'page', parameter: 'page', rows } } : {}
}

/** Refuses two operations that a client would call by the same name. */
export function refuseNamesakes(endpoints: Endpoint[]): void {
  const named = Map.groupBy(endpoints, (endpoint) => sdkNameOf(endpoint).join('.'))
  for (const [name, [one, other]] of named)
    if (one && other) throw new Error(`${one.operation} and ${other.operation} are both ${name}: give one its \`sdk\`.`)
}
