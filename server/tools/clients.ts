/**
 * Generates clients from openapi.json with the generators that partners use, compiles each with `strict`, and runs the
 * tour of the documentation with it against a new sandbox. Downloads packages from the npm registry into a temporary
 * folder. Run it with `npm run check -- --clients`, optionally followed by the names of generators.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The packages of a generator, at exact versions, and its command. */
type Generator = { packages: Record<string, string>; generate: string[] }

const generators: Record<string, Generator> = {
  'hey-api': {
    packages: { '@hey-api/openapi-ts': '0.99.0', typescript: '5.9.3' },
    generate: ['openapi-ts', '--input', 'openapi.json', '--output', 'src/generated'],
  },
  'openapi-typescript': {
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0', typescript: '5.9.3' },
    generate: ['openapi-typescript', 'openapi.json', '--output', 'src/generated.ts'],
  },
  orval: {
    packages: { orval: '8.38.0', typescript: '5.9.3' },
    generate: ['orval', '--input', 'openapi.json', '--output', 'src/generated.ts', '--client', 'fetch'],
  },
  'swagger-typescript-api': {
    packages: { 'swagger-typescript-api': '13.13.0', typescript: '5.9.3' },
    generate: [
      'swagger-typescript-api',
      'generate',
      '--generate-union-enums',
      '--path',
      'openapi.json',
      '--output',
      'src',
      '--name',
      'generated',
    ],
  },
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = new URL('clients/', import.meta.url)

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'commonjs',
    moduleResolution: 'node10',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    esModuleInterop: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
}

/** Runs a program in a folder. Throws with its output if it fails. */
async function run(cwd: string, command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output.slice(-6000)}`)
  return output
}

/** Starts a sandbox in a separate process and data folder. */
async function startService(data_dir: string) {
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    env: { ...process.env, DATA_DIR: data_dir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) if (/^ {2}try /.test(line)) break
  child.stdout.resume()
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { sandbox: JSON.parse(await readFile(join(data_dir, 'sandbox.json'), 'utf8')), stop }
}

/** Generates and compiles a client in its own folder. */
async function build(folder: string, name: string, { packages, generate }: Generator): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true })
  const dependencies = { ...packages, '@types/node': '24.10.1' }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  await copyFile(join(root, 'openapi.json'), join(folder, 'openapi.json'))
  for (const [from, to] of [
    ['tour.txt', 'tour.ts'],
    [`${name}.txt`, 'calls.ts'],
  ] as const)
    await copyFile(new URL(from, sources), join(folder, 'src', to))
  await run(folder, 'npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'])
  await run(folder, 'npx', ['--no-install', ...generate])
  await run(folder, 'npx', ['--no-install', 'tsc', '-p', '.'])
}

const requested = process.argv.slice(2).filter((name) => name !== '--clients')
const home = await mkdtemp(join(tmpdir(), 'openbenefits-clients-'))
try {
  for (const [name, generator] of Object.entries(generators)) {
    if (requested.length > 0 && !requested.includes(name)) continue
    const folder = join(home, name)
    await build(folder, name, generator)
    const { sandbox, stop } = await startService(join(folder, 'data'))
    try {
      const { base_url: URL, api_key: KEY, operator_key: OPERATOR_KEY } = sandbox
      const output = await run(folder, process.execPath, ['dist/tour.js'], { URL, KEY, OPERATOR_KEY })
      console.log(`${name.padEnd(24)} ok      ${output.trim()}`)
    } finally {
      await stop()
    }
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await rm(home, { recursive: true, force: true })
}
