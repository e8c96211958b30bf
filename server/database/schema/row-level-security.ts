import type pg from 'pg'
import type { Db } from '../query/database.ts'

/**
 * Tables with an organization that every scope may touch, and why. Others without one, as users, are about nobody's
 * organization.
 */
export const unlocked_tables: Record<string, string> = {
  credential_usage: 'counts of a credential, which operators read of all organizations that it was used at',
  idempotency_keys: 'a key belongs to a credential, which may repeat a request after it lost the organization',
}

/** Policies of a table, `%s`, that are not the usual one. */
const other_policies: Record<string, string[]> = {
  organizations: ['create policy of_organization on %s using (in_scope(id))'],
  // What is of no organization may be written down by everybody, and is read by who reads all.
  audit_sheets: [
    'create policy of_organization on %s for select using (in_scope(organization_id))',
    `create policy written on %s for insert with check (organization_id = '' or in_scope(organization_id))`,
  ],
  // A key that is bound to no organization reaches those that its owner is a member of.
  api_keys: ['create policy of_organization on %s using (key_in_scope(organization_id, user_id))'],
  // Hashes and counts. To be counted on, that of no organization must be seen.
  audit_chains: [`create policy of_organization on %s using (organization_id = '' or in_scope(organization_id))`],
}

const usual_policies = ['create policy of_organization on %s using (in_scope(organization_id))']

/** Tables that hold something of an organization and are open, and partitions by the table that they are a part of. */
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

/** `former`: what takes off policies that somebody left when they unlocked it. */
type OpenTable = { name: string; is_part: boolean; whole: string; former: string[] }

const isToBeLocked = ({ whole }: OpenTable): boolean => !(whole in unlocked_tables)

const listOpen = async (client: pg.ClientBase): Promise<OpenTable[]> =>
  (await client.query<OpenTable>(open_tables)).rows.filter(isToBeLocked)

/** Whether each table that holds something of an organization has row-level security. */
export const isLocked = async (db: Db): Promise<boolean> => !(await db.rows<OpenTable>(open_tables)).some(isToBeLocked)

/** A part has no policy: nobody who is held by one reads or writes it but by the whole. */
const policiesOf = ({ name, is_part, whole }: OpenTable): string[] =>
  is_part ? [] : (other_policies[whole] ?? usual_policies).map((policy) => policy.replace('%s', name))

/**
 * Puts row-level security on each table that holds something of an organization and has none yet. Changes nothing when
 * that is so already: processes that start together would be in each other's way.
 */
export async function lockRows(client: pg.ClientBase): Promise<void> {
  if ((await listOpen(client)).length === 0) return
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('openbenefits migrations'))`)
    for (const table of await listOpen(client))
      // One by one: what several servers are told, they are told by the text in which it came.
      for (const text of [...table.former, ...policiesOf(table), `alter table ${table.name} enable row level security`])
        await client.query(text)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
