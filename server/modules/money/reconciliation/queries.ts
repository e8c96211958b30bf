import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read } from '../../../database/sql/statement.ts'
import { namedInvoice } from '../billing/queries.ts'
import { causeJson } from '../../directory/evidence/queries.ts'

/** SQL: a JSON object of three amounts. */
const amountsJson = (premium: string, employer_contribution: string, employee_deduction: string) =>
  `json_build_object('premium_in_cents', ${premium}, 'employer_contribution_in_cents', ${employer_contribution},
                     'employee_deduction_in_cents', ${employee_deduction})`

/** SQL: the three amounts of one side, from columns with its prefix. */
const sideJson = (side: string) =>
  amountsJson(
    `${side}_premium_in_cents`,
    `${side}_employer_contribution_in_cents`,
    `${side}_employee_deduction_in_cents`,
  )

/** SQL: the employee and benefit of an enrollment, with their current names. */
const ownerOf = (enrollment_id: string) =>
  `select enrollment.employee_id, concat_ws(' ', member.first_name, member.last_name, member.suffix) as employee_name,
          benefit.name as benefit_name
     from (select employee_id, benefit_id from enrollments
            where id = ${enrollment_id} and organization_id = target.organization_id offset 0) as enrollment
    cross join lateral (
      select member_id from employees
       where id = enrollment.employee_id and organization_id = target.organization_id offset 0) as employee
    cross join lateral (
      select first_name, last_name, suffix from members
       where id = employee.member_id and organization_id = target.organization_id offset 0) as member
    cross join lateral (
      select name from benefit_products
       where id = enrollment.benefit_id and organization_id = target.organization_id offset 0) as benefit`

/** SQL: the cause of a row `differing`: what happened to the enrollment since an invoice billed its month. */
const causeOfDifference = `
  select ${causeJson(
    'differing.enrollment_id',
    'target.organization_id',
    `coalesce((
       select max(invoice.drafted_at)
         from (select invoice_id from invoice_lines
                where enrollment_id = differing.enrollment_id and organization_id = target.organization_id
                  and month = differing.month and kind <> 'manual_adjustment' offset 0) as line
         join invoices as invoice
           on invoice.invoice_id = line.invoice_id and invoice.organization_id = target.organization_id), '-infinity')`,
    `'infinity'`,
  )}`

/** SQL: the lines of invoices that may have billed a month in the correction window, or the year. */
const linesDrafted = sqlFile(new URL('lines-drafted.sql', import.meta.url))

export const findReconciliation = read(
  'reconciliation.findReconciliation',
  sqlFile(new URL('find-reconciliation.sql', import.meta.url), {
    named_invoice: namedInvoice,
    amounts_json: amountsJson,
    cause_json: causeOfDifference,
    side_json: sideJson,
    tenant: ownerOf,
    lines_drafted: linesDrafted,
    year_of_enrollments: sqlFile(new URL('year-of-enrollments.sql', import.meta.url), { lines_drafted: linesDrafted }),
  }),
).json
