import { Paging } from '../../../kernel/pages.ts'
import { correction_window_days } from '../../directory/tasks/rules.ts'
import { changed, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, type EmployeeKey } from '../../access/auth/queries.ts'
import { refusals as employees_refusals } from '../employees/rules.ts'
import { findEmployee } from '../employees/queries.ts'
import { Employee } from '../employees/schemas.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import { changesBy } from '../../coverage/enrollments/actions.ts'
import { correctEmployee, terminateRetroactively, reinstateEmployee } from './actions.ts'
import { listCorrections } from './queries.ts'
import { refusals, type Rescission } from './rules.ts'
import {
  CorrectedEmployee,
  EmployeeCorrectionPage,
  OperatorEmployeeChanges,
  OperatorReinstatement,
  OperatorTermination,
  Reinstatement,
} from './schemas.ts'

const an_employee = { tag: 'Employees', locate: locateEmployee } as const
const reinstatement_refusals = [
  employees_refusals.invalid_employee_update,
  employers_refusals.employer_has_no_active_subscription,
  refusals.nothing_to_reinstate,
  refusals.employee_was_rehired,
]

/**
 * Performs a correction and returns the response: the employee, the rescinded coverage and the enrollments that
 * changed.
 */
async function performCorrection(ctx: Ctx, { employee_id }: EmployeeKey, action: () => Promise<Rescission[]>) {
  const { outcome, enrollments } = await changesBy(ctx, employee_id, action)
  const message =
    'This coverage had been in force. Removing it for past days may be a rescission, which requires notice.'
  const warnings = outcome.map((rescission) => ({ code: 'rescission', message, ...rescission }))
  const employee = await findEmployee(ctx, { employee_id })
  const more = JSON.stringify({ warnings, enrollments }).slice(1)
  return employee && `{"data":${employee},${more}`
}

const on_a_dry_run = ' With `dry_run`, nothing changes, and the response shows what would change.'

export const endpoints = [
  endpoint({
    ...an_employee,
    operation: 'employees_reinstate',
    method: 'POST',
    path: '/v1/employees/{employee_id}/reinstate',
    summary: 'Reinstate an employee',
    description:
      `Reverses the last termination, up to ${correction_window_days} days after the last day employed. ` +
      'Coverage becomes what it would be without the termination, and corrections adjust deductions and invoices. ' +
      'Publishes `employee.reinstated` and `enrollment.reinstated`.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    body: Reinstatement,
    returns: { 200: dataOf(Employee) },
    refuses: reinstatement_refusals,
    example: { reason: 'Left out of the file by mistake' },
    handle: (ctx, { located, body }) =>
      changed(reinstateEmployee(ctx, located, body), () => findEmployee(ctx, located)),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_reinstate_employee',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/reinstate',
    summary: 'Reinstate an employee without a time limit',
    description: `Works like the partner endpoint, but without a time limit. The reason is stored.${on_a_dry_run}`,
    body: OperatorReinstatement,
    returns: { 200: CorrectedEmployee },
    refuses: reinstatement_refusals,
    example: { reason: 'The employer confused her with another employee' },
    handle: (ctx, { located, body }) =>
      performCorrection(ctx, located, async () => {
        await reinstateEmployee(ctx, located, body, null)
        return []
      }),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_terminate_employee',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/terminate',
    summary: 'Terminate an employee without a time limit',
    description:
      'Works like the partner endpoint, but without a time limit. The reason is stored, and `warnings` list ' +
      'the rescinded coverage.' +
      on_a_dry_run,
    body: OperatorTermination,
    returns: { 200: CorrectedEmployee },
    refuses: [employees_refusals.invalid_employee_update, employees_refusals.employee_already_terminated],
    example: { termination_date: '2099-12-31', reason: 'Reported late by the employer' },
    handle: (ctx, { located, body }) =>
      performCorrection(ctx, located, () => terminateRetroactively(ctx, located, body)),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_correct_employee',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employees/{employee_id}/corrections',
    summary: 'Correct the class, compensation type, bargaining unit or first day of an employee without a time limit',
    description:
      `Works like the partner endpoint, but may remove coverage of more than ${correction_window_days} days ago. ` +
      'The reason is stored, and ' +
      `\`warnings\` list the rescinded days.${on_a_dry_run}`,
    body: OperatorEmployeeChanges,
    returns: { 200: CorrectedEmployee },
    refuses: [employees_refusals.invalid_employee_update],
    example: { employee_class: 'Part Time', effective_date: '2026-03-01', reason: 'The employer reported it late' },
    handle: (ctx, { located, body }) => performCorrection(ctx, located, () => correctEmployee(ctx, located, body)),
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_list_employee_corrections',
    ...for_operators.read,
    path: '/operator/v1/employees/{employee_id}/corrections',
    summary: 'List the corrections of an employee',
    description:
      'Returns reinstatements, and corrections by the operator that partners can no longer make, newest first.',
    query: Paging,
    returns: { 200: EmployeeCorrectionPage },
    handle: (ctx, { params, query }) => listCorrections(ctx, params, query),
  }),
]
