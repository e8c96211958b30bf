import type { ReadCtx } from '../../../runtime/ctx.ts'
import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { cursorOf, readCursor } from '../../../http/cursors.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { administering } from '../../../runtime/permissions.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { linkToExport } from './actions.ts'
import { listEntries, type Place } from './queries.ts'
import { AuditEntryPage, AuditExport, AuditFilter, OperatorAuditExport, OperatorAuditFilter } from './schemas.ts'
import type { EntriesAsked } from './schemas.ts'

const theirs = {
  tag: 'Audit',
  method: 'GET',
  allows: partner,
  roles: administering,
  scopes: ['read', 'keys'],
  organization: 'needed',
} as const
const all = { tag: 'Audit', method: 'GET', allows: ['operator'], roles: roles_to.read, organization: 'none' } as const

/** A page of entries as the whole answer. */
async function pageOf(ctx: ReadCtx, asked: EntriesAsked, limit: number, offset: string | undefined): Promise<string> {
  const list = `audit entries ${asked.organization_id}`
  const from = offset === undefined ? undefined : (readCursor(ctx, list, offset) as Place | undefined)
  if (offset !== undefined && !from)
    throw invalid({ field: 'offset', message: 'must be the next_offset of a page of this list' })
  const { items, next } = await listEntries(ctx, asked, limit, from)
  const next_offset = JSON.stringify(next && cursorOf(ctx, list, next))
  return `{"data":[${items}],"pagination":{"limit":${limit},"next_offset":${next_offset}},"next_offset":${next_offset}}`
}

const shown = (resource: object) => data(JSON.stringify(resource))

const about_pages =
  'Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: ' +
  'a page may hold fewer entries than its limit, or none, and others come behind it.'
const about_delay = 'What was read is in it within a second.'

export const endpoints = [
  endpoint({
    ...theirs,
    operation: 'audit_entries_list',
    path: '/v1/audit-entries',
    summary: 'List who read and did what',
    description:
      'Each operation on the organization and on what belongs to it, by whichever credential, the service’s operator ' +
      `included: when, who, from where, what, and with which outcome. ${about_pages} ${about_delay}`,
    query: AuditFilter,
    returns: { 200: AuditEntryPage },
    handle: (ctx, { query: { limit, offset, ...filter } }) =>
      pageOf(ctx, { ...filter, organization_id: onlyOrganization(ctx.caller) }, limit, offset),
  }),
  endpoint({
    ...theirs,
    operation: 'audit_entries_export',
    path: '/v1/audit-entries/export',
    summary: 'Get a link to the audit entries as a file',
    description: 'Of all that are asked for, newest first, as they are when the link is opened.',
    query: AuditExport,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { query }) => shown(await linkToExport(ctx, onlyOrganization(ctx.caller), query)),
  }),
  endpoint({
    ...all,
    operation: 'operator_list_audit_entries',
    sdk: 'auditEntries.list',
    path: '/operator/v1/audit-entries',
    summary: 'List who read and did what',
    description: `Of every organization, and what was of none, such as lists of all. ${about_pages} ${about_delay}`,
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
    summary: 'Get a link to the audit entries as a file',
    description: 'Of all that are asked for, newest first, as they are when the link is opened.',
    query: OperatorAuditExport,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { query: { organization_id = null, ...asked } }) =>
      shown(await linkToExport(ctx, organization_id, asked)),
  }),
]
