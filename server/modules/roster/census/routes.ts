import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { refusals as employees_refusals } from '../employees/rules.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import { confirmCensus, discardCensus, rehearseCensus, submitCensus } from './actions.ts'
import { listCensusSyncs, listOpenCensusSyncs, locateAnyCensus } from './list-queries.ts'
import { findAnyCensusOutcome, findCensusOutcome } from './outcome-queries.ts'
import { locateCensus } from './queries.ts'
import { refusals } from './rules.ts'
import {
  CensusAcceptance,
  CensusOptions,
  CensusOutcome,
  CensusSyncPage,
  CensusSyncPaging,
  OpenCensusSyncFilter,
  OpenCensusSyncPage,
  sent_census,
} from './schemas.ts'

const tag = 'Census'

const a_census = {
  allows: partner,
  organization: 'path',
  params: { employer_id: 'empr', census_sync_id: 'csyn' },
  locate: locateCensus,
} as const

const of_employer = { params: { employer_id: 'empr' }, locate: locateEmployer } as const
const operators = { tag, allows: ['operator'], organization: 'none' } as const
const any_census = { ...operators, params: { census_sync_id: 'csyn' }, locate: locateAnyCensus } as const

export const endpoints = [
  endpoint({
    operation: 'employers_submit_census_sync',
    sdk: 'census.submit',
    method: 'POST',
    path: '/v1/employers/{employer_id}/census-sync',
    tag,
    summary: 'Submit a census',
    description:
      'Processes 1 to 10,000 rows asynchronously. People are matched, never duplicated and never ' +
      'guessed; a row that fails is reported, the others go through. With `mode=replace` people ' +
      'missing from the body are terminated as of today; when that would end over 20 % of the roster ' +
      'and 5 people, or anybody while a row was refused, the sync is `held` until confirmed. ' +
      'With `dry_run=true` the answer is a 200 with the outcome, and nothing changes. Other query parameters ' +
      'are refused.',
    allows: partner,
    roles: operating,
    scopes: ['write', 'people'],
    organization: 'path',
    params: { employer_id: 'empr' },
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
        const outcome = await rehearseCensus(ctx, located, staged!, query.mode)
        return { status: 200, body: JSON.stringify({ data: outcome }) }
      }
      return {
        status: 202,
        body: JSON.stringify({ data: await submitCensus(ctx, located, staged!, query.mode) }),
      }
    },
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_list_census_syncs',
    sdk: 'census.list',
    roles: operating,
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/census-sync',
    tag,
    summary: 'List the censuses of an employer',
    description: 'The latest first, without their rows.',
    allows: partner,
    organization: 'path',
    query: CensusSyncPaging,
    returns: { 200: CensusSyncPage },
    handle: (ctx, { params, query }) => listCensusSyncs(ctx, params.employer_id, query),
  }),
  endpoint({
    operation: 'employers_get_census_sync',
    sdk: 'census.get',
    roles: operating,
    scopes: ['read', 'people'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/census-sync/{census_sync_id}',
    tag,
    summary: 'Get the outcome of a census',
    description: 'Readable while the census runs: `processed_count` of `row_count` rows are done.',
    ...a_census,
    returns: { 200: dataOf(CensusOutcome) },
    handle: async (ctx, { params }) => data(await findCensusOutcome(ctx, params)),
  }),
  endpoint({
    operation: 'employers_confirm_census_sync',
    sdk: 'census.confirm',
    roles: operating,
    scopes: ['write', 'people'],
    method: 'POST',
    path: '/v1/employers/{employer_id}/census-sync/{census_sync_id}/confirm',
    tag,
    summary: 'Confirm a held census',
    description: 'Lets a replacing census that is `held` terminate the people who are missing from it.',
    ...a_census,
    returns: { 200: dataOf(CensusOutcome) },
    refuses: [
      refusals.census_sync_not_held,
      employees_refusals.employer_has_hris_connection,
      refusals.census_sync_superseded,
    ],
    handle: async (ctx, { located }) => {
      await confirmCensus(ctx, located)
      return data(await findCensusOutcome(ctx, located))
    },
  }),
  endpoint({
    ...operators,
    operation: 'operator_list_open_census_syncs',
    sdk: 'census.listOpen',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/census-syncs',
    summary: 'List the censuses that are under way or held',
    description: 'Of every employer, the oldest first.',
    query: OpenCensusSyncFilter,
    returns: { 200: OpenCensusSyncPage },
    handle: (ctx, { query }) => listOpenCensusSyncs(ctx, query),
  }),
  endpoint({
    ...operators,
    ...of_employer,
    operation: 'operator_list_census_syncs',
    sdk: 'census.list',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/census-syncs',
    summary: 'List the censuses of an employer',
    description: 'The latest first, without their rows.',
    query: CensusSyncPaging,
    returns: { 200: CensusSyncPage },
    handle: (ctx, { params, query }) => listCensusSyncs(ctx, params.employer_id, query),
  }),
  endpoint({
    ...any_census,
    operation: 'operator_get_census_sync',
    sdk: 'census.get',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/census-syncs/{census_sync_id}',
    summary: 'Get the outcome of a census',
    returns: { 200: dataOf(CensusOutcome) },
    handle: async (ctx, { params }) => data(await findAnyCensusOutcome(ctx, params)),
  }),
  endpoint({
    ...any_census,
    operation: 'operator_confirm_census_sync',
    sdk: 'census.confirm',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/census-syncs/{census_sync_id}/confirm',
    summary: 'Confirm a held census',
    description: 'Has the people who are missing from it terminated, as its partner can.',
    returns: { 200: dataOf(CensusOutcome) },
    refuses: [
      refusals.census_sync_not_held,
      employees_refusals.employer_has_hris_connection,
      refusals.census_sync_superseded,
    ],
    handle: async (ctx, { located }) => {
      await confirmCensus(ctx, located)
      return data(await findAnyCensusOutcome(ctx, located))
    },
  }),
  endpoint({
    ...any_census,
    operation: 'operator_discard_census_sync',
    sdk: 'census.discard',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/census-syncs/{census_sync_id}/discard',
    summary: 'Let a held census end nobody',
    description:
      'It is completed, and who is missing from it stays. What its rows said was done before, and stays done.',
    returns: { 200: dataOf(CensusOutcome) },
    refuses: [refusals.census_sync_not_held],
    handle: async (ctx, { located }) => {
      await discardCensus(ctx, located)
      return data(await findAnyCensusOutcome(ctx, located))
    },
  }),
]
