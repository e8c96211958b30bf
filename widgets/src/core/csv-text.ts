export type Cell = string | number | null | undefined

/** As spreadsheets read it. Text that they would take for a formula gets an apostrophe before it, as in the service. */
function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = (cell ?? '').replace(/^[=+\-@\t\r＝＋－＠]/, `'$&`)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The lines of a list, its head first, as the text of a file (RFC 4180 with a byte order mark). */
export const csvOf = (lines: Cell[][]): string =>
  `\uFEFF${lines.map((line) => `${line.map(written).join(',')}\r\n`).join('')}`
