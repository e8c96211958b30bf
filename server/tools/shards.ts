import type pg from 'pg'
import { at_coordinator, by_organization } from '../database/citus/placement.ts'
import { isOfSeveral } from '../database/citus/multi-tenant-lists.ts'
import { isTogether, type Statement } from '../database/sql/statement.ts'
import { not_where_divided, on_purpose } from './shards-known.ts'
import { explained, isPlanned, wholeOf, type PlanNode } from './plans.ts'

/** Where a statement runs once tenants are divided over several servers, as `server/statements.sql` says it. */
export type StatementReach = string

const divided: ReadonlySet<string> = new Set(by_organization)

/** Tables that are read, and do not stand there as those of one organization. */
const read_at_large = new RegExp(
  String.raw`(?<!\bdelete )\b(?:from|join|using) (?:${by_organization.join('|')})\b` +
    String.raw`(?! *\(| where organization_id = \(?\$)`,
)

const of_coordinator: ReadonlySet<string> = new Set(Object.values(at_coordinator).flat())

/** Functions that read what is divided by themselves: what they say of it stands in no plan. */
const reading_functions = /\b(?:book_entry_on|employer_benefits_on|events_made_since|scope_of|served_days)\(/

/** What a column of an organization is equal to: a value from outside, or a column of another relation. */
const equality = /\(*(\w+)\.organization_id\)*(?:::text)* = \(*(?:(\w+)\.organization_id\b|\$\d+|'[^']*')/g

/** The same the other way round, as PostgreSQL asks once for what it knows before. */
const equality_asked_once = /\$\d+\)*(?:\[1\])?\)*(?:::text)* = \(*(\w+)\.organization_id\b/g

/** Of a statement that does not say why. */
const at_large = 'on all shards'

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

/** What a plan does with tables: whose servers have them, and whether what is written says whose it is. */
function tablesIn(nodes: readonly PlanNode[], order: ReadonlyMap<string, readonly string[]>) {
  const equals = new Equals()
  const targets = new Set<string>()
  const tables = new Set<string>()
  let inserts_of_one = true
  for (const node of nodes) {
    const table = wholeOf(node['Relation Name'])
    if (table === undefined || node.Alias === undefined) continue
    tables.add(table)
    if (!divided.has(table)) continue
    if (node.Operation === 'Insert') inserts_of_one &&= insertsOfOne(node, table, order)
    else if (node['Node Type'] === 'ModifyTable') targets.add(node.Alias)
  }
  const texts = nodes.flatMap(textsOf)
  for (const [, alias] of texts.flatMap((found) => [...found.matchAll(equality_asked_once)])) equals.join(alias!, value)
  const equalities = texts.flatMap((found) => [...found.matchAll(equality)])
  for (const [, alias, other] of equalities) equals.join(alias!, other ?? value)
  return {
    is_divided: [...tables].some((table) => divided.has(table)),
    is_coordinators: [...tables].some((table) => of_coordinator.has(table)),
    changes_of_one: [...targets].every((alias) => equals.find(alias) === equals.find(value)),
    inserts_of_one,
  }
}

/**
 * Where a statement runs, by the text that a divided database is sent and its plan: on one shard when each table in it
 * that is divided is that of an organization which it was given as a value.
 */
async function reachOf(
  owner: pg.Client,
  statement: Statement,
  order: ReadonlyMap<string, readonly string[]>,
): Promise<StatementReach> {
  const { name, text_of_one: text, parameters } = statement
  if (isTogether(statement) || name in not_where_divided) return 'not where tenants are divided'
  if (isOfSeveral(statement)) return 'on all shards on purpose: a list of several organizations'
  if (name in on_purpose) return `on all shards on purpose: ${on_purpose[name]}`
  if (!isPlanned({ text })) return 'on coordinator'
  const { is_divided, is_coordinators, changes_of_one, inserts_of_one } = tablesIn(
    await explained(owner, { text }),
    order,
  )
  if (!is_divided && !reading_functions.test(text)) return 'on coordinator'
  if (read_at_large.test(text) || !changes_of_one) return at_large
  if (!inserts_of_one) return 'on the shards of its rows, which the coordinator sends there'
  const shard = is_coordinators ? 'on one shard and the coordinator, which brings them together' : 'on one shard'
  return parameters.includes('organization_id') ? shard : `${shard}; of a caller of one organization`
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
  for (const statement of statements) reaches.set(statement.name, await reachOf(owner, statement, order))
  return reaches
}

/** Statements that run on all shards and don't say why, as sentences. */
export const faultsInReaches = (reaches: ReadonlyMap<string, StatementReach>): string[] => [
  ...[...reaches]
    .filter(([, reach]) => reach === at_large)
    .map(([name]) => `${name} runs on all shards: it names its organization, or says why not in shards-known.ts.`),
  ...[...Object.keys(on_purpose), ...Object.keys(not_where_divided)]
    .filter((name) => !reaches.has(name))
    .map((name) => `${name} is no statement: take it off the list in shards-known.ts.`),
]
