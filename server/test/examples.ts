import type { Api } from './harness.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { ParamKind } from '../kernel/ids.ts'

/** A successful response of an operation. */
export type Facts = { operation: string; status: number; body: unknown }

/** Sends a request to a path. Undefined if it is refused. */
export type SendRequest = (
  endpoint: Endpoint,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown } | undefined>

/** The maximum number of paths to try per operation. */
const max_of_kind = 40

/** The ids in responses, by the path parameters in which they fit. */
class Found {
  readonly #by_kind = new Map<string, Set<string>>()

  note(body: unknown): void {
    for (const [id, prefix] of JSON.stringify(body ?? null).matchAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g))
      this.#add(prefix!, id)
    for (const [id] of JSON.stringify(body ?? null).matchAll(/\bINV-\d+\b/g)) this.#add('text', id)
  }

  of = (kind: ParamKind): string[] => [...(this.#by_kind.get(kind) ?? [])]
  any = (prefix: string): string | undefined => [...(this.#by_kind.get(prefix) ?? [])][0]

  #add(kind: string, id: string): void {
    const known = this.#by_kind.get(kind) ?? new Set()
    this.#by_kind.set(kind, known)
    if (known.size < max_of_kind) known.add(id)
  }
}

/**
 * Collects the responses of operations about the sandbox's data: first of reads that can be reached from other
 * responses, then of the examples of the remaining operations. Keeps the most complete response of each operation.
 */
export async function crawl(
  endpoints: Endpoint[],
  send: SendRequest,
  start: unknown,
  most_paths = 16,
): Promise<Facts[]> {
  const found = new Found()
  found.note(start)
  const best = new Map<string, Facts>()
  const report = async (endpoint: Endpoint, path: string, body?: unknown) => {
    const answer = await send(endpoint, path, body)
    if (answer === undefined) return false
    const { status, body: input } = answer
    found.note(input)
    const before = best.get(endpoint.operation)
    if (!before || outputOf(input) > outputOf(before.body))
      best.set(endpoint.operation, { operation: endpoint.operation, status, body: input })
    return true
  }
  const read = async () => {
    for (const one of endpoints.filter(({ method }) => method === 'GET'))
      for (const path of pathsOf(one, found, most_paths)) await report(one, path)
  }
  const write = async (deletes: boolean) => {
    for (const one of endpoints.filter(({ method }) => method !== 'GET' && (method === 'DELETE') === deletes)) {
      const body = revived(one.example, found)
      for (const path of pathsOf(one, found, most_paths).toReversed()) if (await report(one, path, body)) break
    }
  }
  await read()
  await write(false)
  await read()
  await write(true)
  return [...best.values()]
}

/** The paths of an operation, with known ids for its parameters. */
function pathsOf({ path, params = {} }: Endpoint, found: Found, most: number): string[] {
  const paths = Object.entries(params).reduce<string[]>(
    (paths, [name, kind]) => found.of(kind).flatMap((id) => paths.map((one) => one.replace(`{${name}}`, id))),
    [path],
  )
  const step = Math.max(1, Math.ceil(paths.length / most))
  return paths.filter((_, at) => at % step === 0)
}

/** An example with existing ids. */
const revived = (example: unknown, found: Found): unknown =>
  example === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(example).replaceAll(/\b([a-z]+)_01k[0-9a-z]{23}\b/g, (id, prefix) => found.any(prefix) ?? id),
      )

/** The amount of information in a response. Null and empty values count as zero. */
export function outputOf(value: unknown): number {
  if (value === null || value === '' || value === undefined) return 0
  if (Array.isArray(value)) return value.slice(0, 1).reduce<number>((sum, item) => sum + 1 + outputOf(item), 0)
  if (typeof value !== 'object') return 1
  return Object.values(value).reduce<number>((sum, item) => sum + outputOf(item), 0)
}

const written = new Map<string, string>()

/** Replacements for values that differ in each run: ids in order of appearance, and no secrets. */
const shownAs: Record<string, (value: string) => string> = {
  download_url: () => 'https://benefits.example.com/v1/downloads/eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
  access_token: () => 'obat_eyJhbGciOiJIUzI1NiJ9.eyJr.c2ln',
  api_key: () => 'obk_test_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  operator_key: () => 'obop_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  secret: () => 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
}

/** Converts a response to an example: the first item of each list, with the same ids in each run. */
export function exampleOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => exampleOf(item, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, exampleOf(item, key)]))
  if (typeof value !== 'string') return value
  if (shownAs[name]) return shownAs[name](value)
  return value.replaceAll(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (id, prefix: string) => {
    const number = [...written.keys()].filter((known) => known.startsWith(`${prefix}_`)).length
    const text = number
      .toString(32)
      .padStart(2, '0')
      .replaceAll(/[ilou]/g, (letter) => 'wxyz'['ilou'.indexOf(letter)]!)
    written.set(id, written.get(id) ?? `${prefix}_01kdq7b4w8e9rs2mh3n5t6v7${text}`)
    return written.get(id)!
  })
}

/** The paths of the fields in a value. Includes only the first item of a list, and nothing below null. */
export function shapeOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => shapeOf(item, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [`${path}.${key}`, ...shapeOf(item, `${path}.${key}`)])
}

/** The responses about a scheduled export, until it is deleted. */
export async function scheduleExport(api: Api, api_key: string): Promise<Facts[]> {
  const key = { key: api_key }
  const path = '/v1/scheduled-exports'
  const wanted = { name: 'Employers, each Monday', list: 'employers', format: 'xlsx', frequency: 'weekly' }
  const created = await api.post(path, wanted, key)
  const listed = await api.get(path, key)
  const deleted = await api.call('DELETE', `${path}/${created.body.data.id}`, key)
  return [
    { operation: 'scheduled_exports_create', status: created.status, body: created.body },
    { operation: 'scheduled_exports_list', status: listed.status, body: listed.body },
    { operation: 'scheduled_exports_delete', status: deleted.status, body: deleted.body },
  ]
}
