import { describe, expect, inject, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { definitionOf, inDependencyOrder, readDefinitions } from './definitions.ts'
import { hashOfMigration, isMigrated, migrate } from './migrate.ts'
import { randomUUID } from 'node:crypto'
import { run } from '../../test/setup.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { openDatabase } from '../query/open-database.ts'
import { no_organization } from '../query/rows-of.ts'

const api = useApi()
const query = async (text: string) => (await api.database.pool.query(text)).rows

const stored = () => query('select name, hash, version from schema_definitions order by name')

/** The transactions that last created a function and a trigger. */
const creators = () =>
  query(`select (select xmin::text from pg_proc where proname = 'count_added') as function,
                (select xmin::text from pg_trigger
                  where tgname = 'keep_rows' and tgrelid = 'plans'::regclass) as trigger`)

describe('a definition', () => {
  it('is a function, a trigger or a view', () => {
    const nameOf = (sql: string) => definitionOf(sql).name
    expect(nameOf('-- Adds.\ncreate or replace function add(a int) returns int return a')).toBe('function add')
    expect(nameOf('create or replace view totals as select 1')).toBe('view totals')
    expect(nameOf('create or replace trigger keep_rows after delete or update of id\non plans for each row')).toBe(
      'trigger keep_rows on plans',
    )
    expect(() => definitionOf('create table a (id text)')).toThrow('A functions.sql contains another statement')
  })

  it('has the same hash after a change of its comment', () => {
    const sql = 'create or replace view totals as select 1'
    expect(definitionOf(`-- Old.\n${sql}`).hash).toBe(definitionOf(`-- New.\n${sql}`).hash)
  })

  it('comes after the functions that it calls', () => {
    const [caller, called] = ['a() returns int return b()', 'b() returns int return 1'].map((text) =>
      definitionOf(`create or replace function ${text}`),
    )
    expect(inDependencyOrder([caller!, called!])).toEqual([called, caller])
  })

  it('has a unique name', async () => {
    const names = (await readDefinitions()).map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})

describe.skipIf(inject('servers').length > 1)('a start', () => {
  it('creates nothing if all definitions are current', async () => {
    const before = await creators()
    expect(await migrate(api.database)).toEqual([])
    expect(await creators()).toEqual(before)
  })

  it('creates all functions again after one changes, but only the changed triggers', async () => {
    const [before] = await creators()
    await query(`update schema_definitions set hash = 'changed' where name = 'function new_id'`)
    expect(await isMigrated(api.database.reads)).toBe(false)
    await migrate(api.database)
    const [after] = await creators()
    expect([after!.function === before!.function, after!.trigger === before!.trigger]).toEqual([false, true])
    await query(`update schema_definitions set hash = 'changed' where name = 'trigger keep_rows on plans'`)
    await migrate(api.database)
    expect((await creators())[0]!.trigger).not.toBe(before!.trigger)
    expect(await isMigrated(api.database.reads)).toBe(true)
  })

  it('drops removed definitions and functions with former parameters', async () => {
    await query(`
      create function removed() returns trigger language plpgsql as 'begin return null; end';
      create trigger removed after insert on plans execute function removed();
      create view removed_too as select 1;
      create function iso(day date) returns text return day::text;
      insert into schema_definitions (name, hash, version)
      values ('function removed', '', '0.1.0'), ('trigger removed on plans', '', '0.1.0'),
             ('view removed_too', '', '0.1.0')`)
    await migrate(api.database)
    expect(
      await query(`select to_regproc('removed') as function, to_regclass('removed_too') as view,
                          to_regprocedure('iso(date)') as former, to_regproc('iso') is not null as is_kept`),
    ).toEqual([{ function: null, view: null, former: null, is_kept: true }])
    expect(await stored()).toHaveLength((await readDefinitions()).length)
  })

  it('keeps the definitions of a later version', async () => {
    await query(`update schema_definitions set hash = 'later', version = '0.10.0' where name = 'function new_id'`)
    const before = await stored()
    expect(await isMigrated(api.database.reads)).toBe(true)
    await migrate(api.database)
    expect(await stored()).toEqual(before)
    await query(`update schema_definitions set hash = 'earlier', version = '0.0.9' where name = 'function new_id'`)
    expect(await isMigrated(api.database.reads)).toBe(false)
  })
})

describe('migrations', () => {
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

  it.each([
    ['by another text of a migration', `update migrations set hash = 'earlier'`],
    ['before the hashes of migrations were stored', 'alter table migrations rename hash to other'],
  ])('refuses a database that was created %s', async (_, change) => {
    const { pool } = api.database
    const { rows } = await pool.query('select hash from migrations')
    await pool.query(change)
    try {
      await expect(migrate(api.database)).rejects.toThrow('The migration 0001_baseline.sql was changed after')
    } finally {
      if (change.includes('rename')) await pool.query('alter table migrations rename other to hash')
      await pool.query('update migrations set hash = $1', [rows[0].hash])
    }
    expect(await migrate(api.database)).toEqual([])
  })

  it('keep their hash after a change of a comment', () => {
    const sql = 'create table a (\n  -- The first.\n  b int\n);\n'
    expect(hashOfMigration(sql.replace('The first', 'The only one'))).toBe(hashOfMigration(sql))
    expect(hashOfMigration(sql.replace('b int', 'c int'))).not.toBe(hashOfMigration(sql))
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
})
