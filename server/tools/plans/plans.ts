import type pg from 'pg'
import { scope_setting } from '../../database/query/rows-of.ts'
import type { Statement } from '../../database/sql/statement.ts'

/** Tables that stay small regardless of the number of tenants, so scanning them is acceptable. */
const small_tables = new Set([
  'installation',
  'audit_seals',
  'migrations',
  'schema_definitions',
  'secret_keys',
  'service_processes',
  'replica_heartbeats',
  'billing_systems',
  'daily_run',
  'operators',
  'operator_invitations',
])

/** Tables with thousands of rows per organization. One row must be found by its own key. */
const large_tables = new Set([
  'members',
  'employees',
  'employers',
  'hris_connections',
  'enrollments',
  'elections',
  'enrollment_messages',
  'dependents',
  'covered_dependents',
  'qualifying_life_events',
  'deduction_lines',
  'invoice_lines',
])

export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
  [other: string]: unknown
}

/**
 * The connections that explain plans: one as the service role, with row-level security, and one as the owner, without
 * it.
 */
export type PlanClients = { service: pg.Client; owner: pg.Client }

export const explained = async (client: pg.Client, { text }: Pick<Statement, 'text'>): Promise<PlanNode[]> => {
  const { rows } = await client.query(`explain (generic_plan, verbose, costs off, format json) ${text}`)
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
}

/**
 * The faults in the plan of a statement, on an empty database where PostgreSQL scans a table only if no index fits: a
 * scan of a large table, a filter within an organization on a column that an index begins with, a tenant table without
 * a condition on the organization, or an index that row-level security prevents. Parameters have no values (a generic
 * plan), so the plan is the same for all values.
 */
async function faultsInPlan(
  { service, owner }: PlanClients,
  statement: Statement,
  { tenant_tables, partial_indexes, leading }: KnownRelations,
): Promise<string[]> {
  const nodes = await explained(service, statement)
  const conditions = nodes
    .flatMap((node) => Object.values(node).flatMap((value) => (typeof value === 'string' ? value : [])))
    .join('\n')
    .replaceAll(of_the_policy, '')
  const faults = new Set<string>()
  for (const node of nodes) {
    const table = wholeOf(node['Relation Name'])
    const alias = node.Alias
    if (table === undefined || alias === undefined || !node['Node Type'].endsWith('Scan') || small_tables.has(table))
      continue
    if (scansAll(node, partial_indexes)) faults.add(`scans ${table}`)
    for (const column of filteredColumns(node, leading)) faults.add(`filters ${table} by ${column}`)
    if (tenant_tables.has(table) && !namesOrganization(alias, conditions))
      faults.add(`reads ${table} of any organization`)
  }
  const used = lookupsIn(nodes)
  for (const lookup of lookupsIn(await explained(owner, statement)))
    if (!used.has(lookup)) faults.add(`loses ${lookup}`)
  return [...faults]
}

/** The indexes that are used, each with the columns of its condition. */
const lookupsIn = (nodes: PlanNode[]): Set<string> =>
  new Set(
    nodes.flatMap(({ 'Index Name': index, 'Index Cond': condition = '' }) => {
      const columns = [...condition.matchAll(compared_column)].map(([, column]) => column!.replaceAll(/\w+\./g, ''))
      return index === undefined
        ? []
        : [`${wholeOf(index)!} by ${[...new Set(columns)].sort().join(', ') || 'its order'}`]
    }),
  )

/** A compared column of an alias, or a compared row. */
const compared_column = /\(\(?(\w+\.\w+|ROW\([^)]*\))\)?(?:::\w+)? (?:=|<|>|@|&)/g

/** The condition of row-level security on each row. A statement must contain the organization itself. */
const of_the_policy = new RegExp(
  String.raw`\b\w+\.organization_id\)*(?:::text)? = (?:current_setting\('${scope_setting}'::text\)|''::text)`,
  'g',
)

/** PostgreSQL plans statements that read or write rows, but not those that set something. */
export const isPlanned = ({ text }: Pick<Statement, 'text'>): boolean =>
  /\*\/\s*(?:select|insert|update|delete|merge|with)\b/i.test(text)

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The table of a partition, or the relation itself. */
export const wholeOf = (relation: string | undefined): string | undefined => relation?.replace(/_(?:other|\d)$/, '')

/**
 * Whether a node reads a whole table, including through an index without a condition. A partial index counts as a
 * condition.
 */
const scansAll = (node: PlanNode, partial_indexes: ReadonlySet<string>): boolean =>
  node['Node Type'] === 'Seq Scan' ||
  (/^Index (Only )?Scan$/.test(node['Node Type']) &&
    node['Index Cond'] === undefined &&
    !partial_indexes.has(node['Index Name']!))

/**
 * The columns that a node filters within an organization although an index begins with them. As long as PostgreSQL
 * believes that a table is small, it prefers any index with the organization (docs/design/data/sql.md).
 */
function filteredColumns(node: PlanNode, leading: ReadonlySet<string>): string[] {
  const table = wholeOf(node['Relation Name'])!
  const alias = node.Alias!.replaceAll('$', String.raw`\$`)
  const own = new RegExp(String.raw`\(${alias}\.(\w+)\)?(?:::\w+)? = `, 'g')
  const compared = (condition: unknown) => [...String(condition ?? '').matchAll(own)].map(([, column]) => column!)
  const requested = compared(node['Index Cond'])
  return requested.includes('organization_id') && requested.length === 1 && large_tables.has(table)
    ? compared(node.Filter).filter((column) => leading.has(`${table}.${column}`))
    : []
}

/** Whether a plan compares the organization of a relation with something, including null. */
function namesOrganization(alias: string, conditions: string): boolean {
  const column = String.raw`\(*\b${alias.replaceAll('$', String.raw`\$`)}\.organization_id\)*(?:::text)?\)*`
  const none = String.raw`${column} IS NULL|NOT \(${column} IS DISTINCT FROM `
  return new RegExp(String.raw`${column} = |= (?:ANY \()?${column}|${none}`).test(conditions)
}

type KnownRelations = {
  /** tables with rows of tenants, which have an organization_id */
  tenant_tables: ReadonlySet<string>
  partial_indexes: ReadonlySet<string>
  /** the first column of each index that is not partial, as `table.column` */
  leading: ReadonlySet<string>
}

const names = async (client: pg.Client, text: string): Promise<Set<string>> => {
  const { rows } = await client.query<{ name: string }>(text)
  return new Set(rows.map(({ name }) => name))
}

/** The faults of all statements, as sentences that begin with the name of the statement. */
export async function faultsInPlans(clients: PlanClients, statements: Iterable<Statement>): Promise<string[]> {
  const known = {
    tenant_tables: await names(
      clients.owner,
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'organization_id'`,
    ),
    partial_indexes: await names(
      clients.owner,
      'select indexrelid::regclass::text as name from pg_index where indpred is not null',
    ),
    leading: await names(
      clients.owner,
      `select indrelid::regclass || '.' || attname as name
         from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
        where indpred is null and attname <> 'organization_id'`,
    ),
  }
  for (const client of [clients.service, clients.owner])
    await client.query(`set enable_seqscan = off; set ${scope_setting} = '*'`)
  const found: string[] = []
  for (const statement of statements) {
    if (!isPlanned(statement)) continue
    for (const fault of await faultsInPlan(clients, statement, known)) found.push(`${statement.name} ${fault}`)
  }
  return found
}
