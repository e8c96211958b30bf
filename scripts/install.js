// Keeps node_modules in sync with package-lock.json.
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
  existsSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endAs, fail, print, run } from './process.js'
import { spawnSync } from 'node:child_process'

const stamp = 'node_modules/.installed'
const record = 'node_modules/.package-lock.json'
const lock = '.installing'

const longest_wait = 15 * 60_000
const npm_ci = 'ci --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error'.split(' ')

/** The space of both installs on disk, on Linux: what npm unpacks, and what remains of it. */
const megabytes = { production: { unpacked: 630, kept: 440 }, all: { unpacked: 960, kept: 960 } }

const progress_interval_ms = 5_000

/**
 * Files that only compilers, debuggers and builds of native add-ons read, and TypeScript, which cosmiconfig would only
 * use for a configuration in TypeScript.
 */
const unused_files = /\.(?:map|flow|d\.[cm]?ts)$|^(?:readme|changelog|history)(?:\.md)?$/i
const unused_folders = /^node_modules\/(?:node-[^/]+\/include|@typescript|typescript)$/

/**
 * True if the packages of this lock file are installed for this platform: all of them, or those for a start. Also true
 * after an install by npm itself.
 */
export function isInstalled(with_development) {
  const good = with_development ? [stampOf('all')] : [stampOf('all'), stampOf('production')]
  if (good.includes(readIfThere(stamp))) return true
  if (!isInstalledByNpm(with_development)) return false
  remember(good.at(-1))
  return true
}

/** Installs with npm. If several processes call this at the same time, one installs and the others wait. */
export async function install(description, with_development) {
  await takeLock()
  if (!isInstalled(with_development)) {
    const packages = with_development ? 'all' : 'production'
    await installWithNpm(description, packages)
    remember(stampOf(packages))
  }
  rmSync(lock)
}

function stampOf(packages) {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return `${process.platform} ${process.arch} ${hash} ${packages}\n`
}

// If the folder is read-only, each start compares the lock file with npm's record. The stamp is replaced and not
// overwritten: other checkouts may share the file by a hard link.
function remember(text) {
  try {
    rmSync(stamp, { force: true })
    writeFileSync(stamp, text)
  } catch {}
}

// npm records its installed packages at the end.
function isInstalledByNpm(with_development) {
  const installed = JSON.parse(readIfThere(record) || '{"packages":{}}').packages
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, dev, optional, os, cpu, libc }]) => {
    const is_needed = path !== '' && (with_development || !dev)
    const may_be_absent = optional && !(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
    return !is_needed || may_be_absent || (path in installed && installed[path].version === version)
  })
}

async function installWithNpm(description, packages) {
  const { unpacked, kept } = megabytes[packages]
  print(`Installing ${description}: about ${kept} MB. Happens only once, and when package-lock.json changes.`)
  rmSync(stamp, { force: true })
  rmSync(record, { force: true })
  const [command, ...first] = npm()
  const [cache, is_temporary] = findWritableCache()
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const reporting = setInterval(
    () => print(`  ${megabytesIn('node_modules')} of about ${unpacked} MB unpacked after ${seconds()} s`),
    progress_interval_ms,
  )
  const end = await run(command, [...first, ...npm_ci, packages === 'all' ? '--include=dev' : '--omit=dev'], {
    env: { ...process.env, npm_config_cache: cache },
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
    // If this process is killed, npm continues, and the next process must wait for it.
    onStart: (pid) => writeFileSync(lock, `${process.pid} ${pid}\n`),
  })
  clearInterval(reporting)
  if (is_temporary) rmSync(cache, { recursive: true, force: true })
  if (end.code !== 0) {
    rmSync(lock)
    print('npm could not install the packages. See its error above, fix it, and run the same command again.')
    await endAs(end)
  }
  if (packages === 'production') removeUnused('node_modules')
  print(`Installed ${megabytesIn('node_modules')} MB in ${seconds()} s.`)
}

/** The space of a folder on disk. npm may add and remove files in the meantime. */
function megabytesIn(folder) {
  const bytesIn = (path) => {
    const { blocks = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {}
    return blocks * 512
  }
  const bytesBelow = (path) =>
    entriesOf(path).reduce((sum, entry) => {
      const each = join(path, entry.name)
      return sum + bytesIn(each) + (entry.isDirectory() ? bytesBelow(each) : 0)
    }, 0)
  return Math.round(bytesBelow(folder) / 2 ** 20)
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Removes files that neither a start nor a build reads: a third of what npm installs. */
function removeUnused(folder) {
  for (const entry of entriesOf(folder)) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !unused_folders.test(path)) removeUnused(path)
    else if (entry.isDirectory() || unused_files.test(entry.name)) rmSync(path, { recursive: true, force: true })
  }
}

/** The npm that called this script, with its own Node, because the one in node_modules is about to be replaced. */
function npm() {
  const { npm_execpath = '', npm_node_execpath } = process.env
  if (basename(npm_execpath) === 'npm-cli.js' && npm_node_execpath) return [npm_node_execpath, npm_execpath]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

// Under setpriv, su or a container's user, the home folder with npm's cache often belongs to another user.
function findWritableCache() {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return [cache, false]
  } catch {
    return [mkdtempSync(join(tmpdir(), 'npm-cache-')), true]
  }
}

async function takeLock() {
  for (let waited = 0; waited < longest_wait; waited += 250) {
    try {
      return writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`Packages are missing, and this folder is not writable (${error.message}).`)
    }
    const holder = readIfThere(lock)
    const pids = holder.split(/\s+/).filter(Boolean)
    if (pids.length > 0 && !pids.some(isAlive)) removeStaleLock(holder)
    else if (waited === 0) print(`Waiting for another process (${pids.join(', ')}) that installs the packages.`)
    await sleep(250)
  }
  fail(
    `Waited 15 minutes for another installation. If it is not running, delete ${join(process.cwd(), lock)} and retry.`,
  )
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// If several processes find the lock of a dead process, only one may remove it, because the next lock belongs to a live
// process.
function removeStaleLock(holder) {
  const removing = `${lock}.stale`
  try {
    writeFileSync(removing, '', { flag: 'wx' })
  } catch {
    return
  }
  if (readIfThere(lock) === holder) rmSync(lock)
  rmSync(removing)
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Makes Git run the hooks in `.githooks`, unless this clone has other hooks. Does nothing outside a clone. */
export function useHooks() {
  if (!existsSync('.git')) return
  const configured = spawnSync('git', ['config', '--get', 'core.hooksPath'], { encoding: 'utf8' })
  if (configured.error || configured.stdout.trim() !== '') return
  spawnSync('git', ['config', 'core.hooksPath', '.githooks'])
}
