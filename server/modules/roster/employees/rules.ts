import { hash } from 'node:crypto'
import { addDays, ageOn, earliest, type Day } from '../../../kernel/days.ts'
import type { CallerKind } from '../../../runtime/caller.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { declareRefusals, type Detail, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { Holder, Register } from '../../directory/identities/rules.ts'
import { lines, named, type Member, type People, type GivenDetails } from '../../directory/people/rules.ts'
import type { CompensationType, EmployeeClass } from './schemas.ts'

export const refusals = declareRefusals({
  invalid_employee_update: [
    400,
    'The employee record refuses this.',
    'Mend what `details` names: it says the field and the rule that it breaks.',
  ],
  /** An active, pending or inactive connection keeps the roster, and the API must not; a paused one lets it. */
  employer_has_hris_connection: [
    409,
    "This employer's roster is kept by an HRIS connection.",
    'Change the roster in the payroll system, or have the connection paused.',
  ],
  employee_already_exists: [
    409,
    "This person is already on this employer's roster, perhaps as a former employee: update or rehire them.",
    'Update the employee; of a former one, rehire or reinstate.',
  ],
  ambiguous_person: [
    409,
    'This may be a person whom the organization knows, or a new one: send member_id, employee_id or distinct.',
    'Send the `employee_id` or `member_id` of the person, or `distinct: true` for a new one with their own e-mail.',
  ],
  reference_of_another: [
    409,
    'This reference belongs to another person at this employer.',
    'Send a reference that nobody had. If it is the same person, send their `employee_id` or `member_id`.',
  ],
  employee_already_terminated: [
    409,
    'This employment has already ended.',
    'Read the employee: `termination_date` says when. Reinstate, to take that back.',
  ],
  employee_not_terminated: [
    409,
    'This person is employed here: only a former employee can be rehired.',
    'Update the employee instead, or terminate first.',
  ],
  email_taken: [
    422,
    "This e-mail belongs to another person's account.",
    'If it is the same person, send their `employee_id` or `member_id`. If not, send another e-mail.',
  ],
  invalid_account_update: [
    422,
    'A detail of this account, such as the phone number, belongs to another person.',
    "Leave the phone number out, or use one of this person's own.",
  ],
})

/** A person's employment at one employer. */
export type Employment = {
  id: string
  member_id: string
  reference_id: string | null
  hired_on: Day | null
  /** the last day employed */
  terminated_on: Day | null
  /** as of today; null when never said */
  employee_class: EmployeeClass | null
  compensation_type: CompensationType | null
  /** a hash of what the hire or a census row last said of the person; null when that was before there were hashes */
  said_hash: string | null
  /** the day on which a census or HRIS roster ended it because the person was missing; null when they were told of */
  absent_on: Day | null
  /** the last day that had been told before; null when none was */
  last_day_told: Day | null
}

/** What a hire or a row says of a person, as a hash: to know it when it is said again. */
export const hashOfDetails = (said: GivenDetails): string =>
  hash(
    'sha256',
    JSON.stringify([
      named.map((name) => said[name]),
      // The county came later: who never says it has the hash that they had.
      [...lines.map((line) => said.address?.[line]), ...(said.address?.county ? [said.address.county] : [])],
    ]),
    'base64url',
  )

export const refuseRecord = (field: string, message: string) =>
  new Refusal(refusals.invalid_employee_update, [{ field, message } satisfies Detail])

/** Why the record refuses these facts of a person and an employment; dates are compared on the Eastern day. */
export function whyNotRecord(
  said: { date_of_birth?: Day; start_date?: Day | undefined; termination_date?: Day | undefined },
  today: Day,
): Refusal | undefined {
  if (said.date_of_birth !== undefined && ageOn(said.date_of_birth, today) < 18) {
    return refuseRecord('date_of_birth', 'an employee must be at least 18 years old')
  }
  if (said.start_date !== undefined && said.start_date > today)
    return refuseRecord('start_date', 'must not be after today')
  if (said.date_of_birth !== undefined && said.start_date !== undefined && said.start_date <= said.date_of_birth) {
    return refuseRecord('start_date', 'must be after the date of birth')
  }
  if (said.termination_date !== undefined && said.start_date !== undefined && said.termination_date < said.start_date) {
    return refuseRecord('termination_date', 'must not be before the first day of the employment')
  }
  return undefined
}

/** How many days back a partner may end coverage, or take an end back. The operator has no limit. */
export const loss_reach = 60

/** Whether a day is further back than `reach` days; null reaches as far back as there is anything. */
export const isBeyondReach = (day: Day, today: Day, reach: number | null): boolean =>
  reach !== null && day < addDays(today, -reach)

