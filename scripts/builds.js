// Builds what is built, the console, the widgets and the service, when it is missing or when its sources have changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say } from './process.js'

const vite = 'node_modules/vite/bin/vite.js'

/** What all that browsers load is built from. */
const common = ['ui', 'sdk/src', 'package-lock.json']

/**
 * What is built, by its folder: from what, with what, the file without which it is not there, and what is said where it
 * can't be built.
 */
const parts = {
  console: {
    sources: ['console/src', 'console/public', 'console/index.html', 'console/vite.config.ts', ...common],
    tool: vite,
    command: (folder) => [vite, 'build', 'console', '--outDir', `../${folder}`, '--logLevel', 'warn'],
    main: 'index.html',
    missed: 'see /console',
  },
  widgets: {
    sources: ['widgets/src', 'widgets/build.js', 'widgets/package.json', ...common],
    tool: 'node_modules/lit/package.json',
    command: (folder) => ['widgets/build.js', folder],
    main: 'manifest.json',
    missed: 'see /widgets',
  },
  server: {
    sources: ['server', 'packages', 'package-lock.json'],
    tool: 'node_modules/rolldown/package.json',
    command: (folder) => ['server/build.js', folder],
    main: 'main.js',
  },
}

/** Longer than a build takes: whoever holds the lock so long was killed. */
const longest_build_ms = 120_000

/** Of the server, what is built, or what of it a package of the service does not have: its tests and tools. */
const left_out =
  /^server\/(bench|cli|dist|node_modules|test|tools|\.build.*)$|^(?:server|packages)\/.*(\.test\.ts|\.sql|\.txt)$/

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (left_out.test(path)) return []
      return entry.isDirectory() ? filesBelow(path) : [path]
    })

const filesOf = ({ sources }) =>
  sources.flatMap((path) => {
    if (!existsSync(path)) return []
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })

/** By what is in the files. */
function stampOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

/** Beyond the steps in which a file system tells the time. */
const moment_ms = 2000

/**
 * By how the files look, which takes a fifth of the time: whoever writes a file changes its time of change, which nobody
 * can set. Undefined where that was just now, since a further change might look the same.
 */
function looksOf(files) {
  const settled = Date.now() - moment_ms
  const hash = createHash('sha256')
  for (const file of files) {
    const { ino, size, ctimeMs } = statSync(file)
    if (ctimeMs > settled) return undefined
    hash.update(`${file} ${ino} ${size} ${ctimeMs}\n`)
  }
  return `${hash.digest('hex')}\n`
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Whether what was built is of these sources. What they look like is remembered where it can be written. */
function isBuiltOf(name, files) {
  const [stamp_file, looks_file] = ['.stamp', '.looks'].map((file) => join(name, 'dist', file))
  const looks = looksOf(files)
  if (looks !== undefined && readIfThere(looks_file) === looks) return true
  if (readIfThere(stamp_file) !== stampOf(files)) return false
  try {
    if (looks !== undefined) writeFileSync(looks_file, looks)
  } catch {
    // It is read again at the next start.
  }
  return true
}

/** Builds what is not there or older than its sources, one after the other. */
export async function buildAll() {
  for (const [name, part] of Object.entries(parts)) {
    const files = filesOf(part)
    if (!isBuiltOf(name, files)) await build(name, part, stampOf(files))
  }
}

/** Builds what was never built, without a look at what was. */
export async function buildMissing() {
  for (const [name, part] of Object.entries(parts))
    if (!existsSync(join(name, 'dist', part.main))) await build(name, part, stampOf(filesOf(part)))
}

/** The file that serves: what was built of the present sources, else the sources. */
export const serviceFile = () => (isBuiltOf('server', filesOf(parts.server)) ? 'server/dist/main.js' : 'server/main.ts')

/** What can't be built is said, and the service goes on without it. */
async function build(name, part, stamp) {
  // The package of the service has what was built, and not from what.
  if (!existsSync(part.sources[0])) return
  const [built, lock] = [`${name}/dist`, `${name}/.building`]
  if (!existsSync(part.tool)) {
    // The service runs from its sources.
    if (!part.missed) return
    const served = existsSync(join(built, part.main)) ? 'What is older is served.' : 'Everything else is there.'
    return say(`The ${name} can't be built, since this install has nothing to build with: ${part.missed}. ${served}`)
  }
  if (!takeLock(name, lock)) return
  say(`Building the ${name}: a few seconds. Only now, and when something of it changes.`)
  const folder = `${name}/.build-${process.pid}`
  // Whatever this process is for, what it builds is for people.
  const env = { ...process.env, NODE_ENV: 'production' }
  const command = part.command(folder)
  const { code, output, seconds } = await run(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    if (code !== 0) return say(`The ${name} could not be built:\n${output.trim()}`)
    writeFileSync(join(folder, '.stamp'), stamp)
    rmSync(built, { recursive: true, force: true })
    renameSync(folder, built)
    say(`Built the ${name}, in ${seconds.toFixed(1)} s.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(lock, { force: true })
  }
}

// Of several starts at once one builds. Where the folder can't be written, none does.
function takeLock(name, lock) {
  try {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > longest_build_ms) rmSync(lock)
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST')
      say(`The ${name} can't be built, since its folder can't be written (${error.message}).`)
    return false
  }
}
