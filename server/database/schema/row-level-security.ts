import type pg from 'pg'
import type { Db } from '../query/database.ts'

/**
 * Tables with an organization_id that have no row-level security, with the reason. Tables without that column, such as
 * users, are not listed.
 */
export const unlocked_tables: Record<string, string> = {
  credential_usage: 'request counts of a credential, which operators read across all of its organizations',
  idempotency_keys: 'a key belongs to a credential, which may repeat a request after losing access to the organization',
}

/** Policies of tables that need other than the usual one. `%s` is the table. */
const other_policies: Record<string, string[]> = {
  organizations: ['create policy of_organization on %s using (in_scope(id))'],
  // Every scope may add entries without an organization. Only the scope of all organizations reads them.
  audit_batches: [
    'create policy of_organization on %s for select using (in_scope(organization_id))',
    `create policy written on %s for insert with check (organization_id = '' or in_scope(organization_id))`,
  ],
  // A key that is bound to no organization reaches the organizations of its owner.
  api_keys: ['create policy of_organization on %s using (key_in_scope(organization_id, user_id))'],
  // Hashes and counts. Those without an organization must be visible for appending.
  audit_chains: [`create policy of_organization on %s using (organization_id = '' or in_scope(organization_id))`],
}

const default_policies = ['create policy of_organization on %s using (in_scope(organization_id))']

/** Tables with rows of an organization that lack row-level security, and partitions with their parent. */
const open_tables = `
  select class.oid::regclass::text as name, class.relispartition as is_part,
         coalesce(pg_partition_root(class.oid), class.oid)::regclass::text as whole,
         array(select format('drop policy %I on %s', polname, class.oid::regclass)
                 from pg_policy where polrelid = class.oid) as former
    from pg_class as class
   where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p') and not class.relrowsecurity
     and (class.relname = 'organizations'
          or exists (select from pg_attribute where attrelid = class.oid and attname = 'organization_id'
                                                and not attisdropped))
   order by name`

/** `former`: drops policies that remained when row-level security was disabled. */
type OpenTable = { name: string; is_part: boolean; whole: string; former: string[] }

const isToBeLocked = ({ whole }: OpenTable): boolean => !(whole in unlocked_tables)

const listOpen = async (client: pg.ClientBase): Promise<OpenTable[]> =>
  (await client.query<OpenTable>(open_tables)).rows.filter(isToBeLocked)

/** Whether each table with rows of an organization has row-level security. */
export const isLocked = async (db: Pick<Db, 'rows'>): Promise<boolean> =>
  !(await db.rows<OpenTable>(open_tables)).some(isToBeLocked)

/** A partition has no policy, so that the service can only use it through its parent. */
const policiesOf = ({ name, is_part, whole }: OpenTable): string[] =>
  is_part ? [] : (other_policies[whole] ?? default_policies).map((policy) => policy.replace('%s', name))

/**
 * Enables row-level security on each table with rows of an organization that lacks it. Runs in the transaction of the
 * migrations, so that no new table is ever visible without its policy.
 */
export async function lockRows(client: pg.ClientBase): Promise<void> {
  for (const table of await listOpen(client))
    // One by one, because Citus passes commands on as text.
    for (const text of [...table.former, ...policiesOf(table), `alter table ${table.name} enable row level security`])
      await client.query(text)
}
