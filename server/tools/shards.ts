import type pg from 'pg'
import { by_organization } from '../platform/database/distribution.ts'
import type { Statement } from '../platform/database/statement.ts'
import { explained, isPlanned, wholeOf, type PlanNode } from './plans.ts'

/** Where a statement runs once tenants are divided over several servers. */
export type StatementReach = 'one shard' | 'all shards' | 'coordinator' | 'one shard, of a caller of one organization'

const divided: ReadonlySet<string> = new Set(by_organization)

/** Functions that read what is divided by themselves: what they say of it stands in no plan. */
const reading_functions = /\b(?:book_entry_on|employer_benefits_on|events_made_since|scope_of|served_days)\(/

/** What a column of an organization is equal to: a value from outside, or a column of another relation. */
const equality = /\(*(\w+)\.organization_id\)*(?:::text)* = \(*(?:(\w+)\.organization_id\b|\$\d+|'[^']*')/g

/** The same the other way round, as PostgreSQL asks once for what it knows before. */
const equality_asked_once = /\$\d+\)*(?:\[1\])?\)*(?:::text)* = \(*(\w+)\.organization_id\b/g

const textsOf = (node: PlanNode): string[] => Object.values(node).filter((value) => typeof value === 'string')

/** Relations as sets of those whose organization is the same one; what is from outside is in one with `value`. */
class Equals {
  readonly #parents = new Map<string, string>()

  find(name: string): string {
    const parent = this.#parents.get(name)
    return parent === undefined ? name : this.find(parent)
  }

  join(one: string, other: string): void {
    const [a, b] = [this.find(one), this.find(other)]
    if (a !== b) this.#parents.set(a, b)
  }
}

const value = '$'

/** Rows that are inserted with an organization from outside. The columns of a table are in `order`. */
const insertsOfOne = (node: PlanNode, table: string, order: ReadonlyMap<string, readonly string[]>): boolean => {
  const at = order.get(table)!.indexOf('organization_id')
  const outputs = (node.Plans ?? []).filter((plan) => plan['Parent Relationship'] === 'Outer')
  return outputs.every(({ Output }) => /^\(*(?:\$\d+|'[^']*')/.test((Output as string[])[at] ?? ''))
}

/**
 * Where a statement runs, by its plan: on one shard when each relation of it that is divided names its organization by
 * an equality with a value that it was given.
 */
function reachOf(
  text: string,
  nodes: readonly PlanNode[],
  order: ReadonlyMap<string, readonly string[]>,
): StatementReach {
  const equals = new Equals()
  const touched = new Map<string, string>()
  const inserts: boolean[] = []
  for (const node of nodes) {
    const table = wholeOf(node['Relation Name'])
    if (table === undefined || node.Alias === undefined || !divided.has(table)) continue
    if (node.Operation === 'Insert') inserts.push(insertsOfOne(node, table, order))
    else if (node['Node Type'] !== 'ModifyTable') touched.set(node.Alias, table)
  }
  const texts = nodes.flatMap(textsOf)
  for (const [, alias] of texts.flatMap((found) => [...found.matchAll(equality_asked_once)])) equals.join(alias!, value)
  const equalities = texts.flatMap((found) => [...found.matchAll(equality)])
  for (const [, alias, other] of equalities) equals.join(alias!, other ?? value)
  if (reading_functions.test(text)) return 'all shards'
  if (touched.size === 0 && inserts.length === 0) return 'coordinator'
  const is_one =
    inserts.every(Boolean) && [...touched.keys()].every((alias) => equals.find(alias) === equals.find(value))
  return is_one ? 'one shard' : 'all shards'
}

/** Where each statement runs, by its name. */
export async function reachesOf(
  owner: pg.Client,
  statements: Iterable<Statement>,
): Promise<Map<string, StatementReach>> {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(
    `select attrelid::regclass::text as name, array_agg(attname::text order by attnum) as columns
       from pg_attribute where attrelid = any($1::regclass[]) and attnum > 0 and not attisdropped group by attrelid`,
    [by_organization],
  )
  const order = new Map(rows.map(({ name, columns }) => [name, columns]))
  const reaches = new Map<string, StatementReach>()
  const ask = async (text: string) => reachOf(text, await explained(owner, { text }), order)
  for (const { name, text, text_of_one } of statements) {
    const reach = isPlanned({ text }) ? await ask(text) : 'coordinator'
    const helps = reach === 'all shards' && text_of_one !== text && (await ask(text_of_one)) === 'one shard'
    reaches.set(name, helps ? 'one shard, of a caller of one organization' : reach)
  }
  return reaches
}
