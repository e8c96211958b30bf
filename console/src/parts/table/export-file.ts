import Papa from 'papaparse'
import { download } from '../roster/spreadsheet.ts'

/** A column of an exported file, with its heading for people. Amounts are in cents. */
export type ExportColumn<Row> = {
  name: string
  kind?: 'cents' | 'day'
  of: (row: Row) => string | number | null | undefined
}

type ExportedFile<Row> = {
  name: string
  format: 'csv' | 'xlsx'
  columns: readonly ExportColumn<Row>[]
  rows: Row[]
}

const dollars = (cents: string | number): string => (Number(cents) / 100).toFixed(2)

/** Saves rows as a CSV or Excel file. */
export async function downloadTable<Row>({ name, format, columns, rows }: ExportedFile<Row>): Promise<void> {
  if (format === 'csv') {
    const data = rows.map((row) =>
      columns.map(({ kind, of }) => {
        const value = of(row) ?? ''
        return kind === 'cents' && value !== '' ? Number(dollars(value)) : value
      }),
    )
    // A spreadsheet would run a text that begins like a formula.
    const text = Papa.unparse({ fields: columns.map((column) => column.name), data }, { escapeFormulae: true })
    download(`${name}.csv`, new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }))
    return
  }
  const { default: writeWorkbook } = await import('write-excel-file/browser')
  const cellOf = ({ kind, of }: ExportColumn<Row>, row: Row) => {
    const value = of(row)
    if (value === null || value === undefined || value === '') return null
    if (kind === 'cents') return { value: Number(value) / 100, type: Number, format: '#,##0.00' }
    if (kind === 'day') return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
    return typeof value === 'number' ? { value, type: Number } : { value, type: String }
  }
  const file = await writeWorkbook([
    {
      sheet: 'Rows',
      data: [
        columns.map((column) => ({ value: column.name, fontWeight: 'bold' as const })),
        ...rows.map((row) => columns.map((column) => cellOf(column, row))),
      ],
      columns: columns.map((column) => ({ width: Math.max(14, column.name.length + 4) })),
      stickyRowsCount: 1,
    },
  ]).toBlob()
  download(`${name}.xlsx`, file)
}
