import { Paging } from '../../../kernel/pages.ts'
import { link_minutes, DownloadLink } from '../../../http/files/download-link.ts'
import { stripe, findStripePdf } from '../../../integrations/stripe/stripe.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import type { Day } from '../../../kernel/days.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { cursorPage, rowBefore } from '../../../http/cursors.ts'
import { downloadLink, linkExpiry } from '../../../http/files/downloads.ts'
import { alsoForOperators, changed, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { operating } from '../../../runtime/permissions.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { issueInvoice, markInvoicePaid, runInvoiceDay, voidInvoice } from './actions.ts'
import { listInvoicesAcross, listInvoiceAging } from './list-queries.ts'
import { locatePdf } from './pdf-queries.ts'
import { findInvoice, locateInvoice, listInvoiceLines, listInvoices } from './queries.ts'
import { refusals } from './rules.ts'
import {
  Invoice,
  InvoiceAgingPage,
  InvoiceLineFilter,
  InvoiceLinePage,
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

/** The common parts of reads for partners and an employer's own token. */
const read = { tag, method: 'GET', allows: [...partner, 'employer_token'] } as const

const firstOf = (month: string | undefined) => (month === undefined ? null : (`${month}-01` as Day))

/** A page of an employer's invoices as the response body. Undefined if out of reach. */
async function pageOfInvoices(ctx: ReadCtx, employer_id: string, filter: InvoiceFilter) {
  const { limit, offset, status: statuses } = filter
  const list = `invoices ${employer_id}`
  const [period, number] = (await rowBefore(ctx, list, offset, () => locateEmployer(ctx, { employer_id }))) ?? []
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
  const { items, totals, last_period, last_number } = page
  const next = last_period !== null && last_number !== null ? [last_period, last_number] : null
  return cursorPage(ctx, list, { items, limit, next, fields: `"totals":${totals},` })
}

/** A page of the invoices of all employers of an organization as the response body. Undefined if out of reach. */
async function pageAcross(ctx: ReadCtx, organization_id: string, filter: InvoiceRowFilter) {
  const { limit, offset } = filter
  const list = `invoices of ${organization_id}`
  const [period, number] =
    (await rowBefore(ctx, list, offset, () => locateOrganization(ctx, { organization_id }))) ?? []
  const page = await listInvoicesAcross(ctx, organization_id, {
    ...filter,
    period_from: firstOf(filter.period_from),
    period_to: firstOf(filter.period_to),
    after: period === undefined ? undefined : { period: period as Day, number: Number(number) },
  })
  if (!page) return undefined
  return cursorPage(ctx, list, { items: page.items, limit, next: page.next })
}

/** The link to the PDF of an invoice: at Stripe once it has the invoice and until it is void, otherwise here. */
async function linkToPdf(ctx: ReadCtx, params: { employer_id: string; invoice_id: string }) {
  const invoice = await locatePdf(ctx, params)
  if (!invoice) return undefined
  const { organization_id, stripe_invoice_id: id, stripe_secret_key_sealed: sealed } = invoice
  const download_url =
    id && sealed && (await findStripePdf(integrationOf(ctx, stripe), ctx.secrets.decrypt(sealed), id))
  if (download_url) return data({ download_url, expires_at: linkExpiry(ctx) })
  return data(await downloadLink(ctx, { kind: 'invoice_pdf', organization_id, id: params.invoice_id }))
}

const about_across =
  'Returns the invoices, newest first. To get the next page, send `next_offset` of the previous page as `offset`, ' +
  'until it is null. A page may have fewer invoices than its limit, or none, even if more pages follow. Drafts are ' +
  'omitted unless you send `include_drafts=true` or filter by that status.'

/** One organization per request, because amounts owed to different organizations cannot be added up. */
const across = {
  tag,
  method: 'GET',
  allows: partner,
  organization: 'needed',
  roles: operating,
  scopes: ['read', 'money'],
} as const
const operatedAcross = { tag, ...for_operators.read, locate: locateOrganization } as const

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
    path: '/v1/invoices/aging',
    summary: 'List the amounts that employers owe, by age',
    description:
      'Returns each employer with invoices that are issued and neither paid nor void, longest overdue first, and ' +
      'the totals of all employers.',
    query: Paging,
    returns: { 200: InvoiceAgingPage },
    handle: (ctx, { query }) => listInvoiceAging(ctx, { organization_id: onlyOrganization(ctx.caller) }, query),
  }),
  endpoint({
    ...read,
    locate: locateEmployer,
    organization: 'header',
    operation: 'employers_list_invoices',
    sdk: 'invoices.list',
    roles: operating,
    scopes: ['read', 'money'],
    path: '/v1/employers/{employer_id}/invoices',
    summary: 'List the invoices of an employer',
    description:
      'Returns the invoices, newest first. To get the next page, send `next_offset` of the previous page as ' +
      '`offset`, until it is null. Drafts are omitted unless you send `include_drafts=true` or filter by that status.',
    query: InvoiceFilter,
    returns: { 200: InvoicePage },
    refuses: [refusals.employer_has_no_billing_account],
    handle: (ctx, { params, query }) => pageOfInvoices(ctx, params.employer_id, query),
  }),
  ...alsoForOperators(
    endpoint({
      ...read,
      locate: locateInvoice,
      organization: 'header',
      operation: 'employers_get_invoice_pdf',
      sdk: 'invoices.getPdf',
      roles: operating,
      scopes: ['read', 'money'],
      path: '/v1/employers/{employer_id}/invoices/{invoice_id}/pdf',
      summary: 'Get a link to the PDF of an invoice',
      description:
        `The link works for ${link_minutes} minutes without a key. Drafts and void invoices are marked on every ` +
        'page. If the organization collects with Stripe, the link leads to the PDF at Stripe, once Stripe has the ' +
        'invoice and until it is voided.',
      returns: { 200: dataOf(DownloadLink) },
      refuses: [generic.upstream_error],
      handle: (ctx, { params }) => linkToPdf(ctx, params),
    }),
    {
      operation: 'operator_get_invoice_pdf',
      description: `Returns the same link as the partner endpoint. It works for ${link_minutes} minutes without a key.`,
      ...for_operators.read,
    },
  ),
  ...alsoForOperators(
    endpoint({
      ...read,
      locate: locateInvoice,
      operation: 'employers_list_invoice_lines',
      sdk: 'invoices.listLines',
      roles: operating,
      scopes: ['read', 'money'],
      path: '/v1/employers/{employer_id}/invoices/{invoice_id}/lines',
      summary: 'List the lines of an invoice',
      description:
        'Returns a line for each enrollment that was covered on the 1st of the month, and an adjustment for each ' +
        'earlier month that was billed incorrectly. The premiums of the lines add up to the total of the invoice.',
      query: InvoiceLineFilter,
      returns: { 200: InvoiceLinePage },
      handle: (ctx, { params, query }) => listInvoiceLines(ctx, params, query),
    }),
    {
      operation: 'operator_list_invoice_lines',
      description: 'Returns the fields that partners see.',
      ...for_operators.read,
    },
  ),
  endpoint({
    ...operatedAcross,
    operation: 'operator_list_all_invoices',
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
    path: '/operator/v1/organizations/{organization_id}/invoices/aging',
    summary: 'List the amounts that the employers of an organization owe, by age',
    description:
      'Returns each employer with invoices that are issued and neither paid nor void, longest overdue first, and ' +
      'the totals of all employers.',
    query: Paging,
    returns: { 200: InvoiceAgingPage },
    handle: (ctx, { params, query }) => listInvoiceAging(ctx, params, query),
  }),
  endpoint({
    tag,
    locate: locateEmployer,
    operation: 'operator_list_invoices',
    ...for_operators.read,
    path: '/operator/v1/employers/{employer_id}/invoices',
    summary: 'List the invoices of an employer',
    description: 'Returns the invoices, newest first, in the same pages as the partner endpoint, and includes drafts.',
    query: InvoicePaging,
    returns: { 200: InvoicePage },
    refuses: [refusals.employer_has_no_billing_account],
    handle: (ctx, { params, query }) =>
      pageOfInvoices(ctx, params.employer_id, { ...query, status: [], include_drafts: true }),
  }),
  endpoint({
    tag,
    locate: locateEmployer,
    operation: 'operator_run_invoice_day',
    ...for_operators.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/run',
    summary: 'Draft the current month of an employer',
    description:
      'The worker drafts the invoice within seconds if there is anything to bill. It does so automatically on the ' +
      'first of each month. Use this operation after voiding an invoice.',
    returns: { 202: dataOf(InvoiceRun) },
    refuses: [refusals.invoice_already_drafted],
    handle: async (ctx, { located }) => data(await runInvoiceDay(ctx, located)),
  }),
  endpoint({
    tag,
    locate: locateInvoice,
    operation: 'operator_issue_invoice',
    ...for_operators.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue',
    summary: 'Issue an invoice',
    description:
      'Makes a draft payable. Drafts are issued automatically three days after they were drafted. An open invoice ' +
      'stays unchanged.',
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_paid, refusals.invoice_is_void],
    handle: (ctx, { located }) => changed(issueInvoice(ctx, located), () => findInvoice(ctx, located)),
  }),
  endpoint({
    tag,
    locate: locateInvoice,
    operation: 'operator_pay_invoice',
    ...for_operators.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay',
    summary: 'Mark an invoice as paid',
    description: 'Records the payment of an open invoice. A paid invoice stays unchanged.',
    body: InvoicePayment,
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_draft, refusals.invoice_is_void],
    handle: (ctx, { located, body }) =>
      changed(markInvoicePaid(ctx, located, body.paid_on), () => findInvoice(ctx, located)),
  }),
  endpoint({
    tag,
    locate: locateInvoice,
    operation: 'operator_void_invoice',
    ...for_operators.bill,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{invoice_id}/void',
    summary: 'Void an invoice',
    description:
      'Cancels the invoice. The next invoice within the correction window bills its amounts again. A void invoice ' +
      'stays unchanged.',
    body: InvoiceVoiding,
    returns: { 200: dataOf(Invoice) },
    refuses: [refusals.invoice_is_paid],
    handle: (ctx, { located, body }) =>
      changed(voidInvoice(ctx, located, body.reason ?? null), () => findInvoice(ctx, located)),
  }),
]
