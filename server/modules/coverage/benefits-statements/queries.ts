import { inReach } from '../../../database/sql/reach.ts'
import { read } from '../../../database/sql/statement.ts'
import type { ElectionPremiums } from './rules.ts'

/** The premiums of the elections of an employee, by enrollment and first day, and the names of a statement. */
export const findPremiums = read(
  'benefits-statements.findPremiums',
  `select employee.organization_id, organization.name as organization_name, employer.name as employer_name,
          member.first_name, member.last_name,
          (select coalesce(json_object_agg(own.enrollment_id, own.premiums), '{}')
             from (select election.enrollment_id,
                          json_object_agg(election.effective_on, election.premium_in_cents) as premiums
                     from enrollments as enrollment
                     join elections as election
                       on election.enrollment_id = enrollment.id
                      and election.organization_id = enrollment.organization_id
                    where enrollment.employee_id = employee.id
                      and enrollment.organization_id = employee.organization_id
                    group by election.enrollment_id) as own) as premiums
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     join organizations as organization on organization.id = employee.organization_id
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<{
  organization_id: string
  organization_name: string
  employer_name: string
  first_name: string
  last_name: string
  premiums: Record<string, ElectionPremiums>
}>
