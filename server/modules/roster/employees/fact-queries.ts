import type { EmployerKey } from '../../access/auth/queries.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { rowsFrom, isInputRow, withInputRows, rowsWith } from '../../../database/sql/fragments.ts'
import { variants, statement } from '../../../database/sql/statement.ts'
import { type DatedFact, dated_facts, type HistoryEntry } from './rules.ts'

const tables: Record<DatedFact, string> = {
  employee_class: 'employee_classifications',
  compensation_type: 'employee_compensations',
  bargaining_unit: 'employee_bargaining_units',
}

const each_fact = { fact: dated_facts } as const

const saved_history = variants(
  'employees.saveHistory',
  each_fact,
  ({ fact }) => `
    insert into ${tables[fact]} as former (organization_id, employee_id, effective_on, ${fact}, created_at)
    select :organization_id, input.employee_id, input.effective_on, input.value, :now
      from jsonb_to_recordset(:entries::jsonb) as input (employee_id text, effective_on date, value text)
    on conflict (employee_id, organization_id, effective_on) do update set ${fact} = excluded.${fact}
     where former.${fact} is distinct from excluded.${fact}
    returning employee_id`,
)

/**
 * Stores values with the days from which they are effective. Values that change nothing today are stored too, because a
 * fact that is reported later can give them an effect (docs/design/people/employments.md). For one day, the last report
 * wins. Returns the employees whose stored history changed.
 */
export async function saveHistory(
  ctx: Ctx,
  { organization_id }: EmployerKey,
  entries: HistoryEntry[],
): Promise<string[]> {
  const changed: string[] = []
  for (const [fact, entries_of_fact] of Map.groupBy(entries, ({ fact }) => fact))
    changed.push(
      ...(await saved_history({ fact }).column(ctx, { organization_id, entries: JSON.stringify(entries_of_fact) })),
    )
  return changed
}

const inserted_history = variants(
  'employees.insertHistory',
  each_fact,
  ({ fact }) => `
    insert into ${tables[fact]} (organization_id, employee_id, effective_on, ${fact}, created_at)
    select :organization_id, input.employee_id, '-infinity', input.value, :now
      from ${rowsFrom('entries', ['employee_id', 'value'])} as input`,
)

/**
 * Begins the histories of new employments. The first value has no day of its own: it is effective from the first day of
 * the employment, even if that day moves.
 */
export const insertHistory = (
  ctx: Ctx,
  { organization_id }: EmployerKey,
  entries: Omit<HistoryEntry, 'effective_on'>[],
) =>
  Promise.all(
    [...Map.groupBy(entries, ({ fact }) => fact)].map(([fact, entries_of_fact]) =>
      inserted_history({ fact }).rows(ctx, {
        organization_id,
        entries: JSON.stringify(entries_of_fact.map(({ employee_id, value }) => [employee_id, value])),
      }),
    ),
  )

/** Marks an employee as changed, so that the daily run derives the status and the forms again. */
export const touchEmployee = statement(
  'employees.touchEmployee',
  'update employees set updated_at = :now where id = :employee_id and organization_id = :organization_id',
).rows

/** The people whom an employer last reported with exactly these details, by their hashes. */
export const findReported = statement(
  'employees.findReported',
  `select distinct employee.member_id from ${rowsWith('detail_hashes', 'employees', 'employee', 'report_hash')}
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
