import type { Db } from './database.ts'

/**
 * Runs `work`, rolls back everything that it wrote, and returns its outcome. Use it to learn the effect of a change
 * that only the real statements can compute.
 */
export async function rolledBack<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.rows('savepoint before')
  const outcome = await work()
  await db.rows('rollback to savepoint before')
  return outcome
}
