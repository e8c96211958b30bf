/**
 * Standard output, which carries the log, and standard error. A full disk, a reader that is gone or a slow reader must
 * never end or block the service: lines that cannot be written are lost, and the next line that can is preceded by
 * their number.
 */
import type { Writable } from 'node:stream'

/** Bytes that may wait for a slow reader. Further lines are lost until it has caught up. */
const most_waiting_bytes = 16_000_000

const ignore = () => undefined

export type LineWriter = {
  /** Writes text that ends with a line break. Never throws. */
  write(text: string): void
  /** Resolves when everything that waits is written or lost. */
  drained(): Promise<void>
}

export function lineWriter(stream: Writable, clock: () => number = Date.now): LineWriter {
  let lost = 0
  // Without a listener, Node ends the process at the first line that cannot be written.
  stream.on('error', ignore)
  return {
    write(text) {
      if (stream.writableLength > most_waiting_bytes) return void lost++
      const reported = lost
      lost = 0
      stream.write(reported > 0 ? noticeOf(reported, clock()) + text : text, (error) => {
        if (error) lost += reported + 1
      })
    },
    drained: () => new Promise((resolve) => stream.write('', () => resolve())),
  }
}

/** Begins with a line break because the disk may have filled up in the middle of a line. */
const noticeOf = (lost: number, time: number): string =>
  `\n${JSON.stringify({ level: 40, time, lost, msg: 'lines of the log could not be written' })}\n`

export const output: LineWriter = lineWriter(process.stdout)
export const errors: LineWriter = lineWriter(process.stderr)
