import { endpoints } from '../../modules.ts'
import { asText, type Dice } from './dice.ts'
import type { Shot } from './shots.ts'

type Node = Record<string, unknown> | unknown[]

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** Every object and list of a body, the body itself included. */
const nodesOf = (body: unknown): Node[] => (isNode(body) ? [body, ...Object.values(body).flatMap(nodesOf)] : [])

/** Makes a body wrong in one place, sometimes in three: types, nulls, lack, excess, what belongs to others. */
export function bend(dice: Dice, hostiles: unknown[], body: unknown, anId: () => string): unknown {
  let bent = structuredClone(body)
  const times = dice.weigh([
    [5, 1],
    [1, 3],
  ])
  for (let time = 0; time < times; time++) bent = bendOnce(dice, hostiles, bent, anId)
  return bent
}

function bendOnce(dice: Dice, hostiles: unknown[], body: unknown, anId: () => string): unknown {
  const nodes = nodesOf(body)
  if (nodes.length === 0 || dice.chance(0.03)) return structuredClone(dice.pick([...hostiles.slice(0, 40), undefined]))
  const node = dice.pick(nodes)
  const keys = Object.keys(node)
  const put = (key: string, value: unknown) =>
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true })
  const key = dice.pick(keys.length > 0 ? keys : ['0'])
  dice.weigh<() => unknown>([
    // A copy: what is bent again must not become part of itself.
    [10, () => put(key, structuredClone(dice.pick(hostiles)))],
    [3, () => put(key, null)],
    [3, () => (Array.isArray(node) ? node.pop() : delete node[key])],
    [3, () => put(key, swapped((node as Record<string, unknown>)[key]))],
    [1, () => put(key, [(node as Record<string, unknown>)[key]])],
    [1, () => put(key, 'x'.repeat(dice.pick([256, 2049, 20_000])))],
    [1, () => put(key, deep(dice.whole(2, 60)))],
    [2, () => isId(node, key) && put(key, anId())],
    [1, () => put(dice.pick(['ssn', 'id', 'status', 'organization_id', '__proto__', 'constructor', 'éé']), 'x')],
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

/** Whether there is an id: elsewhere one of others would be kept as a text, and shown as the sender's own. */
const isId = (node: Node, key: string): boolean =>
  /^[a-z]{3,6}_\w{26}$/.test(asText((node as Record<string, unknown>)[key]))

/** A number as text and a text as a number: what a lenient check takes for the other. */
const swapped = (value: unknown): unknown =>
  typeof value === 'string' ? Number.parseInt(value, 10) || 0 : asText(value)

const deep = (levels: number): unknown => (levels === 0 ? {} : { a: deep(levels - 1) })

/** Makes bytes of a body wrong: cut off, not JSON, not UTF-8, a key twice. */
export function breakBody(dice: Dice, body: string | Buffer): string | Buffer {
  const text = body.toString()
  return dice.pick<string | Buffer>([
    text.slice(0, dice.whole(0, text.length)),
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

/** Makes a query wrong: twice, strange, out of bounds, in brackets. */
export function bendQuery(
  dice: Dice,
  hostiles: unknown[],
  pairs: [string, string][],
  declared: string[],
): [string, string][] {
  const name = dice.pick([...declared, 'unknown'])
  const strange = asText(dice.pick(hostiles)).slice(0, 1000)
  return [
    ...pairs,
    ...dice.pick<[string, string][]>([
      [[name, strange]],
      [[name, '']],
      [
        [name, 'a'],
        [name, 'b'],
      ],
      [[`${name}[a]`, '1']],
      [[`${name}[0]`, strange]],
      [[`${name}[]`, strange]],
      [['limit', dice.pick(['0', '101', '-1', '1e2', ' 5', '0x5', '99999999999999999999'])]],
      [['page', dice.pick(['0', '-1', '999999', '99999999999999', '1.0'])]],
      [['__proto__', 'x']],
      [['limit', '100']],
    ]),
  ]
}

/** Spells a path otherwise, or makes it lead elsewhere or nowhere. */
export function garble(dice: Dice, hostiles: unknown[], shot: Shot): void {
  const { path } = shot
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
    path.replace(/\/[^/]*$/, `/${encodeURIComponent(asText(dice.pick(hostiles)).toWellFormed()).slice(0, 500)}`),
    operators,
  ]
  shot.path = dice.pick([...same, ...other])
  if (same.includes(shot.path) || shot.path === path) return
  // Operators have some operations of partners as well.
  const named = shot.path === operators ? shot.endpoint?.path.replace('/v1', '/operator/v1') : undefined
  shot.endpoint = endpoints.find((endpoint) => endpoint.path === named && endpoint.method === shot.method)
}
