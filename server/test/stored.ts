import type { Api } from './harness.ts'

/** What is written beside requests, or of each of them. */
const not_of_actions = /^(?:audit_|former_audit_|rate_limits$|credential_usage$|api_keys$|operator_keys$)/

/**
 * What every table holds, jobs too: the same text as long as nobody added, changed or deleted a row, in whichever
 * table, and committed that.
 */
export async function stored({ database: { pool } }: Pick<Api, 'database'>): Promise<string> {
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
