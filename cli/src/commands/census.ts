import type { Command } from 'commander'
import {
  ApiError,
  type CensusCounts,
  type CensusMissing,
  type CensusMode,
  type CensusPlannedRow,
  type CensusResult,
} from 'openbenefits'
import {
  type CensusLine,
  labelOf,
  linesOf,
  reasonInFile,
  type RowFailure,
  rowNumber,
  rowOf,
  type Spreadsheet,
} from 'openbenefits/census-columns'
import { type Columns, columnsOf, readSpreadsheet, writeFailures } from '../census-file.ts'
import { clientOf, connected, connectionOf, type ConnectionOptions, collectValues } from '../connection.ts'
import { FaultsFound, UsageError } from '../failures.ts'
import { hasColors, isConfirmed, type Io, print, printJson, progressOn, tableOf } from '../output.ts'

type RosterOptions = ConnectionOptions & {
  employer: string
  mode?: CensusMode
  map?: string[]
  yes?: boolean
  rows: number
}

const examples = (action: string) => `
Columns are matched by name. --map corrects a match; an empty column name omits the field. Dates can be in US
format or from Excel, and classes such as full-time or FT. Rows count from 1, below the column names. Failed
rows are written to a file next to the roster with their reasons: correct that file and send it.

Examples:
  $ openbenefits census ${action} roster.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702
  $ openbenefits census ${action} roster.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702 --map "email=Work mail"`

/** `census plan` and `census apply`: upload a roster file. */
export function addCensus(program: Command, io: Io): void {
  const census = program.command('census').description('Upload the roster of an employer from a file.')
  const command = (name: string) =>
    connected(census.command(name))
      .argument('<file>', 'a CSV file')
      .requiredOption('--employer <id>', 'empr_…')
      .option('--mode <mode>', "merge or replace, which terminates missing people (default: the employer's setting)")
      .option('--map <field=column>', 'the column of a field; repeatable', collectValues)
      .option('--rows <count>', 'show at most this many changes and failures', Number, 20)
      .addHelpText('after', examples(name))
  command('plan')
    .description('Preview the changes of a file by field, without applying them. Exits with 1 if rows would fail.')
    .action(async (file: string, options: RosterOptions) => {
      const outcome = await plan(file, options, io)
      if (outcome.failures.length > 0) throw new FaultsFound()
    })
  command('apply')
    .description(
      'Preview the changes, and apply them after a confirmation. Exits with 1 if rows failed or the census is held.',
    )
    .option('--yes', 'skip the confirmation')
    .action((file: string, options: RosterOptions) => apply(file, options, io))
}

/** A parsed file with its rows in the API's format. */
type Roster = { spreadsheet: Spreadsheet; columns: Columns; lines: CensusLine[] }

function readRoster(file: string, { map }: RosterOptions): Roster {
  const spreadsheet = readSpreadsheet(file)
  const columns = columnsOf(spreadsheet, map)
  return { spreadsheet, columns, lines: linesOf(spreadsheet, columns, { today: presentDay() }) }
}

const presentDay = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })

/** The outcome of a roster or of its dry run. `sent` has the positions of the rows with a valid format. */
type Checked = { outcome: CensusResult; sent: number[] }

/** Sends rows of a roster. Indexes in the outcome are positions in the file. */
async function send(
  options: RosterOptions,
  io: Io,
  { lines }: Roster,
  sent: number[],
  more: { dry_run: true } | { wait: true },
) {
  const { employer, mode } = options
  const progress = progressOn(io, 'wait' in more ? 'Applying' : 'Checking')
  const onProgress = ({ processed_count, row_count }: { processed_count: number; row_count: number }) =>
    progress.show(processed_count, row_count)
  const rows = sent.map((index) => rowOf(lines[index]!))
  try {
    const { census } = clientOf(connectionOf(options, io.env))
    const sync_options = { ...more, ...(mode && { mode }), onProgress, signal: io.signal }
    return mapToFile(await census.sync(employer, rows, sync_options), sent)
  } finally {
    progress.end()
  }
}

