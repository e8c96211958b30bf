import Papa from 'papaparse'
import { csvTable, export_lists, worksheetOf } from 'openbenefits/list-columns'
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

/** Saves rows as a CSV or Excel file. */
export async function downloadTable<Row>({ name, format, columns: given, rows }: ExportedFile<Row>): Promise<void> {
  const columns = 'list' in given ? columnsOf<Row>(given) : given
  if (format === 'csv') {
    // A spreadsheet would run a text that begins like a formula.
    const text = Papa.unparse(csvTable(columns, rows), { escapeFormulae: true })
    download(`${name}.csv`, new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }))
    return
  }
  const { default: writeWorkbook } = await import('write-excel-file/browser')
  download(`${name}.xlsx`, await writeWorkbook([worksheetOf(columns, rows)]).toBlob())
}
