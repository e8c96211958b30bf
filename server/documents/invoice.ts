// oxlint-disable-next-line import/no-named-as-default -- its types have the default alone
import PDFDocument from 'pdfkit'
import { drawFoot, drawHead, drawStamp, textsOf, titleOf } from './invoice-page.ts'
import { loadFaces } from './fonts.ts'
import { monthName, page, type Section, sectionsOf } from './invoice-tables.ts'
import { drawRow, layRow, paginate, type Placed, type Structure, type Table } from './table.ts'
import type { Pen } from './text.ts'

/** What an invoice says, days as `YYYY-MM-DD`. Everything is plain data; `renderInvoice` asks nobody for more. */
export type InvoiceDocument = {
  invoice_id: string
  organization_name: string
  employer: {
    name: string
    legal_name: string
    address_line_1: string
    address_line_2: string | null
    city: string
    state: string
    zipcode: string
  }
  /** The first day of the month that is billed. */
  period: string
  /** A draft says that it is one, and a void invoice that nothing is to be paid. */
  status: 'draft' | 'open' | 'paid' | 'void'
  drafted_on: string
  /** Null in a draft, and in one that was voided as such. */
  issued_on: string | null
  due_on: string | null
  voided_on: string | null
  /** In the order in which they are printed within their kind. */
  lines: InvoiceDocumentLine[]
  /** Of all lines, coverage and adjustments. */
  totals: InvoiceAmounts
}

export type InvoiceDocumentLine = InvoiceAmounts & {
  employee_name: string
  benefit_name: string
  plan_name: string
  coverage_tier: string
  /** The first day of the month that is billed; for an adjustment, an earlier one. */
  month: string
  kind: 'coverage' | 'adjustment'
}

/** Cents; an adjustment's may be negative. Premium = employer contribution + employee deduction. */
export type InvoiceAmounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/**
 * The PDF of an invoice, on US Letter. The same document gives the same bytes. It keeps its thread busy: see
 * rendering.ts.
 */
export async function renderInvoice(document: InvoiceDocument): Promise<Buffer> {
  const doc = new PDFDocument({ ...optionsOf(document) })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const sections = sectionsOf(document)
  const pen = { doc, faces: await loadFaces(textsOf(document, sections)) }
  const tables = sections.map((section) => layTable(pen, section))
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.addPage()
  drawStamp(pen, document)
  const top = drawHead(pen, document, root)
  drawPages(pen, document, root, paginate(tables, top, page.margin, page.bottom))
  root.end()
  doc.end()
  return done
}

const optionsOf = (document: InvoiceDocument) => ({
  size: [page.width, page.height] as [number, number],
  margin: 0,
  autoFirstPage: false,
  font: null as never,
  pdfVersion: '1.7' as const,
  lang: 'en-US',
  tagged: true,
  displayTitle: true,
  info: {
    Title:
      `${titleOf(document)} ${document.invoice_id}, ${monthName(document.period)}, ` +
      `${document.employer.legal_name}`,
    Author: document.organization_name,
    Subject: `Benefits billed for ${monthName(document.period)}`,
    Creator: 'OpenBenefits',
    Producer: 'PDFKit',
    CreationDate: new Date(`${document.voided_on ?? document.issued_on ?? document.drafted_on}T12:00:00Z`),
  },
})

const layTable = (pen: Pen, { columns, rows }: Section): Table => ({
  columns,
  rows: rows.map((row) => layRow(pen, columns, row)),
})

function drawPages(pen: Pen, document: InvoiceDocument, root: Structure, pages: Placed[][]): void {
  const elements = new Map<Table, Structure>()
  for (const [index, rows] of pages.entries()) {
    if (index > 0) {
      pen.doc.addPage()
      drawStamp(pen, document)
    }
    for (const { table, row, y, repeated } of rows) {
      if (!elements.has(table)) {
        const element = pen.doc.struct('Table')
        root.add(element)
        elements.set(table, element)
      }
      drawRow(pen, table.columns, row, page.margin, y, repeated ? undefined : elements.get(table))
    }
    drawFoot(pen, document, index + 1, pages.length)
  }
  for (const element of elements.values()) element.end()
}
