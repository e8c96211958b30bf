import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { CensusChange } from './planned-rules.ts'
import type { CensusSync } from './queries.ts'

const changes_inserted = statement(
  'census.insertChanges',
  `insert into census_changes (organization_id, census_sync_id, employee_id, differences, told)
   select :organization_id, :census_sync_id, change.key,
          case when json_typeof(change.value) = 'array' then change.value::text::jsonb end,
          case when json_typeof(change.value) = 'object' then change.value end
     from json_each(:changes::json) as change
   on conflict do nothing`,
)

/** Keeps what rows of a payroll system's roster changed, to be told with its run. */
export async function saveChanges(ctx: Ctx, sync: CensusSync, changes: CensusChange[]): Promise<void> {
  if (changes.length === 0) return
  // Each by itself: an object of a thousand names takes three times as long.
  const members = changes.map(
    ({ employee_id, differences, told }) => `"${employee_id}":${JSON.stringify(differences ?? told)}`,
  )
  await changes_inserted.rows(ctx, { ...sync, census_sync_id: sync.id, changes: `{${members.join(',')}}` })
}

/** SQL: what a row `change` holds, field by field; of who was new, nothing was known before. */
export const differencesJson = `
  coalesce(change.differences::json, (
    select json_agg(json_build_object('field', told.key, 'before', null, 'after', told.value))
      from json_each_text(change.told) as told where told.value is not null))`
