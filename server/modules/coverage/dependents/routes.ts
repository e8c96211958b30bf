import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import {
  addDependent,
  approveDisability,
  changeDependent,
  endDependent,
  reinstateDependent,
  withdrawDisability,
} from './actions.ts'
import { findDependent, locateDependent, listDependents } from './queries.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { refusals } from './rules.ts'
import { Dependent, DependentChanges, DependentFilter, DependentPage, Disability, NewDependent } from './schemas.ts'

const theirs = { tag: 'Dependents', allows: [...partner, 'employee_token'], organization: 'path' } as const
const of_employee = { ...theirs, params: { employee_id: 'empl' }, locate: locateEmployee } as const
const operators = {
  tag: 'Dependents',
  allows: ['operator'],
  organization: 'none',
  params: { dependent_id: 'dep' },
  locate: locateDependent,
  path: '/operator/v1/dependents/{dependent_id}/disability',
} as const
const a_dependent = { ...theirs, params: { dependent_id: 'dep' }, locate: locateDependent } as const

const why_not_there = [refusals.too_many_dependents, refusals.spouse_already_exists, refusals.dependent_already_exists]

export const endpoints = [
  endpoint({
    ...of_employee,
    operation: 'dependents_list',
    roles: enrolling,
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/employees/{employee_id}/dependents',
    summary: 'List the dependents of an employee',
    description:
      'The dependents of the person, the same at each of their employments, in the order in which they were ' +
      'added. Those who have ended are among them.',
    query: DependentFilter,
    returns: { 200: DependentPage },
    handle: (ctx, { params, query }) => listDependents(ctx, params.employee_id, query),
  }),
  endpoint({
    ...of_employee,
    operation: 'dependents_create',
    roles: enrolling,
    scopes: ['write', 'people'],
    method: 'POST',
    path: '/v1/employees/{employee_id}/dependents',
    summary: 'Add a dependent',
    description:
      'Adds a spouse or child to the person. This covers nobody yet: the dependent is named when an enrollment ' +
      'is elected.',
    body: NewDependent,
    returns: { 201: dataOf(Dependent) },
    refuses: [elections_refusals.employee_is_not_employed, ...why_not_there, refusals.dependent_too_old],
    example: { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2022-09-22' },
    handle: async (ctx, { located, body }) =>
      made(await addDependent(ctx, located, body), (id) => findDependent(ctx, id)),
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_update',
    roles: enrolling,
    scopes: ['write', 'people'],
    method: 'PATCH',
    path: '/v1/dependents/{dependent_id}',
    summary: 'Update a dependent',
    description:
      'Sets right what is known of a dependent, all or nothing. A new date of birth moves the end of coverage ' +
      'that comes with the 26th birthday.',
    body: DependentChanges,
    returns: { 200: dataOf(Dependent) },
    refuses: [
      elections_refusals.employee_is_not_employed,
      refusals.dependent_already_ended,
      refusals.spouse_already_exists,
      refusals.dependent_already_exists,
      refusals.dependent_is_covered,
      refusals.dependent_too_old,
    ],
    example: { first_name: 'Anne Isabella', gender: 'Female' },
    handle: async (ctx, { located, body }) => {
      await changeDependent(ctx, located, body)
      return data(await findDependent(ctx, located.dependent_id))
    },
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_end',
    roles: enrolling,
    scopes: ['write', 'people'],
    method: 'DELETE',
    path: '/v1/dependents/{dependent_id}',
    summary: 'End a dependent',
    description:
      'Makes today the last day as a dependent; coverage ends on the last day of this month. The dependent ' +
      'stays readable, and is reinstated if that was a mistake.',
    returns: { 200: dataOf(Dependent) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.dependent_already_ended],
    handle: async (ctx, { located }) => {
      await endDependent(ctx, located)
      return data(await findDependent(ctx, located.dependent_id))
    },
  }),
  endpoint({
    ...a_dependent,
    operation: 'dependents_reinstate',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    method: 'POST',
    path: '/v1/dependents/{dependent_id}/reinstate',
    summary: 'Reinstate a dependent who was ended',
    description:
      'Takes the end back as if it had not been told, up to 60 days after it. Whom an election in force still ' +
      'names is covered without a gap, and money follows by corrections; what was elected meanwhile stands. Who has ' +
      'not ended stays as they are.',
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_ended_long_ago, ...why_not_there],
    handle: async (ctx, { located }) => {
      await reinstateDependent(ctx, located)
      return data(await findDependent(ctx, located.dependent_id))
    },
  }),
  endpoint({
    ...operators,
    operation: 'operator_approve_disability',
    roles: roles_to.administer,
    method: 'POST',
    summary: 'Approve that a dependent is disabled',
    description:
      'A disabled child has no age limit. One whose coverage ended by age is covered again as if it had not, ' +
      'where what was elected then still names them.',
    body: Disability,
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_already_disabled],
    example: { reason: 'Certificate of 3 March' },
    handle: async (ctx, { located, body }) => {
      await approveDisability(ctx, located, body.reason)
      return data(await findDependent(ctx, located.dependent_id))
    },
  }),
  endpoint({
    ...operators,
    operation: 'operator_withdraw_disability',
    roles: roles_to.administer,
    method: 'DELETE',
    summary: 'Take back that a dependent is disabled',
    description: 'From today on: coverage of a child who is too old ends with this month.',
    returns: { 200: dataOf(Dependent) },
    refuses: [refusals.dependent_not_disabled],
    handle: async (ctx, { located }) => {
      await withdrawDisability(ctx, located)
      return data(await findDependent(ctx, located.dependent_id))
    },
  }),
  endpoint({
    operation: 'operator_list_dependents',
    method: 'GET',
    path: '/operator/v1/employees/{employee_id}/dependents',
    tag: 'Dependents',
    summary: 'List the dependents of an employee',
    description: 'The dependents of the person, in the order in which they were added, with those who have ended.',
    roles: roles_to.read,
    allows: ['operator'],
    organization: 'none',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: DependentFilter,
    returns: { 200: DependentPage },
    handle: (ctx, { params, query }) => listDependents(ctx, params.employee_id, query),
  }),
]
