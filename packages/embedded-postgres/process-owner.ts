/**
 * The user that PostgreSQL runs as when the service runs as root, as in most containers. PostgreSQL refuses root. It
 * must not be root under another name either, because a superuser of the database can read all files of its process
 * with SQL.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

type User = { uid: number; gid: number }

/** The user that runs PostgreSQL's programs and owns its data. */
export type ProcessOwner = {
  /** the words to put before each command */
  prefix: string[]
  /** the user that commands are started as; absent if it is the current one, or if the prefix changes the user */
  user?: User
  /** the owner of the data; absent for the current user */
  files?: User
  /** the user that runs initdb instead, if this user has no name, because initdb refuses users without one */
  maker?: ProcessOwner
}

/** Abilities that a machine may lack and that tests can disable. Otherwise they are detected. */
export type MachineAbilities = { other_users?: boolean; mounts?: boolean }

/**
 * A user id that no system assigns (systemd and Debian leave it free), so that no other user has access to the data.
 * Other users include a system-wide PostgreSQL and programs without privileges. Only initdb needs a name for it.
 */
const database_user: User = { uid: 60_720, gid: 60_720 }

/**
 * Chooses the user that runs PostgreSQL, and gives it access to our directory. PostgreSQL refuses to run as root, so
 * if this process is root, the first possible user of these runs it:
 * 1. the owner of existing data, unless that is root;
 * 2. a separate user, with its own mount namespace if only root can enter a parent of the directory;
 * 3. root under another name in a user namespace, for example in a container with only one user.
 * Throws if none of these work.
 */
export function chooseOwner(
  data_dir: string,
  pgdata: string,
  { other_users = true, mounts = true }: MachineAbilities = {},
): ProcessOwner {
  if (process.geteuid?.() !== 0) return { prefix: [] }
  const made_by = statSync(pgdata, { throwIfNoEntry: false })
  const user = made_by && made_by.uid !== 0 ? { uid: made_by.uid, gid: made_by.gid } : database_user
  const blocked = other_users ? findInaccessible({ prefix: [], user }, pathTo(data_dir)) : 'everything'
  if (blocked === 'everything') return rootUnderAnotherName(data_dir)
  const closed = blocked && grantAccess(user, data_dir)
  const ownerOf = (user: User): ProcessOwner =>
    closed === undefined
      ? { prefix: [], user: user, files: user }
      : { prefix: namespacePrefix(closed, data_dir, user), files: user }
  // The user that runs initdb only needs a name. It has access to our directory through the group.
  const maker = isNamed(user.uid) ? undefined : ownerOf({ uid: findNamedUser().uid, gid: user.gid })
  const owner = { ...ownerOf(user), ...(maker && { maker }) }
  if (closed !== undefined && (!mounts || !canEnter(owner, data_dir))) {
    throw new Error(
      `PostgreSQL runs as user ${user.uid}, because it refuses to run as root. That user cannot enter ${closed}. ` +
        `Let other users enter it (chmod o+x ${closed}), set DATA_DIR to a folder that all users can reach, such as ` +
        '/var/lib/openbenefits, or run as an ordinary user.',
    )
  }
  return owner
}

/**
 * Gives a user permission to enter the data directory. Returns the first folder on its path that the user still cannot
 * enter. The data is not moved elsewhere, because operators mount and back up this directory.
 */
function grantAccess(user: User, data_dir: string): string | undefined {
  const { uid, mode } = statSync(data_dir)
  chownSync(data_dir, uid, user.gid)
  chmodSync(data_dir, (mode & 0o7707) | 0o010)
  return findInaccessible({ prefix: [], user }, pathTo(data_dir))
}

/** The folders on the path to a directory, from the root to the directory itself. */
function pathTo(data_dir: string): string[] {
  const way = [data_dir]
  while (dirname(way[0]!) !== way[0]) way.unshift(dirname(way[0]!))
  return way
}

/**
 * Runs a command in a mount namespace that hides the contents of the closed folder. Only our directory remains visible
 * in it, mounted from a handle that was opened before.
 */
const namespacePrefix = (closed: string, data_dir: string, { uid, gid }: User): string[] =>
  ['unshare', '--mount', 'sh', '-ec', namespace_script, 'sh', closed, data_dir].concat([
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--',
  ])

const namespace_script = `
  closed=$1 directory=$2
  shift 2
  umask 022
  exec 3< "$directory"
  mount -t tmpfs -o mode=755,size=1m openbenefits "$closed"
  mkdir -p "$directory"
  mount --no-canonicalize --bind /proc/self/fd/3 "$directory"
  exec 3<&-
  cd /
  exec "$@"`

function rootUnderAnotherName(data_dir: string): ProcessOwner {
  const { uid, gid } = findNamedUser()
  const owner = { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] }
  if (canEnter(owner, data_dir)) return owner
  throw new Error('PostgreSQL refuses to run as root, and this machine allows no other user. Run as an ordinary user.')
}

const passwd = () => readText('/etc/passwd')
const isNamed = (uid: number): boolean => new RegExp(`^[^:\n]+:[^:\n]*:${uid}:`, 'm').test(passwd())

function findNamedUser(): User {
  const users = passwd()
  const entry = /^postgres:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users)
  if (!entry) {
    throw new Error('PostgreSQL refuses to run as root, and the user postgres does not exist. Run as an ordinary user.')
  }
  return { uid: Number(entry[1]), gid: Number(entry[2]) }
}

/** Whether a program of that owner may enter a folder or run a file. */
export const canEnter = (owner: ProcessOwner, path: string): boolean => findInaccessible(owner, [path]) === undefined

const until_barred = 'for path; do test -x "$path" || { printf %s "$path"; exit; }; done'

/**
 * The first of these paths that the owner's programs cannot enter or run, or `everything` if no program can run as the
 * owner. One program checks all paths with the system's own rules.
 */
function findInaccessible({ prefix, user }: ProcessOwner, paths: string[]): string | undefined {
  const [command = '', ...args] = [...prefix, 'sh', '-c', until_barred, 'sh', ...paths]
  const { status, stdout } = spawnSync(command, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  return status === 0 ? stdout.toString() || undefined : 'everything'
}

/**
 * Changes the owner of a folder and its contents, the folder itself last, so that an interrupted change is repeated at
 * the next start.
 */
export function changeOwner({ files }: ProcessOwner, folder: string): void {
  if (files === undefined || !existsSync(folder) || statSync(folder).uid === files.uid) return
  const { status, stderr } = spawnSync('chown', ['-R', `${files.uid}:${files.gid}`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${folder} can't be transferred to user ${files.uid}: ${stderr.trim()}`)
}

/** Whether a process runs as the owner, and not as a previous user. */
export function isRunBy({ files }: ProcessOwner, pid: number): boolean {
  if (process.geteuid?.() !== 0) return true
  const uid =
    process.platform === 'linux'
      ? /^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
      : spawnSync('ps', ['-o', 'uid=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.trim()
  return Number(uid) === (files?.uid ?? 0)
}

/** The text of a file starting at a position. Empty if the file does not exist. */
export const readText = (path: string, from = 0): string =>
  existsSync(path) ? readFileSync(path).subarray(from).toString() : ''
