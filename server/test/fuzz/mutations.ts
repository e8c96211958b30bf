import { endpoints } from '../../modules.ts'
import { asText, type Random } from './random.ts'
import type { FuzzRequest } from './requests.ts'

type Node = Record<string, unknown> | unknown[]

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object and list of a body, including the body itself. */
const nodesOf = (body: unknown): Node[] => (isNode(body) ? [body, ...Object.values(body).flatMap(nodesOf)] : [])

/** Makes a body invalid in one place, sometimes in three: types, nulls, missing or unknown fields, foreign ids. */
export function mutateBody(random: Random, hostiles: unknown[], body: unknown, anId: () => string): unknown {
  let bent = structuredClone(body)
  const times = random.weigh([
    [5, 1],
    [1, 3],
  ])
  for (let time = 0; time < times; time++) bent = bendOnce(random, hostiles, bent, anId)
  return bent
}

function bendOnce(random: Random, hostiles: unknown[], body: unknown, anId: () => string): unknown {
  const nodes = nodesOf(body)
  if (nodes.length === 0 || random.chance(0.03))
    return structuredClone(random.pick([...hostiles.slice(0, 40), undefined]))
  const node = random.pick(nodes)
  const keys = Object.keys(node)
  const put = (key: string, value: unknown) =>
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true })
  const key = random.pick(keys.length > 0 ? keys : ['0'])
  random.weigh<() => unknown>([
    // A copy, so that another mutation cannot make the value part of itself.
    [10, () => put(key, structuredClone(random.pick(hostiles)))],
    [3, () => put(key, null)],
    [3, () => (Array.isArray(node) ? node.pop() : delete node[key])],
    [3, () => put(key, swapped((node as Record<string, unknown>)[key]))],
    [1, () => put(key, [(node as Record<string, unknown>)[key]])],
    [1, () => put(key, 'x'.repeat(random.pick([256, 2049, 20_000])))],
    [1, () => put(key, deep(random.whole(2, 60)))],
    [2, () => isId(node, key) && put(key, anId())],
    [1, () => put(random.pick(['ssn', 'id', 'status', 'organization_id', '__proto__', 'constructor', 'éé']), 'x')],
    [0.7, () => Array.isArray(node) && node.push(...structuredClone(node))],
    [0.2, () => Array.isArray(node) && node.push(...Array.from({ length: 400 }, () => structuredClone(node[0])))],
    [
      0.2,
      () =>
        put(
          'many',
          Array.from({ length: 2000 }, (_, at) => at),
        ),
    ],
  ])()
  return body
}

/**
 * Whether the field holds an id. A foreign id in a text field would be stored and returned as the sender's own text.
 */
const isId = (node: Node, key: string): boolean =>
  /^[a-z]{3,6}_\w{26}$/.test(asText((node as Record<string, unknown>)[key]))

/** Converts a number to text and text to a number, which a lenient check confuses. */
const swapped = (value: unknown): unknown =>
  typeof value === 'string' ? Number.parseInt(value, 10) || 0 : asText(value)

const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) })

/** Makes the bytes of a body invalid: truncated, not JSON, not UTF-8, a duplicate key. */
export function corruptBytes(random: Random, body: string | Buffer): string | Buffer {
  const text = body.toString()
  return random.pick<string | Buffer>([
    text.slice(0, random.whole(0, text.length)),
    `${text}}`,
    `\ufeff${text}`,
    text.replace('"', "'"),
    text.replace('{', '{"name":1,"name":2,'),
    Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x22])]),
    '',
    ' \n',
    'null',
    '[]',
    '0',
    '"x"',
    '['.repeat(5000),
    `{"a":${'9'.repeat(5000)}}`,
    '{"a":1e999}',
    '{"\\u0000":"\\ud800"}',
    'x'.repeat(70_000),
  ])
}

/** Makes a query invalid: duplicates, unusual names or values, out of bounds, in brackets. */
export function mutateQuery(
  random: Random,
  hostiles: unknown[],
  pairs: [string, string][],
  declared: string[],
): [string, string][] {
  const name = random.pick([...declared, 'unknown'])
  const hostile = asText(random.pick(hostiles)).slice(0, 1000)
  return [
    ...pairs,
    ...random.pick<[string, string][]>([
      [[name, hostile]],
      [[name, '']],
      [
        [name, 'a'],
        [name, 'b'],
      ],
      [[`${name}[a]`, '1']],
      [[`${name}[0]`, hostile]],
      [[`${name}[]`, hostile]],
      [['limit', random.pick(['0', '101', '-1', '1e2', ' 5', '0x5', '99999999999999999999'])]],
      [['page', random.pick(['0', '-1', '999999', '99999999999999', '1.0'])]],
      [['__proto__', 'x']],
      [['limit', '100']],
    ]),
  ]
}

/** Spells a path differently, or makes it lead elsewhere or nowhere. */
export function mutatePath(random: Random, hostiles: unknown[], fuzz_request: FuzzRequest): void {
  const { path } = fuzz_request
  const same = [path.replace('/v1', '/%761'), path.replaceAll('_', '%5f')]
  const operators = path.replace('/v1', '/operator/v1')
  const other = [
    `${path}/`,
    `/${path}`,
    path.replace('/v1', '/V1'),
    path.replace('/v1', '/v2'),
    `${path}/%2e%2e`,
    `${path}%00`,
    `${path}%`,
    `${path}%3fx`,
    path.replace(/\/[^/]*$/, `/${encodeURIComponent(asText(random.pick(hostiles)).toWellFormed()).slice(0, 500)}`),
    operators,
  ]
  fuzz_request.path = random.pick([...same, ...other])
  if (same.includes(fuzz_request.path) || fuzz_request.path === path) return
  // Operators have some of the partners' operations as well.
  const named = fuzz_request.path === operators ? fuzz_request.endpoint?.path.replace('/v1', '/operator/v1') : undefined
  fuzz_request.endpoint = endpoints.find(
    (endpoint) => endpoint.path === named && endpoint.method === fuzz_request.method,
  )
}
