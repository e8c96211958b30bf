import type { Db } from './db.ts'

export type JobOptions = {
  /** a waiting job with the same key is replaced */
  key?: string
}

/** Adds a job in the transaction of the change that causes it. */
export type Enqueue = (task: string, payload: object, options?: JobOptions) => Promise<void>

export const enqueueIn =
  (db: Db): Enqueue =>
  async (task, payload, options = {}) => {
    await db.rows('select graphile_worker.add_job($1, $2::json, job_key := $3)', [
      task,
      JSON.stringify(payload),
      options.key ?? null,
    ])
  }
