import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { EmployeePage } from '../employees/schemas.ts'
import { isSearchable, unsearchable } from '../employees/search-rules.ts'
import { EnrollmentPage } from '../../coverage/enrollments/schemas.ts'
import {
  findMember,
  findMembers,
  listEmployments,
  listMemberEnrollments,
  listMembers,
  locateMember,
} from './queries.ts'
import { findDependents, searchDependents } from './dependent-queries.ts'
import {
  DependentSearch,
  FoundDependentPage,
  Member,
  MemberFilter,
  MemberPage,
  MemberPaging,
  OperatorDependentSearch,
  OperatorMemberFilter,
} from './schemas.ts'
import { refusals as platform_refusals } from '../../../http/refusals.ts'

const theirs = {
  tag: 'Members',
  method: 'GET',
  allows: partner,
  organization: 'path',
  params: { member_id: 'mbr' },
  locate: locateMember,
} as const

const operators = { ...theirs, allows: ['operator'], organization: 'none', roles: roles_to.read } as const

export const endpoints = [
  endpoint({
    operation: 'members_list',
    method: 'GET',
    path: '/v1/members',
    tag: 'Members',
    summary: 'List or search people',
    description:
      'The people of one organization, newest first: at whichever employer they work or worked, and those of groups. ' +
      'A caller who reaches several organizations names one, also where other reads would span them all.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'needed',
    query: MemberFilter,
    returns: { 200: MemberPage },
    refuses: [unsearchable],
    handle: (ctx, { query }) => {
      if (ctx.caller.reach.organization_ids?.length !== 1) refuse(platform_refusals.organization_required)
      if (query.search !== undefined && !isSearchable(query.search))
        refuse(unsearchable, { field: 'search', message: 'must hold a letter or a digit' })
      return listMembers(ctx, query)
    },
  }),
  endpoint({
    ...theirs,
    operation: 'members_get',
    roles: enrolling,
    scopes: ['read', 'people'],
    path: '/v1/members/{member_id}',
    summary: 'Get a person',
    description: 'With where they work and worked.',
    returns: { 200: dataOf(Member) },
    handle: async (ctx, { params }) => data(await findMember(ctx, params.member_id)),
  }),
  endpoint({
    ...theirs,
    operation: 'members_list_employments',
    roles: enrolling,
    scopes: ['read', 'people'],
    path: '/v1/members/{member_id}/employments',
    summary: 'List the employments of a person',
    description:
      'As employees: one for each time at each employer, newest first. A rehire is an employment of its own.',
    query: MemberPaging,
    returns: { 200: EmployeePage },
    handle: (ctx, { params, query }) => listEmployments(ctx, params.member_id, query),
  }),
  endpoint({
    ...theirs,
    operation: 'members_list_enrollments',
    roles: enrolling,
    scopes: ['read', 'people'],
    path: '/v1/members/{member_id}/enrollments',
    summary: 'List the enrollments of a person',
    description: 'Those of all employments together, newest first.',
    query: MemberPaging,
    returns: { 200: EnrollmentPage },
    handle: (ctx, { params, query }) => listMemberEnrollments(ctx, params.member_id, query),
  }),
  endpoint({
    operation: 'dependents_search',
    method: 'GET',
    path: '/v1/dependents',
    tag: 'Dependents',
    summary: 'Search dependents',
    description:
      'The spouses and children of the people of one organization, found by name, newest first; those who have ended ' +
      'are among them. A caller who reaches several organizations names one.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'needed',
    query: DependentSearch,
    returns: { 200: FoundDependentPage },
    refuses: [unsearchable],
    handle: (ctx, { query }) => {
      if (ctx.caller.reach.organization_ids?.length !== 1) refuse(platform_refusals.organization_required)
      if (!isSearchable(query.search))
        refuse(unsearchable, { field: 'search', message: 'must hold a letter or a digit' })
      return searchDependents(ctx, query)
    },
  }),
  endpoint({
    operation: 'operator_find_dependents',
    method: 'GET',
    path: '/operator/v1/dependents',
    tag: 'Dependents',
    summary: 'Find dependents',
    description:
      'Spouses and children of people of every organization or of one, newest first. They are found by name and ' +
      'never listed. Each search is in the audit log.',
    allows: ['operator'],
    roles: roles_to.read,
    organization: 'none',
    query: OperatorDependentSearch,
    returns: { 200: FoundDependentPage },
    handle: (ctx, { query }) => findDependents(ctx, query),
  }),
  endpoint({
    operation: 'operator_find_members',
    method: 'GET',
    path: '/operator/v1/members',
    tag: 'Members',
    summary: 'Find people',
    description:
      'Of every organization or of one, the newest first, with where they work and worked. People are looked for and ' +
      'never listed: who asks must know something of them. Each look is in the audit trail.',
    allows: ['operator'],
    roles: roles_to.read,
    organization: 'none',
    query: OperatorMemberFilter,
    returns: { 200: MemberPage },
    handle: (ctx, { query }) => findMembers(ctx, query),
  }),
  endpoint({
    ...operators,
    operation: 'operator_get_member',
    path: '/operator/v1/members/{member_id}',
    summary: 'Get a person',
    description: 'With where they work and worked.',
    returns: { 200: dataOf(Member) },
    handle: async (ctx, { params }) => data(await findMember(ctx, params.member_id)),
  }),
  endpoint({
    ...operators,
    operation: 'operator_list_member_enrollments',
    path: '/operator/v1/members/{member_id}/enrollments',
    summary: 'List the enrollments of a person',
    description: 'Those of all employments together, newest first.',
    query: MemberPaging,
    returns: { 200: EnrollmentPage },
    handle: (ctx, { params, query }) => listMemberEnrollments(ctx, params.member_id, query),
  }),
]
