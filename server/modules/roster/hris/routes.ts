import { Paging } from '../../../kernel/pages.ts'
import { changed, data, dataOf, endpoint, made, partner, for_operators } from '../../../http/endpoint.ts'
import { everyone, operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { refusals as census_refusals } from '../census/rules.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import {
  confirmRun,
  connectEmployer,
  disconnectEmployer,
  pauseConnection,
  renewAccess,
  resumeConnection,
  syncNow,
  setSandboxPayroll,
  uploadRoster,
} from './actions.ts'
import {
  findConnection,
  locateConnection,
  findEmployerHris,
  listConnections,
  listHrisProviders,
  listOpenConnections,
} from './queries.ts'
import { findRun, listRunPeople, listRuns, locateRun } from './run-queries.ts'
import { refusals } from './rules.ts'
import {
  EmployerHris,
  HrisAccess,
  HrisConnection,
  HrisConnectionFilter,
  HrisConnectionList,
  HrisConnectionPage,
  HrisProviderList,
  HrisRun,
  HrisRunPage,
  HrisRunPersonFilter,
  HrisRunPersonPage,
  NewHrisConnection,
  sent_roster,
  sent_sandbox_payroll,
} from './schemas.ts'

const tag = 'HRIS'

const of_employer = { tag, locate: locateEmployer } as const
const a_connection = { tag, locate: locateConnection } as const
const a_run = { tag, locate: locateRun } as const

