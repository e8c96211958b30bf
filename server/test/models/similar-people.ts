import { addDays, type Day } from '../../kernel/days.ts'
import { comparableName } from '../../kernel/person-names.ts'
import type { RosterRow } from '../../modules/roster/census/schemas.ts'
import type { GivenDetails } from '../../modules/directory/people/rules.ts'

/** A person with their true details. */
export type TruePerson = Omit<RosterRow, 'email' | 'address'> & { at: number; email: string; zip: string; kin: number }

/** Families whose members are easily confused, and some people with nothing in common. */
export function similarPeople(): TruePerson[] {
  const people: TruePerson[] = []
  const add = (kin: number, input: Partial<TruePerson>) => {
    const at = people.length
    const own = { email: `p${at}@example.com`, phone: `20255501${10 + at}`, zip: `100${10 + at}` }
    const name = { first_name: `First${'abcdefghijklmnopqrstuvwxyz'[at]}`, last_name: `Last${kin}` }
    people.push({ at, kin, ...name, date_of_birth: `19${60 + at}-01-0${1 + (at % 9)}`, ...own, ...input } as TruePerson)
  }
  const home = { phone: '2065550000', zip: '98101', email: 'home@example.com', date_of_birth: '1990-05-05' }
  add(1, home) // twins with everything in common but their first names
  add(1, { ...home })
  const couple = { email: 'couple@example.com', zip: '98102' }
  add(2, couple)
  add(2, couple)
  const poe = { first_name: 'Sam', email: 'poe@example.com', zip: '98103' }
  add(3, { ...poe, date_of_birth: '1960-02-02' }) // father and son
  add(3, { ...poe, date_of_birth: '1988-08-08', suffix: 'Jr.' })
  const lee = { first_name: 'Kim', date_of_birth: '1980-08-08' }
  add(4, lee) // namesakes of one birthday
  add(4, lee)
  add(4, lee)
  for (let kin = 5; kin < 9; kin++) add(kin, {})
  const triplet = { date_of_birth: '1992-02-02', zip: '98109' }
  for (let count = 0; count < 3; count++) add(9, triplet) // one birthday, last name and address
  return people
}

/** Whether two of four facts match, one of them the first name or the email. */
export function referenceFits(row: RosterRow, member: GivenDetails): boolean {
  const email = row.email.toLowerCase() === member.email?.toLowerCase()
  const first_name = comparableName(row.first_name) === comparableName(member.first_name)
  const last_name = comparableName(row.last_name) === comparableName(member.last_name)
  const birthday = row.date_of_birth === member.date_of_birth
  return (email && (first_name || last_name || birthday)) || (first_name && (last_name || birthday))
}

export const noRow = {
  compensation_type: undefined,
  employee_class: undefined,
  termination_date: undefined,
  gender: undefined,
  suffix: undefined,
  member_id: undefined,
  employee_id: undefined,
  distinct: undefined,
}

const first_day = '2020-01-01'
/** The first day of a person's employment number `turn`. It encodes the person. */
export const dayOf = (person: number, turn: number): Day => addDays(first_day, turn * 100 + person)
export const personOnDay = (day: Day): number =>
  Math.round((Date.parse(day) - Date.parse(first_day)) / 86_400_000) % 100
export const personIn = ({ address }: Pick<GivenDetails, 'address'>): number => Number(address!.city.slice(5))

/** Mistakes in a row about a person. */
export const mistakes = [
  'none',
  'none',
  'none',
  'email',
  'birthday',
  'nickname',
  'phone',
  'zip',
  'reference',
  'reference',
  'swapped reference',
  'no reference',
] as const
