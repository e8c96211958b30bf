import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** The service as operators start it, in a separate process. */
export type ServiceProcess = {
  child: ChildProcess
  /** The address of its API. Undefined for a process that only runs jobs. */
  url: string | undefined
  /** The address of its metrics. Requires METRICS_PORT. */
  metrics_url: string | undefined
  /** Sends a signal, by default SIGTERM, waits until the process has ended, and returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the service with only these settings on a free port. Returns when the service reports that it is ready. */
export async function startServiceProcess(settings: Record<string, string>): Promise<ServiceProcess> {
  const { PATH, NODE_COMPILE_CACHE, LOG_LEVEL = 'silent' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, LOG_LEVEL, PORT: '0', SANDBOX_DEMO: 'false', ...settings }
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
  throw new Error('The service ended before it was ready.')
}

/** A free port below the ephemeral range, so that the system does not assign it to another process. */
export async function freePort(): Promise<string> {
  const port = randomInt(20_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** The status of the response. Undefined if the service does not respond. */
export const statusOf = (url: string, api_key?: string) =>
  fetch(url, { headers: api_key ? { authorization: `Bearer ${api_key}` } : {} }).then(
    ({ status }) => status,
    () => undefined,
  )

/** Waits until the process returns 200 at `url`. */
export async function waitUntilReady({ child }: { child: ChildProcess }, url: string) {
  while ((await statusOf(url)) !== 200) {
    if (child.exitCode !== null) throw new Error('The process ended.')
    await pause(50)
  }
}
