import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { boundToken, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

const contact = { first_name: 'Ana', last_name: 'Costa', phone_number: '614-555-0100' }
const transmitter = {
  name: 'Harbor & Sons, Inc.',
  ein: '12-3456789',
  tcc: 'BB0AA',
  software_id: '25A0000001',
  address_line_1: '1 Main St., #4',
  city: 'St. Paul',
  state: 'MN',
  zipcode: '43215',
}

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

  it('needs released forms with addresses, and with names that the IRS accepts', async () => {
    expect(codeOf(await transmit())).toEqual([409, 'forms_not_released'])
    const homeless = await createEmployer(api)
    await createEmployee(api, homeless, { start_date: '2024-06-03', employee_class: 'Full Time' })
    for (const action of ['derive', 'release'] as const) {
      await api.post(`/v1/employers/${homeless}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    const refused = await api.post(`/v1/employers/${homeless}/form-1094c/transmissions`, input)
    expect(codeOf(refused)).toEqual([409, 'form_address_missing'])
    const foreign = await createEmployer(api)
    const address = { address_line_1: '5 Elm St', city: 'Albany', state: 'NY', zipcode: '12207' }
    const hired = { start_date: '2024-06-03', employee_class: 'Full Time', address }
    const { id } = await createEmployee(api, foreign, { ...hired, first_name: 'Łucja 3', last_name: '小林' })
    for (const action of ['derive', 'release'] as const) {
      await api.post(`/v1/employers/${foreign}/forms-1095c/${action}`, { tax_year })
      await api.work()
    }
    const form = (await api.get(`/v1/employees/${id}/form-1095c?tax_year=2025`)).body.data
    expect(form.exceptions).toContain('name_not_accepted')
    expect(form.names_not_accepted).toEqual(['Łucja 3', '小林'])
    const unnamed = await api.post(`/v1/employers/${foreign}/form-1094c/transmissions`, input)
    expect(codeOf(unnamed)).toEqual([409, 'form_name_not_accepted'])
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
    expect(valuesOf(request, 'RecordId')).toEqual(['1'])
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
