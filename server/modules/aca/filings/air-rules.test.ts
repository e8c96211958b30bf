import { describe, expect, it } from 'vitest'
import type { FormCopy } from '../forms/document-rules.ts'
import { formXml } from './air-form-rules.ts'
import { manifestXml, requestXml, type Transmission } from './air-rules.ts'

/** The elements of an XML text as `path=text`, in order. */
function fieldsOf(xml: string): string[] {
  const path: string[] = []
  const fields: string[] = []
  for (const [, close, name, text] of xml.matchAll(/<(\/?)([\w:]+)[^>]*>([^<]*)/g)) {
    if (close) path.pop()
    else path.push(name!)
    if (!close && text) fields.push(`${path.join('/')}=${text}`)
  }
  expect(path).toEqual([])
  return fields
}

const month = { line_14: '1E', line_15: 12_500, line_16: '2C', line_17: null }
const person = (person_id: string, first_name: string) => ({
  person_id,
  first_name,
  last_name: 'Núñez-O’Hara',
  suffix: null,
  date_of_birth: '1990-05-17',
  tax_identifier_last_four: null,
})
const address = { address_line_1: '1 Main St., #4', address_line_2: null, city: 'St. Paul', state: 'MN' }
const copy: FormCopy = {
  form_type: '1095-C',
  origin_of_coverage: null,
  tax_year: 2025,
  employee: { ...person('mbr_1', 'José'), address: { ...address, zipcode: '55101-1234' } },
  age_on_january_1: null,
  plan_start_month: '01',
  months: [{ ...month, line_14: '1H', line_15: null, line_16: '2D' }, ...Array.from({ length: 11 }, () => month)],
  covered_people: [
    { ...person('mbr_1', 'José'), months: Array.from({ length: 12 }, () => true) },
    { ...person('depn_1', 'Ida'), months: Array.from({ length: 12 }, (_, at) => at > 6) },
  ],
}
const contact = { first_name: 'Ana', last_name: 'Costa', phone_number: '614-555-0100' }
const transmitter = {
  ...address,
  zipcode: '43215',
  name: 'Harbor & Sons, Inc.',
  ein: '12-3456789',
  tcc: 'BB0AA',
  software_id: '25A0000001',
}
const numbers = new Map([['mbr_1', '219099999']])
const employer = { ...transmitter, legal_name: 'Bakery (North) LLC', ein: '98-7654321', phone_number: null }
const sender = { employer, contact }

const cell = <Value>(value: Value) => ({ value, reason: '' })
const transmission: Transmission = {
  contact,
  transmitter,
  type: 'R',
  form_type: '1095-C',
  tax_year: 2025,
  is_test: false,
  unique_transmission_id: '2b1f8c1e:SYS12:BB0AA::T',
  made_at: '2026-03-10T16:00:00.000Z',
  form_count: 2,
  replaced_receipt_id: '1095C-26-00001234',
  employer,
  transmittal: {
    is_authoritative: cell(true),
    form_count: cell(2),
    is_in_group: cell(true),
    has_qualifying_offer: cell(false),
    uses_98_percent_method: cell(false),
    months: Array.from({ length: 12 }, (_, at) => ({
      month: at + 1,
      minimum_essential_coverage: cell(at > 0),
      full_time_count: cell<number | null>(2),
      total_count: cell(3),
    })),
  },
  other_members: [{ name: 'South Bakery', ein: '11-1111111' }],
}

