import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'

/** Hours of an employee in a period that no report covered. */
export type FirstHours = {
  employee_id: string
  starts_on: Day
  ends_on: Day
  kind: 'worked' | 'paid_leave' | 'special_unpaid_leave'
  hundredths: number
}

const inserted = statement(
  'hours.insertHours',
  `insert into hours_of_service (organization_id, employee_id, employer_id, period_starts_on, period_ends_on, kind,
                                 hundredths, reported_at)
   select :organization_id, input.employee_id, :employer_id, input.starts_on, input.ends_on, input.kind,
          input.hundredths, :now
     from unnest(:employee_ids::text[], :starts::date[], :ends::date[], :kinds::text[], :hundredths::int[])
       as input (employee_id, starts_on, ends_on, kind, hundredths)`,
)

/** Inserts hours without the checks of a report, for the sandbox. No two rows may be for the same period. */
export const insertHours = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, rows: FirstHours[]) =>
  inserted.rows(ctx, {
    organization_id,
    employer_id,
    employee_ids: rows.map(({ employee_id }) => employee_id),
    starts: rows.map(({ starts_on }) => starts_on),
    ends: rows.map(({ ends_on }) => ends_on),
    kinds: rows.map(({ kind }) => kind),
    hundredths: rows.map(({ hundredths }) => hundredths),
  })
