import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { aPerson, anEmployer } from './test/cast.ts'

/** The service as an operator starts it: a process of its own on a data directory of its own. */
const data_dir = mkdtempSync(join(tmpdir(), 'openbenefits-main-'))
const running = new Set<ChildProcess>()

function start(env: Record<string, string> = {}) {
  const { DATABASE_URL: _, ...own } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...own, NODE_ENV: 'production', PORT: '0', DATA_DIR: data_dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) =>
    child.on('exit', (code) => (running.delete(child), resolve(code))),
  )
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

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(async () => {
  const last = start()
  await last.ready()
  last.child.kill('SIGTERM')
  await last.ended
  rmSync(data_dir, { recursive: true, force: true })
}, 60_000)

const sandbox = () => JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))

async function call(url: string, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${sandbox().api_key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}

describe('the service', { timeout: 120_000 }, () => {
  it('starts on an empty directory, writes sandbox.json for its owner only, refuses a second process, and stops on SIGTERM', async () => {
    const first = start()
    const url = await first.ready()
    expect((await call(url, 'GET', '/v1/employers')).body.pagination.total).toBe(2)
    expect(statSync(join(data_dir, 'sandbox.json')).mode & 0o777).toBe(0o600)
    expect(Object.keys(sandbox())).toEqual(
      expect.arrayContaining([
        'base_url',
        'organization_id',
        'api_key',
        'multi_organization_api_key',
        'super_api_key',
        'rival_api_key',
        'operator_key',
      ]),
    )
    expect(sandbox().base_url).toBe(url)

    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(String(first.child.pid))
    expect((await call(url, 'GET', '/v1/employers')).status).toBe(200)

    const { api_key } = sandbox()
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const again = start()
    await again.ready()
    expect(sandbox().api_key).toBe(api_key)
    again.child.kill('SIGTERM')
    expect(await again.ended).toBe(0)
  })

  it('comes back after kill -9 in the middle of a census, and in the end everybody is there once', async () => {
    let server = start()
    let url = await server.ready()
    const employer_id = (await call(url, 'POST', '/v1/employers', anEmployer())).body.data.id
    const employees = Array.from({ length: 4_000 }, (_, index) => aPerson({ reference_id: `K-${index}` }))
    const path = `/v1/employers/${employer_id}/census-sync`
    const { census_sync_id } = (await call(url, 'POST', path, { employees })).body.data
    const outcome = async () => (await call(url, 'GET', `${path}/${census_sync_id}`)).body.data

    for (let kills = 0; kills < 3; kills++) {
      const { processed_count } = await outcome()
      server.child.kill('SIGKILL')
      await server.ended
      server = start()
      url = await server.ready()
      expect((await outcome()).processed_count).toBeGreaterThanOrEqual(processed_count)
    }
    while ((await outcome()).state !== 'completed') await pause(50)
    expect(await outcome()).toMatchObject({ processed_count: 4_000, counts: { created: 4_000, failed: 0 } })
    expect((await call(url, 'GET', `/v1/employers/${employer_id}/employees?limit=1`)).body.pagination.total).toBe(4_000)
    server.child.kill('SIGTERM')
    await server.ended
  })

  it.each([
    [{ PORT: 'x' }, 'The setting PORT must be a whole number from 0 to 65535.'],
    [{ ROLE: 'both' }, 'The setting ROLE must be all, api or worker.'],
    [{ DATABASE_URL: 'mysql://x' }, 'The setting DATABASE_URL must be a postgresql:// address.'],
    [{ DATABASE_URL: 'postgresql://localhost/x' }, 'The setting ENCRYPTION_KEYS is required when DATABASE_URL is set.'],
    [{ IDP_PROVIDER: 'external_idp' }, 'The setting KEYCLOAK_URL is required when IDP_PROVIDER is external_idp.'],
  ])('ends the start with one clear sentence for %j', async (env, sentence) => {
    const server = start(env)
    expect(await server.ended).toBe(1)
    expect(server.output()).toBe(`OpenBenefits can't start: ${sentence}\n`)
  })

  it('says so when its port is taken, and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const server = start({ PORT: String(port) })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(`another program listens on 127.0.0.1:${port}`)
    other.close()
  })
})
