import { data, dataOf, endpoint, roles_to } from '../../../http/endpoint.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { chooseBillingSystem } from './actions.ts'
import { findBillingSystem } from './queries.ts'
import { refusals } from './rules.ts'
import { BillingSystemChanges, BillingSystemSettings } from './schemas.ts'

const ofOrganization = {
  tag: 'Billing system',
  allows: ['operator'],
  organization: 'none',
  path: '/operator/v1/organizations/{organization_id}/billing-system',
  params: { organization_id: 'org' },
  locate: locateOrganization,
} as const

export const endpoints = [
  endpoint({
    ...ofOrganization,
    operation: 'operator_get_billing_system',
    roles: roles_to.read,
    method: 'GET',
    summary: 'Read the billing system of an organization',
    description: 'Secrets are never shown.',
    returns: { 200: dataOf(BillingSystemSettings) },
    handle: async (ctx, { params }) => data(await findBillingSystem(ctx, params.organization_id)),
  }),
  endpoint({
    ...ofOrganization,
    operation: 'operator_choose_billing_system',
    roles: roles_to.bill,
    method: 'PUT',
    summary: 'Choose the billing system of an organization',
    description:
      'Where invoices are collected that are drafted from now on; those that are there stay where they are. A ' +
      'secret that is not sent stays as it is.',
    body: BillingSystemChanges,
    returns: { 200: dataOf(BillingSystemSettings) },
    refuses: [refusals.stripe_secret_key_missing],
    example: { billing_system: 'built_in' },
    handle: async (ctx, { located, body }) => {
      await chooseBillingSystem(ctx, located.organization_id, body)
      return data(await findBillingSystem(ctx, located.organization_id))
    },
  }),
]
