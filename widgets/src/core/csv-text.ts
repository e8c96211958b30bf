export type Cell = string | number | null | undefined

/** Writes a cell as the service does: quoted if needed, with an apostrophe before text that could run as a formula. */
function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = (cell ?? '').replace(/^[=+\-@\t\r＝＋－＠]/, `'$&`)
  return /[",\r\n\uFEFF]|^ | $/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text of a CSV file, header first (RFC 4180 with a byte order mark). */
export const csvOf = (lines: Cell[][]): string =>
  `\uFEFF${lines.map((line) => `${line.map(written).join(',')}\r\n`).join('')}`
