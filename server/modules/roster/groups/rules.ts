import type { Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { declareRefusals } from '../../../kernel/refusal.ts'
import { states } from '../../../kernel/states.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import { whyNotIdentity, whyNotTheirs } from '../employees/hire-rules.ts'
import { whyNotRecord } from '../employees/rules.ts'
import { identify, type Register } from '../../directory/identities/rules.ts'
import {
  newMember,
  sameMember,
  withBlanksFilled,
  withDetails,
  type Member,
  type People,
} from '../../directory/people/rules.ts'
import type { GroupMemberRow } from './schemas.ts'

export const refusals = declareRefusals({
  external_reference_id_already_exists: [
    409,
    'Another group of this organization has this external_reference_id.',
    'Find the group with `GET /v1/groups?external_reference_id=`, or use another reference.',
  ],
})

export type GroupMembership = { id: string; group_id: string; member_id: string; reference_id: string; plan_id: string }

/** The code of a row's failure. docs/integrating/rosters.md explains each one. */
type Reason =
  | 'under_18'
  | 'unknown_state'
  | 'plan_not_found'
  | 'member_not_found'
  | 'reference_of_other_person'
  | 'ambiguous_person'
  | 'repeated_person'
  | 'member_in_other_group'
  | 'email_taken'
  | 'invalid_account_update'
  | 'conflict'

export type GroupMemberFailure = { index: number; operation: 'add'; reason: Reason; reference_id: string }

/** The effects of some rows of a sync, to be saved with set-based statements. */
export type MemberChanges = {
  new_members: Member[]
  changed_members: Member[]
  added: GroupMembership[]
  changed: GroupMembership[]
  failures: GroupMemberFailure[]
}

/**
 * The data that planning reads. It is kept up to date, so that each row is planned as if those before it were already
 * written.
 */
export type GroupPlanning = {
  group_id: string
  people: People
  /** The plans named by the rows that the organization has. */
  plan_ids: Set<string>
  /** The present memberships of this group by reference. `by_member` has the memberships of all groups by person. */
  by_reference: Map<string, GroupMembership>
  by_member: Map<string, GroupMembership>
  /** People who left the group, by the reference they had in it. */
  former: Map<string, { member_id: string }[]>
  today: Day
}

const known_states = new Set<string>(states)

/**
 * Plans rows of a sync one after the other. Members whom the body omits have already been removed. Has no side effects
 * except on `planning` and on new ids.
 */
export function* planMembers(
  rows: GroupMemberRow[],
  first_index: number,
  planning: GroupPlanning,
): Generator<void, MemberChanges> {
  const changes: MemberChanges = { new_members: [], changed_members: [], added: [], changed: [], failures: [] }
  yield* mapInSteps(rows, (row, index) => {
    const reason = whyNotRow(row, planning) ?? planRow(row, planning, changes)
    const { reference_id } = row
    if (reason) changes.failures.push({ index: first_index + index, operation: 'add', reason, reference_id })
  })
  return changes
}

function whyNotRow(row: GroupMemberRow, planning: GroupPlanning): Reason | undefined {
  if (whyNotRecord({ date_of_birth: row.date_of_birth }, planning.today)) return 'under_18'
  if (!known_states.has(row.address.state)) return 'unknown_state'
  return planning.plan_ids.has(row.plan_id) ? undefined : 'plan_not_found'
}

function planRow(row: GroupMemberRow, planning: GroupPlanning, changes: MemberChanges): Reason | undefined {
  const identity = identify(row, planning.people, registerOf(planning))
  if (identity.is === 'unknown') return 'member_not_found'
  const whyNoIdentity = whyNotIdentity(identity)
  if (whyNoIdentity) return whyNoIdentity.kind.code as Reason
  const known = identity.is === 'known' ? identity.member : undefined
  const present = known && planning.by_member.get(known.id)
  if (present && present.group_id !== planning.group_id) return 'member_in_other_group'
  if (present && present.reference_id !== row.reference_id) return 'repeated_person'
  const identity_refusal = whyNotTheirs(row, known, planning.people)
  if (identity_refusal) return identity_refusal.kind.code as Reason

  const returns = isFormer(row, known, planning)
  const member = known
    ? saveMember(known, present || returns ? withDetails(known, row) : withBlanksFilled(known, row), planning, changes)
    : addMember(newMember(newId('mbr'), row), planning, changes)
  if (present) changePlan(row, present, planning, changes)
  else join(row, member, planning, changes)
  return undefined
}

/**
 * In the matching rules, the group takes the place of an employer: it has the present and former holders of a
 * reference. A present member with another reference has a row of their own, since omitted members have been removed.
 */
const registerOf = ({ group_id, by_reference, by_member, former, people }: GroupPlanning): Register => ({
  keeps_references: false,
  holders: (reference_id) => {
    const present = by_reference.get(reference_id)?.member_id
    const ids = new Set([present, ...(former.get(reference_id) ?? []).map(({ member_id }) => member_id)])
    return [...ids].flatMap((id) => {
      const member = people.get(id ?? '')
      return member ? { member, present: id === present } : []
    })
  },
  presentReference: () => null,
  isHere: (member_id) => by_member.get(member_id)?.group_id === group_id,
  employed: () => undefined,
  // Every row has a reference, which identifies a repeated row.
  repeated: () => undefined,
})

const isFormer = ({ reference_id }: GroupMemberRow, known: Member | undefined, { former }: GroupPlanning): boolean =>
  (former.get(reference_id) ?? []).some(({ member_id }) => member_id === known?.id)

/** Keeps the membership with this reference, and changes its plan if necessary. */
function changePlan(
  row: GroupMemberRow,
  membership: GroupMembership,
  planning: GroupPlanning,
  changes: MemberChanges,
): void {
  if (membership.plan_id === row.plan_id) return
  const changed = { ...membership, plan_id: row.plan_id }
  changes.changed.push(changed)
  addMembership(changed, planning)
}

/** Adds a membership for a person: new to the organization, linked, or returning. */
function join(
  { reference_id, plan_id }: GroupMemberRow,
  member: Member,
  planning: GroupPlanning,
  changes: MemberChanges,
): void {
  const membership = {
    id: newId('grpmbr'),
    group_id: planning.group_id,
    member_id: member.id,
    reference_id,
    plan_id,
  }
  changes.added.push(membership)
  addMembership(membership, planning)
}

function addMember(member: Member, { people }: GroupPlanning, changes: MemberChanges): Member {
  people.put(member)
  changes.new_members.push(member)
  return member
}

function saveMember(before: Member, after: Member, { people }: GroupPlanning, changes: MemberChanges): Member {
  if (sameMember(before, after)) return before
  people.put(after)
  changes.changed_members.push(after)
  return after
}

function addMembership(membership: GroupMembership, { by_reference, by_member }: GroupPlanning): void {
  by_reference.set(membership.reference_id, membership)
  by_member.set(membership.member_id, membership)
}
