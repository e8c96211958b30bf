import { dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locateEnrollment } from '../enrollments/queries.ts'
import { bookManualAdjustment } from './actions.ts'
import { listManualAdjustments } from './queries.ts'
import { refusals } from './rules.ts'
import { ManualAdjustment, ManualAdjustmentFilter, ManualAdjustmentPage, NewManualAdjustment } from './schemas.ts'

const ofEmployer = {
  tag: 'Deductions',
  method: 'GET',
  params: { employer_id: 'empr' },
  locate: locateEmployer,
  query: ManualAdjustmentFilter,
  summary: 'List what was booked by hand for an employer',
  returns: { 200: ManualAdjustmentPage },
} as const

export const endpoints = [
  endpoint({
    ...ofEmployer,
    operation: 'employers_list_manual_adjustments',
    sdk: 'manualAdjustments.list',
    path: '/v1/employers/{employer_id}/manual-adjustments',
    description:
      'Newest first: amounts for months that corrections reach no more, each with its reason. They are lines of the ' +
      'kind `manual_adjustment` in a statement and on an invoice.',
    allows: partner,
    roles: operating,
    scopes: ['read', 'money'],
    organization: 'path',
    handle: (ctx, { params, query }) => listManualAdjustments(ctx, params.employer_id, query),
  }),
  endpoint({
    ...ofEmployer,
    operation: 'operator_list_manual_adjustments',
    sdk: 'manualAdjustments.list',
    roles: roles_to.read,
    path: '/operator/v1/employers/{employer_id}/manual-adjustments',
    description: 'What partners see of them.',
    allows: ['operator'],
    organization: 'none',
    handle: (ctx, { params, query }) => listManualAdjustments(ctx, params.employer_id, query),
  }),
  endpoint({
    operation: 'operator_book_manual_adjustment',
    sdk: 'manualAdjustments.book',
    roles: roles_to.bill,
    method: 'POST',
    path: '/operator/v1/enrollments/{enrollment_id}/manual-adjustments',
    tag: 'Deductions',
    summary: 'Book an amount by hand',
    description:
      'For a month that corrections reach no more: the next statement asks payroll for the part of the employee, and ' +
      'the next invoice bills it with that of the employer. It never changes; the opposite amounts take it back.',
    allows: ['operator'],
    organization: 'none',
    params: { enrollment_id: 'enrl' },
    locate: locateEnrollment,
    body: NewManualAdjustment,
    returns: { 201: dataOf(ManualAdjustment) },
    refuses: [refusals.month_within_reach],
    example: { month: '2025-06', employee_deduction_in_cents: 1200, reason: 'Told a year late: covered since June' },
    handle: async (ctx, { located, body }) => {
      const { id, json } = await bookManualAdjustment(ctx, located, body)
      return made(id, async () => json)
    },
  }),
]
