/**
 * Standard output, which carries the log, and standard error. A full disk, a missing reader or a slow reader must never
 * end or block the service. Lines that cannot be written are lost, and their number precedes the next written line.
 */
import type { Writable } from 'node:stream'

/** The maximum number of bytes that are buffered for a slow reader. Further lines are lost until it has caught up. */
const max_buffered_bytes = 16_000_000

const ignore = () => undefined

export type LineWriter = {
  /** Writes text that ends with a newline. Never throws. */
  write(text: string): void
  /** Resolves when all buffered text is written or lost. */
  drained(): Promise<void>
}

export function lineWriter(stream: Writable, clock: () => number = Date.now): LineWriter {
  let lost = 0
  // Without a listener, Node ends the process at the first line that cannot be written.
  stream.on('error', ignore)
  return {
    write(text) {
      if (stream.writableLength > max_buffered_bytes) return void lost++
      const reported = lost
      lost = 0
      stream.write(reported > 0 ? noticeOf(reported, clock()) + text : text, (error) => {
        if (error) lost += reported + 1
      })
    },
    drained: () => new Promise((resolve) => stream.write('', () => resolve())),
  }
}

/** Begins with a newline because the disk may have become full in the middle of a line. */
const noticeOf = (lost: number, time: number): string =>
  `\n${JSON.stringify({ level: 40, time, lost, msg: 'log lines could not be written' })}\n`

export const output: LineWriter = lineWriter(process.stdout)
export const errors: LineWriter = lineWriter(process.stderr)
