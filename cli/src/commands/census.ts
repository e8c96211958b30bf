import { createInterface } from 'node:readline/promises'
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
  labelOf,
  linesOf,
  reasonInFile,
  rowNumber,
  rowOf,
  type CensusLine,
  type RowFailure,
  type Sheet,
} from 'openbenefits/census-columns'
import { columnsOf, readSheet, writeFailures, type Columns } from '../census-file.ts'
import { clientOf, connected, connectionOf, type ConnectionOptions } from '../connection.ts'
import { FaultsFound, UsageError } from '../failures.ts'
import type { Io } from '../io.ts'
import { hasColours, progressOn, say, sayJson, tableOf } from '../output.ts'

type RosterOptions = ConnectionOptions & {
  employer: string
  mode?: CensusMode
  map: string[]
  yes?: boolean
  rows: number
}

const again = (text: string, former: string[]) => [...former, text]

const examples = (action: string) => `
The columns are guessed by their names. --map names a column that is guessed wrongly; an empty one is left out.
Dates may be written as in the United States or by Excel, and classes as full-time or FT. Rows are counted
from 1, below the column names. Rows that fail are written beside the file, with the reason in front: correct
that file and send it.

Examples:
  $ openbenefits census ${action} roster.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702
  $ openbenefits census ${action} roster.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702 --map "email=Work mail"`

/** `census plan` and `census apply`: a roster from a file. */
export function addCensus(program: Command, io: Io): void {
  const census = program.command('census').description('The roster of an employer, from a file.')
  const command = (name: string) =>
    connected(census.command(name))
      .argument('<file>', 'a CSV file, as spreadsheets save it')
      .requiredOption('--employer <id>', 'empr_…')
      .option('--mode <mode>', "merge or replace, which ends who is missing; the employer's setting unless said")
      .option('--map <field=column>', 'which column says a field; again for more', again, [])
      .option('--rows <count>', 'list at most this many changes, and as many failures', Number, 20)
      .addHelpText('after', examples(name))
  command('plan')
    .description('Shows what a file would change, field by field. Changes nothing. Exits with 1 if rows would fail.')
    .action(async (file: string, options: RosterOptions) => {
      const told = await plan(file, options, io)
      if (told.failures.length > 0) throw new FaultsFound()
    })
  command('apply')
    .description('Shows the same, asks, and applies it. Exits with 1 if rows failed, or if it is held.')
    .option('--yes', 'do not ask')
    .action((file: string, options: RosterOptions) => apply(file, options, io))
}

/** A file that is understood: its rows as the interface takes them. */
type Roster = { sheet: Sheet; columns: Columns; lines: CensusLine[] }

function understood(file: string, { map }: RosterOptions): Roster {
  const sheet = readSheet(file)
  const columns = columnsOf(sheet, map)
  return { sheet, columns, lines: linesOf(sheet, columns, { today: presentDay() }) }
}

const presentDay = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/New_York' })

/** What became of a roster, or would; `sent`: the places of its rows that have the form of one. */
type Told = { outcome: CensusResult; sent: number[] }

/** Sends rows of a roster; what is told of them is told of their places in the file. */
async function send(
  options: RosterOptions,
  io: Io,
  { lines }: Roster,
  sent: number[],
  more: { dry_run: true } | { wait: true },
) {
  const { employer, mode } = options
  const progress = progressOn(io, 'wait' in more ? 'Working it off' : 'Trying it')
  const onProgress = ({ processed_count, row_count }: { processed_count: number; row_count: number }) =>
    progress.tell(processed_count, row_count)
  const rows = sent.map((at) => rowOf(lines[at]!))
  try {
    const { census } = clientOf(connectionOf(options, io.env))
    const asked = { ...more, ...(mode && { mode }), onProgress, signal: io.signal }
    return placed(await census.sync(employer, rows, asked), sent)
  } finally {
    progress.end()
  }
}

