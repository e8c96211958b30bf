import type { Day } from '../../platform/days.ts'
import { newId } from '../../platform/ids.ts'
import { refusal, Refusal, type Detail, type RefusalKind } from '../../platform/refusal.ts'
import {
  addEmployment,
  ambiguous_person,
  isTerminated,
  joining,
  noChanges,
  whyNotMoveStart,
  whyNotRecord,
  whyNotRehire,
  whyNotTerminate,
  whyNotTheirs,
  type Employment,
  type Roster,
  type RosterChanges,
} from '../employees/rules.ts'
import {
  foldName,
  isNamed,
  isSomebodyElse,
  nameKey,
  sameMember,
  whoIs,
  withDetails,
  type Member,
  type People,
} from '../people/rules.ts'
import type { CensusCounts, CensusFailure, CensusOrigin, RosterRow } from './schemas.ts'

export const census_sync_not_held = refusal(409, 'census_sync_not_held', 'Only a census that is held can be confirmed.')
export const census_sync_superseded = refusal(
  409,
  'census_sync_superseded',
  'A later census of this employer was accepted: it says who is missing.',
)
const reference_of_another = refusal(
  409,
  'reference_of_another',
  'This reference belongs to a person with another name, birthday, e-mail and phone: give the newcomer one of their own.',
)
const repeated_person = refusal(400, 'repeated_person', 'Another row of this census speaks of the same person.')

/** A row that can't be used, with whatever it tells of whom it means. */
export type UnusableRow = Partial<RosterRow> & { unusable: { field: string | null; reason: string } }
export type StagedRow = RosterRow | UnusableRow

const isUnusable = (row: StagedRow): row is UnusableRow => 'unusable' in row

/**
 * Marks the rows that repeat another: of two rows for one person the first is taken, but one of somebody who is here before
 * one of somebody who left, and a later leave before an earlier one. Payroll systems keep a row of each employment.
 */
export function withoutRepetitions(rows: StagedRow[], today: Day): StagedRow[] {
  const until = (at: number) => (hasLeft(rows[at]!, today) ? rows[at]!.termination_date! : today)
  const places = rows
    .flatMap((row, at) => (isUnusable(row) ? [] : [at]))
    .sort((a, b) => (until(a) === until(b) ? a - b : until(a) < until(b) ? 1 : -1))
  const repeated = repetitionsAt(places.map((at) => rows[at] as RosterRow))
  const marked = new Map(repeated.map(({ at, field }) => [places[at]!, field]))
  const reason = `${repeated_person.code}: ${repeated_person.message}`
  return rows.map((row, at) => (marked.has(at) ? { ...row, unusable: { field: marked.get(at)!, reason } } : row))
}

export const noCounts = (): CensusCounts => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  rehired: 0,
  terminated: 0,
  failed: 0,
})

/** The texts by which two rows of one body would be the same person, or use one reference twice. */
function* identities(row: RosterRow): Generator<[field: string, identity: string]> {
  const who = `${row.date_of_birth}|${nameKey(row)}`
  if (row.reference_id !== undefined) yield ['reference_id', `reference|${row.reference_id}`]
  const email = `email|${row.email.toLowerCase()}`
  yield ['email', `${email}|${row.date_of_birth}`]
  yield ['email', `${email}|${foldName(row.last_name)}`]
  if (row.phone !== undefined) yield ['phone', `phone|${who}|${row.phone}`]
  if (row.address) yield ['address.zipcode', `zip|${who}|${row.address.zipcode.slice(0, 5)}`]
}

/** Rows that repeat a reference, an e-mail or a person of an earlier row, with the field that tells. */
function repetitionsAt(rows: RosterRow[]): { at: number; field: string; earlier: number }[] {
  const first = new Map<string, number>()
  return rows.flatMap((row, at) => {
    const told = [...identities(row)]
    const repeated = told.find(([, identity]) => first.has(identity))
    const found = repeated && { at, field: repeated[0], earlier: first.get(repeated[1])! }
    for (const [, identity] of told) if (!first.has(identity)) first.set(identity, at)
    return found ?? []
  })
}

/** The same as what is wrong with a submission. */
export const repetitionsIn = (rows: RosterRow[]): Detail[] =>
  repetitionsAt(rows).map(({ at, field, earlier }) => ({
    field: `employees[${at}].${field}`,
    message: `repeats that of employees[${earlier}]`,
  }))

