import type { InvoiceDocument } from './invoice.ts'
import type { Weight } from './fonts.ts'
import { dayName, dollar, monthName, sectionsOf } from './invoice-tables.ts'
import { page, styles, writeIn, writePdf } from './pdf-pages.ts'
import type { Structure } from './table.ts'
import { drawLine, lineOf, type Pen, type Style } from './text.ts'

const { margin } = page
const right = page.width - margin
const middle = 366
const left = { x: margin, width: middle - margin - 24 }

const large: Style = { weight: 'bold', size: 22, color: '#1b2430' }
const sender: Style = { weight: 'bold', size: 11, color: '#1b2430' }
const receiver: Style = { weight: 'bold', size: 10, color: '#1b2430' }
const address: Style = { weight: 'regular', size: 9, color: '#1b2430' }
const due: Style = { weight: 'bold', size: 10, color: '#1b2430' }

export async function renderInvoice(document: InvoiceDocument): Promise<Buffer> {
  const sections = sectionsOf(document)
  const month = monthName(document.period)
  return writePdf({
    info: {
      Title: `${titleOf(document)} ${document.invoice_id}, ${month}, ${document.employer.legal_name}`,
      Author: document.organization_name,
      Subject: `Benefits billed for ${month}`,
      made_on: document.voided_on ?? document.issued_on ?? document.drafted_on,
    },
    lang: 'en-US',
    sections,
    texts: textsOf(document),
    drawHead: (pen, root) => drawHead(pen, document, root),
    drawUnder: (pen) => drawStamp(pen, document),
    foot: footOf(document),
    pageOf: (number, count) => `Page ${number} of ${count}`,
  })
}

/** Draws the sender, the recipient, the subject and the due date. Returns where the tables begin. */
function drawHead(pen: Pen, document: InvoiceDocument, root: Structure): number {
  const write = writeIn(pen, root)
  write('H1', titleOf(document), large, { x: middle, y: margin + 16, width: right - middle })
  const below_sender = write('P', document.organization_name, sender, { ...left, y: margin + 12 })

  const top = Math.max(below_sender + 24, 112)
  let y = write('P', 'Billed to', styles.label, { ...left, y: top }) + 3
  for (const [index, line] of receiverOf(document).entries())
    y = write('P', line, index === 0 ? receiver : address, { ...left, y }, 3)

  let fact_y = top
  for (const [label, value] of factsOf(document)) {
    write('P', label, styles.label, { x: middle, y: fact_y, width: 84 })
    const style = strong_labels.has(label) ? due : address
    const below = write('P', value, style, { x: middle + 88, y: fact_y, width: right - middle - 88 })
    fact_y = below + 4
  }
  return Math.max(y, fact_y) + 14
}

/** The legal name, the name if it differs, and the address. */
function receiverOf({ employer }: InvoiceDocument): string[] {
  const name = employer.name === employer.legal_name ? [] : [employer.name]
  const second = employer.address_line_2 ? [employer.address_line_2] : []
  const town = `${employer.city}, ${employer.state} ${employer.zipcode}`
  return [employer.legal_name, ...name, employer.address_line_1, ...second, town]
}

const strong_labels = new Set(['Payment due', 'Total due', 'Credit', 'Status'])

function factsOf(document: InvoiceDocument): [string, string][] {
  const { invoice_id, period, drafted_on, issued_on, due_on, voided_on, void_reason, replaced_by, totals } = document
  const total = totals.premium_in_cents
  const facts: [string, string | null][] = [
    ['Invoice number', invoice_id],
    ['Period', monthName(period)],
    issued_on === null ? ['Drafted', dayName(drafted_on)] : ['Issued', dayName(issued_on)],
  ]
  if (stampOf(document)) {
    if (voided_on !== null)
      facts.push(['Voided', dayName(voided_on)], ['Reason', void_reason], ['Replaced by', replaced_by])
    facts.push(['Total', dollar(total)], ['Status', `${stampOf(document)}: do not pay`])
  } else if (total < 0) facts.push(['Credit', dollar(-total)])
  else facts.push(['Payment due', due_on && dayName(due_on)], ['Total due', dollar(total)])
  return facts.filter((fact): fact is [string, string] => fact[1] !== null)
}

const stamps = { draft: 'DRAFT', void: 'VOID', open: undefined, paid: undefined }

/** The stamp on an invoice that must not be paid. */
const stampOf = ({ status }: InvoiceDocument): string | undefined => stamps[status]

/** The title of an invoice. Drafts and void invoices have their own, so that they are not mistaken for payable ones. */
const titleOf = ({ status }: InvoiceDocument): string =>
  ({ draft: 'Draft invoice', void: 'Void invoice', open: 'Invoice', paid: 'Invoice' })[status]

/**
 * Draws the stamp beneath all other content of a page. Screen readers skip it, since the title has the same
 * information.
 */
function drawStamp(pen: Pen, document: InvoiceDocument): void {
  const stamp = stampOf(document)
  if (!stamp) return
  const line = lineOf(pen, stamp, stamp_style)
  const { doc } = pen
  doc.markContent('Artifact', { type: 'Layout' })
  doc.save()
  doc.rotate(-35, { origin: [page.width / 2, page.height / 2] })
  drawLine(pen, line, (page.width - line.width) / 2, page.height / 2 + stamp_style.size / 3)
  doc.restore()
  doc.endMarkedContent()
}

const stamp_style: Style = { weight: 'bold', size: 150, color: '#f3dcdc' }

/** The footer of every page. */
const footOf = (document: InvoiceDocument) =>
  `${titleOf(document)} ${document.invoice_id}  ·  ${document.employer.legal_name}  ·  ${monthName(document.period)}`

/** All text of an invoice outside its tables, so that their fonts can be loaded. */
function textsOf(document: InvoiceDocument): Record<Weight, string[]> {
  const facts = factsOf(document).flat()
  return {
    regular: [...receiverOf(document), ...facts, 'Billed to'],
    bold: [document.organization_name, titleOf(document), stampOf(document) ?? '', ...receiverOf(document), ...facts],
  }
}