export const endpoints = [
  endpoint({
    operation: 'employers_list_hris_providers',
    sdk: 'hris.listProviders',
    method: 'GET',
    path: '/v1/employers/hris-providers',
    tag,
    summary: 'List HRIS providers',
    description:
      'Returns the payroll systems of the employers in the employer book, as values for its filter `hris_provider`.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'header',
    returns: { 200: HrisProviderList },
    handle: (ctx) => listHrisProviders(ctx),
  }),
  endpoint({
    operation: 'employers_get_hris',
    sdk: 'hris.get',
    method: 'GET',
    path: '/v1/employers/{employer_id}/hris',
    tag,
    summary: "Get an employer's HRIS connection",
    description:
      'Returns the connection. While it is `pending`, `active` or `inactive`, it maintains the roster, and requests ' +
      'that create employees or submit a census are refused. `pending`: nothing has been synced yet. `inactive`: the ' +
      'payroll system rejected our credentials.',
    allows: [...partner, 'employer_token'],
    roles: operating,
    scopes: ['read'],
    organization: 'header',
    locate: locateEmployer,
    returns: { 200: dataOf(EmployerHris) },
    handle: async (ctx, { params }) => data(await findEmployerHris(ctx, params)),
  }),
  endpoint({
    ...of_employer,
    operation: 'operator_connect_hris',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/hris-connections',
    summary: 'Connect an employer to its payroll system',
    description:
      'Connections with the sources `finch` and `sandbox` sync immediately, then every night. An employer has one ' +
      'connection at a time.',
    body: NewHrisConnection,
    returns: { 201: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_already_exists, refusals.sandbox_payroll_not_allowed],
    example: { source: 'csv', provider: 'paychex', provider_label: 'Paychex', columns: { reference_id: 'File #' } },
    handle: async (ctx, { located, body }) =>
      made(await connectEmployer(ctx, located, body), (id) => findConnection(ctx, { hris_connection_id: id })),
  }),
  endpoint({
    ...of_employer,
    operation: 'operator_list_hris_connections',
    ...for_operators.read,
    path: '/operator/v1/employers/{employer_id}/hris-connections',
    summary: "List an employer's connections",
    description: 'Returns the current and former connections, newest first.',
    returns: { 200: HrisConnectionList },
    handle: async (ctx, { params }) => data(await listConnections(ctx, params)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_get_hris_connection',
    ...for_operators.read,
    path: '/operator/v1/hris-connections/{hris_connection_id}',
    summary: 'Get a connection',
    returns: { 200: dataOf(HrisConnection) },
    handle: async (ctx, { params }) => data(await findConnection(ctx, params)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_pause_hris',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-connections/{hris_connection_id}/pause',
    summary: 'Pause a connection',
    description:
      'Pauses syncing until the connection is resumed. In the meantime, the partner may create employees and submit ' +
      'a census. When the connection resumes, these people are linked, not duplicated.',
    returns: { 200: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_has_ended, refusals.hris_connection_is_paused],
    handle: (ctx, { located }) => changed(pauseConnection(ctx, located), () => findConnection(ctx, located)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_resume_hris',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-connections/{hris_connection_id}/resume',
    summary: 'Resume a connection',
    description: 'Resumes the connection after a pause, or after access was restored, and syncs it immediately.',
    returns: { 200: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_has_ended, refusals.hris_connection_is_running],
    handle: (ctx, { located }) => changed(resumeConnection(ctx, located), () => findConnection(ctx, located)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_renew_hris_access',
    ...for_operators.administer,
    method: 'PUT',
    path: '/operator/v1/hris-connections/{hris_connection_id}/access-token',
    summary: 'Renew the access token of a connection',
    description:
      'Stores the token encrypted and tries it immediately, unless the connection is paused. An inactive connection ' +
      'resumes.',
    body: HrisAccess,
    returns: { 200: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_has_ended, refusals.hris_connection_without_token],
    example: { access_token: 'the new access token' },
    handle: (ctx, { located, body }) =>
      changed(renewAccess(ctx, located, body.access_token), () => findConnection(ctx, located)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_disconnect_hris',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-connections/{hris_connection_id}/disconnect',
    summary: 'Disconnect an employer',
    description:
      'Disconnects permanently: the access token is deleted, and the partner maintains the roster. No ' +
      'employee is terminated.',
    returns: { 200: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_has_ended],
    handle: (ctx, { located }) => changed(disconnectEmployer(ctx, located), () => findConnection(ctx, located)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_sync_hris',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-connections/{hris_connection_id}/sync',
    summary: 'Sync now',
    description: 'Returns the run that fetches all people. If a run is waiting for a retry, it is retried now.',
    returns: { 202: dataOf(HrisRun) },
    refuses: [
      refusals.hris_connection_has_ended,
      refusals.hris_connection_is_paused,
      refusals.hris_connection_is_inactive,
    ],
    handle: async (ctx, { located }) => made(await syncNow(ctx, located), (id) => findRun(ctx, { hris_run_id: id })),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_upload_hris_file',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-connections/{hris_connection_id}/upload',
    summary: 'Upload a roster file',
    description:
      'Uploads the whole roster as `text/csv` in UTF-8, UTF-16 or Windows-1252, or as JSON rows. People missing from ' +
      'it are terminated as of today. If there are too many of them, the run is `held`.',
    ...sent_roster,
    returns: { 202: dataOf(HrisRun) },
    refuses: [
      refusals.hris_connection_has_ended,
      refusals.hris_connection_is_paused,
      refusals.hris_connection_without_files,
      employers_refusals.employer_has_no_active_subscription,
    ],
    example: {
      rows: [
        {
          'File #': 'E-2001',
          'First Name': 'Grace',
          'Last Name': 'Murray',
          'Work Email': 'grace.murray@example.com',
          DOB: '12/09/1988',
          'Hire Date': '01/05/2026',
        },
      ],
    },
    handle: async (ctx, { located, body }) =>
      made(await uploadRoster(ctx, located, body.rows), (id) => findRun(ctx, { hris_run_id: id })),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_set_sandbox_payroll',
    ...for_operators.administer,
    method: 'PUT',
    path: '/operator/v1/hris-connections/{hris_connection_id}/payroll',
    summary: 'Set the fake payroll of a sandbox',
    description:
      'Sets the people of the fake payroll and the fault that it simulates in the next sync: `late`, ' +
      '`server_errors`, ' +
      '`rate_limited`, `garbage`, `half_page` and `access_lost` fetch nothing; `duplicate`, `rehire`, ' +
      '`future_termination` and `changed_email` affect the first person.',
    ...sent_sandbox_payroll,
    returns: { 200: dataOf(HrisConnection) },
    refuses: [refusals.hris_connection_has_ended, refusals.hris_connection_is_not_sandbox],
    example: { fault: 'server_errors', times: 2 },
    handle: (ctx, { located, body }) =>
      changed(setSandboxPayroll(ctx, located, body), () => findConnection(ctx, located)),
  }),
  endpoint({
    ...a_connection,
    operation: 'operator_list_hris_runs',
    ...for_operators.read,
    path: '/operator/v1/hris-connections/{hris_connection_id}/runs',
    summary: 'List the runs of a connection',
    description: 'Returns the runs, newest first.',
    query: Paging,
    returns: { 200: HrisRunPage },
    handle: (ctx, { params, query }) => listRuns(ctx, { connection_id: params.hris_connection_id }, query),
  }),
  endpoint({
    ...a_run,
    operation: 'operator_get_hris_run',
    ...for_operators.read,
    path: '/operator/v1/hris-runs/{hris_run_id}',
    summary: 'Get a run',
    description: 'Returns the run with the outcome of its census: the counts, and each row that failed.',
    returns: { 200: dataOf(HrisRun) },
    handle: async (ctx, { params }) => data(await findRun(ctx, params)),
  }),
  endpoint({
    ...a_run,
    operation: 'operator_list_hris_run_people',
    ...for_operators.read,
    path: '/operator/v1/hris-runs/{hris_run_id}/people',
    summary: 'List the people changed by a run',
    description:
      'Returns each changed person with the outcome. Rows that failed are in the run itself. All other people are ' +
      'unchanged.',
    query: HrisRunPersonFilter,
    returns: { 200: HrisRunPersonPage },
    handle: (ctx, { params, query }) => listRunPeople(ctx, params.hris_run_id, query),
  }),
  endpoint({
    ...a_run,
    operation: 'operator_confirm_hris_run',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/hris-runs/{hris_run_id}/confirm',
    summary: 'Confirm a held run',
    description: 'Terminates the people who are missing from the roster.',
    returns: { 200: dataOf(HrisRun) },
    refuses: [census_refusals.census_sync_not_held, census_refusals.census_sync_superseded],
    handle: (ctx, { located }) => changed(confirmRun(ctx, located), () => findRun(ctx, located)),
  }),
  endpoint({
    tag,
    operation: 'operator_list_open_hris_connections',
    ...for_operators.read,
    path: '/operator/v1/hris-connections',
    summary: 'List the connections of all employers',
    description:
      'Returns connections that are not disconnected, newest first, at most 1,000, each with the outcome of its last ' +
      'sync.',
    query: HrisConnectionFilter,
    returns: { 200: HrisConnectionPage },
    handle: (ctx, { query }) => listOpenConnections(ctx, query),
  }),
]
