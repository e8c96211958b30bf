/**
 * The files that a transmitter uploads to the IRS (Affordable Care Act Information Returns, AIR): the forms, and the
 * manifest (IRS Publications 5165 and 5258). The IRS gives its schemas only to transmitters. The names and the order of
 * the elements follow public programs that file with AIR. The files have not been validated against the schemas.
 */
import type { FormFiler } from '../forms/document-rules.ts'
import type { FormType } from '../forms/rules.ts'
import {
  addressElement,
  businessElements,
  businessName,
  detail,
  digits,
  flag,
  nameElements,
  optional,
  short_months,
  xmlOf,
  type Element,
  type PostalAddress,
} from './air-form-rules.ts'
import type { Transmittal } from './transmittal-rules.ts'

/** The person whom the IRS may call, and the transmitter with its transmitter control code (TCC) and software id. */
export type TransmissionParties = {
  contact: { first_name: string; last_name: string; phone_number: string }
  transmitter: PostalAddress & { name: string; ein: string; tcc: string; software_id: string }
}

/** The transmission of Form 1094-C or 1094-B with its forms. `O`: original. `R`: replacement. `C`: correction. */
export type Transmission = TransmissionParties & {
  type: 'O' | 'R' | 'C'
  form_type: FormType
  tax_year: number
  is_test: boolean
  unique_transmission_id: string
  made_at: string
  form_count: number
  /** The receipt id of the rejected transmission that this one replaces. Null if it replaces none. */
  replaced_receipt_id: string | null
  employer: FormFiler
  /** Null for a correction of Forms 1095-C, whose transmittal has only Part I. Form 1094-B has only that part. */
  transmittal: Transmittal | null
  other_members: { name: string; ein: string }[]
}

const yesOrNo = (value: boolean): string => (value ? '1' : '2')

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

/** Form 1094-B: the employer, and the number of forms. The IRS accepts no corrections of it. */
const coverageTransmittal = ({ tax_year, employer, contact, form_count, made_at }: Transmission): Element => [
  detail('Form1094BUpstreamDetail'),
  [
    ['SubmissionId', '1'],
    ['TaxYr', String(tax_year)],
    ...businessElements(employer.legal_name, employer.ein, 'irs:EmployerEIN'),
    addressElement(employer),
    ['ContactNameGrp', nameElements(contact)],
    ['ContactPhoneNum', digits(contact.phone_number)],
    ['Form1095BAttachedCnt', String(form_count)],
    ['SignatureDt', made_at.slice(0, 10)],
  ],
]

/** Form 1094-C. */
function offerTransmittal(transmission: Transmission): Element {
  const { tax_year, employer, contact, transmittal, form_count, made_at } = transmission
  const of_year = (): (Element | null)[] => [
    ['TotalForm1095CALEMemberCnt', String(form_count)],
    ['AggregatedGroupMemberCd', yesOrNo(transmittal!.is_in_group.value)],
    ['QualifyingOfferMethodInd', flag(transmittal!.has_qualifying_offer.value)],
    ['NinetyEightPctOfferMethodInd', flag(transmittal!.uses_98_percent_method.value)],
  ]
  return [
    detail('Form1094CUpstreamDetail'),
    [
      ['SubmissionId', '1'],
      ['TaxYr', String(tax_year)],
      ['CorrectedInd', '0'],
      [
        'EmployerInformationGrp',
        [
          ...businessElements(employer.legal_name, employer.ein, 'irs:EmployerEIN'),
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
        businessElements(name, ein),
      ]),
    ],
  ]
}

/** The letter that distinguishes the forms in the names of files and elements. */
const letterOf = (form_type: FormType): 'B' | 'C' => (form_type === '1095-B' ? 'B' : 'C')

/** The XML of a transmission that precedes and follows its forms. The forms are written in between, one at a time. */
export function requestXml(transmission: Transmission): { before: string; after: string } {
  const { form_type, tax_year } = transmission
  const letter = letterOf(form_type)
  const form = xmlOf([(letter === 'B' ? coverageTransmittal : offerTransmittal)(transmission)])
  const root = `n1:Form109495${letter}TransmittalUpstream`
  const end = `</Form1094${letter}UpstreamDetail>`
  const names = [
    `xmlns="${air(tax_year)}" ${common}`,
    `xmlns:n1="urn:us:gov:treasury:irs:msg:form1094-1095${letter}transmitterupstreammessage"`,
  ].join(' ')
  return { before: `${head}<${root} ${names}>${form.slice(0, -end.length)}`, after: `${end}</${root}>` }
}

/** The name of the file with the forms, such as `1094C_Request_BB0AA_20270110T160000000Z.xml`. */
export const requestFileName = (
  { form_type, transmitter, made_at }: Transmission,
  kind: 'Request' | 'Manifest',
): string => `1094${letterOf(form_type)}_${kind}_${transmitter.tcc}_${made_at.replaceAll(/[-:.]/g, '')}.xml`

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
        ['FormTypeCd', `1094/1095${letterOf(transmission.form_type)}`],
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
