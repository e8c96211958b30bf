import { csvTable, export_lists, worksheetOf, type ListColumn } from 'openbenefits/list-columns'
import Papa from 'papaparse'
import writeWorkbook from 'write-excel-file/node'
import type { Day } from '../../../kernel/days.ts'
import { html } from '../../../kernel/formats/html.ts'
import type { ExportFormat, Frequency } from './rules.ts'

export type ExportedFile = { filename: string; contentType: string; content: Buffer }

const content_types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

type Exported = { list: keyof typeof export_lists; format: ExportFormat; today: Day; rows: unknown[] }

/** Renders the rows of a list as a file, with the columns that the console exports. */
export async function fileOf({ list, format, today, rows }: Exported): Promise<ExportedFile> {
  const columns = export_lists[list].columns as ListColumn<unknown>[]
  return {
    filename: `${list.replaceAll('_', '-')}-${today}.${format}`,
    contentType: content_types[format],
    content: format === 'csv' ? csvOf(columns, rows) : await writeWorkbook([worksheetOf(columns, rows)]).toBuffer(),
  }
}

/** CSV for spreadsheets, which would run a text that begins like a formula. */
const csvOf = (columns: ListColumn<unknown>[], rows: unknown[]): Buffer =>
  Buffer.from(`\uFEFF${Papa.unparse(csvTable(columns, rows), { escapeFormulae: true })}\r\n`)

const intervals: Record<Frequency, string> = { daily: 'every day', weekly: 'each Monday', monthly: 'each month' }

type Cover = {
  name: string
  list: keyof typeof export_lists
  frequency: Frequency
  user_name: string
  organization_name: string
  today: Day
  row_count: number
}

/** The email around a file. */
export function coverOf({ name, list, frequency, user_name, organization_name, today, row_count }: Cover) {
  const day = Temporal.PlainDate.from(today).toLocaleString('en-US', { dateStyle: 'long' })
  const rows = `${row_count.toLocaleString('en-US')} ${row_count === 1 ? 'row' : 'rows'}`
  const paragraphs = [
    `Hello ${user_name},`,
    `The attached file has ${rows} as of ${day}: ${export_lists[list].title.toLowerCase()}.`,
    `${organization_name} sends you this export ${intervals[frequency]}. Your admin can change it in the settings of ` +
      'the organization.',
  ]
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${name}</title>
      </head>
      <body style="margin:0;background:#ffffff;color:#16191d;font:16px/24px system-ui,'Segoe UI',sans-serif">
        <div style="max-width:520px;margin:0 auto;padding:32px 16px">
          ${paragraphs.map((paragraph) => html`<p style="margin:0 0 16px">${paragraph}</p>`)}
        </div>
      </body>
    </html>`
  return { subject: `${name}, ${day}`, text: paragraphs.join('\n\n'), html: body.text }
}
