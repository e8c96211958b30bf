import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import type { Pages } from 'openbenefits'
import type { Readable, Writable } from 'node:stream'

/** A column of a table: its title and its value for a row. */
export type Column<Row> = { title: string; of: (row: Row) => string | number | null | undefined }

/** The part of a list response that printing needs. */
type Listed<Row> = { data: Row[]; pagination: { total?: number } }

export const print = (io: Io, line: string): void => void io.stdout.write(`${line}\n`)

export const printJson = (io: Io, value: unknown): void => print(io, JSON.stringify(value, null, 2))

/** Whether to use colors: only in a terminal, and not with NO_COLOR. */
export const hasColors = (stream: { isTTY?: boolean }, { NO_COLOR, TERM }: Io['env']): boolean =>
  stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'

/**
 * Shows a progress line in a terminal. Writes nothing to files and pipes.
 */
export function progressOn({ stderr }: Io, what: string): { show(done: number, total: number): void; end(): void } {
  const width = 30
  let shown = ''
  return {
    show(done, total) {
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

/** Text as one terminal line, without control characters that could move the cursor or hide content. */
const plain = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '–' : String(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')

/** Formats rows as a table with aligned columns. */
export function tableOf<Row>(columns: Column<Row>[], rows: Row[], { bold = false } = {}): string {
  const cells = rows.map((row) => columns.map(({ of }) => plain(of(row))))
  const titles = columns.map(({ title }) => title)
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...cells.map((row_cells) => row_cells[index]!.length)),
  )
  const line = (row_cells: string[]) =>
    row_cells
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd()
  const [head, ...body] = [titles, ...cells].map(line)
  return [bold ? styleText('bold', head!, { validateStream: false }) : head, ...body].join('\n')
}

/** Formats fields, one per line. */
export function fieldsOf(fields: [name: string, value: string | number | null | undefined][]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join('\n')
}

export type ListOptions = { limit: number; json?: boolean }

const rows_at_once = 100

/** The page size for a total number of rows. */
export const pageFor = (limit: number): { limit: number } => ({ limit: Math.min(limit, rows_at_once) })

/** Prints a list up to a limit, as a table or as JSON, with the total. */
export async function printList<Row>(
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
  if (json) return printJson(io, { data: rows, total: total ?? null })
  if (rows.length === 0) return print(io, 'No results.')
  print(io, tableOf(columns, rows, { bold: hasColors(io.stdout, io.env) }))
  if (total !== undefined && total > rows.length) print(io, `${rows.length} of ${total}. Use --limit for more.`)
}

/** The streams of a command: standard streams, or replacements in a test. */
export type Io = {
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean }
  env: Record<string, string | undefined>
  /** Stops long-running commands such as `listen`. */
  signal: AbortSignal
}

/** The streams and the environment of this process. Ctrl-C and SIGTERM stop it gracefully. */
export function processIo(): Io {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  // If output cannot be written, a command still finishes its work, and a long-running one stops.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    const is_first = !stopping.signal.aborted
    stopping.abort()
    // A reader such as `head` may close the pipe early.
    if (code === 'EPIPE' || !is_first) return
    process.exitCode = 1
    process.stderr.write(`error: The output could not be written (${message}).\n`)
  })
  process.stderr.on('error', () => undefined)
  const { stdin, stdout, stderr, env } = process
  return { stdin, stdout, stderr, env, signal: stopping.signal }
}

/** Whether the user answers a question with yes. */
export async function isConfirmed({ stdin, stdout, signal }: Io, question: string): Promise<boolean> {
  const prompt = createInterface({ input: stdin, output: stdout })
  try {
    return /^y(es)?$/i.test((await prompt.question(`\n${question} (yes/no) `, { signal })).trim())
  } finally {
    prompt.close()
  }
}
