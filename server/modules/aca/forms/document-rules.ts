import { createHash } from 'node:crypto'
import type { Form1095Document } from '../../../documents/tax-forms/form-1095.ts'
import { ageOn, type Day } from '../../../kernel/days.ts'
import type { DerivedForm } from './derivation-rules.ts'
import { originOf } from './employment-rules.ts'
import type { FormFacts, FormPerson } from './fact-rules.ts'
import type { CoveredPerson, FormType } from './rules.ts'

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

/** An employer on a form, with its EIN in digits. */
export type FormFiler = Omit<FormEmployer, 'ein_sealed'> & { ein: string }

/** The content of a form that depends on the employee. `line_15` is in cents. */
export type FormCopy = {
  form_type: FormType
  tax_year: number
  employee: FormPerson & { address: FormFacts['address'] }
  /** Only for an ICHRA. */
  age_on_january_1: number | null
  /** Two digits: the month in which the plan year of the first offer begins. 00 if nothing was offered. */
  plan_start_month: string
  /** Line 8 of Form 1095-B. Null for Form 1095-C. */
  origin_of_coverage: 'B' | 'G' | null
  /** Part II of Form 1095-C. Empty for Form 1095-B. */
  months: { line_14: string | null; line_15: number | null; line_16: string | null; line_17: string | null }[]
  /** Part III of Form 1095-C, empty if no coverage is self-insured, or Part IV of Form 1095-B. */
  covered_people: CoveredPerson<FormPerson>[]
}

/** A hash that identifies the content of forms. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

export type ReleasedForm = { copy: FormCopy; employer: FormFiler; made_on: Day; is_corrected: boolean }

/** Part II for a person without an employment under the EIN in the tax year. */
const not_employed: FormCopy['months'] = Array.from({ length: 12 }, () => ({
  line_14: '1H',
  line_15: null,
  line_16: '2A',
  line_17: null,
}))

/**
 * The corrected form of a person for whom a form is no longer due: not employed under the EIN, or without a covered
 * month on Form 1095-B.
 */
export const copyWithoutEmployment = (copy: FormCopy): FormCopy =>
  copy.form_type === '1095-B'
    ? { ...copy, covered_people: copy.covered_people.map((one) => ({ ...one, months: one.months.map(() => false) })) }
    : { ...copy, age_on_january_1: null, plan_start_month: '00', months: not_employed, covered_people: [] }

/** A tax identifier as a recipient's copy may show it: without the first five digits (26 CFR 301.6109-4). */
const truncated = ({ tax_identifier_last_four: digits }: FormPerson): string => (digits ? `XXX-XX-${digits}` : '')

const fullName = ({ first_name, last_name, suffix }: FormPerson): string =>
  [first_name, last_name, suffix].filter(Boolean).join(' ')

const street = (address: { address_line_1: string; address_line_2: string | null } | null): string =>
  address ? [address.address_line_1, address.address_line_2].filter(Boolean).join(', ') : ''

const inDollars = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2))

/** `614-555-0100` for ten digits. */
export const formatPhone = (phone: string | null): string => phone?.replace(/^(\d{3})(\d{3})(\d{4})$/, '$1-$2-$3') ?? ''

/** `05/06/2018` for `2018-05-06`. */
const dayOfForm = (day: Day): string => day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')

export function copyOf({ facts, form, months, reported }: DerivedForm, tax_year: number): FormCopy {
  const { form_type, person, address, enrollments } = facts
  const has_offers = form_type === '1095-C'
  const is_ichra = has_offers && reported.some(({ offer }) => offer?.kind === 'ichra')
  return {
    form_type,
    tax_year,
    employee: { ...person, address },
    age_on_january_1: is_ichra ? ageOn(person.date_of_birth, `${tax_year}-01-01`) : null,
    plan_start_month: (has_offers && enrollments[0]?.plan_year_start.slice(5, 7)) || '00',
    origin_of_coverage: has_offers ? null : originOf(facts, tax_year),
    months: months.map(({ line_14, line_15, line_16, line_17 }) => ({
      line_14: line_14.value,
      line_15: line_15.value,
      line_16: line_16.value,
      line_17: line_17.value,
    })),
    covered_people: form.covered_people,
  }
}

/** An employer as Part I shows it. */
export const employerPartyOf = (employer: FormFiler): Form1095Document['employer'] => ({
  name: employer.legal_name,
  number: employer.ein,
  address: street(employer),
  city: employer.city,
  state: employer.state,
  zipcode: employer.zipcode,
  phone: formatPhone(employer.phone_number),
})

/** The copy of a form for the employee. */
export function documentOf({ copy, employer, ...made }: ReleasedForm): Form1095Document {
  const { form_type, tax_year, employee, age_on_january_1, plan_start_month, months, covered_people } = copy
  return {
    ...made,
    form_type,
    tax_year,
    employer: employerPartyOf(employer),
    employee: {
      name: fullName(employee),
      number: truncated(employee),
      date_of_birth: dayOfForm(employee.date_of_birth),
      address: street(employee.address),
      city: employee.address?.city ?? '',
      state: employee.address?.state ?? '',
      zipcode: employee.address?.zipcode ?? '',
    },
    origin_of_coverage: copy.origin_of_coverage ?? '',
    age_on_january_1: String(age_on_january_1 ?? ''),
    plan_start_month,
    lines: [
      { number: '14', months: months.map(({ line_14 }) => line_14 ?? '') },
      { number: '15', months: months.map(({ line_15 }) => inDollars(line_15)) },
      { number: '16', months: months.map(({ line_16 }) => line_16 ?? '') },
      { number: '17', months: months.map(({ line_17 }) => line_17 ?? '') },
    ],
    covered_people: covered_people.map((one) => ({
      name: fullName(one),
      number: truncated(one),
      date_of_birth: dayOfForm(one.date_of_birth),
      months: one.months,
    })),
  }
}

/** The name of the PDF of a form, such as `form-1095c-2026.pdf`. */
export const fileNameOf = ({ form_type, tax_year }: { form_type: FormType; tax_year: number }, part?: number): string =>
  `form${part === undefined ? '' : 's'}-${form_type.replace('-', '').toLowerCase()}-${tax_year}${
    part === undefined ? '' : `-part-${part}`
  }.pdf`
