type Cell = string | number | null | undefined

/** As spreadsheets read it; text that they would take for a formula gets an apostrophe before it. */
function written(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = (cell ?? '').replace(/^[=+\-@\t]/, `'$&`)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Cents as dollars, as spreadsheets take them for a number. */
export const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** The lines of a list, its head first, as the text of a file (RFC 4180 with a byte order mark). */
export const csvOf = (lines: Cell[][]): string =>
  `\uFEFF${lines.map((line) => `${line.map(written).join(',')}\r\n`).join('')}`

/** Has the browser save a list that is shown. */
export function saveCsv(name: string, lines: Cell[][]): void {
  const address = URL.createObjectURL(new Blob([csvOf(lines)], { type: 'text/csv' }))
  save(address, `${name}.csv`)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Has the browser save what is at an address. */
export const save = (href: string, download = ''): void =>
  Object.assign(document.createElement('a'), { href, download }).click()
