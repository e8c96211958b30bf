import { correction_window_days } from '../../directory/tasks/rules.ts'
import { hash } from 'node:crypto'
import { addDays, ageOn, earliest, type Day } from '../../../kernel/days.ts'
import type { CallerKind } from '../../../runtime/caller.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { declareRefusals, type Detail, Refusal, type RefusalKind, generic } from '../../../kernel/refusal.ts'
import type { Holder, Register } from '../../directory/identities/rules.ts'
import { hasMoved, lines, named, type Member, type People, type GivenDetails } from '../../directory/people/rules.ts'
import { type EmployeeClass, type CompensationType } from '../../directory/catalog/schemas.ts'

export const refusals = declareRefusals({
  invalid_employee_update: [
    400,
    'The employee record does not allow this change.',
    'Fix the fields listed in `details`.',
  ],
  /**
   * An active, pending or inactive connection maintains the roster, and API requests must not change it. A paused
   * connection allows them.
   */
  employer_has_hris_connection: [
    409,
    "An HRIS connection maintains this employer's roster.",
    'Change the roster in the payroll system, or pause the connection.',
  ],
  employee_already_exists: [
    409,
    "This person is already on this employer's roster, perhaps as a former employee.",
    'Update the employee. For a former employee, rehire or reinstate them.',
  ],
  ambiguous_person: [
    409,
    'This may be a person who already exists in the organization, or a new one.',
    "Send the person's `employee_id` or `member_id`, or `distinct: true` with a separate email for a new person.",
  ],
  reference_of_other_person: [
    409,
    'This reference belongs to another person at this employer.',
    'Send a reference that was never used. If it is the same person, send their `employee_id` or `member_id`.',
  ],
  employee_already_terminated: [
    409,
    'This employment has already ended.',
    'Read `termination_date` of the employee. To reverse the termination, reinstate the employee.',
  ],
  employee_not_terminated: [
    409,
    'This person is still employed here. Only a former employee can be rehired.',
    'Update the employee, or terminate them first.',
  ],
  email_taken: [
    422,
    'This email address belongs to another person.',
    'If it is the same person, send their `employee_id` or `member_id`. If not, send another email address.',
  ],
  invalid_account_update: [
    422,
    'A detail of this account, such as the phone number, belongs to another person.',
    "Omit the phone number, or send this person's own number.",
  ],
})

/** A person's employment at one employer. */
export type Employment = {
  id: string
  member_id: string
  reference_id: string | null
  hired_on: Day | null
  terminated_on: Day | null
  /** The value as of today. Null if it was never reported. */
  employee_class: EmployeeClass | null
  compensation_type: CompensationType | null
  /** Null if the employee is in no bargaining unit. */
  bargaining_unit: string | null
  /** A hash of the details in the last hire or census row. */
  report_hash: string
  /**
   * The day on which a census or HRIS roster ended the employment because the person was missing. Null if their
   * termination was reported.
   */
  absent_on: Day | null
  /** The last day that was reported before the omission. Null if there was none. */
  reported_last_day: Day | null
}

/** Hashes the details of a hire or row, to detect when the same details are reported again. */
export const hashOfDetails = (details: GivenDetails): string =>
  hash(
    'sha256',
    JSON.stringify([
      named.map((name) => details[name]),
      [...lines.map((line) => details.address?.[line]), details.address?.county],
    ]),
    'base64url',
  )

export const refuseRecord = (field: string, message: string) =>
  new Refusal(refusals.invalid_employee_update, [{ field, message } satisfies Detail])

/**
 * Explains why the facts of a person and an employment are not allowed. Dates are compared with today in Eastern time.
 */
export function whyNotRecord(
  {
    date_of_birth,
    start_date,
    termination_date,
  }: { date_of_birth?: Day; start_date?: Day | undefined; termination_date?: Day | undefined },
  today: Day,
): Refusal | undefined {
  if (date_of_birth !== undefined && ageOn(date_of_birth, today) < 18)
    return refuseRecord('date_of_birth', 'an employee must be at least 18 years old')
  if (start_date === undefined) return undefined
  if (start_date > today) return refuseRecord('start_date', 'must not be after today')
  if (date_of_birth !== undefined && start_date <= date_of_birth)
    return refuseRecord('start_date', 'must be after the date of birth')
  return termination_date !== undefined && termination_date < start_date
    ? refuseRecord('termination_date', 'must not be before the first day of the employment')
    : undefined
}

/** Whether a day is more than `window_days` days ago. Null means no limit. */
export const isBeforeWindow = (day: Day, today: Day, window_days: number | null): boolean =>
  window_days !== null && day < addDays(today, -window_days)

