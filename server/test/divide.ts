/**
 * Divides the tenants of a database over the servers that Citus knows behind it, table by table, for the tests: the
 * service has no command for it yet, and nothing brings them back.
 * Each step is looked for in the catalogs and done in a transaction of its own: whoever is interrupted goes on where
 * they were.
 */
import pg from 'pg'
import {
  by_organization,
  everywhere,
  rules_when_divided,
  triggers_of_one_server,
} from '../platform/database/distribution.ts'
import { DatabaseRefused } from '../platform/database/migrate.ts'

type Placement = { table: string; is_divided: boolean; is_everywhere: boolean }
type ForeignKey = { table: string; name: string; target: string; sql: string }

/** Tables that refer to others, which therefore come first. */
const inOrder = (tables: readonly string[], references: readonly ForeignKey[]): string[] => {
  const ordered = new Set<string>()
  const visit = (table: string): void => {
    if (ordered.has(table) || !tables.includes(table)) return
    for (const reference of references)
      if (reference.table === table && reference.target !== table) visit(reference.target)
    ordered.add(table)
  }
  tables.forEach(visit)
  return [...ordered]
}

const listReferences = async (client: pg.Client): Promise<ForeignKey[]> =>
  (
    await client.query<ForeignKey>(
      `select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as target,
              pg_get_constraintdef(oid) as sql
         from pg_constraint
        where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
    )
  ).rows

const listKnown = async (client: pg.Client): Promise<Placement[]> =>
  (
    await client.query<Placement>(
      `select wanted.name as table, coalesce(known.partmethod = 'h', false) as is_divided,
              coalesce(known.partmethod = 'n' and known.repmodel = 't', false) as is_everywhere
         from unnest($1::text[]) as wanted (name)
         left join pg_dist_partition as known on known.logicalrelid = wanted.name::regclass`,
      [[...by_organization, ...everywhere]],
    )
  ).rows

/** Refuses a database that has nowhere to divide its tenants to. */
async function requireServers(client: pg.Client): Promise<void> {
  const { rows: known } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (known.length === 0)
    throw new DatabaseRefused('The database has no Citus: a superuser runs `create extension citus` in it first.')
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'`,
  )
  if (rows[0]!.count === 0)
    throw new DatabaseRefused(
      'Citus knows no server that takes shards: a superuser adds one by `citus_add_node` first.',
    )
}

/** SQL: of rules and triggers that are otherwise where a table is divided. */
const rulesToChange = (undivided: ReadonlySet<string>): string[] => [
  ...rules_when_divided
    .filter(({ table }) => undivided.has(table))
    .map(
      ({ table, name, divided }) =>
        `alter table ${table} drop constraint if exists ${name}, add constraint ${name} ${divided}`,
    ),
  ...triggers_of_one_server
    .filter(({ table }) => undivided.has(table))
    .map(({ table, name }) => `drop trigger if exists ${name} on ${table}`),
]

/** SQL: what is still to be done to divide the tenants of a database; nothing when they are. */
async function planDivision(client: pg.Client): Promise<string[]> {
  await requireServers(client)
  const known = await listKnown(client)
  const references = await listReferences(client)
  const isToBeDivided = (table: string) => (by_organization as readonly string[]).includes(table)
  const steps: string[] = []
  for (const { table, name, target } of references)
    if (isToBeDivided(table) !== isToBeDivided(target)) steps.push(`alter table ${table} drop constraint ${name}`)
  const undivided = new Set(known.filter(({ is_divided }) => !is_divided).map(({ table }) => table))
  steps.push(...rulesToChange(undivided))
  for (const { table, is_everywhere } of known)
    if (!isToBeDivided(table) && !is_everywhere) steps.push(`select create_reference_table('${table}')`)
  for (const table of inOrder(by_organization, references)) {
    const beside = table === by_organization[0] ? 'default' : by_organization[0]
    if (undivided.has(table))
      steps.push(`select create_distributed_table('${table}', 'organization_id', colocate_with => '${beside}')`)
  }
  for (const name of await listFunctionsHere(client)) steps.push(`select create_distributed_function('${name}')`)
  return steps
}

/** Functions that statements and policies ask, which the other servers don't know; triggers stay where they are. */
const listFunctionsHere = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select function.oid::regprocedure::text as name from pg_proc as function
        where function.pronamespace = 'public'::regnamespace and function.prokind = 'f'
          and function.prorettype <> 'trigger'::regtype and not function.prosecdef
          and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = function.oid
                                                  and deptype = 'e')
          and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = function.oid)
        order by 1`,
    )
  ).rows.map(({ name }) => name)

/** Divides the tenants of a database, by the role that owns it. */
export async function divide(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'openbenefits tests' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set citus.multi_shard_modify_mode = 'sequential'; set statement_timeout = 0`)
    for (const step of await planDivision(client)) await client.query(step)
  } finally {
    await client.end()
  }
}
