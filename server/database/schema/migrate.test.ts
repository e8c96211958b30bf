import { randomUUID } from 'node:crypto'
import { inject, expect, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { run } from '../../test/setup.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { openDatabase } from '../query/open-database.ts'
import { no_organization } from '../query/rows-of.ts'
import { isMigrated, migrate } from './migrate.ts'

const api = useApi()

it('does not wait if nothing is missing, and leaves no lock behind', async () => {
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
  // PostgreSQL ends the session of the lock a moment later.
  await expect.poll(locks).toEqual([])
})

it('applies missing migrations once if several processes start together', async () => {
  const name = `migrated_${randomUUID().replaceAll('-', '')}`
  const maintenance_url = inject('maintenance_url')
  await run(maintenance_url, `create database ${name} template template0`)
  const database = openDatabase({ url: databaseUrl({ url: maintenance_url }, name) })
  try {
    const applied = await Promise.all([migrate(database), migrate(database), migrate(database)])
    expect(applied.flat()).toEqual(['0001_baseline.sql'])
    expect(await isMigrated(database.reads(no_organization))).toBe(true)
  } finally {
    await database.close()
    await run(maintenance_url, `drop database ${name} with (force)`)
  }
})
