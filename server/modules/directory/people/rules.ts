import type { Day } from '../../../kernel/days.ts'
import { soundKey } from '../../../kernel/person-names.ts'
import { each } from '../../../kernel/slices.ts'
import type { NewResidence } from '../../../kernel/fields.ts'

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
  address: NewResidence | null
}

/** A person within one organization. */
export type Member = Details & { id: string }

/** What was said of a person: the details, some of them perhaps unsaid. */
export type GivenDetails = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'> & Partial<Details>

type NameAndBirthday = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'>

/** Whether all is said that tells a newcomer from those who are known: both names and the birthday. */
export const isNamed = <Person extends Partial<NameAndBirthday>>(person: Person): person is Person & NameAndBirthday =>
  person.first_name !== undefined && person.last_name !== undefined && person.date_of_birth !== undefined

export const foldEmail = (email: string): string => email.toLowerCase()
/** The first five digits of a person's ZIP code. */
export const zipOf = (person: { address?: NewResidence | null | undefined }): string | undefined =>
  person.address?.zipcode.slice(0, 5)
const birthKey = (person: NameAndBirthday): string => `${person.date_of_birth}|${soundKey(person)}`

/** With more namesakes than these nobody can tell who is meant, and nobody reads them all. */
export const most_namesakes = 20

/** Some people, each once. Mostly it is one, who takes no collection: of 10,000 each would have several. */
class Few {
  #one: Member | undefined
  #all: Map<string, Member> | undefined

  get size(): number {
    return this.#all?.size ?? (this.#one ? 1 : 0)
  }

