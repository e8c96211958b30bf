import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { aPerson, createEmployer } from './test/fixtures.ts'
import { urlOf, useApi } from './test/harness.ts'

const api = useApi()
const folder = mkdtempSync(join(import.meta.dirname, '.build-test-'))
let url: string
let end: () => Promise<unknown>

/** The service as `npm start` runs it, on the database of the service under test. */
beforeAll(async () => {
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.js'), folder])
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(api.story))
  const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
  const env = {
    ...process.env,
    ROLE: 'api',
    SANDBOX: 'true',
    DATA_DIR: folder,
    PORT: '0',
    NODE_ENV: 'production',
    DATABASE_URL: await urlOf(api),
    ENCRYPTION_KEYS: encryption_keys,
    HASH_KEY: hash_key,
    TOKEN_KEY: token_key,
    OPERATOR_KEY: operator_key,
  }
  const child = spawn(process.execPath, [join(folder, 'main.js')], { env, stdio: 'pipe' })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  end = () => (child.kill('SIGKILL'), ended)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ready = /is ready on (\S+)/
  while (!ready.test(output)) {
    if (child.exitCode !== null) throw new Error(output)
    await pause(20)
  }
  url = ready.exec(output)![1]!
})
afterAll(async () => {
  await end()
  rmSync(folder, { recursive: true })
})

it.each(['/v1/openapi.json', '/docs/', '/docs/errors', '/operator/docs/js/scalar.js', '/console', '/health/ready'])(
  'the built service returns the same response for %s as the sources',
  async (path) => {
    const [built, from_sources] = await Promise.all([fetch(`${url}${path}`), fetch(`${api.url}${path}`)])
    expect(built.status).toBe(from_sources.status)
    expect((await built.text()).replaceAll(url, api.url)).toBe(await from_sources.text())
  },
)

it('validates large bodies in the bundled thread', async () => {
  const employer_id = await createEmployer(api)
  const employees = Array.from({ length: 50 }, () => aPerson())
  const send = (rows: unknown[]) =>
    fetch(`${url}/v1/employers/${employer_id}/census-sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.story.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ employees: rows }),
    })
  expect((await send([...employees, aPerson({ email: 'nobody' })])).status).toBe(400)
  expect((await send(employees)).status).toBe(202)
})

it('stack traces of the built service contain the lines of its sources', () => {
  const file = join(
    folder,
    readdirSync(folder).find((name) => /^service-.*\.js$/.test(name))!,
  )
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('function sentenceOf('))
  const naming = pathToFileURL(join(import.meta.dirname, 'runtime/process/source-lines.ts')).href
  const script = `await import(${JSON.stringify(naming)})
    const frame = { toString: () => ${JSON.stringify(`sentenceOf (${pathToFileURL(file).href}:${line + 1}:7)`)} }
    process.stdout.write(Error.prepareStackTrace(new Error('No way.'), [frame]))`
  const trace = execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString()
  const [, source, at] = /^Error: No way\.\n {4}at sentenceOf \((file:\S+):(\d+)\)$/.exec(trace) ?? []
  expect(source, trace).toBe(pathToFileURL(join(import.meta.dirname, 'service.ts')).href)
  expect(readFileSync(fileURLToPath(source!), 'utf8').split('\n')[Number(at) - 1]).toContain('function sentenceOf(')
})
