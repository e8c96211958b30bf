import { alsoForOperators, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateInvoice } from '../billing/queries.ts'
import { findReconciliation } from './queries.ts'
import { Reconciliation } from './schemas.ts'

const ofInvoice = { tag: 'Invoices', method: 'GET', locate: locateInvoice } as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...ofInvoice,
      allows: [...partner, 'employer_token'],
      roles: operating,
      scopes: ['read', 'money'],
      operation: 'employers_get_invoice_reconciliation',
      sdk: 'invoices.getReconciliation',
      path: '/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation',
      summary: 'Reconcile an invoice',
      description:
        'Compares the current cost of the enrollments with the amounts billed by all invoices, for the month of the ' +
        'invoice and the earlier months in the correction window. The next invoice adjusts the differences. Also ' +
        "compares the employees' share with their deductions.",
      returns: { 200: dataOf(Reconciliation) },
      handle: async (ctx, { params }) => data(await findReconciliation(ctx, params)),
    }),
    {
      operation: 'operator_get_invoice_reconciliation',
      description: 'Returns the fields that partners see.',
      sdk: undefined,
      ...for_operators.read,
    },
  ),
]
