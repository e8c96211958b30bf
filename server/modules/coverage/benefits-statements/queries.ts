import type { DisplayName } from '../../access/organizations/rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read } from '../../../database/sql/statement.ts'

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
