import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, type EmployeeKey } from '../../access/auth/queries.ts'
import { refusals as employees_refusals } from '../employees/rules.ts'
import { findEmployee } from '../employees/queries.ts'
import { Employee } from '../employees/schemas.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import { changesBy } from '../../coverage/enrollments/change-actions.ts'
import { correctEmployee, endLongAgo, reinstateEmployee } from './actions.ts'
import { listCorrections } from './queries.ts'
import { refusals, type Rescission } from './rules.ts'
import {
  CorrectedEmployee,
  EmployeeCorrectionFilter,
  EmployeeCorrectionPage,
  OperatorEmployeeChanges,
  OperatorReinstatement,
  OperatorTermination,
  Reinstatement,
} from './schemas.ts'

const an_employee = {
  tag: 'Employees',
  params: { employee_id: 'empl' },
  locate: locateEmployee,
} as const
const why_not_back = [
  employees_refusals.invalid_employee_update,
  employers_refusals.employer_has_no_active_subscription,
  refusals.nothing_to_reinstate,
  refusals.employed_again,
]

/** Sets an employee right; the whole answer: the employee, what is rescinded, and the enrollments that changed. */
async function corrected(ctx: Ctx, { employee_id }: EmployeeKey, action: () => Promise<Rescission[]>) {
  const { outcome, enrollments } = await changesBy(ctx, employee_id, action)
  const message =
    'This coverage had been in force: to take it away for the past may be a rescission, which needs notice.'
  const warnings = outcome.map((rescission) => ({ code: 'rescission', message, ...rescission }))
  const employee = await findEmployee(ctx, employee_id)
  const more = JSON.stringify({ warnings, enrollments }).slice(1)
  return employee && `{"data":${employee},${more}`
}

const on_a_dry_run = ' With `dry_run` nothing changes, and the answer tells what would.'

export const endpoints = [
  endpoint({
    ...an_employee,
    operation: 'employees_reinstate',
    method: 'POST',
    path: '/v1/employees/{employee_id}/reinstate',
    summary: 'Take back a termination',
    description:
      'The last termination is taken back as if it had not been told, up to 60 days after the last day employed. ' +
      'What it ended is what it would be now (`enrollment.reinstated`, `employee.reinstated`), and money follows by ' +
      'corrections.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    organization: 'path',
    body: Reinstatement,
    returns: { 200: dataOf(Employee) },
    refuses: why_not_back,
    example: { reason: 'Left out of the file by mistake' },
    handle: async (ctx, { located, body }) => {
      await reinstateEmployee(ctx, located, body)
      return data(await findEmployee(ctx, located.employee_id))
    },
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_reinstate_employee',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/reinstate',
    summary: 'Take back a termination, however long ago',
    description: `As partners do it, without the limit of 60 days. The reason is kept.${on_a_dry_run}`,
    allows: ['operator'],
    organization: 'none',
    body: OperatorReinstatement,
    returns: { 200: CorrectedEmployee },
    refuses: why_not_back,
    example: { reason: 'The employer had mistaken her for somebody else' },
    handle: (ctx, { located, body }) =>
      corrected(ctx, located, async () => {
        await reinstateEmployee(ctx, located, body, null)
        return []
      }),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_terminate_employee',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/terminate',
    summary: 'Terminate an employee, however long ago',
    description:
      'As partners do it, without the limit of 60 days. The reason is kept, and `warnings` name what is rescinded.' +
      on_a_dry_run,
    allows: ['operator'],
    organization: 'none',
    body: OperatorTermination,
    returns: { 200: CorrectedEmployee },
    refuses: [employees_refusals.invalid_employee_update, employees_refusals.employee_already_terminated],
    example: { termination_date: '2099-12-31', reason: 'Told late by the employer' },
    handle: (ctx, { located, body }) => corrected(ctx, located, () => endLongAgo(ctx, located, body)),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_correct_employee',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/corrections',
    summary: 'Correct the class, compensation type or first day of an employee, however long ago',
    description:
      'As partners change them, also if that takes away coverage of more than 60 days ago. The reason is stored, and ' +
      `\`warnings\` list the rescinded days.${on_a_dry_run}`,
    allows: ['operator'],
    organization: 'none',
    body: OperatorEmployeeChanges,
    returns: { 200: CorrectedEmployee },
    refuses: [employees_refusals.invalid_employee_update],
    example: { employee_class: 'Part Time', effective_date: '2026-03-01', reason: 'The employer reported it late' },
    handle: (ctx, { located, body }) => corrected(ctx, located, () => correctEmployee(ctx, located, body)),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_list_employee_corrections',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employees/{employee_id}/corrections',
    summary: 'List what was set right of an employee',
    description: 'Reinstatements, and what the operator set further back than partners may; the latest first.',
    allows: ['operator'],
    organization: 'none',
    query: EmployeeCorrectionFilter,
    returns: { 200: EmployeeCorrectionPage },
    handle: (ctx, { params, query }) => listCorrections(ctx, params.employee_id, query),
  }),
]
