import { Paging } from '../../../kernel/pages.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { data, dataOf, endpoint, made, partner } from '../../../http/endpoint.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import { operating } from '../../../runtime/permissions.ts'
import { scheduleExport } from './actions.ts'
import { deleteExport, findExport, listExports, locateExport } from './queries.ts'
import { refusals } from './rules.ts'
import { DeletedScheduledExport, NewScheduledExport, ScheduledExport, ScheduledExportPage } from './schemas.ts'

const shared = { tag: 'Scheduled exports', allows: partner, roles: operating } as const
const path = '/v1/scheduled-exports'

export const endpoints = [
  endpoint({
    ...shared,
    operation: 'scheduled_exports_list',
    method: 'GET',
    path,
    summary: 'List the scheduled exports',
    description: 'Lists the exports of your organization, newest first, each with its latest deliveries.',
    scopes: ['read'],
    organization: 'needed',
    query: Paging,
    returns: { 200: ScheduledExportPage },
    handle: (ctx, { query }) => listExports(ctx, { organization_id: onlyOrganization(ctx.caller) }, query),
  }),
  endpoint({
    ...shared,
    operation: 'scheduled_exports_create',
    method: 'POST',
    path,
    summary: 'Schedule an export',
    description:
      'Sends a list as a file by email, to members of your organization. The daily run of the organization sends it, ' +
      'for the first time after today. Each recipient gets a message of their own, whose file has only the rows and ' +
      'amounts that the recipient may see. A sandbox sends no email.',
    scopes: ['write'],
    organization: 'needed',
    body: NewScheduledExport,
    returns: { 201: dataOf(ScheduledExport) },
    refuses: [refusals.exports_need_email, refusals.too_many_scheduled_exports],
    example: { name: 'Employers, each Monday', list: 'employers', format: 'xlsx', frequency: 'weekly' },
    handle: async (ctx, { body }) =>
      made(await scheduleExport(ctx, actingOrganization(ctx.caller), body), (id) =>
        findExport(ctx, { scheduled_export_id: id }),
      ),
  }),
  endpoint({
    ...shared,
    operation: 'scheduled_exports_get',
    method: 'GET',
    path: `${path}/{scheduled_export_id}`,
    summary: 'Get a scheduled export',
    scopes: ['read'],
    locate: locateExport,
    returns: { 200: dataOf(ScheduledExport) },
    handle: async (ctx, { params }) => data(await findExport(ctx, params)),
  }),
  endpoint({
    ...shared,
    operation: 'scheduled_exports_delete',
    method: 'DELETE',
    path: `${path}/{scheduled_export_id}`,
    summary: 'Delete a scheduled export',
    description: 'Deletes the export with its deliveries. Files that wait to be sent are discarded.',
    scopes: ['write'],
    locate: locateExport,
    returns: { 200: dataOf(DeletedScheduledExport) },
    handle: async (ctx, { located }) =>
      data((await deleteExport(ctx, located)) ? JSON.stringify({ id: located.scheduled_export_id }) : undefined),
  }),
]
