import type { Day } from '../../../kernel/days.ts'
import { comparableNameKey } from '../../../kernel/person-names.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import type { NewResidence } from '../../../kernel/fields.ts'

export type Details = {
  first_name: string
  last_name: string
  suffix: string | null
  /** Null only for people without an employer, such as members of a group. */
  email: string | null
  phone: string | null
  date_of_birth: Day
  gender: string | null
  address: NewResidence | null
}

export type Member = Details & { id: string }

/** The reported details of a person. Some may be absent. */
export type GivenDetails = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'> & Partial<Details>

type NameAndBirthday = Pick<Details, 'first_name' | 'last_name' | 'date_of_birth'>

/** Whether both names and the birthday are present, which are needed to distinguish new from existing people. */
export const isNamed = <Person extends Partial<NameAndBirthday>>(person: Person): person is Person & NameAndBirthday =>
  person.first_name !== undefined && person.last_name !== undefined && person.date_of_birth !== undefined

export const foldEmail = (email: string): string => email.toLowerCase()
/** The first five digits of a person's ZIP code. */
export const zipOf = (person: { address?: NewResidence | null | undefined }): string | undefined =>
  person.address?.zipcode.slice(0, 5)
const birthKey = (person: NameAndBirthday): string => `${person.date_of_birth}|${comparableNameKey(person)}`

/** The maximum number of namesakes read. With more, a name and birthday cannot identify a person. */
export const max_namesakes = 20

/** The first people of a set: enough to identify a person by name, and one more to detect that there are too many. */
const firstOf = (members: Map<string, Member> | undefined): Member[] => [
  ...(members?.values().take(max_namesakes + 1) ?? []),
]

/** The people with one birthday and name. */
export class Namesakes {
  readonly #members = new Map<string, Member>()
  readonly #ids_by_zip = new Map<string, Set<string>>()
  #crowded = false

  /** Whether there are too many people to distinguish. Stays true once it is, even if people are removed later. */
  get crowded(): boolean {
    return this.#crowded
  }

  put(member: Member): void {
    this.#members.set(member.id, member)
    this.#crowded ||= this.#members.size > max_namesakes
    const zip = zipOf(member)
    if (zip) this.#ids_by_zip.set(zip, this.near(zip).add(member.id))
  }

  delete(member: Member): void {
    this.#members.delete(member.id)
    this.near(zipOf(member)).delete(member.id)
  }

  /** The people that `firstOf` returns. */
  members(): Member[] {
    return firstOf(this.#members)
  }

  /** The ids of the people who live at a ZIP code. */
  near(zip: string | undefined): Set<string> {
    return this.#ids_by_zip.get(zip ?? '') ?? new Set()
  }
}

const no_namesakes = new Namesakes()

/**
 * The existing people whom a set of candidates may match, including those who were added or changed in the meantime. A
 * census of thousands of rows is matched in memory, as if each row had been written before the next. The time per step
 * does not depend on the number of similar people.
 */
export class People {
  readonly #members = new Map<string, Member>()
  readonly #byEmail = new Map<string, Member>()
  readonly #byPhone = new Map<string, Map<string, Member>>()
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

  /** Adds or replaces a person. */
  put(member: Member): void {
    const former = this.#members.get(member.id)
    if (former) this.#forget(former)
    this.#members.set(member.id, member)
    if (member.email) this.#byEmail.set(foldEmail(member.email), member)
    if (member.phone) {
      const callers = this.#byPhone.get(member.phone) ?? new Map<string, Member>()
      this.#byPhone.set(member.phone, callers.set(member.id, member))
    }
    const key = birthKey(member)
    const namesakes = this.#byBirth.get(key) ?? new Namesakes()
    namesakes.put(member)
    this.#byBirth.set(key, namesakes)
  }

  /**
   * Two people can swap an email address or phone number one after the other. Keep an entry that another person has
   * already taken over.
   */
  #forget(member: Member): void {
    if (this.holderOfEmail(member.email)?.id === member.id) this.#byEmail.delete(foldEmail(member.email!))
    if (member.phone) this.#byPhone.get(member.phone)?.delete(member.id)
    this.namesakes(member).delete(member)
  }

