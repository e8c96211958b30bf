import { Paging } from '../../../kernel/pages.ts'
import { alsoForOperators, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { EmployeePage } from '../employees/schemas.ts'
import { isSearchable, unsearchable } from '../employees/rules.ts'
import { EnrollmentPage } from '../../coverage/enrollments/schemas.ts'
import {
  findMember,
  findMembers,
  listEmployments,
  listMemberEnrollments,
  listMembers,
  locateMember,
  findDependents,
  searchDependents,
} from './queries.ts'
import {
  DependentSearch,
  FoundDependentPage,
  Member,
  MemberFilter,
  MemberPage,
  OperatorDependentSearch,
  OperatorMemberFilter,
} from './schemas.ts'
import { refusals as platform_refusals } from '../../../http/refusals.ts'

const theirs = {
  tag: 'Members',
  method: 'GET',
  allows: partner,
  roles: enrolling,
  scopes: ['read', 'people'],
  locate: locateMember,
} as const
const ofOrganization = {
  method: 'GET',
  allows: partner,
  roles: enrolling,
  scopes: ['read', 'people'],
  organization: 'needed',
} as const

export const endpoints = [
  endpoint({
    ...ofOrganization,
    operation: 'members_list',
    path: '/v1/members',
    tag: 'Members',
    summary: 'List or search people',
    description:
      'Returns people of one organization, newest first: present and former employees of any employer, and ' +
      'group members. The list never covers several organizations: a caller that reaches several must specify one.',
    query: MemberFilter,
    returns: { 200: MemberPage },
    refuses: [unsearchable],
    handle: (ctx, { query }) => {
      if (ctx.caller.reach.organization_ids?.length !== 1) refuse(platform_refusals.organization_required)
      if (query.search !== undefined && !isSearchable(query.search))
        refuse(unsearchable, { field: 'search', message: 'must contain a letter or a digit' })
      return listMembers(ctx, query)
    },
  }),
  ...alsoForOperators(
    endpoint({
      ...theirs,
      operation: 'members_get',
      path: '/v1/members/{member_id}',
      summary: 'Get a person',
      description: 'Returns the person with present and former employments.',
      returns: { 200: dataOf(Member) },
      handle: async (ctx, { params }) => data(await findMember(ctx, params)),
    }),
    { operation: 'operator_get_member', ...for_operators.read },
  ),
  endpoint({
    ...theirs,
    operation: 'members_list_employments',
    path: '/v1/members/{member_id}/employments',
    summary: 'List the employments of a person',
    description:
      'Returns an employee for each employment at each employer, newest first. A rehire is a separate employment.',
    query: Paging,
    returns: { 200: EmployeePage },
    handle: (ctx, { params, query }) => listEmployments(ctx, params, query),
  }),
  ...alsoForOperators(
    endpoint({
      ...theirs,
      operation: 'members_list_enrollments',
      path: '/v1/members/{member_id}/enrollments',
      summary: 'List the enrollments of a person',
      description: 'Returns the enrollments of all employments, newest first.',
      query: Paging,
      returns: { 200: EnrollmentPage },
      handle: (ctx, { params, query }) => listMemberEnrollments(ctx, params, query),
    }),
    { operation: 'operator_list_member_enrollments', ...for_operators.read },
  ),
  endpoint({
    ...ofOrganization,
    operation: 'dependents_search',
    path: '/v1/dependents',
    tag: 'Dependents',
    summary: 'Search dependents',
    description:
      'Returns the dependents of the people of one organization, found by name, newest first, including ' +
      'removed ones. A caller with several organizations must specify one.',
    query: DependentSearch,
    returns: { 200: FoundDependentPage },
    refuses: [unsearchable],
    handle: (ctx, { query }) => {
      if (ctx.caller.reach.organization_ids?.length !== 1) refuse(platform_refusals.organization_required)
      if (!isSearchable(query.search))
        refuse(unsearchable, { field: 'search', message: 'must contain a letter or a digit' })
      return searchDependents(ctx, query)
    },
  }),
  endpoint({
    operation: 'operator_find_dependents',
    path: '/operator/v1/dependents',
    tag: 'Dependents',
    summary: 'Find dependents',
    description:
      'Returns dependents of all organizations or of one, newest first. They can only be ' +
      'searched by name, not listed. Each search is recorded in the audit log.',
    ...for_operators.read,
    query: OperatorDependentSearch,
    returns: { 200: FoundDependentPage },
    handle: (ctx, { query }) => findDependents(ctx, query),
  }),
  endpoint({
    operation: 'operator_find_members',
    path: '/operator/v1/members',
    tag: 'Members',
    summary: 'Find people',
    description:
      'Returns people of all organizations or of one, newest first, with their present and former employments. They ' +
      'can only be searched, not listed. Each search is recorded in the audit log.',
    ...for_operators.read,
    query: OperatorMemberFilter,
    returns: { 200: MemberPage },
    handle: (ctx, { query }) => findMembers(ctx, query),
  }),
]
