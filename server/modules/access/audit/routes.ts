import type { ReadCtx } from '../../../runtime/ctx.ts'
import { data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { cursorPage, rowBefore } from '../../../http/cursors.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { administering } from '../../../runtime/permissions.ts'
import { linkToExport } from './actions.ts'
import { listEntries, type EntryPosition } from './queries.ts'
import { AuditEntryPage, AuditExport, AuditFilter, OperatorAuditExport, OperatorAuditFilter } from './schemas.ts'
import type { EntriesFilter } from './schemas.ts'

const theirs = {
  tag: 'Audit',
  method: 'GET',
  allows: partner,
  roles: administering,
  scopes: ['read', 'keys'],
  organization: 'needed',
} as const
const all = { tag: 'Audit', ...for_operators.read } as const

/** Returns a page of entries as the response body. */
async function pageOf(
  ctx: ReadCtx,
  requested: EntriesFilter,
  limit: number,
  offset: string | undefined,
): Promise<string> {
  const list = `audit entries ${requested.organization_id}`
  const from = (await rowBefore(ctx, list, offset, async () => true)) as EntryPosition | undefined
  return cursorPage(ctx, list, { limit, ...(await listEntries(ctx, requested, limit, from)) })
}

const about_pages =
  'Newest first. To get the next page, send `next_offset` of the previous page as `offset`, until it is null. A ' +
  'page may have fewer entries than its limit, or none, even if more pages follow.'
const about_delay = 'A request appears in the list within a second.'

export const endpoints = [
  endpoint({
    ...theirs,
    operation: 'audit_entries_list',
    path: '/v1/audit-entries',
    summary: 'List audit entries',
    description:
      'Returns each operation on the organization and its resources, with its time, caller, address and outcome. ' +
      `Operations of the operator are included. ${about_pages} ${about_delay}`,
    query: AuditFilter,
    returns: { 200: AuditEntryPage },
    handle: (ctx, { query: { limit, offset, ...filter } }) =>
      pageOf(ctx, { ...filter, organization_id: onlyOrganization(ctx.caller) }, limit, offset),
  }),
  endpoint({
    ...theirs,
    operation: 'audit_entries_export',
    path: '/v1/audit-entries/export',
    summary: 'Export audit entries',
    description:
      'Returns a link to a file of all matching entries, newest first. The file is generated when the link is opened.',
    query: AuditExport,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { query }) => data(await linkToExport(ctx, onlyOrganization(ctx.caller), query)),
  }),
  endpoint({
    ...all,
    operation: 'operator_list_audit_entries',
    sdk: 'auditEntries.list',
    path: '/operator/v1/audit-entries',
    summary: 'List audit entries',
    description:
      'Returns the entries of all organizations, including operations of no single organization, such as lists ' +
      `across all. ${about_pages} ${about_delay}`,
    query: OperatorAuditFilter,
    returns: { 200: AuditEntryPage },
    handle: (ctx, { query: { limit, offset, organization_id = null, ...filter } }) =>
      pageOf(ctx, { ...filter, organization_id }, limit, offset),
  }),
  endpoint({
    ...all,
    operation: 'operator_export_audit_entries',
    sdk: 'auditEntries.export',
    path: '/operator/v1/audit-entries/export',
    summary: 'Export audit entries',
    description:
      'Returns a link to a file of all matching entries, newest first. The file is generated when the link is opened.',
    query: OperatorAuditExport,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { query: { organization_id = null, ...requested } }) =>
      data(await linkToExport(ctx, organization_id, requested)),
  }),
]
