import pg from 'pg'
import { splitStatements, withoutComment } from '../sql/split-statements.ts'
import { isSharded } from './sharding-state.ts'
import { sharded_keys, triggers_of_one_server } from './placement.ts'
import { commentsToSetAside, nameOfKey, planSharding, settings_of_step } from './sharding.ts'

/** A statement with several commands, which Citus accepts one by one. */
const statement_list = /^(alter table (?:if exists )?\w+|drop (?:index|table))\s([^]*)$/i

/** Strings, quoted names and comments, whose commas do not separate commands; then parentheses and commas. */
const part = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[(),]/g

/** Splits a statement into its commands, each as a statement, without the comment before it. */
export function commandsOf(statement: string): string[] {
  const command = withoutComment(statement)
  const { 1: head, 2: body } = statement_list.exec(command) ?? []
  if (!head || !body) return [command]
  const found: string[] = []
  let [from, depth] = [0, 0]
  for (const { 0: text, index } of body.matchAll(part)) {
    if (text === '(') depth++
    else if (text === ')') depth--
    else if (text === ',' && depth === 0) {
      found.push(body.slice(from, index))
      from = index + 1
    }
  }
  return [...found, body.slice(from)].map((command) => `${head} ${withoutComment(command)}`)
}

const setAside = (text: string) => `insert into unsharding_steps (statement) values (${pg.escapeLiteral(text)})`

/** SQL: drops a constraint, or deletes its definition if it is set aside. */
const dropConstraint = (command: string, table: string, name: string) => `
  do $$ begin
    delete from unsharding_steps where starts_with(statement, 'alter table ${table} add constraint ${name} ');
    if not found then
      ${command};
    end if;
  end $$`

/** SQL: deletes the definition of a trigger that is set aside. */
const deleteTrigger = (table: string, name: string) =>
  `delete from unsharding_steps
    where statement ~* '^create (or replace )?trigger ${name}\\s.* on (public\\.)?${table}\\s'`

const trigger_command =
  /^(?:create|drop) (?:or replace )?trigger (?:if exists )?(?<name>\w+)\s[^]*?\bon (?<table>\w+)\b/i

/**
 * Rewrites a command of a migration for a sharded database. Statement triggers and column storage exist only on one
 * server, so their definitions are only stored. Dropping a foreign key deletes its stored definition if there is one. A
 * foreign key that replaces a trigger of one server stays.
 */
export function shardedCommand(command: string): string[] {
  const trigger = trigger_command.exec(command)?.groups
  if (triggers_of_one_server.some(({ table, name }) => table === trigger?.table && name === trigger.name)) {
    const deletion = deleteTrigger(trigger!.table!, trigger!.name!)
    return /^create/i.test(command) ? [deletion, setAside(command)] : [deletion]
  }
  if (/^alter table \w+ alter column \w+ set storage /i.test(command)) return [setAside(command)]
  const [, table, name] = /^alter table (\w+) drop constraint (\w+)$/i.exec(command) ?? []
  if (!table || !name) return [command]
  if (sharded_keys.some((key) => key.table === table && nameOfKey(key) === name)) return []
  return [dropConstraint(command, table, name)]
}

/** Deletes definitions that are set aside for functions, tables and columns that no longer exist. */
const delete_outdated = [
  `delete from unsharding_steps
    where starts_with(statement, 'CREATE OR REPLACE FUNCTION')
      and not exists (
        select from pg_proc as function join pg_language as language on language.oid = function.prolang
         where language.lanname = 'plpgsql' and function.pronamespace = 'public'::regnamespace
           and starts_with(statement,
                 format('CREATE OR REPLACE FUNCTION public.%I(%s)', function.proname,
                        pg_get_function_arguments(function.oid))))`,
  `delete from unsharding_steps
    where statement ~* '^(?:alter table|create trigger) '
      and to_regclass(substring(statement
                        from '(?i)^(?:alter table|create trigger .* on) (?:public\\.)?(\\w+)')) is null`,
  `delete from unsharding_steps
    where statement ~ '^comment on column '
      and not exists (
        select from pg_attribute as attribute join pg_class as class on class.oid = attribute.attrelid
         where class.relnamespace = 'public'::regnamespace and attribute.attnum > 0 and not attribute.attisdropped
           and starts_with(statement, format('comment on column %I.%I is ', class.relname, attribute.attname)))`,
]

/**
 * Applies a migration to a sharded database in the transaction of the client. Its commands run one by one, because
 * Citus passes each on as text. Then the steps follow that shard new tables.
 */
export async function applySharded(client: pg.ClientBase, sql: string): Promise<void> {
  const run = async (texts: readonly string[]) => {
    for (const text of texts) await client.query(text)
  }
  const commands = splitStatements(sql).flatMap(commandsOf).flatMap(shardedCommand)
  await run([...settings_of_step, ...commands, ...delete_outdated])
  for (const step of [...(await commentsToSetAside(client)), ...(await planSharding(client))]) await run(step.sql)
}

/** Applies a migration to a database, sharded or not, in the current transaction of the client. */
export async function applyMigration(client: pg.ClientBase, sql: string): Promise<void> {
  const is_distributed = await isSharded(async (text) => (await client.query(text)).rows[0])
  await (is_distributed ? applySharded(client, sql) : client.query(sql))
}
