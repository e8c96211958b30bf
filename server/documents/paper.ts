// oxlint-disable-next-line import/no-named-as-default -- its types have the default alone
import PDFDocument from 'pdfkit'
import { loadFaces, type Weight } from './fonts.ts'
import { page, styles, type Section } from './invoice-tables.ts'
import { drawRow, drawRule, layRow, paginate, type Placed, type Structure, type Table } from './table.ts'
import { drawLine, lineOf, type Pen, type Style, wrap } from './text.ts'

/** What is written on paper: a head, tables over as many pages as they need, and a foot on each. */
export type Paper = {
  /** What a reader of PDFs tells of it; it was made on a day, not at a time. */
  info: { Title: string; Author: string; Subject: string; made_on: string }
  /** As browsers write it: `en-US`. */
  lang: string
  sections: Section[]
  /** All texts beside those of the sections, so that their fonts can be loaded. */
  texts: Record<Weight, string[]>
  /** Draws what stands above the tables, and returns where they begin. */
  drawHead: (pen: Pen, root: Structure) => number
  /** Draws what lies beneath all else on each page. */
  drawUnder?: (pen: Pen) => void
  /** What stands at the foot of each page, and how its number is said there. */
  foot: string
  pageOf: (number: number, count: number) => string
}

const right = page.width - page.margin
const foot_y = 758
/** Numbers of pages, and what ends a text that is cut. */
const alphabet = '0123456789…'

/** The PDF of a paper, on US Letter: the same bytes each time. It keeps its thread busy: see rendering.ts. */
export async function writePdf(paper: Paper): Promise<Buffer> {
  const doc = new PDFDocument({ ...optionsOf(paper) })
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const pen = { doc, faces: await loadFaces(textsOf(paper)) }
  const tables = paper.sections.map((section) => layTable(pen, section))
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.addPage()
  paper.drawUnder?.(pen)
  const top = paper.drawHead(pen, root)
  drawPages(pen, paper, root, paginate(tables, top, page.margin, page.bottom))
  root.end()
  doc.end()
  return done
}

const optionsOf = ({ info: { made_on, ...info }, lang }: Paper) => ({
  size: [page.width, page.height] as [number, number],
  margin: 0,
  autoFirstPage: false,
  font: null as never,
  pdfVersion: '1.7' as const,
  lang,
  tagged: true,
  displayTitle: true,
  info: {
    ...info,
    Creator: 'OpenBenefits',
    Producer: 'PDFKit',
    CreationDate: new Date(`${made_on}T12:00:00Z`),
  },
})

const layTable = (pen: Pen, { columns, rows }: Section): Table => ({
  columns,
  rows: rows.map((row) => layRow(pen, columns, row)),
})

function drawPages(pen: Pen, paper: Paper, root: Structure, pages: Placed[][]): void {
  const elements = new Map<Table, Structure>()
  for (const [index, rows] of pages.entries()) {
    if (index > 0) {
      pen.doc.addPage()
      paper.drawUnder?.(pen)
    }
    for (const { table, row, y, repeated } of rows) {
      if (!elements.has(table)) {
        const element = pen.doc.struct('Table')
        root.add(element)
        elements.set(table, element)
      }
      drawRow(pen, table.columns, row, page.margin, y, repeated ? undefined : elements.get(table))
    }
    drawFoot(pen, paper, index + 1, pages.length)
  }
  for (const element of elements.values()) element.end()
}

function drawFoot(pen: Pen, { foot, pageOf }: Paper, number: number, count: number): void {
  drawRule(pen, page.margin, foot_y - 12, right - page.margin, 'thin')
  pen.doc.markContent('Artifact', { type: 'Pagination' })
  const pages = lineOf(pen, pageOf(number, count), styles.label)
  drawLine(pen, pages, right - pages.width, foot_y)
  for (const line of wrap(pen, foot, styles.label, right - page.margin - pages.width - 24, 1))
    drawLine(pen, line, page.margin, foot_y)
  pen.doc.endMarkedContent()
}

function textsOf({ texts, sections, foot, pageOf }: Paper): Record<Weight, string[]> {
  const all = { regular: [...texts.regular, foot, pageOf(1, 1), alphabet], bold: [...texts.bold, alphabet] }
  for (const { rows } of sections)
    for (const row of rows)
      for (const cell of row.cells) {
        const { text, style = row.style } = typeof cell === 'string' ? { text: cell } : cell
        all[style.weight].push(text)
      }
  return all
}

/** Writes a text that is read aloud, in at most so many lines, and returns where it ends. */
export type Write = (
  tag: string,
  text: string,
  style: Style,
  place: { x: number; y: number; width: number },
  most_lines?: number,
) => number

/** How the head of a paper is written. */
export const writeIn =
  (pen: Pen, root: Structure): Write =>
  (tag, text, style, { x, y, width }, most_lines = 2) => {
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
