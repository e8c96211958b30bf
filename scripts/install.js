// Keeps node_modules in step with package-lock.json.
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endAs, fail, run, say } from './process.js'

const stamp = 'node_modules/.installed'
const record = 'node_modules/.package-lock.json'
const lock = '.installing'

const longest_wait = 15 * 60_000
const npm_ci = 'ci --ignore-scripts --include=optional --no-audit --no-fund --loglevel=error'.split(' ')

/** Whether things are built and tested here; else it is the package of the service. */
const develops = () => existsSync('vitest.config.ts')

/**
 * Whether the packages of this lock file are there, on this platform: with those for development or without them. What
 * npm itself has installed is believed, which spares whoever ran `npm ci` a second install.
 */
export function isInstalled(with_development) {
  const good = with_development ? [stampOf('all')] : [stampOf('all'), stampOf('production')]
  if (good.includes(readIfThere(stamp))) return true
  if (!isInstalledByNpm(with_development)) return false
  remember(good.at(-1))
  return true
}

/** Installs with npm. Of several calls at once one does the work and the others wait for it. */
export async function install(what_for) {
  await takeLock()
  if (!isInstalled(develops())) {
    await installWithNpm(what_for)
    remember(stampOf(develops() ? 'all' : 'production'))
  }
  rmSync(lock)
}

function stampOf(packages) {
  const hash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  return `${process.platform} ${process.arch} ${hash} ${packages}\n`
}

// Where the folder can't be written, each start looks through what npm has installed.
function remember(what_is_there) {
  try {
    writeFileSync(stamp, what_is_there)
  } catch {}
}

// npm records what it has installed when it is done.
function isInstalledByNpm(with_development) {
  const installed = JSON.parse(readIfThere(record) || '{"packages":{}}').packages
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, dev, optional, os, cpu, libc }]) => {
    const is_needed = path !== '' && (with_development || !dev)
    const may_be_absent = optional && !(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc)
    return !is_needed || may_be_absent || (path in installed && installed[path].version === version)
  })
}

async function installWithNpm(what_for) {
  const size = `about ${develops() ? 800 : 510} MB`
  say(`Installing ${what_for}: ${size}, which takes a minute or so. Only now, and when package-lock.json changes.`)
  rmSync(stamp, { force: true })
  rmSync(record, { force: true })
  const [command, ...first] = npm()
  const [cache, is_temporary] = findWritableCache()
  const end = await run(command, [...first, ...npm_ci, develops() ? '--include=dev' : '--omit=dev'], {
    env: { ...process.env, npm_config_cache: cache },
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
    // Should we be killed, npm goes on alone: whoever comes next must wait for it.
    onStart: (pid) => writeFileSync(lock, `${process.pid} ${pid}\n`),
  })
  if (is_temporary) rmSync(cache, { recursive: true, force: true })
  if (end.code !== 0) {
    rmSync(lock)
    say('npm could not install the packages: its reason is above. Run the same command again when that is solved.')
    await endAs(end)
  }
  say(`Installed in ${end.seconds.toFixed(0)} s.`)
}

/** The npm that called us, with the Node that it runs on; the one in node_modules is about to be replaced. */
function npm() {
  const { npm_execpath = '', npm_node_execpath } = process.env
  if (basename(npm_execpath) === 'npm-cli.js' && npm_node_execpath) return [npm_node_execpath, npm_execpath]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

// Under setpriv, su or a container's user the home folder is often someone else's, and with it npm's cache.
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
      if (error.code !== 'EEXIST') fail(`Packages are missing, and this folder can't be written (${error.message}).`)
    }
    const holder = readIfThere(lock)
    const pids = holder.split(/\s+/).filter(Boolean)
    if (pids.length > 0 && !pids.some(isAlive)) removeStaleLock(holder)
    else if (waited === 0) say(`Another process (${pids.join(', ')}) is installing the packages: waiting for it.`)
    await sleep(250)
  }
  fail(`Waited 15 minutes for another install. If there is none, delete ${join(process.cwd(), lock)} and try again.`)
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// Of several that find the same dead holder only one may remove its lock: the next lock is somebody's, and alive.
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
