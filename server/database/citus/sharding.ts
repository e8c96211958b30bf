/**
 * Divides the tenants of a database over the servers that Citus knows behind it, and brings them back. What is to be
 * done is found in the catalogs each time, as steps that are each a transaction of its own: whoever is interrupted goes
 * on where they were, and where all is done no step is left.
 */
import pg from 'pg'
import {
  by_organization,
  everywhere,
  keys_when_divided,
  rules_when_divided,
  triggers_of_one_server,
  triggers_when_divided,
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
import { DatabaseRefused } from './sharding-state.ts'
import { ofOrganization } from '../sql/statement.ts'

/** What is to be done, for people, and the statements that do it. */
export type DivisionStep = { title: string; sql: string[] }

const isToBeDivided = (table: string): boolean => (by_organization as readonly string[]).includes(table)

/** Tables that refer to others, which therefore come first. */
function inOrder(tables: readonly string[], references: readonly Reference[]): string[] {
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
         then 'everywhere' else 'here' end as place
    from pg_dist_partition where logicalrelid::regclass::text = any($1)`

/** Where Citus has each table of ours that it knows. */
async function placesOf(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; place: string }>(known_to_citus, [
    [...by_organization, ...everywhere, 'whole_commits'],
  ])
  return new Map(rows.map(({ name, place }) => [name, place]))
}

/** What is done at the coordinator alone. */
const functions_of_coordinator = [
  'keep_audit_partitions',
  'keep_passing_partitions',
  'make_partition',
  'require_replayed',
  'audit_sheets_about',
]

/** Notes what brings something back, and takes it away. */
const setAside = (title: string, comes_back: string, ...goes: string[]): DivisionStep => ({
  title,
  sql: [`insert into set_aside (brought_back_by) values (${pg.escapeLiteral(comes_back)})`, ...goes],
})

/** A function in SQL as one in PL/pgSQL, whose statement is planned when it runs, where the rows are. */
export const asProcedure = (definition: string): string =>
  (definition.includes('of_organization text') ? ofOrganization(definition, 'of_organization') : definition)
    .replace(/^ LANGUAGE sql$/m, ' LANGUAGE plpgsql')
    .replace(
      /\n(?:BEGIN ATOMIC\n([^]*);\s*END|AS \$function\$([^]*?);?\s*\$function\$)\s*$/,
      (_, read?: string, text?: string) =>
        `\nAS $divided$\n#variable_conflict use_column\nbegin\nreturn query ${read ?? text};\nend $divided$`,
    )

/** The name of a foreign key that is there where tenants are divided. */
export const nameOfKey = ({ table, column }: { table: string; column: string }): string =>
  `${table}_${column}_organization_id_fkey`

/** Refuses a database that has no Citus, or no server behind it. */
async function requireServers(client: pg.ClientBase): Promise<void> {
  if (!(await hasCitus(client)))
    throw new DatabaseRefused('The database has no Citus: a superuser runs `create extension citus` in it first.')
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'
                                                       and groupid > 0`,
  )
  if (rows[0]!.count === 0)
    throw new DatabaseRefused(
      'Citus knows no server that takes rows of tenants: a superuser adds one by `citus_add_node` first.',
    )
}

const has_citus = `select exists (select from pg_extension where extname = 'citus') as there`

const hasCitus = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query<{ there: boolean }>(has_citus)).rows[0]!.there

/** The tables to be divided that migrations made by now. */
async function tablesThere(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [[...by_organization]],
  )
  return rows.map(({ name }) => name)
}

/** What is still to be done to divide the tenants of a database; nothing when they are. */
export async function planDivision(client: pg.ClientBase): Promise<DivisionStep[]> {
  await requireServers(client)
  const places = await placesOf(client)
  const there = await tablesThere(client)
  const here = there.filter((table) => places.get(table) !== 'divided')
  const referring = await listParts<Reference>(client, references, [])
  return [
    ...(here.length > 0 ? await commentsToSetAside(client) : []),
    ...(await functionsToSetAside(client, there)),
    ...(here.length > 0 ? await partsToSetAside(client, here, referring) : []),
    ...keysToAdd(referring),
    ...(await rulesToRenew(client, there)),
    ...tablesToDivide(places, here, referring),
    ...(await triggersToAdd(client, there)),
    ...(await functionsToTell(client)),
    ...(places.has('whole_commits') ? [] : [commits_as_whole]),
  ]
}

const commits_as_whole: DivisionStep = {
  title: 'let what is written on several servers be committed as a whole',
  sql: ['insert into whole_commits (id) values (1)', `select citus_add_local_table_to_metadata('whole_commits')`],
}

/**
 * Citus makes a table anew without what is said of its columns. What is said there was not set aside yet, or a
 * migration said it since.
 */
export async function commentsToSetAside(client: pg.ClientBase): Promise<DivisionStep[]> {
  const { rows } = await client.query<{ text: string }>(
    `select format('comment on column %s.%I is %L', objoid::regclass, attname, description) as text
       from pg_description join pg_attribute on attrelid = objoid and attnum = objsubid
      where classoid = 'pg_class'::regclass and objoid::regclass::text = any($1)
     except select brought_back_by from set_aside order by 1`,
    [[...by_organization, ...everywhere]],
  )
  if (rows.length === 0) return []
  const values = rows.map(({ text }) => `(${pg.escapeLiteral(text)})`).join(', ')
  return [
    {
      title: 'set aside what is said of columns',
      sql: [`insert into set_aside (brought_back_by) values ${values}`],
    },
  ]
}

const keysToAdd = (referring: readonly Reference[]): DivisionStep[] =>
  keys_when_divided
    .filter((key) => !referring.some(({ name }) => name === nameOfKey(key)))
    .map((key) => ({
      title: `let ${key.table} refer to ${key.target} by a foreign key`,
      sql: [
        `alter table ${key.table} add constraint ${nameOfKey(key)}
           foreign key (${key.column}, organization_id) references ${key.target} (${key.key}, organization_id)`,
      ],
    }))

/** Rules of tables that a former version divided, whose indexes offered themselves to reads. */
async function rulesToRenew(client: pg.ClientBase, there: readonly string[]): Promise<DivisionStep[]> {
  const former = (await listParts(client, rules, [there])).filter(
    ({ definition }) => definition.includes('organization_id WITH =') && !definition.includes(`> ''`),
  )
  return rules_when_divided
    .filter(({ table, name }) => former.some((one) => one.table === table && one.name === name))
    .map(({ table, name, divided }) => ({
      title: `let the rule ${name} of ${table} offer its index to no read`,
      sql: [`alter table ${table} drop constraint ${name}`, `alter table ${table} add constraint ${name} ${divided}`],
    }))
}

function tablesToDivide(
  places: ReadonlyMap<string, string>,
  here: readonly string[],
  referring: readonly Reference[],
): DivisionStep[] {
  const copied = everywhere
    .filter((table) => !places.has(table))
    .map((table) => ({ title: `copy ${table} to each server`, sql: [`select create_reference_table('${table}')`] }))
  const keys = keys_when_divided.map((key) => ({ ...key, name: '', definition: '' }))
  const order = inOrder(by_organization, [...referring, ...keys])
  const divided = order
    .filter((table) => here.includes(table))
    .map((table) => ({
      title: `divide ${table}`,
      sql: [
        `select create_distributed_table('${table}', 'organization_id',
           colocate_with => '${table === order[0] ? 'none' : order[0]}')`,
      ],
    }))
  return [...copied, ...divided]
}

async function triggersToAdd(client: pg.ClientBase, there: readonly string[]): Promise<DivisionStep[]> {
  const present = await listParts(client, triggers, [there])
  return triggers_when_divided
    .filter(({ table, name }) => !present.some((trigger) => trigger.table === table && trigger.name === name))
    .map(({ table, name, on }) => ({
      title: `let each row of ${table} ${name}`,
      sql: [`create trigger ${name} after ${on} on ${table} for each row execute function ${name}()`],
    }))
}

async function functionsToTell(client: pg.ClientBase): Promise<DivisionStep[]> {
  const unknown_there = await listParts(client, functions_here, [functions_of_coordinator])
  return unknown_there.map(({ name }) => ({
    title: `tell each server of ${name}`,
    sql: [`select create_distributed_function('${name}')`],
  }))
}

async function functionsToSetAside(client: pg.ClientBase, there: readonly string[]): Promise<DivisionStep[]> {
  const reading = await listParts(client, reading_functions, [there])
  return reading.map(({ name, definition }) =>
    setAside(`let ${name} be planned where it runs`, definition, asProcedure(definition)),
  )
}

/** What tables that are still here have that they can't have once they are divided. */
async function partsToSetAside(
  client: pg.ClientBase,
  here: readonly string[],
  referring: readonly Reference[],
): Promise<DivisionStep[]> {
  const across = referring.filter(({ table, target }) => isToBeDivided(table) !== isToBeDivided(target))
  const triggered = (await listParts(client, triggers, [here])).filter(({ table, name }) =>
    triggers_of_one_server.some((trigger) => trigger.table === table && trigger.name === name),
  )
  const ruled = (await listParts(client, rules, [here])).flatMap(({ table, name, definition }) => {
    const rule = rules_when_divided.find((one) => one.table === table && one.name === name)
    return rule && !/organization_id WITH =/.test(definition) ? [{ table, name, definition, rule }] : []
  })
  return [
    ...across.map(({ table, name, target, definition }) =>
      setAside(
        `take off the foreign key of ${table} to ${target}`,
        `alter table ${table} add constraint ${name} ${definition}`,
        `alter table ${table} drop constraint ${name}`,
      ),
    ),
    ...ruled.map(({ table, name, definition, rule }) =>
      setAside(
        `let the rule ${name} of ${table} name the organization`,
        `alter table ${table} drop constraint ${name}, add constraint ${name} ${definition}`,
        `alter table ${table} drop constraint ${name}, add constraint ${name} ${rule.divided}`,
      ),
    ),
    ...triggered.map(({ table, name, definition }) =>
      setAside(`take off the trigger ${name} of ${table}`, definition, `drop trigger ${name} on ${table}`),
    ),
  ]
}

/** What is still to be done to bring the tenants of a database back to the one server; nothing when they are there. */
export async function planReunion(client: pg.ClientBase): Promise<DivisionStep[]> {
  if (!(await hasCitus(client))) return []
  const places = await placesOf(client)
  const away = by_organization.filter((table) => places.get(table) === 'divided')
  const steps: DivisionStep[] = []
  if (places.has('whole_commits'))
    steps.push({
      title: 'let commits be those of one server',
      sql: ['delete from whole_commits', `select undistribute_table('whole_commits')`],
    })
  const present = await listParts(client, triggers, [[...by_organization]])
  for (const { table, name } of triggers_when_divided)
    if (present.some((trigger) => trigger.table === table && trigger.name === name))
      steps.push({
        title: `take off the trigger ${name} of ${table}`,
        sql: [`drop trigger ${name} on ${table}`],
      })
  if (away.length > 0) {
    const functions = await listParts(client, functions_of_rows, [away])
    steps.push(
      ...functions.map(({ name }) => ({
        title: `take off the function ${name} for as long`,
        sql: [`drop function ${name}`],
      })),
      {
        title: `bring ${away.length} tables back, all at once`,
        sql: [`select undistribute_table('${away[0]}', cascade_via_foreign_keys => true)`, ...restOf(away)],
      },
    )
  }
  for (const table of everywhere)
    if (places.has(table))
      steps.push({ title: `keep ${table} here alone`, sql: [`select undistribute_table('${table}')`] })
  const referring = await listParts<Reference>(client, references, [])
  for (const key of keys_when_divided)
    if (referring.some(({ name }) => name === nameOfKey(key)))
      steps.push({
        title: `take off the foreign key of ${key.table} to ${key.target}`,
        sql: [`alter table ${key.table} drop constraint ${nameOfKey(key)}`],
      })
  return [...steps, ...(await partsToBringBack(client))]
}

/** Tables that hang on no other by a foreign key are brought back by themselves. */
const restOf = ([, ...others]: readonly string[]): string[] =>
  others.map(
    (table) => `
  do $$ begin
    if exists (select from pg_dist_partition where logicalrelid = '${table}'::regclass and partmethod = 'h') then
      perform undistribute_table('${table}', cascade_via_foreign_keys => true);
    end if;
  end $$`,
  )

async function partsToBringBack(client: pg.ClientBase): Promise<DivisionStep[]> {
  const { rows } = await client.query<{ place: string; brought_back_by: string }>(
    'select place, brought_back_by from set_aside order by place',
  )
  return rows.map(({ place, brought_back_by }) => ({
    title: `bring back: ${brought_back_by.split('\n')[0]!.slice(0, 100)}`,
    sql: [brought_back_by, `delete from set_aside where place = ${place}`],
  }))
}

/** SQL: what a transaction says that makes, divides or changes tables, statement by statement. */
export const settings_of_step = [
  'set local statement_timeout = 0',
  `set local citus.multi_shard_modify_mode = 'sequential'`,
  'set local citus.enable_unsafe_triggers = on',
]

/** Does steps, each in a transaction of its own, and tells of each before it begins. */
export async function doSteps(
  client: pg.ClientBase,
  steps: readonly DivisionStep[],
  tell: (step: DivisionStep) => void = () => undefined,
): Promise<void> {
  for (const step of steps) {
    tell(step)
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
