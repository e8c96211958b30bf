import type pg from 'pg'
import { scope_setting } from '../database/query/rows-of.ts'
import type { Statement } from '../database/sql/statement.ts'

/** Tables that stay small however many tenants there are: to look through them costs nothing that grows. */
const small_tables = new Set([
  'installation',
  'audit_seals',
  'migrations',
  'secret_keys',
  'service_processes',
  'replica_beats',
  'billing_systems',
  'daily_run',
  'operators',
  'operator_invitations',
])

/** Tables of which an organization has thousands of rows: one of them is found by what tells it apart. */
const large_tables = new Set([
  'members',
  'employees',
  'employers',
  'hris_connections',
  'enrollments',
  'elections',
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

/** Who asks for plans: the role that serves, whose rows the second lock narrows, and the one that it does not hold. */
export type Askers = { service: pg.Client; owner: pg.Client }

export const explained = async (client: pg.Client, { text }: Pick<Statement, 'text'>): Promise<PlanNode[]> => {
  const { rows } = await client.query(`explain (generic_plan, verbose, costs off, format json) ${text}`)
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
}

/**
 * What is wrong with how PostgreSQL would run a statement, on an empty database in which whole tables are only scanned
 * where no index serves: a scan of a large table, a look through an organization for what an index begins with, a
 * tenant's table whose rows are not named by their organization, or an index that the second lock keeps a statement
 * from. Undefined parameters stay parameters (a generic plan), so this is the plan of every value.
 */
async function faultsInPlan(
  { service, owner }: Askers,
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
    for (const column of passedOver(node, leading)) faults.add(`looks through ${table} for ${column}`)
    if (tenant_tables.has(table) && !namesOrganization(alias, conditions))
      faults.add(`reads ${table} of any organization`)
  }
  const used = lookupsIn(nodes)
  for (const lookup of lookupsIn(await explained(owner, statement)))
    if (!used.has(lookup)) faults.add(`loses ${lookup}`)
  return [...faults]
}

/** Indexes, each with the columns by which it is asked where to begin. */
const lookupsIn = (nodes: PlanNode[]): Set<string> =>
  new Set(
    nodes.flatMap(({ 'Index Name': index, 'Index Cond': condition = '' }) => {
      const columns = [...condition.matchAll(asked_column)].map(([, column]) => column!.replaceAll(/\w+\./g, ''))
      return index === undefined
        ? []
        : [`${wholeOf(index)!} by ${[...new Set(columns)].sort().join(', ') || 'its order'}`]
    }),
  )

/** What stands before an operator: a column of an alias, or a row of some. */
const asked_column = /\(\(?(\w+\.\w+|ROW\([^)]*\))\)?(?:::\w+)? (?:=|<|>|@|&)/g

/** What the second lock asks of each row: a statement names its organization itself. */
const of_the_policy = new RegExp(
  String.raw`\b\w+\.organization_id\)*(?:::text)? = (?:current_setting\('${scope_setting}'::text\)|''::text)`,
  'g',
)

/** PostgreSQL plans what reads and writes rows, and not what sets something. */
export const isPlanned = ({ text }: Pick<Statement, 'text'>): boolean =>
  /\*\/\s*(?:select|insert|update|delete|merge|with)\b/i.test(text)

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The table of which a relation is a part, as far as parts are there without the service running. */
export const wholeOf = (relation: string | undefined): string | undefined => relation?.replace(/_(?:other|\d)$/, '')

/** By an index too, when nothing says where in it to begin. A partial index says that by itself. */
const scansAll = (node: PlanNode, partial_indexes: ReadonlySet<string>): boolean =>
  node['Node Type'] === 'Seq Scan' ||
  (/^Index (Only )?Scan$/.test(node['Node Type']) &&
    node['Index Cond'] === undefined &&
    !partial_indexes.has(node['Index Name']!))

/**
 * What a node compares in each row of an organization though an index begins with it. As long as PostgreSQL believes
 * that a table is small, any index that names the organization is as good to it (decision 166).
 */
function passedOver(node: PlanNode, leading: ReadonlySet<string>): string[] {
  const table = wholeOf(node['Relation Name'])!
  const alias = node.Alias!.replaceAll('$', String.raw`\$`)
  const own = new RegExp(String.raw`\(${alias}\.(\w+)\)?(?:::\w+)? = `, 'g')
  const compared = (condition: unknown) => [...String(condition ?? '').matchAll(own)].map(([, column]) => column!)
  const asked = compared(node['Index Cond'])
  return asked.includes('organization_id') && asked.length === 1 && large_tables.has(table)
    ? compared(node.Filter).filter((column) => leading.has(`${table}.${column}`))
    : []
}

/** Whether somewhere in a plan the organization of a relation is equal to something, which may be none. */
function namesOrganization(alias: string, conditions: string): boolean {
  const column = String.raw`\(*\b${alias.replaceAll('$', String.raw`\$`)}\.organization_id\)*(?:::text)?\)*`
  const none = String.raw`${column} IS NULL|NOT \(${column} IS DISTINCT FROM `
  return new RegExp(String.raw`${column} = |= (?:ANY \()?${column}|${none}`).test(conditions)
}

type KnownRelations = {
  /** tables that hold rows of tenants: they have an organization_id */
  tenant_tables: ReadonlySet<string>
  partial_indexes: ReadonlySet<string>
  /** `table.column`: by which an index of all rows begins */
  leading: ReadonlySet<string>
}

const names = async (client: pg.Client, text: string): Promise<Set<string>> => {
  const { rows } = await client.query<{ name: string }>(text)
  return new Set(rows.map(({ name }) => name))
}

/** Each fault of each statement, as a sentence that begins with its name. */
export async function faultsInPlans(askers: Askers, statements: Iterable<Statement>): Promise<string[]> {
  const known = {
    tenant_tables: await names(
      askers.owner,
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'organization_id'`,
    ),
    partial_indexes: await names(
      askers.owner,
      'select indexrelid::regclass::text as name from pg_index where indpred is not null',
    ),
    leading: await names(
      askers.owner,
      `select indrelid::regclass || '.' || attname as name
         from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
        where indpred is null and attname <> 'organization_id'`,
    ),
  }
  for (const client of [askers.service, askers.owner])
    await client.query(`set enable_seqscan = off; set ${scope_setting} = '*'`)
  const found: string[] = []
  for (const statement of statements) {
    if (!isPlanned(statement)) continue
    for (const fault of await faultsInPlan(askers, statement, known)) found.push(`${statement.name} ${fault}`)
  }
  return found
}
