import { expect, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { isMigrated, migrate } from './migrate.ts'

const api = useApi()

it('waits for nobody where nothing is to be migrated, and leaves no lock behind', async () => {
  // As a session that a pooler keeps, and in which an earlier version took its lock.
  const other = await api.database.pool.connect()
  await other.query(`select pg_advisory_lock(hashtext('openbenefits migrations'))`)
  try {
    expect(await migrate(api.database)).toEqual([])
  } finally {
    other.release(true)
  }
  const locks = async () =>
    (
      await api.database.pool.query(
        `select from pg_locks
          where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows
  // The session of the pooler ends when PostgreSQL hears of it.
  await expect.poll(locks).toEqual([])
})

it('has jobs that wait under the former names of daily runs done under the new ones', async () => {
  const { pool } = api.database
  await pool.query(`delete from migrations where name like '0017b%'`)
  // The word has retired with all that was made of it.
  const word = 'turn'
  const [of_all, of_one] = [`${word}_days`, `${word}_organization`]
  await pool.query(`alter table organizations rename column daily_run_on to ${word}ed_on`)
  await pool.query(`alter table organizations rename column daily_run_progress to ${word}ing`)
  await pool.query(`alter index organizations_by_daily_run rename to organizations_by_${word}`)
  await pool.query(`delete from graphile_worker._private_jobs`)
  await pool.query(`delete from graphile_worker._private_tasks where identifier in ('run_days', 'run_day')`)
  await pool.query(`select graphile_worker.add_job($1, job_key => $1), graphile_worker.add_job($2, job_key => $3)`, [
    of_all,
    of_one,
    `${of_one}:org_1`,
  ])
  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since) values ($1, '2026-01-01')`,
    [of_all],
  )
  expect(await migrate(api.database)).toEqual(['0017b_daily_runs.sql'])
  const { rows } = await pool.query('select task_identifier, key from graphile_worker.jobs order by id')
  expect(rows).toEqual([
    { task_identifier: 'run_days', key: 'run_days' },
    { task_identifier: 'run_day', key: 'run_day:org_1' },
  ])
  const { rows: known } = await pool.query('select identifier from graphile_worker._private_known_crontabs')
  expect(known).toEqual([{ identifier: 'run_days' }])
})

it('applies what is missing once, however many processes start at once', async () => {
  await api.database.pool.query(`delete from migrations where name like '0012%'`)
  const client = await api.database.pool.connect()
  await client.query('alter table eligibility_standings drop settled_by')
  const indexes = `census_syncs_of_employer carriers_of_organization benefit_products_of_organization
    life_events_of_organization life_events_in_order plans_in_order webhook_subscriptions_in_order
    webhook_subscriptions_ended`
  for (const index of indexes.split(/\s+/)) await client.query(`drop index ${index}`)
  await client.query('alter table rate_limits drop made_at')
  client.release()
  const applied = await Promise.all([migrate(api.database), migrate(api.database), migrate(api.database)])
  expect(applied.flat()).toEqual(['0012_work.sql'])
  expect(await isMigrated(api.database.reads)).toBe(true)
})
