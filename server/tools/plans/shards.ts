import type pg from 'pg'
import { at_coordinator, by_organization } from '../../database/citus/placement.ts'
import { rewriteStatement } from '../../database/citus/rewrite-statement.ts'
import { requestsAllServers } from '../../database/sql/distributed-lists.ts'
import { isBatched, type Statement } from '../../database/sql/statement.ts'
import { explained, isPlanned, wholeOf, type PlanNode } from './plans.ts'

const each_separately = 'there each event is written separately'

/** Statements that a sharded database never receives, and the alternative there. */
const not_where_sharded: Record<string, string> = {
  'events.listUnnumbered': 'there one statement reads all shards',
  'events.recordEvents': each_separately,
  'organizations.savePassed': 'there each organization is read separately',
  'webhook-deliveries.claimDeliveries':
    'there deliveries are claimed separately, and their events are read per organization',
  'webhook-deliveries.makeDeliveries':
    'there deliveries are created separately, and their events are read per organization',
}

/** Statements that run on all shards, and why. */
const on_purpose: Record<string, string> = {
  'events.listUnnumberedOnShards': 'long polls of many organizations share one read',
  'events.positionsOf': 'long polls of many organizations share one read',
}

/** Where a sharded database runs a statement, as `server/statements.sql` describes it. */
export type StatementReach = string

const sharded: ReadonlySet<string> = new Set(by_organization)

/** Sharded tables that are read without a limit to one organization. */
const read_at_large = new RegExp(
  String.raw`(?<!\bdelete )\b(?:from|join|using) (?:${by_organization.join('|')})\b` +
    String.raw`(?! *\(| where organization_id = \(?\$)`,
)

const of_coordinator: ReadonlySet<string> = new Set(Object.values(at_coordinator).flat())

/** Functions that read sharded tables, which a plan does not show. */
const reading_functions = /\b(?:book_entry_on|employer_benefits_on|events_made_since|scope_of|served_days)\(/

/** An equality of an organization column with a value or with the column of another relation. */
const equality = /\(*(\w+)\.organization_id\)*(?:::text)* = \(*(?:(\w+)\.organization_id\b|\$\d+|'[^']*')/g

/** The same equality with its sides swapped, which PostgreSQL prints if it computes the value first. */
const single_equality = /\$\d+\)*(?:\[1\])?\)*(?:::text)* = \(*(\w+)\.organization_id\b/g

/** The mark of a statement that runs on all shards without a declared reason. */
const at_large = 'on all shards'

const textsOf = (node: PlanNode): string[] => Object.values(node).filter((value) => typeof value === 'string')

/**
 * Sets of tables whose rows a plan requires to have the same organization. Tables whose organization equals a parameter
 * are in the set of `value`.
 */
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

/** Whether a parameter sets the organization of every inserted row. `order` contains the columns of each table. */
const insertsOfOne = (node: PlanNode, table: string, order: ReadonlyMap<string, readonly string[]>): boolean => {
  const index = order.get(table)!.indexOf('organization_id')
  const outputs = (node.Plans ?? []).filter((plan) => plan['Parent Relationship'] === 'Outer')
  return outputs.every(({ Output }) => /^\(*(?:\$\d+|'[^']*')/.test((Output as string[])[index] ?? ''))
}

/** The tables of a plan: their placement, and whether its writes are limited to one organization. */
function tablesIn(nodes: readonly PlanNode[], order: ReadonlyMap<string, readonly string[]>) {
  const equals = new Equals()
  const targets = new Set<string>()
  const tables = new Set<string>()
  let inserts_of_one = true
  for (const node of nodes) {
    const table = wholeOf(node['Relation Name'])
    if (table === undefined || node.Alias === undefined) continue
    tables.add(table)
    if (!sharded.has(table)) continue
    if (node.Operation === 'Insert') inserts_of_one &&= insertsOfOne(node, table, order)
    else if (node['Node Type'] === 'ModifyTable') targets.add(node.Alias)
  }
  const texts = nodes.flatMap(textsOf)
  for (const [, alias] of texts.flatMap((found) => [...found.matchAll(single_equality)])) equals.join(alias!, value)
  const equalities = texts.flatMap((found) => [...found.matchAll(equality)])
  for (const [, alias, other] of equalities) equals.join(alias!, other ?? value)
  const isOfOne = (alias: string) => equals.find(alias) === equals.find(value)
  // The condition of a partitioned table is at its partitions: those of `event` are `event_1`, `event_2` and so on.
  const partitionsOf = (alias: string) =>
    nodes.flatMap(({ Alias = '' }) => (Alias.replace(/_\d+$/, '') === alias && Alias !== alias ? [Alias] : []))
  const changesOfOne = (alias: string) => {
    const partitions = partitionsOf(alias)
    return isOfOne(alias) || (partitions.length > 0 && partitions.every(isOfOne))
  }
  return {
    is_sharded: [...tables].some((table) => sharded.has(table)),
    is_coordinators: [...tables].some((table) => of_coordinator.has(table)),
    changes_of_one: [...targets].every(changesOfOne),
    inserts_of_one,
  }
}

/**
 * Where a statement runs, by its rewritten text and its plan. It runs on one shard if each sharded table is limited to
 * an organization that is a value.
 */
async function reachOf(
  owner: pg.Client,
  statement: Statement,
  order: ReadonlyMap<string, readonly string[]>,
): Promise<StatementReach> {
  const { name, parameters } = statement
  const { text } = rewriteStatement(statement, true)
  if (isBatched(statement) || name in not_where_sharded) return 'not in a sharded database'
  if (requestsAllServers(statement)) return 'on all shards on purpose: a list of several organizations'
  if (name in on_purpose) return `on all shards on purpose: ${on_purpose[name]}`
  if (!isPlanned({ text })) return 'on coordinator'
  const { is_sharded, is_coordinators, changes_of_one, inserts_of_one } = tablesIn(
    await explained(owner, { text }),
    order,
  )
  if (!is_sharded && !reading_functions.test(text)) return 'on coordinator'
  if (read_at_large.test(text) || !changes_of_one) return at_large
  if (!inserts_of_one) return 'on the shards of its rows, which the coordinator sends there'
  const shard = is_coordinators ? 'on one shard and the coordinator, which joins them' : 'on one shard'
  return parameters.includes('organization_id') ? shard : `${shard}, for a caller of one organization`
}

/** Where each statement runs, by name. */
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
  for (const statement of statements) reaches.set(statement.name, await reachOf(owner, statement, order))
  return reaches
}

/** The statements that run on all shards without a declared reason, as sentences. */
export const faultsInReaches = (reaches: ReadonlyMap<string, StatementReach>): string[] => [
  ...[...reaches]
    .filter(([, reach]) => reach === at_large)
    .map(([name]) => `${name} runs on all shards. Limit it to its organization, or add the reason to shards.ts.`),
  ...[...Object.keys(on_purpose), ...Object.keys(not_where_sharded)]
    .filter((name) => !reaches.has(name))
    .map((name) => `${name} is not a statement. Remove it from the list in shards.ts.`),
]
