import type { Day } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { soundKey } from '../../kernel/person-names.ts'
import { declareRefusals, type Detail, Refusal, type RefusalKind } from '../../kernel/refusal.ts'
import {
  addEmployment,
  beyondReach,
  hashOfDetails,
  isBeyondReach,
  isTerminated,
  joinerOf,
  loss_reach,
  noChanges,
  refusals as employees_refusals,
  type Roster,
  type RosterChanges,
  whyNotIdentity,
  whyNotMoveStart,
  whyNotRecord,
  whyNotTerminate,
  whyNotTheirs,
  type Employment,
} from '../employees/rules.ts'
import { each } from '../../kernel/slices.ts'
import { identify, Repetitions, type Identity } from '../identities/rules.ts'
import {
  exchangesAmong,
  isNamed,
  most_namesakes,
  sameMember,
  withDetails,
  type Member,
  type People,
} from '../people/rules.ts'
import type { CensusCounts, CensusFailure, CensusOrigin, CensusWarning, RosterRow } from './schemas.ts'

export const refusals = declareRefusals({
  census_sync_not_held: [
    409,
    'Only a census that is held can be confirmed or discarded.',
    'Read its outcome: there is nothing to decide.',
  ],
  census_sync_superseded: [
    409,
    'A later census of this employer was accepted: it says who is missing.',
    'Confirm the later one, if it is held.',
  ],
  repeated_person: [400, 'Another row of this census speaks of the same person.', 'Send one row for each person.'],
  overlaps_former_employment: [
    409,
    'This person has left: only a first day after their last one employs them again.',
    'Send the first day of the new employment, after the last one of the former; or reinstate.',
  ],
})

/** Why a row can't be used. `repeats`: whom it means, an earlier row speaks of. */
type Unusable = { field: string | null; reason: string; repeats?: boolean }
/** A row that can't be used, with whatever it tells of whom it means. */
export type UnusableRow = Partial<RosterRow> & { unusable: Unusable }
/** `index`: its place in the submission, where that of its chunk does not tell. */
export type StagedRow = (RosterRow | UnusableRow) & { index?: number }

const isUnusable = (row: StagedRow): row is UnusableRow => 'unusable' in row

/**
 * Marks the rows that repeat another: of two rows for one person the first is taken, but one of somebody who is here
 * before one of somebody who left, and a later leave before an earlier one. Payroll systems keep a row of each
 * employment.
 */
export function* withoutRepetitions(rows: StagedRow[], today: Day): Generator<void, StagedRow[]> {
  const untilEach = new Map<Day, number[]>()
  yield* each(rows, (row, at) => {
    if (isUnusable(row)) return
    const until = hasLeft(row, today) ? row.termination_date! : today
    const others = untilEach.get(until)
    if (others) others.push(at)
    else untilEach.set(until, [at])
  })
  const days = [...untilEach.keys()].toSorted().toReversed()
  const places = days.flatMap((day) => untilEach.get(day)!)
  const ordered = places.map((at) => rows[at] as RosterRow)
  const repeated = yield* repetitionsAt(ordered)
  const reason = `${refusals.repeated_person.code}: ${refusals.repeated_person.message}`
  const marked = new Map(
    repeated.map(({ at, field, earlier }) => {
      const [row, former] = [ordered[at]!, ordered[earlier]!]
      // A reference that was typed twice by mistake hides somebody else.
      const repeats = field !== 'reference_id' || soundKey(row) === soundKey(former)
      return [places[at]!, { field, reason, repeats }]
    }),
  )
  return rows.map((row, at) => {
    const unusable = marked.get(at)
    return unusable ? { ...row, unusable } : row
  })
}

/** Rows that repeat a reference or a person of an earlier row, with the field that tells. */
function* repetitionsAt(rows: RosterRow[]): Generator<void, { at: number; field: string; earlier: number }[]> {
  const repetitions = new Repetitions()
  const found = yield* each(rows, (row, at) => repetitions.find(row, at))
  return found.flatMap((repetition, at) => (repetition ? { at, ...repetition } : []))
}

/** The same as what is wrong with a submission. */
export function* repetitionsIn(rows: RosterRow[]): Generator<void, Detail[]> {
  const repeated = yield* repetitionsAt(rows)
  return repeated.map(({ at, field, earlier }) => ({
    field: `employees[${at}].${field}`,
    message: `repeats that of employees[${earlier}]`,
  }))
}

