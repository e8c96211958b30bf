import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The service as operators start it, in a process of its own. */
export type ServiceProcess = {
  child: ChildProcess
  /** where it serves; undefined of one that only works */
  url: string | undefined
  /** where it tells its metrics, with METRICS_PORT */
  metrics_url: string | undefined
  /** Ends it by a signal, SIGTERM unless said, and waits until it is gone; returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the service with these settings and none of ours, on a free port; returns when it says that it is ready. */
export async function startServiceProcess(settings: Record<string, string>): Promise<ServiceProcess> {
  const { PATH, NODE_COMPILE_CACHE, LOG_LEVEL = 'silent' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL, PORT: '0', SANDBOX_STAGE: 'false', ...settings }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ((await ended) as [number | null])[0]
  }
  let metrics_url: string | undefined
  for await (const line of createInterface({ input: child.stdout! })) {
    if (process.env.LOG_LEVEL) console.log(line)
    metrics_url ??= /^Metrics are on (\S+)/.exec(line)?.[1]
    if (!/is ready/.test(line)) continue
    child.stdout!.resume()
    return { child, url: /http:\S+/.exec(line)?.[0], metrics_url, end }
  }
  throw new Error('The service ended instead of getting ready.')
}
