import { expect, it } from 'vitest'
import { useTypedApi } from '../../test/harness.ts'
import { isMigrated, migrate } from './migrate.ts'

const api = useTypedApi()

it('waits for nobody where nothing is to be migrated, and leaves no lock behind', async () => {
  // As a session that a pooler keeps, and in which an earlier version took its lock.
  const other = await api.database.pool.connect()
  await other.query(`select pg_advisory_lock(hashtext('openbenefits migrations'))`)
  try {
    expect(await migrate(api.database)).toEqual([])
  } finally {
    other.release(true)
  }
  const { rows } = await api.database.pool.query(
    `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  )
  expect(rows).toEqual([])
})

it('applies what is missing once, however many processes start at once', async () => {
  await api.database.pool.query(`delete from migrations where name like '0012%'`)
  const client = await api.database.pool.connect()
  await client.query('alter table organizations drop turning; alter table eligibility_standings drop settled_by')
  await client.query(
    `drop index census_syncs_of_employer, carriers_of_organization, benefit_products_of_organization, life_events_of_organization,
                life_events_in_order, plans_in_order, webhook_subscriptions_in_order, webhook_subscriptions_ended`,
  )
  await client.query('alter table rate_limits drop made_at')
  client.release()
  const applied = await Promise.all([migrate(api.database), migrate(api.database), migrate(api.database)])
  expect(applied.flat()).toEqual(['0012_work.sql'])
  expect(await isMigrated(api.database.reads)).toBe(true)
})
