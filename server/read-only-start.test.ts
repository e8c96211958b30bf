import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, inject, it } from 'vitest'
import { claimDatabase } from './platform/claim.ts'
import { crontab } from './modules.ts'
import { readConfig } from './kernel/config.ts'
import { startWorker } from './platform/jobs/worker.ts'
import { urlOf, useApi } from './test/harness.ts'

const api = useApi()
let DATABASE_URL: string

/** Makes the database what a service that ran on it leaves behind, and then one that takes no writes. */
beforeAll(async () => {
  DATABASE_URL = await urlOf(api)
  await api.database.pool.query('update organizations set sandbox = false')
  await claimDatabase(api.runtime.database, inject('secret_keys'), readConfig({ SANDBOX: 'false' }))
  await (await startWorker(api.runtime, DATABASE_URL, { tasks: {}, crontab, concurrency: 1 })).stop()
  const name = (await api.database.reads.row<{ name: string }>('select current_database() as name'))!.name
  await api.database.pool.query(`alter database ${name} set default_transaction_read_only = on`)
})

it.concurrent.each(['all', 'api'])(
  'ROLE=%s starts on a database that takes no writes, and reads',
  { timeout: 60_000 },
  async (ROLE) => {
    const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
    const { SANDBOX: _, ...own } = process.env
    const env = {
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
      // Its end would wait in vain for what it can't write.
      child.kill('SIGKILL')
      await ended
    }
  },
)
