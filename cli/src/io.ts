import type { Readable, Writable } from 'node:stream'

/** What a command reads and writes: the process's own, or a test's. */
export type Io = {
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean }
  env: Record<string, string | undefined>
  /** Ends what goes on until it is ended, such as `listen`. */
  signal: AbortSignal
}

/** The streams and the environment of this process; Ctrl-C and SIGTERM end it in good order. */
export function processIo(): Io {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  // A command finishes its work even if its output cannot be written; one that goes on until it is ended stops.
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    const is_first = !stopping.signal.aborted
    stopping.abort()
    // A reader may stop early, as `head` does.
    if (code === 'EPIPE' || !is_first) return
    process.exitCode = 1
    process.stderr.write(`error: The output could not be written (${message}).\n`)
  })
  process.stderr.on('error', () => undefined)
  const { stdin, stdout, stderr, env } = process
  return { stdin, stdout, stderr, env, signal: stopping.signal }
}
