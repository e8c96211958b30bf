// Builds the console, the widgets, the documentation and the service when they are missing or their sources changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { print, run } from './process.js'

const vite = 'node_modules/vite/bin/vite.js'

/** The common sources of everything that browsers load. */
const common = ['ui', 'sdk/src', 'package-lock.json']

/** Pages of the documentation outside docs/. */
const texts = ['sdk/README.md', 'cli/README.md', 'CHANGELOG.md', 'SECURITY.md']

/**
 * The parts to build, by folder: their sources, their build tool and command, their main file, and the consequence if
 * they cannot be built.
 */
const parts = {
  console: {
    sources: ['console/src', 'console/index.html', 'console/vite.config.ts', ...common],
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
  'docs-site': {
    sources: ['docs-site/build.ts', 'docs-site', 'docs', ...texts, 'openapi.json', 'ui', 'package-lock.json'],
    tool: 'node_modules/vitepress/package.json',
    command: (folder) => ['docs-site/build.ts', folder],
    main: 'index.html',
    missed: 'see /docs',
  },
  server: {
    sources: ['server', 'packages', 'package-lock.json'],
    tool: 'node_modules/rolldown/package.json',
    command: (folder) => ['server/build.js', folder],
    main: 'main.js',
  },
}

/** Longer than any build takes. An older lock belongs to a killed process. */
const max_build_ms = 120_000

/** Files that are built, and tests and tools of the server, which the service package omits. */
const excluded =
  /^docs-site\/(dist|pages|node_modules|\.build.*|\.vitepress\/(cache|\.temp))$|^docs\/design$|^server\/(bench|cli|dist|node_modules|test|tools|\.build.*)$|^(?:server|packages)\/.*(\.test\.ts|\.sql|\.txt)$/

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (excluded.test(path)) return []
      return entry.isDirectory() ? filesBelow(path) : [path]
    })

/** A hash of the contents of the sources of a part. */
function stampOf({ sources }) {
  const files = sources.flatMap((path) => {
    if (!existsSync(path)) return []
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

/** Whether the build of a part was made from sources with this hash. */
function isBuiltFrom(name, stamp) {
  const file = join(name, 'dist', '.stamp')
  return existsSync(file) && readFileSync(file, 'utf8') === stamp
}

/** Builds the parts that are missing or outdated, one after the other. Returns the names of those that failed. */
export async function buildAll(names = Object.keys(parts)) {
  const failed = []
  for (const name of names) {
    const part = parts[name]
    const stamp = part && stampOf(part)
    if (!part || (!isBuiltFrom(name, stamp) && !(await build(name, part, stamp)))) failed.push(name)
  }
  return failed
}

/** Builds the missing parts, without checking existing ones. */
export async function buildMissing() {
  for (const [name, part] of Object.entries(parts))
    if (!existsSync(join(name, 'dist', part.main))) await build(name, part, stampOf(part))
}

/** The file to run: the bundle if it is current, else the sources. */
export const serviceFile = () =>
  isBuiltFrom('server', stampOf(parts.server)) ? 'server/dist/main.js' : 'server/main.ts'

/** Reports parts that cannot be built. The service runs without them. Returns whether the build is current. */
async function build(name, part, stamp) {
  // The service package contains built parts, but not their sources.
  if (!existsSync(part.sources[0])) return true
  const [built, lock] = [`${name}/dist`, `${name}/.building`]
  if (!existsSync(part.tool)) {
    // The service runs from its sources.
    if (!part.missed) return true
    const served = existsSync(join(built, part.main)) ? 'The previous build is served.' : 'Everything else works.'
    print(`The ${name} cannot be built without development packages: ${part.missed}. ${served}`)
    return false
  }
  if (!takeLock(name, lock)) {
    while (isLocked(lock)) await setTimeout(200)
    return isBuiltFrom(name, stampOf(part))
  }
  print(`Building the ${name}. This takes a few seconds, and happens only once and after changes.`)
  const folder = `${name}/.build-${process.pid}`
  // Build for production, regardless of the environment of this process.
  const env = { ...process.env, NODE_ENV: 'production' }
  const command = part.command(folder)
  const { code, output, seconds } = await run(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    if (code !== 0) {
      print(`The ${name} could not be built:\n${output.trim()}`)
      return false
    }
    writeFileSync(join(folder, '.stamp'), stamp)
    rmSync(built, { recursive: true, force: true })
    renameSync(folder, built)
    print(`Built the ${name} in ${seconds.toFixed(1)} s.`)
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(lock, { force: true })
  }
}

const isLocked = (lock) => Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < max_build_ms

// If several processes start at the same time, one of them builds, and the others wait. If the folder is not writable, none does.
function takeLock(name, lock) {
  try {
    if (existsSync(lock) && !isLocked(lock)) rmSync(lock)
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST')
      print(`The ${name} cannot be built, because its folder is not writable (${error.message}).`)
    return false
  }
}
