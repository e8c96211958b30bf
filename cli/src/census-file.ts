import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import Papa from 'papaparse'
import {
  census_fields,
  failedRows,
  failure_columns,
  matchColumns,
  type RowFailure,
  type Sheet,
} from 'openbenefits/census-columns'
import { UsageError } from './failures.ts'

/** Which column of a file says which field. */
export type Columns = Record<string, string>

/** As many rows as one submission takes: only so can the service say who is missing. */
const most_rows = 10_000

/** Reads a roster as spreadsheets save it: commas, semicolons or tabs, quoted or not. Throws a `UsageError`. */
export function readSheet(path: string): Sheet {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(textOf(path).replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim(),
  })
  const columns = (meta.fields ?? []).filter((name) => name !== '' && !failure_columns.includes(name))
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new UsageError(`file: line ${(wrong.row ?? 0) + 2} can't be read: ${wrong.message}.`)
  if (columns.length === 0 || data.length === 0) throw new UsageError('file: it has no rows below its column names.')
  if (data.length > most_rows) throw new UsageError(`file: a census has at most ${most_rows} rows: divide it.`)
  return { name: basename(path), columns, lines: data }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`file: ${path} can't be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Which column says which field: as was said (`field=column`), the others guessed by their names. Throws a `UsageError`
 * for a field or a column that is not there, and where a field that is needed has no column.
 */
export function columnsOf({ columns }: Sheet, said: string[]): Columns {
  const matched = matchColumns(columns)
  for (const each of said) {
    const [field = '', column = ''] = each.split(/=(.*)/s)
    if (!census_fields.some(({ name }) => name === field))
      throw new UsageError(`map: there is no field ${JSON.stringify(field)}; ${fieldNames()}.`)
    if (column !== '' && !columns.includes(column))
      throw new UsageError(`map: the file has no column ${JSON.stringify(column)}; it has ${columns.join(', ')}.`)
    for (const other of Object.keys(matched)) if (matched[other] === column) delete matched[other]
    if (column === '') delete matched[field]
    else matched[field] = column
  }
  const missing = census_fields.filter(({ name, needed }) => needed && !matched[name]).map(({ name }) => name)
  if (missing.length === 0) return matched
  throw new UsageError(
    `map: no column says ${missing.join(', ')}. Name it: --map "${missing[0]}=…", one of ${columns.join(', ')}.`,
  )
}

const fieldNames = () => `there are ${census_fields.map(({ name }) => name).join(', ')}`

/**
 * Writes the rows that failed beside their file, with the reasons in front, to be corrected and sent again: the columns
 * in front are not read. Never overwrites a file. Returns its path.
 */
export function writeFailures(path: string, sheet: Sheet, failures: RowFailure[]): string {
  const target = freePath(path)
  const text = Papa.unparse(failedRows(sheet, failures), { newline: '\n' })
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