function placed(outcome: CensusResult, sent: number[]): CensusResult {
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
 * Has a roster tried, and sets aside what the service won't even look at for its form. That changes nothing. Throws
 * what is refused for another reason, and when no row is left.
 */
async function rehearse(options: RosterOptions, io: Io, roster: Roster): Promise<Told> {
  const refused: RowFailure[] = []
  for (let sent = roster.lines.map((_, at) => at); ;) {
    try {
      const outcome = await send(options, io, roster, sent, { dry_run: true })
      return { outcome: withRefused(outcome, refused, roster.lines), sent }
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

/** The rows of a submission that were refused for their form; none where that was not why. */
function refusedRows(error: unknown): RowFailure[] {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return []
  return error.details.flatMap(({ field, message }) => {
    const [, index, name] = /^employees\[(\d+)\](?:\.(.+))?$/.exec(field) ?? []
    return index === undefined ? [] : [{ index: Number(index), field: name ?? null, reason: message }]
  })
}

function withRefused(outcome: CensusResult, refused: RowFailure[], lines: CensusLine[]): CensusResult {
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
  const roster = understood(file, options)
  if (!options.json) tellColumns(io, roster)
  const { outcome } = await rehearse(options, io, roster)
  conclude(file, options, io, roster, outcome)
  return outcome
}

/** Writes what failed, and tells what became of a roster, or would. */
function conclude(file: string, options: RosterOptions, io: Io, roster: Roster, outcome: CensusResult): void {
  const failures_file = outcome.failures.length > 0 ? writeFailures(file, roster.sheet, outcome.failures) : null
  if (options.json) return sayJson(io, { columns: roster.columns, ...outcome, failures_file })
  tell(io, roster, outcome, options.rows)
  if (failures_file) say(io, `\nThe rows that failed are in ${failures_file}: correct it, and send it as it is.`)
}

async function apply(file: string, options: RosterOptions, io: Io): Promise<void> {
  const roster = understood(file, options)
  if (!options.yes && (!io.stdin.isTTY || options.json))
    throw new UsageError('yes: nobody is there to ask. Look at it with census plan, and say --yes.')
  const rehearsed = await rehearse(options, io, roster)
  const { sent, outcome } = rehearsed
  const refused = outcome.failures.filter(({ index }) => !sent.includes(index))
  if (outcome.mode === 'replace' && refused.length > 0) {
    conclude(file, options, io, roster, outcome)
    throw new Error(
      'Nothing was changed: this census replaces, so it would terminate the people on those rows. Correct them first.',
    )
  }
  if (!options.yes) {
    tellColumns(io, roster)
    tell(io, roster, outcome, options.rows)
    if (!(await confirmed(io))) return say(io, 'Nothing was changed.')
  }
  const done = withRefused(await send(options, io, roster, sent, { wait: true }), refused, roster.lines)
  conclude(file, options, io, roster, done)
  if (done.state === 'held' && !options.json) tellHeld(io, done)
  if (done.failures.length > 0 || done.state !== 'completed') throw new FaultsFound()
}

async function confirmed({ stdin, stdout, signal }: Io): Promise<boolean> {
  const asking = createInterface({ input: stdin, output: stdout })
  try {
    return /^y(es)?$/i.test(
      (await asking.question('\nAre the columns right, and is this what you want? (yes/no) ', { signal })).trim(),
    )
  } finally {
    asking.close()
  }
}

function tellHeld(io: Io, { missing_count, employer_id, census_sync_ids }: CensusResult): void {
  say(io, `\nHeld: it would end ${missing_count} people who are missing from it. If that is meant:`)
  say(io, `  openbenefits call census.confirm ${employer_id} ${census_sync_ids.at(-1)}`)
}

function tellColumns(io: Io, { sheet, columns }: Roster): void {
  const column_of = new Map(Object.entries(columns).map(([field, column]) => [column, field]))
  const titles = [
    { title: 'column', of: (column: string) => column },
    { title: 'says', of: (column: string) => column_of.get(column) ?? '(not read)' },
    { title: 'as in row 1', of: (column: string) => sheet.lines[0]?.[column] ?? null },
  ]
  say(io, `${tableOf(titles, sheet.columns, { bold: hasColours(io.stdout, io.env) })}\n`)
}

const count_names: [name: keyof CensusCounts, said: string][] = [
  ['created', 'new'],
  ['updated', 'changed'],
  ['rehired', 'rehired'],
  ['terminated', 'ended'],
  ['unchanged', 'as they are'],
  ['failed', 'failed'],
]

/** What a census changes or has changed: how many, the first of them field by field, and what failed. */
function tell(io: Io, roster: Roster, told: CensusResult, most: number): void {
  const { counts, planned, failures, warnings, row_count } = told
  const bold = hasColours(io.stdout, io.env)
  const nameOf = (index: number) =>
    [roster.lines[index]?.first_name, roster.lines[index]?.last_name].filter(Boolean).join(' ')
  say(io, `${row_count} rows: ${count_names.map(([name, said]) => `${counts[name]} ${said}`).join(', ')}.`)
  const changes = (planned ?? []).flatMap((row) => changesOf(row, nameOf(row.index)))
  if (changes.length > 0) {
    const titles = ['row', 'who', 'what', 'before', 'after'] as const
    say(
      io,
      `\n${tableOf(
        titles.map((title) => ({ title, of: (row: ChangedLine) => row[title] })),
        changes.slice(0, most),
        { bold },
      )}`,
    )
    if (changes.length > most) say(io, `${most} of ${changes.length} changes: more with --rows, all with --json.`)
  }
  tellMissing(io, told, most)
  const wrong = [...failures, ...warnings.map((each) => ({ ...each, reason: `(processed) ${each.reason}` }))]
  if (wrong.length > 0) {
    const titles = [
      { title: 'row', of: ({ index }: { index: number }) => rowNumber(index) },
      { title: 'reference', of: ({ reference_id }: { reference_id: string | null }) => reference_id },
      { title: 'field', of: ({ field }: { field: string | null }) => field },
      { title: 'wrong', of: ({ reason }: { reason: string }) => reason },
    ]
    say(io, `\n${tableOf(titles as never, wrong.slice(0, most), { bold })}`)
    if (wrong.length > most) say(io, `${most} of ${wrong.length}: more with --rows.`)
  }
}

/** Lists the people who are missing from a `replace` census, before the user confirms that they are terminated. */
function tellMissing(io: Io, { missing, missing_count }: CensusResult, most: number): void {
  if (!missing || missing.length === 0) return
  const titles = [
    { title: 'missing from the file', of: (one: CensusMissing) => `${one.first_name} ${one.last_name}` },
    { title: 'reference', of: ({ reference_id }: CensusMissing) => reference_id },
  ]
  say(io, `\n${tableOf(titles, missing.slice(0, most), { bold: hasColours(io.stdout, io.env) })}`)
  const count = missing_count ?? missing.length
  if (count > most) say(io, `${most} of ${count} people: more with --rows.`)
}

type ChangedLine = { row: number; who: string; what: string; before: string | null; after: string | null }

function changesOf({ index, outcome, differences }: CensusPlannedRow, who: string): ChangedLine[] {
  const row = rowNumber(index)
  if (outcome === 'created' || differences.length === 0)
    return [{ row, who, what: outcome === 'created' ? 'new' : outcome, before: null, after: null }]
  return differences.map(({ field, before, after }) => ({ row, who, what: labelOf(field), before, after }))
}
