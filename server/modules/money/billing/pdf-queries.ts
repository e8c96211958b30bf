import type { Ctx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { invoiceStatus, lineCause, namedInvoice, replacingInvoiceId } from './queries.ts'
import { tier_names } from '../../directory/catalog/schemas.ts'
import type { InvoiceStatus } from './rules.ts'

/** The identifiers of an invoice at Stripe, if it is collected there and was issued. Undefined if out of reach. */
export const locatePdf = read(
  'billing.locatePdf',
  `select invoice.organization_id, mirror.stripe_invoice_id, chosen.stripe_secret_key_sealed
     from invoices as invoice
     left join stripe_invoices as mirror
            on mirror.invoice_id = invoice.invoice_id and mirror.organization_id = invoice.organization_id
           and invoice.issued_at is not null and invoice.voided_at is null
     left join billing_systems as chosen on chosen.organization_id = invoice.organization_id
    where ${namedInvoice}`,
).row<{
  organization_id: string
  stripe_invoice_id: string | null
  stripe_secret_key_sealed: Buffer | null
}>

export type InOrganization = { organization_id: string; invoice_id: string }

/** SQL: the current state of a row `invoice` as its PDF shows it: due, or void with the replacing invoice. */
const present_state = `
  case when invoice.voided_at is null then 'due' else 'void ' || coalesce(${replacingInvoiceId}, '') end`

/** A stored PDF that shows the current state of its invoice. */
type KeptPdf = { rendered_state: string; bytes: number }

export const findKeptPdf = statement(
  'billing.findKeptPdf',
  `select kept.rendered_state, length(kept.pdf) as bytes
     from invoice_pdfs as kept
     join invoices as invoice on invoice.invoice_id = kept.invoice_id and invoice.organization_id = :organization_id
    where kept.invoice_id = :invoice_id and kept.organization_id = :organization_id
      and kept.rendered_state = ${present_state}`,
).row<KeptPdf>

/** In bytes. */
const pdf_piece = 256 * 1024

const piece_read = statement(
  'billing.readPdf',
  `select substring(pdf from :start::int for ${pdf_piece}) as piece from invoice_pdfs
    where invoice_id = :invoice_id and organization_id = :organization_id and rendered_state = :rendered_state`,
)

/** A stored PDF in pieces. Throws if it is replaced in the meantime with a PDF of another state. */
export async function* readPdf(
  ctx: Ctx,
  invoice: InOrganization,
  { rendered_state, bytes }: KeptPdf,
): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes; index += pdf_piece) {
    const read = await piece_read.row<{ piece: Buffer }>(ctx, { ...invoice, rendered_state, start: index + 1 })
    if (!read) throw new Error(`The PDF of ${invoice.invoice_id} was replaced while it was read.`)
    yield read.piece
  }
}

const document = statement(
  'billing.findDocument',
  `select ${invoiceStatus} as status, ${present_state} as rendered_state,
          json_build_object(
            'invoice_id', invoice.invoice_id, 'organization_name', organization.name,
            'employer', json_build_object(
              'name', invoice.employer_name, 'legal_name', invoice.employer_legal_name,
              'address_line_1', invoice.address_line_1, 'address_line_2', invoice.address_line_2,
              'city', invoice.city, 'state', invoice.state, 'zipcode', invoice.zipcode),
            'period', invoice.period, 'status', ${invoiceStatus}, 'drafted_on', invoice.drafted_on,
            'issued_on', invoice.issued_on, 'due_on', invoice.due_on, 'voided_on', invoice.voided_on,
            'void_reason', invoice.void_reason, 'replaced_by', ${replacingInvoiceId},
            'lines', (select coalesce(json_agg(json_build_object(
                               'employee_name', line.employee_name, 'benefit_name', line.benefit_name,
                               'plan_name', line.plan_name,
                               'coverage_tier', :tier_names::jsonb ->> line.coverage_tier,
                               'month', line.month, 'cause', ${lineCause('invoice')},
                               'kind', case line.kind when 'coverage' then 'coverage' else 'adjustment' end,
                               'premium_in_cents', line.premium_in_cents,
                               'employer_contribution_in_cents', line.employer_contribution_in_cents,
                               'employee_deduction_in_cents', line.employee_deduction_in_cents)
                             order by line.employee_name, line.employee_id, line.month, line.position), '[]')
                        from invoice_lines as line
                       where line.invoice_id = invoice.invoice_id and line.organization_id = :organization_id),
            'totals', json_build_object(
              'premium_in_cents', invoice.total_in_cents,
              'employer_contribution_in_cents', invoice.employer_contribution_in_cents,
              'employee_deduction_in_cents', invoice.employee_deduction_in_cents))::text as document
     from invoices as invoice
     join organizations as organization on organization.id = :organization_id
    where invoice.invoice_id = :invoice_id and invoice.organization_id = :organization_id
      and invoice.drafted_at is not null`,
)

/** The contents of an invoice for the PDF, as JSON, sorted by employee name. Undefined if it does not exist. */
export const findDocument = (ctx: Ctx, invoice: InOrganization) =>
  document.row<{ status: InvoiceStatus; rendered_state: string; document: string }>(ctx, {
    ...invoice,
    tier_names: JSON.stringify(tier_names),
  })

/** Stores the PDF of an invoice and replaces one with another state, unless this one is itself outdated. */
export const savePdf = statement(
  'billing.savePdf',
  `insert into invoice_pdfs as kept (organization_id, invoice_id, pdf, rendered_state, rendered_at)
   select :organization_id, :invoice_id, :pdf, :rendered_state, :real_now from invoices as invoice
    where invoice.invoice_id = :invoice_id and invoice.organization_id = :organization_id
      and ${present_state} = :rendered_state
   on conflict (invoice_id, organization_id)
   do update set pdf = excluded.pdf, rendered_state = excluded.rendered_state, rendered_at = excluded.rendered_at
    where kept.rendered_state <> excluded.rendered_state`,
).rows
