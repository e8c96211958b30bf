import { changed, data, dataOf, endpoint, made, partner } from '../../../http/endpoint.ts'
import { newId } from '../../../kernel/ids.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { touchEmployee } from '../../roster/employees/fact-queries.ts'
import { deleteAssignment, findAssignment, listAssignments, locateAssignment, saveAssignment } from './queries.ts'
import { Assignment, AssignmentPage, AssignmentPaging, DeletedAssignment, NewAssignment } from './schemas.ts'

const shared = { tag: 'Employees', allows: partner, roles: operating } as const
const of_employee = { ...shared, path: '/v1/employees/{employee_id}/assignments', locate: locateEmployee } as const
const of_assignment = {
  ...shared,
  path: '/v1/assignments/{assignment_id}',
  locate: locateAssignment,
  scopes: ['write', 'people'],
  locks: 'employer',
} as const

const example = {
  client_name: 'Harbor Cannery',
  worksite: { address_line_1: '7 Pier Rd', city: 'Astoria', state: 'OR', zipcode: '97103', county: 'Clatsop' },
  starts_on: '2026-03-02',
  hourly_rate_in_cents: 1850,
}

export const endpoints = [
  endpoint({
    ...of_employee,
    operation: 'employees_list_assignments',
    sdk: 'assignments.list',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the assignments of an employee',
    description: 'Returns the assignments of this employment, the latest first day first.',
    query: AssignmentPaging,
    returns: { 200: AssignmentPage },
    handle: (ctx, { params, query }) => listAssignments(ctx, params, query),
  }),
  endpoint({
    ...of_employee,
    operation: 'employees_add_assignment',
    sdk: 'assignments.add',
    scopes: ['write', 'people'],
    method: 'POST',
    summary: 'Add an assignment',
    description:
      'Records work at a client of the employer. The worksite on the first day of coverage determines the rating ' +
      'area and the poverty guideline for the affordability of an ICHRA; without one, the home address does.',
    locks: 'employer',
    body: NewAssignment,
    returns: { 201: dataOf(Assignment) },
    example,
    handle: async (ctx, { located, body }) => {
      const assignment_id = newId('asgn')
      await saveAssignment(ctx, { ...located, assignment_id }, body)
      await touchEmployee(ctx, located)
      return made(assignment_id, () => findAssignment(ctx, { assignment_id }))
    },
  }),
  endpoint({
    ...of_assignment,
    operation: 'assignments_replace',
    method: 'PUT',
    summary: 'Replace an assignment',
    description: 'Replaces all values of the assignment, for example to set its last day.',
    body: NewAssignment,
    returns: { 200: dataOf(Assignment) },
    example: { ...example, ends_on: '2026-06-30' },
    handle: async (ctx, { located, body }) => {
      // While this request waited for its lock, another one may have deleted the assignment.
      if (!(await locateAssignment(ctx, located))) return undefined
      await touchEmployee(ctx, located)
      return changed(saveAssignment(ctx, located, body), () => findAssignment(ctx, located))
    },
  }),
  endpoint({
    ...of_assignment,
    operation: 'assignments_delete',
    method: 'DELETE',
    summary: 'Delete an assignment',
    description: 'Deletes an assignment that was recorded by mistake. To end one, replace it with its last day.',
    returns: { 200: dataOf(DeletedAssignment) },
    handle: async (ctx, { located }) => {
      if (!(await deleteAssignment(ctx, located))) return undefined
      await touchEmployee(ctx, located)
      return data({ id: located.assignment_id })
    },
  }),
]
