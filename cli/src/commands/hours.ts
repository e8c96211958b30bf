import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { HoursOutcome } from 'openbenefits'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples } from '../connection.ts'
import { FaultsFound, UsageError } from '../failures.ts'
import { type Column, hasColours, type Io, print, printJson, tableOf } from '../output.ts'

type HoursOptions = ConnectionOptions & { employer: string; dryRun?: boolean; rows: number }

/** `hours`: reports hours of service from a CSV file. */
export function addHours(program: Command, io: Io): void {
  connected(program.command('hours'))
    .description('Report hours of service from a CSV file. Exits with 1 if rows failed.')
    .argument('<file>', 'a CSV file with the fields of the API as column names')
    .requiredOption('--employer <id>', 'empr_…')
    .option('--dry-run', 'show what the file changes, without recording it')
    .option('--rows <count>', 'show at most this many changes and failures', Number, 20)
    .addHelpText('after', examples('hours june.csv --employer empr_01kdq7b4w8e9rs2mh3n5t6v702 --dry-run'))
    .action(async (file: string, options: HoursOptions) => {
      const { hours } = clientOf(connectionOf(options, io.env))
      const outcome = await hours.report(options.employer as never, textOf(file), { dry_run: options.dryRun ?? false })
      if (options.json) printJson(io, outcome)
      else printOutcome(io, outcome, options.rows)
      if (outcome.failed_count > 0) throw new FaultsFound()
    })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`file: cannot read ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const change_columns: Column<HoursOutcome['changes'][number]>[] = [
  { title: 'row', of: ({ index }) => index + 1 },
  { title: 'employee', of: ({ employee_id }) => employee_id },
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'period', of: ({ period_starts_on, period_ends_on }) => `${period_starts_on} to ${period_ends_on}` },
  { title: 'before', of: ({ hours_before }) => hours_before },
  { title: 'after', of: ({ hours_after }) => hours_after },
]

const failure_columns: Column<HoursOutcome['failures'][number]>[] = [
  { title: 'row', of: ({ index }) => index + 1 },
  { title: 'field', of: ({ field }) => field },
  { title: 'reason', of: ({ reason }) => reason },
]

/** Prints the number of rows by outcome, the first changes to earlier reports, and the first failures. */
function printOutcome(io: Io, outcome: HoursOutcome, most: number): void {
  const { row_count, added_count, late_count, changed_count, removed_count, unchanged_count, failed_count } = outcome
  const added = late_count > 0 ? `${added_count} added (${late_count} late)` : `${added_count} added`
  const recorded = `${changed_count} changed, ${removed_count} removed, ${unchanged_count} unchanged`
  print(io, `${row_count} rows: ${added}, ${recorded}, ${failed_count} failed.`)
  const bold = hasColours(io.stdout, io.env)
  if (outcome.changes.length > 0) print(io, `\n${tableOf(change_columns, outcome.changes.slice(0, most), { bold })}`)
  if (outcome.failures.length > 0) print(io, `\n${tableOf(failure_columns, outcome.failures.slice(0, most), { bold })}`)
}
