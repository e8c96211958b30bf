// oxlint-disable-next-line import/no-named-as-default -- its types have the default alone
import PDFDocument from 'pdfkit'
import { loadFaces, type Weight } from './fonts.ts'
import {
  drawRow,
  drawRule,
  layOutRow,
  paginate,
  type Column,
  type PlacedRow,
  type Structure,
  type Table,
  type TableRow,
} from './table.ts'
import { drawLine, lineOf, type Pen, type Style, wrap } from './text.ts'

/** US Letter, in points. `bottom` is the lower limit of the rows. */
export const page = { width: 612, height: 792, margin: 42, bottom: 736 }

export type Section = { columns: Column[]; rows: TableRow[] }

const ink = '#1b2430'
const grey = '#667180'

export const styles = {
  body: { weight: 'regular', size: 8, color: ink },
  quiet: { weight: 'regular', size: 8, color: grey },
  label: { weight: 'regular', size: 7.5, color: grey },
  strong: { weight: 'bold', size: 8, color: ink },
  title: { weight: 'bold', size: 10.5, color: ink },
  total: { weight: 'bold', size: 10, color: ink },
} satisfies Record<string, Style>

/** The content of a PDF: a head, tables over as many pages as needed, and a footer on each page. */
export type Paper = {
  /** The metadata of the PDF. `made_on` is a day without a time, so that the file is reproducible. */
  info: { Title: string; Author: string; Subject: string; made_on: string }
  /** A language tag, such as `en-US`. */
  lang: string
  sections: Section[]
  /** All text outside the sections, so that their fonts can be loaded. */
  texts: Record<Weight, string[]>
  /** Draws the content above the tables, and returns where they begin. */
  drawHead: (pen: Pen, root: Structure) => number
  /** Draws the background of each page. */
  drawUnder?: (pen: Pen) => void
  /** The footer of each page, and the format of the page number in it. */
  foot: string
  pageOf: (number: number, count: number) => string
}

const right = page.width - page.margin
const foot_y = 758
/** The characters of page numbers, and the ellipsis of truncated text. */
const alphabet = '0123456789…'

/** Writes a PDF on US Letter. The same content gives the same bytes. Blocks its thread (see pdf-rendering.ts). */
export async function writePdf(paper: Paper): Promise<Buffer> {
  const { doc, done } = startPdf(paper, [page.width, page.height])
  const pen = { doc, faces: await loadFaces(textsOf(paper)) }
  const tables = paper.sections.map((section) => layOutTable(pen, section))
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

/** Starts a PDF without pages. `done` is its content after `doc.end()`. */
export function startPdf(
  about: Pick<Paper, 'info' | 'lang'>,
  size: [width: number, height: number],
): { doc: PDFKit.PDFDocument; done: Promise<Buffer> } {
  const doc = new PDFDocument(optionsOf(about, size))
  const chunks: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  return { doc, done }
}

const optionsOf = (
  { info: { made_on, ...info }, lang }: Pick<Paper, 'info' | 'lang'>,
  size: [width: number, height: number],
) => ({
  size,
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

const layOutTable = (pen: Pen, { columns, rows }: Section): Table => ({
  columns,
  rows: rows.map((row) => layOutRow(pen, columns, row)),
})

function drawPages(pen: Pen, paper: Paper, root: Structure, pages: PlacedRow[][]): void {
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

/** Writes text that screen readers include, in at most `max_lines` lines, and returns where it ends. */
export type Write = (
  tag: string,
  text: string,
  style: Style,
  box: { x: number; y: number; width: number },
  max_lines?: number,
) => number

/** Returns the function that writes the head of a document. */
export const writeIn =
  (pen: Pen, root: Structure): Write =>
  (tag, text, style, { x, y, width }, max_lines = 2) => {
    const content = pen.doc.markStructureContent(tag)
    let below = y
    for (const line of wrap(pen, text, style, width, max_lines)) {
      drawLine(pen, line, x, below)
      below += style.size * 1.35
    }
    pen.doc.endMarkedContent()
    root.add(pen.doc.struct(tag, {}, [content]))
    return below
  }