  put(member: Member): void {
    if (this.#all) this.#all.set(member.id, member)
    else if (!this.#one || this.#one.id === member.id) this.#one = member
    else {
      this.#all = new Map([this.#one, member].map((each) => [each.id, each]))
      this.#one = undefined
    }
  }

  delete(member_id: string): void {
    this.#all?.delete(member_id)
    if (this.#one?.id === member_id) this.#one = undefined
  }

  /** At most so many of them as can be told apart, and one more. */
  members(): Member[] {
    if (this.#all) return [...this.#all.values().take(most_namesakes + 1)]
    return this.#one ? [this.#one] : []
  }
}

/** Those with one birthday and name. */
export class Namesakes {
  readonly #members = new Few()
  /** from the second on */
  #by_zip: Map<string, Set<string>> | undefined
  #crowded = false

  /** Whether they are, or were while rows were planned, more than can be told apart. */
  get crowded(): boolean {
    return this.#crowded
  }

  put(member: Member): void {
    const others = this.#by_zip ? [] : this.#members.members()
    this.#members.put(member)
    this.#crowded ||= this.#members.size > most_namesakes
    if (this.#by_zip) this.#live(member)
    else if (this.#members.size > 1) {
      this.#by_zip = new Map()
      for (const each of [...others, member]) this.#live(each)
    }
  }

  #live({ id, address }: Member): void {
    const zip = zipOf({ address })
    if (zip) this.#by_zip!.set(zip, (this.#by_zip!.get(zip) ?? new Set()).add(id))
  }

  delete(member: Member): void {
    this.#members.delete(member.id)
    this.#by_zip?.get(zipOf(member) ?? '')?.delete(member.id)
  }

  /** At most so many of them as can be told apart, and one more. */
  members(): Member[] {
    return this.#members.members()
  }

  /** The ids of those of them who live at a ZIP code. */
  near(zip: string | undefined): Set<string> {
    if (this.#by_zip) return this.#by_zip.get(zip ?? '') ?? new Set()
    return new Set(
      this.members()
        .filter((member) => zip && zipOf(member) === zip)
        .map(({ id }) => id),
    )
  }
}

const nobody = new Namesakes()

/**
 * The people of an organization whom a set of candidates may be, and those who joined or changed since: a
 * census of thousands is matched against memory, row by row, as if each row had been written before the next.
 * No step takes longer when more of them are alike.
 */
export class People {
  readonly #members = new Map<string, Member>()
  readonly #byEmail = new Map<string, Member>()
  readonly #byPhone = new Map<string, Few>()
  readonly #byBirth = new Map<string, Namesakes>()

  constructor(members: Iterable<Member> = []) {
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
    if (member.phone) {
      const callers = this.#byPhone.get(member.phone) ?? new Few()
      callers.put(member)
      this.#byPhone.set(member.phone, callers)
    }
    const key = birthKey(member)
    const namesakes = this.#byBirth.get(key) ?? new Namesakes()
    namesakes.put(member)
    this.#byBirth.set(key, namesakes)
  }

  /** Two may exchange an e-mail or phone one after the other: what another has taken meanwhile stays theirs. */
  #forget(member: Member): void {
    if (this.holderOfEmail(member.email)?.id === member.id) this.#byEmail.delete(foldEmail(member.email!))
    if (member.phone) this.#byPhone.get(member.phone)?.delete(member.id)
    this.namesakes(member).delete(member)
  }

  /** Whose e-mail this is; nobody's when there is none. */
  holderOfEmail(email: string | null | undefined): Member | undefined {
    return email ? this.#byEmail.get(foldEmail(email)) : undefined
  }

  /** Whose phone number this is: mostly one person's. At most so many as can be told apart, and one more. */
  holdersOfPhone(phone: string | null | undefined): Member[] {
    return (phone && this.#byPhone.get(phone)?.members()) || []
  }

  /** Those with this birthday and name. */
  namesakes(person: NameAndBirthday): Namesakes {
    return this.#byBirth.get(birthKey(person)) ?? nobody
  }
}

/** The details that one person has alone; only distinct people may share a phone number. */
export type OwnDetail = 'email' | 'phone'

/**
 * The details that belong to another person than this one (or than a new person, when undefined). A person who was
 * reported as distinct may share a phone number, and keeps it.
 */
export function takenDetails(
  said: { email?: string | null | undefined; phone?: string | null | undefined; distinct?: boolean | undefined },
  member: Member | undefined,
  people: People,
): OwnDetail[] {
  const taken: OwnDetail[] = []
  const holder = people.holderOfEmail(said.email)
  if (holder && holder.id !== member?.id) taken.push('email')
  if (said.distinct || said.phone === member?.phone) return taken
  if (people.holdersOfPhone(said.phone).some(({ id }) => id !== member?.id)) taken.push('phone')
  return taken
}

/** A person without some reported details: what was known of them stays, null for a new person. */
export function without(details: OwnDetail[], after: Member, before: Member | undefined): Member {
  const kept = { ...after }
  for (const name of details) kept[name] = before?.[name] ?? null
  return kept
}

/** A new person as said. */
export const newMember = (id: string, said: GivenDetails): Member => ({
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
export function withBlanksFilled(member: Member, said: GivenDetails): Member {
  const filled = { ...member }
  for (const name of blanks) Object.assign(filled, { [name]: member[name] ?? said[name] ?? null })
  return filled
}

/** A person with what was said of them; what was not said stays. */
export function withDetails(member: Member, said: Partial<Details>): Member {
  const given = Object.entries(said).filter(([name, value]) => value !== undefined && name in member)
  const address = said.address && withCounty(said.address, member.address)
  return { ...member, ...Object.fromEntries(given), ...(address && { address }) }
}

/** An address as said; rosters rarely tell the county, which stays while the ZIP code does. */
function withCounty(said: NewResidence, known: NewResidence | null): NewResidence {
  const stays = known?.county && said.state === known.state && zipOf({ address: said }) === zipOf({ address: known })
  return said.county || !stays ? said : { ...said, county: known.county }
}

/** What is known of a person in one word each, and the lines of the address. */
export const named = ['first_name', 'last_name', 'suffix', 'email', 'phone', 'date_of_birth', 'gender'] as const
export const lines = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Whether two descriptions of a person say the same. */
export const sameMember = (a: Member, b: Member): boolean =>
  named.every((name) => a[name] === b[name]) &&
  lines.every((line) => a.address?.[line] === b.address?.[line]) &&
  (a.address?.county ?? null) === (b.address?.county ?? null)

/** The fields in which a person differs from what was reported; an address counts as one. */
export function differingFields(said: Partial<Details>, person: Details): string[] {
  const { address } = said
  const differ: string[] = named.filter(
    (name) => (said[name] ?? undefined) !== undefined && said[name] !== person[name],
  )
  const differsIn = (line: (typeof lines)[number] | 'county') => address?.[line] !== person.address?.[line]
  if (address && (lines.some(differsIn) || (address.county && differsIn('county')))) differ.push('address')
  return differ
}

/** A person, and what they are after a row at some place. */
type Party = { at: number; member: Member; after: Member; distinct?: boolean | undefined }

/**
 * The places of those rows that can be done together, each with the details that it goes without: every e-mail and
 * phone that one of them reports is free, or belongs to another of them who gives it up. A row whose e-mail is not free
 * is left out, and so are rows that need what it keeps. A row whose phone is not free goes without it.
 */
export function* exchangesAmong(all: Party[], people: People): Generator<void, Map<number, OwnDetail[]>> {
  const parties = new Map<string, Party>()
  const taken = new Set<string>()
  yield* each(all, (party) => {
    const { email, phone } = wantedBy(party)
    if (parties.has(party.member.id) || taken.has(email!)) return
    const is_free = phone === undefined || party.distinct || !taken.has(phone)
    for (const text of is_free ? [email, phone] : [email]) if (text !== undefined) taken.add(text)
    parties.set(party.member.id, is_free ? party : withoutPhone(party))
  })
  const leaning = new Map<string, Leaning[]>()
  yield* each([...parties.values()], (party) => {
    for (const holder of holdersOf(party, people)) {
      const others = leaning.get(holder.member.id) ?? []
      others.push({ party, holder })
      leaning.set(holder.member.id, others)
    }
  })
  const leaningOn = (member_id: string, detail?: OwnDetail) =>
    (leaning.get(member_id) ?? []).filter(({ holder }) => detail === undefined || holder.detail === detail)
  const out = [...leaning.values()].flat().filter(({ holder }) => !givesUp(parties.get(holder.member.id), holder))
  for (const { party, holder } of out) {
    const { id } = party.member
    const left = parties.get(id)
    if (left && holder.detail === 'email') {
      parties.delete(id)
      out.push(...leaningOn(id))
    } else if (left && left.after.phone !== left.member.phone) {
      parties.set(id, withoutPhone(left))
      out.push(...leaningOn(id, 'phone'))
    }
    yield
  }
  const reported = new Map(all.map(({ at, after }) => [at, after]))
  return new Map(
    [...parties.values()].map(({ at, after }) => [at, after.phone === reported.get(at)!.phone ? [] : ['phone']]),
  )
}

const withoutPhone = (party: Party): Party => ({ ...party, after: without(['phone'], party.after, party.member) })

/** Somebody who can have a detail only when its holder gives it up. */
type Leaning = { party: Party; holder: HolderOf }

const emailOf = ({ email }: Member) => (email === null ? null : foldEmail(email))

/** The e-mail and phone that a person did not have. */
const wantedBy = ({ member, after }: Party) => ({
  email: emailOf(after) === emailOf(member) ? undefined : `email|${emailOf(after)}`,
  phone: after.phone === member.phone ? undefined : `phone|${after.phone}`,
})

type HolderOf = { member: Member; detail: OwnDetail }

/** Who has them as yet. */
function holdersOf({ member, after, distinct }: Party, people: People): HolderOf[] {
  const mailed = people.holderOfEmail(after.email)
  const called = distinct || after.phone === member.phone ? [] : people.holdersOfPhone(after.phone)
  return [
    ...(mailed ? [{ member: mailed, detail: 'email' as const }] : []),
    ...called.map((holder) => ({ member: holder, detail: 'phone' as const })),
  ].filter((holder) => holder.member.id !== member.id)
}

const givesUp = (party: Party | undefined, { detail }: HolderOf): boolean =>
  party !== undefined &&
  (detail === 'email' ? emailOf(party.after) !== emailOf(party.member) : party.after.phone !== party.member.phone)
