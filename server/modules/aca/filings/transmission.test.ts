import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { boundToken, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import type { FormCopy } from '../forms/document-rules.ts'
import { formXml, manifestXml, requestXml, type Transmission } from './air-rules.ts'

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

describe('Form 1095-C in the AIR format', () => {
  it('has its elements in order, in the characters that the IRS accepts', () => {
    const fields = fieldsOf(formXml({ record_id: 7, copy, corrects: null }, contact.phone_number, numbers)).map(
      (line) => line.replace('Form1095CUpstreamDetail/', ''),
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
      formXml({ record_id: 1, copy: { ...copy, months, age_on_january_1: 34 }, corrects: null }, '', new Map()),
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
    const fields = fieldsOf(formXml({ record_id: 9, copy, corrects }, contact.phone_number, numbers))
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
  const cell = <Value>(value: Value) => ({ value, reason: '' })
  const transmission: Transmission = {
    contact,
    transmitter,
    type: 'R',
    tax_year: 2025,
    is_test: false,
    unique_transmission_id: '2b1f8c1e:SYS12:BB0AA::T',
    made_at: '2026-03-10T16:00:00.000Z',
    form_count: 2,
    replaced_receipt_id: '1095C-26-00001234',
    employer: { ...transmitter, legal_name: 'Bakery (North) LLC', ein: '98-7654321', phone_number: null },
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

describe('a transmission', () => {
  const api = useApi()
  const tax_year = 2025
  let employer_id: string
  let ada: { id: string }
  let ben: { id: string }
  /** The employee with an error in the form. */
  let wrong: { id: string }
  const path = () => `/v1/employers/${employer_id}/form-1094c/transmissions` as const
  const input = { tax_year, is_test: false, contact, transmitter }
  const transmit = () => api.post(path(), input)
  const sent = async () => (await api.get(`${path()}?tax_year=2025`)).body.data
  const run = async (action: 'derive' | 'release') => {
    await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year })
    await api.work()
  }
  const acknowledgeBy = (input: object) =>
    api.post(`/v1/employers/${employer_id}/form-1094c/acknowledgements`, input as never)
  const acknowledge = (unique_transmission_id: string, status: string, errors: object[] = []) =>
    acknowledgeBy({ unique_transmission_id, receipt_id: '1095C-26-00001234', status, errors })
  const tasks = async () =>
    (await api.get(`/v1/tasks?employer_id=${employer_id}&kind=tax_form_errors`)).body.data.map(
      ({ people_count, due_on, details }) => [details.status, people_count, due_on],
    )
  const unfiled = async () =>
    (await api.get(`/v1/tasks?employer_id=${employer_id}&kind=tax_forms_unfiled`)).body.data.map(({ due_on }) => due_on)
  const errorsOf = async ({ id }: { id: string }) =>
    (await api.get(`/v1/employees/${id}/form-1095c?tax_year=2025`)).body.data.filing_errors
  const fileAt = async (link: { download_url: string }) => {
    const file = await fetch(link.download_url)
    expect(file.headers.get('content-type')).toBe('application/xml')
    return file.text()
  }
  const valuesOf = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`<(?:irs:)?${name}>([^<]*)<`, 'g'))].map(([, text]) => text)

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    const home = { address_line_1: '5 Elm St', city: 'Albany', state: 'NY', zipcode: '12207' }
    const work = { start_date: '2024-06-03', employee_class: 'Full Time', address: home }
    ada = await createEmployee(api, employer_id, work)
    ben = await createEmployee(api, employer_id, work)
    await api.put(`/v1/employees/${ada.id}/tax-identifier`, { tax_identifier: '219-09-9999' })
  })

  it('needs released forms with addresses', async () => {
    expect(codeOf(await transmit())).toEqual([409, 'forms_not_released'])
    const homeless = await createEmployer(api)
    await createEmployee(api, homeless, { start_date: '2024-06-03', employee_class: 'Full Time' })
    for (const action of ['derive', 'release'] as const) {
      await api.post(`/v1/employers/${homeless}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    const refused = await api.post(`/v1/employers/${homeless}/form-1094c/transmissions`, input)
    expect(codeOf(refused)).toEqual([409, 'form_address_missing'])
    await run('derive')
    await run('release')
    const wrong = await api.post(path(), { ...input, transmitter: { ...transmitter, tcc: 'x' } })
    expect(refusalOf(wrong)).toEqual([400, 'invalid_request', 'transmitter.tcc'])
  })

  it('is an original after an acknowledged test', async () => {
    const test = first((await api.post(path(), { ...input, is_test: true })).body.data)
    expect(test).toMatchObject({ type: 'O', is_test: true, form_count: 2 })
    expect(valuesOf(await fileAt(test.manifest), 'TestFileCd')).toEqual(['T'])
    expect((await acknowledge(test.unique_transmission_id, 'accepted')).status).toBe(200)
  })

  it('contains all released forms with their tax identifiers, and a manifest with the checksum', async () => {
    const made = await transmit()
    expect(made.status, made.text).toBe(201)
    const original = first(made.body.data)
    expect(original).toMatchObject({ type: 'O', form_count: 2, status: null, receipt_id: null, errors: [] })
    const request = await fileAt(original.request)
    expect(valuesOf(request, 'RecordId')).toEqual(['1', '2'])
    expect(valuesOf(request, 'SSN')).toEqual(['219099999'])
    expect(valuesOf(request, 'AuthoritativeTransmittalInd')).toEqual(['1'])
    expect(valuesOf(request, 'ALEMemberFTECnt')).toEqual(['2'])
    await api.runtime.audit_log.close()
    const downloaded = (await api.get('/v1/audit-entries?operation=download_file')).body.data
    expect(first(downloaded)).toMatchObject({ resource_id: original.unique_transmission_id.split(':')[0], status: 200 })
    const manifest = await fileAt(original.manifest)
    const checksum = createHash('sha256').update(request).digest('hex')
    expect(valuesOf(manifest, 'ChecksumAugmentationNum')).toEqual([checksum])
    expect(valuesOf(manifest, 'AttachmentByteSizeNum')).toEqual([String(Buffer.byteLength(request))])
    expect(codeOf(await transmit())).toEqual([409, 'transmission_pending'])
  })

  it('is replaced after a rejection, and shows the errors of each form', async () => {
    const [rejected] = await sent()
    expect((await acknowledge(rejected!.unique_transmission_id, 'rejected')).status).toBe(200)
    expect((await fetch(first(await sent()).request.download_url)).status).toBe(404)
    expect(await tasks()).toEqual([['rejected', 2, '2026-05-09']])
    const replacement = first((await transmit()).body.data)
    expect(replacement).toMatchObject({ type: 'R', form_count: 2 })
    expect(await tasks()).toEqual([])
    const late = await acknowledge(rejected!.unique_transmission_id, 'accepted')
    expect(codeOf(late)).toEqual([409, 'transmission_not_latest'])
    const request = await fileAt(replacement.request)
    expect(valuesOf(request, 'OriginalUniqueSubmissionId')).toEqual([])
    expect(valuesOf(await fileAt(replacement.manifest), 'OriginalReceiptId')).toEqual(['1095C-26-00001234'])
    const records = valuesOf(request, 'RecordId').map((id) => `1095C-26-00001234|1|${id}`)
    expect(await unfiled()).toEqual(['2026-03-31'])
    const error = { unique_record_id: records[0], code: 'AIRTN500', message: 'TIN Validation Failed' }
    const noted = await acknowledge(replacement.unique_transmission_id, 'accepted_with_errors', [error])
    expect(await unfiled()).toEqual([])
    const { errors, ...state } = first(noted.body.data)
    expect(state).toMatchObject({ status: 'accepted_with_errors', receipt_id: '1095C-26-00001234' })
    expect(errors).toEqual([{ ...error, employee_id: expect.stringMatching(/^empl_/) }])
    wrong = errors[0]!.employee_id === ada.id ? ada : ben
    expect(wrong.id).toBe(errors[0]!.employee_id)
    const text = (of: string, code: string, message: string) =>
      `<TransmitterErrorDetailGrp>${of}<ns2:ErrorMessageDetail><ns2:ErrorMessageCd>${code}</ns2:ErrorMessageCd>
        <ns2:ErrorMessageTxt>${message}</ns2:ErrorMessageTxt></ns2:ErrorMessageDetail></TransmitterErrorDetailGrp>`
    const of_form = text(`<UniqueRecordId>${records[0]}</UniqueRecordId>`, error.code, error.message)
    const xml = `<FormBCTransmitterSubmissionDtl>${of_form}${text('', '1094C-008', 'Wrong count')}
      </FormBCTransmitterSubmissionDtl>`
    const file = { unique_transmission_id: replacement.unique_transmission_id, receipt_id: '1095C-26-00001234' }
    const from_file = await acknowledgeBy({ ...file, status: 'accepted_with_errors', errors_xml: xml })
    const [by_form, by_transmittal] = first(from_file.body.data).errors
    expect(by_form).toMatchObject({ employee_id: wrong.id, code: 'AIRTN500' })
    expect(by_transmittal).toMatchObject({ employee_id: null, code: '1094C-008' })
    const both = await acknowledgeBy({ ...file, status: 'accepted_with_errors', errors: [error], errors_xml: xml })
    expect(refusalOf(both)).toEqual([400, 'invalid_request', 'errors_xml'])
    const other = await acknowledgeBy({ ...file, status: 'accepted_with_errors', errors_xml: '<a/>' })
    expect(refusalOf(other)).toEqual([400, 'invalid_request', 'errors_xml'])
  })

  it('with errors is a task, and shows them on the form', async () => {
    expect(await tasks()).toEqual([['accepted_with_errors', 1, null]])
    const message = 'TIN Validation Failed'
    expect(await errorsOf(wrong)).toEqual([{ code: 'AIRTN500', message, reported_at: expect.any(String) }])
    expect(await errorsOf(wrong === ada ? ben : ada)).toEqual([])
  })

  it('corrects a filed form that changed since', async () => {
    expect(codeOf(await transmit())).toEqual([409, 'nothing_to_transmit'])
    const months = [{ month: 5, line_16: '2E' }]
    await api.put(`/v1/employees/${wrong.id}/form-1095c`, { tax_year, reason: 'Union plan', months })
    expect(codeOf(await transmit())).toEqual([409, 'forms_not_released'])
    await run('release')
    const correction = first((await transmit()).body.data)
    expect(correction).toMatchObject({ type: 'C', form_count: 1 })
    expect([await tasks(), await errorsOf(wrong)]).toEqual([[], []])
    const request = await fileAt(correction.request)
    expect(valuesOf(request, 'MaySafeHarborCd')).toEqual(['2E'])
    expect(valuesOf(request, 'RecordId')).toEqual(['3'])
    expect(first(valuesOf(request, 'CorrectedUniqueRecordId'))).toMatch(/^1095C-26-00001234\|1\|[12]$/)
    expect(valuesOf(request, 'CorrectedRecRecipientTIN')).toEqual(wrong === ada ? ['219099999'] : [])
    expect(valuesOf(request, 'AuthoritativeTransmittalInd')).toEqual(['0'])
  })

  it('is visible only to partners of the organization with the scope tax', async () => {
    const rival = { key: api.story.rival_api_key }
    expect((await api.get(path(), rival)).status).toBe(404)
    expect((await api.post(path(), input, rival)).status).toBe(404)
    const scopes = ['read', 'people']
    const { api_key: key } = (await api.post('/v1/api-keys', { name: 'No tax', scopes })).body.data
    expect((await api.get(path(), { key })).status).toBe(403)
    expect((await api.get(path(), { key: await boundToken(api, 'employee', ada.id) })).status).toBe(404)
    const other = { unique_transmission_id: 'none', receipt_id: 'x', status: 'accepted' as const, errors: [] }
    const unknown = await api.post(`/v1/employers/${employer_id}/form-1094c/acknowledgements`, other)
    expect(codeOf(unknown)).toEqual([409, 'unknown_transmission'])
  })
})
