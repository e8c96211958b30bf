import type { EmployerKey } from '../auth/queries.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { rowsFrom } from '../../platform/database/said.ts'
import { variants } from '../../platform/database/statement.ts'
import type { HistoryEntry, StartMove } from './rules.ts'

const histories = {
  class: { table: 'employee_classifications', column: 'employee_class' },
  compensation: { table: 'employee_compensations', column: 'compensation_type' },
}

const either = { history: ['class', 'compensation'] } as const

const saved_history = variants('employees.saveHistory', either, ({ history }) => {
  const { table, column } = histories[history]
  return `
    insert into ${table} (organization_id, employee_id, effective_on, ${column}, created_at)
    select :organization_id, said.employee_id, said.effective_on, said.value, :now
      from jsonb_to_recordset(:entries::jsonb) as said (employee_id text, effective_on date, value text)
     where said.value is distinct from (
       select ${column} from ${table} as history
        where history.employee_id = said.employee_id and history.organization_id = :organization_id
          and history.effective_on <= said.effective_on
        order by history.effective_on desc limit 1)
    on conflict (employee_id, organization_id, effective_on) do update set ${column} = excluded.${column}
    returning employee_id`
})

const deleted_repeats = variants('employees.deleteRepeats', either, ({ history }) => {
  const { table, column } = histories[history]
  return `
    delete from ${table} as gone using (
      select employee_id, effective_on,
             ${column} = lag(${column}) over (partition by employee_id order by effective_on) as repeats
        from ${table} where organization_id = :organization_id and employee_id = any(:employee_ids)) as told
     where told.repeats and gone.organization_id = :organization_id and gone.employee_id = told.employee_id
       and gone.effective_on = told.effective_on`
})

/**
 * Enters values into a history from their days on, where they differ from what held there; returns the employees
 * concerned.
 */
export async function saveHistory(
  ctx: Ctx,
  { organization_id }: EmployerKey,
  history: keyof typeof histories,
  entries: HistoryEntry[],
): Promise<string[]> {
  const rows = await saved_history({ history }).rows<{ employee_id: string }>(ctx, {
    organization_id,
    entries: JSON.stringify(entries),
  })
  const employee_ids = rows.map((row) => row.employee_id)
  if (employee_ids.length > 0) await deleted_repeats({ history }).rows(ctx, { organization_id, employee_ids })
  return employee_ids
}

const inserted_history = variants('employees.insertHistory', either, ({ history }) => {
  const { table, column } = histories[history]
  return `
    insert into ${table} (organization_id, employee_id, effective_on, ${column}, created_at)
    select :organization_id, said.employee_id, said.effective_on, said.value, :now
      from ${rowsFrom('entries', ['employee_id', 'effective_on date', 'value'])} as said`
})

/** Begins histories that have no entry yet. */
export const insertHistory = (
  ctx: Ctx,
  { organization_id }: EmployerKey,
  history: keyof typeof histories,
  entries: HistoryEntry[],
) =>
  inserted_history({ history }).rows(ctx, {
    organization_id,
    entries: JSON.stringify(entries.map(({ employee_id, effective_on, value }) => [employee_id, effective_on, value])),
  })

const saved_history_starts = variants('employees.saveHistoryStarts', either, ({ history }) => {
  const { table } = histories[history]
  return `
    with firsts as (
      select said.employee_id, said.start_date,
             coalesce(max(history.effective_on) filter (where history.effective_on <= said.start_date),
                      min(history.effective_on) filter (where said.former is null or history.effective_on = said.former)
             ) as effective_on
        from jsonb_to_recordset(:moves::jsonb) as said (employee_id text, former date, start_date date)
        join ${table} as history
          on history.employee_id = said.employee_id and history.organization_id = :organization_id
       group by said.employee_id, said.start_date
    ), gone as (
      delete from ${table} as history using firsts
       where history.employee_id = firsts.employee_id and history.organization_id = :organization_id
         and history.effective_on < firsts.effective_on)
    update ${table} as history set effective_on = firsts.start_date from firsts
     where history.employee_id = firsts.employee_id and history.organization_id = :organization_id
       and history.effective_on = firsts.effective_on and firsts.effective_on <> firsts.start_date`
})

/**
 * A history follows the first day of its employment: what held on that day holds from it, earlier rows go; when
 * the employment begins earlier than the history, its first row begins with it.
 */
export async function saveHistoryStarts(ctx: Ctx, { organization_id }: EmployerKey, moves: StartMove[]): Promise<void> {
  for (const history of either.history)
    await saved_history_starts({ history }).rows(ctx, { organization_id, moves: JSON.stringify(moves) })
}
