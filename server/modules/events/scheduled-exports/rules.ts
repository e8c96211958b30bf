import { z } from 'zod'
import { addDays, type Day } from '../../../kernel/days.ts'
import { path_params, isParam } from '../../../kernel/ids.ts'
import { declareRefusals, fieldOf, type Detail } from '../../../kernel/refusal.ts'
import { serviceCaller, type Caller } from '../../../runtime/caller.ts'
import { scopes, type Role } from '../../../runtime/permissions.ts'
import type { ReadOperation } from '../../../runtime/ctx.ts'
import { csvTable, export_lists, worksheetOf, type ListColumn } from 'openbenefits/list-columns'
import Papa from 'papaparse'
import writeWorkbook from 'write-excel-file/node'
import { html } from '../../../kernel/formats/html.ts'

export const refusals = declareRefusals({
  exports_need_email: [
    409,
    'This installation has no mail server, so it cannot send exports.',
    'Export the list in the console. The operator can set `SMTP_URL`, `SMTP_FROM` and `PUBLIC_URL`.',
  ],
  too_many_scheduled_exports: [
    409,
    'An organization can have at most 50 scheduled exports.',
    'Delete a scheduled export that is no longer needed.',
  ],
})

export const formats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof formats)[number]
export const frequencies = ['daily', 'weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]
export const delivery_statuses = ['queued', 'sending', 'sent', 'not_sent', 'failed'] as const
export const failure_reasons = [
  'no_access',
  'no_email',
  'list_not_found',
  'too_many_rows',
  'bounced',
  'refused',
  'interrupted',
  'not_accepted',
] as const
export type FailureReason = (typeof failure_reasons)[number]

export const max_exports = 50
export const max_recipients = 20
/** More rows would make a file that mail servers refuse. */
export const max_rows = 20_000

/** The parameters of a list, as in its URL: those of the path and those of the query. */
export type ListParameters = Record<string, string | string[]>

/** Parameters that select a page or its form. The service sets them itself. */
const paging = ['limit', 'page', 'offset']

/** The query schema of a list, without the parameters of its pages. */
const filtersOf = ({ query }: ReadOperation) =>
  z.strictObject(Object.fromEntries(Object.entries(query?.shape ?? {}).filter(([name]) => !paging.includes(name))))

/** Separates the parameters of the path from those of the query. */
export function splitParameters({ params = {} }: ReadOperation, parameters: ListParameters) {
  const entries = Object.entries(parameters)
  return {
    path: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(params, name))) as Record<string, string>,
    query: Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(params, name))),
  }
}

export function parameterFaults(list: ReadOperation, parameters: ListParameters): Detail[] {
  const { path, query } = splitParameters(list, parameters)
  const faults: Detail[] = Object.keys(list.params ?? {}).flatMap((name) => {
    const kind = path_params[name as keyof typeof path_params]
    const is_fine = typeof path[name] === 'string' && isParam(kind, path[name])
    return is_fine ? [] : [{ field: `parameters.${name}`, message: 'is required for this list and must be an id' }]
  })
  const parsed = filtersOf(list).safeParse(query)
  const wrong = parsed.error?.issues ?? []
  return [
    ...faults,
    ...wrong.flatMap((issue): Detail[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => ({ field: `parameters.${name}`, message: 'is not a filter of this list' }))
        : [{ field: `parameters.${fieldOf(issue.path)}`, message: issue.message }],
    ),
  ]
}

export const mayRead = (list: ReadOperation, role: Role): boolean => list.roles.includes(role)

/** The first day after `today` on which an export is due: the next day, Monday, or first of a month. */
export function nextDue(frequency: Frequency, today: Day): Day {
  if (frequency === 'daily') return addDays(today, 1)
  const date = Temporal.PlainDate.from(today)
  if (frequency === 'weekly') return date.add({ days: 8 - date.dayOfWeek }).toString()
  return date.with({ day: 1 }).add({ months: 1 }).toString()
}

/** The recipient of an export as a caller, so that the file has only what the recipient may see. */
export const recipientCaller = (
  { organization_id, user_id, role }: { organization_id: string; user_id: string; role: Role },
  clock_offset_days: number,
): Caller => ({
  ...serviceCaller(organization_id, clock_offset_days),
  kind: 'session_token',
  credential_id: `export:${user_id}`,
  user_id,
  roles: { [organization_id]: role },
  scopes,
})

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

/** CSV for spreadsheets, which would run text that begins like a formula. */
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
