import { stripe } from '../../../integrations/stripe/stripe.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import type { Day } from '../../../kernel/days.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { cursorOf, readCursor } from '../../../http/cursors.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink, linkExpiry } from '../../../http/files/downloads.ts'
import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { operating } from '../../../runtime/permissions.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { findStripePdf } from '../../../integrations/stripe/stripe.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { issueInvoice, markInvoicePaid, runInvoiceDay, voidInvoice } from './actions.ts'
import { listInvoicesAcross } from './across-queries.ts'
import { listInvoiceAging } from './aging-queries.ts'
import { locatePdf } from './pdf-queries.ts'
import { findInvoice, locateInvoice, listInvoiceLines, listInvoices } from './queries.ts'
import { refusals } from './rules.ts'
import {
  Invoice,
  InvoiceAgingPage,
  InvoiceAgingPaging,
  InvoiceLinePage,
  InvoiceLinePaging,
  InvoiceFilter,
  InvoicePage,
  InvoicePaging,
  InvoicePayment,
  InvoiceRowFilter,
  InvoiceRowPage,
  InvoiceRun,
  InvoiceVoiding,
} from './schemas.ts'

const tag = 'Invoices'

/** What a partner and an employer's own token may read. */
const read = { tag, method: 'GET', allows: [...partner, 'employer_token'] } as const
const operated = { tag, allows: ['operator'], organization: 'none' } as const

const ofEmployer = { params: { employer_id: 'empr' }, locate: locateEmployer } as const
const anInvoice = { params: { employer_id: 'empr', invoice_id: 'text' }, locate: locateInvoice } as const
const shown = (resource: object) => data(JSON.stringify(resource))

const firstOf = (month: string | undefined) => (month === undefined ? null : (`${month}-01` as Day))

/** A page of an employer's invoices as the whole answer; undefined out of reach. */
async function pageOfInvoices(ctx: ReadCtx, employer_id: string, filter: InvoiceFilter) {
  const { limit, offset, status: statuses } = filter
  const list = `invoices ${employer_id}`
  const [period, number] = (offset === undefined ? undefined : readCursor(ctx, list, offset)) ?? []
  if (offset !== undefined && period === undefined) {
    if (!(await locateEmployer(ctx, { employer_id }))) return undefined
    refuse(generic.invalid_request, { field: 'offset', message: 'must be the next_offset of a page of this list' })
  }
  const after = period === undefined ? undefined : { period: String(period), number: Number(number) }
  const page = await listInvoices(ctx, employer_id, {
    limit,
    include_drafts: filter.include_drafts || statuses.includes('draft'),
    statuses,
    period_from: firstOf(filter.period_from),
    period_to: firstOf(filter.period_to),
    after,
  })
  if (!page) return undefined
  if (!page.has_account) refuse(refusals.employer_has_no_billing_account)
  const goes_on = page.last_period !== null && page.last_number !== null
  const next_offset = JSON.stringify(goes_on ? cursorOf(ctx, list, [page.last_period!, page.last_number!]) : null)
  const pagination = `{"limit":${limit},"next_offset":${next_offset}}`
  return `{"data":[${page.items}],"totals":${page.totals},"pagination":${pagination},"next_offset":${next_offset}}`
}

/** A page of the invoices of all employers of an organization as the whole answer; undefined out of reach. */
async function pageAcross(ctx: ReadCtx, organization_id: string, filter: InvoiceRowFilter) {
  const { limit, offset } = filter
  const list = `invoices of ${organization_id}`
  const [period, number] = (offset === undefined ? undefined : readCursor(ctx, list, offset)) ?? []
  if (offset !== undefined && period === undefined) {
    if (!(await locateOrganization(ctx, { organization_id }))) return undefined
    refuse(generic.invalid_request, { field: 'offset', message: 'must be the next_offset of a page of this list' })
  }
  const page = await listInvoicesAcross(ctx, organization_id, {
    ...filter,
    period_from: firstOf(filter.period_from),
    period_to: firstOf(filter.period_to),
    after: period === undefined ? undefined : { period: period as Day, number: Number(number) },
  })
  if (!page) return undefined
  const next_offset = JSON.stringify(page.next && cursorOf(ctx, list, page.next))
  return `{"data":[${page.items}],"pagination":{"limit":${limit},"next_offset":${next_offset}},"next_offset":${next_offset}}`
}

