import { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { yearOf } from '../../directory/ichra/figure-rules.ts'
import {
  formPdfId,
  overrideForm,
  readForm,
  readOfferTest,
  setFormSettings,
  updateFactsOf,
  updateTaxFacts,
} from './actions.ts'
import { requestForms } from './derive-actions.ts'
import { findFormSettings, listDerivedForms } from './derived-queries.ts'
import { EmployeeTaxFactsInput, TaxFactsInput, TaxFactsSaved } from './fact-schemas.ts'
import { form_refusals } from './rules.ts'
import {
  Form1095c,
  FormDerivation,
  FormFilter,
  FormPage,
  FormSettings,
  FormSettingsInput,
  NewFormDerivation,
  NewFormOverride,
  OfferTest,
  OfferTestQuery,
  TaxYearQuery,
} from './schemas.ts'

const shared = { tag: 'Tax forms', allows: partner, roles: operating } as const

export const endpoints = [
  endpoint({
    ...shared,
    operation: 'employees_get_form_1095c',
    scopes: ['read', 'people', 'tax'],
    locate: locateEmployee,
    method: 'GET',
    path: '/v1/employees/{employee_id}/form-1095c',
    summary: 'Get Form 1095-C or 1095-B of an employee',
    description:
      'Derives the form of a year from employment, offers, enrollments and wages. Each cell has a reason. Months ' +
      'that are not over are derived from what is known today. `form_type` of the form settings of the employer ' +
      'selects the form.',
    query: TaxYearQuery,
    returns: { 200: dataOf(Form1095c) },
    handle: async (ctx, { params, query }) =>
      data(await readForm(ctx, params.employee_id, query.tax_year ?? yearOf(ctx.today))),
  }),
  endpoint({
    ...shared,
    operation: 'employees_override_form_1095c',
    scopes: ['write', 'people', 'tax'],
    locate: locateEmployee,
    method: 'PUT',
    path: '/v1/employees/{employee_id}/form-1095c',
    summary: 'Override cells of Form 1095-C',
    description:
      'Sets cells of lines 14 to 17 instead of the derived ones, with a reason. Replaces an earlier override of the ' +
      'year. An empty list of months removes it. The offer test and Form 1094-C count the months as the form reports ' +
      'them, so that a job derives all forms again after an override.',
    body: NewFormOverride,
    returns: { 200: dataOf(Form1095c) },
    refuses: [form_refusals.form_without_cells],
    example: {
      tax_year: 2026,
      reason: 'The offer was made on paper',
      months: [{ month: 3, line_14: '1E', line_15_in_cents: 12_000, line_16: '2G' }],
    },
    handle: (ctx, { located, body }) =>
      changed(overrideForm(ctx, located, body), () => readForm(ctx, located.employee_id, body.tax_year)),
  }),
  endpoint({
    ...shared,
    operation: 'employees_get_form_1095c_pdf',
    scopes: ['read', 'people', 'tax'],
    locate: locateEmployee,
    method: 'GET',
    path: '/v1/employees/{employee_id}/form-1095c/pdf',
    summary: 'Get a link to the PDF of Form 1095-C',
    description:
      "Returns a link to the employee's copy of the form, in the layout of the IRS. It shows the last four digits of " +
      'tax identifiers.',
    query: TaxYearQuery,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params, query }) => {
      const employee = await locateEmployee(ctx, params)
      if (!employee) return undefined
      const { organization_id, employee_id } = employee
      const id = formPdfId(employee_id, query.tax_year ?? yearOf(ctx.today))
      return data(await downloadLink(ctx, { kind: 'form_1095c', organization_id, id }))
    },
  }),
  endpoint({
    ...shared,
    operation: 'employers_get_form_settings',
    scopes: ['read', 'tax'],
    locate: locateEmployer,
    method: 'GET',
    path: '/v1/employers/{employer_id}/form-settings',
    summary: 'Get the settings of the forms of a tax year',
    description: 'Returns settings that apply to all forms under the EIN of the employer.',
    query: TaxYearQuery,
    returns: { 200: dataOf(FormSettings) },
    handle: async (ctx, { params: { employer_id }, query: { tax_year = yearOf(ctx.today) } }) =>
      data(await findFormSettings(ctx, { employer_id, tax_year })),
  }),
  endpoint({
    ...shared,
    operation: 'employers_set_form_settings',
    scopes: ['write', 'tax'],
    locate: locateEmployer,
    method: 'PUT',
    path: '/v1/employers/{employer_id}/form-settings',
    summary: 'Set the settings of the forms of a tax year',
    description:
      'Replaces the settings of all forms under the EIN of the employer. Derived forms are derived again. An ' +
      'employer that is not an applicable large employer and has a self-insured plan or an ICHRA sets `form_type` ' +
      'to `1095-B`. All other operations about tax forms then use Forms 1095-B and 1094-B.',
    body: FormSettingsInput,
    returns: { 200: dataOf(FormSettings) },
    refuses: [form_refusals.form_type_fixed],
    example: {
      tax_year: 2026,
      form_type: '1095-C',
      contact: { first_name: 'Ana', last_name: 'Costa', phone_number: '6145550100' },
      has_conditional_spouse_offer: true,
      uses_98_percent_method: false,
    },
    handle: (ctx, { located, body }) =>
      changed(setFormSettings(ctx, located, body), () =>
        findFormSettings(ctx, { employer_id: located.employer_id, tax_year: body.tax_year }),
      ),
  }),
  endpoint({
    ...shared,
    operation: 'employers_update_tax_facts',
    scopes: ['write', 'people', 'tax'],
    locate: locateEmployer,
    method: 'PATCH',
    path: '/v1/employers/{employer_id}/tax-facts',
    summary: 'Update wages of Form W-2, COBRA and multiemployer plans',
    description:
      'Stores facts for Form 1095-C that only the employer knows: the wages in box 1 of Form W-2, for the safe ' +
      'harbor of code 2F, the months with contributions to a multiemployer plan, for code 2E, and COBRA continuation ' +
      'coverage. Facts that you do not send stay unchanged. Wages of several employments under one EIN add up.',
    locks: 'employer',
    body: TaxFactsInput,
    returns: { 200: dataOf(TaxFactsSaved) },
    example: {
      tax_year: 2025,
      employees: [{ employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz', w2_wages_in_cents: 3_120_000 }],
    },
    handle: async (ctx, { located, body }) => data(await updateTaxFacts(ctx, located, body)),
  }),
  endpoint({
    ...shared,
    operation: 'employees_update_tax_facts',
    scopes: ['write', 'people', 'tax'],
    locate: locateEmployee,
    method: 'PATCH',
    path: '/v1/employees/{employee_id}/tax-facts',
    summary: 'Update the tax facts of an employee',
    description:
      'Stores the facts of one employee, and returns the form that follows from them. Facts that you do not send ' +
      'stay unchanged. With `dry_run`, nothing changes.',
    locks: 'employer',
    body: EmployeeTaxFactsInput,
    returns: { 200: dataOf(Form1095c) },
    example: { tax_year: 2026, w2_wages_in_cents: 3_120_000 },
    handle: (ctx, { located, body }) =>
      changed(updateFactsOf(ctx, located, body), () => readForm(ctx, located.employee_id, body.tax_year)),
  }),
  endpoint({
    ...shared,
    operation: 'employers_derive_forms_1095c',
    scopes: ['write', 'people', 'tax'],
    locate: locateEmployer,
    method: 'POST',
    path: '/v1/employers/{employer_id}/forms-1095c/derive',
    summary: 'Derive the Forms 1095-C of an employer',
    description:
      'Starts a job that derives and stores the forms of a tax year of all people under the EIN of the employer, and ' +
      'of the other EINs of its aggregated ALE group. The list of forms and the offer test then return the results. ' +
      'Afterwards, the daily run derives them again after changes, until the end of the next year. A future year is ' +
      'refused.',
    body: NewFormDerivation,
    returns: { 202: dataOf(FormDerivation) },
    example: { tax_year: 2026 },
    handle: async (ctx, { located: { organization_id, employer_id }, body: { tax_year } }) => {
      await requestForms(ctx, { organization_id, employer_id, tax_year })
      return data({ employer_id, tax_year })
    },
  }),
  endpoint({
    ...shared,
    operation: 'employers_list_forms_1095c',
    scopes: ['read', 'people', 'tax'],
    locate: locateEmployer,
    method: 'GET',
    path: '/v1/employers/{employer_id}/forms-1095c',
    summary: 'List the Forms 1095-C of an employer',
    description:
      'Returns the forms that are due for a year by their last derivation, those with exceptions first, for a review ' +
      'before filing. A person gets one form, even with several employments under one EIN.',
    query: FormFilter,
    returns: { 200: FormPage },
    handle: (ctx, { params, query }) =>
      listDerivedForms(ctx, params.employer_id, query.tax_year ?? yearOf(ctx.today), query),
  }),
  endpoint({
    ...shared,
    allows: [...partner, 'employer_token'],
    operation: 'employers_get_offer_test',
    scopes: ['read', 'people'],
    locate: locateEmployer,
    method: 'GET',
    path: '/v1/employers/{employer_id}/offer-test',
    summary: 'Get the offer test of an employer',
    description:
      'Returns the 95 percent offer test of section 4980H for each month of a year by the last derivation of Forms ' +
      '1095-C, with the counts of Form 1094-C and the highest assessable payments.',
    query: OfferTestQuery,
    returns: { 200: dataOf(OfferTest) },
    handle: async (ctx, { params, query }) =>
      data(await readOfferTest(ctx, params.employer_id, query.year ?? yearOf(ctx.today))),
  }),
]