/**
 * What some rows of a census do, and whom they speak of: nobody spoken of is missing from a replacing census. `unsure`:
 * whether a row that can't be used may speak of anybody.
 */
export type CensusPlan = {
  changes: RosterChanges
  counts: CensusCounts
  failures: CensusFailure[]
  seen: Set<string>
  unsure: boolean
}

/** What planning a row reads and writes. */
type Desk = { changes: RosterChanges; people: People; roster: Roster; today: Day; origin: CensusOrigin }

type Done = Exclude<keyof CensusCounts, 'failed'>

/**
 * Plans rows of a census, one after the other: each as if the rows before it were written. Pure but for new
 * ids; `people` and `roster` are kept in step. The same plan serves the dry run and the real one.
 */
export function planCensus(
  rows: StagedRow[],
  first_index: number,
  people: People,
  roster: Roster,
  claimed: Set<string>,
  today: Day,
  origin: CensusOrigin = 'api',
): CensusPlan {
  const plan: CensusPlan = { changes: noChanges(), counts: noCounts(), failures: [], seen: new Set(), unsure: false }
  const desk: Desk = { changes: plan.changes, people, roster, today, origin }
  rows.forEach((row, at) => {
    if (isUnusable(row)) return passOver(plan, row, first_index + at, desk)
    const found = whoIs(row, roster.referenced(row.reference_id), people)
    const spoken = [...found, people.holderOfEmail(row.email), holderOfPhone(row, people)]
    const namesakes = people.namesakes(row)
    const done = planRow(row, found, claimed, desk)
    // Whoever a row may speak of is not missing, even when the row is refused.
    for (const member of typeof done === 'string' ? spoken : [...spoken, ...namesakes])
      if (member) plan.seen.add(member.id)
    if (typeof done === 'string') plan.counts[done]++
    else {
      plan.counts.failed++
      plan.failures.push(failureOf(done, first_index + at, row))
    }
  })
  return plan
}

const holderOfPhone = ({ phone }: Partial<RosterRow>, people: People): Member | undefined =>
  phone === undefined ? undefined : people.holderOfPhone(phone)

/** Reports a row that can't be used. Whoever it may speak of is not missing; when nobody can tell, it may be anybody. */
function passOver(plan: CensusPlan, row: UnusableRow, index: number, { people, roster }: Desk): void {
  const named = isNamed(row)
  const spoken = [
    ...roster.referenced(row.reference_id),
    row.email === undefined ? undefined : people.holderOfEmail(row.email),
    holderOfPhone(row, people),
    ...(named ? people.namesakes(row) : []),
  ].filter((member) => member !== undefined)
  for (const { id } of spoken) plan.seen.add(id)
  if (spoken.length === 0 && !named) plan.unsure = true
  plan.counts.failed++
  plan.failures.push({ index, reference_id: row.reference_id ?? null, ...row.unusable })
}

function failureOf(why: Refusal | RefusalKind, index: number, row: RosterRow): CensusFailure {
  const [detail] = why instanceof Refusal ? why.details : []
  const { code, message } = why instanceof Refusal ? why.kind : why
  return {
    index,
    reference_id: row.reference_id ?? null,
    field: detail?.field ?? null,
    reason: `${code}: ${detail?.message ?? message}`,
  }
}

function planRow(row: RosterRow, found: Member[], claimed: Set<string>, desk: Desk): Done | Refusal | RefusalKind {
  const [member] = found
  const latest = member && desk.roster.employments(member.id).at(-1)
  const gone = latest !== undefined && isTerminated(latest, desk.today)
  const returns = gone && row.start_date !== undefined && row.start_date > latest.terminated_on!
  if (desk.origin === 'hris' && (!latest || (gone && !returns)) && isLongGone(row, desk)) return 'unchanged'
  const invalid = whyNotRecord(row, desk.today)
  if (invalid) return invalid
  if (found.length > 1) return ambiguous_person
  if (member && claimed.has(member.id)) return repeated_person
  if (member && isSomebodyElse(row, member)) return reference_of_another
  if (!member || !latest) return planNewcomer(row, claimed, desk)
  const theirs = whyNotTheirs(row, member, desk.people)
  if (theirs) return theirs
  claimed.add(member.id)
  return returns ? planReturn(row, member, latest, desk) : planKnown(row, member, latest, desk)
}

