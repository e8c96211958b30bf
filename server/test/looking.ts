import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openDatabase, type Database, type Db } from '../database/query/database.ts'
import { by_organization } from '../database/citus/placement.ts'
import { migrate } from '../database/schema/migrate.ts'
import { statementsOf } from '../database/citus/migrate-sharded.ts'
import { databaseUrl } from '../../packages/embedded-postgres/cluster.ts'
import { runAtEach } from './divided.ts'

const read_table = new RegExp(`(\\b(?:from|join) )(${by_organization.join('|')})\\b(?! *\\()(?: as (\\w+))?`, 'g')

/**
 * SQL that looks at rows of a divided database and names no organization: each table is brought to the server that is
 * asked, as it stands.
 */
export const lookedAt = (text: string): string =>
  text.replaceAll(
    read_table,
    (_, before: string, table: string, alias = table) => `${before}(select * from ${table} offset 0) as ${alias}`,
  )

/** What Citus answers where it can't do a statement as it is put; of one join it says only so. */
export const isNotSupported = ({ code, message }: { code?: string; message?: string }): boolean =>
  code === '0A000' || message?.endsWith('requires repartitioning') === true

/** A query that can be asked again; whatever else is said stands as it is, savepoints among it. */
const isLook = (text: string): boolean => /^\s*(?:select|with)\b/i.test(text)

/** Asks as a test that names no organization: what Citus can't do where the rows are is asked of whole tables. */
async function looked<T>(text: string, ask: (text: string) => Promise<T>): Promise<T> {
  try {
    return await ask(text)
  } catch (error) {
    if (!isNotSupported(error as Error) || !isLook(text)) throw error
    return ask(lookedAt(text))
  }
}

/** The same in a transaction, which a statement that is refused would end. What the service asks has its name. */
const lookedInside =
  (db: Db) =>
  <T>(text: string, ask: (text: string) => Promise<T>): Promise<T> =>
    !isLook(text)
      ? ask(text)
      : looked(text, async (sql) => {
          await db.rows('savepoint looked')
          try {
            const answer = await ask(sql)
            await db.rows('release savepoint looked')
            return answer
          } catch (error) {
            await db.rows('rollback to savepoint looked')
            throw error
          }
        })

const lookingBy = (db: Db, look: ReturnType<typeof lookedInside>): Db => ({
  divided: db.divided,
  rows: (text, values) => look(text, (sql) => db.rows(sql, values)),
  row: (text, values) => look(text, (sql) => db.row(sql, values)),
  json: (text, values) => look(text, (sql) => db.json(sql, values)),
})

/** A transaction in which a test may look at rows of a divided database, and name no organization. */
export const lookingInside = <C extends { db: Db }>(ctx: C): C =>
  ctx.db.divided ? { ...ctx, db: lookingBy(ctx.db, lookedInside(ctx.db)) } : ctx

/** A superuser's connections to a divided database over which tests look, and say several things in one text. */
export function lookingOver(database: Database, reads: Db): Database & { reads: Db } {
  const { pool, transaction } = database
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  pool.query = (async (text: string, values?: unknown[]) => {
    const texts = values ? [text] : statementsOf(text)
    let answer: pg.QueryResult | undefined
    // One by one: Citus hands on the text in which a statement came.
    for (const one of texts) answer = await looked(one, (sql) => query(sql, values))
    return answer!
  }) as typeof pool.query
  return {
    ...database,
    reads: Object.assign(database.reads, lookingBy(reads, looked)),
    transaction: (rows_of, work, ...more) =>
      transaction(rows_of, (db) => work(lookingBy(db, lookedInside(db))), ...more),
  }
}

/** An address whose sessions may make triggers, which Citus holds back else. */
export function withAnyTrigger(url: string): string {
  const told = new URL(url)
  told.searchParams.set('options', '-c citus.enable_unsafe_triggers=on')
  return told.href
}

/** What a transaction is told where tenants are divided, and what a statement is handed there. */
const of_dividing =
  /^\s*(?:set (?:local )?(?:citus|openbenefits|enable_seqscan|lock_timeout)|delete from whole_|\/\* statement\.hand)/

/** Whether a statement is sent only where tenants are divided. */
export const isOfDividing = (text: string): boolean => of_dividing.test(text)

/** Works with a database of one server: the one at hand, or where that is divided one that is migrated and empty. */
export async function onOneServer<T>(database: Database, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  if (!database.divided) return work(database.pool)
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
