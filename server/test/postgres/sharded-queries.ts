import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import type { Database, Db } from '../../database/query/database.ts'
import { openDatabase } from '../../database/query/open-database.ts'
import { by_organization } from '../../database/citus/placement.ts'
import { migrate } from '../../database/schema/migrate.ts'
import { splitStatements } from '../../database/sql/split-statements.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { runAtEach } from './sharding.ts'

const read_table = new RegExp(`(\\b(?:from|join) )(${by_organization.join('|')})\\b(?! *\\()(?: as (\\w+))?`, 'g')

/**
 * SQL that reads rows of a sharded database without naming an organization. Each table is fetched whole to the queried
 * server.
 */
export const readingWholeTables = (text: string): string =>
  text.replaceAll(
    read_table,
    (_, before: string, table: string, alias = table) => `${before}(select * from ${table} offset 0) as ${alias}`,
  )

/** True if Citus does not support a statement as written. For one join, Citus sets no error code. */
export const isNotSupported = ({ code, message }: { code?: string; message?: string }): boolean =>
  code === '0A000' || message?.endsWith('requires repartitioning') === true

/** Whether a statement is a query, which can be repeated. Others, such as savepoints, are sent unchanged. */
const isQuery = (text: string): boolean => /^\s*(?:select|with)\b/i.test(text)

/**
 * Sends a test's query without an organization. If Citus does not support it where the rows are, repeats it on whole
 * tables.
 */
async function unscoped<T>(text: string, send: (text: string) => Promise<T>): Promise<T> {
  try {
    return await send(text)
  } catch (error) {
    if (!isNotSupported(error as Error) || !isQuery(text)) throw error
    return send(readingWholeTables(text))
  }
}

/**
 * Like `unscoped`, but in a transaction, with a savepoint, because a failed statement would abort the transaction.
 * Statements of the service have a name, and are sent unchanged.
 */
const unscopedInTransaction =
  (db: Db) =>
  <T>(text: string, send: (text: string) => Promise<T>): Promise<T> =>
    !isQuery(text)
      ? send(text)
      : unscoped(text, async (sql) => {
          await db.rows('savepoint unscoped_query')
          try {
            const answer = await send(sql)
            await db.rows('release savepoint unscoped_query')
            return answer
          } catch (error) {
            await db.rows('rollback to savepoint unscoped_query')
            throw error
          }
        })

const unscopedDb = (db: Db, check: ReturnType<typeof unscopedInTransaction>): Db => ({
  ...db,
  rows: (text, values) => check(text, (sql) => db.rows(sql, values)),
  row: (text, values) => check(text, (sql) => db.row(sql, values)),
  json: (text, values) => check(text, (sql) => db.json(sql, values)),
})

/** A transaction in which a test may read rows of a sharded database without naming an organization. */
export const unscopedTransaction = <C extends { db: Db }>(ctx: C): C =>
  ctx.db.distribution ? { ...ctx, db: unscopedDb(ctx.db, unscopedInTransaction(ctx.db)) } : ctx

/** A superuser's connections to a sharded database for tests, which may send several statements in one text. */
export function unscopedQueries(database: Database, reads: Db): Database & { reads: Db } {
  const { pool, transaction } = database
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  pool.query = (async (text: string, values?: unknown[]) => {
    const texts = values ? [text] : splitStatements(text)
    let answer: pg.QueryResult | undefined
    // Separately, because Citus forwards the whole text of a query.
    for (const one of texts) answer = await unscoped(one, (sql) => query(sql, values))
    return answer!
  }) as typeof pool.query
  return {
    ...database,
    reads: Object.assign(database.reads, unscopedDb(reads, unscoped)),
    transaction: (rows_of, work, ...more) =>
      transaction(rows_of, (db) => work(unscopedDb(db, unscopedInTransaction(db))), ...more),
  }
}

/** An address whose sessions may create triggers, which Citus otherwise refuses. */
export function withAnyTrigger(url: string): string {
  const reported = new URL(url)
  reported.searchParams.set('options', '-c citus.enable_unsafe_triggers=on')
  return reported.href
}

/** Statements that configure transactions and functions for sharding. */
const sharding_statement =
  /^\s*(?:set (?:local )?(?:citus|openbenefits|enable_seqscan|lock_timeout)|delete from whole_|\/\* statement\.hand)/

/** Whether a statement is sent only with sharding. */
export const isShardingStatement = (text: string): boolean => sharding_statement.test(text)

/** Uses a database on one server: the current one, or with sharding an empty migrated one. */
export async function onOneServer<T>(database: Database, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  if (!database.distribution) return work(database.pool)
  const maintenance_url = inject('maintenance_url')
  const name = `plain_${randomUUID().replaceAll('-', '')}`
  await runAtEach([maintenance_url], `create database ${name} template template0`)
  const plain = openDatabase({ url: databaseUrl({ url: maintenance_url }, name) })
  try {
    await migrate(plain)
    return await work(plain.pool)
  } finally {
    await plain.close()
    await runAtEach([maintenance_url], `drop database ${name} with (force)`)
  }
}
