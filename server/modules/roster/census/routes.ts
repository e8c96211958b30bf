import { Paging } from '../../../kernel/pages.ts'
import { alsoForOperators, changed, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { refusals as employees_refusals } from '../employees/rules.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import { confirmCensus, discardCensus, dryRunCensus, submitCensus } from './actions.ts'
import { listCensusSyncs, findCensusOutcome } from './outcome-queries.ts'
import { locateCensus } from './queries.ts'
import { refusals } from './rules.ts'
import { CensusAcceptance, CensusOptions, CensusOutcome, CensusSyncPage, sent_census } from './schemas.ts'

const tag = 'Census'

const for_partners = { tag, allows: partner, roles: operating } as const

export const endpoints = [
  endpoint({
    ...for_partners,
    operation: 'employers_submit_census_sync',
    sdk: 'census.submit',
    method: 'POST',
    path: '/v1/employers/{employer_id}/census-sync',
    summary: 'Submit a census',
    description:
      'Processes 1 to 10,000 rows asynchronously. People are matched and never duplicated; ambiguous rows ' +
      'fail instead of being guessed. A failing row is reported and the others are processed. With ' +
      '`mode=replace`, people missing from the body are terminated as of today. If that would terminate ' +
      'more than 5 people and more than 20% of the roster, or anyone at all while a row failed, the census ' +
      'is `held` until it is confirmed. With `dry_run=true` the response is 200 with the outcome, and ' +
      'nothing changes. Other query parameters are refused.',
    scopes: ['write', 'people'],
    locate: locateEmployer,
    query: CensusOptions,
    ...sent_census,
    returns: { 202: dataOf(CensusAcceptance), 200: dataOf(CensusOutcome) },
    refuses: [employees_refusals.employer_has_hris_connection, employers_refusals.employer_has_no_active_subscription],
    example: {
      employees: [
        {
          first_name: 'Grace',
          last_name: 'Murray',
          email: 'grace.murray@example.com',
          phone: '2125550147',
          date_of_birth: '1988-12-09',
          start_date: '2026-01-05',
          employee_class: 'Full Time',
          reference_id: 'E-2001',
          address: { address_line_1: '12 Boxwood Ln', city: 'Arlington', state: 'VA', zipcode: '22201' },
        },
      ],
    },
    handle: async (ctx, { located, query, staged }) => {
      if (query.dry_run) {
        const outcome = await dryRunCensus(ctx, located, staged!, query.mode)
        return { status: 200, body: JSON.stringify({ data: outcome }) }
      }
      return {
        status: 202,
        body: JSON.stringify({ data: await submitCensus(ctx, located, staged!, query.mode) }),
      }
    },
  }),
  ...alsoForOperators(
    endpoint({
      ...for_partners,
      locate: locateEmployer,
      operation: 'employers_list_census_syncs',
      sdk: 'census.list',
      scopes: ['read', 'people'],
      method: 'GET',
      path: '/v1/employers/{employer_id}/census-sync',
      summary: 'List the censuses of an employer',
      description: 'Returns the censuses, newest first, without the result of each row.',
      query: Paging,
      returns: { 200: CensusSyncPage },
      handle: (ctx, { params, query }) => listCensusSyncs(ctx, params, query),
    }),
    {
      operation: 'operator_list_census_syncs',
      path: '/operator/v1/employers/{employer_id}/census-syncs',
      ...for_operators.read,
    },
  ),
  ...alsoForOperators(
    endpoint({
      ...for_partners,
      operation: 'employers_get_census_sync',
      sdk: 'census.get',
      scopes: ['read', 'people'],
      method: 'GET',
      path: '/v1/employers/{employer_id}/census-sync/{census_sync_id}',
      summary: 'Get the outcome of a census',
      description:
        'Returns the census with the outcome of its rows. While it runs, `processed_count` of `row_count` rows are ' +
        'done.',
      locate: locateCensus,
      returns: { 200: dataOf(CensusOutcome) },
      handle: async (ctx, { params }) => data(await findCensusOutcome(ctx, params)),
    }),
    {
      operation: 'operator_get_census_sync',
      path: '/operator/v1/census-syncs/{census_sync_id}',
      ...for_operators.read,
    },
  ),
  ...alsoForOperators(
    endpoint({
      ...for_partners,
      operation: 'employers_confirm_census_sync',
      sdk: 'census.confirm',
      scopes: ['write', 'people'],
      method: 'POST',
      path: '/v1/employers/{employer_id}/census-sync/{census_sync_id}/confirm',
      summary: 'Confirm a held census',
      description: 'Terminates the people who are missing from a replacing census that is `held`.',
      locate: locateCensus,
      returns: { 200: dataOf(CensusOutcome) },
      refuses: [
        refusals.census_sync_not_held,
        employees_refusals.employer_has_hris_connection,
        refusals.census_sync_superseded,
      ],
      handle: (ctx, { located }) => changed(confirmCensus(ctx, located), () => findCensusOutcome(ctx, located)),
    }),
    {
      operation: 'operator_confirm_census_sync',
      path: '/operator/v1/census-syncs/{census_sync_id}/confirm',
      ...for_operators.administer,
    },
  ),
  endpoint({
    tag,
    locate: locateCensus,
    operation: 'operator_discard_census_sync',
    sdk: 'census.discard',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/census-syncs/{census_sync_id}/discard',
    summary: 'Discard a held census',
    description: 'Completes the census without terminating the missing people. Changes made by its rows remain.',
    returns: { 200: dataOf(CensusOutcome) },
    refuses: [refusals.census_sync_not_held],
    handle: (ctx, { located }) => changed(discardCensus(ctx, located), () => findCensusOutcome(ctx, located)),
  }),
]
