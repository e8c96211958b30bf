import type { Command } from 'commander'
import type { HoursOutcome } from 'openbenefits'
import Papa from 'papaparse'
import { readSpreadsheet } from '../census-file.ts'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples, collectValues } from '../connection.ts'
import { FaultsFound, UsageError } from '../failures.ts'
import { type Column, hasColors, type Io, print, printJson, tableOf } from '../output.ts'

type FileOptions = { map?: string[]; period?: string; kind?: string }
type HoursOptions = ConnectionOptions & FileOptions & { employer: string; dryRun?: boolean; rows: number }

const fields = ['employee_id', 'reference_id', 'period_starts_on', 'period_ends_on', 'kind', 'hours', 'days', 'weeks']
const max_rows = 100_000
/** `hours`: reports hours of service from a CSV file, such as an export of the payroll system. */
export function addHours(program: Command, io: Io): void {
  connected(program.command('hours'))
    .description('Report hours of service from a CSV file. Exits with 1 if rows failed.')
    .argument('<file>', 'a CSV file with the fields of the API as column names, or those of --map')
    .requiredOption('--employer <id>', 'empr_…')
    .option('--map <field=column>', 'the column of a field; several columns of hours add up; repeatable', collectValues)
    .option('--period <days>', 'the pay period of all rows, such as 2026-06-01..2026-06-14')
    .option('--kind <kind>', 'the kind of hours of all rows, such as worked')
    .option('--dry-run', 'show what the file changes, without recording it')
    .option('--rows <count>', 'show at most this many changes and failures', Number, 20)
    .addHelpText(
      'after',
      examples(
        'hours june.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702 --dry-run',
        'hours payroll.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702 --period 2026-06-01..2026-06-14 --kind worked ' +
          '--map "reference_id=Emp #" --map "hours=Regular" --map "hours=Overtime"',
      ),
    )
    .action(async (file: string, options: HoursOptions) => {
      const { hours } = clientOf(connectionOf(options, io.env))
      const report = reportOf(file, options)
      const outcome = await hours.report(options.employer as never, report, { dry_run: options.dryRun ?? false })
      if (options.json) printJson(io, outcome)
      else printOutcome(io, outcome, options.rows)
      if (outcome.failed_count > 0) throw new FaultsFound()
    })
}

/** The file as CSV with the fields of the API as column names. Other columns are left out. */
function reportOf(file: string, { map = [], period, kind }: FileOptions): string {
  const { columns, lines } = readSpreadsheet(file, max_rows)
  const columns_of = new Map(fields.concat('action').map((field) => [field, columns.filter((name) => name === field)]))
  const fieldOf = (pair: string) => pair.split('=')[0]!
  for (const field of new Set(map.map(fieldOf))) {
    if (!fields.includes(field))
      throw new UsageError(`map: unknown field ${field}; the fields are ${fields.join(', ')}.`)
    const named = map.filter((pair) => fieldOf(pair) === field).map((pair) => pair.slice(field.length + 1))
    const unknown = named.find((column) => !columns.includes(column))
    if (unknown !== undefined)
      throw new UsageError(`map: unknown column ${JSON.stringify(unknown)}; the file has ${columns.join(', ')}.`)
    columns_of.set(field, named)
  }
  const [starts_on, ends_on] = period?.split('..') ?? []
  if (period !== undefined && !ends_on)
    throw new UsageError('period: must be two days, such as 2026-06-01..2026-06-14.')
  const of_all = { ...(period && { period_starts_on: starts_on, period_ends_on: ends_on }), ...(kind && { kind }) }
  const rows = lines.map((line) => {
    const cells = [...columns_of].filter(([, names]) => names.length > 0)
    return { ...Object.fromEntries(cells.map(([field, names]) => [field, cellOf(line, names)])), ...of_all }
  })
  return Papa.unparse(rows)
}

/** The value of a column, or the sum of several, such as regular hours and overtime. */
function cellOf(line: Record<string, string>, columns: string[]): string {
  if (columns.length === 1) return line[columns[0]!] ?? ''
  return String(Math.round(columns.reduce((sum, column) => sum + Number(line[column] ?? 0), 0) * 100) / 100)
}

const change_columns: Column<HoursOutcome['changes'][number]>[] = [
  { title: 'row', of: ({ index }) => index + 1 },
  { title: 'employee', of: ({ employee_id }) => employee_id },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'period', of: ({ period_starts_on, period_ends_on }) => `${period_starts_on} to ${period_ends_on}` },
  { title: 'before', of: ({ hours_before }) => hours_before },
  { title: 'after', of: ({ hours_after }) => hours_after },
]

const inWords = (is_full_time: boolean | null) =>
  is_full_time === null ? 'no status' : is_full_time ? 'full-time' : 'not full-time'

const status_columns: Column<HoursOutcome['status_changes'][number]>[] = [
  { title: 'employee', of: ({ employee_id }) => employee_id },
  { title: 'name', of: ({ person_name }) => person_name },
  { title: 'from', of: ({ starts_on }) => starts_on },
  { title: 'until', of: ({ ends_on }) => ends_on },
  { title: 'status before', of: ({ is_full_time_before }) => inWords(is_full_time_before) },
  { title: 'status after', of: ({ is_full_time_after }) => inWords(is_full_time_after) },
]

const failure_columns: Column<HoursOutcome['failures'][number]>[] = [
  { title: 'row', of: ({ index }) => index + 1 },
  { title: 'field', of: ({ field }) => field },
  { title: 'reason', of: ({ reason }) => reason },
]

/** Prints the number of rows by outcome, and the first changes to earlier reports, status changes and failures. */
function printOutcome(io: Io, outcome: HoursOutcome, most: number): void {
  const { row_count, added_count, late_count, changed_count, removed_count, unchanged_count, failed_count } = outcome
  const added = late_count > 0 ? `${added_count} added (${late_count} late)` : `${added_count} added`
  const recorded = `${changed_count} changed, ${removed_count} removed, ${unchanged_count} unchanged`
  print(io, `${row_count} rows: ${added}, ${recorded}, ${failed_count} failed.`)
  const bold = hasColors(io.stdout, io.env)
  const list = <Row>(columns: Column<Row>[], rows: Row[]) =>
    rows.length > 0 && print(io, `\n${tableOf(columns, rows.slice(0, most), { bold })}`)
  list(change_columns, outcome.changes)
  list(status_columns, outcome.status_changes)
  list(failure_columns, outcome.failures)
}
