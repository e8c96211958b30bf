import type { Readable, Writable } from 'node:stream'

/** The streams of a command: those of the process, or of a test. */
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
