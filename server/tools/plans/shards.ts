import type pg from 'pg'
import { by_organization } from '../../database/citus/placement.ts'
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

const sharded: ReadonlySet<string> = new Set(by_organization)

/** Sharded tables that are read without a limit to one organization. */
const read_at_large = new RegExp(
  String.raw`(?<!\bdelete )\b(?:from|join|using) (?:${by_organization.join('|')})\b` +
    String.raw`(?! *\(| where organization_id = \(?\$)`,
)

/** An equality of an organization column with a value or with the column of another relation. */
const equality = /\(*(\w+)\.organization_id\)*(?:::text)* = \(*(?:(\w+)\.organization_id\b|\$\d+|'[^']*')/g

/** The same equality with its sides swapped, which PostgreSQL prints if it computes the value first. */
const single_equality = /\$\d+\)*(?:\[1\])?\)*(?:::text)* = \(*(\w+)\.organization_id\b/g

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

/** Whether a plan changes only rows whose organization equals a parameter or a constant. */
function changesOneOrganization(nodes: readonly PlanNode[]): boolean {
  const equals = new Equals()
  const texts = nodes.flatMap(textsOf)
  for (const [, alias] of texts.flatMap((found) => [...found.matchAll(single_equality)])) equals.join(alias!, value)
  const equalities = texts.flatMap((found) => [...found.matchAll(equality)])
  for (const [, alias, other] of equalities) equals.join(alias!, other ?? value)
  const isOfOne = (alias: string) => equals.find(alias) === equals.find(value)
  // The condition of a partitioned table is at its partitions: those of `event` are `event_1`, `event_2` and so on.
  const partitionsOf = (alias: string) =>
    nodes.flatMap(({ Alias = '' }) => (Alias.replace(/_\d+$/, '') === alias && Alias !== alias ? [Alias] : []))
  return nodes.every((node) => {
    const table = wholeOf(node['Relation Name'])
    const is_change = node['Node Type'] === 'ModifyTable' && node.Operation !== 'Insert'
    if (!is_change || !table || !sharded.has(table)) return true
    const partitions = partitionsOf(node.Alias!)
    return isOfOne(node.Alias!) || (partitions.length > 0 && partitions.every(isOfOne))
  })
}

/** Whether a sharded database runs a statement on all shards without a declared reason, by its rewritten text. */
async function runsOnAllShards(owner: pg.Client, statement: Statement): Promise<boolean> {
  const { name } = statement
  if (isBatched(statement) || name in not_where_sharded || requestsAllServers(statement) || name in on_purpose)
    return false
  const { text } = rewriteStatement(statement, true)
  if (!isPlanned({ text })) return false
  return read_at_large.test(text) || !changesOneOrganization(await explained(owner, { text }))
}

/** The statements that run on all shards without a declared reason, as sentences. */
export async function faultsInShards(owner: pg.Client, statements: ReadonlyMap<string, Statement>): Promise<string[]> {
  const faults: string[] = []
  for (const statement of statements.values())
    if (await runsOnAllShards(owner, statement))
      faults.push(`${statement.name} runs on all shards. Limit it to its organization, or add the reason to shards.ts.`)
  for (const name of Object.keys({ ...on_purpose, ...not_where_sharded }))
    if (!statements.has(name)) faults.push(`${name} is not a statement. Remove it from the list in shards.ts.`)
  return faults
}
