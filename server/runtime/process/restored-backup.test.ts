import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { newSecretKeys, type SecretKeys } from '../../security/secrets.ts'
import { dataFolder } from '../../test/postgres/data-folder.ts'

describe('a backup of production', () => {
  const folder = dataFolder('restored')
  const running = new Set<ChildProcess>()
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts the service, and stops it when it is ready. Returns its exit code and its output. */
  async function startAndStop(DATA_DIR: string, env: Record<string, string> = {}) {
    const { DATABASE_URL: _, SANDBOX: __, ...own } = process.env
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
      env: { ...own, NODE_ENV: 'production', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    const receive = (text: Buffer) => {
      output += text
      if (output.includes('/docs')) child.kill('SIGTERM')
    }
    child.stdout.on('data', receive)
    child.stderr.on('data', receive)
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
    running.delete(child)
    return { code, output }
  }

  it('starts as production without a setting, and never becomes a sandbox', async () => {
    const original = join(folder, 'original')
    const restored = join(folder, 'restored')
    expect((await startAndStop(original, { SANDBOX: 'false' })).code).toBe(0)
    cpSync(original, restored, { recursive: true })

    const seeded = await startAndStop(restored, { SANDBOX: 'true' })
    expect(seeded.code).toBe(1)
    expect(seeded.output).toContain("OpenBenefits can't start: This database is live")
    const tried = await startAndStop(restored)
    expect([tried.code, tried.output.includes('API key')]).toEqual([0, false])
    expect(existsSync(join(restored, 'sandbox.json'))).toBe(false)

    const { hash_key } = JSON.parse(readFileSync(join(original, 'secrets.json'), 'utf8')) as SecretKeys
    const others = await startAndStop(restored, { HASH_KEY: newSecretKeys().hash_key })
    expect([others.code, others.output.includes(hash_key)]).toEqual([1, false])
    expect(others.output).toContain("OpenBenefits can't start: The hash key differs")
  })
})
