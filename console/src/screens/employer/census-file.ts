import Papa from 'papaparse'
import type { Sheet } from 'openbenefits/census-columns'

const most_rows = 10_000

/** Reads what spreadsheets save: commas, semicolons or tabs, quoted or not. Throws a sentence about what it can't. */
export async function readSheet(file: File): Promise<Sheet> {
  const { data, meta, errors } = Papa.parse<Record<string, string>>((await file.text()).replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim(),
  })
  const columns = (meta.fields ?? []).filter((name) => name !== '')
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new Error(`Line ${(wrong.row ?? 0) + 2} can’t be read: ${wrong.message}.`)
  if (columns.length === 0 || data.length === 0) throw new Error('The file has no lines below its column names.')
  if (data.length > most_rows) throw new Error('A census has at most 10,000 rows: divide the file.')
  return { name: file.name, columns, lines: data }
}