/** The refusal of a day before the correction window of partners. */
export const refuseBeforeWindow = (field: string) =>
  refuseRecord(
    field,
    `more_than_60_days_back: must not be more than ${correction_window_days} days in the past; ` +
      'only the operator can set an earlier day',
  )

/** The refusal of a fact that removes coverage from before the correction window of partners. */
export const refuseRescission = (field: string) =>
  refuseRecord(
    field,
    `more_than_60_days_back: removes coverage from more than ${correction_window_days} days ago; ` +
      'only the operator can do that',
  )

export const isTerminated = (employment: { terminated_on: Day | null }, today: Day): boolean =>
  employment.terminated_on !== null && employment.terminated_on < today

/** Explains why an employment cannot end on a day (the last day employed, inclusive). */
export function whyNotTerminate(
  employment: Pick<Employment, 'hired_on' | 'terminated_on'>,
  termination_date: Day,
  today: Day,
  window_days: number | null = correction_window_days,
): Refusal | RefusalKind | undefined {
  if (isBeforeWindow(termination_date, today, window_days)) return refuseBeforeWindow('termination_date')
  if (employment.hired_on !== null && termination_date < employment.hired_on) {
    return refuseRecord('termination_date', 'must not be before the first day of the employment')
  }
  return isTerminated(employment, today) ? refusals.employee_already_terminated : undefined
}

/** Explains why a former employee cannot return on a day. `latest` is their latest employment here. */
export function whyNotRehire(latest: Employment, start_date: Day, today: Day): Refusal | RefusalKind | undefined {
  const invalid = whyNotRecord({ start_date }, today)
  if (invalid) return invalid
  if (!isTerminated(latest, today)) return refusals.employee_not_terminated
  if (start_date <= latest.terminated_on!)
    return refuseRecord('start_date', 'must be after the last day of the former employment')
  return undefined
}

/**
 * Explains why a person cannot have a reference here: another person holds or held it, and references identify people.
 */
export const whyNotReference = (holders: string[], member_id: string): Refusal | undefined =>
  holders.some((id) => id !== member_id) ? refuseRecord('reference_id', 'belongs to another person') : undefined

/** Whether the effective day of a change is that of a move: with a class or other facts, only if the home changes. */
export const isDayOfMove = (
  { address }: Pick<GivenDetails, 'address'>,
  before: Member,
  after: Member,
  changes_facts: boolean,
) => address !== undefined && (!changes_facts || hasMoved(before.address, after.address))

/**
 * Explains why an effective day is not allowed. `changes_history` is whether the request changes the class or
 * compensation type.
 */
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

/** Explains why the first day of an employment cannot move to a day. */
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

/**
 * Explains why an employee cannot change their email with a token: it identifies people, and nothing has verified the
 * new address.
 */
export const whyNotOwnEmail = ({ email }: { email?: string | undefined }, kind: CallerKind): Refusal | undefined =>
  email !== undefined && kind === 'employee_token'
    ? refuseRecord('email', 'can be changed only by the employer')
    : undefined

/** The people of a set who are or were employed at one employer. Kept up to date while rows are planned. */
export class Roster implements Register {
  readonly keeps_references = true
  readonly #people: People
  readonly #today: Day
  readonly #byMember = new Map<string, Employment[]>()
  readonly #byReference = new Map<string, Set<string>>()
  readonly #byHash = new Map<string, Set<string>>()
  readonly #byEmployee: Map<string, string>

  /** `named` are the employments that candidates name, at any employer, with their people. */
  constructor(employments: Employment[], people: People, today: Day, named: { id: string; member_id: string }[] = []) {
    this.#people = people
    this.#today = today
    this.#byEmployee = new Map(named.map(({ id, member_id }) => [id, member_id]))
    for (const employment of employments) this.put(employment)
  }

  /** The people who hold or held this reference here. */
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

  /** Whether the person is employed here today. */
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

