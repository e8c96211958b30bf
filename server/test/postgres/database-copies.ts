import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { citus } from '../../database/citus/citus.ts'
import type { Database } from '../../database/query/database.ts'
import { openDatabase } from '../../database/query/open-database.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { addressOf } from '../setup.ts'
import { withAnyTrigger } from './sharded-queries.ts'
import { runAtEach } from './sharding.ts'

/** A database with the rows of a template. */
export type DatabaseCopy = {
  url: string
  /** Connections as a superuser. */
  database: Database
  /** Connections with the role that serves. */
  served: Database
  release(): Promise<void>
}

type Sizes = { write_connections?: number; timeout_ms?: number }

/** A copy that a worker process keeps. `session` resets it. */
type KeptCopy = DatabaseCopy & { template: string; is_free: boolean; session: pg.Client }

const kept_copies: KeptCopy[] = []

/**
 * Opens a database with the rows of a template. Copying a template takes as long as many tests, and new connections
 * plan each statement again. So a worker keeps the database and its connections for its next files, and resets the
 * rows. A database whose schema was changed is replaced. Unusual connections, and databases on several servers, are not
 * kept.
 */
export async function openCopy(template: string, { write_connections, timeout_ms }: Sizes): Promise<DatabaseCopy> {
  const is_usual = write_connections === undefined && timeout_ms === undefined
  if (!is_usual || inject('servers').length > 1) return copyTemplate(template, { write_connections, timeout_ms })
  const free = kept_copies.find((copy) => copy.is_free && copy.template === template)
  const copy = free && (await isReset(free)) ? free : await keepCopy(template)
  copy.is_free = false
  return { ...copy, release: async () => void (copy.is_free = true) }
}

async function copyTemplate(template: string, { write_connections = 24, timeout_ms }: Sizes): Promise<DatabaseCopy> {
  const maintenance_url = inject('maintenance_url')
  const servers = inject('servers')
  const name = `${template}_${randomUUID().slice(0, 23).replaceAll('-', '')}`
  await runAtEach(servers, `create database ${name} template ${template} owner openbenefits_owner strategy file_copy`)
  const sizes = {
    read_connections: 2,
    distribution: servers.length > 1 ? citus : undefined,
    write_connections,
    ...(timeout_ms !== undefined && { timeout_ms }),
  }
  const url = databaseUrl({ url: maintenance_url }, name)
  const database = openDatabase({ url: servers.length > 1 ? withAnyTrigger(url) : url, ...sizes })
  const served = openDatabase({ url: addressOf(maintenance_url, name), ...sizes })
  const release = async () => {
    await served.close()
    await database.close()
    await runAtEach(servers, `drop database ${name} with (force)`)
  }
  return { url, database, served, release }
}

async function keepCopy(template: string): Promise<KeptCopy> {
  const copy = await copyTemplate(template, {})
  const session = new pg.Client({ connectionString: copy.url })
  session.on('error', () => undefined)
  await session.connect()
  await session.query(save)
  const kept = { ...copy, template, session, is_free: false }
  kept_copies.push(kept)
  return kept
}

/** Restores the rows of the template. If that is impossible, drops the database and returns false. */
async function isReset({ session, release }: KeptCopy): Promise<boolean> {
  try {
    const { rows } = await session.query<{ is_same: boolean }>(is_same_schema)
    if (rows[0]!.is_same) await session.query(reset)
    if (rows[0]!.is_same) return true
  } catch {
    // A test closed the connections, or a transaction has not ended.
  }
  kept_copies.splice(
    kept_copies.findIndex((copy) => copy.session === session),
    1,
  )
  await session.end()
  await release()
  return false
}

const tables = `
  select pg_class.oid, pg_class.oid::regclass::text as name,
         (select string_agg(quote_ident(attname), ', ') from pg_attribute
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
   where nspname in ('public', 'graphile_worker') and relkind in ('r', 'p') and not relispartition`

/** The definitions of the schema. Partitions are omitted, since the service adds them as days pass. */
const schema = `
  select md5(string_agg(line, ' ' order by line)) from (
    select format('%s %s', pg_class.oid, relrowsecurity) from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ('public', 'graphile_worker') and not relispartition and relkind <> 'i'
    union all select format('%s %s %s', attrelid, attnum, pg_attribute.xmin) from pg_attribute
      join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ('public', 'graphile_worker') and not relispartition and relkind <> 'i'
    union all select format('%s %s', oid, xmin) from pg_proc
    union all select format('%s %s', pg_trigger.oid, pg_trigger.xmin) from pg_trigger
      join pg_class on pg_class.oid = tgrelid and not relispartition
    union all select format('%s %s', pg_constraint.oid, pg_constraint.xmin) from pg_constraint
      left join pg_class on pg_class.oid = conrelid where relispartition is not true
    union all select format('%s %s', oid, xmin) from pg_policy
    union all select format('%s %s', setdatabase, setconfig) from pg_db_role_setting
  ) as lines (line)`

const save = `
  create schema kept;
  do $$ declare it record; has_rows boolean; begin
    for it in ${tables} loop
      execute format('select exists (select from %s)', it.name) into has_rows;
      if has_rows then execute format('create table kept.%I as table %s', it.oid, it.name); end if;
    end loop;
  end $$;
  create table kept.sequences as
    select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, start_value) as value,
           last_value is not null as is_called from pg_sequences;
  create table kept.schema as select (${schema}) as hash`

const is_same_schema = `select hash = (${schema}) as is_same from kept.schema`

/** Deletes rows instead of truncating tables, so that the connections keep their plans. */
const reset = `
  begin;
  set local session_replication_role = replica;
  set local lock_timeout = '10s';
  do $$ declare it record; begin
    for it in ${tables} loop
      execute format('lock table %s in share row exclusive mode', it.name);
    end loop;
    for it in ${tables} loop
      execute format('delete from %s', it.name);
      if to_regclass(format('kept.%I', it.oid)) is not null then
        execute format('insert into %1$s (%2$s) overriding system value select %2$s from kept.%3$I',
                       it.name, it.columns, it.oid);
      end if;
    end loop;
    perform setval(name, value, is_called) from kept.sequences;
  end $$;
  commit`