export const noCounts = (): CensusCounts => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  rehired: 0,
  terminated: 0,
  failed: 0,
})

/**
 * What some rows of a census do, and whom they speak of: nobody spoken of is missing from a replacing census.
 */
export type CensusPlan = {
  changes: RosterChanges
  counts: CensusCounts
  failures: CensusFailure[]
  /** rows that were taken, and what to look at in them */
  warnings: CensusWarning[]
  seen: Set<string>
  /** what the employer now says of people who were on the roster */
  said: { employee_id: string; said_hash: string }[]
  /** rows of people who are known, whose e-mail or phone is somebody else's: they may exchange them */
  exchanging: StagedRow[]
  /** other rows that clash with the e-mail or phone of somebody who may give it up */
  waiting: StagedRow[]
  /** whether a row was refused that no other row stands for: it may speak of anybody */
  unsure: boolean
  /** employees whom rows would end or bring back, from further back than partners may */
  beyond_reach: { kind: (typeof kinds_beyond_reach)[number]; employee_id: string; day: Day }[]
  /** employees of whom a row was taken: nothing of theirs is left to the operator */
  within_reach: string[]
  /** what the rows do that change something */
  done: DoneRow[]
}

/** What a row does, and what is known of whom it means: before it, where they are here, and after it. */
export type DoneRow = {
  index: number
  outcome: Exclude<Done, 'unchanged'>
  before: Rostered | undefined
  after: Rostered
}
export type Rostered = { member: Member; employment: Employment }

/** What is left to the operator of a row. */
export const kinds_beyond_reach = ['termination_beyond_reach', 'reinstatement_beyond_reach'] as const

/** What is known before a census is planned, and kept in step with it. */
export type CensusKnowledge = {
  people: People
  roster: Roster
  /** people of whom others speak too */
  shared: Set<string>
  /** people for whom a row was taken */
  claimed: Set<string>
  today: Day
  origin: CensusOrigin
}

type CensusPlanning = CensusKnowledge & { plan: CensusPlan }

type Done = Exclude<keyof CensusCounts, 'failed'>
type RowRefusal = Refusal | RefusalKind

/** What a row would do, or why it can't: for good, or as long as a detail that it says is somebody else's. */
type Judgement = {
  why?: RowRefusal
  way?: () => Done
  member?: Member | undefined
  /** who is here already, as the row says they are */
  after?: Member
  blocked?: Refusal | undefined
  beyond_reach?: CensusPlan['beyond_reach'][number] | undefined
}

const noPlan = (): CensusPlan => ({
  changes: noChanges(),
  counts: noCounts(),
  failures: [],
  warnings: [],
  seen: new Set(),
  said: [],
  exchanging: [],
  waiting: [],
  unsure: false,
  beyond_reach: [],
  within_reach: [],
  done: [],
})

/**
 * Plans rows of a census, one after the other: each as if the rows before it were written. Rows that clash with
 * somebody's e-mail or phone wait until all others are done, if they `may_wait`. Pure but for new ids; the planning is
 * kept in step. The same plan serves the dry run and the real one.
 */
export function* planCensus(
  rows: StagedRow[],
  first_index: number,
  from: CensusKnowledge,
  may_wait: boolean,
): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  for (const [at, row] of rows.entries()) {
    planRow(row, row.index ?? first_index + at, planning, may_wait)
    yield
  }
  return planning.plan
}

/**
 * Plans the rows of people who may exchange e-mails and phones, when all others are done: those who can do so among
 * each other, all at once. The rest wait on.
 */
export function* planExchanges(rows: StagedRow[], from: CensusKnowledge): Generator<void, CensusPlan> {
  const planning: CensusPlanning = { ...from, plan: noPlan() }
  const judged = yield* each(rows, (row) => (isUnusable(row) ? undefined : judge(row, planning)))
  const parties = judged.flatMap(({ member, after } = {}, at) => (member && after ? [{ at, member, after }] : []))
  const together = yield* exchangesAmong(parties, planning.people)
  yield* each(rows, (row, at) => {
    const judgement = judged[at]
    if (together.has(at) && judgement?.way)
      note(judgement.way, judgement.member, planning, { ...row, index: row.index! })
    else planning.plan.waiting.push(row)
  })
  return planning.plan
}

