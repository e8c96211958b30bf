import type { DisplayName } from '../../access/organizations/rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import { voidInvoices } from '../../money/deductions/statement-queries.ts'

/** The names on the benefits statement of an employee. Undefined if out of reach. */
export const findNames = read(
  'benefits-statements.findNames',
  `select organization.name as organization_name, organization.display_names, employer.name as employer_name,
          member.first_name, member.last_name
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     join organizations as organization on organization.id = employee.organization_id
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<{
  organization_name: string
  employer_name: string
  first_name: string
  last_name: string
  display_names: DisplayName[]
}>

/** The employer's share of an enrollment in a month, as live invoices billed it. */
export type BilledMonth = { enrollment_id: string; month: Day; employer_in_cents: number }

/** Lists the billed months of an employee in a year that are before `first_open_month`. */
export const listBilledMonths = read(
  'benefits-statements.listBilledMonths',
  `select line.enrollment_id, line.month, sum(line.employer_contribution_in_cents)::bigint as employer_in_cents
     from employees as employee
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
    cross join lateral (
      select * from enrollments
       where employee_id = employee.id and organization_id = employee.organization_id offset 0) as enrollment
    cross join lateral (
      select * from invoice_lines
       where enrollment_id = enrollment.id and organization_id = employee.organization_id
         and month < :first_open_month::date offset 0) as line
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}
      and extract(year from line.month) = :year and line.kind <> 'manual_adjustment'
      and line.invoice_id <> all(${voidInvoices('employer')})
    group by line.enrollment_id, line.month
   having sum(line.premium_in_cents) <> 0
    order by line.enrollment_id, line.month`,
).rows<BilledMonth>
