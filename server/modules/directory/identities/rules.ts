/**
 * Matches a hire or a row to a person. The result is an existing person, a new person, or ambiguous; the match is never
 * a guess. A conflict names the field, never the other person.
 */
import { isSameName, comparableNameKey } from '../../../kernel/person-names.ts'
import {
  foldEmail,
  max_namesakes,
  zipOf,
  type GivenDetails,
  type Member,
  type Namesakes,
  type People,
} from '../people/rules.ts'
import { rowInWords } from '../../../kernel/refusal.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import type { FindFault } from '../../../http/endpoint.ts'

/** The reported details of a person, and the optional fields that resolve an ambiguous match. */
export type Candidate = GivenDetails & {
  reference_id?: string | undefined
  /** The person, or one of their employments, by our own id. */
  member_id?: string | undefined
  employee_id?: string | undefined
  /** Whether this is a new person despite similarities. */
  distinct?: boolean | undefined
}

/** The fields by which a candidate matches or conflicts. */
export type Field =
  | 'member_id'
  | 'employee_id'
  | 'distinct'
  | 'reference_id'
  | 'email'
  | 'phone'
  | 'address.zipcode'
  | 'last_name'

/**
 * The result of matching a candidate. `handed_on`: the reference belongs to another person. `email_taken`: the email
 * address belongs to another person. `perhaps_repeated`: a distinct row may repeat an earlier one with another email
 * address. `unknown`: the id does not exist.
 */
export type Identity =
  | { is: 'known'; member: Member; by: Field }
  | { is: 'new' }
  | { is: 'ambiguous' | 'perhaps_repeated'; field: Field }
  | { is: 'handed_on' }
  | { is: 'email_taken' }
  | { is: 'unknown'; field: Field }

/** A person who has or had a reference. */
export type Holder = { member: Member; present: boolean }

/** The references and employments by which an employer or a group identifies its current and former people. */
export type Register = {
  /** Whether a reference identifies one person permanently, not only while they are here. */
  keeps_references: boolean
  /** The people who have or had this reference here, without duplicates. */
  holders(reference_id: string): Holder[]
  /** The reference of a current person. */
  presentReference(member_id: string): string | null
  /** Whether a person is or was here, with or without a reference. */
  isHere(member_id: string): boolean
  /** The person of this employment, anywhere in the organization. */
  employed(employee_id: string): Member | undefined
  /** The one person here whose last accepted report had exactly these details. */
  repeated(candidate: Candidate): Member | undefined
}

type Lead = { member: Member; by: Field }

/** Matches a candidate to a person (docs/design/people/matching.md). `people` must contain every possible match. */
export function identify(candidate: Candidate, people: People, register: Register): Identity {
  if (candidate.member_id !== undefined || candidate.employee_id !== undefined)
    return matchById(candidate, people, register)
  const holders = holdersOf(candidate, register)
  const repeated = register.repeated(candidate)
  if (repeated) return matchRepeated(candidate, repeated, register, holders)
  if (candidate.distinct) return matchDistinct(candidate, people, register, holders)
  const owners = ownersOf(candidate, holders)
  if (holders.length > 0 && owners.length === 0) return { is: 'handed_on' }
  const [lead, second] = leadsOf(candidate, people, register, owners)
  if (second) return ambiguousIdentity(second.by)
  let match = lead
  const namesakes = people.namesakes(candidate)
  for (const { by, ids } of groupsByPhoneOrZip(candidate, people, namesakes)) {
    if (match ? !ids.has(match.member.id) : ids.size > 1) return ambiguousIdentity(by)
    match ??= { member: people.get([...ids][0]!)!, by }
  }
  if (match) return checkReference(candidate, match, register)
  return matchNone(candidate, people, namesakes)
}

const ambiguousIdentity = (field: Field): Identity => ({ is: 'ambiguous', field })

