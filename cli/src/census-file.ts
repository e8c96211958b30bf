import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import Papa from 'papaparse'
import {
  census_fields,
  failedRows,
  failure_columns,
  matchColumns,
  type RowFailure,
  type Spreadsheet,
} from 'openbenefits/census-columns'
import { UsageError } from './failures.ts'

/** Maps each field to its column. */
export type Columns = Record<string, string>

/**
 * The maximum rows of a submission. A file is sent in one submission, or the service could not report missing people.
 */
const max_rows = 10_000

/** Reads a file in CSV with commas, semicolons or tabs. Throws a `UsageError`. */
export function readSpreadsheet(path: string, most = max_rows): Spreadsheet {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(textOf(path).replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim(),
  })
  const columns = (meta.fields ?? []).filter((name) => name !== '' && !failure_columns.includes(name))
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new UsageError(`file: cannot read line ${(wrong.row ?? 0) + 2}: ${wrong.message}.`)
  if (columns.length === 0 || data.length === 0) throw new UsageError('file: has no rows below its column names.')
  if (data.length > most) throw new UsageError(`file: can have at most ${most} rows. Split the file.`)
  return { name: basename(path), columns, lines: data }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`file: cannot read ${path} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Maps fields to columns: first by the passed `field=column` pairs, then by column names. Throws a `UsageError` for an
 * unknown field or column, and for a required field without a column.
 */
export function columnsOf({ columns }: Spreadsheet, assignments: string[] = []): Columns {
  const matched = matchColumns(columns)
  for (const assignment of assignments) {
    const [field = '', column = ''] = assignment.split(/=(.*)/s)
    if (!census_fields.some(({ name }) => name === field))
      throw new UsageError(`map: unknown field ${JSON.stringify(field)}; ${fieldNames()}.`)
    if (column !== '' && !columns.includes(column))
      throw new UsageError(`map: unknown column ${JSON.stringify(column)}; the file has ${columns.join(', ')}.`)
    for (const other of Object.keys(matched)) if (matched[other] === column) delete matched[other]
    if (column === '') delete matched[field]
    else matched[field] = column
  }
  const missing = census_fields.filter(({ name, needed }) => needed && !matched[name]).map(({ name }) => name)
  if (missing.length === 0) return matched
  throw new UsageError(
    `map: no column for ${missing.join(', ')}. Use --map "${missing[0]}=…" with one of ${columns.join(', ')}.`,
  )
}

const fieldNames = () => `the fields are ${census_fields.map(({ name }) => name).join(', ')}`

/**
 * Writes the failed rows to a file next to the roster, with their reasons in the first columns, which a later run
 * ignores. Never overwrites a file. Returns the path.
 */
export function writeFailures(path: string, spreadsheet: Spreadsheet, failures: RowFailure[]): string {
  const target = freePath(path)
  const text = Papa.unparse(failedRows(spreadsheet, failures), { newline: '\n' })
  writeFileSync(target, `${text}\n`, { mode: 0o600, flag: 'wx' })
  return target
}

function freePath(path: string): string {
  const stem = path.slice(0, path.length - extname(path).length)
  for (let number = 1; ; number++) {
    const free = `${stem}.failures${number === 1 ? '' : `-${number}`}.csv`
    if (!existsSync(free)) return free
  }
}
