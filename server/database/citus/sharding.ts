/**
 * Shards the tenants of a database over the workers that Citus knows, and brings them back. The remaining steps are
 * computed from the catalogs each time, and each step is a transaction. So an interrupted run continues where it
 * stopped, and a finished one has no steps left.
 *
 * Citus does not support some foreign keys, exclusion constraints, statement triggers, comments and functions. They are
 * stored in the table `unsharding_steps` and dropped. The way back restores them.
 */
import pg from 'pg'
import {
  by_organization,
  everywhere,
  sharded_keys,
  sharded_rules,
  triggers_of_one_server,
  sharded_triggers,
} from './placement.ts'
import {
  functions_here,
  functions_of_rows,
  listParts,
  reading_functions,
  references,
  rules,
  triggers,
  type Reference,
} from './sharding-catalog.ts'
import { DatabaseRefused } from '../query/database.ts'
import { ofOrganization } from './rewrite-statement.ts'

/** A step with its title for people and its statements. */
export type ShardingStep = { title: string; sql: string[] }

const hasShards = (table: string): boolean => (by_organization as readonly string[]).includes(table)

/** Sorts tables by their references, referenced tables first. */
function inDependencyOrder(tables: readonly string[], references: readonly Reference[]): string[] {
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

const known_to_citus = `
  select logicalrelid::regclass::text as name, case when partmethod = 'h' then 'divided' when repmodel = 't'
         then 'everywhere' else 'here' end as placement
    from pg_dist_partition where logicalrelid::regclass::text = any($1)`

/** The current placement of our tables in Citus. */
async function placementsOf(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; placement: string }>(known_to_citus, [
    [...by_organization, ...everywhere, 'two_phase_commits'],
  ])
  return new Map(rows.map(({ name, placement }) => [name, placement]))
}

/** Functions that only the coordinator runs. */
const functions_of_coordinator = [
  'keep_audit_partitions',
  'keep_rolling_partitions',
  'make_partition',
  'require_replayed',
  'audit_batches_about',
]

/** A step that stores the definition of a part and drops it. */
const setAside = (title: string, restore_sql: string, ...drops: string[]): ShardingStep => ({
  title,
  sql: [`insert into unsharding_steps (statement) values (${pg.escapeLiteral(restore_sql)})`, ...drops],
})

/** Converts a SQL function to PL/pgSQL, which plans its statement when it runs, on the server with the rows. */
export const asProcedure = (definition: string): string =>
  (definition.includes('of_organization text') ? ofOrganization(definition, 'of_organization') : definition)
    .replace(/^ LANGUAGE sql$/m, ' LANGUAGE plpgsql')
    .replace(
      /\n(?:BEGIN ATOMIC\n([^]*);\s*END|AS \$function\$([^]*?);?\s*\$function\$)\s*$/,
      (_, read?: string, text?: string) =>
        `\nAS $divided$\n#variable_conflict use_column\nbegin\nreturn query ${read ?? text};\nend $divided$`,
    )

/** The name of a foreign key of a sharded database. */
export const nameOfKey = ({ table, column }: { table: string; column: string }): string =>
  `${table}_${column}_organization_id_fkey`

