import type { Tinypool } from 'tinypool'
import { limits_of_thread } from './background-thread.ts'

export type ThreadPoolOptions = {
  /**
   * the thread is terminated if a task takes longer. Choose far more than the largest task needs: until then, the task
   * blocks all others
   */
  timeout_ms: number
  /** an idle thread ends after this time */
  idle_ms: number
}

/**
 * Runs a task in the thread. Buffers in `transfer` move there without a copy. Rejects with `AbortError` at the limit.
 */
export type RunInThread<Task, Result> = (task: Task, transfer?: ArrayBuffer[]) => Promise<Result>

/**
 * One worker thread for the default export of a file, started with the first task. It runs one task at a time. If it
 * crashes, only the running task fails, and the next task gets a new thread. An idle thread keeps no process alive.
 */
export function openThread<Task, Result>(
  file: URL,
  { timeout_ms, idle_ms }: ThreadPoolOptions,
): RunInThread<Task, Result> {
  let opening: Promise<Tinypool> | undefined
  let before: Promise<unknown> = Promise.resolve()
  const run = async (task: Task, transfer: ArrayBuffer[]) => {
    const pool = await (opening ??= openPool(file, idle_ms))
    // The declared type of the list is derived from another overload of `postMessage`.
    const transferList = transfer as never
    return pool.run(task, { transferList, signal: AbortSignal.timeout(timeout_ms) }) as Promise<Result>
  }
  // Tasks wait here: after a crash the pool would start no thread for those in its own queue.
  return (task, transfer = []) => {
    const result = before.then(() => run(task, transfer))
    before = result.catch(() => undefined)
    return result
  }
}

/** tinypool is imported with the first task, because most processes never need a thread. */
async function openPool(file: URL, idle_ms: number): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool')
  // If this variable is set, Node posts messages about loaded files to the pool, which treats them as errors.
  const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env as Record<string, string>
  const pool = new Tinypool({
    filename: file,
    env,
    // The thread does not inherit the flags of the process, because a file refuses some of them, such as `--eval`.
    execArgv: [],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idle_ms,
    useAtomics: false,
    resourceLimits: limits_of_thread,
  })
  // An idle thread that fails is replaced when the next task arrives.
  return pool.on('error', () => undefined)
}
