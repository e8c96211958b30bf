import { changed, data, dataOf, endpoint, for_operators } from '../../../http/endpoint.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { chooseBillingSystem } from './actions.ts'
import { findBillingSystem } from './queries.ts'
import { refusals } from './rules.ts'
import { BillingSystemChanges, BillingSystemSettings } from './schemas.ts'

const ofOrganization = {
  tag: 'Billing system',
  path: '/operator/v1/organizations/{organization_id}/billing-system',
  locate: locateOrganization,
} as const

export const endpoints = [
  endpoint({
    ...ofOrganization,
    operation: 'operator_get_billing_system',
    ...for_operators.read,
    summary: 'Get the billing system of an organization',
    description: 'Returns the settings. Secrets are never shown.',
    returns: { 200: dataOf(BillingSystemSettings) },
    handle: async (ctx, { params }) => data(await findBillingSystem(ctx, params)),
  }),
  endpoint({
    ...ofOrganization,
    operation: 'operator_choose_billing_system',
    ...for_operators.bill,
    method: 'PUT',
    summary: 'Set the billing system of an organization',
    description:
      'Sets the system that collects future invoices. Existing invoices stay in their system. Secrets that you do ' +
      'not send are kept.',
    body: BillingSystemChanges,
    returns: { 200: dataOf(BillingSystemSettings) },
    refuses: [refusals.stripe_secret_key_missing],
    example: { billing_system: 'built_in' },
    handle: (ctx, { located, body }) =>
      changed(chooseBillingSystem(ctx, located.organization_id, body), () => findBillingSystem(ctx, located)),
  }),
]
