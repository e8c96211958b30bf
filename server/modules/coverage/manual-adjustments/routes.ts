import { Paging } from '../../../kernel/pages.ts'
import { alsoForOperators, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locateEnrollment } from '../enrollments/queries.ts'
import { bookManualAdjustment } from './actions.ts'
import { listManualAdjustments } from './queries.ts'
import { refusals } from './rules.ts'
import { ManualAdjustment, ManualAdjustmentPage, NewManualAdjustment } from './schemas.ts'

const ofEmployer = {
  tag: 'Deductions',
  method: 'GET',
  locate: locateEmployer,
  query: Paging,
  summary: 'List the manual adjustments of an employer',
  returns: { 200: ManualAdjustmentPage },
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...ofEmployer,
      operation: 'employers_list_manual_adjustments',
      sdk: 'manualAdjustments.list',
      path: '/v1/employers/{employer_id}/manual-adjustments',
      description:
        'Lists amounts for months before the correction window with their reasons, newest first. In statements ' +
        'and on invoices, they are lines of the kind `manual_adjustment`.',
      allows: partner,
      roles: operating,
      scopes: ['read', 'money'],
      handle: (ctx, { params, query }) => listManualAdjustments(ctx, params, query),
    }),
    {
      operation: 'operator_list_manual_adjustments',
      description: 'Returns the manual adjustments as partners see them.',
      ...for_operators.read,
    },
  ),
  endpoint({
    operation: 'operator_book_manual_adjustment',
    sdk: 'manualAdjustments.book',
    ...for_operators.bill,
    method: 'POST',
    path: '/operator/v1/enrollments/{enrollment_id}/manual-adjustments',
    tag: 'Deductions',
    summary: 'Book a manual adjustment',
    description:
      'Books amounts for a month before the correction window, but not before the go-live day. The next statement ' +
      "requests the employee's part from payroll, and the next invoice bills it together with the employer's part. " +
      "An adjustment can't be changed. To reverse it, book the opposite amounts.",
    locate: locateEnrollment,
    body: NewManualAdjustment,
    returns: { 201: dataOf(ManualAdjustment) },
    refuses: [refusals.month_in_correction_window, refusals.month_before_go_live],
    example: {
      month: '2025-06',
      employee_deduction_in_cents: 1200,
      reason: 'Reported a year late: covered since June',
    },
    handle: async (ctx, { located, body }) => {
      const { id, json } = await bookManualAdjustment(ctx, located, body)
      return made(id, async () => json)
    },
  }),
]
