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
  // Whoever reads us may stop reading, as `head` does: that is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { stdin, stdout, stderr, env } = process
  return { stdin, stdout, stderr, env, signal: stopping.signal }
}
