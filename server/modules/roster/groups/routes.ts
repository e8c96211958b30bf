import { Paging } from '../../../kernel/pages.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
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
import { operating } from '../../../runtime/permissions.ts'
import { createGroup, submitGroupMembers, updateGroup } from './actions.ts'
import { findGroup, locateGroup, listGroupMembers, listGroups } from './queries.ts'
import { refusals } from './rules.ts'
import { findSync, listMemberSyncs, listSyncsOfGroup, locateSync } from './sync-queries.ts'
import {
  Group,
  GroupChanges,
  GroupFilter,
  GroupMemberPage,
  GroupMemberSubmissionOptions,
  GroupMemberSync,
  GroupMemberSyncAcceptance,
  GroupMemberSyncFilter,
  GroupMemberSyncPage,
  GroupPage,
  NewGroup,
  sent_members,
} from './schemas.ts'

const tag = 'Groups'

const ofGroup = { tag, allows: partner, roles: operating, locate: locateGroup } as const
const ofOrganization = { tag, allows: partner, roles: operating, organization: 'needed' } as const

export const endpoints = [
  endpoint({
    ...ofOrganization,
    operation: 'groups_list',
    method: 'GET',
    path: '/v1/groups',
    summary: 'List groups',
    description: 'Returns the groups of your organization, newest first.',
    scopes: ['read', 'people'],
    query: GroupFilter,
    returns: { 200: GroupPage },
    handle: (ctx, { query }) => listGroups(ctx, query),
  }),
  endpoint({
    ...ofOrganization,
    operation: 'groups_create',
    method: 'POST',
    path: '/v1/groups',
    summary: 'Create a group',
    description: 'The `external_reference_id` must be unique within the organization. The name need not be.',
    scopes: ['write', 'people'],
    body: NewGroup,
    returns: { 201: dataOf(Group) },
    refuses: [refusals.external_reference_id_already_exists],
    example: { external_reference_id: 'coop-8', name: 'Hillside Growers Cooperative' },
    handle: async (ctx, { body }) =>
      made(await createGroup(ctx, actingOrganization(ctx.caller), body), (id) => findGroup(ctx, { group_id: id })),
  }),
  endpoint({
    ...ofGroup,
    operation: 'groups_get',
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/groups/{group_id}',
    summary: 'Get a group',
    returns: { 200: dataOf(Group) },
    handle: async (ctx, { params }) => data(await findGroup(ctx, params)),
  }),
  endpoint({
    ...ofGroup,
    operation: 'groups_update',
    scopes: ['write', 'people'],
    method: 'PATCH',
    path: '/v1/groups/{group_id}',
    summary: 'Update a group',
    description: 'Only the fields that are sent change. Null leaves a field unchanged.',
    body: GroupChanges,
    returns: { 200: dataOf(Group) },
    refuses: [refusals.external_reference_id_already_exists],
    example: { name: 'Hillside Growers' },
    handle: (ctx, { located, body }) => changed(updateGroup(ctx, located, body), () => findGroup(ctx, located)),
  }),
  endpoint({
    ...ofGroup,
    operation: 'groups_list_members',
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/groups/{group_id}/members',
    summary: 'List the members of a group',
    description: 'Returns the current members of the group, newest first.',
    query: Paging,
    returns: { 200: GroupMemberPage },
    handle: (ctx, { params, query }) => listGroupMembers(ctx, params.group_id, query),
  }),
  endpoint({
    ...ofGroup,
    operation: 'groups_submit_member_sync',
    sdk: 'groups.syncMembers',
    scopes: ['write', 'people'],
    method: 'POST',
    path: '/v1/groups/{group_id}/members/sync',
    summary: 'Submit all members of a group',
    description:
      'Accepts up to 10,000 members and synchronizes the group asynchronously, by `reference_id`: new ' +
      'members are added, known ones are updated and missing ones are removed. A person whom the ' +
      'organization knows is linked, not duplicated. A failing row is reported and the others are ' +
      'processed. The requests of one group are processed in order.',
    query: GroupMemberSubmissionOptions,
    ...sent_members,
    returns: { 202: dataOf(GroupMemberSyncAcceptance) },
    example: {
      members: [
        {
          reference_id: 'M-1001',
          first_name: 'Nora',
          last_name: 'Ekström',
          email: 'nora.ekstrom@example.com',
          phone: '5305550116',
          date_of_birth: '1984-06-30',
          address: { address_line_1: '4 Orchard Way', city: 'Winters', state: 'CA', zipcode: '95694' },
          plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz',
        },
      ],
    },
    handle: async (ctx, { located, staged }) => data(await submitGroupMembers(ctx, located, staged!)),
  }),
  ...alsoForOperators(
    endpoint({
      ...ofGroup,
      operation: 'groups_get_member_sync',
      roles: operating,
      scopes: ['read', 'people'],
      method: 'GET',
      path: '/v1/groups/{group_id}/members/sync/{request_id}',
      summary: 'Get a member sync request',
      description: '`completed_at` and `results` are null until it completes.',
      locate: locateSync,
      returns: { 200: dataOf(GroupMemberSync) },
      handle: async (ctx, { params }) => data(await findSync(ctx, params)),
    }),
    {
      operation: 'operator_get_group_member_sync',
      path: '/operator/v1/group-member-syncs/{request_id}',
      ...for_operators.read,
    },
  ),
  endpoint({
    ...ofGroup,
    operation: 'groups_list_member_syncs',
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/groups/{group_id}/members/sync',
    summary: 'List the member sync requests of a group',
    description: 'Returns the requests, newest first, with the counts of each.',
    query: Paging,
    returns: { 200: GroupMemberSyncPage },
    handle: (ctx, { params, query }) => listSyncsOfGroup(ctx, params, query),
  }),
  endpoint({
    tag,
    operation: 'operator_list_group_member_syncs',
    ...for_operators.read,
    path: '/operator/v1/group-member-syncs',
    summary: 'List member sync requests',
    description:
      'Returns requests of all organizations or of one, newest first, at most 1,000, with the counts of each.',
    query: GroupMemberSyncFilter,
    returns: { 200: GroupMemberSyncPage },
    handle: (ctx, { query }) => listMemberSyncs(ctx, query),
  }),
]
