import { data, dataOf, endpoint, partner, roles_to } from '../../platform/endpoint.ts'
import { operating } from '../../platform/permissions.ts'
import { locateEmployee } from '../auth/queries.ts'
import { listSilverPremiums, saveSilverPremiums, saveWage } from './queries.ts'
import { most_rows, SilverFilter, SilverImport, SilverImportOutcome, SilverPage, Wage } from './schemas.ts'

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
    body: SilverImport,
    rows: { field: 'rows', most: most_rows },
    csv: 'utf-8',
    csv_numbers: ['premium_in_cents'],
    body_limit: 4 * 1024 * 1024,
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
      await saveWage(ctx, located, body)
      return data(JSON.stringify(body))
    },
  }),
]
