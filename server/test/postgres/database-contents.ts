import type { Api } from '../harness.ts'

/** Tables that are written independently of actions or for every request. */
const not_of_actions = /^(?:audit_|rate_limits$|credential_usage$|api_keys$|operator_keys$)/

/**
 * A digest of every table, including jobs. It changes if and only if a row is added, changed or deleted and the change
 * is committed.
 */
export async function databaseContents({ database: { pool } }: Pick<Api, 'database'>): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select format('%I.%I', namespace.nspname, named.relname) as name
      from pg_class as named join pg_namespace as namespace on namespace.oid = named.relnamespace
     where named.relkind = 'r' and (namespace.nspname = 'public' or named.relname = '_private_jobs')
     order by name`)
  const counted = tables
    .filter(({ name }) => !not_of_actions.test(name.replace('public.', '')))
    .map(({ name }) => `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint) as written from ${name}`)
  const { rows } = await pool.query(`${counted.join(' union all ')} order by name`)
  return JSON.stringify(rows)
}
