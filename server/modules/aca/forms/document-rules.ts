import type { Form1095cDocument } from '../../../documents/tax-forms/form-1095c.ts'
import { ageOn, type Day } from '../../../kernel/days.ts'
import type { DerivedForm } from './derivation-rules.ts'
import type { FormPerson } from './fact-rules.ts'

/** The employer of a form: the one whose EIN the people of an ALE member work under. */
export type FormEmployer = {
  legal_name: string
  ein_sealed: Buffer
  phone_number: string | null
  address_line_1: string
  address_line_2: string | null
  city: string
  state: string
  zipcode: string
}

/** The content of a form that depends on the employee. */
export type EmployeeCopy = Omit<Form1095cDocument, 'employer' | 'made_on' | 'is_corrected'>

/** A tax identifier as a recipient's copy may show it: without the first five digits (26 CFR 301.6109-4). */
const truncated = ({ tax_identifier_last_four: digits }: FormPerson): string => (digits ? `XXX-XX-${digits}` : '')

const fullName = ({ first_name, last_name, suffix }: FormPerson): string =>
  [first_name, last_name, suffix].filter(Boolean).join(' ')

const street = (address: { address_line_1: string; address_line_2: string | null } | null): string =>
  address ? [address.address_line_1, address.address_line_2].filter(Boolean).join(', ') : ''

const inDollars = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2))

/** `614-555-0100` for ten digits. */
const phoneWords = (phone: string | null): string => phone?.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3') ?? ''

/** `05/06/2018` for `2018-05-06`. */
const dayOfForm = (day: Day): string => day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')

/** The month in which the plan year of the first offer begins. 00 if nothing was offered. */
const planStartMonth = ({ facts }: DerivedForm): string => facts.enrollments[0]?.plan_year_start.slice(5, 7) ?? '00'

/** Parts I to III of Form 1095-C, without the employer. */
export function contentOf(derived: DerivedForm, tax_year: number): EmployeeCopy {
  const { facts, form, months } = derived
  const { person, address } = facts
  const is_ichra = derived.year.months.some(({ offer }) => offer?.kind === 'ichra')
  return {
    tax_year,
    employee: {
      name: fullName(person),
      number: truncated(person),
      address: street(address),
      city: address?.city ?? '',
      state: address?.state ?? '',
      zipcode: address?.zipcode ?? '',
    },
    age_on_january_1: is_ichra ? String(ageOn(person.date_of_birth, `${tax_year}-01-01`)) : '',
    plan_start_month: planStartMonth(derived),
    lines: [
      { number: '14', months: months.map(({ line_14 }) => line_14.value ?? '') },
      { number: '15', months: months.map(({ line_15 }) => inDollars(line_15.value)) },
      { number: '16', months: months.map(({ line_16 }) => line_16.value ?? '') },
      { number: '17', months: months.map(({ line_17 }) => line_17.value ?? '') },
    ],
    covered_people: form.covered_people.map((one) => ({
      name: fullName(one),
      number: truncated(one),
      date_of_birth: dayOfForm(one.date_of_birth),
      months: one.months,
    })),
  }
}

/** The employer of Part I. */
export const employerPartyOf = (employer: FormEmployer & { ein: string }): Form1095cDocument['employer'] => ({
  name: employer.legal_name,
  number: employer.ein,
  address: street(employer),
  city: employer.city,
  state: employer.state,
  zipcode: employer.zipcode,
  phone: phoneWords(employer.phone_number),
})

/** The copy of Form 1095-C for the employee. */
export const documentOf = (
  copy: EmployeeCopy,
  employer: FormEmployer & { ein: string },
  made: Pick<Form1095cDocument, 'made_on' | 'is_corrected'>,
): Form1095cDocument => ({ ...copy, ...made, employer: employerPartyOf(employer) })
