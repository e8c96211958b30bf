import type { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

/**
 * Writes rows as comma-separated values, as spreadsheets read them (RFC 4180 with a byte order mark): a header line, then
 * a line for each row with the cells of `columns`. Text that a spreadsheet would take for a formula, since it begins with
 * `=`, `+`, `-`, `@` or a tab, gets an apostrophe before it. Numbers stay numbers; those of the columns in `dollars` are
 * cents, and shown as dollars with two decimals.
 */
export const writeCsv = (rows: object[], columns: string[], dollars: string[] = []): Readable =>
  stringify(rows, {
    bom: true,
    header: true,
    columns,
    record_delimiter: 'windows',
    escape_formulas: true,
    cast: {
      number: (value, { column }) => (dollars.includes(String(column)) ? (value / 100).toFixed(2) : String(value)),
    },
  })
