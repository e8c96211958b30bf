/**
 * Forms 1095-C and 1095-B as records of the file for the IRS, and the elements that they share with the transmittal.
 * `air-rules.ts` describes the file.
 */
import { removeAccents } from '../../../kernel/person-names.ts'
import type { FormCopy, FormFiler } from '../forms/document-rules.ts'
import type { FormPerson } from '../forms/fact-rules.ts'

/** An element with text or children. Null omits the element. Attributes may follow the name. */
export type Element = readonly [name: string, content: string | readonly (Element | null)[]]

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&apos;', '"': '&quot;' }

export const xmlOf = (elements: readonly (Element | null)[]): string =>
  elements
    .map((element) => {
      if (element === null) return ''
      const [name, content] = element
      const inner = typeof content === 'string' ? content.replace(/[&<>'"]/g, (char) => escaped[char]!) : xmlOf(content)
      return `<${name}>${inner}</${name.split(' ')[0]}>`
    })
    .join('')

/** A text in the characters that AIR accepts, without accents. `refused` matches all others. */
const plain = (text: string, refused: RegExp, most: number): string =>
  removeAccents(text).replaceAll(refused, '').replaceAll(/-+/g, '-').replaceAll(/\s+/g, ' ').slice(0, most).trim()

const personName = (text: string): string => plain(text, /[^A-Za-z\- ]/g, 20)
export const businessName = (text: string): string => plain(text, /[^A-Za-z0-9\-()&' ]/g, 75)
const street = (text: string): string => plain(text, /[^A-Za-z0-9\-/ ]/g, 35)
export const digits = (text: string): string => text.replaceAll(/\D/g, '')
export const flag = (value: boolean): string => (value ? '1' : '0')
const amount = (cents: number): string => (cents / 100).toFixed(2)

export const optional = (name: string, text: string): Element | null => (text === '' ? null : [name, text])

type Name = { first_name: string; last_name: string; suffix?: string | null }

export const nameElements = ({ first_name, last_name, suffix }: Name): (Element | null)[] => [
  ['PersonFirstNm', personName(first_name)],
  ['PersonLastNm', personName(last_name)],
  optional('SuffixNm', personName(suffix ?? '')),
]

/** A company with its EIN. `ein_name` is the name of the element with the EIN. */
export const businessElements = (name: string, ein: string, ein_name = 'irs:EIN'): Element[] => [
  ['BusinessName', [['BusinessNameLine1Txt', businessName(name)]]],
  ['irs:TINRequestTypeCd', 'BUSINESS_TIN'],
  [ein_name, digits(ein)],
]

export type PostalAddress = Pick<FormFiler, 'address_line_1' | 'address_line_2' | 'city' | 'state' | 'zipcode'>

export const addressElement = (address: PostalAddress): Element => [
  'MailingAddressGrp',
  [
    [
      'USAddressGrp',
      [
        ['AddressLine1Txt', street(address.address_line_1)],
        optional('AddressLine2Txt', street(address.address_line_2 ?? '')),
        ['irs:CityNm', plain(address.city, /[^A-Za-z ]/g, 22)],
        ['USStateCd', address.state],
        ['irs:USZIPCd', digits(address.zipcode).slice(0, 5)],
        optional('irs:USZIPExtensionCd', digits(address.zipcode).slice(5, 9)),
      ],
    ],
  ],
]

export const short_months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
// oxfmt-ignore
const long_months = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December',
]

/** A line of Part II: one element if all months are equal, or else a group of the months with a value. */
function lineElement(values: (string | null)[], annual: string, group: string, monthly: string[]): Element | null {
  const [first] = values
  if (values.every((value) => value === null)) return null
  if (values.every((value) => value === first)) return [annual, first!]
  return [group, values.map((value, at) => (value === null ? null : [monthly[at]!, value]))]
}

function offerElement({ months }: FormCopy): Element {
  const line = (name: 'line_14' | 'line_15' | 'line_16' | 'line_17', annual: string, group: string, each: string[]) => {
    const values = months.map(({ [name]: value }) => (typeof value === 'number' ? amount(value) : value))
    return lineElement(values, annual, group, each)
  }
  const short = (suffix: string) => short_months.map((month) => month + suffix)
  const long = long_months.map((month) => `${month}Amt`)
  return [
    'EmployeeOfferAndCoverageGrp',
    [
      line('line_14', 'AnnualOfferOfCoverageCd', 'MonthlyOfferCoverageGrp', short('OfferCd')),
      line('line_15', 'AnnlEmployeeRequiredContriAmt', 'MonthlyEmployeeRequiredContriGrp', long),
      line('line_16', 'AnnualSafeHarborCd', 'MonthlySafeHarborGrp', short('SafeHarborCd')),
      line('line_17', 'AnnualICHRAZipCd', 'MonthlyICHRAZipCdGrp', short('ICHRAZipCd')),
    ],
  ]
}

/** The tax identifier of a person in nine digits. Undefined if unknown. */
export type Identifiers = ReadonlyMap<string, string>

const identifierElements = (number: string | undefined): (Element | null)[] =>
  number === undefined
    ? []
    : [
        ['irs:TINRequestTypeCd', 'INDIVIDUAL_TIN'],
        ['irs:SSN', number],
      ]

const coveredElement = (one: FormCopy['covered_people'][number], identifiers: Identifiers): Element => {
  const number = identifiers.get(one.person_id)
  const monthly = (): Element => [
    'CoveredIndividualMonthlyIndGrp',
    one.months.map((covered, at): Element => [`${long_months[at]}Ind`, flag(covered)]),
  ]
  return [
    'CoveredIndividualGrp',
    [
      ['CoveredIndividualName', nameElements(one)],
      ...identifierElements(number),
      number === undefined ? ['BirthDt', one.date_of_birth] : null,
      one.months.every(Boolean) ? ['CoveredIndividualAnnualInd', '1'] : monthly(),
    ],
  ]
}

/** A released form in a transmission. `record_id` counts the forms of the transmission. */
export type TransmittedForm = {
  record_id: number
  copy: FormCopy
  /** The unique record id of the filed form that this one corrects, and the person on it. Null if it corrects none. */
  corrects: { unique_record_id: string; person: FormPerson } | null
}

export const detail = (name: string): string => `${name} recordType="String" lineNum="0"`

/** The employer on the forms, and the phone number that the IRS and employees may call. */
export type FormSender = { employer: FormFiler; contact: { phone_number: string } }

/** Parts I to III of Form 1095-C. */
const offerElements = (copy: FormCopy, { contact }: FormSender, identifiers: Identifiers): (Element | null)[] => [
  [
    'EmployeeInfoGrp',
    [
      ['OtherCompletePersonName', nameElements(copy.employee)],
      ...identifierElements(identifiers.get(copy.employee.person_id)),
      copy.employee.address ? addressElement(copy.employee.address) : null,
    ],
  ],
  ['ALEContactPhoneNum', digits(contact.phone_number)],
  ['StartMonthNumberCd', copy.plan_start_month],
  optional('AgeNum', String(copy.age_on_january_1 ?? '')),
  offerElement(copy),
  ['CoveredIndividualInd', flag(copy.covered_people.length > 0)],
]

/** Parts I and III of Form 1095-B. Only insurers complete Part II. */
function coverageElements(copy: FormCopy, { employer, contact }: FormSender, identifiers: Identifiers): Element[] {
  const { employee, origin_of_coverage } = copy
  const number = identifiers.get(employee.person_id)
  return [
    [
      'ResponsibleIndividualGrp',
      [
        ['ResponsibleIndividualName', nameElements(employee)],
        ...identifierElements(number),
        number === undefined ? ['BirthDt', employee.date_of_birth] : null,
        employee.address ? addressElement(employee.address) : null,
        ['PolicyOriginCd', origin_of_coverage!],
      ],
    ],
    [
      'IssuerInfoGrp',
      [
        ...businessElements(employer.legal_name, employer.ein),
        ['ContactPhoneNum', digits(contact.phone_number)],
        addressElement(employer),
      ],
    ],
  ]
}

/** A form as a record of the transmission. */
export function formXml(
  { record_id, copy, corrects }: TransmittedForm,
  sender: FormSender,
  identifiers: Identifiers,
): string {
  const { form_type, employee, tax_year } = copy
  const corrected = (): Element => [
    'CorrectedRecordRecipientGrp',
    [
      ['CorrectedUniqueRecordId', corrects!.unique_record_id],
      ['CorrectedRecRecipientPrsnName', nameElements(corrects!.person)],
      optional('CorrectedRecRecipientTIN', identifiers.get(employee.person_id) ?? ''),
    ],
  ]
  const record: Element = [
    detail(form_type === '1095-B' ? 'Form1095BUpstreamDetail' : 'Form1095CUpstreamDetail'),
    [
      ['RecordId', String(record_id)],
      ['CorrectedInd', flag(corrects !== null)],
      corrects === null ? null : corrected(),
      ['TaxYr', String(tax_year)],
      ...(form_type === '1095-B' ? coverageElements : offerElements)(copy, sender, identifiers),
      ...copy.covered_people.map((one) => coveredElement(one, identifiers)),
    ],
  ]
  return xmlOf([record])
}
