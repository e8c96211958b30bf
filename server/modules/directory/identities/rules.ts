/**
 * Matches a hire or a row to a person: one whom the organization knows for certain, one who is new for certain, or
 * neither. It is never a guess. A clash names the field, never the other person.
 */
import { soundAlike, soundKey } from '../../../kernel/person-names.ts'
import {
  foldEmail,
  most_namesakes,
  zipOf,
  type GivenDetails,
  type Member,
  type Namesakes,
  type People,
} from '../people/rules.ts'

/** What was said of somebody, with what a partner may say to settle who is meant. */
export type Candidate = GivenDetails & {
  reference_id?: string | undefined
  /** the person, or one of their employments, by our own id */
  member_id?: string | undefined
  employee_id?: string | undefined
  /** a new person, however much they are like somebody */
  distinct?: boolean | undefined
}

/** The fields by which somebody is known, or clashes with somebody. */
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
 * Who a candidate is. `handed_on`: the reference belongs to another person. `email_taken`: the e-mail does.
 * `perhaps_repeated`: a distinct row may repeat an earlier one with another e-mail. `unknown`: the id does not exist.
 */
export type Identity =
  | { is: 'known'; member: Member; by: Field }
  | { is: 'new' }
  | { is: 'ambiguous' | 'perhaps_repeated'; field: Field }
  | { is: 'handed_on' }
  | { is: 'email_taken' }
  | { is: 'unknown'; field: Field }

/** Somebody who has or had a reference. */
export type Holder = { member: Member; present: boolean }

/** By what an employer or a group knows the people who are or were with it. */
export type Register = {
  /** whether a reference names one person for good, and not only as long as they are here */
  keeps_references: boolean
  /** who has or had this reference here, each once */
  holders(reference_id: string): Holder[]
  /** the reference of somebody who is here now */
  presentReference(member_id: string): string | null
  /** whether somebody is or was here, with or without a reference */
  isHere(member_id: string): boolean
  /** whose employment this is, anywhere in the organization */
  employed(employee_id: string): Member | undefined
  /** the one person here whose last accepted report had exactly these details */
  repeated(said: Candidate): Member | undefined
}

type Lead = { member: Member; by: Field }

/** Matches a candidate to a person (decisions.md, section 4). `people` must contain every possible match. */
export function identify(said: Candidate, people: People, register: Register): Identity {
  if (said.member_id !== undefined || said.employee_id !== undefined) return byId(said, people, register)
  const holders = holdersOf(said, register)
  const repeated = register.repeated(said)
  if (repeated) return asBefore(said, repeated, register, holders)
  if (said.distinct) return asDistinct(said, people, register, holders)
  const owners = ownersOf(said, holders)
  if (holders.length > 0 && owners.length === 0) return { is: 'handed_on' }
  const [lead, other] = leadsTo(said, people, register, owners)
  if (other) return ambiguous(other.by)
  let known = lead
  const namesakes = people.namesakes(said)
  for (const { by, ids } of circlesOf(said, people, namesakes)) {
    if (known ? !ids.has(known.member.id) : ids.size > 1) return ambiguous(by)
    known ??= { member: people.get([...ids][0]!)!, by }
  }
  if (known) return inStep(said, known, register)
  return unmatched(said, people, namesakes)
}

const ambiguous = (field: Field): Identity => ({ is: 'ambiguous', field })

/** Our own ids say who is meant, but not that the reference of somebody else is theirs now. */
function byId(said: Candidate, people: People, register: Register): Identity {
  if (said.distinct) return ambiguous('distinct')
  const member = said.member_id === undefined ? undefined : people.get(said.member_id)
  if (said.member_id !== undefined && !member) return { is: 'unknown', field: 'member_id' }
  const employed = said.employee_id === undefined ? undefined : register.employed(said.employee_id)
  if (said.employee_id !== undefined && !employed) return { is: 'unknown', field: 'employee_id' }
  if (member && employed && member.id !== employed.id) return ambiguous('employee_id')
  const known = (member ?? employed)!
  if (holdersOf(said, register).some(({ member: { id } }) => id !== known.id)) return { is: 'handed_on' }
  return { is: 'known', member: known, by: member ? 'member_id' : 'employee_id' }
}

/**
 * Matches a row that repeats the details of an earlier one: it means the same person, whatever others have reported of
 * them since. Only a reference that belongs to another person now says otherwise.
 */
function asBefore(said: Candidate, member: Member, register: Register, holders: Holder[]): Identity {
  const present = holders.filter((holder) => holder.present)
  const is_theirs = (present.length > 0 ? present : holders).some((holder) => holder.member.id === member.id)
  if (holders.length > 0 && !is_theirs) return { is: 'handed_on' }
  return inStep(said, { member, by: is_theirs ? 'reference_id' : 'email' }, register)
}

