import { correction_window_days } from '../../directory/tasks/rules.ts'
import { earliest, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  addEmployment,
  dated_facts,
  refuseBeforeWindow,
  hashOfDetails,
  isBeforeWindow,
  isTerminated,
  refuseRescission,
  type Roster,
  type RosterChanges,
  whyNotMoveStart,
  whyNotRecord,
  whyNotTerminate,
  type Employment,
} from '../employees/rules.ts'
import { hiredPersonOf, refuseTaken, whyNotIdentity } from '../employees/hire-rules.ts'
import { identify, type Identity } from '../../directory/identities/rules.ts'
import {
  isNamed,
  max_namesakes,
  type OwnDetail,
  sameMember,
  takenDetails,
  withDetails,
  without,
  type Member,
} from '../../directory/people/rules.ts'
import {
  hasLeft,
  isUnusable,
  refusals,
  type CensusKnowledge,
  type CensusPlanning,
  type RowOutcome,
  type Judgement,
  type StagedRow,
} from './rules.ts'
import type { RosterRow } from './schemas.ts'

/**
 * Determines what a row would do to the roster as planned so far, or why it is refused. Changes nothing until its `way`
 * is called.
 */
export function planRosterRow(row: RosterRow, planning: CensusPlanning): Judgement {
  const { people, roster, today } = planning
  const identity = identify(row, people, roster)
  const member = identity.is === 'known' ? identity.member : undefined
  const latest = member && roster.employments(member.id).at(-1)
  const gone = latest !== undefined && isTerminated(latest, today)
  const returns = gone && row.start_date !== undefined && row.start_date > latest.terminated_on!
  const left_out = latest !== undefined && wasMissingBefore(row, latest)
  const is_gone = !returns && !left_out && isLongGone(row, planning)
  if (planning.origin === 'hris' && is_gone && !isPerhapsHere(row, identity, planning))
    return { way: () => 'unchanged' }
  const why = whyNotRecord(row, today) ?? whyNotIdentity(identity)
  if (why) return { why }
  if (member && planning.claimed.has(member.id)) return { why: refusals.repeated_person }
  if (!member || !latest) return planNewPerson(row, member, planning)
  return returns ? planRehire(row, member, latest, planning) : planKnownPerson(row, member, latest, planning)
}

/**
 * Whether a row is about an employment that ended before today. Payroll systems report everyone who ever left. Such a
 * row has no effect if the person was never on this roster or has left it as well. A last day before the first day is
 * excluded, since the person may be back.
 */
const isLongGone = (row: RosterRow, { today }: CensusPlanning): boolean =>
  hasLeft(row, today) && !(row.start_date !== undefined && row.start_date > row.termination_date!)

/**
 * Whether a current employee matches a row, or may match an ambiguous one. Assumes so if there are too many candidates
 * to check.
 */
function isPerhapsHere(row: RosterRow, identity: Identity, planning: CensusPlanning): boolean {
  const { people, roster } = planning
  if (identity.is === 'new') return false
  if (identity.is === 'known') return roster.isPresent(identity.member.id)
  const many = people.namesakes(row).crowded || people.holdersOfPhone(row.phone).length > max_namesakes
  return many || possibleMatches(row, planning).some(({ id }) => roster.isPresent(id))
}

/** All people to whom a row may refer, however few fields the row has. */
export const possibleMatches = (row: StagedRow, { people, roster }: CensusPlanning): Member[] =>
  [
    people.get(row.member_id ?? ''),
    isNamed(row) ? roster.repeated(row) : undefined,
    roster.employed(row.employee_id ?? ''),
    people.holderOfEmail(row.email),
    ...roster.holders(row.reference_id).map(({ member }) => member),
    ...people.holdersOfPhone(row.phone),
    ...(isNamed(row) ? people.namesakes(row).members() : []),
  ].filter((member) => member !== undefined)

/** A person who is not on this roster yet: new to the organization, or linked from another employer. */
function planNewPerson(row: RosterRow, known: Member | undefined, planning: CensusPlanning): Judgement {
  const { people, plan, claimed } = planning
  const way = (spared: OwnDetail[] = []) => {
    const member = without(spared, hiredPersonOf(row, known, () => newId('mbr')).member, known)
    claimed.add(member.id)
    if (!known) plan.changes.new_members.push(member)
    else if (!sameMember(known, member)) plan.changes.changed_members.push(member)
    people.put(member)
    employ(row, member, undefined, planning)
    return 'created' as const
  }
  return { way, member: known, ...blockedBy(takenDetails(row, known, people), false) }
}

/**
 * Explains why a row waits for details of other people, and which of them it can omit: always a phone, since a
 * household may share one, and an email if the row is `repeated` and reports nothing new.
 */
