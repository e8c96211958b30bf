/** The program of the worker process that a process with ROLE=all starts: see `jobs/worker-process.ts`. */
import closeWithGrace from 'close-with-grace'
import { printLine as print } from '../packages/embedded-postgres/embedded-cluster.ts'
import { integrations } from './modules.ts'
import { openWorkerRuntime } from './open-runtime.ts'
import { lowerGcPriority } from './runtime/process/background-gc.ts'
import { errors } from './runtime/process/output.ts'
import type { Runtime } from './runtime/runtime.ts'
import { readSettings } from './runtime/settings.ts'
import { seedDemoDataInBackground } from './sandbox/demo/seed.ts'
import { shutdown } from './runtime/process/shutdown.ts'
import { startWork, tasks } from './worker-tasks.ts'
import type { FromWorker, ToWorker } from './jobs/worker-process.ts'

const status_every_ms = 1000

let runtime: Runtime | undefined

const send = (message: FromWorker) =>
  void (process.connected && process.send!(message, undefined, undefined, () => undefined))

async function start({ cluster }: Extract<ToWorker, { type: 'start' }>): Promise<void> {
  const config = readSettings(process.env, integrations)
  const opened = await openWorkerRuntime(config, cluster)
  const worker = await startWork(opened, config, (...run) => send({ type: 'run', run }))
  runtime = opened.runtime
  const report = () => send({ type: 'status', is_working: worker.isWorking() })
  report()
  setInterval(report, status_every_ms).unref()
  send({ type: 'started' })
}

/** Signals also reach the parent, which ends this process. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
for (const signal of signals) process.on(signal, () => undefined)

const ending = closeWithGrace({ delay: 10_000, skip: [...signals] }, async ({ err }) => {
  if (err) errors.write(`${err.stack}\n`)
  await shutdown.run()
})

process.on('disconnect', () => {
  // The parent was killed. Exit immediately, like the parent: jobs can be run again.
  if (!shutdown.has_begun) process.exit(1)
})
process.on('message', (message: ToWorker) => {
  if (message.type === 'start')
    start(message).catch((error: Error) => {
      errors.write(`The worker of OpenBenefits can't start: ${error.message}\n`)
      process.exit(1)
    })
  else if (message.type === 'seed_demo_data') {
    if (runtime) seedDemoDataInBackground(runtime, tasks, print)
  } else {
    shutdown.timeout_ms = message.timeout_ms
    void ending.close()
  }
})
lowerGcPriority()
