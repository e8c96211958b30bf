import type { EmployerKey } from '../../access/auth/queries.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { rowsFrom, isInputRow, withInputRows } from '../../../database/sql/fragments.ts'
import { variants, statement } from '../../../database/sql/statement.ts'
import type { HistoryEntry } from './rules.ts'

const histories = {
  class: { table: 'employee_classifications', column: 'employee_class' },
  compensation: { table: 'employee_compensations', column: 'compensation_type' },
}

const either = { history: ['class', 'compensation'] } as const

const saved_history = variants('employees.saveHistory', either, ({ history }) => {
  const { table, column } = histories[history]
  return `
    insert into ${table} as former (organization_id, employee_id, effective_on, ${column}, created_at)
    select :organization_id, input.employee_id, input.effective_on, input.value, :now
      from jsonb_to_recordset(:entries::jsonb) as input (employee_id text, effective_on date, value text)
    on conflict (employee_id, organization_id, effective_on) do update set ${column} = excluded.${column}
     where former.${column} <> excluded.${column}
    returning employee_id`
})

/**
 * Stores values with the days from which they are effective. Values that change nothing today are stored too, because a
 * fact that is reported later can give them an effect (docs/design/people/employments.md). For one day, the last report
 * wins. Returns the employees whose stored history changed.
 */
export const saveHistory = (
  ctx: Ctx,
  { organization_id }: EmployerKey,
  history: keyof typeof histories,
  entries: HistoryEntry[],
) =>
  saved_history({ history }).column(ctx, {
    organization_id,
    entries: JSON.stringify(entries),
  })

const inserted_history = variants('employees.insertHistory', either, ({ history }) => {
  const { table, column } = histories[history]
  return `
    insert into ${table} (organization_id, employee_id, effective_on, ${column}, created_at)
    select :organization_id, input.employee_id, '-infinity', input.value, :now
      from ${rowsFrom('entries', ['employee_id', 'value'])} as input`
})

/**
 * Begins the histories of new employments. The first value has no day of its own: it is effective from the first day of
 * the employment, even if that day moves.
 */
export const insertHistory = (
  ctx: Ctx,
  { organization_id }: EmployerKey,
  history: keyof typeof histories,
  entries: Omit<HistoryEntry, 'effective_on'>[],
) =>
  inserted_history({ history }).rows(ctx, {
    organization_id,
    entries: JSON.stringify(entries.map(({ employee_id, value }) => [employee_id, value])),
  })

/** The people whom an employer last reported with exactly these details, by their hashes. */
export const findReported = statement(
  'employees.findReported',
  `select distinct employee.member_id from unnest(:detail_hashes::text[]) as candidate (report_hash)
    cross join lateral (
      select member_id, employer_id from employees
       where report_hash = candidate.report_hash and organization_id = :organization_id
      offset 0) as employee
    where employee.employer_id = :employer_id`,
).column

/** Returns which of these people are also reported by another employer or a group. */
export const findShared = statement(
  'employees.findShared',
  `select candidate.member_id from unnest(:member_ids::text[]) as candidate (member_id)
    cross join lateral (
      select from employees
       where member_id = candidate.member_id and organization_id = :organization_id and employer_id <> :employer_id
       limit 1) as employment
   union all
   select candidate.member_id from unnest(:member_ids::text[]) as candidate (member_id)
    cross join lateral (
      select from group_members
       where member_id = candidate.member_id and organization_id = :organization_id and left_at is null
       limit 1) as membership`,
).column

const saved_detail_hashes = statement(
  'employees.saveDetailHashes',
  `${withInputRows('jsonb_to_recordset(:input::jsonb) as input (employee_id text, report_hash text)')}
   update employees as employee set report_hash = input.report_hash from input
    where ${isInputRow('employee', 'employee_id')}`,
)

/** Saves the employer's latest report of people, as a hash per employment. */
export const saveDetailHashes = (
  ctx: Ctx,
  employer: EmployerKey,
  detail_hashes: { employee_id: string; report_hash: string }[],
) => saved_detail_hashes.rows(ctx, { ...employer, input: JSON.stringify(detail_hashes) })