const hasLeft = ({ termination_date }: Partial<RosterRow>, today: Day): boolean =>
  termination_date !== undefined && termination_date < today

/**
 * Payroll systems tell of everybody who ever left; who was not here, or is gone here too, is nothing to do. Not so who
 * left before they came: they may be back.
 */
const isLongGone = (row: RosterRow, { today }: Desk): boolean =>
  hasLeft(row, today) && !(row.start_date !== undefined && row.start_date > row.termination_date!)

/** Somebody who is not on this roster yet: new to the organization, or linked. */
function planNewcomer(row: RosterRow, claimed: Set<string>, desk: Desk): Done | Refusal {
  const newcomer = joining(row, desk.roster, desk.people, () => newId('mbr'))
  if (newcomer instanceof Refusal) return newcomer
  const { member, known } = newcomer
  claimed.add(member.id)
  if (!known) desk.changes.new_members.push(member)
  else if (!sameMember(known, member)) desk.changes.changed_members.push(member)
  desk.people.put(member)
  employ(row, member, undefined, desk)
  return 'created'
}

/** A former employee with a later first day. */
function planReturn(row: RosterRow, member: Member, latest: Employment, desk: Desk): Done | Refusal | RefusalKind {
  const why = whyNotRehire(latest, row.start_date!, desk.today)
  if (why) return why
  saveDetails(row, member, desk)
  employ(row, member, latest, desk)
  return 'rehired'
}

function employ(
  row: RosterRow,
  member: Member,
  former: Employment | undefined,
  { changes, roster, today }: Desk,
): void {
  const employment: Employment = {
    id: newId('empl'),
    member_id: member.id,
    reference_id: row.reference_id ?? former?.reference_id ?? null,
    hired_on: row.start_date ?? null,
    terminated_on: row.termination_date ?? null,
    employee_class: row.employee_class ?? former?.employee_class ?? null,
    compensation_type: row.compensation_type ?? former?.compensation_type ?? null,
  }
  addEmployment(changes, employment, today, former ? 'employee.rehired' : 'employee.created')
  roster.put(employment)
}

/** Replaces what was known of a person by what the row says; tells whether that changed anything. */
function saveDetails(row: RosterRow, member: Member, { changes, people }: Desk): boolean {
  const changed = withDetails(member, row)
  if (sameMember(member, changed)) return false
  changes.changed_members.push(changed)
  people.put(changed)
  return true
}

/** Somebody on this roster: what the row says replaces what was known, what it does not say stays. */
function planKnown(row: RosterRow, member: Member, latest: Employment, desk: Desk): Done | Refusal | RefusalKind {
  const { changes, roster, today } = desk
  const employment: Employment = {
    ...latest,
    reference_id: row.reference_id ?? latest.reference_id,
    hired_on: row.start_date ?? latest.hired_on,
    terminated_on: row.termination_date ?? latest.terminated_on,
    employee_class: row.employee_class ?? latest.employee_class,
    compensation_type: row.compensation_type ?? latest.compensation_type,
  }
  const ends = employment.terminated_on !== latest.terminated_on
  const why =
    whyNotMove(employment, latest, roster) ??
    (ends ? whyNotTerminate({ ...latest, hired_on: employment.hired_on }, employment.terminated_on!, today) : undefined)
  if (why) return why

  const employmentChanged = (Object.keys(employment) as (keyof Employment)[]).some(
    (name) => employment[name] !== latest[name],
  )
  if (employmentChanged) saveEmployment(employment, latest, changes, today)
  roster.put(employment)
  if (!saveDetails(row, member, desk) && !employmentChanged) return 'unchanged'
  changes.events.push({ event_name: 'employee.updated', employee_id: employment.id })
  if (ends && isTerminated(employment, today))
    changes.events.push({ event_name: 'employee.deactivated', employee_id: employment.id })
  return ends ? 'terminated' : 'updated'
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
 * Whether a replacing census stops to ask: it would end more than 5 people and more than 20 % of the roster, or anybody
 * at all when a row may speak of whomever.
 */
export const isHeld = (missing: number, roster: number, unsure = false): boolean =>
  missing > 0 && (unsure || (missing > 5 && missing * 5 > roster))
