import { Worker } from 'node:worker_threads'
import { limits_of_thread } from '../../kernel/background-thread.ts'

/**
 * A text that a thread makes, where to make it here would hold up all requests: of what it gets as `workerData` it
 * posts the text, as its only message, and ends. Rejects with what ended it otherwise.
 */
export function makeApart(file: URL, workerData: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // Not with the flags of the process, such as those of a program given in words, which a file refuses.
  const worker = new Worker(file, { execArgv: [], resourceLimits: limits_of_thread, workerData })
  worker
    // Node posts messages of its own through threads, as with `--watch`.
    .on('message', (message: unknown) => void (typeof message === 'string' && resolve(message)))
    .on('error', reject)
    .on('exit', () => reject(new Error(`The thread of ${file.pathname} ended without a text.`)))
  return promise
}
