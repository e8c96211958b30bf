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
  // Jobs use the sessions of requests, which have planned the same statements.
  served.transactionOfJob = served.transaction
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
    const { rows } = await session.query<{ is_same: boolean }>(
      `select version = (${schema}) as is_same from kept.schema`,
    )
    if (rows[0]!.is_same) await session.query('select kept.restore()')
    if (rows[0]!.is_same) return true
  } catch {
    // The restore fails if a test closed the connection or left a transaction open. The copy is replaced.
  }
  kept_copies.splice(
    kept_copies.findIndex((copy) => copy.session === session),
    1,
  )
  await session.end()
  await release()
  return false
}

const ours = `
  join pg_namespace on pg_namespace.oid = relnamespace
 where nspname in ('public', 'graphile_worker') and not relispartition`

const tables = `
  select pg_class.oid, pg_class.oid::regclass::text as name,
         (select string_agg(quote_ident(attname), ', ') from pg_attribute
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class ${ours} and relkind in ('r', 'p')`

/**
 * Changes with the tables, indexes, rights, functions, triggers, constraints, policies and settings. Partitions are
 * omitted, since the service adds them as days pass.
 */
const schema = `
  select format('%s %s %s', count(*), sum(id::bigint), sum(version::text::bigint)) from (
    select pg_class.oid, hashtext(concat(relrowsecurity, relacl))::text from pg_class ${ours}
    union all select attrelid, pg_attribute.xmin::text
      from pg_attribute join pg_class on pg_class.oid = attrelid ${ours}
    union all select oid, xmin::text from pg_proc
    union all select pg_trigger.oid, pg_trigger.xmin::text
      from pg_trigger join pg_class on pg_class.oid = tgrelid ${ours}
    union all select pg_constraint.oid, pg_constraint.xmin::text
      from pg_constraint join pg_class on pg_class.oid = conrelid ${ours}
    union all select oid, xmin::text from pg_policy
    union all select setdatabase, xmin::text from pg_db_role_setting
  ) as definitions (id, version)`

/**
 * Saves the rows, and creates a function that restores them. It deletes rows instead of truncating tables, so that the
 * connections keep their plans. As a replica, the session runs no triggers.
 */
const save = `
  set session_replication_role = replica;
  set lock_timeout = '10s';
  create schema kept;
  create table kept.sequences as
    select format('%I.%I', schemaname, sequencename)::regclass as name, coalesce(last_value, start_value) as value,
           last_value is not null as is_called from pg_sequences;
  do $save$ declare it record; has_rows boolean; names text[]; steps text := ''; begin
    for it in ${tables} loop
      names := names || it.name;
      steps := steps || format('if exists (select from %1$s) then delete from %1$s; end if; ', it.name);
      execute format('select exists (select from %s)', it.name) into has_rows;
      continue when not has_rows;
      execute format('create table kept.%I as table %s', it.oid, it.name);
      steps := steps || format('insert into %1$s (%2$s) overriding system value select %2$s from kept.%3$I; ',
                               it.name, it.columns, it.oid);
    end loop;
    execute format('create function kept.restore() returns void language plpgsql as $$ begin
                      lock table %s in share row exclusive mode;
                      %s
                      perform setval(name, value, is_called) from kept.sequences;
                    end $$', array_to_string(names, ', '), steps);
  end $save$;
  create table kept.schema as select (${schema}) as version`
