import { ob } from '../../api.ts'
import { pagedList, resourceQuery, page_size } from '../../queries.ts'

/** The queries of groups. */

export const plansList = () => pagedList(['plans'], (paging, options) => ob.plans.list(paging, options))

export const groupsList = () => pagedList(['groups'], (paging, options) => ob.groups.list(paging, options))
export const groupQuery = (id: string) => resourceQuery(['groups', id], (options) => ob.groups.get(id, options))
export const groupMembersList = (id: string) =>
  pagedList(['groups', id, 'members'], (paging, options) => ob.groups.listMembers(id, paging, options))
/** All members of a group, to compare with a new list. */
export const allGroupMembersQuery = (id: string) =>
  resourceQuery(['groups', id, 'members', 'all'], async (options) =>
    Array.fromAsync(ob.groups.listMembers(id, { limit: page_size }, options)),
  )

export const groupSyncsList = (id: string) =>
  pagedList(['groups', id, 'syncs'], (paging, options) => ob.groups.listMemberSyncs(id, paging, options))
export const groupSyncQuery = (id: string, request_id: string) =>
  resourceQuery(['groups', id, 'syncs', request_id], (options) => ob.groups.getMemberSync(id, request_id, options))
