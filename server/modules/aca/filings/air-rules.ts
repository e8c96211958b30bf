/**
 * The files that a transmitter uploads to the IRS (Affordable Care Act Information Returns, AIR): the forms, and the
 * manifest (IRS Publications 5165 and 5258). The IRS gives its schemas only to transmitters. Names and order of the
 * elements follow public programs that file with AIR, so that the files are not validated against the schemas.
 */
import type { FormCopy, FormFiler } from '../forms/document-rules.ts'
import type { FormPerson } from '../forms/fact-rules.ts'
import type { Transmittal } from './transmittal-rules.ts'

/** An element with text or children. Null is no element. Attributes may follow the name. */
type Element = readonly [name: string, content: string | readonly (Element | null)[]]

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&apos;', '"': '&quot;' }

const xmlOf = (elements: readonly (Element | null)[]): string =>
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
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(refused, '')
    .replaceAll(/-+/g, '-')
    .replaceAll(/\s+/g, ' ')
    .slice(0, most)
    .trim()

const personName = (text: string): string => plain(text, /[^A-Za-z\- ]/g, 20)
const businessName = (text: string): string => plain(text, /[^A-Za-z0-9\-()&' ]/g, 75)
const street = (text: string): string => plain(text, /[^A-Za-z0-9\-/ ]/g, 35)
const digits = (text: string): string => text.replaceAll(/\D/g, '')
const flag = (value: boolean): string => (value ? '1' : '0')
const yesOrNo = (value: boolean): string => (value ? '1' : '2')
const amount = (cents: number): string => (cents / 100).toFixed(2)

const optional = (name: string, text: string): Element | null => (text === '' ? null : [name, text])

type Name = { first_name: string; last_name: string; suffix?: string | null }

const nameElements = ({ first_name, last_name, suffix }: Name): (Element | null)[] => [
  ['PersonFirstNm', personName(first_name)],
  ['PersonLastNm', personName(last_name)],
  optional('SuffixNm', personName(suffix ?? '')),
]

type PostalAddress = Pick<FormFiler, 'address_line_1' | 'address_line_2' | 'city' | 'state' | 'zipcode'>

const addressElement = (address: PostalAddress): Element => [
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

const short_months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
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

const monthNames = (names: string[], suffix: string): string[] => names.map((name) => name + suffix)

function offerElement({ months }: FormCopy): Element {
  const costs = months.map(({ line_15 }) => (line_15 === null ? null : amount(line_15)))
  return [
    'EmployeeOfferAndCoverageGrp',
    [
      lineElement(
        months.map(({ line_14 }) => line_14),
        'AnnualOfferOfCoverageCd',
        'MonthlyOfferCoverageGrp',
        monthNames(short_months, 'OfferCd'),
      ),
      lineElement(
        costs,
        'AnnlEmployeeRequiredContriAmt',
        'MonthlyEmployeeRequiredContriGrp',
        monthNames(long_months, 'Amt'),
      ),
      lineElement(
        months.map(({ line_16 }) => line_16),
        'AnnualSafeHarborCd',
        'MonthlySafeHarborGrp',
        monthNames(short_months, 'SafeHarborCd'),
      ),
      lineElement(
        months.map(({ line_17 }) => line_17),
        'AnnualICHRAZipCd',
        'MonthlyICHRAZipCdGrp',
        monthNames(short_months, 'ICHRAZipCd'),
      ),
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

/** A released form in a transmission. `record_id` counts the forms of an EIN and a tax year. */
export type TransmittedForm = {
  record_id: number
  copy: FormCopy
  /** The unique record id of the filed form that this one corrects, and the person on it. Null if it corrects none. */
  corrects: { unique_record_id: string; person: FormPerson } | null
}

const detail = (name: string): string => `${name} recordType="String" lineNum="0"`

/** Form 1095-C as a record of the transmission. */
export function formXml(
  { record_id, copy, corrects }: TransmittedForm,
  contact_phone: string,
  identifiers: Identifiers,
): string {
  const { employee, tax_year } = copy
  const number = identifiers.get(employee.person_id)
  const corrected = (): Element => [
    'CorrectedRecordRecipientGrp',
    [
      ['CorrectedUniqueRecordId', corrects!.unique_record_id],
      ['CorrectedRecRecipientPrsnName', nameElements(corrects!.person)],
      optional('CorrectedRecRecipientTIN', number ?? ''),
    ],
  ]
  const record: Element = [
    detail('Form1095CUpstreamDetail'),
    [
      ['RecordId', String(record_id)],
      ['CorrectedInd', flag(corrects !== null)],
      corrects === null ? null : corrected(),
      ['TaxYr', String(tax_year)],
      [
        'EmployeeInfoGrp',
        [
          ['OtherCompletePersonName', nameElements(employee)],
          ...identifierElements(number),
          employee.address ? addressElement(employee.address) : null,
        ],
      ],
      ['ALEContactPhoneNum', digits(contact_phone)],
      ['StartMonthNumberCd', copy.plan_start_month],
      optional('AgeNum', String(copy.age_on_january_1 ?? '')),
      offerElement(copy),
      ['CoveredIndividualInd', flag(copy.covered_people.length > 0)],
      ...copy.covered_people.map((one) => coveredElement(one, identifiers)),
    ],
  ]
  return xmlOf([record])
}

/** The person whom the IRS may call, and the transmitter with its transmitter control code (TCC) and software id. */
export type TransmissionParties = {
  contact: { first_name: string; last_name: string; phone_number: string }
  transmitter: PostalAddress & { name: string; ein: string; tcc: string; software_id: string }
}

/** The transmission of Form 1094-C with its Forms 1095-C. `O`: original. `R`: replacement. `C`: correction. */
export type Transmission = TransmissionParties & {
  type: 'O' | 'R' | 'C'
  tax_year: number
  is_test: boolean
  unique_transmission_id: string
  made_at: string
  form_count: number
  /** The receipt id of the rejected transmission that this one replaces. Null if it replaces none. */
  replaced_receipt_id: string | null
  employer: FormFiler
  /** Null for a correction of Forms 1095-C, whose transmittal has only Part I. */
  transmittal: Transmittal | null
  other_members: { name: string; ein: string }[]
}

/** The value of a month of Part III, or of the year if all months are equal. */
const countElements = (month: Transmittal['months'][number], is_in_group: boolean): (Element | null)[] => [
  ['MinEssentialCvrOffrCd', yesOrNo(month.minimum_essential_coverage.value)],
  optional('ALEMemberFTECnt', String(month.full_time_count.value ?? '')),
  ['TotalEmployeeCnt', String(month.total_count.value)],
  is_in_group ? ['AggregatedGroupInd', '1'] : null,
]

function memberElement({ months, is_in_group }: Transmittal): Element {
  const monthly = months.map((month) => countElements(month, is_in_group.value))
  const is_same = monthly.every((elements) => xmlOf(elements) === xmlOf(monthly[0]!))
  if (is_same) return ['ALEMemberInformationGrp', [['YearlyALEMemberDetail', monthly[0]!]]]
  const names = short_months.with(8, 'Sept')
  return [
    'ALEMemberInformationGrp',
    monthly.map((elements, at): Element => [`${names[at]}ALEMonthlyInfoGrp`, elements]),
  ]
}

const air = (tax_year: number): string => `urn:us:gov:treasury:irs:ext:aca:air:ty${String(tax_year).slice(2)}`
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const common = 'xmlns:irs="urn:us:gov:treasury:irs:common"'
const request_name = 'urn:us:gov:treasury:irs:msg:form1094-1095Ctransmitterupstreammessage'

/** The beginning and the end of the file with the forms. The Forms 1095-C stand between them. */
export function requestXml(transmission: Transmission): { before: string; after: string } {
  const { tax_year, employer, contact, transmittal, form_count, made_at } = transmission
  const of_year = (): (Element | null)[] => [
    ['TotalForm1095CALEMemberCnt', String(form_count)],
    ['AggregatedGroupMemberCd', yesOrNo(transmittal!.is_in_group.value)],
    ['QualifyingOfferMethodInd', flag(transmittal!.has_qualifying_offer.value)],
    ['NinetyEightPctOfferMethodInd', flag(transmittal!.uses_98_percent_method.value)],
  ]
  const form = xmlOf([
    [
      detail('Form1094CUpstreamDetail'),
      [
        ['SubmissionId', '1'],
        ['TaxYr', String(tax_year)],
        ['CorrectedInd', '0'],
        [
          'EmployerInformationGrp',
          [
            ['BusinessName', [['BusinessNameLine1Txt', businessName(employer.legal_name)]]],
            ['irs:TINRequestTypeCd', 'BUSINESS_TIN'],
            ['irs:EmployerEIN', digits(employer.ein)],
            addressElement(employer),
            ['ContactNameGrp', nameElements(contact)],
            ['ContactPhoneNum', digits(contact.phone_number)],
          ],
        ],
        ['Form1095CAttachedCnt', String(form_count)],
        ['AuthoritativeTransmittalInd', flag(transmittal !== null)],
        ...(transmittal ? of_year() : []),
        ['SignatureDt', made_at.slice(0, 10)],
        transmittal ? memberElement(transmittal) : null,
        ...transmission.other_members.map(({ name, ein }): Element => [
          'OtherALEMembersGrp',
          [
            ['BusinessName', [['BusinessNameLine1Txt', businessName(name)]]],
            ['irs:TINRequestTypeCd', 'BUSINESS_TIN'],
            ['irs:EIN', digits(ein)],
          ],
        ]),
      ],
    ],
  ])
  const end = '</Form1094CUpstreamDetail>'
  const names = `xmlns="${air(tax_year)}" ${common} xmlns:n1="${request_name}"`
  return {
    before: `${head}<n1:Form109495CTransmittalUpstream ${names}>${form.slice(0, -end.length)}`,
    after: `${end}</n1:Form109495CTransmittalUpstream>`,
  }
}

/** The name of the file with the forms, such as `1094C_Request_BB0AA_20270110T160000000Z.xml`. */
export const requestFileName = ({ transmitter, made_at }: Transmission, kind: 'Request' | 'Manifest'): string =>
  `1094C_${kind}_${transmitter.tcc}_${made_at.replaceAll(/[-:.]/g, '')}.xml`

/** The manifest. `checksum` is the SHA-256 hash of the file with the forms in hexadecimal digits, `bytes` its size. */
export function manifestXml(transmission: Transmission, { checksum, bytes }: { checksum: string; bytes: number }) {
  const { tax_year, transmitter, contact, made_at, type, replaced_receipt_id } = transmission
  const contacts: Element[] = [
    ['ContactNameGrp', nameElements(contact)],
    ['ContactPhoneNum', digits(contact.phone_number)],
  ]
  const elements = xmlOf([
    [
      'acabushdr:ACABusinessHeader',
      [
        ['UniqueTransmissionId', transmission.unique_transmission_id],
        ['irs:Timestamp', `${made_at.slice(0, 19)}Z`],
      ],
    ],
    [
      'ACATransmitterManifestReqDtl',
      [
        ['PaymentYr', String(tax_year)],
        ['PriorYearDataInd', flag(Number(made_at.slice(0, 4)) > tax_year + 1)],
        ['irs:EIN', digits(transmitter.ein)],
        ['TransmissionTypeCd', type],
        ['TestFileCd', transmission.is_test ? 'T' : 'P'],
        type === 'R' ? ['OriginalReceiptId', replaced_receipt_id!] : null,
        ['TransmitterNameGrp', [['BusinessNameLine1Txt', businessName(transmitter.name)]]],
        [
          'CompanyInformationGrp',
          [['CompanyNm', businessName(transmitter.name)], addressElement(transmitter), ...contacts],
        ],
        ['VendorInformationGrp', [['VendorCd', 'I'], ...contacts]],
        ['TotalPayeeRecordCnt', String(transmission.form_count)],
        ['TotalPayerRecordCnt', '1'],
        ['SoftwareId', transmitter.software_id],
        ['FormTypeCd', '1094/1095C'],
        ['irs:BinaryFormatCd', 'application/xml'],
        ['irs:ChecksumAugmentationNum', checksum],
        ['AttachmentByteSizeNum', String(bytes)],
        ['DocumentSystemFileNm', requestFileName(transmission, 'Request')],
      ],
    ],
  ])
  const names = [
    `xmlns="${air(tax_year)}" ${common}`,
    'xmlns:acabushdr="urn:us:gov:treasury:irs:msg:acabusinessheader"',
    'xmlns:n1="urn:us:gov:treasury:irs:msg:acauibusinessheader"',
  ].join(' ')
  return `${head}<n1:ACAUIBusinessHeader ${names}>${elements}</n1:ACAUIBusinessHeader>\n`
}
