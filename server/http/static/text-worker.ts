import { Worker } from 'node:worker_threads'
import { limits_of_thread } from '../../kernel/concurrency/background-thread.ts'

/**
 * Creates a text in a worker thread, because it would block requests here. The thread reads `workerData`, posts the
 * text as its only message and exits. Rejects if the thread fails.
 */
export function makeInWorker(file: URL, workerData: unknown): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  // The worker does not inherit the flags of the process, because a file refuses some of them, such as `--eval`.
  const worker = new Worker(file, { execArgv: [], resourceLimits: limits_of_thread, workerData })
  worker
    // Node posts messages of its own, such as with `--watch`.
    .on('message', (message: unknown) => void (typeof message === 'string' && resolve(message)))
    .on('error', reject)
    .on('exit', () => reject(new Error(`The thread of ${file.pathname} ended without a text.`)))
  return promise
}
