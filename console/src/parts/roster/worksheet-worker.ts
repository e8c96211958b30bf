import readWorkbook from 'read-excel-file/web-worker'
import { readText } from './file-text.ts'
import { no_rows_message, parseSpreadsheet, type ReadWorksheets, type Worksheet, namedColumns } from './spreadsheet.ts'

/** Reads a CSV or Excel file in a worker thread. */
addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  worksheetsOf(file).then(
    (worksheets) => postMessage({ worksheets } satisfies ReadWorksheets),
    (error: Error) => postMessage({ error: error.message } satisfies ReadWorksheets),
  )
})

async function worksheetsOf(file: File): Promise<Worksheet[]> {
  const kind = kindOf(new Uint8Array(await file.slice(0, 4).arrayBuffer()))
  if (kind === 'csv') {
    const { columns, lines } = parseSpreadsheet(file.name, await readText(file))
    return [{ name: file.name, columns, cells: lines.map((line) => columns.map((column) => line[column] ?? '')) }]
  }
  const workbook = kind === 'xlsx' ? await readWorkbook(file).catch(() => undefined) : undefined
  if (!workbook)
    throw new Error(
      'This Excel file can’t be read. Save it without a password as an .xlsx or .csv file, and try again.',
    )
  const worksheets = workbook.map(({ sheet, data }) => worksheetOf(sheet, data)).filter(({ cells }) => cells.length > 0)
  if (worksheets.length === 0) throw new Error(no_rows_message)
  return worksheets
}

/**
 * Detects the kind of a file by its first bytes. Old and encrypted workbooks share a signature and are not ZIP
 * archives.
 */
function kindOf([a, b, c, d]: Uint8Array): 'csv' | 'xlsx' | 'old_excel' {
  if (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) return 'xlsx'
  return a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0 ? 'old_excel' : 'csv'
}

/** A worksheet without empty lines. Its first line with text has the names of the columns. */
function worksheetOf(name: string, data: unknown[][]): Worksheet {
  const [header = [], ...lines] = data
    .map((line) => Array.from(line, cellOf))
    .filter((line) => line.some((cell) => cell.trim() !== ''))
  const names = distinct(header.map((cell) => cell.trim()))
  const columns = namedColumns(names)
  return { name, columns, cells: lines.map((line) => columns.map((column) => line[names.indexOf(column)] ?? '')) }
}

/** Numbers a repeated column name, such as `Name` and `Name 2`. */
const distinct = (names: string[]): string[] =>
  names.map((name, at) => {
    const before = names.slice(0, at).filter((one) => one === name).length
    return name !== '' && before > 0 ? `${name} ${before + 1}` : name
  })

/** Excel shows at most 15 digits of a number. */
const shown_digits = 15

/** The text of a cell. A date is a day in UTC, regardless of its format in the file. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  return typeof value === 'number' ? String(Number(value.toPrecision(shown_digits))) : String(value)
}
