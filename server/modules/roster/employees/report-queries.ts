import type { Ctx } from '../../../runtime/ctx.ts'
import { isInputRow, withInputRows } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'

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
