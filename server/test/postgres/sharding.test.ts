import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startWith } from '../../../cli/test/command.ts'
import { addOperatorCommands } from '../../cli/commands.ts'
import { tasks } from '../../worker-tasks.ts'
import { isSharded, openAsFound } from '../../database/citus/sharding-state.ts'
import { asProcedure } from '../../database/citus/sharding.ts'
import { openDatabase } from '../../database/query/open-database.ts'
import { keepPartitions } from '../../database/schema/partitions.ts'
import { applySharded } from '../../database/citus/migrate-sharded.ts'
import { makeReady } from '../../database/schema/roles.ts'
import { ensureRoles, roleUrls } from '../../../packages/embedded-postgres/roles.ts'
import { seedStory } from '../../sandbox/story.ts'
import { dumpTables } from '../../tools/gen/tables-dump.ts'
import { joinServers, runAtEach } from './sharding.ts'
import { useApi, type Api } from '../harness.ts'
import { blockOf } from '../guides/code-blocks.ts'
import { testRuntime, noon } from '../runtime.ts'
import { roles_password, run } from '../setup.ts'

const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')
const api = useApi()
let owner: pg.Client
let env: Record<string, string>

/** The addresses of the test database for both roles. */
async function urlsOf({ database }: Api) {
  const { name } = (await database.reads.row<{ name: string }>('select current_database() as name'))!
  return roleUrls({ url: inject('maintenance_url') }, roles_password, name)
}

beforeAll(async () => {
  const { url, migration_url } = await urlsOf(api)
  owner = new pg.Client({ connectionString: migration_url })
  await owner.connect()
  await owner.query(`set openbenefits.organizations = '*'`)
  const key = () => randomBytes(32).toString('base64')
  env = {
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url!,
    ENCRYPTION_KEYS: `k1:${key()}`,
    HASH_KEY: key(),
    TOKEN_KEY: key(),
    OPERATOR_KEY: 'obop_0123456789abcdefghijklmnopqrstu',
  }
})
afterAll(() => owner.end())

const command = (words: string, settings = env) =>
  startWith(words.split(' '), settings, '', undefined, [addOperatorCommands]).ended

/** The statement that creates a table, from the schema. */
const tableOf = (name: string): string => new RegExp(`^CREATE TABLE ${name} \\(\n[^]*?^\\);`, 'm').exec(schema)![0]

const send = async <Row extends object>(text: string): Promise<Row | undefined> => (await owner.query(text)).rows[0]

