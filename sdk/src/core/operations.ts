import type { CallOptions } from './options.ts'

/**
 * An operation as the tables of methods write it: its method, its path, and what is particular about it. `query` and
 * `body`: what it takes after the ids of its path. `keyed`: repeats are known by an Idempotency-Key. `data`: the answer
 * stands in an envelope. `file`: the answer is no JSON. `pages:rows` and `cursor:rows`: it answers pages, whose rows
 * are in the field so called.
 */
export type Operation = {
  /** `employers.create`, as clients call it */
  name: string
  method: string
  /** `/v1/employers/{employer_id}` */
  path: string
  has: ReadonlySet<string>
  paged?: { by: string; rows: string }
}

/** Groups of methods, each with its operations by what they are called. */
export type OperationTable = Record<string, Record<string, string>>

export type Query = Record<string, unknown>

/** A call of a method, taken apart. */
export type Call = { operation: Operation; path: string; query: Query; body: unknown; options: CallOptions }

export function readOperation(name: string, text: string): Operation {
  const [method = '', path = '', ...words] = text.split(' ')
  const pages = words.find((word) => word.includes(':'))?.split(':')
  return { name, method, path, has: new Set(words), ...(pages && { paged: { by: pages[0]!, rows: pages[1]! } }) }
}

/** What a method was called with: the ids of its path in their order, its body, its query, and options. */
export function readCall(operation: Operation, given: unknown[]): Call {
  const { name, has } = operation
  const left = [...given]
  const path = operation.path.replaceAll(/{(\w+)}/g, (_, parameter: string) => {
    const id = left.shift()
    // An empty one would make it another operation.
    if (typeof id !== 'string' || id === '')
      throw new TypeError(`${name}: ${parameter} must be a text that is not empty.`)
    // So would these, which addresses resolve.
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

/** The query as it stands in an address: several values of one parameter one after the other. */
export function queryText(query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)]])),
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
