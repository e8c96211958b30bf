/**
 * The worker of a process with ROLE=all. It is a child process of lower priority, so that jobs never run on the event
 * loop that answers requests. It connects to the database that its parent opened, and never outlives its parent.
 *
 * ```
 * parent                                child (worker-child.ts)
 *   fork ─────────────────────────────▶ loads the code
 *   opens and migrates the database
 *   { start } ────────────────────────▶ opens its own sessions, takes jobs
 *                    ◀──────────────── { started }, { run } per job, { is_working } each second
 *   { seed_demo_data } ───────────────▶ sandbox only, after the greeting
 *   { stop } ─────────────────────────▶ finishes its jobs, ends
 *   (killed: the channel closes) ─────▶ ends immediately
 * ```
 */
import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Runtime } from '../runtime/runtime.ts'
import type { Opened } from '../../packages/embedded-postgres/cluster.ts'
import type { OnRun } from './worker.ts'
import { lockHolderPriority, setProcessPriority } from '../kernel/concurrency/background-thread.ts'

/** `cluster`: the embedded PostgreSQL, if there is one. `timeout_ms`: how long jobs may take to finish. */
export type ToWorker =
  | { type: 'start'; cluster: Opened | undefined }
  | { type: 'seed_demo_data' }
  | { type: 'stop'; timeout_ms: number }
export type FromWorker =
  | { type: 'started' }
  | { type: 'status'; is_working: boolean }
  | { type: 'run'; run: Parameters<OnRun> }

export type WorkOptions = { cluster: Opened | undefined; log: Runtime['log']; onRun: OnRun }

export type WorkerProcess = {
  /** Resolves when the worker takes jobs, or waits for a database that accepts writes. Rejects if it cannot start. */
  start(options: WorkOptions): Promise<void>
  seedDemoData(): void
  isWorking(): boolean
  /** Resolves when the process is gone. */
  stop(timeout_ms: number): Promise<void>
}

/** The worker reports each second. One that has been silent for so long is stuck. */
const silence_ms = 10_000
const restart_after_ms = 1000

const program = new URL('../worker-child.ts', import.meta.url)

/** Starts the child process, which loads the code and waits for `start`. A child that dies is replaced. */
export function openWorkerProcess(): WorkerProcess {
  let child: ChildProcess
  let ended: Promise<unknown>
  let stopping = false
  let options: WorkOptions | undefined
  let working_at = -Infinity
  const started = Promise.withResolvers<void>()
  started.promise.catch(() => undefined)

  const send = (message: ToWorker) => void (child.connected && child.send(message, () => undefined))
  const receive = (message: FromWorker) => {
    if (message.type === 'run') options?.onRun(...message.run)
    else if (message.type === 'started') started.resolve()
    else working_at = message.is_working ? performance.now() : -Infinity
  }
  const open = () => {
    child = fork(program)
    child.on('message', receive)
    child.on('error', () => undefined)
    ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.pid !== undefined) setProcessPriority(child.pid, lockHolderPriority())
    if (options) send({ type: 'start', cluster: options.cluster })
    void ended.then(replace)
  }
  const replace = async () => {
    working_at = -Infinity
    started.reject(new Error('the worker process ended before it was ready.'))
    if (stopping) return
    const { exitCode: exit_code, signalCode: signal } = child
    options?.log.error({ exit_code, signal }, 'the worker process ended and is started again')
    await pause(restart_after_ms)
    if (!stopping) open()
  }
  open()
  return {
    start(given) {
      options = given
      send({ type: 'start', cluster: options.cluster })
      return started.promise
    },
    seedDemoData: () => send({ type: 'seed_demo_data' }),
    isWorking: () => performance.now() - working_at < silence_ms,
    async stop(timeout_ms) {
      stopping = true
      send({ type: 'stop', timeout_ms })
      await ended
    },
  }
}
