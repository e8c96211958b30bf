import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateInvoice } from '../billing/queries.ts'
import { findReconciliation } from './queries.ts'
import { Reconciliation } from './schemas.ts'

const ofInvoice = {
  tag: 'Invoices',
  method: 'GET',
  params: { employer_id: 'empr', invoice_id: 'text' },
  locate: locateInvoice,
} as const

export const endpoints = [
  endpoint({
    ...ofInvoice,
    allows: [...partner, 'employer_token'],
    roles: operating,
    scopes: ['read', 'money'],
    organization: 'path',
    operation: 'employers_get_invoice_reconciliation',
    sdk: 'invoices.getReconciliation',
    path: '/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation',
    summary: 'Prove an invoice',
    description:
      'For the month of the invoice and those before within reach of corrections: what the enrollments cost as ' +
      'known now, what all invoices billed, and where that differs, which the next invoice adjusts. And the ' +
      "employees' part beside what was deducted from their pay.",
    returns: { 200: dataOf(Reconciliation) },
    handle: async (ctx, { params }) => data(await findReconciliation(ctx, params)),
  }),
  endpoint({
    ...ofInvoice,
    allows: ['operator'],
    organization: 'none',
    operation: 'operator_get_invoice_reconciliation',
    roles: roles_to.read,
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation',
    summary: 'Prove an invoice',
    description: 'What partners see of it.',
    returns: { 200: dataOf(Reconciliation) },
    handle: async (ctx, { params }) => data(await findReconciliation(ctx, params)),
  }),
]
