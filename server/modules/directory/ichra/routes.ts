import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { readFigures, tellFigures } from './actions.ts'
import { listSilverPremiums, listWages, saveSilverPremiums, saveWages } from './queries.ts'
import {
  AffordabilityFiguresList,
  NewAffordabilityFigures,
  SilverFilter,
  SilverImportOutcome,
  SilverPage,
  Wage,
  WagePage,
  WagePaging,
  sent_premiums,
} from './schemas.ts'

const silver = { tag: 'ICHRA', allows: ['operator'], organization: 'none' } as const

export const endpoints = [
  endpoint({
    ...silver,
    operation: 'operator_import_lowest_cost_silver_premiums',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/lowest-cost-silver-premiums/import',
    summary: 'Import the lowest-cost silver premiums',
    description:
      'Public figures that hold for every organization: the premium of the lowest-cost silver plan for one person, ' +
      'by state, perhaps county, age and month. They tell whether ICHRA is affordable. Adds what is new and changes ' +
      'what differs; importing the same again changes nothing.',
    ...sent_premiums,
    returns: { 200: dataOf(SilverImportOutcome) },
    example: {
      rows: [
        { state: 'NY', age: '0+', effective_on: '2026-01-01', premium_in_cents: 71_250 },
        { state: 'IL', county: 'Cook', age: '40', effective_on: '2026-01-01', premium_in_cents: 46_310 },
      ],
    },
    handle: async (ctx, { body }) => data(JSON.stringify(await saveSilverPremiums(ctx, body.rows))),
  }),
  endpoint({
    ...silver,
    operation: 'operator_list_lowest_cost_silver_premiums',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/lowest-cost-silver-premiums',
    summary: 'List the lowest-cost silver premiums',
    description: 'By state, county, month and age; of one state or county if asked.',
    query: SilverFilter,
    returns: { 200: SilverPage },
    handle: (ctx, { query }) => listSilverPremiums(ctx, query),
  }),
  endpoint({
    ...silver,
    operation: 'operator_tell_affordability_figures',
    sdk: 'ichra.setAffordabilityFigures',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/affordability-figures',
    summary: 'Tell what the law says of a year',
    description:
      'Public figures that hold for every organization, by which ICHRA is affordable: they come with releases, and ' +
      'count as they are told here where they are. What is not sent stays. Answers with those of every year.',
    body: NewAffordabilityFigures,
    returns: { 200: AffordabilityFiguresList },
    example: {
      year: 2026,
      required_contribution_percentage: 9.96,
      poverty_guidelines: { contiguous: 15_960, alaska: 19_950, hawaii: 18_360 },
    },
    handle: async (ctx, { body }) => {
      await tellFigures(ctx, body)
      return readFigures(ctx)
    },
  }),
  endpoint({
    ...silver,
    operation: 'operator_list_affordability_figures',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/affordability-figures',
    summary: 'List what the law says of each year',
    description: 'The last year first: what was told, and else what came with the service.',
    returns: { 200: AffordabilityFiguresList },
    handle: (ctx) => readFigures(ctx),
  }),
  endpoint({
    operation: 'employees_set_wage',
    method: 'PUT',
    path: '/v1/employees/{employee_id}/wage',
    tag: 'ICHRA',
    summary: 'Tell what an employee earns',
    description:
      'By the month, from a day on; another one for the same day takes its place. It only tells whether ICHRA is ' +
      'affordable: without it, the federal poverty line does.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    body: Wage,
    returns: { 200: dataOf(Wage) },
    example: { monthly_wage_in_cents: 320_000, effective_on: '2026-01-01' },
    handle: async (ctx, { located, body }) => {
      await saveWages(ctx, located.organization_id, [{ ...body, employee_id: located.employee_id }])
      return data(JSON.stringify(body))
    },
  }),
  endpoint({
    operation: 'employees_list_wages',
    method: 'GET',
    path: '/v1/employees/{employee_id}/wage',
    tag: 'ICHRA',
    summary: 'List what was told of what an employee earns',
    description:
      'By the month, the latest `effective_on` first. For those who may tell it: nobody else is shown a wage.',
    allows: partner,
    roles: operating,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: WagePaging,
    returns: { 200: WagePage },
    handle: (ctx, { params, query }) => listWages(ctx, params.employee_id, query),
  }),
]
