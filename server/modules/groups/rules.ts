import type { Day } from '../../platform/days.ts'
import { newId } from '../../platform/ids.ts'
import { refusal, type Detail } from '../../platform/refusal.ts'
import { states } from '../../platform/values.ts'
import { whyNotRecord, whyNotTheirs } from '../employees/rules.ts'
import {
  isSomebodyElse,
  newMember,
  sameMember,
  whoIs,
  withBlanksFilled,
  withDetails,
  type Member,
  type People,
} from '../people/rules.ts'
import type { GroupMemberRow } from './schemas.ts'

export const external_reference_id_already_exists = refusal(
  409,
  'external_reference_id_already_exists',
  'Another group of this organization has this external_reference_id.',
)

/** Rows that repeat the reference of an earlier row. */
export function repetitionsIn(rows: GroupMemberRow[]): Detail[] {
  const first = new Map<string, number>()
  return rows.flatMap(({ reference_id }, index) => {
    const earlier = first.get(reference_id)
    if (earlier === undefined) first.set(reference_id, index)
    const message = `repeats that of members[${earlier}]`
    return earlier === undefined ? [] : [{ field: `members[${index}].reference_id`, message }]
  })
}

/** That a person belongs to a group now. */
export type Membership = { id: string; group_id: string; member_id: string; reference_id: string; plan_id: string }

/** Why a row is not taken over, as the code that its failure tells (docs/integrating.md explains each). */
export type Reason =
  | 'under_18'
  | 'unknown_state'
  | 'plan_not_found'
  | 'reference_of_another'
  | 'ambiguous_person'
  | 'repeated_person'
  | 'member_in_other_group'
  | 'email_taken'
  | 'invalid_account_update'
  | 'conflict'

export type Failure = { index: number; operation: 'add'; reason: Reason; reference_id: string }

/** What some rows of a sync do, to be saved set-based. */
export type MemberChanges = {
  new_members: Member[]
  changed_members: Member[]
  added: Membership[]
  changed: Membership[]
  failures: Failure[]
}

/** What planning a row reads, and keeps in step: each row is planned as if those before it were written. */
export type Desk = {
  group_id: string
  people: People
  /** which of the named plans the organization has */
  plan_ids: Set<string>
  /** the present memberships of this group by reference, and of whichever group by person */
  by_reference: Map<string, Membership>
  by_member: Map<string, Membership>
  /** who left the group, by the reference they had in it */
  former: Map<string, { member_id: string }[]>
  today: Day
}

const known_states = new Set<string>(states)

/** Plans rows of a sync, one after the other. Those whom the body leaves out are no longer in the group. Pure but for new ids. */
export function planMembers(rows: GroupMemberRow[], first_index: number, desk: Desk): MemberChanges {
  const changes: MemberChanges = { new_members: [], changed_members: [], added: [], changed: [], failures: [] }
  rows.forEach((row, at) => {
    const reason = whyNotRow(row, desk) ?? planRow(row, desk, changes)
    const { reference_id } = row
    if (reason) changes.failures.push({ index: first_index + at, operation: 'add', reason, reference_id })
  })
  return changes
}

function whyNotRow(row: GroupMemberRow, desk: Desk): Reason | undefined {
  if (whyNotRecord({ date_of_birth: row.date_of_birth }, desk.today)) return 'under_18'
  if (!known_states.has(row.address.state)) return 'unknown_state'
  return desk.plan_ids.has(row.plan_id) ? undefined : 'plan_not_found'
}

function planRow(row: GroupMemberRow, desk: Desk, changes: MemberChanges): Reason | undefined {
  const membership = desk.by_reference.get(row.reference_id)
  return membership ? planKnown(row, membership, desk, changes) : planNewcomer(row, desk, changes)
}

/** A member by this reference: what the row says replaces what was known, what it does not say stays. */
function planKnown(
  row: GroupMemberRow,
  membership: Membership,
  desk: Desk,
  changes: MemberChanges,
): Reason | undefined {
  const member = desk.people.get(membership.member_id)!
  if (isSomebodyElse(row, member)) return 'reference_of_another'
  const theirs = whyNotDetails(row, member, desk)
  if (theirs) return theirs
  saveMember(member, withDetails(member, row), desk, changes)
  if (membership.plan_id === row.plan_id) return undefined
  const changed = { ...membership, plan_id: row.plan_id }
  changes.changed.push(changed)
  remember(changed, desk)
  return undefined
}

/** Somebody who joins the group: new to the organization, linked, or back after they left it. */
function planNewcomer(row: GroupMemberRow, desk: Desk, changes: MemberChanges): Reason | undefined {
  const returned = returnedBy(row, desk)
  const [known, ...others] = whoIs(row, returned, desk.people)
  if (others.length > 0) return 'ambiguous_person'
  const present = known && desk.by_member.get(known.id)
  if (present) return present.group_id === desk.group_id ? 'repeated_person' : 'member_in_other_group'
  const theirs = whyNotDetails(row, known, desk)
  if (theirs) return theirs

  const member = known ?? newMember(newId('mbr'), row)
  if (!known) desk.people.put(member)
  if (!known) changes.new_members.push(member)
  else saveMember(known, returned.length > 0 ? withDetails(known, row) : withBlanksFilled(known, row), desk, changes)
  const { group_id } = desk
  const { reference_id, plan_id } = row
  const membership = { id: newId('grpmbr'), group_id, member_id: member.id, reference_id, plan_id }
  changes.added.push(membership)
  remember(membership, desk)
  return undefined
}

/** Those who had this reference in the group before they left; a reference may have been handed on since. */
const returnedBy = (row: GroupMemberRow, { former, people }: Desk): Member[] =>
  (former.get(row.reference_id) ?? [])
    .flatMap(({ member_id }) => people.get(member_id) ?? [])
    .filter((member) => !isSomebodyElse(row, member))

const whyNotDetails = (row: GroupMemberRow, member: Member | undefined, { people }: Desk): Reason | undefined =>
  whyNotTheirs(row, member, people)?.kind.code as Reason | undefined

function saveMember(before: Member, after: Member, { people }: Desk, changes: MemberChanges): void {
  if (sameMember(before, after)) return
  people.put(after)
  changes.changed_members.push(after)
}

function remember(membership: Membership, { by_reference, by_member }: Desk): void {
  by_reference.set(membership.reference_id, membership)
  by_member.set(membership.member_id, membership)
}