/** Refuses a database without Citus or without workers. */
async function requireServers(client: pg.ClientBase): Promise<void> {
  if (!(await hasCitus(client)))
    throw new DatabaseRefused('The database has no Citus. A superuser must run `create extension citus` in it first.')
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'
                                                       and groupid > 0`,
  )
  if (rows[0]!.count === 0)
    throw new DatabaseRefused(
      'Citus has no worker for the rows of tenants. A superuser must add one with `citus_add_node` first.',
    )
}

const has_citus = `select exists (select from pg_extension where extname = 'citus') as there`

const hasCitus = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query<{ there: boolean }>(has_citus)).rows[0]!.there

/** The tables to shard that exist so far. */
async function tablesThere(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [[...by_organization]],
  )
  return rows.map(({ name }) => name)
}

/** The remaining steps to shard a database. Empty if it is sharded. */
export async function planSharding(client: pg.ClientBase): Promise<ShardingStep[]> {
  await requireServers(client)
  const placements = await placementsOf(client)
  const there = await tablesThere(client)
  const here = there.filter((table) => placements.get(table) !== 'divided')
  const referring = await listParts<Reference>(client, references, [])
  return [
    ...(here.length > 0 ? await commentsToSetAside(client) : []),
    ...(await functionsToSetAside(client, there)),
    ...(here.length > 0 ? await partsToSetAside(client, here, referring) : []),
    ...keysToAdd(referring),
    ...tablesToShard(placements, here, referring),
    ...(await triggersToAdd(client, there)),
    ...(await functionsToDistribute(client)),
    ...(placements.has('two_phase_commits') ? [] : [commits_as_whole]),
  ]
}

const commits_as_whole: ShardingStep = {
  title: 'commit writes on several servers atomically',
  sql: [
    'insert into two_phase_commits (id) values (1)',
    `select citus_add_local_table_to_metadata('two_phase_commits')`,
  ],
}

/** Finds comments of columns that are not set aside yet. Citus recreates a table without them. */
export async function commentsToSetAside(client: pg.ClientBase): Promise<ShardingStep[]> {
  const { rows } = await client.query<{ text: string }>(
    `select format('comment on column %s.%I is %L', objoid::regclass, attname, description) as text
       from pg_description join pg_attribute on attrelid = objoid and attnum = objsubid
      where classoid = 'pg_class'::regclass and objoid::regclass::text = any($1)
     except select statement from unsharding_steps order by 1`,
    [[...by_organization, ...everywhere]],
  )
  if (rows.length === 0) return []
  const values = rows.map(({ text }) => `(${pg.escapeLiteral(text)})`).join(', ')
  return [
    {
      title: 'remove column comments temporarily',
      sql: [`insert into unsharding_steps (statement) values ${values}`],
    },
  ]
}

const keysToAdd = (referring: readonly Reference[]): ShardingStep[] =>
  sharded_keys
    .filter((key) => !referring.some(({ name }) => name === nameOfKey(key)))
    .map((key) => ({
      title: `add the foreign key of ${key.table} to ${key.target}`,
      sql: [
        `alter table ${key.table} add constraint ${nameOfKey(key)}
           foreign key (${key.column}, organization_id) references ${key.target} (${key.key}, organization_id)`,
      ],
    }))

function tablesToShard(
  placements: ReadonlyMap<string, string>,
  here: readonly string[],
  referring: readonly Reference[],
): ShardingStep[] {
  const copied = everywhere
    .filter((table) => !placements.has(table))
    .map((table) => ({ title: `copy ${table} to each server`, sql: [`select create_reference_table('${table}')`] }))
  const keys = sharded_keys.map((key) => ({ ...key, name: '', definition: '' }))
  const order = inDependencyOrder(by_organization, [...referring, ...keys])
  const sharded = order
    .filter((table) => here.includes(table))
    .map((table) => ({
      title: `shard ${table}`,
      sql: [
        `select create_distributed_table('${table}', 'organization_id',
           colocate_with => '${table === order[0] ? 'none' : order[0]}')`,
      ],
    }))
  return [...copied, ...sharded]
}

async function triggersToAdd(client: pg.ClientBase, there: readonly string[]): Promise<ShardingStep[]> {
  const present = await listParts(client, triggers, [there])
  return sharded_triggers
    .filter(({ table, name }) => !present.some((trigger) => trigger.table === table && trigger.name === name))
    .map(({ table, name, on }) => ({
      title: `add the row trigger ${name} to ${table}`,
      sql: [`create trigger ${name} after ${on} on ${table} for each row execute function ${name}()`],
    }))
}

async function functionsToDistribute(client: pg.ClientBase): Promise<ShardingStep[]> {
  const unknown_there = await listParts(client, functions_here, [functions_of_coordinator])
  return unknown_there.map(({ name }) => ({
    title: `create ${name} on each server`,
    sql: [`select create_distributed_function('${name}')`],
  }))
}

async function functionsToSetAside(client: pg.ClientBase, there: readonly string[]): Promise<ShardingStep[]> {
  const reading = await listParts(client, reading_functions, [there])
  return reading.map(({ name, definition }) =>
    setAside(`convert ${name} to PL/pgSQL`, definition, asProcedure(definition)),
  )
}

/** The parts of the tables on this server that sharded tables cannot have. */
async function partsToSetAside(
  client: pg.ClientBase,
  here: readonly string[],
  referring: readonly Reference[],
): Promise<ShardingStep[]> {
  const across = referring.filter(({ table, target }) => hasShards(table) !== hasShards(target))
  const triggered = (await listParts(client, triggers, [here])).filter(({ table, name }) =>
    triggers_of_one_server.some((trigger) => trigger.table === table && trigger.name === name),
  )
  const ruled = (await listParts(client, rules, [here])).flatMap(({ table, name, definition }) => {
    const rule = sharded_rules.find((sharded) => sharded.table === table && sharded.name === name)
    return rule && !/organization_id WITH =/.test(definition) ? [{ table, name, definition, rule }] : []
  })
  return [
    ...across.map(({ table, name, target, definition }) =>
      setAside(
        `drop the foreign key of ${table} to ${target}`,
        `alter table ${table} add constraint ${name} ${definition}`,
        `alter table ${table} drop constraint ${name}`,
      ),
    ),
    ...ruled.map(({ table, name, definition, rule }) =>
      setAside(
        `add the organization to the constraint ${name} of ${table}`,
        `alter table ${table} drop constraint ${name}, add constraint ${name} ${definition}`,
        `alter table ${table} drop constraint ${name}, add constraint ${name} ${rule.sharded}`,
      ),
    ),
    ...triggered.map(({ table, name, definition }) =>
      setAside(`drop the trigger ${name} of ${table}`, definition, `drop trigger ${name} on ${table}`),
    ),
  ]
}

/** The remaining steps to bring the tenants back to one server. Empty if they are there. */
export async function planUnsharding(client: pg.ClientBase): Promise<ShardingStep[]> {
  if (!(await hasCitus(client))) return []
  const placements = await placementsOf(client)
  const away = by_organization.filter((table) => placements.get(table) === 'divided')
  const steps: ShardingStep[] = []
  if (placements.has('two_phase_commits'))
    steps.push({
      title: 'stop committing on several servers',
      sql: ['delete from two_phase_commits', `select undistribute_table('two_phase_commits')`],
    })
  const present = await listParts(client, triggers, [[...by_organization]])
  for (const { table, name } of sharded_triggers)
    if (present.some((trigger) => trigger.table === table && trigger.name === name))
      steps.push({
        title: `drop the trigger ${name} of ${table}`,
        sql: [`drop trigger ${name} on ${table}`],
      })
  if (away.length > 0) {
    const functions = await listParts(client, functions_of_rows, [away])
    steps.push(
      ...functions.map(({ name }) => ({
        title: `drop the function ${name} temporarily`,
        sql: [`drop function ${name}`],
      })),
      {
        title: `move ${away.length} tables back`,
        sql: [`select undistribute_table('${away[0]}', cascade_via_foreign_keys => true)`, ...restOf(away)],
      },
    )
  }
  for (const table of everywhere)
    if (placements.has(table))
      steps.push({ title: `drop the copies of ${table}`, sql: [`select undistribute_table('${table}')`] })
  const referring = await listParts<Reference>(client, references, [])
  for (const key of sharded_keys)
    if (referring.some(({ name }) => name === nameOfKey(key)))
      steps.push({
        title: `drop the foreign key of ${key.table} to ${key.target}`,
        sql: [`alter table ${key.table} drop constraint ${nameOfKey(key)}`],
      })
  return [...steps, ...(await partsToBringBack(client))]
}

/** Brings back the tables that no foreign key connects with the first one. */
const restOf = ([, ...others]: readonly string[]): string[] =>
  others.map(
    (table) => `
  do $$ begin
    if exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass and partmethod = 'h') then
      perform undistribute_table('${table}', cascade_via_foreign_keys => true);
    end if;
  end $$`,
  )

async function partsToBringBack(client: pg.ClientBase): Promise<ShardingStep[]> {
  const { rows } = await client.query<{ position: string; statement: string }>(
    'select position, statement from unsharding_steps order by position',
  )
  return rows.map(({ position, statement }) => ({
    title: `restore: ${statement.split('\n')[0]!.slice(0, 100)}`,
    sql: [statement, `delete from unsharding_steps where position = ${position}`],
  }))
}

/** Statements at the start of a transaction that creates, shards or changes tables. */
export const settings_of_step = [
  'set local statement_timeout = 0',
  `set local citus.multi_shard_modify_mode = 'sequential'`,
  'set local citus.enable_unsafe_triggers = on',
]

/** Runs each step in its own transaction. Reports each step before it starts. */
export async function runShardingSteps(
  client: pg.ClientBase,
  steps: readonly ShardingStep[],
  report: (step: ShardingStep) => void = () => undefined,
): Promise<void> {
  for (const step of steps) {
    report(step)
    await client.query('begin')
    try {
      for (const text of [...settings_of_step, ...step.sql]) await client.query(text)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }
}