/** The refusal of a day that is too far back for partners. */
export const beyondReach = (field: string) =>
  refuseRecord(field, `more_than_60_days_back: must not be more than ${loss_reach} days past; the operator may set it`)

/** The refusal of a fact that takes away coverage of days too far back for partners. */
export const rescinds = (field: string) =>
  refuseRecord(
    field,
    `more_than_60_days_back: takes away coverage of more than ${loss_reach} days ago; the operator may set it`,
  )

export const isTerminated = (employment: { terminated_on: Day | null }, today: Day): boolean =>
  employment.terminated_on !== null && employment.terminated_on < today

/** Why an employment can't end on a day: the last day employed, inclusive. */
export function whyNotTerminate(
  employment: Pick<Employment, 'hired_on' | 'terminated_on'>,
  termination_date: Day,
  today: Day,
  reach: number | null = loss_reach,
): Refusal | RefusalKind | undefined {
  if (isBeyondReach(termination_date, today, reach)) return beyondReach('termination_date')
  if (employment.hired_on !== null && termination_date < employment.hired_on) {
    return refuseRecord('termination_date', 'must not be before the first day of the employment')
  }
  return isTerminated(employment, today) ? refusals.employee_already_terminated : undefined
}

/** Why a former employee can't come back on a day; `latest` is their latest employment here. */
export function whyNotRehire(latest: Employment, start_date: Day, today: Day): Refusal | RefusalKind | undefined {
  const invalid = whyNotRecord({ start_date }, today)
  if (invalid) return invalid
  if (!isTerminated(latest, today)) return refusals.employee_not_terminated
  if (start_date <= latest.terminated_on!)
    return refuseRecord('start_date', 'must be after the last day of the former employment')
  return undefined
}

/** Why a person can't have a reference here: others hold or held it, and it tells people apart. */
export const whyNotReference = (holders: string[], member_id: string): Refusal | undefined =>
  holders.some((id) => id !== member_id) ? refuseRecord('reference_id', 'belongs to another person') : undefined

/** Why an effective day can't be taken, for a request that changes the class or compensation type or not. */
export function whyNotEffective(
  effective_date: Day,
  employment: Pick<Employment, 'hired_on' | 'terminated_on'>,
  changes_history: boolean,
  today: Day,
): Refusal | undefined {
  if (effective_date > today) return refuseRecord('effective_date', 'must not be after today')
  if (!changes_history) return undefined
  if (employment.hired_on !== null && effective_date < employment.hired_on) {
    return refuseRecord('effective_date', 'must not be before the first day of the employment')
  }
  if (employment.terminated_on !== null && effective_date > employment.terminated_on) {
    return refuseRecord('effective_date', 'must not be after the last day of the employment')
  }
  return undefined
}

/** Why the first day of an employment can't move to a day. */
export function whyNotMoveStart(employment: Employment, others: Employment[], start_date: Day): Refusal | undefined {
  if (employment.terminated_on !== null && start_date > employment.terminated_on) {
    return refuseRecord('start_date', 'must not be after the last day of the employment')
  }
  const earlier = others.some(
    (other) =>
      other.id !== employment.id &&
      other.terminated_on !== null &&
      start_date <= other.terminated_on &&
      (other.hired_on ?? '') <= (employment.hired_on ?? '9'),
  )
  return earlier ? refuseRecord('start_date', 'must be after the last day of the former employment') : undefined
}

/** Why an employee can't change their e-mail by a token: by it people are told apart, and nobody has confirmed it. */
export const whyNotOwnEmail = ({ email }: { email?: string | undefined }, kind: CallerKind): Refusal | undefined =>
  email !== undefined && kind === 'employee_token' ? refuseRecord('email', 'is changed by the employer') : undefined

/** Those of a set of people who are, or were, employed at one employer; kept in step while rows are planned. */
export class Roster implements Register {
  readonly keeps_references = true
  readonly #people: People
  readonly #today: Day
  readonly #byMember = new Map<string, Employment[]>()
  readonly #byReference = new Map<string, Set<string>>()
  readonly #byHash = new Map<string, Set<string>>()
  readonly #byEmployee: Map<string, string>

  /** `named`: whose the employments are that candidates named, at whichever employer. */
  constructor(employments: Employment[], people: People, today: Day, named: { id: string; member_id: string }[] = []) {
    this.#people = people
    this.#today = today
    this.#byEmployee = new Map(named.map(({ id, member_id }) => [id, member_id]))
    for (const employment of employments) this.put(employment)
  }

