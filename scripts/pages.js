// Builds what browsers load, the console and the widgets, when it is missing or when what it is built from has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say } from './process.js'

const vite = 'node_modules/vite/bin/vite.js'

/** What is built, by its folder: from what, with what, and the file without which there is nothing to serve. */
const parts = {
  console: {
    sources: ['console/src', 'console/public', 'console/index.html', 'console/vite.config.ts'],
    tool: vite,
    command: (folder) => [vite, 'build', 'console', '--outDir', `../${folder}`, '--logLevel', 'warn'],
    page: 'index.html',
  },
  widgets: {
    sources: ['widgets/src', 'widgets/build.js', 'widgets/package.json'],
    tool: 'node_modules/lit/package.json',
    command: (folder) => ['widgets/build.js', folder],
    page: 'manifest.json',
  },
}

/** What all of them are built from. */
const common = ['ui', 'sdk/src', 'package-lock.json']

/** Longer than a build takes: whoever holds the lock so long was killed. */
const longest_build_ms = 120_000

const filesOf = (path) => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)))
}

function stampOf({ sources }) {
  const hash = createHash('sha256')
  for (const file of [...sources, ...common].flatMap(filesOf))
    hash.update(`${file.replaceAll('\\', '/')}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Builds what is not there, one after the other. */
export async function buildPages() {
  for (const [name, part] of Object.entries(parts)) await build(name, part)
}

/** What can't be built is said, and the service goes on without it. */
async function build(name, part) {
  // The package of the service has what was built, and not from what.
  if (!existsSync(part.sources[0])) return
  const [built, lock] = [`${name}/dist`, `${name}/.building`]
  const stamp = stampOf(part)
  if (readIfThere(join(built, '.stamp')) === stamp) return
  if (!existsSync(part.tool)) {
    const served = existsSync(join(built, part.page)) ? 'What is older is served.' : 'Everything else is there.'
    return say(`The ${name} can't be built, since this install has nothing to build with: see /${name}. ${served}`)
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
