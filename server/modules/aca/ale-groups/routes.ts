import { changed, data, dataOf, endpoint, made, partner } from '../../../http/endpoint.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import { operating } from '../../../runtime/permissions.ts'
import { createAleGroup, deleteAleGroup, replaceAleGroup } from './actions.ts'
import { findAleGroup, listAleGroups, locateAleGroup } from './queries.ts'
import { refusals } from './rules.ts'
import { AleGroup, AleGroupPage, AleGroupPaging, DeletedAleGroup, NewAleGroup } from './schemas.ts'

const tag = 'Hours of service'
const of_organization = {
  tag,
  path: '/v1/ale-groups',
  allows: partner,
  roles: operating,
  organization: 'needed',
} as const
const of_group = {
  tag,
  path: '/v1/ale-groups/{ale_group_id}',
  allows: partner,
  roles: operating,
  locate: locateAleGroup,
} as const

export const endpoints = [
  endpoint({
    ...of_organization,
    operation: 'ale_groups_list',
    scopes: ['read'],
    method: 'GET',
    summary: 'List aggregated ALE groups',
    description: 'Returns the groups of your organization, newest first. An employer without a group counts alone.',
    query: AleGroupPaging,
    returns: { 200: AleGroupPage },
    handle: (ctx, { query }) => listAleGroups(ctx, { organization_id: actingOrganization(ctx.caller) }, query),
  }),
  endpoint({
    ...of_organization,
    operation: 'ale_groups_create',
    scopes: ['write'],
    method: 'POST',
    summary: 'Create an aggregated ALE group',
    description:
      'Employers under common control count together when the law determines whether they are an applicable large ' +
      'employer (ALE). Each EIN of the group is an ALE member. If one company employs people at several employers, ' +
      'as a staffing firm does at its clients, list those employers in `employer_ids` of its ALE member: the hours ' +
      'of a person add up.',
    body: NewAleGroup,
    returns: { 201: dataOf(AleGroup) },
    refuses: [refusals.employer_in_other_ale_group],
    example: { name: 'Northwind Staffing', members: [{ employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz' }] },
    handle: async (ctx, { body }) =>
      made(await createAleGroup(ctx, actingOrganization(ctx.caller), body), (id) =>
        findAleGroup(ctx, { ale_group_id: id }),
      ),
  }),
  endpoint({
    ...of_group,
    operation: 'ale_groups_get',
    scopes: ['read'],
    method: 'GET',
    summary: 'Get an aggregated ALE group',
    returns: { 200: dataOf(AleGroup) },
    handle: async (ctx, { params }) => data(await findAleGroup(ctx, params)),
  }),
  endpoint({
    ...of_group,
    operation: 'ale_groups_replace',
    scopes: ['write'],
    method: 'PUT',
    summary: 'Replace an aggregated ALE group',
    description: 'Replaces the name and all ALE members of the group.',
    body: NewAleGroup,
    returns: { 200: dataOf(AleGroup) },
    refuses: [refusals.employer_in_other_ale_group],
    example: { name: 'Northwind Staffing', members: [{ employer_id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz' }] },
    handle: async (ctx, { located, body }) => {
      // While this request waited for its lock, another one may have deleted the group.
      if (!(await locateAleGroup(ctx, located))) return undefined
      return changed(replaceAleGroup(ctx, located, body), () => findAleGroup(ctx, located))
    },
  }),
  endpoint({
    ...of_group,
    operation: 'ale_groups_delete',
    scopes: ['write'],
    method: 'DELETE',
    summary: 'Delete an aggregated ALE group',
    description: 'Each of its employers becomes an ALE member of its own again. Their hours remain.',
    returns: { 200: dataOf(DeletedAleGroup) },
    handle: async (ctx, { located }) => {
      // While this request waited for its lock, another one may have deleted the group.
      if (!(await locateAleGroup(ctx, located))) return undefined
      await deleteAleGroup(ctx, located)
      return data({ id: located.ale_group_id })
    },
  }),
]