  /** The person with this email address. Undefined if not found. */
  holderOfEmail(email: string | null | undefined): Member | undefined {
    return email ? this.#byEmail.get(foldEmail(email)) : undefined
  }

  /** The people with this phone number, usually one. At most one more than can be distinguished. */
  holdersOfPhone(phone: string | null | undefined): Member[] {
    return phone ? firstOf(this.#byPhone.get(phone)) : []
  }

  namesakes(person: NameAndBirthday): Namesakes {
    return this.#byBirth.get(birthKey(person)) ?? no_namesakes
  }
}

/** The details that belong to one person only. Distinct people may share a phone number. */
export type OwnDetail = 'email' | 'phone'

/**
 * The details that belong to a person other than `member`, or to any person if `member` is undefined. A person who was
 * reported as distinct may share a phone number and keeps it.
 */
export function takenDetails(
  details: { email?: string | null | undefined; phone?: string | null | undefined; distinct?: boolean | undefined },
  member: Member | undefined,
  people: People,
): OwnDetail[] {
  const taken: OwnDetail[] = []
  const holder = people.holderOfEmail(details.email)
  if (holder && holder.id !== member?.id) taken.push('email')
  if (details.distinct || details.phone === member?.phone) return taken
  if (people.holdersOfPhone(details.phone).some(({ id }) => id !== member?.id)) taken.push('phone')
  return taken
}

/** A person without some reported details. They keep their values; a new person gets null. */
export function without(details: OwnDetail[], after: Member, before: Member | undefined): Member {
  const kept = { ...after }
  for (const name of details) kept[name] = before?.[name] ?? null
  return kept
}

export const newMember = (id: string, details: GivenDetails): Member => ({
  id,
  first_name: details.first_name,
  last_name: details.last_name,
  suffix: details.suffix ?? null,
  email: details.email ?? null,
  phone: details.phone ?? null,
  date_of_birth: details.date_of_birth,
  gender: details.gender ?? null,
  address: details.address ?? null,
})

const blanks = ['suffix', 'email', 'phone', 'gender', 'address'] as const

/**
 * An existing person at another employer. Missing details are filled in; existing ones stay, because another employer
 * relies on them.
 */
export function withBlanksFilled(member: Member, details: GivenDetails): Member {
  const filled = { ...member }
  for (const name of blanks) Object.assign(filled, { [name]: member[name] ?? details[name] ?? null })
  return filled
}

/** A person with the reported details. Details that were not reported keep their values. */
export function withDetails(member: Member, details: Partial<Details>): Member {
  const given = Object.entries(details).filter(([name, value]) => value !== undefined && name in member)
  const address = details.address && withCounty(details.address, member.address)
  return { ...member, ...Object.fromEntries(given), ...(address && { address }) }
}

type Home = NewResidence | null

/** Whether a home is in another state or ZIP code than before. */
export const hasMoved = (before: Home, after: Home): boolean =>
  before?.state !== after?.state || zipOf({ address: before }) !== zipOf({ address: after })

/** A reported address. Rosters rarely include the county, so it stays while state and ZIP code stay. */
const withCounty = (residence: NewResidence, known: Home): NewResidence =>
  residence.county || !known?.county || hasMoved(known, residence) ? residence : { ...residence, county: known.county }

/** The simple fields of a person, and the fields of the address. */
export const named = ['first_name', 'last_name', 'suffix', 'email', 'phone', 'date_of_birth', 'gender'] as const
export const lines = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Whether two versions of a person are equal. */
export const sameMember = (a: Member, b: Member): boolean =>
  named.every((name) => a[name] === b[name]) &&
  lines.every((line) => a.address?.[line] === b.address?.[line]) &&
  (a.address?.county ?? null) === (b.address?.county ?? null)

/** The fields in which a person differs from the reported details. An address counts as one field. */
export function differingFields(details: Partial<Details>, person: Details): string[] {
  const { address } = details
  const differ: string[] = named.filter(
    (name) => (details[name] ?? undefined) !== undefined && details[name] !== person[name],
  )
  const differsIn = (line: (typeof lines)[number] | 'county') => address?.[line] !== person.address?.[line]
  if (address && (lines.some(differsIn) || (address.county && differsIn('county')))) differ.push('address')
  return differ
}

/** A change of a person by the row at a position. */
type MemberChange = { at: number; member: Member; after: Member; distinct?: boolean | undefined }

/**
 * Finds the rows that can be applied together, including swaps of email addresses and phone numbers. Returns their
 * positions with the details that they must omit. Every new email address or phone number must be free, or its holder
 * must give it up in another of these rows. A row whose email address is taken is left out, and so are rows that depend
 * on it. A row whose phone number is taken omits it.
 */
export function* findDetailExchanges(all: MemberChange[], people: People): Generator<void, Map<number, OwnDetail[]>> {
  const accepted = new Map<string, MemberChange>()
  const taken = new Set<string>()
  yield* mapInSteps(all, (change) => {
    const { email, phone } = newContactsOf(change)
    if (accepted.has(change.member.id) || taken.has(email!)) return
    const is_free = phone === undefined || change.distinct || !taken.has(phone)
    for (const text of is_free ? [email, phone] : [email]) if (text !== undefined) taken.add(text)
    accepted.set(change.member.id, is_free ? change : withoutPhone(change))
  })
  const waiting_by_holder = new Map<string, WaitingChange[]>()
  yield* mapInSteps([...accepted.values()], (change) => {
    for (const holder of holdersOf(change, people)) {
      const others = waiting_by_holder.get(holder.member.id) ?? []
      others.push({ change, holder })
      waiting_by_holder.set(holder.member.id, others)
    }
  })
  const waitingFor = (member_id: string, detail?: OwnDetail) =>
    (waiting_by_holder.get(member_id) ?? []).filter(({ holder }) => detail === undefined || holder.detail === detail)
  const blocked = [...waiting_by_holder.values()]
    .flat()
    .filter(({ holder }) => !releasesDetail(accepted.get(holder.member.id), holder))
  for (const { change, holder } of blocked) {
    const { id } = change.member
    const remaining = accepted.get(id)
    if (remaining && holder.detail === 'email') {
      accepted.delete(id)
      blocked.push(...waitingFor(id))
    } else if (remaining && remaining.after.phone !== remaining.member.phone) {
      accepted.set(id, withoutPhone(remaining))
      blocked.push(...waitingFor(id, 'phone'))
    }
    yield
  }
  const reported = new Map(all.map(({ at, after }) => [at, after]))
  return new Map(
    [...accepted.values()].map(({ at, after }) => [at, after.phone === reported.get(at)!.phone ? [] : ['phone']]),
  )
}

const withoutPhone = (change: MemberChange): MemberChange => ({
  ...change,
  after: without(['phone'], change.after, change.member),
})

/** A change that requires a holder to give up a detail. */
type WaitingChange = { change: MemberChange; holder: HolderOf }

const emailOf = ({ email }: Member) => (email === null ? null : foldEmail(email))

/** The email address and phone number that are new to a person. */
const newContactsOf = ({ member, after }: MemberChange) => ({
  email: emailOf(after) === emailOf(member) ? undefined : `email|${emailOf(after)}`,
  phone: after.phone === member.phone ? undefined : `phone|${after.phone}`,
})

type HolderOf = { member: Member; detail: OwnDetail }

/** The current holders of a change's new email address and phone number. */
function holdersOf({ member, after, distinct }: MemberChange, people: People): HolderOf[] {
  const email_holder = people.holderOfEmail(after.email)
  const phone_holders = distinct || after.phone === member.phone ? [] : people.holdersOfPhone(after.phone)
  return [
    ...(email_holder ? [{ member: email_holder, detail: 'email' as const }] : []),
    ...phone_holders.map((holder) => ({ member: holder, detail: 'phone' as const })),
  ].filter((holder) => holder.member.id !== member.id)
}

const releasesDetail = (change: MemberChange | undefined, { detail }: HolderOf): boolean =>
  change !== undefined &&
  (detail === 'email' ? emailOf(change.after) !== emailOf(change.member) : change.after.phone !== change.member.phone)
