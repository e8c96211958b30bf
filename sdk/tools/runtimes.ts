/**
 * Tests the published package in the runtimes of its README that `npm test` does not cover: the tour in Bun, Deno and
 * workerd, and `tokens.route` in a Next application. Needs the npm registry, and installs only into a temporary folder.
 * Run it with `npm run check -- --runtimes`, optionally with names of runtimes.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { OpenBenefits } from 'openbenefits'
import { build } from '../../cli/tools/build.ts'
import type { Sandbox } from '../../server/sandbox/open.ts'
import { startServiceProcess } from '../../server/test/service/service-process.ts'
import { tourOf } from '../test/runtimes.ts'

/** The packages to install at exact versions, and the test to run. Returns a description of the outcome. */
type Runtime = { packages: Record<string, string>; attempt: (folder: string, sandbox: Sandbox) => Promise<string> }

const runtimes: Record<string, Runtime> = {
  bun: {
    packages: { bun: '1.4.5' },
    attempt: (folder, sandbox) =>
      tourBy(folder, sandbox, '47-2915381', [only(folder, '@oven/bun-*/bin/bun{,.exe}'), 'run']),
  },
  deno: {
    packages: { deno: '2.9.6' },
    attempt: (folder, sandbox) =>
      tourBy(folder, sandbox, '47-2915382', [only(folder, '@deno/*/deno{,.exe}'), 'run', '--allow-net', '--allow-env']),
  },
  workerd: { packages: { workerd: '1.20261117.1' }, attempt: tourInWorker },
  next: {
    packages: {
      next: '16.4.6',
      react: '19.3.1',
      'react-dom': '19.3.1',
      typescript: '5.9.3',
      '@types/node': '24.10.1',
      '@types/react': '19.3.0',
    },
    attempt: tokensInNext,
  },
}

const run = promisify(execFile)

/** The first file of an installed package with a platform-specific folder. */
function only(folder: string, pattern: string): string {
  const [found] = globSync(join('node_modules', pattern), { cwd: folder }).toSorted()
  if (!found) throw new Error(`No package is installed for this platform: ${pattern}.`)
  return join(folder, found)
}

const keysOf = ({ base_url, api_key, operator_key }: Sandbox) => ({
  OPENBENEFITS_URL: base_url,
  OPENBENEFITS_API_KEY: api_key,
  OPENBENEFITS_OPERATOR_KEY: operator_key,
})

/** Each runtime creates its own employer, because they share a sandbox. */
const tourFor = (ein: string) => tourOf(`Heron ${ein.at(-1)}`, ein)

async function tourBy(folder: string, sandbox: Sandbox, ein: string, [binary, ...args]: string[]): Promise<string> {
  const { program, shown } = tourFor(ein)
  await writeFile(join(folder, 'tour.ts'), program)
  const env = { ...process.env, ...keysOf(sandbox) }
  const { stdout } = await run(binary!, [...args, 'tour.ts'], { cwd: folder, env })
  assert.equal(stdout, shown)
  return stdout.trim()
}

/** The tour as a worker's fetch handler, with its keys as bindings. */
function workerOf(program: string): string {
  const given = (key: string) => `({ baseUrl: env.OPENBENEFITS_URL, apiKey: env.${key} })`
  const [imports, steps] = [program.match(/^import .*$/gm)!.join('\n'), program.replaceAll(/^import .*$/gm, '')]
  return `${imports}
type Env = Record<'OPENBENEFITS_URL' | 'OPENBENEFITS_API_KEY' | 'OPENBENEFITS_OPERATOR_KEY', string>
export default {
  async fetch(_: Request, env: Env): Promise<Response> {
    let output = ''
    ${steps
      .replace('new OpenBenefits()', `new OpenBenefits${given('OPENBENEFITS_API_KEY')}`)
      .replace('new OpenBenefitsOperator()', `new OpenBenefitsOperator${given('OPENBENEFITS_OPERATOR_KEY')}`)
      .replace(/console\.log\((.*)\)$/m, "output += [$1].join(' ') + '\\n'")}
    return new Response(output)
  },
}
`
}

