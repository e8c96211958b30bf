import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { yearOf } from '../../directory/ichra/figure-rules.ts'
import { linkPrintFile, readFiling, readTaxForms, recordMailing, releaseForms, setDelivery } from './actions.ts'
import { findDelivery } from './queries.ts'
import { refusals } from './rules.ts'
import { acknowledge, readTransmissions, transmitForms } from './transmission-actions.ts'
import { linkTransmittal, readTransmittal } from './transmittal-actions.ts'
import {
  ElectronicDelivery,
  ElectronicDeliveryInput,
  FilingQuery,
  Form1094c,
  FormAcknowledgement,
  FormFiling,
  FormMailing,
  FormTransmissions,
  NewFormRelease,
  NewTransmission,
  PrintFileQuery,
  TaxForms,
} from './schemas.ts'

const shared = { tag: 'Tax forms', roles: operating } as const
const of_employer = { ...shared, allows: partner, locate: locateEmployer } as const

/** The year whose forms are filed now. */
const filedYear = ({ today }: ReadCtx): number => yearOf(today) - 1

export const endpoints = [
  endpoint({
    ...of_employer,
    operation: 'employers_get_form_filing',
    scopes: ['read', 'tax'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/form-filing',
    summary: 'Get the state of the tax forms of a tax year',
    description: 'Returns when the forms were derived and released, and the numbers of forms.',
    query: FilingQuery,
    returns: { 200: dataOf(FormFiling) },
    handle: async (ctx, { params, query }) =>
      data(await readFiling(ctx, params.employer_id, query.tax_year ?? filedYear(ctx))),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_release_forms_1095c',
    scopes: ['write', 'people', 'tax'],
    method: 'POST',
    path: '/v1/employers/{employer_id}/forms-1095c/release',
    summary: 'Release the tax forms of a tax year',
    description:
      'Releases the derived forms of all people under the EIN. A job stores an encrypted copy of each form, which ' +
      'never changes again, and employees can download theirs. Releasing again makes corrected forms of those that ' +
      'changed since, of all forms if the employer changed its name, EIN or address, and of people for whom a form ' +
      'is no longer due.',
    body: NewFormRelease,
    returns: { 202: dataOf(FormFiling) },
    refuses: [refusals.tax_year_not_over, refusals.forms_not_derived],
    example: { tax_year: 2025 },
    handle: (ctx, { located, body: { tax_year } }) =>
      changed(releaseForms(ctx, located, tax_year), () => readFiling(ctx, located.employer_id, tax_year)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_get_print_file',
    scopes: ['read', 'people', 'tax'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/forms-1095c/print-file',
    summary: 'Get a link to the print file of tax forms',
    description:
      'Returns a link to a PDF with the released forms of people without consent to electronic delivery or with a ' +
      'failed notice, to print and mail. A part has up to 200 forms. Returns 404 for a part without forms.',
    query: PrintFileQuery,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params, query }) =>
      data(await linkPrintFile(ctx, params.employer_id, query.tax_year ?? filedYear(ctx), query.part ?? 1)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_record_form_mailing',
    scopes: ['write', 'people', 'tax'],
    method: 'PUT',
    path: '/v1/employers/{employer_id}/forms-1095c/mailing',
    summary: 'Record the mailing of paper tax forms',
    description:
      'Records the day on which the print file was mailed. It applies to the forms that were in any part of it on ' +
      'that day and have no mailing yet. Forms that are corrected later, or whose notice fails later, need another ' +
      'mailing.',
    locks: 'employer',
    body: FormMailing,
    returns: { 200: dataOf(FormFiling) },
    refuses: [refusals.mailed_before_release],
    example: { tax_year: 2025, mailed_on: '2026-02-17' },
    handle: (ctx, { located, body }) =>
      changed(recordMailing(ctx, located, body), () => readFiling(ctx, located.employer_id, body.tax_year)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_get_form_1094c',
    scopes: ['read', 'tax'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/form-1094c',
    summary: 'Get Form 1094-C or 1094-B of an employer',
    description:
      'Returns the transmittal of the forms under the EIN of the employer by their last derivation. Each ' +
      'value has a reason. Overridden cells count as the forms report them.',
    query: FilingQuery,
    returns: { 200: dataOf(Form1094c) },
    handle: async (ctx, { params, query }) =>
      data(await readTransmittal(ctx, params.employer_id, query.tax_year ?? filedYear(ctx))),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_get_form_1094c_pdf',
    scopes: ['read', 'tax'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/form-1094c/pdf',
    summary: 'Get a link to the PDF of Form 1094-C or 1094-B',
    description: 'Returns a link to the form in the layout of the IRS. Returns 404 before the forms are derived.',
    query: FilingQuery,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params, query }) =>
      data(await linkTransmittal(ctx, params.employer_id, query.tax_year ?? filedYear(ctx))),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_list_form_transmissions',
    scopes: ['read', 'people', 'tax'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/form-1094c/transmissions',
    summary: 'List the files of tax forms for the IRS',
    description:
      'Returns the transmissions of a tax year, with links to their files, the acknowledgements and the errors by ' +
      'employee. The files contain whole tax identifiers.',
    query: FilingQuery,
    returns: { 200: dataOf(FormTransmissions) },
    handle: async (ctx, { params, query }) =>
      data(await readTransmissions(ctx, params.employer_id, query.tax_year ?? filedYear(ctx))),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_transmit_forms',
    scopes: ['write', 'people', 'tax'],
    method: 'POST',
    path: '/v1/employers/{employer_id}/form-1094c/transmissions',
    summary: 'Make files of released forms for the IRS',
    description:
      'Makes a transmission of the released forms that were not transmitted, in the format of Affordable Care Act ' +
      'Information Returns (AIR): a file with the forms and a manifest. If all people have a filed form, it contains ' +
      'corrections. After a rejection, it replaces the rejected transmission. The schemas of the IRS are not public, ' +
      'so the files are not validated against them. Run the test scenarios of the IRS before you file.',
    body: NewTransmission,
    returns: { 201: dataOf(FormTransmissions) },
    refuses: [
      refusals.forms_not_released,
      refusals.form_address_missing,
      refusals.form_name_not_accepted,
      refusals.transmission_pending,
      refusals.nothing_to_transmit,
    ],
    example: {
      tax_year: 2025,
      is_test: false,
      contact: { first_name: 'Ana', last_name: 'Costa', phone_number: '6145550100' },
      transmitter: {
        name: 'Harbor Benefits Inc',
        ein: '12-3456789',
        tcc: 'BB0AA',
        software_id: '25A0000001',
        address_line_1: '1 Main St',
        city: 'Columbus',
        state: 'OH',
        zipcode: '43215',
      },
    },
    handle: (ctx, { located, body }) =>
      changed(transmitForms(ctx, located, body), () => readTransmissions(ctx, located.employer_id, body.tax_year)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_acknowledge_forms',
    scopes: ['write', 'people', 'tax'],
    method: 'POST',
    path: '/v1/employers/{employer_id}/form-1094c/acknowledgements',
    summary: 'Record an acknowledgement of the IRS',
    description:
      'Records the receipt id, the status and the errors of a transmission, as JSON or as the error file of the IRS ' +
      '(XML). Corrections refer to the receipt id. The ' +
      'forms of a rejected transmission or a test can be transmitted again, and its files can no longer be ' +
      'downloaded. Only the acknowledgement of the latest transmission can be recorded.',
    body: FormAcknowledgement,
    body_limit: 4 * 1024 * 1024,
    returns: { 200: dataOf(FormTransmissions) },
    refuses: [refusals.unknown_transmission, refusals.transmission_not_latest],
    example: {
      unique_transmission_id: '2b1f8c1e-0d8f-4f5c-9a3c-6a3d1f0b7e11:SYS12:BB0AA::T',
      receipt_id: '1095C-26-00001234',
      status: 'accepted_with_errors',
      errors: [{ unique_record_id: '1095C-26-00001234|1|2', code: 'AIRTN500', message: 'TIN Validation Failed' }],
    },
    handle: async (ctx, { located, body }) => {
      const tax_year = await acknowledge(ctx, located, body)
      return data(await readTransmissions(ctx, located.employer_id, tax_year))
    },
  }),
  endpoint({
    ...shared,
    allows: [...partner, 'employee_token'],
    locate: locateEmployee,
    operation: 'employees_get_tax_forms',
    scopes: ['read', 'people', 'tax'],
    method: 'GET',
    path: '/v1/employees/{employee_id}/tax-forms',
    summary: 'List the released tax forms of an employee',
    description:
      'Returns the latest released form of each tax year with a download link, and the consent to electronic ' +
      'delivery. A year has two forms if the employer changed its EIN after a release.',
    returns: { 200: dataOf(TaxForms) },
    handle: async (ctx, { params }) => data(await readTaxForms(ctx, params.employee_id)),
  }),
  endpoint({
    ...shared,
    allows: ['employee_token'],
    locate: locateEmployee,
    operation: 'employees_set_electronic_delivery',
    scopes: ['write', 'people', 'tax'],
    method: 'PUT',
    path: '/v1/employees/{employee_id}/electronic-delivery',
    summary: 'Consent to electronic delivery of tax forms',
    description:
      'Records that the employee consents to receive the tax forms of the EIN of the employer only electronically, ' +
      'or withdraws the consent. Only the employee can consent, to each EIN separately (26 CFR 301.6056-2). Show the ' +
      'disclosures that the regulation requires first.',
    locks: 'employer',
    body: ElectronicDeliveryInput,
    returns: { 200: dataOf(ElectronicDelivery) },
    example: { consents: true },
    handle: (ctx, { located, body }) =>
      changed(setDelivery(ctx, located, body.consents), () => findDelivery(ctx, located)),
  }),
]
