import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { findServer } from '../../../packages/embedded-postgres/process.ts'

const run = `
  const { startThrowawayPostgres } = await import(${JSON.stringify(new URL('throwaway.ts', import.meta.url).href)})
  const { url } = await startThrowawayPostgres()
  console.log(new URL(url).searchParams.get('host'))
  setInterval(() => {}, 1e9)`

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'stops the PostgreSQL of a run that ends by %s, and removes its files',
  async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', run], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [pgdata] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    expect(findServer(pgdata)).toBeGreaterThan(0)
    child.kill(signal)
    await expect.poll(() => [findServer(pgdata), existsSync(dirname(pgdata))]).toEqual([undefined, false])
  },
)
