import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest'
import { dataFolder } from './test/postgres/data-folder.ts'
import { urlOf, useApi } from './test/harness.ts'
import { waitUntilReady, freePort, statusOf } from './test/service/service-process.ts'

const api = useApi()
const data_dir = dataFolder('unwritable-log')
const running = new Set<ChildProcess>()

afterEach(() => running.forEach((child) => child.kill('SIGKILL')))
afterAll(() => rmSync(data_dir, { recursive: true, force: true }))

function start(settings: Record<string, string>, stdio: StdioOptions, program = ['main.ts']) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, SANDBOX_DEMO: 'false', DATA_DIR: data_dir, ...settings }
  const [file = '', ...words] = program
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...words], { env, stdio })
  running.add(child)
  const ended = once(child, 'exit').then(([code]) => (running.delete(child), code as number | null))
  return { child, end: () => (child.kill('SIGTERM'), ended), ended }
}

/** The settings of a process that serves the test's database. */
async function ofTestDatabase(): Promise<Record<string, string>> {
  const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
  writeFileSync(join(data_dir, 'sandbox.json'), JSON.stringify(api.story))
  return {
    SANDBOX: 'true',
    DRAIN_SECONDS: '0',
    DATABASE_URL: await urlOf(api),
    ENCRYPTION_KEYS: encryption_keys,
    HASH_KEY: hash_key,
    TOKEN_KEY: token_key,
    OPERATOR_KEY: operator_key,
  }
}

describe.skipIf(!existsSync('/dev/full'))('on a full disk', () => {
  const onFullDisk = (): StdioOptions => {
    const fd = openSync('/dev/full', 'w')
    return ['ignore', fd, fd]
  }

  it('a sandbox starts for the first time, serves, and shuts down', async () => {
    rmSync(join(data_dir, 'sandbox.json'), { force: true })
    const PORT = await freePort()
    const service = start({ PORT }, onFullDisk())
    await waitUntilReady(service, `http://127.0.0.1:${PORT}/health/ready`)
    const { api_key } = JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
    for (let i = 0; i < 5; i++) expect(await statusOf(`http://127.0.0.1:${PORT}/v1/employers`, api_key)).toBe(200)
    expect(await service.end()).toBe(0)
  })

  it('a service whose data is on it explains that it cannot start', async () => {
    const DATA_DIR = dataFolder('full-disk')
    symlinkSync('/dev/full', join(DATA_DIR, 'owner'))
    const { child, ended } = start({ DATA_DIR, PORT: '0' }, ['ignore', 'pipe', 'pipe'])
    const errors = text(child.stderr!)
    expect(await ended).toBe(1)
    expect(await errors).toContain("OpenBenefits can't start: the disk of DATA_DIR is full.")
    rmSync(DATA_DIR, { recursive: true })
  })

  it('a worker runs and shuts down', async () => {
    const HEALTH_PORT = await freePort()
    const worker = start({ ...(await ofTestDatabase()), ROLE: 'worker', HEALTH_PORT }, onFullDisk())
    await waitUntilReady(worker, `http://127.0.0.1:${HEALTH_PORT}/health/ready`)
    expect(await worker.end()).toBe(0)
  })

  it('the npm scripts run to their end', async () => {
    const script = `
      import { print } from ${JSON.stringify(import.meta.resolve('../scripts/process.js'))}
      print('a line')
      console.log('another')
      process.stdout.write('and one more')
      setTimeout(() => print('later'), 10)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: onFullDisk() })
    expect((await once(child, 'exit'))[0]).toBe(0)
  })

  it('a command does its work, and fails because it cannot write its output', async () => {
    const settings = await ofTestDatabase()
    const fd = openSync('/dev/full', 'w')
    const { child, ended } = start(settings, ['ignore', fd, 'pipe'], ['cli/cli.ts', 'migrate'])
    let complaint = ''
    child.stderr!.on('data', (text) => (complaint += text))
    expect([await ended, complaint]).toEqual([
      1,
      expect.stringMatching(/^error: The output could not be written \(ENOSPC/),
    ])
  })
})

it.skipIf(process.platform === 'win32')(
  'the log of a pipe continues with its next reader, and reports the number of lost lines',
  async () => {
    const fifo = join(data_dir, 'log')
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0)
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(fifo, 'w')
    const PORT = await freePort()
    const service = start({ ...(await ofTestDatabase()), ROLE: 'api', PORT }, ['ignore', writer, writer])
    closeSync(writer)
    await waitUntilReady(service, `http://127.0.0.1:${PORT}/health/ready`)
    closeSync(reader)
    const employers = () => statusOf(`http://127.0.0.1:${PORT}/v1/employers`, api.story.api_key)
    // A line is written after its response, so the line of the last request may still reach the next reader.
    expect([await employers(), await employers(), await employers()]).toEqual([200, 200, 200])

    const next = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    expect(await employers()).toBe(200)
    let log = ''
    while (!log.includes('employers_list')) {
      const buffer = Buffer.alloc(65_536)
      log += buffer.toString('utf8', 0, readSync(next, buffer))
      await pause(20)
    }
    closeSync(next)
    expect(log).toMatch(/"lost":[2-4],"msg":"log lines could not be written"}\n{.*employers_list/)
    expect(await service.end()).toBe(0)
  },
)
