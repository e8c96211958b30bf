import { alsoForOperators, data, dataOf, endpoint, for_operators, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { NewMeasurementPolicies } from '../measurement/schemas.ts'
import { findAffordability, findOverview, findPayCalendar } from './queries.ts'
import { affordabilityOf, costQueryOf, previewOf } from './rules.ts'
import { AcaOverview, Affordability, AffordabilityQuery, MeasurementPreview } from './schemas.ts'

const shared = { tag: 'Employer mandate', roles: operating, locate: locateEmployer } as const

export const endpoints = [
  endpoint({
    ...shared,
    allows: [...partner, 'employer_token'],
    operation: 'employers_get_aca_overview',
    scopes: ['read'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/aca-overview',
    summary: 'Get the ACA overview of an employer',
    description:
      'Returns the last day with reported hours, the current employees by full-time status, and the number of those ' +
      'near full-time status.',
    returns: { 200: dataOf(AcaOverview) },
    handle: async (ctx, { params }) => data(await findOverview(ctx, params)),
  }),
  endpoint({
    ...shared,
    allows: partner,
    operation: 'employers_preview_measurement_policies',
    sdk: 'measurementPolicies.preview',
    scopes: ['write'],
    method: 'POST',
    path: '/v1/employers/{employer_id}/measurement-policies/preview',
    summary: 'Preview the periods of measurement policies',
    description:
      'Returns the measurement, administrative and stability periods that policies would have, and changes nothing. ' +
      'Policies that the regulation does not allow are refused.',
    locks: 'nothing',
    body: NewMeasurementPolicies,
    returns: { 200: dataOf(MeasurementPreview) },
    example: { policies: [{ method: 'look_back', standard_starts_on: '2025-10-15' }] },
    handle: async (ctx, { located, body }) => {
      const found = await findPayCalendar(ctx, located)
      const policies = found && body.policies.map((policy) => previewOf(policy, found.calendar, ctx.today))
      return data(policies && JSON.stringify({ employer_id: located.employer_id, policies }))
    },
  }),
  ...alsoForOperators(
    endpoint({
      ...shared,
      allows: partner,
      operation: 'employers_get_affordability',
      scopes: ['read', 'people', 'money'],
      method: 'GET',
      path: '/v1/employers/{employer_id}/affordability',
      summary: 'Get the affordable cost of coverage at an employer',
      description:
        'Returns the highest monthly cost of coverage for the employee alone that is affordable for every full-time ' +
        'employee, by the federal poverty line or the rate of pay. `cost_in_cents` limits the list to employees ' +
        'for whom that cost is not affordable.',
      query: AffordabilityQuery,
      returns: { 200: dataOf(Affordability) },
      handle: async (ctx, { params, query }) => {
        const { plan_year_start = ctx.today, cost_in_cents = null } = query
        const costs = costQueryOf(plan_year_start, cost_in_cents)
        const found = await findAffordability(ctx, { employer_id: params.employer_id, ...costs })
        const shown = found && affordabilityOf(found, costs)
        return data(shown && JSON.stringify({ employer_id: params.employer_id, ...shown }))
      },
    }),
    { operation: 'operator_employers_get_affordability', ...for_operators.read, sdk: 'employers.getAffordability' },
  ),
]
