import type { Endpoint } from '../endpoint.ts'
import type { Json } from './openapi-schemas.ts'

/** `x-sdk` and `x-pagination`: information for client generators that OpenAPI does not define. */
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
export function refuseDuplicateNames(endpoints: Endpoint[]): void {
  const named = Map.groupBy(endpoints, (endpoint) => sdkNameOf(endpoint).join('.'))
  for (const [name, [one, other]] of named)
    if (one && other)
      throw new Error(
        `${one.operation} and ${other.operation} have the same SDK name ${name}. Declare \`sdk\` on one of them.`,
      )
}