describe.skipIf(inject('servers').length > 1)('a database on one server', () => {
  it('is sharded only with Citus, and has nothing to undo', async () => {
    const refused = await command('distribute --apply')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(
      'The database has no Citus. A superuser must run `create extension citus` in it first.',
    )
    expect(await command('undistribute')).toMatchObject({ code: 0, out: 'There is nothing to do.\n' })
    const { DATABASE_URL: _, MIGRATION_DATABASE_URL: __, ...embedded } = env
    expect((await command('distribute', embedded)).err).toContain(
      'The embedded database is one server and has no Citus',
    )
  })

  it('gets a clear refusal from each command of the guide', async () => {
    const lines = blockOf('docs/scaling.md', 'npx openbenefits migrate').trim().split('\n')
    const input: [number | null, string][] = []
    for (const line of lines) {
      const { code, err } = await command(line.replace('npx openbenefits ', '').replace(/ *#.*/, ''))
      input.push([code, err])
    }
    const has_none = [1, expect.stringContaining('has no Citus')]
    expect(input).toEqual([[0, ''], has_none, has_none])
  })

  it('refuses to serve or migrate a partly sharded database', async () => {
    await owner.query(`insert into unsharding_steps (statement) values ('select 1')`)
    await expect(openAsFound({ url: env.DATABASE_URL! })).rejects.toThrow('was interrupted')
    const { rows } = await owner.query(
      'delete from migrations where name = (select max(name) from migrations) returning name, hash',
    )
    expect((await command('migrate')).err).toContain('was interrupted')
    expect((await command('distribute')).err).toContain('1 migrations have not run. Run openbenefits migrate first.')
    await owner.query('insert into migrations (name, hash) values ($1, $2)', [rows[0].name, rows[0].hash])
    await owner.query('insert into two_phase_commits (id) values (1)')
    expect(await isSharded(send)).toBe(true)
    await owner.query('delete from two_phase_commits; delete from unsharding_steps')
    expect(await isSharded(send)).toBe(false)
  })

  it('has only functions that can be written in PL/pgSQL', async () => {
    const { rows } = await owner.query<{ definition: string }>(
      `select pg_get_functiondef(oid) as definition from pg_proc
        where proname in ('employer_benefits_on', 'book_entry_on', 'scope_of', 'served_days')`,
    )
    expect(rows.length).toBe(4)
    await owner.query('begin')
    for (const { definition } of rows) await owner.query(asProcedure(definition))
    const requested = [
      `select * from employer_benefits_on('empr', 'org', '2026-03-10')`,
      `select * from book_entry_on('empr', 'org', '2026-03-10')`,
    ]
    for (const text of requested) expect((await owner.query(text)).rows).toEqual([])
    expect((await owner.query(`select * from scope_of('empr', 'org', 'bprd')`)).rows).toEqual([{ scope: '' }])
    expect((await owner.query(`select * from served_days('empr', 'org')`)).rowCount).toBe(1)
    await owner.query('rollback')
  })
})

/** The triggers and functions of a database, which the dump of its tables omits. */
const triggers_and_functions = `
  select pg_get_triggerdef(trigger.oid) as sql
    from pg_trigger as trigger join pg_class as class on class.oid = tgrelid
   where relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0
   union all
  select pg_get_functiondef(oid)
    from pg_proc
   where pronamespace = 'public'::regnamespace and prokind = 'f' and not exists (
           select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
   order by sql`

/**
 * The kinds of statements in a migration: a changed table, a recreated table, a table without tenants, changed rows,
 * functions, and an index.
 */
const warnings = tableOf('census_warnings')
const migration = `
  -- A semicolon in a comment; it ends no statement.
  alter table employers add column motto text not null default 'a';
  comment on column employers.motto is 'A sentence of the employer';
  create index employers_of_motto on employers (organization_id, motto);
  update employers set motto = motto || '; b';
  drop table census_warnings;
  ${warnings}
  create table stamps (id text collate "C" primary key);
  insert into stamps values ('one'), ('two');
  create function mottos_of(of_organization text, of_employer text) returns table (motto text)
    language sql stable begin atomic
      select employer.motto from employers as employer
       where employer.organization_id = of_organization and employer.id = of_employer;
    end;
  create or replace function mottos_of(of_organization text, of_employer text) returns table (motto text)
    language sql stable begin atomic
      select employer.motto from employers as employer
       where employer.id = of_employer and employer.organization_id = of_organization;
    end;`
const taken_back = `
  drop function mottos_of; drop table stamps; drop index employers_of_motto; alter table employers drop column motto`

describe.skipIf(inject('servers').length === 1)('a database with worker servers', () => {
  const name = `dividing_${randomBytes(8).toString('hex')}`
  const servers = inject('servers')
  const [requested, ...behind] = servers
  let its: pg.Client
  let settings: Record<string, string>

  beforeAll(async () => {
    await runAtEach(behind, `create database ${name} owner openbenefits_owner`)
    await run(requested, `create database ${name}`)
    const addresses = await ensureRoles({ url: requested }, roles_password, name)
    await makeReady(addresses)
    const database = openDatabase(addresses)
    const runtime = testRuntime(database, inject('secret_keys'), () => noon('2026-03-10'))
    await keepPartitions(runtime, runtime.settings.audit_retention_years)
    await seedStory(runtime, tasks)
    await database.close()
    await joinServers(servers, name)
    its = new pg.Client({ connectionString: addresses.migration_url! })
    await its.connect()
    await its.query(`set openbenefits.organizations = '*'`)
    settings = { ...env, DATABASE_URL: addresses.url, MIGRATION_DATABASE_URL: addresses.migration_url! }
  })
  afterAll(async () => {
    await its.end()
    await runAtEach(servers, `drop database if exists ${name} with (force)`)
  })

  const all = async () => ({
    tables: await dumpTables(async (text) => (await its.query(text)).rows),
    code: (await its.query(triggers_and_functions)).rows,
    employers: (await its.query('select * from employers order by id')).rows,
    entries: (await its.query('select * from book_entries order by employer_id')).rows,
    counts: (await its.query('select * from book_counts order by organization_id, kind')).rows,
  })
  const migrateBy = async (sql: string) => {
    await its.query('begin')
    await applySharded(its, sql)
    await its.query('commit')
  }
  /** The Citus placement of tables. Undefined for tables that Citus does not manage. */
  const placementsOf = async (...tables: string[]) => {
    const { rows } = await its.query<{ name: string; method: string }>(
      'select logicalrelid::regclass::text as name, partmethod as method from pg_dist_partition',
    )
    return Object.fromEntries(tables.map((table) => [table, rows.find(({ name }) => name === table)?.method]))
  }
  const isItSharded = () => isSharded(async (text) => (await its.query(text)).rows[0])

  it('is sharded, served, and restored to one server', async () => {
    const before = await all()
    const planned = await command('distribute', settings)
    expect(planned.out).toContain('divide employers\n')
    expect(planned.out).toContain('run it with --apply')
    expect(await all()).toEqual(before)

    const service = await openAsFound({ url: settings.DATABASE_URL! })
    await service.reads([]).row('select 1')
    expect((await command('distribute --apply', settings)).err).toContain('of the service are open: stop the service')
    await service.close()

    expect((await command('distribute --apply', settings)).out).toContain('The tenants are distributed.')
    expect((await command('distribute --apply', settings)).out).toBe('There is nothing to do.\n')
    expect(await isItSharded()).toBe(true)
    const sharded = await all()
    expect({ ...sharded, tables: '', code: [] }).toEqual({ ...before, tables: '', code: [] })
    const served = await openAsFound({ url: settings.DATABASE_URL! })
    expect(served.distribution).toBeDefined()
    await served.close()

    await migrateBy(migration)
    await makeReady({ url: settings.DATABASE_URL!, migration_url: settings.MIGRATION_DATABASE_URL })
    expect((await command('distribute', settings)).out).toBe('There is nothing to do.\n')
    expect(await placementsOf('census_warnings', 'stamps')).toEqual({ census_warnings: 'h', stamps: undefined })
    expect((await its.query('select count(*)::int as count from employers where motto = $1', ['a; b'])).rows).toEqual([
      { count: before.employers.length },
    ])
    const { id, organization_id } = before.employers[0]
    expect((await its.query('select * from mottos_of($1, $2)', [organization_id, id])).rows).toEqual([
      { motto: 'a; b' },
    ])

    expect((await command('undistribute --apply', settings)).out).toContain('The tenants are on one server.')
    expect((await command('undistribute', settings)).out).toBe('There is nothing to do.\n')
    expect(await isItSharded()).toBe(false)
    const comment = await its.query(`
      select col_description(attrelid, attnum) from pg_attribute
       where attrelid = 'employers'::regclass and attname = 'motto'`)
    expect(comment.rows).toEqual([{ col_description: 'A sentence of the employer' }])
    await its.query(taken_back)
    expect(await all()).toEqual(before)
  })
})
