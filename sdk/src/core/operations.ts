import type { CallOptions } from './options.ts'

/**
 * An operation as encoded in the method tables: HTTP method, path, and flags. `query` and `body`: its arguments after
 * the path ids. `keyed`: sends an Idempotency-Key. `data`: the response is in an envelope. `file`: the response is not
 * JSON. `pages:rows` and `cursor:rows`: the response is a page with its rows in the named field.
 */
export type Operation = {
  /** the method name, such as `employers.create` */
  name: string
  method: string
  /** `/v1/employers/{employer_id}` */
  path: string
  has: ReadonlySet<string>
  paged?: { by: string; rows: string }
}

/** Operations by group and method name. */
export type OperationTable = Record<string, Record<string, string>>

export type Query = Record<string, unknown>

/** The parsed arguments of a method call. */
export type Call = { operation: Operation; path: string; query: Query; body: unknown; options: CallOptions }

export function readOperation(name: string, text: string): Operation {
  const [method = '', path = '', ...words] = text.split(' ')
  const pages = words.find((word) => word.includes(':'))?.split(':')
  return { name, method, path, has: new Set(words), ...(pages && { paged: { by: pages[0]!, rows: pages[1]! } }) }
}

/** Parses the arguments of a method: path ids in order, body, query, and options. */
export function readCall(operation: Operation, given: unknown[]): Call {
  const { name, has } = operation
  const left = [...given]
  const path = operation.path.replaceAll(/{(\w+)}/g, (_, parameter: string) => {
    const id = left.shift()
    // An empty id would change the path to another operation.
    if (typeof id !== 'string' || id === '') throw new TypeError(`${name}: ${parameter} must be a non-empty string.`)
    // So would dot segments, which URLs resolve.
    if (id === '.' || id === '..') throw new TypeError(`${name}: ${parameter} must be an id.`)
    return encodeURIComponent(id)
  })
  return {
    operation,
    path,
    body: has.has('body') ? left.shift() : undefined,
    query: (has.has('query') ? (left.shift() as Query | undefined) : undefined) ?? {},
    options: (left.shift() as CallOptions | undefined) ?? {},
  }
}

/** Encodes the query. Several values of a parameter are repeated. */
export function queryText(query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((item) => (item === undefined || item === null ? [] : [[name, String(item)]])),
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