function planRow(row: StagedRow, index: number, planning: CensusPlanning, may_wait: boolean): void {
  if (isUnusable(row)) return refuseRow(row, index, row.unusable, planning)
  const { why, way, member, after, blocked, beyond_reach } = judge(row, planning)
  if (beyond_reach) planning.plan.beyond_reach.push(beyond_reach)
  const refused = why ?? blocked
  if (!refused) return note(way!, member, planning, { ...row, index })
  const waiting = after ? planning.plan.exchanging : planning.plan.waiting
  if (may_wait && isClash(refused)) waiting.push({ ...row, index })
  else refuseRow(row, index, failureOf(refused), planning)
}

/** Does what a row says of somebody, who is not missing: they alone, since a twin may have the same telephone. */
function note(
  way: () => Done,
  member: Member | undefined,
  planning: CensusPlanning,
  { index, reference_id, employee_class: said }: Partial<RosterRow> & { index: number },
): void {
  const { plan, roster } = planning
  if (member) plan.seen.add(member.id)
  const former = knownOf(member?.id, planning)
  const { new_employments } = plan.changes
  const joined = new_employments.length
  const done = way()
  plan.counts[done]++
  const after = knownOf(new_employments[joined]?.member_id ?? member?.id, planning)
  // Of whom is not here yet, nothing stood before; of whom comes back, what they were when they left.
  if (done !== 'unchanged' && after) plan.done.push({ index, outcome: done, before: former, after })
  const known = member && roster.employments(member.id).at(-1)?.employee_class
  if (said || known || (!member && done === 'unchanged')) return
  plan.warnings.push({
    index,
    reference_id: reference_id ?? null,
    field: 'employee_class',
    reason: 'is not known: it counts as Full Time',
  })
}

function knownOf(member_id: string | undefined, { people, roster }: CensusPlanning): Rostered | undefined {
  const member = people.get(member_id ?? '')
  const employment = member && roster.employments(member.id).at(-1)
  return employment && { member, employment }
}

/** Reports a row that can't be taken. Whoever it may speak of is not missing, and nobody knows whether it is they. */
function refuseRow(
  row: StagedRow,
  index: number,
  { field, reason, repeats }: Unusable,
  planning: CensusPlanning,
): void {
  const { plan } = planning
  for (const { id } of perhapsMeant(row, planning)) plan.seen.add(id)
  plan.counts.failed++
  plan.failures.push({ index, reference_id: row.reference_id ?? null, field, reason })
  plan.unsure ||= !repeats
}

/** Everybody of whom a row may speak, however little it tells. */
const perhapsMeant = (row: StagedRow, { people, roster }: CensusPlanning): Member[] =>
  [
    people.get(row.member_id ?? ''),
    roster.employed(row.employee_id ?? ''),
    people.holderOfEmail(row.email),
    ...roster.holders(row.reference_id).map(({ member }) => member),
    ...people.holdersOfPhone(row.phone),
    ...(isNamed(row) ? people.namesakes(row) : []),
  ].filter((member) => member !== undefined)

function failureOf(why: RowRefusal): Unusable {
  const [detail] = why instanceof Refusal ? why.details : []
  const { code, message } = why instanceof Refusal ? why.kind : why
  return {
    field: detail?.field ?? null,
    reason: `${code}: ${detail?.message ?? message}`,
    repeats: why === refusals.repeated_person,
  }
}

/** Whether a refusal is over as soon as somebody gives up an e-mail or phone. */
const isClash = (why: RowRefusal): boolean =>
  why instanceof Refusal &&
  [
    employees_refusals.ambiguous_person,
    employees_refusals.email_taken,
    employees_refusals.invalid_account_update,
  ].includes(why.kind) &&
  ['email', 'phone'].includes(why.details[0]?.field ?? '')

function judge(row: RosterRow, planning: CensusPlanning): Judgement {
  const { people, roster, today } = planning
  const identity = identify(row, people, roster)
  const member = identity.is === 'known' ? identity.member : undefined
  const latest = member && roster.employments(member.id).at(-1)
  const gone = latest !== undefined && isTerminated(latest, today)
  const returns = gone && row.start_date !== undefined && row.start_date > latest.terminated_on!
  const left_out = latest !== undefined && wasLeftOut(row, latest)
  const is_gone = !returns && !left_out && isLongGone(row, planning)
  if (planning.origin === 'hris' && is_gone && !isPerhapsHere(row, identity, planning))
    return { way: () => 'unchanged' }
  const why = whyNotRecord(row, today) ?? whyNotIdentity(identity)
  if (why) return { why }
  if (member && planning.claimed.has(member.id)) return { why: refusals.repeated_person }
  if (!member || !latest) return judgeNewcomer(row, member, planning)
  return returns ? judgeReturn(row, member, latest, planning) : judgeKnown(row, member, latest, planning)
}

