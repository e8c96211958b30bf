import Papa from 'papaparse'
import { download } from '../page/download.ts'
import { failure_columns, type Spreadsheet } from 'openbenefits/census-columns'

/** The named columns of a file, without the columns that we add to files of failed rows. */
export const namedColumns = (columns: string[]): string[] =>
  columns.filter((column) => column !== '' && !failure_columns.includes(column))

export const no_rows_message = 'The file has no lines below its column names.'

/** Reads CSV with commas, semicolons or tabs. Throws an error with a readable message. */
export function parseSpreadsheet(name: string, text: string): Spreadsheet {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (column) => column.trim(),
  })
  const columns = namedColumns(meta.fields ?? [])
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new Error(`Line ${(wrong.row ?? 0) + 2} can’t be read: ${wrong.message}.`)
  if (columns.length === 0 || data.length === 0) throw new Error(no_rows_message)
  return { name, columns, lines: data }
}

/** A worksheet of a workbook, or a whole CSV file. The cells of each line are in the order of the columns. */
export type Worksheet = { name: string; columns: string[]; cells: string[][] }

/** The response of the worker that reads files. */
export type ReadWorksheets = { worksheets: Worksheet[] } | { error: string }

/**
 * Reads a CSV or Excel file in a worker, because 10,000 rows would block the page. A workbook returns each sheet that
 * has lines. Throws an error with a readable message.
 */
export async function readWorksheets(file: File): Promise<Worksheet[]> {
  const worker = new Worker(new URL('worksheet-worker.ts', import.meta.url), { type: 'module' })
  try {
    const read = await new Promise<ReadWorksheets>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ReadWorksheets>) => resolve(data))
      worker.addEventListener('error', () =>
        reject(new Error('The file can’t be read. Reload the page and try again.')),
      )
      worker.postMessage(file)
    })
    if ('error' in read) throw new Error(read.error)
    return read.worksheets
  } finally {
    worker.terminate()
  }
}

export const spreadsheetOf = (name: string, { columns, cells }: Worksheet): Spreadsheet => ({
  name,
  columns,
  lines: cells.map((line) => Object.fromEntries(columns.map((column, at) => [column, line[at] ?? '']))),
})

/** Writes rows as CSV for spreadsheets: UTF-8 with a byte order mark. */
export const csvOf = (table: { fields: string[]; data: string[][] }): string => `\uFEFF${Papa.unparse(table)}\r\n`

export const downloadCsv = (name: string, table: { fields: string[]; data: string[][] }): void =>
  download(name, new Blob([csvOf(table)], { type: 'text/csv;charset=utf-8' }))
