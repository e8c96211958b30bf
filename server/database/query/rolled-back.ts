import type { Db } from './database.ts'

/**
 * Runs `work` and takes back all that it wrote, as if it had not run; returns its outcome. For questions that only the
 * real statements answer.
 */
export async function rolledBack<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.rows('savepoint before')
  const outcome = await work()
  await db.rows('rollback to savepoint before')
  return outcome
}
