import Papa from 'papaparse'

/** The first characters of a formula, also in their full-width forms. */
const formula = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/

/**
 * Writes chunks of rows as CSV for spreadsheets (RFC 4180 with a byte order mark): a header line, then a line per row
 * with the cells of `columns`. Text that a spreadsheet would run as a formula gets an apostrophe before it. Cents in
 * the columns `dollars` become dollars with two decimals.
 */
export async function* writeCsv(
  chunks: AsyncIterable<object[]>,
  columns: string[],
  dollars: string[] = [],
): AsyncGenerator<string> {
  const linesOf = (rows: unknown[][]) => `${Papa.unparse(rows)}\r\n`
  const cellOf = (value: unknown, column: string) => {
    if (typeof value === 'number' && dollars.includes(column)) return (value / 100).toFixed(2)
    return typeof value === 'string' && formula.test(value) ? `'${value}` : value
  }
  yield `\uFEFF${linesOf([columns])}`
  for await (const rows of chunks)
    if (rows.length > 0)
      yield linesOf(
        rows.map((row) => columns.map((column) => cellOf((row as Record<string, unknown>)[column], column))),
      )
}