/**
 * Somebody new, unless they came with the same row before. Then they have the reference and the first name, which twins
 * don't share, or name, birthday and e-mail; of who has neither, and is here in all but the e-mail, it can't be told.
 */
function asDistinct(said: Candidate, people: People, register: Register, holders: Holder[]): Identity {
  const same = (member: Member) => sameBirthday(said, member) && sameNames(said, member)
  const [owner, other] = ownersOf(said, holders).filter(
    (member) => same(member) || (isPresent(member, holders) && sameFirstName(said, member)),
  )
  if (holders.length > 0)
    return owner && !other ? { is: 'known', member: owner, by: 'reference_id' } : { is: 'handed_on' }
  const mailed = people.holderOfEmail(said.email)
  const known = mailed && same(mailed) ? inStep(said, { member: mailed, by: 'email' }, register) : undefined
  if (known?.is === 'known') return known
  const isHere = ({ ids }: Circle) => [...ids].some((id) => register.isHere(id))
  const circles = said.reference_id === undefined ? circlesOf(said, people, people.namesakes(said)) : []
  const circle = circles.find(isHere)
  return circle ? { is: 'perhaps_repeated', field: circle.by } : { is: 'new' }
}

const isPresent = ({ id }: Member, holders: Holder[]): boolean =>
  holders.some(({ member, present }) => present && member.id === id)

/** Whose the reference is, as far as that still counts. */
function holdersOf(said: Candidate, register: Register): Holder[] {
  const holders = said.reference_id === undefined ? [] : register.holders(said.reference_id)
  return holders.filter((holder) => holder.present || register.keeps_references || referenceFits(said, holder.member))
}

/**
 * Whether a reference leads to its holder for certain: two of four facts agree, one of which is the first name or the
 * e-mail. Twins have the other two in common, and may have each other's reference by mistake.
 */
function referenceFits(said: Candidate, member: Member): boolean {
  const personal = [sameFirstName(said, member), sameEmail(said, member)].filter(Boolean).length
  const shared = [sameBirthday(said, member), sameLastName(said, member)].filter(Boolean).length
  return personal > 0 && personal + shared >= 2
}

/** The holders to whom the reference leads; none as long as a stranger has it. */
const ownersOf = (said: Candidate, holders: Holder[]): Member[] =>
  holders.some(({ member, present }) => present && !referenceFits(said, member))
    ? []
    : holders.flatMap(({ member }) => (referenceFits(said, member) ? [member] : []))

/** To whom reference and e-mail lead, each of them once. */
function leadsTo(said: Candidate, people: People, register: Register, owners: Member[]): Lead[] {
  const leads: Lead[] = owners.map((member) => ({ member, by: 'reference_id' }))
  const mailed = people.holderOfEmail(said.email)
  if (mailed && emailFits(said, mailed, register) && !owners.some(({ id }) => id === mailed.id))
    leads.push({ member: mailed, by: 'email' })
  return leads
}

/**
 * Whether an e-mail leads to its holder for certain: both names and the birthday agree. Another birthday is a
 * correction of somebody who is or was here, unless the suffix differs too: father and son.
 */
const emailFits = (said: Candidate, member: Member, register: Register): boolean =>
  sameNames(said, member) &&
  (sameBirthday(said, member) ||
    (register.isHere(member.id) && plainSuffix(said.suffix) === plainSuffix(member.suffix)))

type Circle = { by: Field; ids: Set<string> }

/**
 * Who has the birthday, both names, and the phone number or the ZIP code: several, where namesakes share it. A number
 * or a name of more people than are read tells nothing.
 */
function circlesOf(said: Candidate, people: People, namesakes: Namesakes): Circle[] {
  const callers = people.holdersOfPhone(said.phone)
  const called = (callers.length > most_namesakes ? namesakes.members() : callers).filter(
    (member) => member.phone === said.phone && sameNames(said, member) && sameBirthday(said, member),
  )
  const near = namesakes.crowded ? new Set<string>() : namesakes.near(zipOf(said))
  const circles: Circle[] = [
    { by: 'phone', ids: new Set(called.map(({ id }) => id)) },
    { by: 'address.zipcode', ids: near },
  ]
  return circles.filter(({ ids }) => ids.size > 0)
}

/** Whoever is here by another reference is perhaps another. Who left may come back with a new one. */
function inStep(said: Candidate, { member, by }: Lead, register: Register): Identity {
  const present = by === 'reference_id' ? null : register.presentReference(member.id)
  const other = present !== null && said.reference_id !== undefined && present !== said.reference_id
  return other ? ambiguous('reference_id') : { is: 'known', member, by }
}

