import { Paging } from '../../../kernel/pages.ts'
import { data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { readFigures, saveAffordabilityFigures } from './actions.ts'
import { listSilverPremiums, listWages, saveSilverPremiums, saveWages } from './queries.ts'
import {
  AffordabilityFiguresList,
  NewAffordabilityFigures,
  SilverFilter,
  SilverImportOutcome,
  SilverPage,
  Wage,
  WagePage,
  sent_premiums,
} from './schemas.ts'

export const endpoints = [
  endpoint({
    tag: 'ICHRA',
    operation: 'operator_import_lowest_cost_silver_premiums',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/lowest-cost-silver-premiums/import',
    summary: 'Import the lowest-cost silver premiums',
    description:
      'Imports public figures for all organizations: the monthly premium of the lowest-cost silver plan for one ' +
      'person, by state, optional county, age and month. They determine whether an ICHRA is affordable. Adds new ' +
      'premiums and updates existing ones. Importing the same rows again changes nothing.',
    ...sent_premiums,
    returns: { 200: dataOf(SilverImportOutcome) },
    example: {
      rows: [
        { state: 'NY', age: '0+', effective_on: '2026-01-01', premium_in_cents: 71_250 },
        { state: 'IL', county: 'Cook', age: '40', effective_on: '2026-01-01', premium_in_cents: 46_310 },
      ],
    },
    handle: async (ctx, { body }) => data(await saveSilverPremiums(ctx, body.rows)),
  }),
  endpoint({
    tag: 'ICHRA',
    operation: 'operator_list_lowest_cost_silver_premiums',
    ...for_operators.read,
    path: '/operator/v1/lowest-cost-silver-premiums',
    summary: 'List the lowest-cost silver premiums',
    description: 'Returns the premiums by state, county, month and age, optionally for one state or county.',
    query: SilverFilter,
    returns: { 200: SilverPage },
    handle: (ctx, { query }) => listSilverPremiums(ctx, query),
  }),
  endpoint({
    tag: 'ICHRA',
    operation: 'operator_set_affordability_figures',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/affordability-figures',
    summary: 'Save the affordability figures of a year',
    description:
      'Saves public figures for all organizations that determine whether coverage is affordable, and the ' +
      'assessable payments of large employers. Releases include them; figures saved here take precedence. Figures ' +
      'you do not send keep their value. Returns the figures of every year.',
    body: NewAffordabilityFigures,
    returns: { 200: AffordabilityFiguresList },
    example: {
      year: 2026,
      required_contribution_percentage: 9.96,
      poverty_guidelines: { contiguous: 15_960, alaska: 19_950, hawaii: 18_360 },
      assessable_payments: { no_offer: 3_340, unaffordable_offer: 5_010 },
    },
    handle: async (ctx, { body }) => {
      await saveAffordabilityFigures(ctx, body)
      return readFigures(ctx)
    },
  }),
  endpoint({
    tag: 'ICHRA',
    operation: 'operator_list_affordability_figures',
    ...for_operators.read,
    path: '/operator/v1/affordability-figures',
    summary: 'List the affordability figures',
    description:
      'Returns the figures of each year, latest first. Saved figures take precedence over those in the release.',
    returns: { 200: AffordabilityFiguresList },
    handle: (ctx) => readFigures(ctx),
  }),
  endpoint({
    operation: 'employees_set_wage',
    method: 'PUT',
    path: '/v1/employees/{employee_id}/wage',
    tag: 'ICHRA',
    summary: 'Report the wage of an employee',
    description:
      'Reports a monthly wage starting on a day. A later report for the same day replaces it. The wage only ' +
      'determines whether an ICHRA is affordable; without one, the federal poverty line applies.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    locate: locateEmployee,
    body: Wage,
    returns: { 200: dataOf(Wage) },
    example: { monthly_wage_in_cents: 320_000, effective_on: '2026-01-01' },
    handle: async (ctx, { located, body }) => {
      await saveWages(ctx, located.organization_id, [{ ...body, employee_id: located.employee_id }])
      return data(body)
    },
  }),
  endpoint({
    operation: 'employees_list_wages',
    method: 'GET',
    path: '/v1/employees/{employee_id}/wage',
    tag: 'ICHRA',
    summary: 'List the reported wages of an employee',
    description:
      'Returns the monthly wages, latest `effective_on` first. Only callers that may report wages can read them.',
    allows: partner,
    roles: operating,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    query: Paging,
    returns: { 200: WagePage },
    handle: (ctx, { params, query }) => listWages(ctx, params, query),
  }),
]