/** Matches by our own ids. They identify the person, but do not transfer the reference of another person. */
function matchById(candidate: Candidate, people: People, register: Register): Identity {
  if (candidate.distinct) return ambiguousIdentity('distinct')
  const member = candidate.member_id === undefined ? undefined : people.get(candidate.member_id)
  if (candidate.member_id !== undefined && !member) return { is: 'unknown', field: 'member_id' }
  const employed = candidate.employee_id === undefined ? undefined : register.employed(candidate.employee_id)
  if (candidate.employee_id !== undefined && !employed) return { is: 'unknown', field: 'employee_id' }
  if (member && employed && member.id !== employed.id) return ambiguousIdentity('employee_id')
  const identified = (member ?? employed)!
  if (holdersOf(candidate, register).some(({ member: { id } }) => id !== identified.id)) return { is: 'handed_on' }
  return { is: 'known', member: identified, by: member ? 'member_id' : 'employee_id' }
}

/**
 * Matches a row that repeats the details of an earlier one. It is the same person, regardless of later reports by
 * others, unless its reference now belongs to another person.
 */
function matchRepeated(candidate: Candidate, member: Member, register: Register, holders: Holder[]): Identity {
  const present = holders.filter((holder) => holder.present)
  const is_theirs = (present.length > 0 ? present : holders).some((holder) => holder.member.id === member.id)
  if (holders.length > 0 && !is_theirs) return { is: 'handed_on' }
  return checkReference(candidate, { member, by: is_theirs ? 'reference_id' : 'email' }, register)
}

/**
 * Matches a candidate who was reported as distinct. It is a new person, unless the same row was reported before. A
 * repeated row has the same reference and first name, which twins do not share, or the same name, birthday and email
 * address. Without either, a match here in all other details is undecidable.
 */
function matchDistinct(candidate: Candidate, people: People, register: Register, holders: Holder[]): Identity {
  const isSamePerson = (member: Member) => sameBirthday(candidate, member) && sameNames(candidate, member)
  const [owner, second] = ownersOf(candidate, holders).filter(
    (member) => isSamePerson(member) || (isPresent(member, holders) && sameFirstName(candidate, member)),
  )
  if (holders.length > 0)
    return owner && !second ? { is: 'known', member: owner, by: 'reference_id' } : { is: 'handed_on' }
  const email_holder = people.holderOfEmail(candidate.email)
  const match =
    email_holder && isSamePerson(email_holder)
      ? checkReference(candidate, { member: email_holder, by: 'email' }, register)
      : undefined
  if (match?.is === 'known') return match
  const isHere = ({ ids }: MatchGroup) => [...ids].some((id) => register.isHere(id))
  const groups =
    candidate.reference_id === undefined ? groupsByPhoneOrZip(candidate, people, people.namesakes(candidate)) : []
  const group = groups.find(isHere)
  return group ? { is: 'perhaps_repeated', field: group.by } : { is: 'new' }
}

const isPresent = ({ id }: Member, holders: Holder[]): boolean =>
  holders.some(({ member, present }) => present && member.id === id)

/** The people to whom the reference of a candidate still points. */
function holdersOf(candidate: Candidate, register: Register): Holder[] {
  const holders = candidate.reference_id === undefined ? [] : register.holders(candidate.reference_id)
  return holders.filter(
    (holder) => holder.present || register.keeps_references || referenceFits(candidate, holder.member),
  )
}

/**
 * Whether a reference certainly belongs to its holder: two of four facts agree, including the first name or the email
 * address. The other two are not enough, because twins share them and may have each other's reference by mistake.
 */
function referenceFits(candidate: Candidate, member: Member): boolean {
  const personal = [sameFirstName(candidate, member), sameEmail(candidate, member)].filter(Boolean).length
  const shared = [sameBirthday(candidate, member), sameLastName(candidate, member)].filter(Boolean).length
  return personal > 0 && personal + shared >= 2
}

/** The holders whom the reference certainly identifies. Empty if a current holder does not match. */
const ownersOf = (candidate: Candidate, holders: Holder[]): Member[] =>
  holders.some(({ member, present }) => present && !referenceFits(candidate, member))
    ? []
    : holders.flatMap(({ member }) => (referenceFits(candidate, member) ? [member] : []))

