import { expect, it } from 'vitest'
import { endpoints } from '../modules.ts'

/**
 * All that tokens bound to one employee or one employer may do, which stand in browsers: decisions.md, section 2, with
 * decision 229. That they may is asked over HTTP by contract.test.ts; here each new operation is somebody's choice.
 */
const by_either = [
  'get_token',
  'employees_get',
  'employees_list_enrollments',
  'employees_explain_eligibility',
  'enrollments_get',
  'enrollments_get_history',
]
const by_employees = [
  'enrollments_elect',
  'enrollments_waive',
  'employees_answer_enrollments',
  'employees_get_confirmation',
  'employees_list_paychecks',
  'employees_prove_deductions',
  'employees_update_contact',
  'dependents_list',
  'dependents_create',
  'dependents_update',
  'dependents_end',
  'life_events_list',
  'life_events_create',
  'life_events_attach',
  'life_events_detach',
]
const by_employers = [
  'employers_get',
  'employers_list_employees',
  'employers_get_hris',
  'employers_list_benefit_plan_years',
  'employers_get_benefit_plan_year',
  'employers_list_benefit_plan_year_enrollments',
  'employers_summarize_benefit_plan_year_enrollments',
  'employers_list_invoices',
  'employers_list_invoice_lines',
  'employers_get_invoice_pdf',
  'employers_get_invoice_reconciliation',
]

it.each([
  ['employee_token', [...by_either, ...by_employees]],
  ['employer_token', [...by_either, ...by_employers]],
] as const)('gives an %s what is read or done in a page, and nothing else', (kind, operations) => {
  const allowed = endpoints.filter(({ allows }) => allows.includes(kind)).map(({ operation }) => operation)
  expect(allowed.toSorted()).toEqual(operations.toSorted())
})
