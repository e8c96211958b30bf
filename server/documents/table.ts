import { drawLine, type TextLine, lineOf, type Pen, type Style, wrap } from './text.ts'

export type Column = { title: string; width: number; align: 'left' | 'right' }

/**
 * Text in the style of the row. An object has its own style, or spans several columns; the covered cells are then
 * empty.
 */
export type Cell = string | { text: string; style?: Style; span?: number }

export type TableRow = {
  cells: Cell[]
  style: Style
  /** The line above the row. */
  rule?: 'thin' | 'strong'
  /** Keeps the row on the page of the next one. */
  keep_with_next?: boolean
  /** Marks the row with the names of the columns, which is repeated on each page of the table. */
  header?: boolean
}

export type LaidRow = TableRow & { lines: TextLine[][]; height: number }

export const gap = 8
const max_lines = 3
const leading = 1.32
const padding = 2.5

/**
 * Wraps the text of a row to the widths of its columns. The row is as high as its highest cell. Amounts are never
 * truncated.
 */
export function layOutRow(pen: Pen, columns: Column[], row: TableRow): LaidRow {
  const lines = columns.map((column, index) => {
    const cell = row.cells[index] ?? ''
    const { text, style = row.style, span = 1 } = typeof cell === 'string' ? { text: cell } : cell
    if (!text) return []
    if (column.align === 'right' && !row.header) return [lineOf(pen, text, style)]
    return wrap(pen, text, style, widthOf(columns.slice(index, index + span)), max_lines)
  })
  const height = (cell: TextLine[]) => cell.reduce((sum, line) => sum + line.style.size * leading, 0)
  return { ...row, lines, height: Math.max(...lines.map(height)) + 2 * padding }
}

/**
 * Draws a row with its upper edge at `y`. With `table`, it becomes a row in the structure of the document, which screen
 * readers use. Otherwise they skip it.
 */
export function drawRow(pen: Pen, columns: Column[], row: LaidRow, left: number, y: number, table?: Structure): void {
  const { doc } = pen
  if (row.rule) drawRule(pen, left, y, widthOf(columns), row.rule)
  if (row.header) drawRule(pen, left, y + row.height, widthOf(columns), 'strong')
  const element = table && doc.struct('TR')
  if (element) table.add(element)
  else doc.markContent('Artifact', { type: 'Pagination' })
  let x = left
  for (const [index, column] of columns.entries()) {
    const lines = row.lines[index]!
    const tag = row.header ? 'TH' : 'TD'
    const content = element && lines.length ? doc.markStructureContent(tag) : undefined
    let baseline = y + padding
    for (const line of lines) {
      baseline += line.style.size * leading
      const indent = column.align === 'right' ? column.width - line.width : 0
      drawLine(pen, line, x + indent, baseline - line.style.size * 0.3)
    }
    if (content) doc.endMarkedContent()
    element?.add(doc.struct(tag, {}, content ? [content] : []))
    x += column.width + gap
  }
  if (element) element.end()
  else doc.endMarkedContent()
}

export type Structure = PDFKit.PDFStructureElement

const widthOf = (columns: Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, (columns.length - 1) * gap)

const rules = { thin: { width: 0.4, color: '#cfd5dc' }, strong: { width: 0.8, color: '#1b2430' } }

/** Draws a horizontal line, which screen readers skip. */
export function drawRule({ doc }: Pen, x: number, y: number, width: number, kind: keyof typeof rules): void {
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .lineWidth(rules[kind].width)
    .strokeColor(rules[kind].color)
    .moveTo(x, y)
    .lineTo(x + width, y)
    .stroke()
  doc.endMarkedContent()
}

export type Table = { columns: Column[]; rows: LaidRow[] }

/** A row with its position. `repeated` is true for a header that already appeared on an earlier page. */
export type PlacedRow = { table: Table; row: LaidRow; y: number; repeated: boolean }

/** Distributes tables over pages. Rows are placed between `top` (`first_top` on the first page) and `bottom`. */
export function paginate(tables: Table[], first_top: number, top: number, bottom: number): PlacedRow[][] {
  const pages: PlacedRow[][] = [[]]
  let y = first_top
  const put = (table: Table, row: LaidRow, repeated = false) => {
    // The column headers have their own line.
    const rule = pages.at(-1)!.at(-1)?.row.header ? undefined : row.rule
    pages.at(-1)!.push({ table, row: { ...row, rule }, y, repeated })
    y += row.height
  }
  for (const table of tables) {
    const header = table.rows.find((row) => row.header)
    for (const rows of groupKeptRows(table.rows)) {
      const height = rows.reduce((sum, row) => sum + row.height, 0)
      if (y + height > bottom) {
        pages.push([])
        y = top
        if (header && !rows.includes(header)) put(table, header, true)
      }
      for (const row of rows) put(table, row)
    }
    y += space_between_tables
  }
  return pages
}

const space_between_tables = 20

function groupKeptRows(rows: LaidRow[]): LaidRow[][] {
  const groups: LaidRow[][] = []
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.keep_with_next) groups.at(-1)!.push(row)
    else groups.push([row])
  }
  return groups
}
