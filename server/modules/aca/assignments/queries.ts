import { targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { target_employee, type EmployerKey } from '../../access/auth/queries.ts'
import type { NewAssignment } from './schemas.ts'

/** An assignment with its employee, employer and organization. */
export type AssignmentKey = EmployerKey & { employee_id: string; assignment_id: string }

const this_assignment = `
  assignment.id = :assignment_id
  and ${inReach('assignment.organization_id', 'assignment.employer_id', 'assignment.employee_id')}`

export const locateAssignment = read(
  'assignments.locateAssignment',
  `select assignment.id as assignment_id, assignment.employee_id, assignment.employer_id, assignment.organization_id
     from assignments as assignment where ${this_assignment}`,
).row<AssignmentKey>

/** SQL: the Assignment of the API, from a row `assignment`. */
const assignmentJson = `
  (select row_to_json(shown) from (
    select assignment.id, assignment.employee_id, assignment.client_name, ${residenceJson('assignment')} as worksite,
           assignment.starts_on, assignment.ends_on, assignment.hourly_rate_in_cents,
           iso(assignment.created_at) as created_at, iso(assignment.updated_at) as updated_at) as shown)`

/** One Assignment as JSON. Undefined if out of reach. */
export const findAssignment = read(
  'assignments.findAssignment',
  `select ${assignmentJson}::text as json from assignments as assignment where ${this_assignment}`,
).json

/** A page of the assignments of an employee, latest first. Undefined if the employee is out of reach. */
export const listAssignments = targetList('assignments.listAssignments', {
  target: target_employee,
  from: `assignments as assignment
          where assignment.employee_id = target.id and assignment.organization_id = target.organization_id`,
  row: 'assignment',
  order: 'assignment.starts_on desc, assignment.id desc',
  item: assignmentJson,
})

const saved = statement(
  'assignments.saveAssignment',
  `insert into assignments (id, organization_id, employer_id, employee_id, client_name, address_line_1, address_line_2,
                            city, state, zipcode, county, starts_on, ends_on, hourly_rate_in_cents, created_at,
                            updated_at)
   values (:assignment_id, :organization_id, :employer_id, :employee_id, :client_name, :address_line_1,
           :address_line_2, :city, :state, :zipcode, :county, :starts_on, :ends_on, :hourly_rate_in_cents, :now, :now)
   on conflict (id, organization_id) do update
     set client_name = excluded.client_name, address_line_1 = excluded.address_line_1,
         address_line_2 = excluded.address_line_2, city = excluded.city, state = excluded.state,
         zipcode = excluded.zipcode, county = excluded.county, starts_on = excluded.starts_on,
         ends_on = excluded.ends_on, hourly_rate_in_cents = excluded.hourly_rate_in_cents,
         updated_at = excluded.updated_at`,
)

const no_worksite = { address_line_1: null, address_line_2: null, city: null, state: null, zipcode: null }

/** Inserts an assignment, or replaces its values. */
export const saveAssignment = (ctx: Ctx, key: AssignmentKey, assignment: NewAssignment) => {
  const { client_name, worksite, starts_on, ends_on = null, hourly_rate_in_cents = null } = assignment
  const address = { ...(worksite ?? no_worksite), county: worksite?.county ?? null }
  return saved.rows(ctx, { ...key, ...address, client_name, starts_on, ends_on, hourly_rate_in_cents })
}

/** Deletes an assignment. Returns whether it existed. */
export const deleteAssignment = statement(
  'assignments.deleteAssignment',
  'delete from assignments where id = :assignment_id and organization_id = :organization_id returning id',
).exists
