import pg from 'pg'
import { keys_when_divided, triggers_of_one_server } from './placement.ts'
import { commentsToSetAside, nameOfKey, planDivision, settings_of_step } from './sharding.ts'

/** Strings, quoted names, comments and bodies of functions, in which no statement ends; or where one does. */
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|\bbegin atomic\b[^]*?;\s*end\b|;/gi

/** The statements of a migration, one by one. */
export function statementsOf(sql: string): string[] {
  const found: string[] = []
  let from = 0
  for (const { 0: text, index } of sql.matchAll(token)) {
    if (text !== ';') continue
    found.push(sql.slice(from, index))
    from = index + 1
  }
  return [...found, sql.slice(from)]
    .map((text) => text.trim())
    .filter((text) => text.replaceAll(/--[^\n]*/g, '').trim())
}

/** What a statement does to one thing after another, which Citus takes one by one: a table, or indexes. */
const several = /^(alter table (?:if exists )?\w+|drop (?:index|table))\s([^]*)$/i

/** What may hold a comma that ends no command, and one that may. */
const part = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|[(),]/g

const withoutRemarks = (text: string): string => text.replace(/^(?:\s*--[^\n]*\n)+/, '').trim()

/** The commands of a statement, each a statement of its own, without what is said of it before. */
export function commandsOf(statement: string): string[] {
  const said = withoutRemarks(statement)
  const { 1: head, 2: body } = several.exec(said) ?? []
  if (!head || !body) return [said]
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
  return [...found, body.slice(from)].map((command) => `${head} ${withoutRemarks(command)}`)
}

const setAside = (text: string) => `insert into set_aside (brought_back_by) values (${pg.escapeLiteral(text)})`

/** SQL: drops a constraint, or forgets it where it was set aside. */
const dropOrForget = (command: string, table: string, name: string) => `
  do $$ begin
    delete from set_aside where starts_with(brought_back_by, 'alter table ${table} add constraint ${name} ');
    if not found then
      ${command};
    end if;
  end $$`

/**
 * What a command of a migration is where tenants are divided: one server has the trigger of a statement and the storage
 * of a column by itself; a foreign key that it does without is one that stays, or was set aside.
 */
export function dividedCommand(command: string): string[] {
  const [, trigger, on] = /^create trigger (\w+)\s[^]*?\son (\w+)\s/i.exec(command) ?? []
  if (triggers_of_one_server.some(({ table, name }) => table === on && name === trigger)) return [setAside(command)]
  if (/^alter table \w+ alter column \w+ set storage /i.test(command)) return [setAside(command)]
  const [, table, name] = /^alter table (\w+) drop constraint (\w+)$/i.exec(command) ?? []
  if (!table || !name) return [command]
  if (keys_when_divided.some((key) => key.table === table && nameOfKey(key) === name)) return []
  return [dropOrForget(command, table, name)]
}

/** What was set aside of functions that were dropped or made anew since, of tables and of columns that are gone. */
const forget_former = [
  `delete from set_aside
    where starts_with(brought_back_by, 'CREATE OR REPLACE FUNCTION')
      and not exists (
        select from pg_proc as function join pg_language as language on language.oid = function.prolang
         where language.lanname = 'plpgsql' and function.pronamespace = 'public'::regnamespace
           and starts_with(brought_back_by,
                 format('CREATE OR REPLACE FUNCTION public.%I(%s)', function.proname,
                        pg_get_function_arguments(function.oid))))`,
  `delete from set_aside
    where brought_back_by ~* '^(?:alter table|create trigger) '
      and to_regclass(substring(brought_back_by
                        from '(?i)^(?:alter table|create trigger .* on) (?:public\\.)?(\\w+)')) is null`,
  `delete from set_aside
    where brought_back_by ~ '^comment on column '
      and not exists (
        select from pg_attribute as attribute join pg_class as class on class.oid = attribute.attrelid
         where class.relnamespace = 'public'::regnamespace and attribute.attnum > 0 and not attribute.attisdropped
           and starts_with(brought_back_by, format('comment on column %I.%I is ', class.relname, attribute.attname)))`,
]

/**
 * Applies a migration where tenants are divided over several servers, in the transaction that the client is in: its
 * commands one by one, since each is handed on by the text in which it came, and then whatever divides what is new.
 */
export async function applyDivided(client: pg.ClientBase, sql: string): Promise<void> {
  const run = async (texts: readonly string[]) => {
    for (const text of texts) await client.query(text)
  }
  const commands = statementsOf(sql).flatMap(commandsOf).flatMap(dividedCommand)
  await run([...settings_of_step, ...commands, ...forget_former])
  for (const step of [...(await commentsToSetAside(client)), ...(await planDivision(client))]) await run(step.sql)
}