/** The people whom reference and email address identify, without duplicates. */
function leadsOf(candidate: Candidate, people: People, register: Register, owners: Member[]): Lead[] {
  const leads: Lead[] = owners.map((member) => ({ member, by: 'reference_id' }))
  const email_holder = people.holderOfEmail(candidate.email)
  if (
    email_holder &&
    isSameEmail(candidate, email_holder, register) &&
    !owners.some(({ id }) => id === email_holder.id)
  )
    leads.push({ member: email_holder, by: 'email' })
  return leads
}

/**
 * Whether an email address certainly identifies its holder: both names and the birthday agree. A different birthday is
 * a correction for a current or former person, unless the suffix also differs, as for father and son.
 */
const isSameEmail = (candidate: Candidate, member: Member, register: Register): boolean =>
  sameNames(candidate, member) &&
  (sameBirthday(candidate, member) ||
    (register.isHere(member.id) && plainSuffix(candidate.suffix) === plainSuffix(member.suffix)))

type MatchGroup = { by: Field; ids: Set<string> }

/**
 * The people with the same birthday and both names, and the same phone number or ZIP code. There can be several
 * namesakes. A phone number or name that too many people share does not identify anyone.
 */
function groupsByPhoneOrZip(candidate: Candidate, people: People, namesakes: Namesakes): MatchGroup[] {
  const phone_holders = people.holdersOfPhone(candidate.phone)
  const same_phone = (phone_holders.length > max_namesakes ? namesakes.members() : phone_holders).filter(
    (member) => member.phone === candidate.phone && sameNames(candidate, member) && sameBirthday(candidate, member),
  )
  const near = namesakes.crowded ? new Set<string>() : namesakes.near(zipOf(candidate))
  const groups: MatchGroup[] = [
    { by: 'phone', ids: new Set(same_phone.map(({ id }) => id)) },
    { by: 'address.zipcode', ids: near },
  ]
  return groups.filter(({ ids }) => ids.size > 0)
}

/**
 * Refuses to match a current person with a different reference, who may be someone else. A former person may return
 * with a new reference.
 */
function checkReference(candidate: Candidate, { member, by }: Lead, register: Register): Identity {
  const present = by === 'reference_id' ? null : register.presentReference(member.id)
  const has_other_reference =
    present !== null && candidate.reference_id !== undefined && present !== candidate.reference_id
  return has_other_reference ? ambiguousIdentity('reference_id') : { is: 'known', member, by }
}

/**
 * A candidate without a match is new, unless they may be a twin, have too many namesakes, or use another person's email
 * address. A phone number shared by many people belongs to an office, not to a family.
 */
function matchNone(candidate: Candidate, people: People, { crowded }: Namesakes): Identity {
  const phone_holders = people.holdersOfPhone(candidate.phone)
  const isTwin = (member: Member) => sameLastName(candidate, member) && sameBirthday(candidate, member)
  if (phone_holders.length <= max_namesakes && phone_holders.some(isTwin)) return ambiguousIdentity('phone')
  if (crowded) return ambiguousIdentity('last_name')
  return people.holderOfEmail(candidate.email) ? { is: 'email_taken' } : { is: 'new' }
}

const sameBirthday = (a: GivenDetails, b: Member): boolean => a.date_of_birth === b.date_of_birth
const sameFirstName = (a: GivenDetails, b: Member): boolean => isSameName(a.first_name, b.first_name)
const sameLastName = (a: GivenDetails, b: Member): boolean => isSameName(a.last_name, b.last_name)
const sameNames = (a: GivenDetails, b: Member): boolean => sameFirstName(a, b) && sameLastName(a, b)
const sameEmail = (a: GivenDetails, b: Member): boolean =>
  Boolean(a.email) && Boolean(b.email) && foldEmail(a.email!) === foldEmail(b.email!)

