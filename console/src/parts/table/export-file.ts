import Papa from 'papaparse'
import { csvTable, export_lists, worksheetOf } from 'openbenefits/list-columns'
import { toSentence } from '../../format.ts'
import { download } from '../page/download.ts'
import type { ExportColumn, Scheduled } from './export.tsx'

type ExportedFile<Row> = {
  name: string
  format: 'csv' | 'xlsx'
  columns: readonly ExportColumn<Row>[] | Scheduled
  rows: Row[]
}

const columnsOf = <Row>({ list, hides }: Scheduled): ExportColumn<Row>[] =>
  (export_lists[list].columns as ExportColumn<Row>[]).filter((column) => column.name !== hides)

/** Pages use non-breaking spaces, which a search in a spreadsheet does not find. */
const replaceHardSpaces = <Row>(column: ExportColumn<Row>): ExportColumn<Row> => ({
  ...column,
  of: (row) => {
    const value = column.of(row)
    return typeof value === 'string' ? value.replaceAll('\u00a0', ' ') : value
  },
})

/** Saves rows as a CSV or Excel file. */
export async function downloadTable<Row>({ name, format, columns: given, rows }: ExportedFile<Row>): Promise<void> {
  const columns = ('list' in given ? columnsOf<Row>(given) : given).map(replaceHardSpaces)
  if (format === 'csv') {
    // A spreadsheet would run text that begins like a formula.
    const text = Papa.unparse(csvTable(columns, rows), { escapeFormulae: true })
    download(`${name}.csv`, new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }))
    return
  }
  await downloadWorkbook(name, columns, rows)
}

async function downloadWorkbook<Row>(name: string, columns: readonly ExportColumn<Row>[], rows: Row[]): Promise<void> {
  const { default: writeWorkbook } = await import('write-excel-file/browser')
  download(`${name}.xlsx`, await writeWorkbook([worksheetOf(columns, rows)]).toBlob())
}

/** Saves a CSV file of the service as an Excel file with readable column names. */
export async function saveAsWorkbook(name: string, url: string): Promise<void> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The file is not available: status ${answer.status}.`)
  const { data, meta } = Papa.parse<Record<string, string>>(await answer.text(), {
    header: true,
    skipEmptyLines: true,
  })
  const columns = (meta.fields ?? []).map((field) => ({
    name: toSentence(field),
    of: (row: Record<string, string>) => row[field],
  }))
  await downloadWorkbook(name, columns, data)
}
