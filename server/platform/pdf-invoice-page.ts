import type { InvoiceDocument } from './invoice-pdf.ts'
import type { Weight } from './pdf-fonts.ts'
import { dayName, dollar, monthName, page, type Section, styles } from './pdf-invoice-tables.ts'
import { drawRule, type Structure } from './pdf-table.ts'
import { drawLine, lineOf, type Pen, type Style, wrap } from './pdf-text.ts'

const { margin } = page
const right = page.width - margin
const middle = 366
const foot_y = 758

const large: Style = { weight: 'bold', size: 22, color: '#1b2430' }
const sender: Style = { weight: 'bold', size: 11, color: '#1b2430' }
const receiver: Style = { weight: 'bold', size: 10, color: '#1b2430' }
const address: Style = { weight: 'regular', size: 9, color: '#1b2430' }
const due: Style = { weight: 'bold', size: 10, color: '#1b2430' }

/** Draws who bills whom, for what, and until when. Returns where the tables begin. */
export function drawHead(pen: Pen, document: InvoiceDocument, root: Structure): number {
  const write = (tag: string, text: string, style: Style, x: number, y: number, width: number, most_lines = 2) => {
    const content = pen.doc.markStructureContent(tag)
    let below = y
    for (const line of wrap(pen, text, style, width, most_lines)) {
      drawLine(pen, line, x, below)
      below += style.size * 1.35
    }
    pen.doc.endMarkedContent()
    root.add(pen.doc.struct(tag, {}, [content]))
    return below
  }
  write('H1', 'Invoice', large, middle, margin + 16, right - middle)
  const below_sender = write('P', document.organization_name, sender, margin, margin + 12, middle - margin - 24)

  const top = Math.max(below_sender + 24, 112)
  let y = write('P', 'Billed to', styles.label, margin, top, 200) + 3
  for (const [index, line] of receiverOf(document).entries())
    y = write('P', line, index === 0 ? receiver : address, margin, y, middle - margin - 24, 3)

  let fact_y = top
  for (const [label, value] of factsOf(document)) {
    write('P', label, styles.label, middle, fact_y, 84)
    const style = strong_labels.has(label) ? due : address
    const below = write('P', value, style, middle + 88, fact_y, right - middle - 88)
    fact_y = below + 4
  }
  return Math.max(y, fact_y) + 14
}

/** The legal name, the name if it is another, and the address. */
function receiverOf({ employer }: InvoiceDocument): string[] {
  const name = employer.name === employer.legal_name ? [] : [employer.name]
  const second = employer.address_line_2 ? [employer.address_line_2] : []
  const town = `${employer.city}, ${employer.state} ${employer.zipcode}`
  return [employer.legal_name, ...name, employer.address_line_1, ...second, town]
}

const strong_labels = new Set(['Payment due', 'Total due', 'Credit'])

function factsOf({ invoice_id, period, issued_on, due_on, totals }: InvoiceDocument): [string, string][] {
  const total = totals.premium_in_cents
  const owed: [string, string][] = [
    ['Payment due', dayName(due_on)],
    ['Total due', dollar(total)],
  ]
  return [
    ['Invoice number', invoice_id],
    ['Period', monthName(period)],
    ['Issued', dayName(issued_on)],
    ...(total < 0 ? [['Credit', dollar(-total)] satisfies [string, string]] : owed),
  ]
}

/** Draws what stands at the foot of every page. */
export function drawFoot(pen: Pen, document: InvoiceDocument, number: number, count: number): void {
  drawRule(pen, margin, foot_y - 12, right - margin, 'thin')
  pen.doc.markContent('Artifact', { type: 'Pagination' })
  const pages = lineOf(pen, pageOf(number, count), styles.label)
  drawLine(pen, pages, right - pages.width, foot_y)
  for (const line of wrap(pen, footOf(document), styles.label, right - margin - pages.width - 24, 1))
    drawLine(pen, line, margin, foot_y)
  pen.doc.endMarkedContent()
}

const pageOf = (number: number, count: number) => `Page ${number} of ${count}`

const footOf = (document: InvoiceDocument) =>
  `Invoice ${document.invoice_id}  ·  ${document.employer.legal_name}  ·  ${monthName(document.period)}`

/** Every text of an invoice, so that its fonts can be loaded. */
export function textsOf(document: InvoiceDocument, sections: Section[]): Record<Weight, string[]> {
  const texts: Record<Weight, string[]> = { regular: [], bold: [] }
  const facts = factsOf(document).flat()
  const alphabet = '0123456789…'
  texts.regular.push(...receiverOf(document), ...facts, 'Billed to', footOf(document), pageOf(1, 1), alphabet)
  texts.bold.push(document.organization_name, 'Invoice', ...receiverOf(document), ...facts, alphabet)
  for (const { rows } of sections)
    for (const row of rows)
      for (const cell of row.cells) {
        const { text, style = row.style } = typeof cell === 'string' ? { text: cell } : cell
        texts[style.weight].push(text)
      }
  return texts
}
