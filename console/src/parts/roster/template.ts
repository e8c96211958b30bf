import { choicesOf, type RowField } from 'openbenefits/census-columns'
import { download } from '../page/download.ts'
import { downloadCsv } from './spreadsheet.ts'

/** Downloads an empty roster file with the names of all columns. */
export const downloadCsvTemplate = (fields: readonly RowField[]): void =>
  downloadCsv('roster-template.csv', { fields: fields.map(({ label }) => label), data: [] })

const widthOf = (label: string) => ({ width: Math.max(14, label.length + 4) })

/** Downloads an empty roster workbook, with a second sheet that explains the columns. */
export async function downloadExcelTemplate(fields: readonly RowField[]): Promise<void> {
  const { default: writeWorkbook } = await import('write-excel-file/browser')
  const bold = (value: string) => ({ value, fontWeight: 'bold' as const })
  const explained = fields.map(({ name, label, needed }) => [
    label,
    needed ? 'Yes' : 'No',
    choicesOf(name)?.join(', ') ?? (/date/.test(name) ? 'A date' : null),
  ])
  const file = await writeWorkbook([
    {
      sheet: 'Roster',
      data: [fields.map(({ label }) => bold(label))],
      columns: fields.map(({ label }) => widthOf(label)),
    },
    {
      sheet: 'Columns',
      data: [['Column', 'Required', 'Values'].map(bold), ...explained],
      columns: [{ width: 20 }, { width: 10 }, { width: 80 }],
    },
  ]).toBlob()
  download('roster-template.xlsx', file)
}