async function tourInWorker(folder: string, sandbox: Sandbox): Promise<string> {
  const { program, shown } = tourFor('47-2915383')
  const port = await freePort()
  await writeFile(join(folder, 'worker.ts'), workerOf(program))
  const bundle = await rolldown({ input: join(folder, 'worker.ts'), platform: 'browser' })
  await bundle.write({ file: join(folder, 'worker.js'), format: 'esm' })
  await bundle.close()
  const bindings = Object.entries(keysOf(sandbox)).map(([name, value]) => `(name = "${name}", text = "${value}")`)
  const settings = readFileSync(join(import.meta.dirname, 'worker.capnp'), 'utf8')
    .replace('PORT', String(port))
    .replace('BINDINGS', bindings.join(', '))
  await writeFile(join(folder, 'worker.capnp'), settings)
  const workerd = only(folder, '@cloudflare/workerd-*/bin/workerd{,.exe}')
  return serving([workerd, 'serve', 'worker.capnp'], folder, port, async (url) => {
    const output = await (await fetch(url)).text()
    assert.equal(output, shown)
    return output.trim()
  })
}

/** Builds and starts an application with one route, which issues tokens only to pages of the same origin. */
async function tokensInNext(folder: string, sandbox: Sandbox): Promise<string> {
  const route = join(folder, 'app/benefits-token')
  await mkdir(route, { recursive: true })
  await copyFile(join(import.meta.dirname, 'next-route.txt'), join(route, 'route.ts'))
  const env = { NEXT_TELEMETRY_DISABLED: '1', ...keysOf(sandbox) }
  const next = join(folder, 'node_modules/next/dist/bin/next')
  await run(process.execPath, [next, 'build'], { cwd: folder, env: { ...process.env, ...env } })

  const ob = new OpenBenefits({ baseUrl: sandbox.base_url, apiKey: sandbox.api_key })
  const [bakery] = (await ob.employers.list({ search: 'sunrise' })).data
  const [employee, other] = (await ob.employees.list(bakery!.id)).data
  const port = await freePort()
  const command = [process.execPath, next, 'start', '--hostname', '127.0.0.1', '--port', String(port)]
  return serving(
    command,
    folder,
    port,
    async (url) => {
      const cookie = `signed_in=${employee!.id}`
      const own = { origin: url, 'sec-fetch-site': 'same-origin' }
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const request = (headers: Record<string, string>, method = 'POST') =>
        fetch(`${url}/benefits-token`, { method, headers })
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const statuses = [
        (await request({ ...foreign, cookie })).status,
        (await request({ ...foreign, ...form, cookie })).status,
        (await request({ cookie })).status,
        (await request(own)).status,
        (await request({ ...own, cookie }, 'GET')).status,
      ]
      assert.deepEqual(statuses, [403, 403, 403, 401, 405])
      const response = await request({ ...own, cookie })
      const { access_token } = (await response.json()) as { access_token: string }
      assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store'])
      const page = new OpenBenefits({ baseUrl: sandbox.base_url, getToken: () => access_token })
      assert.equal((await page.employees.get(employee!.id)).id, employee!.id)
      await assert.rejects(page.employees.get(other!.id), { status: 404 })
      return 'a token for the same origin; 403 for others, 401 for signed-out users, 405 for GET'
    },
    env,
  )
}

/** Runs a test against a program that serves on a local port, and stops the program. */
async function serving(
  [binary, ...args]: string[],
  cwd: string,
  port: number,
  work: (url: string) => Promise<string>,
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(binary!, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    while (!(await isOpen(port))) {
      if (child.exitCode !== null) throw new Error(`${binary} exited instead of serving.`)
      await pause(100)
    }
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Installs a runtime in its own folder, together with our package. */
async function install(folder: string, { packages }: Runtime, archive: string): Promise<void> {
  await mkdir(folder)
  const dependencies = { ...packages, openbenefits: `file:${archive}` }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
}

const wanted = process.argv.slice(2).filter((name) => name !== '--runtimes')
const home = await mkdtemp(join(tmpdir(), 'openbenefits-runtimes-'))
const service = await startServiceProcess({ DATA_DIR: join(home, 'data') })
try {
  const sandbox = JSON.parse(readFileSync(join(home, 'data/sandbox.json'), 'utf8')) as Sandbox
  await build(join(home, 'package'))
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: join(home, 'package') })
  for (const [name, runtime] of Object.entries(runtimes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const folder = join(home, name)
    await install(folder, runtime, join(home, stdout.trim()))
    const outcome = await runtime.attempt(folder, sandbox)
    console.log(`${name.padEnd(8)} ${Object.values(runtime.packages)[0]!.padEnd(14)} ok      ${outcome}`)
  }
} catch (error) {
  const { message, stdout = '' } = error as Error & { stdout?: string }
  console.error(message, stdout)
  process.exitCode = 1
} finally {
  await service.end()
  await rm(home, { recursive: true, force: true })
}
