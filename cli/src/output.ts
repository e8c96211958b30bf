import { styleText } from 'node:util'
import type { Pages } from 'openbenefits'
import type { Io } from './io.ts'

/** A column of a table: its title, and what stands in it of a row. */
export type Column<Row> = { title: string; of: (row: Row) => string | number | null | undefined }

/** What may be told of how a list goes on. */
type Listed<Row> = { data: Row[]; pagination: { total?: number } }

export const say = (io: Io, line: string): void => void io.stdout.write(`${line}\n`)

export const sayJson = (io: Io, value: unknown): void => say(io, JSON.stringify(value, null, 2))

/** Whether colours help: only people at a terminal see them, unless they want none. */
export const hasColours = (stream: { isTTY?: boolean }, { NO_COLOR, TERM }: Io['env']): boolean =>
  stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'

/**
 * Tells people at a terminal how far something has come, on one line that is written over. Programs and files are told
 * nothing of it.
 */
export function progressOn({ stderr }: Io, what: string): { tell(done: number, total: number): void; end(): void } {
  const width = 30
  let shown = ''
  return {
    tell(done, total) {
      if (!stderr.isTTY || total <= 0) return
      const part = Math.min(1, done / total)
      const full = Math.round(part * width)
      const line = `${what} ${'█'.repeat(full)}${'░'.repeat(width - full)} ${Math.floor(part * 100)} %`
      if (line === shown) return
      shown = line
      stderr.write(`\r${line}`)
    },
    end() {
      if (shown !== '') stderr.write(`\r${' '.repeat(shown.length)}\r`)
      shown = ''
    },
  }
}

/** A text as one line of a terminal: what is in it can't move the cursor, nor show what is not there. */
const plain = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '–' : String(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')

/** Rows under their titles, each column as wide as it has to be. */
export function tableOf<Row>(columns: Column<Row>[], rows: Row[], { bold = false } = {}): string {
  const cells = rows.map((row) => columns.map(({ of }) => plain(of(row))))
  const titles = columns.map(({ title }) => title)
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((each) => each[at]!.length)))
  const line = (each: string[]) =>
    each
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  const [head, ...body] = [titles, ...cells].map(line)
  return [bold ? styleText('bold', head!, { validateStream: false }) : head, ...body].join('\n')
}

/** What is known of one thing, a line for each field. */
export function fieldsOf(fields: [name: string, value: string | number | null | undefined][]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join('\n')
}

/** How much of a list is asked for. */
export type ListOptions = { limit: number; json?: boolean }

const rows_at_once = 100

/** How many rows a page is asked for, when so many are wanted in all. */
export const pageFor = (limit: number): { limit: number } => ({ limit: Math.min(limit, rows_at_once) })

/** Tells a list, from its beginning up to a limit, as a table or as JSON, and how many rows there are in all. */
export async function tellList<Row>(
  io: Io,
  pages: Pages<Row, Listed<Row>>,
  columns: Column<Row>[],
  { limit, json }: ListOptions,
): Promise<void> {
  const rows: Row[] = []
  let total: number | undefined
  for await (const page of pages.pages()) {
    rows.push(...page.data.slice(0, limit - rows.length))
    total = page.pagination.total ?? total
    if (rows.length >= limit) break
  }
  if (json) return sayJson(io, { data: rows, total: total ?? null })
  if (rows.length === 0) return say(io, 'None.')
  say(io, tableOf(columns, rows, { bold: hasColours(io.stdout, io.env) }))
  if (total !== undefined && total > rows.length) say(io, `${rows.length} of ${total}: more with --limit.`)
}
