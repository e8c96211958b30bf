import { z } from 'zod'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import {
  Address,
  ResponseDay,
  DayText,
  Email,
  Id,
  NewAddress,
  optional,
  Phone,
  text,
  Timestamp,
} from '../../../kernel/fields.ts'
import { stateCode } from '../../../kernel/states.ts'
import { flag, type SentBody, type FindFault } from '../../../http/endpoint.ts'
import { settling } from '../employees/schemas.ts'
import { rowInWords } from '../../../kernel/refusal.ts'

export const NewGroup = z
  .object({
    external_reference_id: text().meta({
      description: 'Your own permanent id of the group, unique within the organization.',
      example: 'coop-7',
    }),
    name: text().meta({ description: 'The display name.', example: 'Valley Growers Cooperative' }),
  })
  .meta({ id: 'NewGroup' })
export type NewGroup = z.output<typeof NewGroup>

export const GroupChanges = z
  .object({ external_reference_id: optional(text()), name: optional(text()) })
  .meta({ id: 'GroupChanges', description: 'Only the fields that are sent change.' })
export type GroupChanges = Partial<z.output<typeof GroupChanges>>

export const Group = z
  .object({
    id: Id('grp'),
    organization_id: Id('org'),
    name: z.string(),
    external_reference_id: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Group' })

export const GroupPage = pageOf('GroupPage', Group)

export const GroupFilter = z.object({
  external_reference_id: text().optional().meta({ description: 'Only the group with exactly this reference.' }),
  ...pageQuery,
})
export type GroupFilter = z.output<typeof GroupFilter>

const GroupMember = z
  .object({
    id: Id('grpmbr'),
    group_id: Id('grp'),
    member_id: Id('mbr').meta({ description: 'The person, who may also be an employee.' }),
    reference_id: z.string(),
    plan_id: Id('pln'),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    date_of_birth: ResponseDay,
    address: Address.nullable(),
    joined_at: Timestamp.meta({
      description: 'The time at which the person joined the group. A person who returns gets a new time.',
    }),
    updated_at: Timestamp,
  })
  .meta({ id: 'GroupMember' })

export const GroupMemberPage = pageOf('GroupMemberPage', GroupMember)

/** The state is validated with the row: an unknown state fails only that row. */
const MemberAddress = NewAddress.extend({
  state: text()
    .overwrite(stateCode)
    .meta({ description: 'A US state or territory, by its two-letter code or its full name.', example: 'CA' }),
}).meta({ id: 'GroupMemberAddress' })

/** No options. An unsupported `dry_run` must be refused, because it would otherwise cause a real sync. */
export const GroupMemberSubmissionOptions = z.strictObject({})

export const GroupMemberRow = z
  .object({
    reference_id: text().meta({ description: 'Your own id of the member, unique within the group.' }),
    first_name: text(),
    last_name: text(),
    email: optional(Email),
    phone: Phone,
    date_of_birth: DayText,
    address: MemberAddress,
    plan_id: text().meta({
      description: 'A plan of the organization. See `GET /v1/plans`.',
      example: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz',
    }),
    member_id: settling.member_id,
    distinct: settling.distinct,
  })
  .meta({ id: 'GroupMemberRow' })
export type GroupMemberRow = z.output<typeof GroupMemberRow>

const max_members = 10_000

export const GroupMemberSubmission = z
  .object({ members: z.array(GroupMemberRow).max(max_members, `must contain at most ${max_members} members`) })
  .meta({ id: 'GroupMemberSubmission', description: 'All members of the group. An empty list removes all members.' })

/**
 * The number of rows in one transaction of the worker: short enough to let other work in between, long enough for
 * set-based statements.
 */
export const chunk_size = 1000

export const sent_members = {
  body: GroupMemberSubmission,
  rows: { field: 'members', most: max_members, staged: { size: chunk_size, faultFinder: repetitionFinder } },
  body_limit: 16 * 1024 * 1024,
} as const satisfies SentBody

export const GroupMemberSyncAcceptance = z
  .object({ request_id: Id('grpmsr'), group_id: Id('grp'), accepted_at: Timestamp })
  .meta({ id: 'GroupMemberSyncAcceptance' })

const GroupMemberFailure = z
  .object({
    operation: z
      .enum(['add', 'remove'])
      .meta({ id: 'GroupMemberOperation', description: 'The requested operation. Only `add` can fail.' }),
    reason: z.string().meta({ description: 'A code, such as `plan_not_found` or `member_in_other_group`.' }),
    reference_id: z.string(),
  })
  .meta({ id: 'GroupMemberFailure' })

export const GroupMemberSync = GroupMemberSyncAcceptance.extend({
  completed_at: Timestamp.nullable().meta({ description: 'Null until the request completes.' }),
  results: z
    .object({
      added_group_member_ids: z.array(Id('grpmbr')),
      removed_group_member_ids: z.array(Id('grpmbr')),
      failures: z.array(GroupMemberFailure),
    })
    .nullable()
    .meta({ description: 'Null until the request completes.' }),
}).meta({ id: 'GroupMemberSync' })

const count = (noun: string) =>
  z.int().nullable().meta({ description: noun, on_null: 'Null until the request completes.' })

export const GroupMemberSyncPage = pageOf(
  'GroupMemberSyncPage',
  GroupMemberSyncAcceptance.extend({
    organization_id: Id('org'),
    completed_at: GroupMemberSync.shape.completed_at,
    added_count: count('The number of group members added.'),
    removed_count: count('The number of group members removed.'),
    failure_count: count('The number of rows that failed.'),
  }).meta({ id: 'GroupMemberSyncRow' }),
)

export const GroupMemberSyncFilter = z.object({
  under_way: flag.meta({ description: 'Only requests that are not completed.' }),
  organization_id: Id('org').optional().meta({ description: 'Only requests of this organization.' }),
  ...pageQuery,
})
export type GroupMemberSyncFilter = z.output<typeof GroupMemberSyncFilter>

/** Finds rows that repeat the reference of an earlier row. */
export function repetitionFinder(): FindFault {
  const first = new Map<string, number>()
  return ({ reference_id }: { reference_id: string }, index) => {
    const earlier = first.get(reference_id)
    if (earlier === undefined) return void first.set(reference_id, index)
    return { field: `members[${index}].reference_id`, message: `is the same as in ${rowInWords(earlier)}` }
  }
}
