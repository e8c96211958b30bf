import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling, operating } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { refusals as elections_refusals } from '../../coverage/elections/rules.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import type { Details } from '../../directory/people/rules.ts'
import { changeContact, changeEmployee, hireEmployee, rehireEmployee, terminateEmployee } from './actions.ts'
import { findEmployee, listEmployees } from './queries.ts'
import { differencesOf } from './joining-rules.ts'
import { refusals } from './rules.ts'
import { isSearchable, unsearchable } from './search-rules.ts'
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
const an_employee = { params: { employee_id: 'empl' }, locate: locateEmployee } as const
const an_employer = { params: { employer_id: 'empr' }, locate: locateEmployer } as const

/** Adds to a new employee what they do not take over from the hire. */
function withWarnings(employee: string | undefined, hire: NewEmployee): string | undefined {
  const warnings = employee && differencesOf(hire, JSON.parse(employee) as Details)
  return warnings && warnings.length > 0 ? `${employee.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}` : employee
}

export const endpoints = [
  endpoint({
    operation: 'employees_get',
    method: 'GET',
    path: '/v1/employees/{employee_id}',
    tag,
    summary: 'Get an employee',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    ...an_employee,
    returns: { 200: dataOf(Employee) },
    handle: async (ctx, { params }) => data(await findEmployee(ctx, params.employee_id)),
  }),
  endpoint({
    operation: 'employees_update',
    method: 'PATCH',
    path: '/v1/employees/{employee_id}',
    tag,
    summary: 'Update an employee',
    description:
      'Changes any of the seven fields, all or nothing. `effective_date` is the day from which the class and ' +
      'the compensation type hold; an earlier day than that of the present value inserts into the history.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'path',
    ...an_employee,
    body: EmployeeChanges,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update],
    example: { effective_date: '2026-03-01', employee_class: 'Part Time' },
    handle: async (ctx, { located, body }) => {
      await changeEmployee(ctx, located, body)
      return data(await findEmployee(ctx, located.employee_id))
    },
  }),
  endpoint({
    operation: 'employees_update_contact',
    method: 'PATCH',
    path: '/v1/employees/{employee_id}/contact',
    tag,
    summary: "Update an employee's contact data",
    description: 'How to reach the person; while employed they may set phone and address right themselves.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'path',
    ...an_employee,
    body: ContactChanges,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update, elections_refusals.employee_is_not_employed],
    example: { phone: '4155550123' },
    handle: async (ctx, { located, body }) => {
      await changeContact(ctx, located, body)
      return data(await findEmployee(ctx, located.employee_id))
    },
  }),
  endpoint({
    operation: 'employees_terminate',
    method: 'POST',
    path: '/v1/employees/{employee_id}/terminate',
    tag,
    summary: 'Terminate an employee',
    description: 'Sets the last day employed, up to 60 days past or in the future. The status turns on the day after.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    organization: 'path',
    ...an_employee,
    body: Termination,
    returns: { 200: dataOf(Employee) },
    refuses: [refusals.invalid_employee_update, refusals.employee_already_terminated],
    example: { termination_date: '2099-12-31', reason: 'Retires' },
    handle: async (ctx, { located, body }) => {
      await terminateEmployee(ctx, located, body)
      return data(await findEmployee(ctx, located.employee_id))
    },
  }),
  endpoint({
    operation: 'employees_rehire',
    method: 'POST',
    path: '/v1/employees/{employee_id}/rehire',
    tag,
    summary: 'Rehire a former employee',
    description:
      'A new employment of the same person, with an id of its own; what is not said is as in the former one.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    organization: 'path',
    ...an_employee,
    body: Rehire,
    returns: { 201: dataOf(Employee) },
    refuses: [
      refusals.invalid_employee_update,
      employers_refusals.employer_has_no_active_subscription,
      refusals.employee_not_terminated,
    ],
    example: { start_date: '2026-03-01' },
    handle: async (ctx, { located, body }) =>
      made(await rehireEmployee(ctx, located, body), (id) => findEmployee(ctx, id)),
  }),
  endpoint({
    operation: 'employees_create_employee',
    sdk: 'employees.create',
    method: 'POST',
    path: '/v1/employers/{employer_id}/employees',
    tag,
    summary: 'Create an employee',
    description:
      'Adds a person to the roster. A person whom the organization knows is linked to the employer, not duplicated, ' +
      'and never guessed: if the request is refused as `email_taken` or `ambiguous_person`, send `member_id`, ' +
      '`employee_id` or `distinct`. `warnings` name what a linked person does not take over from the request.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'header',
    ...an_employer,
    body: NewEmployee,
    returns: { 201: dataOf(HiredEmployee) },
    refuses: [
      refusals.invalid_employee_update,
      refusals.employer_has_hris_connection,
      employers_refusals.employer_has_no_active_subscription,
      refusals.employee_already_exists,
      refusals.ambiguous_person,
      refusals.reference_of_another,
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
      const show = async (id: string) => withWarnings(await findEmployee(ctx, id), body)
      return made(await hireEmployee(ctx, located, body), show)
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
    ...an_employer,
    query: EmployeeFilter,
    returns: { 200: EmployeePage },
    refuses: [unsearchable],
    handle: async (ctx, { params, query }) => {
      if (query.search !== undefined && !isSearchable(query.search)) {
        if (!(await locateEmployer(ctx, params))) return undefined
        refuse(unsearchable, { field: 'search', message: 'must hold a letter or a digit' })
      }
      return listEmployees(ctx, params.employer_id, query)
    },
  }),
  endpoint({
    ...an_employee,
    operation: 'operator_get_employee',
    method: 'GET',
    path: '/operator/v1/employees/{employee_id}',
    tag,
    summary: 'Get an employee',
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    returns: { 200: dataOf(Employee) },
    handle: async (ctx, { params }) => data(await findEmployee(ctx, params.employee_id)),
  }),
]
