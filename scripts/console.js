// Builds the console into console/dist when it is missing, or when what it is built from has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say } from './process.js'

const built = 'console/dist'
const lock = 'console/.building'
const vite = 'node_modules/vite/bin/vite.js'

/** Longer than a build takes: whoever holds the lock so long was killed. */
const longest_build_ms = 120_000

/** What the console is built from. */
const sources = ['console/src', 'console/public', 'console/index.html', 'console/vite.config.ts', 'ui', 'sdk/src']

const filesOf = (path) => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)))
}

function stampOf() {
  const hash = createHash('sha256')
  for (const file of [...sources.flatMap(filesOf), 'package-lock.json'])
    hash.update(`${file.replaceAll('\\', '/')}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')

export const isConsoleBuilt = () => readIfThere(join(built, '.stamp')) === stampOf()

/** Builds the console unless it is there. What can't be built is said, and the service goes on without it. */
export async function buildConsole() {
  if (isConsoleBuilt()) return
  const is_there = existsSync(join(built, 'index.html'))
  if (!existsSync(vite)) {
    const served = is_there ? 'An older one is served.' : 'Everything else is there.'
    return say(`The console is not built, and this install has nothing to build it with: see /console. ${served}`)
  }
  if (!takeLock()) return
  say('Building the console: a few seconds. Only now, and when it changes.')
  const stamp = stampOf()
  const folder = `console/.build-${process.pid}`
  const command = [vite, 'build', 'console', '--outDir', `../${folder}`, '--logLevel', 'warn']
  // Whatever this process is for, what it builds is for people.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output, seconds } = await run(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    if (code !== 0) return say(`The console could not be built:\n${output.trim()}`)
    writeFileSync(join(folder, '.stamp'), stamp)
    rmSync(built, { recursive: true, force: true })
    renameSync(folder, built)
    say(`The console is built, in ${seconds.toFixed(1)} s.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(lock, { force: true })
  }
}

// Of several starts at once one builds. Where the folder can't be written, none does.
function takeLock() {
  try {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > longest_build_ms) rmSync(lock)
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') say(`The console is not built, and this folder can't be written (${error.message}).`)
    return false
  }
}