const hasLeft = ({ termination_date }: Partial<RosterRow>, today: Day): boolean =>
  termination_date !== undefined && termination_date < today

/**
 * Payroll systems tell of everybody who ever left; who was not here, or is gone here too, is nothing to do. Not so who
 * left before they came: they may be back.
 */
const isLongGone = (row: RosterRow, { today }: CensusPlanning): boolean =>
  hasLeft(row, today) && !(row.start_date !== undefined && row.start_date > row.termination_date!)

/** Whether somebody is employed here whom a row means, or may mean while nobody knows; of too many nobody knows. */
function isPerhapsHere(row: RosterRow, identity: Identity, planning: CensusPlanning): boolean {
  const { people, roster } = planning
  if (identity.is === 'new') return false
  if (identity.is === 'known') return roster.isPresent(identity.member.id)
  const many = people.isCrowded(row) || people.holdersOfPhone(row.phone).length > most_namesakes
  return many || perhapsMeant(row, planning).some(({ id }) => roster.isPresent(id))
}

/** Somebody who is not on this roster yet: new to the organization, or linked. */
function judgeNewcomer(row: RosterRow, known: Member | undefined, planning: CensusPlanning): Judgement {
  const { people, plan, claimed } = planning
  const way = () => {
    const { member } = joinerOf(row, known, () => newId('mbr'))
    claimed.add(member.id)
    if (!known) plan.changes.new_members.push(member)
    else if (!sameMember(known, member)) plan.changes.changed_members.push(member)
    people.put(member)
    employ(row, member, undefined, planning)
    return 'created' as const
  }
  return { way, member: known, blocked: whyNotTheirs(row, known, people) }
}

/** A former employee with a later first day. */
function judgeReturn(row: RosterRow, member: Member, latest: Employment, planning: CensusPlanning): Judgement {
  const saying = sayingOf(row, member, latest, planning)
  const way = () => {
    planning.claimed.add(member.id)
    saveDetails(saying.after, member, planning)
    employ(row, member, latest, planning)
    return 'rehired' as const
  }
  return { way, member, ...saying }
}

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
    said_hash: hashOfDetails(row),
    absent_on: null,
    last_day_told: null,
  }
  addEmployment(plan.changes, employment, today, former ? 'employee.rehired' : 'employee.created')
  roster.put(employment)
}

/**
 * What a person is after a row, and why not as yet. What the row says replaces what was known; but of people of whom
 * others speak too, only what the employer did not say the last time: else each census would take back what others
 * changed.
 */
function sayingOf(row: RosterRow, member: Member, latest: Employment, { people, shared }: CensusPlanning) {
  if (shared.has(member.id) && latest.said_hash === hashOfDetails(row)) return { after: member }
  return { after: withDetails(member, row), blocked: whyNotTheirs(row, member, people) }
}

/** Saves what is known of a person after a row; tells whether that changed anything. */
function saveDetails(after: Member, member: Member, { plan, people }: CensusPlanning): boolean {
  if (sameMember(member, after)) return false
  plan.changes.changed_members.push(after)
  people.put(after)
  return true
}

/** Somebody on this roster: what the row says replaces what was known, what it does not say stays. */
function judgeKnown(row: RosterRow, member: Member, latest: Employment, planning: CensusPlanning): Judgement {
  const { roster, today } = planning
  if (overlaps(row, latest, today)) {
    const message = 'must be after the last day of the former employment'
    return { why: new Refusal(refusals.overlaps_former_employment, [{ field: 'start_date', message }]) }
  }
  const never_left = wasLeftOut(row, latest)
  const employment: Employment = {
    ...latest,
    reference_id: row.reference_id ?? latest.reference_id,
    hired_on: row.start_date ?? latest.hired_on,
    terminated_on: row.termination_date ?? (never_left ? latest.last_day_told : latest.terminated_on),
    employee_class: row.employee_class ?? latest.employee_class,
    compensation_type: row.compensation_type ?? latest.compensation_type,
    absent_on: never_left || row.termination_date !== undefined ? null : latest.absent_on,
    last_day_told: never_left || row.termination_date !== undefined ? null : latest.last_day_told,
  }
  const why = whyNotMove(employment, latest, roster) ?? whyNotEnd(row, employment, latest, today)
  if (why) return { why, beyond_reach: beyondReachOf(row, latest, today) }
  const saying = sayingOf(row, member, latest, planning)
  return { way: () => saveKnown(row, { member, latest, ...saying }, employment, planning), member, ...saying }
}

