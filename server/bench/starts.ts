import { once } from 'node:events'
import { get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findServer } from '../../packages/embedded-postgres/process.ts'
import { line, ratios, secondsOf } from './figures.ts'
import { greetingOf, later, start, startNode, stop, temporaryFolder, type Options } from './stage.ts'

/**
 * Seconds from the command to the first 200 of `GET /health/ready`, packages being installed: of a first start, which
 * makes the database, and of a second one, beside the start and end of a Node that does nothing.
 */
export async function starts({ rounds }: Options): Promise<void> {
  await startTwice()
  const first: number[] = []
  const second: number[] = []
  const nothing: number[] = []
  for (let round = 0; round < rounds; round++) {
    const seconds = await startTwice()
    first.push(seconds.first)
    second.push(seconds.second)
    nothing.push(await secondsOf(() => once(startNode(['-e', '0'], {}, 'ignore'), 'exit')))
  }
  console.log(line('first start', first, 'seconds'))
  console.log(line('second start', second, 'seconds'))
  console.log(line('node -e 0', nothing, 'seconds'))
  console.log(line('ratio', ratios(second, nothing), 'of the second start to node -e 0'))
}

async function startTwice(): Promise<{ first: number; second: number }> {
  const DATA_DIR = temporaryFolder()
  later(() => stopDatabaseLeftIn(DATA_DIR))
  return { first: await startOnce(DATA_DIR), second: await startOnce(DATA_DIR) }
}

async function startOnce(DATA_DIR: string): Promise<number> {
  const port = await findFreePort()
  const started = performance.now()
  const server = startNode(start, { DATA_DIR, PORT: String(port), SANDBOX_STAGE: 'false' }, [
    'ignore',
    'pipe',
    'inherit',
  ])
  const greeting = greetingOf(server)
  while (!(await isReady(port))) await Promise.race([sleep(5), greeting])
  const seconds = (performance.now() - started) / 1000
  await greeting
  await stop(server)
  return seconds
}

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/health/ready', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** A server that was stopped in the middle of its start may leave its PostgreSQL running. */
async function stopDatabaseLeftIn(data_dir: string): Promise<void> {
  const pgdata = join(data_dir, 'postgres')
  for (let pid = findServer(pgdata); pid !== undefined; pid = findServer(pgdata)) {
    process.kill(pid, 'SIGQUIT')
    await sleep(50)
  }
}