function blockedBy(taken: OwnDetail[], repeated: boolean): Pick<Judgement, 'blocked' | 'spare'> {
  if (taken.length === 0) return {}
  const blocked = refuseTaken(taken[0]!)
  return taken.every((detail) => detail === 'phone' || repeated) ? { blocked, spare: taken } : { blocked }
}

/** A former employee who returns on a later first day. */
function planRehire(row: RosterRow, member: Member, latest: Employment, planning: CensusPlanning): Judgement {
  const comparison = comparisonOf(row, member, latest, planning)
  const way = (spared: OwnDetail[] = []) => {
    planning.claimed.add(member.id)
    saveDetails(without(spared, comparison.after, member), member, planning)
    employ(row, member, latest, planning)
    return 'rehired' as const
  }
  return { way, member, ...comparison }
}

/** The bargaining unit after a row. A row keeps it by omitting it, and ends it by null. */
const unitOf = ({ bargaining_unit }: RosterRow, before: Employment | undefined): string | null =>
  bargaining_unit === undefined ? (before?.bargaining_unit ?? null) : bargaining_unit

function employ(
  row: RosterRow,
  member: Member,
  former: Employment | undefined,
  { plan, roster, today }: CensusPlanning,
): void {
  const employment: Employment = {
    id: newId('empl'),
    member_id: member.id,
    reference_id: row.reference_id ?? former?.reference_id ?? null,
    hired_on: row.start_date ?? null,
    terminated_on: row.termination_date ?? null,
    employee_class: row.employee_class ?? former?.employee_class ?? null,
    compensation_type: row.compensation_type ?? former?.compensation_type ?? null,
    bargaining_unit: unitOf(row, former),
    report_hash: hashOfDetails(row),
    absent_on: null,
    reported_last_day: null,
  }
  addEmployment(plan.changes, employment, today, former ? 'employee.rehired' : 'employee.created')
  roster.put(employment)
}

/**
 * Returns the person as the row reports them. If others report on the person too, an unchanged report has no effect.
 * Otherwise each census would revert the changes of the others.
 */
function comparisonOf(row: RosterRow, member: Member, latest: Employment, { people, shared }: CensusPlanning) {
  const repeated = latest.report_hash === hashOfDetails(row)
  if (repeated && shared.has(member.id)) return { after: member }
  return { after: withDetails(member, row), ...blockedBy(takenDetails(row, member, people), repeated) }
}

/** Saves the details of a person after a row. Returns whether they changed. */
function saveDetails(after: Member, member: Member, { plan, people }: CensusPlanning): boolean {
  if (sameMember(member, after)) return false
  plan.changes.changed_members.push(after)
  people.put(after)
  return true
}

/** A person on this roster. Fields in the row replace the stored values; omitted fields keep them. */
function planKnownPerson(row: RosterRow, member: Member, latest: Employment, planning: CensusPlanning): Judgement {
  const { roster, rescinding, today } = planning
  if (overlaps(row, latest, today)) {
    const message = 'must be after the last day of the former employment'
    return { why: new Refusal(refusals.overlaps_former_employment, [{ field: 'start_date', message }]) }
  }
  const never_left = wasMissingBefore(row, latest)
  const employment: Employment = {
    ...latest,
    reference_id: row.reference_id ?? latest.reference_id,
    hired_on: row.start_date ?? latest.hired_on,
    terminated_on: row.termination_date ?? (never_left ? latest.reported_last_day : latest.terminated_on),
    employee_class: row.employee_class ?? latest.employee_class,
    compensation_type: row.compensation_type ?? latest.compensation_type,
    bargaining_unit: unitOf(row, latest),
    absent_on: never_left || row.termination_date !== undefined ? null : latest.absent_on,
    reported_last_day: never_left || row.termination_date !== undefined ? null : latest.reported_last_day,
  }
  const why =
    whyNotMove(employment, latest, roster) ??
    whyNotEnd(row, employment, latest, today) ??
    (rescinding.has(latest.id) ? refuseRescission('start_date') : undefined)
  if (why) return { why, before_window: changeBeforeWindow(row, latest, planning) }
  const comparison = comparisonOf(row, member, latest, planning)
  const way = (spared: OwnDetail[] = []) => {
    const after = without(spared, comparison.after, member)
    return saveKnown(row, { member, latest, after }, employment, planning)
  }
  return { way, member, ...comparison }
}

/**
 * Whether a person whom a roster omitted is on a later roster with the same employment. In that case, they never left.
 */
const wasMissingBefore = (row: RosterRow, { absent_on, hired_on }: Employment): boolean =>
  absent_on !== null && (row.start_date ?? hired_on) === hired_on

