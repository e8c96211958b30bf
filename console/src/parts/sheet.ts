import Papa from 'papaparse'
import { failure_columns, type Sheet } from 'openbenefits/census-columns'

/** The text of a file as spreadsheets and payroll systems save it: UTF-8 or UTF-16, and what is neither is Windows-1252. */
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

/** Reads what spreadsheets save: commas, semicolons or tabs, quoted or not. Throws a sentence about what it can't. */
export function sheetOf(name: string, text: string): Sheet {
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

/** The lines of a file, with their columns; throws as `sheetOf` does. */
export const readSheet = async (file: File): Promise<Sheet> => sheetOf(file.name, await textOf(file))

/** Rows as a spreadsheet opens them: UTF-8 with a byte order mark. */
export const csvOf = (table: { fields: string[]; data: string[][] }): string => `\uFEFF${Papa.unparse(table)}\r\n`
