import type { z } from 'zod'
import type { CensusRow } from '../../modules/roster/census/schemas.ts'
import type { Day } from '../../kernel/days.ts'

const women = `Abigail Adriana Alice Amelia Anita Beatriz Bridget Camila Carmen Chiara Claire Daniela Deborah Denise
  Diana Elena Esther Fatima Fiona Gabriela Grace Hannah Helen Imogen Ingrid Irene Janet Jasmine Joanna Judith Karen
  Keisha Laura Leila Lillian Lucia Maeve Marisol Meera Monica Nadia Olivia Patricia Priscilla Renee Sofia Tamara
  Yolanda`.split(/\s+/)
const men = `Aaron Adrian Albert Andre Anthony Benjamin Brian Caleb Carlos Curtis Darnell David Diego Dominic Edward
  Elias Emmanuel Felipe Frank Gabriel George Hassan Hector Ian Isaac Jamal Javier Joel Julian Kenji Kevin Leonard
  Lucas Malik Marcus Mateo Nathan Neil Oscar Patrick Rafael Raymond Samuel Terrence Thomas Victor Wesley
  Zachary`.split(/\s+/)
const lasts = `Abbott Acosta Adeyemi Aguilar Alvarez Andersen Bailey Banerjee Barnes Becker Bennett Bianchi Blake
  Boateng Bowman Brennan Burke Cabrera Calloway Campbell Carver Castro Chandler Choi Coleman Conti Cooper Cruz Dalton
  Daniels Delgado Desai Dixon Dubois Duncan Ellis Espinoza Evans Farrell Fischer Fleming Foster Fujimoto Gallagher
  Garrison Gibbs Gomez Grant Greer Gupta Hale Hansen Harper Hayashi Hernandez Hobbs Holloway Hughes Ibarra Iyer
  Jennings Jimenez Kaplan Keller Khalil Klein Kowalski Lambert Larkin Lawson Lindgren Lopez Malone Marchetti Mendoza
  Meyer Molina Morrow Nakamura Navarro Nguyen Novak Ochoa Okoro Olsen Padilla Park Patterson Pham Quinn Ramsey Reyes
  Romero Rosen Sandoval Schultz Sharma Silva Stein Takeda Vega`.split(/\s+/)
const streets = ['Birch Ln', 'Canal St', 'Cedar Ave', 'Elm St', 'Fairview Dr', 'Harbor Rd', 'Hillcrest Ave', 'Lake Dr']
const children = `Ava Ben Chloe Daniel Ella Finn Gia Henry Isla Jack Kaya Leo Mia Noah Orla Paul Ruby Sam Tess
  Will`.split(/\s+/)

const first_names = women.flatMap((name, index) => [name, men[index]!])

/** A relative, with their age when the employee adds them. */
type DemoRelative = { relationship: 'spouse' | 'child'; first_name: string; last_name: string; age: number }

/** A demo employee and their family. `at` is their unique number. */
export type DemoWorker = {
  at: number
  first_name: string
  last_name: string
  gender: 'Female' | 'Male'
  age: number
  years_employed: number
  employee_class: 'Full Time' | 'Part Time' | 'Seasonal'
  compensation_type: 'Salary' | 'Hourly'
  family: DemoRelative[]
}