describe('Form 1095-C in the AIR format', () => {
  it('has its elements in order, in the characters that the IRS accepts', () => {
    const fields = fieldsOf(formXml({ record_id: 7, copy, corrects: null }, sender, numbers)).map((line) =>
      line.replace('Form1095CUpstreamDetail/', ''),
    )
    const offer = 'EmployeeOfferAndCoverageGrp'
    const name = 'EmployeeInfoGrp/OtherCompletePersonName'
    const home = 'EmployeeInfoGrp/MailingAddressGrp/USAddressGrp'
    expect(fields.slice(0, 17)).toEqual([
      'RecordId=7',
      'CorrectedInd=0',
      'TaxYr=2025',
      `${name}/PersonFirstNm=Jose`,
      `${name}/PersonLastNm=Nunez-OHara`,
      'EmployeeInfoGrp/irs:TINRequestTypeCd=INDIVIDUAL_TIN',
      'EmployeeInfoGrp/irs:SSN=219099999',
      `${home}/AddressLine1Txt=1 Main St 4`,
      `${home}/irs:CityNm=St Paul`,
      `${home}/USStateCd=MN`,
      `${home}/irs:USZIPCd=55101`,
      `${home}/irs:USZIPExtensionCd=1234`,
      'ALEContactPhoneNum=6145550100',
      'StartMonthNumberCd=01',
      `${offer}/MonthlyOfferCoverageGrp/JanOfferCd=1H`,
      `${offer}/MonthlyOfferCoverageGrp/FebOfferCd=1E`,
      `${offer}/MonthlyOfferCoverageGrp/MarOfferCd=1E`,
    ])
    expect(fields).toContain(`${offer}/MonthlyEmployeeRequiredContriGrp/FebruaryAmt=125.00`)
    expect(fields.filter((line) => line.includes('JanuaryAmt'))).toEqual([])
    expect(fields).toContain(`${offer}/MonthlySafeHarborGrp/SepSafeHarborCd=2C`)
    const covered = fields.slice(fields.indexOf('CoveredIndividualInd=1') + 1)
    expect(covered.slice(0, 8)).toEqual([
      'CoveredIndividualGrp/CoveredIndividualName/PersonFirstNm=Jose',
      'CoveredIndividualGrp/CoveredIndividualName/PersonLastNm=Nunez-OHara',
      'CoveredIndividualGrp/irs:TINRequestTypeCd=INDIVIDUAL_TIN',
      'CoveredIndividualGrp/irs:SSN=219099999',
      'CoveredIndividualGrp/CoveredIndividualAnnualInd=1',
      'CoveredIndividualGrp/CoveredIndividualName/PersonFirstNm=Ida',
      'CoveredIndividualGrp/CoveredIndividualName/PersonLastNm=Nunez-OHara',
      'CoveredIndividualGrp/BirthDt=1990-05-17',
    ])
    expect(covered.at(-1)).toBe('CoveredIndividualGrp/CoveredIndividualMonthlyIndGrp/DecemberInd=1')
  })

  it('reports the amount, the code and the ZIP code of an ICHRA once for all months', () => {
    const ichra = { line_14: '1L', line_15: 4_005, line_16: '2H', line_17: '55101' }
    const months = Array.from({ length: 12 }, () => ichra)
    const fields = fieldsOf(
      formXml({ record_id: 1, copy: { ...copy, months, age_on_january_1: 34 }, corrects: null }, sender, new Map()),
    )
    const once = fields.filter((line) => /AgeNum|Annual|Annl|TIN|SSN/.test(line))
    expect(once.map((line) => line.split('/').at(-1))).toEqual([
      'AgeNum=34',
      'AnnualOfferOfCoverageCd=1L',
      'AnnlEmployeeRequiredContriAmt=40.05',
      'AnnualSafeHarborCd=2H',
      'AnnualICHRAZipCd=55101',
      'CoveredIndividualAnnualInd=1',
    ])
  })

  it('names the filed form that it corrects', () => {
    const corrects = { unique_record_id: '1095C-26-00001234|1|3', person: copy.employee }
    const fields = fieldsOf(formXml({ record_id: 9, copy, corrects }, sender, numbers))
    expect(fields.slice(1, 7).map((line) => line.split('/').slice(1).join('/'))).toEqual([
      'CorrectedInd=1',
      'CorrectedRecordRecipientGrp/CorrectedUniqueRecordId=1095C-26-00001234|1|3',
      'CorrectedRecordRecipientGrp/CorrectedRecRecipientPrsnName/PersonFirstNm=Jose',
      'CorrectedRecordRecipientGrp/CorrectedRecRecipientPrsnName/PersonLastNm=Nunez-OHara',
      'CorrectedRecordRecipientGrp/CorrectedRecRecipientTIN=219099999',
      'TaxYr=2025',
    ])
  })
})

