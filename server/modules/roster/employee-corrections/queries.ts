import type { EmployeeKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Page } from '../../../kernel/pages.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { CorrectionAction } from './schemas.ts'

const inserted = statement(
  'employee-corrections.insertCorrection',
  `insert into employee_corrections (organization_id, employee_id, position, action, effective_on, reason,
     credential_id,
                                     corrected_at)
   select :organization_id, :employee_id, count(*) + 1, :action, :effective_on, :reason, :credential_id, :now
     from employee_corrections where employee_id = :employee_id and organization_id = :organization_id`,
)

/** Saves a correction of an employment, with its effective day, its reason and the credential of the caller. */
export const insertCorrection = (
  ctx: Ctx,
  { employee_id, organization_id }: EmployeeKey,
  correction: { action: CorrectionAction; effective_on: Day; reason: string | null },
) => inserted.rows(ctx, { employee_id, organization_id, credential_id: ctx.caller.credential_id, ...correction })

const listed = read(
  'employee-corrections.listCorrections',
  `with target as materialized (
     select employee.id, employee.organization_id from employees as employee
      where employee.id = :employee_id
        and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})
   ${pageJson(
     `select (select row_to_json(shown) from (
                select correction.action, correction.effective_on, correction.reason, correction.credential_id,
                       iso(correction.corrected_at) as corrected_at) as shown) as item,
             row_number() over (order by correction.position desc) as position
        from target cross join lateral (
          select * from employee_corrections
           where employee_id = target.id and organization_id = target.organization_id
           order by position desc limit :limit::int offset :offset::bigint) as correction`,
     `(select (select count(*) from employee_corrections
                where employee_id = target.id and organization_id = target.organization_id) from target)`,
   )}`,
)

/** A page of the corrections of an employment as JSON, newest first. Undefined if out of reach. */
export const listCorrections = (ctx: ReadCtx, employee_id: string, page: Page) =>
  listed.json(ctx, { employee_id, ...pageValues(page) })
