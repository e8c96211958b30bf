import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { urlOf, useApi } from './test/harness.ts'
import { waitUntilReady, freePort, statusOf } from './test/service/service-process.ts'

const api = useApi()

it('a sandbox is ready only after sandbox.json is written', { timeout: 60_000 }, async () => {
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
