import Papa from 'papaparse'
import { failure_columns, type Spreadsheet } from 'openbenefits/census-columns'

/** Decodes a file saved by a spreadsheet or payroll system: UTF-8, UTF-16, or else Windows-1252. */
export async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads CSV with commas, semicolons or tabs. Throws an error with a readable message. */
export function parseSpreadsheet(name: string, text: string): Spreadsheet {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (column) => column.trim(),
  })
  const columns = (meta.fields ?? []).filter((column) => column !== '' && !failure_columns.includes(column))
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new Error(`Line ${(wrong.row ?? 0) + 2} can’t be read: ${wrong.message}.`)
  if (columns.length === 0 || data.length === 0) throw new Error('The file has no lines below its column names.')
  return { name, columns, lines: data }
}

/** Reads a file into lines and columns. Throws an error with a readable message. */
export const readSpreadsheet = async (file: File): Promise<Spreadsheet> =>
  parseSpreadsheet(file.name, await textOf(file))

/** Writes rows as CSV for spreadsheets: UTF-8 with a byte order mark. */
export const csvOf = (table: { fields: string[]; data: string[][] }): string => `\uFEFF${Papa.unparse(table)}\r\n`