/**
 * A candidate whom no rule matches: new, unless they may be a twin, have too many namesakes, or have another person's
 * e-mail. A phone number of more people than are read is that of an office, not of a family.
 */
function unmatched(said: Candidate, people: People, { crowded }: Namesakes): Identity {
  const callers = people.holdersOfPhone(said.phone)
  const isTwin = (member: Member) => sameLastName(said, member) && sameBirthday(said, member)
  if (callers.length <= most_namesakes && callers.some(isTwin)) return ambiguous('phone')
  if (crowded) return ambiguous('last_name')
  return people.holderOfEmail(said.email) ? { is: 'email_taken' } : { is: 'new' }
}

const sameBirthday = (a: GivenDetails, b: Member): boolean => a.date_of_birth === b.date_of_birth
const sameFirstName = (a: GivenDetails, b: Member): boolean => soundAlike(a.first_name, b.first_name)
const sameLastName = (a: GivenDetails, b: Member): boolean => soundAlike(a.last_name, b.last_name)
const sameNames = (a: GivenDetails, b: Member): boolean => sameFirstName(a, b) && sameLastName(a, b)
const sameEmail = (a: GivenDetails, b: Member): boolean =>
  Boolean(a.email) && Boolean(b.email) && foldEmail(a.email!) === foldEmail(b.email!)

/** `Jr.` and `JR` are one suffix. */
const plainSuffix = (suffix: string | null | undefined): string =>
  (suffix ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')

/** A text that no earlier candidate may have left, and what this one leaves. */
type Trace = { field: Field; met: string; left: string[] }

const traceOf = (field: Field, ...parts: string[]): Trace => {
  const text = [field, ...parts].join('|')
  return { field, met: text, left: [text] }
}

/** The ids that two candidates of one body can't share. */
function tracesOfIds({ member_id, employee_id, reference_id }: Candidate): Trace[] {
  const traces: Trace[] = []
  if (member_id !== undefined) traces.push(traceOf('member_id', member_id))
  if (employee_id !== undefined) traces.push(traceOf('employee_id', employee_id))
  if (reference_id !== undefined) traces.push(traceOf('reference_id', reference_id))
  return traces
}

/** The texts that two of these names can't share: they would be one person. */
function tracesOfPerson(said: Candidate, names: string): Trace[] {
  const traces: Trace[] = []
  if (said.email) {
    traces.push(traceOf('email', foldEmail(said.email), names, said.date_of_birth))
    traces.push(traceOf('email', foldEmail(said.email), names, plainSuffix(said.suffix), 'suffix'))
  }
  if (said.distinct) return traces
  if (said.phone) traces.push(traceOf('phone', said.phone, names, said.date_of_birth))
  const zip = zipOf(said)
  if (zip === undefined) return traces
  // Namesakes at one ZIP code are two people when each has a reference of their own.
  const near = ['zip', zip, names, said.date_of_birth].join('|')
  const bare = `${near}|bare`
  const field = 'address.zipcode'
  traces.push(
    said.reference_id === undefined ? { field, met: near, left: [near, bare] } : { field, met: bare, left: [near] },
  )
  return traces
}

type PlacedCandidate = { said: Candidate; at: number }

/**
 * Finds candidates, told one after the other by their places, that repeat an earlier one, with the field that tells.
 */
export class Repetitions {
  readonly #left = new Map<string, number>()
  /** By both names: who alone has them as yet, and is compared with nobody; undefined from the second on. */
  readonly #alone = new Map<string, PlacedCandidate | undefined>()

  /** Which earlier candidate this one repeats. */
  find(said: Candidate, at: number): { field: Field; earlier: number } | undefined {
    const traces = tracesOfIds(said)
    if (said.member_id === undefined && said.employee_id === undefined) traces.push(...this.#tracesBeside(said, at))
    const repeated = traces.find(({ met }) => this.#left.has(met))
    const found = repeated && { field: repeated.field, earlier: this.#left.get(repeated.met)! }
    this.#leave(traces, at)
    return found
  }

  #tracesBeside(said: Candidate, at: number): Trace[] {
    const names = soundKey(said)
    if (!this.#alone.has(names)) {
      this.#alone.set(names, { said, at })
      return []
    }
    const first = this.#alone.get(names)
    if (first) {
      this.#leave(tracesOfPerson(first.said, names), first.at)
      this.#alone.set(names, undefined)
    }
    return tracesOfPerson(said, names)
  }

  #leave(traces: Trace[], at: number): void {
    for (const { left } of traces) for (const text of left) if (!this.#left.has(text)) this.#left.set(text, at)
  }
}
