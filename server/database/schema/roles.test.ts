import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { runAtEach } from '../../test/postgres/sharding.ts'
import { blockOf } from '../../test/guides/code-blocks.ts'
import { roles_password, run } from '../../test/setup.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import { makeReady } from './roles.ts'

const maintenance_url = inject('maintenance_url')
const made: string[] = []

afterAll(async () => {
  for (const name of made) await runAtEach(inject('servers'), `drop database if exists ${name} with (force)`)
  await run(maintenance_url, `drop role if exists ${roles.join(', ')}`)
})

const mark = randomUUID().slice(0, 8)
const roles = ['chief', 'keeper', 'clerk', 'copyist', 'successor', 'single'].map((name) => `${name}_${mark}`)
const [chief, keeper, clerk, copyist, successor, single] = roles as [string, string, string, string, string, string]

/** Creates a database on each server, empty by default. Returns its address for the superuser. */
async function aDatabase(from = ''): Promise<{ name: string; url: string }> {
  const name = `roles_${randomUUID().replaceAll('-', '')}`
  made.push(name)
  await runAtEach(inject('servers'), `create database ${name} ${from}`)
  return { name, url: databaseUrl({ url: maintenance_url }, name) }
}

function as(role: string, url: string): string {
  const address = new URL(url)
  address.username = role
  address.password = 'right'
  return address.href
}

async function send(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** The error of a statement, or `done`. */
const refusalOf = (url: string, text: string): Promise<string> =>
  send(url, text).then(
    () => 'done',
    (error: pg.DatabaseError) => `${error.code} ${error.message}`,
  )

describe('the service role', async () => {
  const { name } = await aDatabase(`template ${inject('template')}`)
  const { url } = await ensureRoles({ url: maintenance_url }, roles_password, name)

  it.each([
    ['create a table', 'create table notes (text text)'],
    ['create a temporary table', 'create temporary table notes (text text)'],
    ['create a schema', 'create schema notes'],
    ['create a function', 'create function notes() returns int language sql return 1'],
    ['create an extension', 'create extension citext'],
    ['change a table', 'alter table employees add column notes text'],
    ['rename a table', 'alter table employees rename to people'],
    ['drop a table', 'drop table employees'],
    ['empty a table', 'truncate employees'],
    ['drop an index', 'drop index employees_by_reference'],
    ['disable row-level security', 'alter table employees disable row level security'],
    ['create a policy', 'create policy mine on employees using (true)'],
    ['add a trigger to a table', 'create trigger mine before insert on employees execute function set_search_key()'],
    ['disable triggers and keys', 'set session_replication_role = replica'],
    ['become the owner', 'set role openbenefits_owner'],
    ['become the superuser', `set session authorization ${new URL(maintenance_url).username}`],
    ['grant itself the owner', 'grant openbenefits_owner to openbenefits_service'],
    ['create a role', 'create role mine superuser'],
    ['make itself a superuser', 'alter role openbenefits_service superuser'],
    ['read a file', `select pg_read_file('/etc/passwd')`],
    ['list a folder', `select pg_ls_dir('.')`],
    ['import a file', `select lo_import('/etc/passwd')`],
    ['copy from a file', `copy employees from '/etc/passwd'`],
    ['copy to a file', `copy employees to '/tmp/employees'`],
    ['run a program', `copy employees from program 'id'`],
    ['change a setting of the server', `alter system set log_statement = 'all'`],
    ['read passwords', 'select rolpassword from pg_authid'],
    ['change the audit log', `update audit_batches set operations = '{}'`],
    ['remove from the audit log', 'delete from audit_batches'],
    ['empty the audit log', 'truncate audit_batches'],
    ['record a migration', `insert into migrations (name, hash) values ('9999_mine.sql', '')`],
    ['delete a migration', 'delete from migrations'],
  ])('cannot %s', async (_, text) => {
    expect(await refusalOf(url, text)).toMatch(/^(42501|0LP01|42P17) /)
  })

  it('sees only the organizations in its scope, as the guide explains', async () => {
    const [check, open_tables] = blockOf('docs/operating/database.md', 'select count(*) from employers;').split(';\n')
    // An empty table is not checked row by row.
    const seen = await send(url, check!).then(
      ([row]) => `${row!.count} seen`,
      (error: Error) => error.message,
    )
    expect(seen).toMatch(/^0 seen$|openbenefits\.organizations|No scope is set/)
    expect((await send(url, open_tables!)).map(({ count }) => Number(count))).toEqual([0])
    expect(await refusalOf(url, blockOf('docs/operating/database.md', 'begin;\nset local'))).toBe('done')
  })

  it('owns nothing, and is a member of no role', async () => {
    expect(
      await send(
        url,
        `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
           (select count(*)::int from pg_auth_members where member = pg_roles.oid) as memberships,
           (select count(*)::int from pg_class where relowner = pg_roles.oid) +
           (select count(*)::int from pg_proc where proowner = pg_roles.oid) +
           (select count(*)::int from pg_namespace where nspowner = pg_roles.oid) +
           (select count(*)::int from pg_database where datdba = pg_roles.oid) as owned
         from pg_roles where rolname = current_user`,
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        memberships: 0,
        owned: 0,
      },
    ])
  })

  it('can append to the audit log, and cannot grant itself more rights', async () => {
    // PostgreSQL only warns that nothing was granted.
    await send(url, 'grant all on audit_batches to openbenefits_service')
    expect(
      await send(
        url,
        `select has_table_privilege('audit_batches', 'insert') as adds,
                has_table_privilege('audit_batches', 'update, delete, truncate') as changes`,
      ),
    ).toEqual([{ adds: true, changes: false }])
  })
})

