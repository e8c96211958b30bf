import { correction_window_days } from '../../directory/tasks/rules.ts'
import {
  alsoForOperators,
  changed,
  data,
  dataOf,
  endpoint,
  made,
  partner,
  for_operators,
} from '../../../http/endpoint.ts'
import { enrolling, operating } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { refusals as elections_refusals } from '../../coverage/elections/rules.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import type { Details } from '../../directory/people/rules.ts'
import { hireEmployee, rehireEmployee, terminateEmployee } from './actions.ts'
import { changeContact, changeEmployee } from './change-actions.ts'
import { findEmployee, listEmployees } from './queries.ts'
import { differencesOf } from './hire-rules.ts'
import { refusals, isSearchable, unsearchable } from './rules.ts'
import {
  ContactChanges,
  Employee,
  EmployeeChanges,
  EmployeeFilter,
  EmployeePage,
  HiredEmployee,
  NewEmployee,
  Rehire,
  Termination,
} from './schemas.ts'

const tag = 'Employees'

/** Adds a warning for each fact of the hire that was not saved, because the linked person keeps another value. */
function withWarnings(employee: string | undefined, hire: NewEmployee): string | undefined {
  const warnings = employee && differencesOf(hire, JSON.parse(employee) as Details)
  return warnings && warnings.length > 0 ? `${employee.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}` : employee
}

const an_employee = {
  allows: partner,
  scopes: ['write', 'people'],
  locate: locateEmployee,
  tag,
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      operation: 'employees_get',
      method: 'GET',
      path: '/v1/employees/{employee_id}',
      tag,
      summary: 'Get an employee',
      allows: [...partner, 'employer_token', 'employee_token'],
      roles: enrolling,
      scopes: ['read', 'people'],
      locate: locateEmployee,
      returns: { 200: dataOf(Employee) },
      handle: async (ctx, { params }) => data(await findEmployee(ctx, params)),
    }),
    { operation: 'operator_get_employee', ...for_operators.read },
  ),
  endpoint({
    ...an_employee,
    operation: 'employees_update',
    method: 'PATCH',
    path: '/v1/employees/{employee_id}',
    summary: 'Update an employee',
    description:
      'Changes the fields that you send, all or none. `effective_date` is the day of a move, and the day from ' +
      'which the class and the compensation type apply. A day before the start of the current value inserts into the ' +
      'history.',
    roles: enrolling,
    body: EmployeeChanges,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update],
    example: { effective_date: '2026-03-01', employee_class: 'Part Time' },
    handle: (ctx, { located, body }) => changed(changeEmployee(ctx, located, body), () => findEmployee(ctx, located)),
  }),
  endpoint({
    ...an_employee,
    operation: 'employees_update_contact',
    method: 'PATCH',
    path: '/v1/employees/{employee_id}/contact',
    summary: "Update an employee's contact data",
    description: 'While employed, employees may change their own phone and address.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    body: ContactChanges,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update, elections_refusals.employee_is_not_employed],
    example: { phone: '4155550123' },
    handle: (ctx, { located, body }) => changed(changeContact(ctx, located, body), () => findEmployee(ctx, located)),
  }),
  endpoint({
    ...an_employee,
    operation: 'employees_terminate',
    method: 'POST',
    path: '/v1/employees/{employee_id}/terminate',
    summary: 'Terminate an employee',
    description:
      `Sets the last day employed: at most ${correction_window_days} days ago, or in the future. ` +
      'The status changes on the following day.',
    roles: operating,
    body: Termination,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update, refusals.employee_already_terminated],
    example: { termination_date: '2099-12-31', reason: 'Retires' },
    handle: (ctx, { located, body }) =>
      changed(terminateEmployee(ctx, located, body), () => findEmployee(ctx, located)),
  }),
  endpoint({
    ...an_employee,
    operation: 'employees_rehire',
    method: 'POST',
    path: '/v1/employees/{employee_id}/rehire',
    summary: 'Rehire a former employee',
    description:
      'Creates a new employment of the same person, with its own id. Omitted fields are taken from the ' +
      'previous employment.',
    roles: operating,
    body: Rehire,
    returns: { 201: dataOf(Employee) },
    refuses: [
      refusals.invalid_employee_update,
      employers_refusals.employer_has_no_active_subscription,
      refusals.employee_not_terminated,
    ],
    example: { start_date: '2026-03-01' },
    handle: async (ctx, { located, body }) =>
      made(await rehireEmployee(ctx, located, body), (id) => findEmployee(ctx, { employee_id: id })),
  }),
  endpoint({
    operation: 'employees_create_employee',
    sdk: 'employees.create',
    method: 'POST',
    path: '/v1/employers/{employer_id}/employees',
    locks: 'employer',
    tag,
    summary: 'Create an employee',
    description:
      'Adds a person to the roster. A person whom the organization knows is linked to the employer, not ' +
      'duplicated. Ambiguous matches are refused as `email_taken` or `ambiguous_person`; then send ' +
      '`member_id`, `employee_id` or `distinct`. `warnings` list the fields of the request that were not saved, ' +
      'because the linked person keeps other values.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'header',
    locate: locateEmployer,
    body: NewEmployee,
    returns: { 201: dataOf(HiredEmployee) },
    refuses: [
      refusals.invalid_employee_update,
      refusals.employer_has_hris_connection,
      employers_refusals.employer_has_no_active_subscription,
      refusals.employee_already_exists,
      refusals.ambiguous_person,
      refusals.reference_of_other_person,
      refusals.email_taken,
      refusals.invalid_account_update,
    ],
    example: {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada.byron@example.com',
      date_of_birth: '1990-12-10',
      start_date: '2026-03-02',
      phone: '4155550123',
      employee_class: 'Full Time',
      compensation_type: 'Salary',
      reference_id: 'E-1001',
    },
    handle: async (ctx, { located, body }) => {
      const { id, json } = await hireEmployee(ctx, located, body)
      return made(id, async () => withWarnings(json, body))
    },
  }),
  endpoint({
    operation: 'employers_list_employees',
    sdk: 'employees.list',
    method: 'GET',
    path: '/v1/employers/{employer_id}/employees',
    tag,
    summary: 'List the employees of an employer',
    allows: [...partner, 'employer_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'header',
    locate: locateEmployer,
    query: EmployeeFilter,
    returns: { 200: EmployeePage },
    refuses: [unsearchable],
    handle: async (ctx, { params, query }) => {
      if (query.search !== undefined && !isSearchable(query.search)) {
        if (!(await locateEmployer(ctx, params))) return undefined
        refuse(unsearchable, { field: 'search', message: 'must contain a letter or a digit' })
      }
      return listEmployees(ctx, params.employer_id, query)
    },
  }),
]
