import { csvOf, type Cell } from './format.ts'

/** Cents as dollars, which spreadsheets read as a number. */
export const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** Downloads lines as a CSV file. */
export function saveCsv(name: string, lines: Cell[][]): void {
  const address = URL.createObjectURL(new Blob([csvOf(lines)], { type: 'text/csv' }))
  save(address, `${name}.csv`)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Downloads a URL. */
export const save = (href: string, download = ''): void =>
  Object.assign(document.createElement('a'), { href, download }).click()
