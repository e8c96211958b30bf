import { pipeline } from 'node:stream/promises'
import { parse as parser, type OptionsWithColumns } from 'csv-parse'
import { CsvError, parse } from 'csv-parse/sync'
import { generic, Refusal } from '../refusal.ts'
import Papa from 'papaparse'

/** A row by the names of the header line. Null for an empty cell. */
export type CsvRow = Record<string, string | null>

const invalid = (line: number, message: string) =>
  new Refusal(generic.invalid_request, [{ field: '', message: `line ${line} of the CSV ${message}` }])

/** CSV as spreadsheets save it. The first line determines the delimiter. Throws a 400 for another format. */
function optionsFor(beginning: string): OptionsWithColumns<CsvRow> {
  refuseOtherFormat(beginning)
  return {
    bom: true,
    columns: columnsOf,
    delimiter: delimiterOf(beginning),
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  }
}

/** Formats that people send instead of CSV, by their first characters. */
const other_formats: [RegExp, string][] = [
  [/^\s*<\?xml/i, 'XML'],
  [/^\s*<(?:!doctype|html|head|body|table|meta|!--)/i, 'an HTML page'],
  [/^PK\p{Cc}{2}/u, 'an Excel workbook or another ZIP file'],
  [/^ÐÏ\p{Cc}/u, 'an old Excel workbook'],
  [/^%PDF/, 'a PDF'],
  [/^\s*(?:\[\s*)?\{\s*"/, 'JSON'],
  [/\0/, 'a binary file'],
]

/**
 * Throws a 400 that names the format if a text is not CSV. Such a text can parse as CSV without rows, whose error would
 * not name the cause.
 */
export function refuseOtherFormat(text: string): void {
  const beginning = text.slice(0, 200).replace(/^\uFEFF/, '')
  const found = other_formats.find(([pattern]) => pattern.test(beginning))
  if (!found) return
  const message = `the content is ${found[1]}: send CSV, with column names in the first line`
  throw new Refusal(generic.invalid_request, [{ field: '', message }])
}

/** Replaces empty cells by null. csv-parse could do so while it reads, but calls its `cast` with an object per cell. */
function nullEmptyCells(row: CsvRow): CsvRow {
  for (const name in row) row[name] = row[name]!.trim() || null
  return row
}

/** The comma, or the semicolon or tab if the first line has more of those. */
function delimiterOf(beginning: string): string {
  const [line = ''] = beginning.trimStart().split(/[\r\n]/, 1)
  const count = (delimiter: string) => line.split(delimiter).length
  return [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',')
}

/** Converts numbers in these columns, such as 80 and 37.25. The schema validates all other values. */
export const withNumbers = (rows: CsvRow[], columns: readonly string[] = []): object[] =>
  rows.map((row) => {
    const converted: Record<string, string | number | null> = { ...row }
    for (const name of columns)
      if (/^\d{1,15}(?:\.\d{1,4})?$/.test(row[name] ?? '')) converted[name] = Number(row[name])
    return converted
  })

/**
 * Parses CSV as spreadsheets save it, with column names in the first line. It accepts a byte order mark, any line ends,
 * quoted cells, spaces around cells, and semicolons or tabs instead of commas. Empty lines and columns without a name
 * are ignored. Throws a 400 with the line number, from 1, for missing, extra or wrongly quoted cells, or too many
 * columns. Stops after row `most`.
 */
export function parseCsv(text: string, most?: number): CsvRow[] {
  try {
    return parse<CsvRow>(text, { ...optionsFor(text), to: most }).map(nullEmptyCells)
  } catch (error) {
    throw error instanceof CsvError ? whyUnreadable(error, text) : error
  }
}

/** The maximum bytes of a row in streamed text. After an unclosed quote, the rest of the text would become one row. */
const max_row_bytes = 1024 * 1024

/** Parses CSV that arrives in pieces, row by row. Only one piece and its rows are in memory at a time. */
export async function readCsv(pieces: AsyncIterable<string>, take: (row: CsvRow) => void): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  const all = async function* () {
    yield first.value
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  try {
    const options = { ...optionsFor(first.value), max_record_size: max_row_bytes }
    await pipeline(all, parser(options), async (rows: AsyncIterable<CsvRow>) => {
      for await (const row of rows) take(nullEmptyCells(row))
    })
  } catch (error) {
    throw error instanceof CsvError ? whyUnreadable(error) : error
  }
}

/** More columns than any real table. Each row is an object with all of them. */
const max_columns = 200

/** The names of the columns. False ignores a column. */
function columnsOf(header: string[]): (string | false)[] {
  if (header.length > max_columns) throw invalid(1, `has more than ${max_columns} columns`)
  const names = new Set<string>()
  return header.map((cell, at) => {
    const name = cell.trim().toLowerCase()
    // The message contains the column's number, because without a header the first line may be personal data.
    if (names.has(name)) throw invalid(1, `gives column ${at + 1} the name of an earlier column`)
    if (name) names.add(name)
    return name || false
  })
}

function whyUnreadable(error: CsvError, text?: string): Refusal {
  // The position of the parser at the error.
  const lines = error.lines as number
  const bytes = error.bytes as number
  if (error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS')
    return invalid(lines, 'has fewer or more cells than the first line')
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return invalid(lines, 'belongs to a row of more than 1 MiB: a closing quote may be missing')
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    const at =
      text === undefined
        ? lines
        : Buffer.from(text)
            .subarray(0, bytes)
            .toString()
            .split(/\r\n|\n|\r/).length
    return invalid(at, 'opens a quote that is never closed')
  }
  return invalid(lines, 'has a misplaced quote: quote the whole cell, and double the quotes within it')
}

/** The first characters of a formula, also in their full-width forms. */
const formula = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/

/**
 * Writes chunks of rows as CSV for spreadsheets (RFC 4180 with a byte order mark): a header line, then a line per row
 * with the cells of `columns`. Text that a spreadsheet would run as a formula gets an apostrophe before it. Cents in
 * the columns `dollars` become dollars with two decimals.
 */
export async function* writeCsv(
  chunks: AsyncIterable<object[]>,
  columns: string[],
  dollars: string[] = [],
): AsyncGenerator<string> {
  const linesOf = (rows: unknown[][]) => `${Papa.unparse(rows)}\r\n`
  const cellOf = (value: unknown, column: string) => {
    if (typeof value === 'number' && dollars.includes(column)) return (value / 100).toFixed(2)
    return typeof value === 'string' && formula.test(value) ? `'${value}` : value
  }
  yield `\uFEFF${linesOf([columns])}`
  for await (const rows of chunks)
    if (rows.length > 0)
      yield linesOf(
        rows.map((row) => columns.map((column) => cellOf((row as Record<string, unknown>)[column], column))),
      )
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Detects UTF-16 by its byte order mark, or by a zero byte among the first two, as in Latin text. */
export function utf16In(bytes: Uint8Array): Encoding | undefined {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== 0 && b === 0) return 'utf-16le'
  return a === 0 && b !== undefined && b !== 0 ? 'utf-16be' : undefined
}

/**
 * Decodes text from spreadsheets and payroll systems: UTF-8 or UTF-16, with or without a byte order mark. Other text is
 * decoded as Windows-1252, in which every byte is valid.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16In(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
