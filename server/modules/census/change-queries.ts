import type { Ctx } from '../../platform/ctx.ts'
import { statement } from '../../platform/database/statement.ts'
import type { CensusChange } from './planned-rules.ts'
import type { CensusSync } from './queries.ts'

const changes_inserted = statement(
  'census.insertChanges',
  `insert into census_changes (organization_id, census_sync_id, employee_id, differences)
   select :organization_id, :census_sync_id, employee_id, differences
     from jsonb_to_recordset(:changes::jsonb) as change (employee_id text, differences jsonb)
   on conflict do nothing`,
)

/** Keeps what rows of a payroll system's roster changed, to be told with its run. */
export async function saveChanges(ctx: Ctx, sync: CensusSync, changes: CensusChange[]): Promise<void> {
  if (changes.length > 0)
    await changes_inserted.rows(ctx, { ...sync, census_sync_id: sync.id, changes: JSON.stringify(changes) })
}