/** Treats suffixes such as `Jr.` and `JR` as equal. */
const plainSuffix = (suffix: string | null | undefined): string =>
  (suffix ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')

/** A key that must not have been recorded by an earlier candidate, and the keys that this candidate records. */
type UniqueKey = { field: Field; key: string; recorded: string[] }

const uniqueKeyOf = (field: Field, ...parts: string[]): UniqueKey => {
  const text = [field, ...parts].join('|')
  return { field, key: text, recorded: [text] }
}

/** The ids that must be unique among the candidates of one request. */
function keysOfIds({ member_id, employee_id, reference_id }: Candidate): UniqueKey[] {
  const keys: UniqueKey[] = []
  if (member_id !== undefined) keys.push(uniqueKeyOf('member_id', member_id))
  if (employee_id !== undefined) keys.push(uniqueKeyOf('employee_id', employee_id))
  if (reference_id !== undefined) keys.push(uniqueKeyOf('reference_id', reference_id))
  return keys
}

/** The details that two candidates with these names cannot share without being one person. */
function keysOfPerson(candidate: Candidate, names: string): UniqueKey[] {
  const keys: UniqueKey[] = []
  if (candidate.email) {
    keys.push(uniqueKeyOf('email', foldEmail(candidate.email), names, candidate.date_of_birth))
    keys.push(uniqueKeyOf('email', foldEmail(candidate.email), names, plainSuffix(candidate.suffix), 'suffix'))
  }
  if (candidate.distinct) return keys
  if (candidate.phone) keys.push(uniqueKeyOf('phone', candidate.phone, names, candidate.date_of_birth))
  const zip = zipOf(candidate)
  if (zip === undefined) return keys
  // Namesakes at one ZIP code are two people if each has their own reference.
  const near = ['zip', zip, names, candidate.date_of_birth].join('|')
  const bare = `${near}|bare`
  const field = 'address.zipcode'
  keys.push(
    candidate.reference_id === undefined
      ? { field, key: near, recorded: [near, bare] }
      : { field, key: bare, recorded: [near] },
  )
  return keys
}

type IndexedCandidate = { candidate: Candidate; index: number }

/**
 * Finds candidates that repeat an earlier one, and the field that shows it. Candidates must be added in order, with
 * their positions.
 */
export class Repetitions {
  readonly #recorded = new Map<string, number>()
  /** The first candidate with each pair of names, which has not been indexed. Undefined once there is a second one. */
  readonly #first_of_names = new Map<string, IndexedCandidate | undefined>()

  /** Finds the earlier candidate that this one repeats. */
  find(candidate: Candidate, index: number): { field: Field; earlier: number } | undefined {
    const keys = keysOfIds(candidate)
    if (candidate.member_id === undefined && candidate.employee_id === undefined)
      keys.push(...this.#keysBesideNamesakes(candidate, index))
    const repeated = keys.find(({ key }) => this.#recorded.has(key))
    const found = repeated && { field: repeated.field, earlier: this.#recorded.get(repeated.key)! }
    this.#record(keys, index)
    return found
  }

  #keysBesideNamesakes(candidate: Candidate, index: number): UniqueKey[] {
    const names = comparableNameKey(candidate)
    if (!this.#first_of_names.has(names)) {
      this.#first_of_names.set(names, { candidate, index })
      return []
    }
    const first = this.#first_of_names.get(names)
    if (first) {
      this.#record(keysOfPerson(first.candidate, names), first.index)
      this.#first_of_names.set(names, undefined)
    }
    return keysOfPerson(candidate, names)
  }

  #record(keys: UniqueKey[], index: number): void {
    for (const { recorded } of keys)
      for (const text of recorded) if (!this.#recorded.has(text)) this.#recorded.set(text, index)
  }
}

/** Finds rows that repeat the reference or the person of an earlier row, with the field that shows it. */
export function* repetitionsAt(
  rows: Candidate[],
): Generator<void, { index: number; field: string; earlier: number }[]> {
  const repetitions = new Repetitions()
  const found = yield* mapInSteps(rows, (row, index) => repetitions.find(row, index))
  return found.flatMap((repetition, index) => (repetition ? { index, ...repetition } : []))
}

/** Finds repeated rows for the validation of a submission. */
export function repetitionFinder(): FindFault {
  const repetitions = new Repetitions()
  const references: Candidate['reference_id'][] = []
  return (row: Candidate, index) => {
    references[index] = row.reference_id
    const found = repetitions.find(row, index)
    if (!found) return undefined
    const { field, earlier } = found
    return {
      field: `employees[${index}].${field}`,
      message: `is the same as in ${rowInWords(earlier, references[earlier])}`,
    }
  }
}
