import type pg from 'pg'
import { secondsOf } from './figures.ts'

/** Creates copies of tables with the same indexes and checks, but no foreign keys. */
export async function makeCopies(client: pg.Client, tables: string[]): Promise<void> {
  await client.query('drop schema if exists copies cascade; create schema copies')
  for (const table of tables) await client.query(`create table copies.${table} (like ${table} including all)`)
}

/** The columns of a table that can be written. */
export async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
       from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  return rows[0]!.names
}

/**
 * Loads the rows of each table that belong to an employer into the copies with COPY, in one transaction. Each table has
 * a condition on `$1`, the employer. Returns the seconds of loading. Files are in the folder of the database, which is
 * on this machine.
 */
export async function copyTables(
  client: pg.Client,
  tables: Record<string, string>,
  employer_id: string,
): Promise<number> {
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const fileOf = (table: string) => `'${rows[0]!.folder}/${table}.copy'`
  const loads: string[] = []
  for (const [table, condition] of Object.entries(tables)) {
    const columns = await columnsOf(client, table)
    const chosen = condition.replaceAll('$1', `'${employer_id}'`)
    await client.query(`copy (select ${columns} from ${table} where ${chosen}) to ${fileOf(table)}`)
    loads.push(`copy copies.${table} (${columns}) from ${fileOf(table)}`)
  }
  return secondsOf(() => client.query(['begin', ...loads, 'commit'].join('; ')))
}