describe('Form 1094-C and the manifest in the AIR format', () => {
  it('have their elements in order', () => {
    const { before, after } = requestXml(transmission)
    const fields = fieldsOf(before + after).map((line) => line.replace(/^n1:\w+\/Form1094CUpstreamDetail\//, ''))
    expect(fields.filter((line) => !/(Address|Feb|Mar|Apr|May|Jun|Jul|Aug|Oct|Nov|Dec)/.test(line))).toEqual([
      'SubmissionId=1',
      'TaxYr=2025',
      'CorrectedInd=0',
      'EmployerInformationGrp/BusinessName/BusinessNameLine1Txt=Bakery (North) LLC',
      'EmployerInformationGrp/irs:TINRequestTypeCd=BUSINESS_TIN',
      'EmployerInformationGrp/irs:EmployerEIN=987654321',
      'EmployerInformationGrp/ContactNameGrp/PersonFirstNm=Ana',
      'EmployerInformationGrp/ContactNameGrp/PersonLastNm=Costa',
      'EmployerInformationGrp/ContactPhoneNum=6145550100',
      'Form1095CAttachedCnt=2',
      'AuthoritativeTransmittalInd=1',
      'TotalForm1095CALEMemberCnt=2',
      'AggregatedGroupMemberCd=1',
      'QualifyingOfferMethodInd=0',
      'NinetyEightPctOfferMethodInd=0',
      'SignatureDt=2026-03-10',
      'ALEMemberInformationGrp/JanALEMonthlyInfoGrp/MinEssentialCvrOffrCd=2',
      'ALEMemberInformationGrp/JanALEMonthlyInfoGrp/ALEMemberFTECnt=2',
      'ALEMemberInformationGrp/JanALEMonthlyInfoGrp/TotalEmployeeCnt=3',
      'ALEMemberInformationGrp/JanALEMonthlyInfoGrp/AggregatedGroupInd=1',
      'ALEMemberInformationGrp/SeptALEMonthlyInfoGrp/MinEssentialCvrOffrCd=1',
      'ALEMemberInformationGrp/SeptALEMonthlyInfoGrp/ALEMemberFTECnt=2',
      'ALEMemberInformationGrp/SeptALEMonthlyInfoGrp/TotalEmployeeCnt=3',
      'ALEMemberInformationGrp/SeptALEMonthlyInfoGrp/AggregatedGroupInd=1',
      'OtherALEMembersGrp/BusinessName/BusinessNameLine1Txt=South Bakery',
      'OtherALEMembersGrp/irs:TINRequestTypeCd=BUSINESS_TIN',
      'OtherALEMembersGrp/irs:EIN=111111111',
    ])
    const manifest = fieldsOf(manifestXml(transmission, { checksum: 'a1', bytes: 42 }))
    const detail = 'ACATransmitterManifestReqDtl/'
    const shown = manifest.map((line) => line.replace('n1:ACAUIBusinessHeader/', ''))
    expect(shown.filter((line) => !line.includes('Address'))).toEqual([
      'acabushdr:ACABusinessHeader/UniqueTransmissionId=2b1f8c1e:SYS12:BB0AA::T',
      'acabushdr:ACABusinessHeader/irs:Timestamp=2026-03-10T16:00:00Z',
      `${detail}PaymentYr=2025`,
      `${detail}PriorYearDataInd=0`,
      `${detail}irs:EIN=123456789`,
      `${detail}TransmissionTypeCd=R`,
      `${detail}TestFileCd=P`,
      `${detail}OriginalReceiptId=1095C-26-00001234`,
      `${detail}TransmitterNameGrp/BusinessNameLine1Txt=Harbor &amp; Sons Inc`,
      `${detail}CompanyInformationGrp/CompanyNm=Harbor &amp; Sons Inc`,
      `${detail}CompanyInformationGrp/ContactNameGrp/PersonFirstNm=Ana`,
      `${detail}CompanyInformationGrp/ContactNameGrp/PersonLastNm=Costa`,
      `${detail}CompanyInformationGrp/ContactPhoneNum=6145550100`,
      `${detail}VendorInformationGrp/VendorCd=I`,
      `${detail}VendorInformationGrp/ContactNameGrp/PersonFirstNm=Ana`,
      `${detail}VendorInformationGrp/ContactNameGrp/PersonLastNm=Costa`,
      `${detail}VendorInformationGrp/ContactPhoneNum=6145550100`,
      `${detail}TotalPayeeRecordCnt=2`,
      `${detail}TotalPayerRecordCnt=1`,
      `${detail}SoftwareId=25A0000001`,
      `${detail}FormTypeCd=1094/1095C`,
      `${detail}irs:BinaryFormatCd=application/xml`,
      `${detail}irs:ChecksumAugmentationNum=a1`,
      `${detail}AttachmentByteSizeNum=42`,
      `${detail}DocumentSystemFileNm=1094C_Request_BB0AA_20260310T160000000Z.xml`,
    ])
  })
})

describe('Forms 1095-B and 1094-B in the AIR format', () => {
  const coverage: FormCopy = { ...copy, form_type: '1095-B', origin_of_coverage: 'B', months: [] }
  const shown = (xml: string) => fieldsOf(xml).map((line) => line.split('/').slice(1).join('/'))

  it('have their elements in order: the responsible individual, the employer as issuer, the covered people', () => {
    const fields = shown(formXml({ record_id: 7, copy: coverage, corrects: null }, sender, numbers))
    const of_person = 'ResponsibleIndividualGrp'
    const home = `${of_person}/MailingAddressGrp/USAddressGrp`
    expect(fields.slice(0, 17)).toEqual([
      'RecordId=7',
      'CorrectedInd=0',
      'TaxYr=2025',
      `${of_person}/ResponsibleIndividualName/PersonFirstNm=Jose`,
      `${of_person}/ResponsibleIndividualName/PersonLastNm=Nunez-OHara`,
      `${of_person}/irs:TINRequestTypeCd=INDIVIDUAL_TIN`,
      `${of_person}/irs:SSN=219099999`,
      `${home}/AddressLine1Txt=1 Main St 4`,
      `${home}/irs:CityNm=St Paul`,
      `${home}/USStateCd=MN`,
      `${home}/irs:USZIPCd=55101`,
      `${home}/irs:USZIPExtensionCd=1234`,
      `${of_person}/PolicyOriginCd=B`,
      'IssuerInfoGrp/BusinessName/BusinessNameLine1Txt=Bakery (North) LLC',
      'IssuerInfoGrp/irs:TINRequestTypeCd=BUSINESS_TIN',
      'IssuerInfoGrp/irs:EIN=987654321',
      'IssuerInfoGrp/ContactPhoneNum=6145550100',
    ])
    const covered = fields.filter((line) => line.startsWith('CoveredIndividualGrp'))
    expect(covered[4]).toBe('CoveredIndividualGrp/CoveredIndividualAnnualInd=1')
    expect(covered.at(-1)).toBe('CoveredIndividualGrp/CoveredIndividualMonthlyIndGrp/DecemberInd=1')
    expect(fields.filter((line) => /Offer|SponsoringEmployer|CoveredIndividualInd/.test(line))).toEqual([])
  })

  it('name a person by date of birth without a tax identifier, and the filed form that one corrects', () => {
    const corrects = { unique_record_id: '1095B-26-00001234|1|3', person: coverage.employee }
    const fields = shown(formXml({ record_id: 9, copy: coverage, corrects }, sender, new Map()))
    expect(fields).toContain('ResponsibleIndividualGrp/BirthDt=1990-05-17')
    expect(fields.slice(1, 3)).toEqual([
      'CorrectedInd=1',
      'CorrectedRecordRecipientGrp/CorrectedUniqueRecordId=1095B-26-00001234|1|3',
    ])
  })

  it('have a transmittal without offers, a manifest and a file name of their own', () => {
    const small: Transmission = { ...transmission, type: 'O', form_type: '1095-B' }
    const { before, after } = requestXml(small)
    expect(before).toContain('form1094-1095Btransmitterupstreammessage')
    const fields = fieldsOf(before + after).map((line) =>
      line.replace('n1:Form109495BTransmittalUpstream/Form1094BUpstreamDetail/', ''),
    )
    expect(fields.filter((line) => !line.includes('Address'))).toEqual([
      'SubmissionId=1',
      'TaxYr=2025',
      'BusinessName/BusinessNameLine1Txt=Bakery (North) LLC',
      'irs:TINRequestTypeCd=BUSINESS_TIN',
      'irs:EmployerEIN=987654321',
      'ContactNameGrp/PersonFirstNm=Ana',
      'ContactNameGrp/PersonLastNm=Costa',
      'ContactPhoneNum=6145550100',
      'Form1095BAttachedCnt=2',
      'SignatureDt=2026-03-10',
    ])
    const manifest = shown(manifestXml(small, { checksum: 'a1', bytes: 42 }))
    expect(manifest).toContain('ACATransmitterManifestReqDtl/FormTypeCd=1094/1095B')
    expect(manifest.at(-1)).toContain('=1094B_Request_BB0AA_20260310T160000000Z.xml')
  })
})