  repeated(details: GivenDetails): Member | undefined {
    if (this.#byHash.size === 0) return undefined
    const hashed = hashOfDetails(details)
    const ids = [...(this.#byHash.get(hashed) ?? [])].filter(
      (id) => this.employments(id).at(-1)!.report_hash === hashed,
    )
    return ids.length === 1 ? this.#people.get(ids[0]!) : undefined
  }

  /** A person's employments here, the latest last. */
  employments(member_id: string): Employment[] {
    return this.#byMember.get(member_id) ?? []
  }

  put(employment: Employment): void {
    const employments = this.employments(employment.member_id)
    const others = employments.filter(({ id }) => id !== employment.id)
    const former = employments.find(({ id }) => id === employment.id)?.reference_id
    const start = (employment: Employment) => employment.hired_on ?? ''
    this.#byMember.set(
      employment.member_id,
      [...others, employment].sort((a, b) => (start(a) < start(b) ? -1 : start(a) > start(b) ? 1 : 0)),
    )
    if (former && !others.some((other) => other.reference_id === former))
      this.#byReference.get(former)?.delete(employment.member_id)
    add(this.#byReference, employment.reference_id, employment.member_id)
    add(this.#byHash, employment.report_hash, employment.member_id)
  }
}

function add(ids: Map<string, Set<string>>, key: string | null, id: string): void {
  if (key !== null) ids.set(key, (ids.get(key) ?? new Set()).add(id))
}

/** The facts of an employment that are stored with the day from which they are effective. */
export const dated_facts = ['employee_class', 'compensation_type', 'bargaining_unit'] as const
export type DatedFact = (typeof dated_facts)[number]

/** A dated fact. Only a bargaining unit can be null, for an employee who leaves it. */
export type HistoryEntry = { fact: DatedFact; employee_id: string; effective_on: Day; value: string | null }

/**
 * All effects of a hire, a change or a chunk of a census on people and employments, to be saved with set-based
 * statements.
 */
export type RosterChanges = {
  new_members: Member[]
  changed_members: Member[]
  /** New employments. Their dated facts start their histories. */
  new_employments: Employment[]
  changed_employments: Employment[]
  /** The earliest first day, former or new, of an employment whose first day moves. Null if none moves. */
  since: Day | null
  facts: HistoryEntry[]
  events: { event_name: EventName; employee_id: string }[]
}

export const noChanges = (): RosterChanges => ({
  new_members: [],
  changed_members: [],
  new_employments: [],
  changed_employments: [],
  since: null,
  facts: [],
  events: [],
})

/** Merges changes that apply one after the other. */
export const mergeChanges = (many: RosterChanges[]): RosterChanges => ({
  new_members: many.flatMap(({ new_members }) => new_members),
  changed_members: many.flatMap(({ changed_members }) => changed_members),
  new_employments: many.flatMap(({ new_employments }) => new_employments),
  changed_employments: many.flatMap(({ changed_employments }) => changed_employments),
  since: earliest(...many.map(({ since }) => since)),
  facts: many.flatMap(({ facts }) => facts),
  events: many.flatMap(({ events }) => events),
})

/** Adds an employment, with the facts that it begins with. */
export function addEmployment(changes: RosterChanges, employment: Employment, today: Day, event_name: EventName): void {
  const { id: employee_id } = employment
  changes.new_employments.push(employment)
  changes.events.push({ event_name, employee_id })
  if (isTerminated(employment, today)) changes.events.push({ event_name: 'employee.deactivated', employee_id })
}

export const firstHistoryEntriesOf = (employments: Employment[]): Omit<HistoryEntry, 'effective_on'>[] =>
  dated_facts.flatMap((fact) =>
    employments.flatMap(({ id, [fact]: value }) => (value ? [{ fact, employee_id: id, value }] : [])),
  )

/** The refusal of a search that cannot match anything. */
export const unsearchable: RefusalKind = {
  ...generic.unprocessable,
  message: 'The search contains no letter or digit.',
}

/** Whether a search contains a letter or digit. Otherwise it cannot match anything. */
export const isSearchable = (search: string): boolean => /[\p{L}\p{N}]/u.test(search)

/** Consecutive days on which an enrollment covers an employee, inclusive. */
export type CoveredDays = { employee_id: string; benefit_id: string; enrollment_id: string; from: Day; until: Day }

/**
 * Returns the days of `before` on which `after` no longer covers the employee with that benefit, as ranges. Any
 * enrollment of the benefit counts, so replacing one enrollment by another loses nothing.
 */
export function lostCoverage(before: CoveredDays[], after: CoveredDays[]): CoveredDays[] {
  const keyOf = ({ employee_id, benefit_id }: CoveredDays) => `${employee_id} ${benefit_id}`
  const kept = Map.groupBy(
    after.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
    keyOf,
  )
  return before.flatMap((span) => {
    const lost: CoveredDays[] = []
    let from = span.from
    for (const kept_days of kept.get(keyOf(span)) ?? []) {
      if (kept_days.until < from || kept_days.from > span.until) continue
      if (kept_days.from > from) lost.push({ ...span, from, until: addDays(kept_days.from, -1) })
      from = addDays(kept_days.until, 1)
    }
    return from <= span.until ? [...lost, { ...span, from }] : lost
  })
}
