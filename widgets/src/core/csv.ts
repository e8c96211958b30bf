import { csvOf, type Cell } from './csv-text.ts'

/** Cents as dollars, as spreadsheets take them for a number. */
export const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** Has the browser save a list that is shown. */
export function saveCsv(name: string, lines: Cell[][]): void {
  const address = URL.createObjectURL(new Blob([csvOf(lines)], { type: 'text/csv' }))
  save(address, `${name}.csv`)
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Has the browser save what is at an address. */
export const save = (href: string, download = ''): void =>
  Object.assign(document.createElement('a'), { href, download }).click()