function mapToFile(outcome: CensusResult, sent: number[]): CensusResult {
  const inFile = <Row extends { index: number }>(row: Row): Row => ({ ...row, index: sent[row.index]! })
  const { failures, warnings, planned } = outcome
  return {
    ...outcome,
    failures: failures.map(inFile),
    warnings: warnings.map(inFile),
    planned: planned && planned.map(inFile),
  }
}

/**
 * Dry-runs a roster. Sets aside the rows that the service refuses for their format, and tries again with the rest.
 * Throws for any other refusal, and if no rows are left.
 */
async function dryRun(options: RosterOptions, io: Io, roster: Roster): Promise<Checked> {
  const refused: RowFailure[] = []
  for (let sent = roster.lines.map((_, index) => index); ;) {
    try {
      const outcome = await send(options, io, roster, sent, { dry_run: true })
      return { outcome: addRefused(outcome, refused, roster.lines), sent }
    } catch (error) {
      const found = refusedRows(error).map(({ index, field, reason }) => ({
        index: sent[index]!,
        field,
        reason: reasonInFile(reason, sent),
      }))
      refused.push(...found)
      const left = sent.filter((at) => !found.some(({ index }) => index === at))
      if (left.length === sent.length || left.length === 0) throw error
      sent = left
    }
  }
}

/** The rows of a submission that were refused for their format. Empty for other refusals. */
function refusedRows(error: unknown): RowFailure[] {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return []
  return error.details.flatMap(({ field, message }) => {
    const [, index, name] = /^employees\[(\d+)\](?:\.(.+))?$/.exec(field) ?? []
    return index === undefined ? [] : [{ index: Number(index), field: name ?? null, reason: message }]
  })
}

function addRefused(outcome: CensusResult, refused: RowFailure[], lines: CensusLine[]): CensusResult {
  const count = new Set(refused.map(({ index }) => index)).size
  const { row_count, counts, failures } = outcome
  return {
    ...outcome,
    row_count: row_count + count,
    counts: { ...counts, failed: counts.failed + count },
    failures: [
      ...refused.map((row) => ({ ...row, reference_id: lines[row.index]?.reference_id ?? null })),
      ...failures,
    ],
  }
}

async function plan(file: string, options: RosterOptions, io: Io): Promise<CensusResult> {
  const roster = readRoster(file, options)
  if (!options.json) printColumns(io, roster)
  const { outcome } = await dryRun(options, io, roster)
  reportOutcome(file, options, io, roster, outcome)
  return outcome
}

/** Writes the failed rows to a file, and prints the outcome. */
function reportOutcome(file: string, options: RosterOptions, io: Io, roster: Roster, outcome: CensusResult): void {
  const failures_file = outcome.failures.length > 0 ? writeFailures(file, roster.spreadsheet, outcome.failures) : null
  if (options.json) return printJson(io, { columns: roster.columns, ...outcome, failures_file })
  printOutcome(io, roster, outcome, options.rows)
  if (failures_file)
    print(
      io,
      `\n
Failed rows are in ${failures_file}. Correct that file and send it.`,
    )
}

async function apply(file: string, options: RosterOptions, io: Io): Promise<void> {
  const roster = readRoster(file, options)
  if (!options.yes && (!io.stdin.isTTY || options.json))
    throw new UsageError('yes: there is no terminal to confirm in. Preview with census plan, then use --yes.')
  const checked = await dryRun(options, io, roster)
  const { sent, outcome } = checked
  const refused = outcome.failures.filter(({ index }) => !sent.includes(index))
  if (outcome.mode === 'replace' && refused.length > 0) {
    reportOutcome(file, options, io, roster, outcome)
    throw new Error(
      'No changes were made. A census in replace mode would terminate people on failed rows. Correct these first.',
    )
  }
  if (!options.yes) {
    printColumns(io, roster)
    printOutcome(io, roster, outcome, options.rows)
    if (!(await isConfirmed(io, 'Apply these changes?'))) return print(io, 'No changes were made.')
  }
  const done = addRefused(await send(options, io, roster, sent, { wait: true }), refused, roster.lines)
  reportOutcome(file, options, io, roster, done)
  if (done.state === 'held' && !options.json) printHeld(io, done)
  if (done.failures.length > 0 || done.state !== 'completed') throw new FaultsFound()
}

