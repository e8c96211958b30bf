import { pipeline } from 'node:stream/promises'
import { parse as parser, type OptionsWithColumns } from 'csv-parse'
import { CsvError, parse } from 'csv-parse/sync'
import { generic, Refusal } from './refusal.ts'

/** What a line says by the names of the header line; null where its cell is empty. */
export type CsvRow = Record<string, string | null>

const invalid = (line: number, message: string) =>
  new Refusal(generic.invalid_request, [{ field: '', message: `line ${line} of the CSV ${message}` }])

/** As spreadsheets save it; the first line tells what stands between its cells. */
const optionsFor = (beginning: string): OptionsWithColumns<CsvRow> => ({
  bom: true,
  columns: columnsOf,
  delimiter: delimiterOf(beginning),
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
  cast: (cell, { header }) => (header ? cell : cell.trim() || null),
})

/** The comma, or the semicolon or tab when the first line has more of those. */
function delimiterOf(beginning: string): string {
  const [line = ''] = beginning.trimStart().split(/[\r\n]/, 1)
  const count = (delimiter: string) => line.split(delimiter).length
  return [';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best), ',')
}

/**
 * Rows whose cells of these columns are numbers where they are whole numbers; what else is there stays for the schema.
 */
export const withNumbers = (rows: CsvRow[], columns: readonly string[] = []): object[] =>
  rows.map((row) => {
    const cells = columns.flatMap((name) => (/^\d{1,15}$/.test(row[name] ?? '') ? [[name, Number(row[name])]] : []))
    return { ...row, ...Object.fromEntries(cells) }
  })

/**
 * Reads comma-separated values whose first line names the columns, as spreadsheets save them: with or without a byte
 * order mark, any line ends, quoted cells, spaces around cells, semicolons or tabs in place of commas, empty lines and
 * columns without a name, which are left out. Throws a 400 that names the line, counted from 1, where cells are
 * missing, left over or wrongly quoted, or are too many in the first line. It ends with row `most`, when that is said.
 */
export function parseCsv(text: string, most?: number): CsvRow[] {
  try {
    return parse<CsvRow>(text, { ...optionsFor(text), to: most })
  } catch (error) {
    throw error instanceof CsvError ? whyUnreadable(error, text) : error
  }
}

/**
 * What one row may take where not everything is held: behind a quote that is never closed, all the rest would be a row.
 */
const most_in_a_row = 1024 * 1024

/** The same of a text that comes in pieces, row by row: only a piece and the rows of it are held at a time. */
export async function readCsv(pieces: AsyncIterable<string>, take: (row: CsvRow) => void): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  const all = async function* () {
    yield first.value
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  }
  try {
    const options = { ...optionsFor(first.value), max_record_size: most_in_a_row }
    await pipeline(all, parser(options), async (rows: AsyncIterable<CsvRow>) => {
      for await (const row of rows) take(row)
    })
  } catch (error) {
    throw error instanceof CsvError ? whyUnreadable(error) : error
  }
}

/** More than any table has that people fill in; each row is an object of them. */
const most_columns = 200

/** The names of the columns; false: to be left out. */
function columnsOf(header: string[]): (string | false)[] {
  if (header.length > most_columns) throw invalid(1, `has more than ${most_columns} columns`)
  const names = new Set<string>()
  return header.map((cell, at) => {
    const name = cell.trim().toLowerCase()
    // By its place, since a file without a header line has somebody's data there.
    if (names.has(name)) throw invalid(1, `names column ${at + 1} like an earlier one`)
    if (name) names.add(name)
    return name || false
  })
}

function whyUnreadable(error: CsvError, text?: string): Refusal {
  // How far it had come.
  const lines = error.lines as number
  const bytes = error.bytes as number
  if (error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return invalid(lines, 'has not as many cells as the first line')
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return invalid(lines, 'belongs to a row of more than 1 MiB: a quote may never be closed')
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
  return invalid(lines, 'has a quote where none may stand: quote the whole cell, and double the quotes in it')
}