/** Explains why a row cannot end an employment, or cannot bring back a person who was omitted. */
function whyNotEnd(row: RosterRow, employment: Employment, latest: Employment, today: Day): Judgement['why'] {
  if (employment.terminated_on === latest.terminated_on) return undefined
  if (employment.terminated_on === null || row.termination_date === undefined)
    return isBeforeWindow(latest.terminated_on!, today, correction_window_days)
      ? refuseBeforeWindow('start_date')
      : undefined
  // A last day that was inferred from an omission does not restrict the new one.
  const known_dates = {
    hired_on: employment.hired_on,
    terminated_on: latest.absent_on === null ? latest.terminated_on : null,
  }
  return whyNotTerminate(known_dates, employment.terminated_on, today)
}

/** Returns the change of a row that lies before the correction window, so that only the operator may make it. */
function changeBeforeWindow(
  row: RosterRow,
  latest: Employment,
  { rescinding, today }: CensusPlanning,
): Judgement['before_window'] {
  const employee_id = latest.id
  const comes_back = wasMissingBefore(row, latest) && row.termination_date === undefined
  if (comes_back && isBeforeWindow(latest.terminated_on!, today, correction_window_days))
    return { kind: 'reinstatement_too_old', employee_id, day: latest.terminated_on! }
  const ends = row.termination_date !== undefined && latest.terminated_on === null
  if (ends && isBeforeWindow(row.termination_date!, today, correction_window_days))
    return { kind: 'termination_too_old', employee_id, day: row.termination_date! }
  return rescinding.has(employee_id) ? { kind: 'start_too_old', employee_id, day: row.start_date! } : undefined
}

/**
 * Whether a first day overlaps an employment that has ended or ends today. Such a day is neither a correction nor a
 * rehire. A row that repeats that employment unchanged does not overlap.
 */
function overlaps(row: RosterRow, employment: Employment, today: Day): boolean {
  const { hired_on, terminated_on } = employment
  if (row.start_date === undefined || terminated_on === null || terminated_on > today) return false
  if (wasMissingBefore(row, employment)) return false
  if (row.start_date !== hired_on) return true
  return terminated_on < today && row.termination_date !== terminated_on
}

function saveKnown(
  row: RosterRow,
  { member, latest, after }: { member: Member; latest: Employment; after: Member },
  employment: Employment,
  planning: CensusPlanning,
): RowOutcome {
  const { plan, roster, today } = planning
  const employee_id = employment.id
  planning.claimed.add(member.id)
  plan.within_window.push(employee_id)
  const employmentChanged = (Object.keys(employment) as (keyof Employment)[]).some(
    (name) => employment[name] !== latest[name],
  )
  if (employmentChanged) saveEmployment(employment, latest, plan.changes, today)
  const changed = saveDetails(after, member, planning) || employmentChanged
  const detail_hash = hashOfDetails(row)
  if (detail_hash !== latest.report_hash) plan.detail_hashes.push({ employee_id, report_hash: detail_hash })
  roster.put({ ...employment, report_hash: detail_hash })
  if (!changed) return 'unchanged'
  const is_back = isTerminated(latest, today) && !isTerminated(employment, today)
  plan.changes.events.push({ event_name: is_back ? 'employee.reinstated' : 'employee.updated', employee_id })
  if (employment.terminated_on === latest.terminated_on || employment.terminated_on === null) return 'updated'
  if (isTerminated(employment, today) && !isTerminated(latest, today))
    plan.changes.events.push({ event_name: 'employee.deactivated', employee_id })
  return 'terminated'
}

function whyNotMove(employment: Employment, latest: Employment, roster: Roster): Refusal | undefined {
  if (employment.hired_on === latest.hired_on || employment.hired_on === null) return undefined
  return whyNotMoveStart(
    { ...employment, hired_on: latest.hired_on },
    roster.employments(employment.member_id),
    employment.hired_on,
  )
}

/** The employment whose first day a row moves, with the new day. Undefined if it moves none. */
export function movedEmploymentOf(row: StagedRow, { people, roster, today }: CensusKnowledge): Employment | undefined {
  if (isUnusable(row) || row.start_date === undefined || whyNotRecord(row, today)) return undefined
  const identity = identify(row, people, roster)
  const latest = identity.is === 'known' ? roster.employments(identity.member.id).at(-1) : undefined
  if (!latest || latest.hired_on === row.start_date || isTerminated(latest, today)) return undefined
  const moved = { ...latest, hired_on: row.start_date }
  return whyNotMove(moved, latest, roster) ? undefined : moved
}

/** A row reports the dated facts as of today. Repeating the present value adds no fact. */
function saveEmployment(employment: Employment, latest: Employment, changes: RosterChanges, today: Day): void {
  const { id: employee_id, hired_on } = employment
  changes.changed_employments.push(employment)
  if (hired_on !== null && hired_on !== latest.hired_on)
    changes.since = earliest(changes.since, latest.hired_on, hired_on)
  for (const fact of dated_facts)
    if (employment[fact] !== latest[fact])
      changes.facts.push({ fact, employee_id, effective_on: today, value: employment[fact] })
}