function printHeld(io: Io, { missing_count, employer_id, census_sync_ids }: CensusResult): void {
  print(
    io,
    `\n
Held: the census would terminate ${missing_count} missing people. To confirm:`,
  )
  print(io, `  openbenefits call census.confirm ${employer_id} ${census_sync_ids.at(-1)}`)
}

function printColumns(io: Io, { spreadsheet, columns }: Roster): void {
  const column_of = new Map(Object.entries(columns).map(([field, column]) => [column, field]))
  const titles = [
    { title: 'column', of: (column: string) => column },
    { title: 'field', of: (column: string) => column_of.get(column) ?? '(ignored)' },
    { title: 'example (row 1)', of: (column: string) => spreadsheet.lines[0]?.[column] ?? null },
  ]
  print(io, `${tableOf(titles, spreadsheet.columns, { bold: hasColors(io.stdout, io.env) })}\n`)
}

const count_names: [name: keyof CensusCounts, label: string][] = [
  ['created', 'new'],
  ['updated', 'changed'],
  ['rehired', 'rehired'],
  ['terminated', 'terminated'],
  ['unchanged', 'unchanged'],
  ['failed', 'failed'],
]

/** Prints the outcome of a census: counts, the first changes by field, and failures. */
function printOutcome(io: Io, roster: Roster, outcome: CensusResult, most: number): void {
  const { counts, planned, failures, warnings, row_count } = outcome
  const bold = hasColors(io.stdout, io.env)
  const nameOf = (index: number) =>
    [roster.lines[index]?.first_name, roster.lines[index]?.last_name].filter(Boolean).join(' ')
  print(io, `${row_count} rows: ${count_names.map(([name, label]) => `${counts[name]} ${label}`).join(', ')}.`)
  const changes = (planned ?? []).flatMap((row) => changesOf(row, nameOf(row.index)))
  if (changes.length > 0) {
    const titles = ['row', 'person', 'field', 'before', 'after'] as const
    print(
      io,
      `\n${tableOf(
        titles.map((title) => ({ title, of: (row: ChangedLine) => row[title] })),
        changes.slice(0, most),
        { bold },
      )}`,
    )
    if (changes.length > most) print(io, `${most} of ${changes.length} changes. Use --rows for more, --json for all.`)
  }
  printMissing(io, outcome, most)
  const wrong = [...failures, ...warnings.map((warning) => ({ ...warning, reason: `(warning) ${warning.reason}` }))]
  if (wrong.length > 0) {
    const titles = [
      { title: 'row', of: ({ index }: { index: number }) => rowNumber(index) },
      { title: 'reference', of: ({ reference_id }: { reference_id: string | null }) => reference_id },
      { title: 'field', of: ({ field }: { field: string | null }) => field },
      { title: 'reason', of: ({ reason }: { reason: string }) => reason },
    ]
    print(io, `\n${tableOf(titles as never, wrong.slice(0, most), { bold })}`)
    if (wrong.length > most) print(io, `${most} of ${wrong.length}. Use --rows for more.`)
  }
}

/** Lists the people missing from a `replace` census, before the user confirms their termination. */
function printMissing(io: Io, { missing, missing_count }: CensusResult, most: number): void {
  if (!missing || missing.length === 0) return
  const titles = [
    { title: 'missing from the file', of: (person: CensusMissing) => `${person.first_name} ${person.last_name}` },
    { title: 'reference', of: ({ reference_id }: CensusMissing) => reference_id },
  ]
  print(io, `\n${tableOf(titles, missing.slice(0, most), { bold: hasColors(io.stdout, io.env) })}`)
  const count = missing_count ?? missing.length
  if (count > most) print(io, `${most} of ${count} people. Use --rows for more.`)
}

type ChangedLine = { row: number; person: string; field: string; before: string | null; after: string | null }

function changesOf({ index, outcome, differences }: CensusPlannedRow, person: string): ChangedLine[] {
  const row = rowNumber(index)
  if (outcome === 'created' || differences.length === 0)
    return [{ row, person, field: outcome === 'created' ? 'new' : outcome, before: null, after: null }]
  return differences.map(({ field, before, after }) => ({ row, person, field: labelOf(field), before, after }))
}