  /** Who holds or held this reference here. */
  holders(reference_id: string | undefined): Holder[] {
    const ids = reference_id === undefined ? [] : [...(this.#byReference.get(reference_id) ?? [])]
    return ids.flatMap((id) => {
      const member = this.#people.get(id)
      return member ? { member, present: this.presentReference(id) === reference_id } : []
    })
  }

  presentReference(member_id: string): string | null {
    return this.isPresent(member_id) ? this.employments(member_id).at(-1)!.reference_id : null
  }

  /** Whether somebody is employed here today. */
  isPresent(member_id: string): boolean {
    const latest = this.employments(member_id).at(-1)
    return latest !== undefined && !isTerminated(latest, this.#today)
  }

  isHere(member_id: string): boolean {
    return this.#byMember.has(member_id)
  }

  employed(employee_id: string): Member | undefined {
    return this.#people.get(this.#byEmployee.get(employee_id) ?? '')
  }

  repeated(said: GivenDetails): Member | undefined {
    if (this.#byHash.size === 0) return undefined
    const hashed = hashOfDetails(said)
    const ids = [...(this.#byHash.get(hashed) ?? [])].filter((id) => this.employments(id).at(-1)!.said_hash === hashed)
    return ids.length === 1 ? this.#people.get(ids[0]!) : undefined
  }

  /** A person's employments here, the latest last. */
  employments(member_id: string): Employment[] {
    return this.#byMember.get(member_id) ?? []
  }

  /** Adds an employment, or replaces what is known of one. */
  put(employment: Employment): void {
    const known = this.employments(employment.member_id)
    const others = known.filter(({ id }) => id !== employment.id)
    const former = known.find(({ id }) => id === employment.id)?.reference_id
    const start = (one: Employment) => one.hired_on ?? ''
    this.#byMember.set(
      employment.member_id,
      [...others, employment].sort((a, b) => (start(a) < start(b) ? -1 : start(a) > start(b) ? 1 : 0)),
    )
    if (former && !others.some((other) => other.reference_id === former))
      this.#byReference.get(former)?.delete(employment.member_id)
    add(this.#byReference, employment.reference_id, employment.member_id)
    add(this.#byHash, employment.said_hash, employment.member_id)
  }
}

function add(ids: Map<string, Set<string>>, key: string | null, id: string): void {
  if (key !== null) ids.set(key, (ids.get(key) ?? new Set()).add(id))
}

/** A value that holds in a history from a day on. */
export type HistoryEntry = { employee_id: string; effective_on: Day; value: string }

/** Everything that a hire, a change or a chunk of a census does to people and employments, to be saved set-based. */
export type RosterChanges = {
  new_members: Member[]
  changed_members: Member[]
  /** their histories begin with the class and compensation type that each has */
  new_employments: Employment[]
  changed_employments: Employment[]
  /** The earliest first day, former or new, of an employment whose first day moves. Null if none moves. */
  since: Day | null
  classes: HistoryEntry[]
  compensations: HistoryEntry[]
  events: { event_name: EventName; employee_id: string }[]
}

export const noChanges = (): RosterChanges => ({
  new_members: [],
  changed_members: [],
  new_employments: [],
  changed_employments: [],
  since: null,
  classes: [],
  compensations: [],
  events: [],
})

/** What several did, one after the other. */
export const changesTogether = (several: RosterChanges[]): RosterChanges => ({
  new_members: several.flatMap(({ new_members }) => new_members),
  changed_members: several.flatMap(({ changed_members }) => changed_members),
  new_employments: several.flatMap(({ new_employments }) => new_employments),
  changed_employments: several.flatMap(({ changed_employments }) => changed_employments),
  since: earliest(...several.map(({ since }) => since)),
  classes: several.flatMap(({ classes }) => classes),
  compensations: several.flatMap(({ compensations }) => compensations),
  events: several.flatMap(({ events }) => events),
})

/** Adds an employment with the class and compensation type it begins with. */
export function addEmployment(changes: RosterChanges, employment: Employment, today: Day, event_name: EventName): void {
  const { id: employee_id } = employment
  changes.new_employments.push(employment)
  changes.events.push({ event_name, employee_id })
  if (isTerminated(employment, today)) changes.events.push({ event_name: 'employee.deactivated', employee_id })
}

/** The values with which the histories of new employments begin. */
export function beginningsOf(employments: Employment[]) {
  const beginsWith = (name: 'employee_class' | 'compensation_type') =>
    employments.flatMap(({ id, [name]: value }) => (value ? [{ employee_id: id, value }] : []))
  return { classes: beginsWith('employee_class'), compensations: beginsWith('compensation_type') }
}
