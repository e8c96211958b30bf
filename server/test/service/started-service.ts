import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach } from 'vitest'
import { dataFolder } from '../postgres/data-folder.ts'
import { ApiResponse, type BodyOf } from '../response.ts'

const main = join(import.meta.dirname, '../../main.ts')

type Started = {
  child: ChildProcess
  /** Waits until the service is ready, and returns its URL. */
  ready(): Promise<string>
  ended: Promise<number | null>
  output(): string
}

function startMain(env: Record<string, string>): Started {
  const { DATABASE_URL: _, ...own } = process.env
  const child = spawn(process.execPath, [main], {
    env: { ...own, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const ready = async () => {
    for (;;) {
      const url = / {2}try {6}curl -s (http:\S+)\/v1/.exec(output)?.[1]
      if (url) return url
      if (child.exitCode !== null) throw new Error(output)
      await pause(20)
    }
  }
  return { child, ready, ended, output: () => output }
}

/** Repeats the request after a 503, because sessions of a killed process may hold locks for a while. */
async function fetchPatiently(url: string, request: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, request)
    if (response.status !== 503) return response
    await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

/**
 * The service as an operator starts it: a separate process with its own data directory. A start takes seconds, so each
 * test leaves the service running for the next one of its file.
 */
export function useStartedService(name: string) {
  const data_dir = dataFolder(name)
  const drop_dir = join(data_dir, 'drop')
  const running = new Set<ChildProcess>()
  let shared: (Started & { url: string }) | undefined

  const start = (env: Record<string, string> = {}): Started => {
    const started = startMain({ DATA_DIR: data_dir, HRIS_DROP_DIR: drop_dir, ...env })
    running.add(started.child)
    started.child.on('exit', () => running.delete(started.child))
    return started
  }
  const startShared = async () => {
    const started = start()
    return (shared = { ...started, url: await started.ready() })
  }
  const ensureStarted = async () => shared ?? (await startShared())
  const endShared = async (signal: NodeJS.Signals): Promise<number | null | undefined> => {
    const ending = shared
    shared = undefined
    ending?.child.kill(signal)
    return ending?.ended
  }

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    shared = undefined
    for (const child of running) child.kill('SIGKILL')
    while (running.size > 0) await pause(20)
  })
  afterAll(async () => {
    // The database of a killed service keeps running, and the next start adopts it.
    if (existsSync(join(data_dir, 'postgres', 'postmaster.pid'))) {
      await ensureStarted()
      await endShared('SIGTERM')
    }
    rmSync(data_dir, { recursive: true, force: true })
  })

  const sandbox = () => JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
  /** Sends a request to the shared service. */
  const call = async <Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    key: string = sandbox().api_key,
  ) => {
    const response = await fetchPatiently(shared!.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return new ApiResponse<BodyOf<Method, Path>>(`${method} ${path}`, response, await response.text())
  }
  return { data_dir, drop_dir, start, startShared, ensureStarted, endShared, sandbox, call }
}