/** The link to the PDF of an invoice: Stripe's, once it has the invoice and as long as it is not void, else ours. */
async function linkToPdf(ctx: ReadCtx, params: { employer_id: string; invoice_id: string }) {
  const invoice = await locatePdf(ctx, params)
  if (!invoice) return undefined
  const { organization_id, stripe_invoice_id: id, stripe_secret_key_sealed: sealed } = invoice
  const download_url =
    id && sealed && (await findStripePdf(integrationOf(ctx, stripe), ctx.secrets.decrypt(sealed), id))
  if (download_url) return shown({ download_url, expires_at: linkExpiry(ctx) })
  return shown(await downloadLink(ctx, { kind: 'invoice_pdf', organization_id, id: params.invoice_id }))
}

const about_across =
  'Newest first. The next page is asked for with the `next_offset` of the one before as `offset`, until it is null: a ' +
  'page may hold fewer invoices than its limit, or none, and others come behind it. Drafts are left out unless ' +
  '`include_drafts=true`, or `status` names them.'

/** Of one organization: what employers of different ones owe is nobody's claim. */
const across = {
  tag,
  method: 'GET',
  allows: partner,
  organization: 'needed',
  roles: operating,
  scopes: ['read', 'money'],
} as const
const operatedAcross = {
  ...operated,
  method: 'GET',
  roles: roles_to.read,
  params: { organization_id: 'org' },
  locate: locateOrganization,
} as const