/** The statements of the guide, with these names for roles and database. */
const asReported = (block: string, name: string, owner: string): string[] =>
  block
    .replaceAll(/benefits_owner|benefits_service|\bbenefits\b|'…'/g, (word) =>
      word === 'benefits_owner' ? owner : word === 'benefits_service' ? clerk : word === 'benefits' ? name : "'right'",
    )
    .split(';\n')
    .filter(Boolean)

describe('with DATABASE_URL', async () => {
  const name = `roles_${randomUUID().replaceAll('-', '')}`
  const url = databaseUrl({ url: maintenance_url }, name)
  made.push(name)
  for (const statement of asReported(blockOf('docs/operating/database.md', 'create role benefits_owner'), name, keeper))
    await run(maintenance_url, statement)
  for (const role of [chief, copyist, successor, single])
    await run(maintenance_url, `create role ${role} login password 'right'`)
  await run(maintenance_url, `alter role ${chief} superuser`)
  await run(maintenance_url, `alter role ${copyist} replication`)
  await run(maintenance_url, `grant ${keeper} to ${successor}`)
  const urlOf = (role: string) => as(role, url)

  it('migrates with one role and serves with the other', async () => {
    await expect(makeReady({ url: urlOf(clerk), migration_url: undefined })).rejects.toThrow(
      'permission denied for schema public',
    )
    expect(await makeReady({ url: urlOf(clerk), migration_url: urlOf(keeper) })).toEqual([])
    await send(
      url,
      `insert into organizations (id, name, type, idp_provider, idp_org_id, super_in, sandbox, created_at, updated_at)
       values ('org_1', 'Harbor', 'BROKERAGE', 'service', 'org_1', false, true, now(), now())`,
    )
    expect(await refusalOf(urlOf(clerk), 'select from organizations')).toMatch(/^42704 .*openbenefits\.organizations/)
    const scoped = new URL(urlOf(clerk))
    scoped.searchParams.set('options', '-c openbenefits.organizations=*')
    expect(await send(scoped.href, 'select id from organizations')).toEqual([{ id: 'org_1' }])
    expect(await refusalOf(urlOf(clerk), 'drop table employees')).toBe('42501 must be owner of table employees')
  })

  it('can be changed from one role to two', async () => {
    const { name: former, url: address } = await aDatabase()
    await run(maintenance_url, `alter database ${former} owner to ${single}`)
    expect(await makeReady({ url: as(single, address), migration_url: undefined })).toHaveLength(1)
    const block = blockOf('docs/operating/database.md', 'alter database benefits owner to')
    for (const statement of asReported(block.replace('owned by benefits', `owned by ${single}`), former, keeper))
      await send(address, statement)
    expect(await makeReady({ url: as(clerk, address), migration_url: as(keeper, address) })).toEqual([])
  })

  it('starts without the owner if nothing must be migrated', async () => {
    const addresses = { url: urlOf(clerk), migration_url: undefined }
    expect(await makeReady(addresses)).toEqual([])
    const refused = 'The database lacks a migration of this version, and the role of DATABASE_URL may not make it'
    await send(url, `update migrations set name = '0000_other.sql'`)
    await expect(makeReady(addresses)).rejects.toThrow(refused)
    await send(url, `update migrations set name = '0001_baseline.sql'`)
    await send(url, `update schema_definitions set hash = 'changed' where name = 'function new_id'`)
    await expect(makeReady(addresses), 'as after a change of functions.sql').rejects.toThrow(refused)
    expect(await makeReady({ ...addresses, migration_url: urlOf(keeper) })).toEqual([])
    await send(url, 'alter table organizations disable row level security')
    await expect(makeReady(addresses), 'as after a load without policies').rejects.toThrow(refused)
    expect(await makeReady({ ...addresses, migration_url: urlOf(keeper) })).toEqual([])
    expect(await refusalOf(urlOf(clerk), 'select from organizations')).toMatch(/^42704 /)
  })

  it('grants the rights that a restored backup lacks, and revokes excessive ones', async () => {
    await send(url, `revoke all on employees from ${clerk}; grant update on audit_batches to ${clerk}`)
    expect(await makeReady({ url: urlOf(clerk), migration_url: urlOf(keeper) })).toEqual([])
    expect(
      await send(
        urlOf(clerk),
        `select has_table_privilege('employees', 'delete') as people,
                has_table_privilege('audit_batches', 'update') as audit`,
      ),
    ).toEqual([{ people: true, audit: false }])
  })

  it.each([
    [keeper, chief, `The role ${chief} of MIGRATION_DATABASE_URL is a superuser`],
    [chief, keeper, `The role ${chief} of DATABASE_URL is a superuser`],
    [copyist, keeper, `The role ${copyist} of DATABASE_URL may copy the whole server`],
    [successor, keeper, `The role ${successor} of DATABASE_URL owns tables or is a member of their owner`],
    [keeper, keeper, 'DATABASE_URL and MIGRATION_DATABASE_URL name the same role'],
  ])('refuses a role with too many rights: %s, migrated by %s', async (serves, migrates, sentence) => {
    await expect(makeReady({ url: urlOf(serves), migration_url: urlOf(migrates) })).rejects.toThrow(sentence)
  })

  it.each([
    [keeper, 'owns the tables that it serves from:'],
    [chief, 'owns the tables that it serves from, and is a superuser'],
  ])('warns if one role does both: %s', async (role, words) => {
    const [warning] = await makeReady({ url: urlOf(role), migration_url: undefined })
    expect(warning).toContain(words)
  })
})
