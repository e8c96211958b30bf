import { stringify } from 'csv-stringify/sync'

/**
 * Writes rows, which come in pieces, as comma-separated values, as spreadsheets read them (RFC 4180 with a byte order
 * mark): a header line, then a line for each row with the cells of `columns`. Text that a spreadsheet would take for a
 * formula, since it begins with `=`, `+`, `-`, `@` or a tab, gets an apostrophe before it. Numbers stay numbers; those
 * of the columns in `dollars` are cents, and shown as dollars with two decimals.
 */
export async function* writeCsv(
  pieces: AsyncIterable<object[]>,
  columns: string[],
  dollars: string[] = [],
): AsyncGenerator<string> {
  const options = {
    columns,
    record_delimiter: 'windows' as const,
    escape_formulas: true,
    cast: {
      number: (value: number, { column }: { column?: unknown }) =>
        dollars.includes(String(column)) ? (value / 100).toFixed(2) : String(value),
    },
  }
  yield stringify([], { ...options, bom: true, header: true })
  for await (const rows of pieces) yield stringify(rows, options)
}
