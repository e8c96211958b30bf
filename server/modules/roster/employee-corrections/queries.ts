import { type EmployeeKey, target_employee } from '../../access/auth/queries.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
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

/** A page of the corrections of an employment, newest first. */
export const listCorrections = targetList('employee-corrections.listCorrections', {
  target: target_employee,
  from: `employee_corrections as correction
          where correction.employee_id = target.id and correction.organization_id = target.organization_id`,
  row: 'correction',
  order: 'correction.position desc',
  item: `(select row_to_json(shown) from (
            select correction.action, correction.effective_on, correction.reason, correction.credential_id,
                   iso(correction.corrected_at) as corrected_at) as shown)`,
})
