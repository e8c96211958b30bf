import type { Day } from '../../platform/days.ts'
import type { NewAddress } from '../../platform/values.ts'

/** What is known of a person, besides who they are. */
export type Details = {
  first_name: string
  last_name: string
  suffix: string | null
  /** null only for those whom nobody employs, such as members of a group */
  email: string | null
  phone: string | null
  date_of_birth: Day
  gender: string | null
  address: NewAddress | null
}

/** A person within one organization. */
export type Member = Details & { id: string }

/** What was said of a person: the details, some of them perhaps unsaid. */
export type SaidDetails = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'> & Partial<Details>

/** Letters whose accent Unicode does not take apart. */
const plainLetters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ħ: 'h' }

/** A name without case and accents, its spaces single: how names are compared. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[łøđðþæœħ]/g, (letter) => plainLetters[letter]!)
    .replace(/\s+/g, ' ')
    .trim()

/** First and last name as they are compared and stored beside the person. */
export const nameKey = (person: { first_name: string; last_name: string }): string =>
  `${foldName(person.first_name)}|${foldName(person.last_name)}`

type Named = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'>

/** Whether all is said that tells a newcomer from those who are known: both names and the birthday. */
export const isNamed = <Person extends Partial<Named>>(person: Person): person is Person & Named =>
  person.first_name !== undefined && person.last_name !== undefined && person.date_of_birth !== undefined

const foldEmail = (email: string): string => email.toLowerCase()
const birthKey = (person: Named): string => `${person.date_of_birth}|${nameKey(person)}`
const zipOf = (person: { address?: NewAddress | null | undefined }): string | undefined =>
  person.address?.zipcode.slice(0, 5)

/**
 * The people of an organization whom a set of candidates may be, and those who joined or changed since: a
 * census of thousands is matched against memory, row by row, as if each row had been written before the next.
 */
export class People {
  readonly #members = new Map<string, Member>()
  readonly #byEmail = new Map<string, Member>()
  readonly #byPhone = new Map<string, Member>()
  readonly #byBirth = new Map<string, Member[]>()

  constructor(members: Member[]) {
    for (const member of members) this.put(member)
  }

  ids(): string[] {
    return [...this.#members.keys()]
  }

  get(member_id: string): Member | undefined {
    return this.#members.get(member_id)
  }

  /** Adds a person, or replaces what is known of one. */
  put(member: Member): void {
    const former = this.#members.get(member.id)
    if (former) this.#forget(former)
    this.#members.set(member.id, member)
    if (member.email) this.#byEmail.set(foldEmail(member.email), member)
    if (member.phone) this.#byPhone.set(member.phone, member)
    const key = birthKey(member)
    this.#byBirth.set(key, [...(this.#byBirth.get(key) ?? []), member])
  }

  #forget(member: Member): void {
    if (member.email) this.#byEmail.delete(foldEmail(member.email))
    if (member.phone) this.#byPhone.delete(member.phone)
    const key = birthKey(member)
    this.#byBirth.set(
      key,
      (this.#byBirth.get(key) ?? []).filter((other) => other.id !== member.id),
    )
  }

  /** Whose e-mail this is; nobody's when there is none. */
  holderOfEmail(email: string | null | undefined): Member | undefined {
    return email ? this.#byEmail.get(foldEmail(email)) : undefined
  }

  /** Whose phone number this is. */
  holderOfPhone(phone: string): Member | undefined {
    return this.#byPhone.get(phone)
  }

  /** Everybody with this birthday and name. */
  namesakes(person: Named): Member[] {
    return this.#byBirth.get(birthKey(person)) ?? []
  }
}

/**
 * Who a candidate is (decisions.md, section 4), in this order: the holder of the same reference at the same
 * employer; same e-mail and (same birthday or same last name); same birthday and names and (same phone or
 * ZIP). The first rule that finds somebody decides; several found is never a guess but an answer of its own.
 */
export function whoIs(candidate: SaidDetails, referenced: Member[], people: People): Member[] {
  if (referenced.length > 0) return referenced
  const namesake = people.holderOfEmail(candidate.email)
  if (namesake && (namesake.date_of_birth === candidate.date_of_birth || sameLastName(namesake, candidate)))
    return [namesake]
  return people
    .namesakes(candidate)
    .filter(
      (member) =>
        (candidate.phone && member.phone === candidate.phone) ||
        (zipOf(candidate) && zipOf(member) === zipOf(candidate)),
    )
}

/**
 * Whether what was said fits a person in nothing that tells people apart: another name, birthday, e-mail and
 * phone. A reference that leads to such a person was handed on, and must not overwrite them.
 */
export const isSomebodyElse = (said: SaidDetails, member: Member): boolean =>
  nameKey(said) !== nameKey(member) &&
  said.date_of_birth !== member.date_of_birth &&
  !sameEmail(said.email, member.email) &&
  (said.phone ?? null) !== member.phone

const sameEmail = (a: string | null | undefined, b: string | null): boolean =>
  Boolean(a) && Boolean(b) && foldEmail(a!) === foldEmail(b!)
const sameLastName = (a: SaidDetails, b: SaidDetails): boolean => foldName(a.last_name) === foldName(b.last_name)

/** Which detail belongs to another person than this one (or than a new person, when undefined). */
export function takenDetail(
  said: { email?: string | null | undefined; phone?: string | null | undefined },
  member: Member | undefined,
  people: People,
): 'email' | 'phone' | undefined {
  const other = (holder: Member | undefined) => holder !== undefined && holder.id !== member?.id
  if (other(people.holderOfEmail(said.email))) return 'email'
  if (said.phone && other(people.holderOfPhone(said.phone))) return 'phone'
  return undefined
}

/** A new person as said. */
export const newMember = (id: string, said: SaidDetails): Member => ({
  id,
  first_name: said.first_name,
  last_name: said.last_name,
  suffix: said.suffix ?? null,
  email: said.email ?? null,
  phone: said.phone ?? null,
  date_of_birth: said.date_of_birth,
  gender: said.gender ?? null,
  address: said.address ?? null,
})

const blanks = ['suffix', 'email', 'phone', 'gender', 'address'] as const

/** A known person linked to another employer: what was unknown is filled, what another employer relies on stays. */
export function withBlanksFilled(member: Member, said: SaidDetails): Member {
  const filled = { ...member }
  for (const name of blanks) Object.assign(filled, { [name]: member[name] ?? said[name] ?? null })
  return filled
}

/** A person with what was said of them; what was not said stays. */
export function withDetails(member: Member, said: Partial<Details>): Member {
  const given = Object.entries(said).filter(([name, value]) => value !== undefined && name in member)
  return { ...member, ...Object.fromEntries(given) }
}

const named = ['first_name', 'last_name', 'suffix', 'email', 'phone', 'date_of_birth', 'gender'] as const
const lines = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Whether two descriptions of a person say the same. */
export const sameMember = (a: Member, b: Member): boolean =>
  named.every((name) => a[name] === b[name]) && lines.every((line) => a.address?.[line] === b.address?.[line])