/** A pseudorandom number from 0 to 1 that depends only on its arguments. */
export function pseudorandom(at: number, topic: number): number {
  let mixed = Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(topic + 7, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** The topics of `pseudorandom`. Separate numbers keep their results independent. */
export const topics = {
  age: 1,
  years: 2,
  class: 3,
  pay: 4,
  spouse: 5,
  children: 6,
  medical: 7,
  dental: 8,
  vision: 9,
  alone: 10,
  change: 11,
  delivery: 12,
  wage: 13,
} as const

/** Always returns the same person for a number. No two have the same name: 96 and 101 have no common factor. */
export function personAt(at: number): DemoWorker {
  const first = (at * 37) % first_names.length
  const first_name = first_names[first]!
  const last_name = lasts[(at * 53) % lasts.length]!
  const age = 21 + Math.floor(pseudorandom(at, topics.age) * 43)
  const class_chance = pseudorandom(at, topics.class)
  const employee_class = class_chance < 0.84 ? 'Full Time' : class_chance < 0.96 ? 'Part Time' : 'Seasonal'
  return {
    at,
    first_name,
    last_name,
    gender: first % 2 === 0 ? 'Female' : 'Male',
    age,
    years_employed: Math.floor(pseudorandom(at, topics.years) ** 2 * Math.min(14, age - 19)),
    employee_class,
    compensation_type: employee_class === 'Full Time' && pseudorandom(at, topics.pay) < 0.45 ? 'Salary' : 'Hourly',
    family: familyOf(at, age, first, last_name),
  }
}

/** The monthly wage in cents, in whole dollars, which depends on the job and the years employed. */
export function wageOf({ at, employee_class, compensation_type, years_employed }: DemoWorker): number {
  const [least, most] = {
    'Full Time': compensation_type === 'Salary' ? ([3_900, 8_600] as const) : ([2_700, 4_300] as const),
    'Part Time': [1_100, 2_200] as const,
    Seasonal: [1_500, 2_400] as const,
  }[employee_class]
  return Math.round(least + (most - least) * pseudorandom(at, topics.wage) + 60 * years_employed) * 100
}

function familyOf(at: number, age: number, first: number, last_name: string): DemoRelative[] {
  const family: DemoRelative[] = []
  if (age > 25 && pseudorandom(at, topics.spouse) < 0.52) {
    // The name of a spouse: a first name from the other list, and sometimes another last name.
    const first_name = first_names[(first + 1 + 2 * (at % 17)) % first_names.length]!
    const own_name = lasts[(at * 29 + 11) % lasts.length]!
    family.push({ relationship: 'spouse', first_name, last_name: at % 4 === 0 ? own_name : last_name, age: age - 2 })
  }
  const count = age < 26 ? 0 : Math.floor(pseudorandom(at, topics.children) * (family.length > 0 ? 3.4 : 1.6))
  for (let child = 0; child < count; child++) {
    const first_name = children[(at * 7 + child * 3) % children.length]!
    const youngest = Math.max(0, age - 46)
    family.push({ relationship: 'child', first_name, last_name, age: Math.min(age - 21, 22, youngest + child * 3 + 1) })
  }
  return family
}

/** The location of an employer, and the contact data of its employees. */
export type DemoLocation = {
  domain: string
  area_code: string
  prefix: string
  city: string
  state: string
  zipcode: string
}

/** The date of birth of a person with this age on a day. */
export const dateBefore = (day: Day, age: number, at: number): Day =>
  Temporal.PlainDate.from(day)
    .with({ day: 1 })
    .subtract({ years: age, months: 1 + (at % 11) })
    .add({ days: (at * 5) % 28 })
    .toString()

export function rowOf(person: DemoWorker, position: DemoLocation, day: Day): z.input<typeof CensusRow> {
  const { at, first_name, last_name, gender, employee_class, compensation_type } = person
  const { domain, area_code, city, state, zipcode } = position
  return {
    first_name,
    last_name,
    gender,
    employee_class,
    compensation_type,
    email: `${first_name}.${last_name}@${domain}`.toLowerCase(),
    phone: `${area_code}555${String(at).padStart(4, '0')}`,
    date_of_birth: dateBefore(day, person.age, at),
    start_date: dateBefore(day, person.years_employed, at * 3),
    reference_id: referenceOf(person, position),
    address: { address_line_1: `${10 + ((at * 13) % 880)} ${streets[at % streets.length]!}`, city, state, zipcode },
  }
}

export const referenceOf = ({ at }: DemoWorker, { prefix }: DemoLocation): string => `${prefix}-${String(1000 + at)}`