/** Whether somebody whom a roster left out is on a later one, as the same employment: they never left by that. */
const wasLeftOut = (row: RosterRow, { absent_on, hired_on }: Employment): boolean =>
  absent_on !== null && (row.start_date ?? hired_on) === hired_on

/** Why a row can't end an employment, or bring back who was left out. */
function whyNotEnd(row: RosterRow, employment: Employment, latest: Employment, today: Day): Judgement['why'] {
  if (employment.terminated_on === latest.terminated_on) return undefined
  if (employment.terminated_on === null || row.termination_date === undefined)
    return isBeyondReach(latest.terminated_on!, today, loss_reach) ? beyondReach('start_date') : undefined
  // What a roster that left them out took for their last day is no more than that.
  const told = { hired_on: employment.hired_on, terminated_on: latest.absent_on === null ? latest.terminated_on : null }
  return whyNotTerminate(told, employment.terminated_on, today)
}

/** What only the operator may do for a row, from further back than partners may. */
function beyondReachOf(row: RosterRow, latest: Employment, today: Day): Judgement['beyond_reach'] {
  const employee_id = latest.id
  const comes_back = wasLeftOut(row, latest) && row.termination_date === undefined
  if (comes_back && isBeyondReach(latest.terminated_on!, today, loss_reach))
    return { kind: 'reinstatement_beyond_reach', employee_id, day: latest.terminated_on! }
  const ends = row.termination_date !== undefined && latest.terminated_on === null
  return ends && isBeyondReach(row.termination_date!, today, loss_reach)
    ? { kind: 'termination_beyond_reach', employee_id, day: row.termination_date! }
    : undefined
}

/**
 * Whether a first day would reach into an employment that has ended, or ends today: it corrects nothing, and employs
 * nobody again. That employment itself, told again as it is, does not.
 */
function overlaps(row: RosterRow, employment: Employment, today: Day): boolean {
  const { hired_on, terminated_on } = employment
  if (row.start_date === undefined || terminated_on === null || terminated_on > today) return false
  if (wasLeftOut(row, employment)) return false
  if (row.start_date !== hired_on) return true
  return terminated_on < today && row.termination_date !== terminated_on
}

function saveKnown(
  row: RosterRow,
  { member, latest, after }: { member: Member; latest: Employment; after: Member },
  employment: Employment,
  planning: CensusPlanning,
): Done {
  const { plan, roster, today } = planning
  const employee_id = employment.id
  planning.claimed.add(member.id)
  plan.within_reach.push(employee_id)
  const employmentChanged = (Object.keys(employment) as (keyof Employment)[]).some(
    (name) => employment[name] !== latest[name],
  )
  if (employmentChanged) saveEmployment(employment, latest, plan.changes, today)
  const changed = saveDetails(after, member, planning) || employmentChanged
  const said_hash = hashOfDetails(row)
  if (said_hash !== latest.said_hash) plan.said.push({ employee_id, said_hash })
  roster.put({ ...employment, said_hash })
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

function saveEmployment(employment: Employment, latest: Employment, changes: RosterChanges, today: Day): void {
  const { id: employee_id, hired_on, employee_class, compensation_type } = employment
  const entry = (value: string) => ({ employee_id, effective_on: today, value })
  changes.changed_employments.push(employment)
  if (hired_on !== null && hired_on !== latest.hired_on)
    changes.start_moves.push({ employee_id, former: latest.hired_on, start_date: hired_on })
  if (employee_class !== null && employee_class !== latest.employee_class) changes.classes.push(entry(employee_class))
  if (compensation_type !== null && compensation_type !== latest.compensation_type)
    changes.compensations.push(entry(compensation_type))
}

/**
 * Whether a replacing census stops to ask: it and those of the last week together would have ended more than 5 people
 * and more than 20 % of the roster, or it anybody at all when a row was refused that may speak of them. `recent`: who
 * was missing from those before, and did not come back.
 */
export const isHeld = (missing: number, recent: number, roster: number, unsure: boolean): boolean =>
  missing > 0 && (unsure || (missing + recent > 5 && (missing + recent) * 5 > roster + recent))
