import type pg from 'pg'
import { commentsToSetAside, planDivision, settings_of_step } from './division.ts'

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
    where brought_back_by ~ '^(?:alter table|CREATE TRIGGER) '
      and to_regclass(substring(brought_back_by
                        from '^(?:alter table|CREATE TRIGGER .* ON) (?:public\\.)?(\\w+)')) is null`,
  `delete from set_aside
    where brought_back_by ~ '^comment on column '
      and not exists (
        select from pg_attribute as attribute join pg_class as class on class.oid = attribute.attrelid
         where class.relnamespace = 'public'::regnamespace and attribute.attnum > 0 and not attribute.attisdropped
           and starts_with(brought_back_by, format('comment on column %I.%I is ', class.relname, attribute.attname)))`,
]

/**
 * Applies a migration where tenants are divided over several servers, in the transaction that the client is in: its
 * statements one by one, since each is handed on by the text in which it came, and then whatever divides what is new.
 */
export async function applyDivided(client: pg.ClientBase, sql: string): Promise<void> {
  const run = async (texts: readonly string[]) => {
    for (const text of texts) await client.query(text)
  }
  await run([...settings_of_step, ...statementsOf(sql), ...forget_former])
  for (const step of [...(await commentsToSetAside(client)), ...(await planDivision(client))]) await run(step.sql)
}
