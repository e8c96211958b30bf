import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { isMigrated, migrate } from '../database/schema/migrate.ts'
import { createEmployer } from './fixtures.ts'
import { useApi } from './harness.ts'
import { processStarter, randomFrom } from './service/killed-process.ts'
import { roles_password } from './setup.ts'

/**
 * Upgrades a 0.1.0 database with data to the next version: this one plus another migration, and a new, a changed and a
 * removed function. Upgrading processes are killed while a statement is on the way to PostgreSQL.
 */
const api = useApi()
const random = randomFrom(Number(process.env.KILL_SEED ?? 20260310))
const kills = Number(process.env.KILLS ?? 4)
const root = join(import.meta.dirname, '../..')
const next = mkdtempSync(join(tmpdir(), 'openbenefits-next-'))
afterAll(() => rmSync(next, { recursive: true }))

const migration = `
  alter table employers add column motto text not null default '';
  create table mottos (
    organization_id text collate "C" not null references organizations,
    employer_id text collate "C" not null,
    motto text not null
  );
  insert into mottos select organization_id, id, 'Onward' from employers;
  update employers set motto = 'Onward'`

const functions = `
  create or replace function shout(motto text) returns text language sql immutable return upper(motto) || '!';
  create or replace function keep_motto() returns trigger language plpgsql as $$
  begin
    new.motto := shout(new.motto);
    return new;
  end $$;
  create or replace trigger keep_motto before insert on mottos for each row execute function keep_motto();`

/** Writes the files of the service that upgrade a database, as in the next version. */
function writeNextVersion(): void {
  const sources = globSync(
    [
      '{database,kernel}/**/*.ts',
      '{database,http,modules,runtime}/**/functions.sql',
      'migrations/*.sql',
      'package.json',
    ],
    { cwd: join(root, 'server') },
  )
  for (const path of sources.filter((path) => !path.endsWith('.test.ts')))
    cpSync(join(root, 'server', path), join(next, 'server', path))
  for (const packages of ['node_modules', 'server/node_modules'])
    symlinkSync(join(root, packages), join(next, packages), 'dir')
  const change = (path: string, by: (text: string) => string) =>
    writeFileSync(join(next, path), by(readFileSync(join(next, path), 'utf8')))
  change('server/package.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "0.2.0"'))
  change('server/database/sql/functions.sql', (text) => text.replace('SS.MS"Z"', 'SS"Z"'))
  change('server/modules/directory/employers/functions.sql', (text) =>
    text.replace(/create or replace function employers_found_in_all[^]*?\$\$;/, ''),
  )
  appendFileSync(join(next, 'server/database/sql/functions.sql'), functions)
  writeFileSync(join(next, 'server/migrations/0002_mottos.sql'), migration)
}

/** Upgrades the database at `url` and reports the applied migrations. Dies during its query number `dies_at`. */
const start = processStarter(`
  import { migrate } from ${JSON.stringify(pathToFileURL(join(next, 'server/database/schema/migrate.ts')).href)}
  process.once('message', async ({ url, dies_at }) => {
    const pool = new pg.Pool({ connectionString: url })
    pool.on('error', () => undefined)
    dieAt(dies_at)
    process.send(await migrate({ pool }))
    process.disconnect()
  })
  process.send('loaded')`)

async function upgrade(dies_at = 0): Promise<string[] | undefined> {
  const { child, loaded, ended } = start()
  await loaded
  const [database] = await query<{ name: string }>('select current_database() as name')
  const { migration_url } = roleUrls({ url: inject('maintenance_url') }, roles_password, database!.name)
  child.send({ url: migration_url, dies_at })
  const reported = once(child, 'message').then(([applied]) => applied as string[])
  return Promise.race([reported, ended.then(() => undefined)])
}

const query = async <Row extends object>(text: string): Promise<Row[]> =>
  (await api.database.pool.query<Row>(text)).rows

/** A digest of the rows of each table that the upgrade does not change. */
async function contents(): Promise<Map<string, string>> {
  const tables = await query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not in ('migrations', 'schema_definitions', 'mottos') order by 1`,
  )
  const digests = await query<{ name: string; digest: string }>(
    tables
      .map(
        ({ name }) => `
          select '${name}' as name, md5(string_agg(row, ',' order by row)) as digest
            from (select (to_jsonb(it) - 'motto')::text as row from ${name} as it)`,
      )
      .join(' union all '),
  )
  return new Map(digests.map(({ name, digest }) => [name, digest]))
}

/** The parts of the upgrade that the database has. */
const parts = async () =>
  (
    await query<Record<string, boolean>>(
      `select exists (select from migrations where name = '0002_mottos.sql') as migration,
              to_regclass('mottos') is not null as table,
              exists (select from pg_class where oid = to_regclass('mottos') and relrowsecurity) as policy,
              to_regproc('shout') is not null as new_function,
              to_regproc('employers_found_in_all') is null as removed_function,
              iso('2026-03-10T00:00Z') = '2026-03-10T00:00:00Z' as changed_function,
              exists (select from pg_trigger where tgname = 'keep_motto') as trigger,
              exists (select from schema_definitions where version = '0.2.0') as definitions`,
    )
  )[0]!

describe.skipIf(inject('servers').length > 1)('an upgrade from 0.1.0', () => {
  let before: Map<string, string>
  beforeAll(async () => {
    writeNextVersion()
    for (let count = 0; count < 3; count++) await createEmployer(api)
    await api.work()
    before = await contents()
  })

  it('is complete or absent after each kill, is applied once, and loses no data', async () => {
    for (let killed = 0; killed < kills; killed++) {
      if (await upgrade(1 + random(16))) break
      expect(new Set(Object.values(await parts())).size, 'all parts or none').toBe(1)
      expect(await contents()).toEqual(before)
    }
    const applied = await Promise.all([upgrade(), upgrade()])
    expect(applied.flat().length).toBeLessThanOrEqual(1)
    expect(Object.values(await parts())).toEqual(Array(8).fill(true))
    expect(await contents()).toEqual(before)
    const [counts] = await query(
      `select (select count(*) from mottos) = (select count(*) from employers) as once,
              (select count(*) from employers where motto <> 'Onward') as missed`,
    )
    expect(counts).toEqual({ once: true, missed: '0' })
    await query(`insert into mottos select organization_id, id, 'Upward' from employers limit 1`)
    expect(await query(`select motto from mottos where motto <> 'Onward'`)).toEqual([{ motto: 'UPWARD!' }])
  })

  it('keeps running processes of 0.1.0 ready, but prevents others from starting', async () => {
    expect(await isMigrated(api.database.reads)).toBe(true)
    await expect(migrate(api.database)).rejects.toThrow('migrated by a newer OpenBenefits (0002_mottos.sql)')
  })
})
