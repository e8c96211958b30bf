import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, inject, it, describe } from 'vitest'
import { lockInstallation } from './runtime/process/installation-lock.ts'
import { crontab } from './worker-tasks.ts'
import { readConfig } from './kernel/config.ts'
import { startWorker } from './jobs/worker.ts'
import { urlOf, useApi } from './test/harness.ts'
import { waitUntilReady, freePort, statusOf } from './test/service/service-process.ts'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

const api = useApi()
let DATABASE_URL: string

/** Prepares the database like a service that ran on it, and then makes it read only. */
beforeAll(async () => {
  DATABASE_URL = await urlOf(api)
  await api.database.pool.query('update organizations set sandbox = false')
  await lockInstallation(api.runtime.database, inject('secret_keys'), readConfig({ SANDBOX: 'false' }))
  await (await startWorker(api.runtime, DATABASE_URL, { tasks: {}, crontab, concurrency: 1 })).stop()
  // A killed worker has left a job, which the next one must unlock.
  await api.database.pool.query(
    `insert into graphile_worker._private_tasks (identifier) values ('run_day') on conflict do nothing;
     insert into graphile_worker._private_jobs (task_id, locked_by, locked_at)
     select id, 'killed', now() from graphile_worker._private_tasks where identifier = 'run_day'`,
  )
  await setReadOnly(true)
})

async function setReadOnly(is_read_only: boolean) {
  const name = (await api.database.reads.row<{ name: string }>('select current_database() as name'))!.name
  await api.database.pool.query(
    `begin read write; alter database ${name} set default_transaction_read_only = ${is_read_only}; commit`,
  )
}

/** Whether the job of the killed worker is unlocked or done. */
const unlockedJobs = async () =>
  (await api.database.reads.row(`select from graphile_worker._private_jobs where locked_by = 'killed'`)) === undefined

/** The settings of a process that serves the database of the test. */
function settings(ROLE: string): NodeJS.ProcessEnv {
  const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
  const { SANDBOX: _, ...own } = process.env
  return {
    ...own,
    ROLE,
    PORT: '0',
    NODE_ENV: 'production',
    DATABASE_URL,
    ENCRYPTION_KEYS: encryption_keys,
    HASH_KEY: hash_key,
    TOKEN_KEY: token_key,
    OPERATOR_KEY: operator_key,
  }
}

it.concurrent.each(['all', 'api'])('ROLE=%s starts on a read-only database, and serves reads', async (ROLE) => {
  const env = settings(ROLE)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'pipe' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  try {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    const ready = /is ready on (\S+)/
    while (!ready.test(output) && child.exitCode === null) await pause(20)
    expect(child.exitCode, output).toBe(null)
    const headers = { authorization: `Bearer ${api.story.api_key}` }
    expect((await fetch(`${ready.exec(output)![1]}/v1/employers`, { headers })).status).toBe(200)
  } finally {
    // An orderly shutdown would wait forever for entries that it cannot write.
    child.kill('SIGKILL')
    await ended
  }
})

it('a worker waits while the database is read only, and starts when it accepts writes', async () => {
  const HEALTH_PORT = await freePort()
  const env = { ...settings('worker'), HEALTH_PORT, DRAIN_SECONDS: '0' }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'pipe' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const health = `http://127.0.0.1:${HEALTH_PORT}/health`
  try {
    while (!output.includes('the worker cannot be started yet')) {
      expect(child.exitCode, output).toBe(null)
      await pause(20)
    }
    expect([await statusOf(`${health}/live`), await statusOf(`${health}/ready`)]).toEqual([200, 503])
    expect(output).not.toContain('is ready')
    await setReadOnly(false)
    await waitUntilReady({ child }, `${health}/ready`)
    while (!output.includes('The worker of OpenBenefits is ready')) await pause(20)
    expect(await unlockedJobs()).toBe(true)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})

describe('a sandbox', () => {
  const api = useApi()

  it('a sandbox is ready only after sandbox.json is written', async () => {
    const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
    const [DATA_DIR, PORT] = [mkdtempSync(join(tmpdir(), 'openbenefits-ready-')), await freePort()]
    const file = join(DATA_DIR, 'sandbox.json')
    writeFileSync(file, JSON.stringify(api.story))
    const env = {
      ...process.env,
      ROLE: 'all',
      SANDBOX: 'true',
      DATA_DIR,
      PORT,
      NODE_ENV: 'production',
      DATABASE_URL: await urlOf(api),
      ENCRYPTION_KEYS: encryption_keys,
      HASH_KEY: hash_key,
      TOKEN_KEY: token_key,
      OPERATOR_KEY: operator_key,
    }
    const health = `http://127.0.0.1:${PORT}/health`
    // The file is written after the start of the worker, which waits for the locked table.
    const holder = await api.database.pool.connect()
    await holder.query('begin; lock table graphile_worker._private_tasks')
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('exit', resolve))
    try {
      await waitUntilReady({ child }, `${health}/live`)
      rmSync(file)
      for (let i = 0; i < 3; i++) expect(await statusOf(`${health}/ready`)).toBe(503)
      await holder.query('rollback')
      await waitUntilReady({ child }, `${health}/ready`)
      expect(existsSync(file)).toBe(true)
    } finally {
      holder.release()
      child.kill('SIGKILL')
      await ended
      rmSync(DATA_DIR, { recursive: true })
    }
  })
})