export const endpoints = [
  endpoint({
    ...across,
    operation: 'invoices_list',
    sdk: 'invoices.listAll',
    path: '/v1/invoices',
    summary: 'List the invoices of all employers',
    description: about_across,
    query: InvoiceRowFilter,
    returns: { 200: InvoiceRowPage },
    handle: (ctx, { query }) => pageAcross(ctx, onlyOrganization(ctx.caller), query),
  }),
  endpoint({
    ...across,
    operation: 'invoices_list_aging',
    sdk: 'invoices.listAging',
    path: '/v1/invoices/aging',
    summary: 'List what employers owe, by its age',
    description:
      'Each employer with invoices that are issued and neither paid nor void, the longest overdue first; and the ' +
      'same of all employers together.',
    query: InvoiceAgingPaging,
    returns: { 200: InvoiceAgingPage },
    handle: (ctx, { query }) => listInvoiceAging(ctx, onlyOrganization(ctx.caller), query),
  }),
  endpoint({
    ...read,
    ...ofEmployer,
    organization: 'header',
    operation: 'employers_list_invoices',
    sdk: 'invoices.list',
    roles: operating,
    scopes: ['read', 'money'],
    path: '/v1/employers/{employer_id}/invoices',
    summary: 'List the invoices of an employer',
    description:
      'Newest first. The next page is asked for with the `next_offset` of the one before as `offset`; on the last page ' +
      'it is null. Drafts are left out unless `include_drafts=true`, or `status` names them.',
    query: InvoiceFilter,
    returns: { 200: InvoicePage },
    refuses: [refusals.employer_has_no_billing_account],
    handle: (ctx, { params, query }) => pageOfInvoices(ctx, params.employer_id, query),
  }),
  endpoint({
    ...read,
    ...anInvoice,
    organization: 'header',
    operation: 'employers_get_invoice_pdf',
    sdk: 'invoices.getPdf',
    roles: operating,
    scopes: ['read', 'money'],
    path: '/v1/employers/{employer_id}/invoices/{invoice_id}/pdf',
    summary: 'Get a link to the PDF of an invoice',
    description:
      'The link opens for 15 minutes without a key, at once. A draft and a void invoice say so on every page. Where ' +
      'the organization collects with Stripe, the PDF is that of Stripe, from when the invoice is there until it is ' +
      'voided.',
    returns: { 200: dataOf(DownloadLink) },
    refuses: [generic.upstream_error],
    handle: (ctx, { params }) => linkToPdf(ctx, params),
  }),
  endpoint({
    ...read,
    ...anInvoice,
    organization: 'path',
    operation: 'employers_list_invoice_lines',
    sdk: 'invoices.listLines',
    roles: operating,
    scopes: ['read', 'money'],
    path: '/v1/employers/{employer_id}/invoices/{invoice_id}/lines',
    summary: 'List the lines of an invoice',
    description:
      'One for each enrollment that was covered on the 1st of the month, and one for each earlier month that ' +
      'was billed otherwise than is due by now. Their premiums add up to the total of the invoice.',
    query: InvoiceLinePaging,
    returns: { 200: InvoiceLinePage },
    handle: (ctx, { params, query }) => listInvoiceLines(ctx, params, query),
  }),
  endpoint({
    ...operatedAcross,
    operation: 'operator_list_all_invoices',
    sdk: 'invoices.listAll',
    path: '/operator/v1/organizations/{organization_id}/invoices',
    summary: 'List the invoices of all employers of an organization',
    description: about_across,
    query: InvoiceRowFilter,
    returns: { 200: InvoiceRowPage },
    handle: (ctx, { params, query }) => pageAcross(ctx, params.organization_id, query),
  }),
  endpoint({
    ...operatedAcross,
    operation: 'operator_list_invoice_aging',
    sdk: 'invoices.listAging',
    path: '/operator/v1/organizations/{organization_id}/invoices/aging',
    summary: 'List what the employers of an organization owe, by its age',
    description:
      'Each employer with invoices that are issued and neither paid nor void, the longest overdue first; and the ' +
      'same of all employers together.',
    query: InvoiceAgingPaging,
    returns: { 200: InvoiceAgingPage },
    handle: (ctx, { params, query }) => listInvoiceAging(ctx, params.organization_id, query),
  }),
  endpoint({
    ...operated,
    ...ofEmployer,
    operation: 'operator_list_invoices',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/invoices',
    summary: 'List the invoices of an employer',
    description: 'Newest first, page by page as partners get them, and drafts too.',
    query: InvoicePaging,
    returns: { 200: InvoicePage },
    refuses: [refusals.employer_has_no_billing_account],
    handle: (ctx, { params, query }) =>
      pageOfInvoices(ctx, params.employer_id, { ...query, status: [], include_drafts: true }),
  }),
  endpoint({
    ...operated,
    ...anInvoice,
    operation: 'operator_list_invoice_lines',
    sdk: 'invoices.listLines',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/lines',
    summary: 'List the lines of an invoice',
    description: 'What partners see of it.',
    query: InvoiceLinePaging,
    returns: { 200: InvoiceLinePage },
    handle: (ctx, { params, query }) => listInvoiceLines(ctx, params, query),
  }),
  endpoint({
    ...operated,
    ...anInvoice,
    operation: 'operator_get_invoice_pdf',
    sdk: 'invoices.getPdf',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/pdf',
    summary: 'Get a link to the PDF of an invoice',
    description: 'What partners get: it opens for 15 minutes without a key.',
    returns: { 200: dataOf(DownloadLink) },
    refuses: [generic.upstream_error],
    handle: (ctx, { params }) => linkToPdf(ctx, params),
  }),
  endpoint({
    ...operated,
    ...ofEmployer,
    operation: 'operator_run_invoice_day',
    roles: roles_to.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/run',
    summary: 'Bill the present month of an employer now',
    description:
      'The worker drafts the invoice within seconds, if there is anything to bill. It does so by itself on the ' +
      'first of the month; this is for after an invoice was voided.',
    returns: { 202: dataOf(InvoiceRun) },
    refuses: [refusals.invoice_already_drafted],
    handle: async (ctx, { located }) => shown(await runInvoiceDay(ctx, located)),
  }),
  endpoint({
    ...operated,
    ...anInvoice,
    operation: 'operator_issue_invoice',
    roles: roles_to.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue',
    summary: 'Issue an invoice',
    description: 'A draft is issued by itself on the third day after it was drafted. An open invoice stays as it is.',
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_paid, refusals.invoice_is_void],
    handle: async (ctx, { located }) => {
      await issueInvoice(ctx, located)
      return data(await findInvoice(ctx, located))
    },
  }),
  endpoint({
    ...operated,
    ...anInvoice,
    operation: 'operator_pay_invoice',
    roles: roles_to.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay',
    summary: 'Mark an invoice as paid',
    description: 'For an open invoice that was paid. A paid one stays as it is.',
    body: InvoicePayment,
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_draft, refusals.invoice_is_void],
    handle: async (ctx, { located, body }) => {
      await markInvoicePaid(ctx, located, body.paid_on)
      return data(await findInvoice(ctx, located))
    },
  }),
  endpoint({
    ...operated,
    ...anInvoice,
    operation: 'operator_void_invoice',
    roles: roles_to.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/void',
    summary: 'Void an invoice',
    description:
      'What it billed counts as not billed: the next invoice bills it, as far as it reaches. A void invoice ' +
      'stays as it is.',
    body: InvoiceVoiding,
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_paid],
    handle: async (ctx, { located, body }) => {
      await voidInvoice(ctx, located, body.reason ?? null)
      return data(await findInvoice(ctx, located))
    },
  }),
]
