/**
 * Whom PostgreSQL runs as when we are root, as in most containers. It refuses root, and must not be root by another
 * name either: what its process may read, a superuser of the database may read by SQL.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readText } from './process.ts'

type User = { uid: number; gid: number }

/** Whom programs of PostgreSQL run as, and whose its data is. */
export type ProcessOwner = {
  /** words before a command */
  prefix: string[]
  /** the user that a command is started as; absent where that is us, or where the prefix changes to it */
  user?: User
  /** whose the data is; absent: ours */
  files?: User
  /** who makes the data in place of an owner without a name, whom initdb refuses */
  maker?: ProcessOwner
}

/** What a machine may bar, and tests may do without; it is found out otherwise. */
export type Ways = { other_users?: boolean; mounts?: boolean }

/**
 * A number that no system gives to anybody (systemd leaves it free, and so does Debian), so that the data is nobody
 * else's: not that of a PostgreSQL of the system, nor that of all who run as `nobody`. It needs no name, only initdb
 * does.
 */
const database_user: User = { uid: 60_720, gid: 60_720 }

/**
 * Decides whom to run as, and lets them pass through our directory. As root: the owner of existing data if that isn't
 * root; else a user of PostgreSQL's own, in a view of the files in which the directory can be reached if its place is
 * one that only root can enter; else, where there is nobody else to be, as in a container that has but one user,
 * ourselves under another name in a user namespace. Throws where none of that can be.
 */
export function chooseOwner(
  data_dir: string,
  pgdata: string,
  { other_users = true, mounts = true }: Ways = {},
): ProcessOwner {
  if (process.geteuid?.() !== 0) return { prefix: [] }
  const made_by = statSync(pgdata, { throwIfNoEntry: false })
  const user = made_by && made_by.uid !== 0 ? { uid: made_by.uid, gid: made_by.gid } : database_user
  const barred = other_users ? findBarred({ prefix: [], user }, wayTo(data_dir)) : 'everything'
  if (barred === 'everything') return ourselvesByAnotherName(data_dir)
  const closed = barred && letPass(user, data_dir)
  const ownerOf = (someone: User): ProcessOwner =>
    closed === undefined
      ? { prefix: [], user: someone, files: someone }
      : { prefix: viewPast(closed, data_dir, someone), files: someone }
  // It only has to have a name; our directory is open to the group.
  const maker = isNamed(user.uid) ? undefined : ownerOf({ uid: findNamedUser().uid, gid: user.gid })
  const owner = { ...ownerOf(user), ...(maker && { maker }) }
  if (closed !== undefined && (!mounts || !canEnter(owner, data_dir))) {
    throw new Error(
      `PostgreSQL runs as user ${user.uid}, since it refuses to run as root, and only root can enter ${closed}: ` +
        `let others pass (chmod o+x ${closed}), set DATA_DIR to a folder that everybody can reach, such as ` +
        '/var/lib/openbenefits, or run as an ordinary user.',
    )
  }
  return owner
}

/**
 * Lets somebody pass through a directory; answers the uppermost folder on the way to it that they still can't enter.
 * Moving the data to where it can be reached would lose it later: operators mount and back up the directory.
 */
function letPass(user: User, data_dir: string): string | undefined {
  const { uid, mode } = statSync(data_dir)
  chownSync(data_dir, uid, user.gid)
  chmodSync(data_dir, (mode & 0o7707) | 0o010)
  return findBarred({ prefix: [], user }, wayTo(data_dir))
}

/** The folders on the way to a directory, the uppermost first. */
function wayTo(data_dir: string): string[] {
  const way = [data_dir]
  while (dirname(way[0]!) !== way[0]) way.unshift(dirname(way[0]!))
  return way
}

/**
 * In this process's view of the files, and nobody else's, the closed folder is an empty one with nothing in it but the
 * way to our directory. The directory itself was opened before.
 */
const viewPast = (closed: string, data_dir: string, { uid, gid }: User): string[] =>
  ['unshare', '--mount', 'sh', '-ec', past_the_closed, 'sh', closed, data_dir].concat([
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--',
  ])

const past_the_closed = `
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

function ourselvesByAnotherName(data_dir: string): ProcessOwner {
  const { uid, gid } = findNamedUser()
  const owner = { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] }
  if (canEnter(owner, data_dir)) return owner
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine lets it be nobody else: run as an ordinary user.',
  )
}

const passwd = () => readText('/etc/passwd')
const isNamed = (uid: number): boolean => new RegExp(`^[^:\n]+:[^:\n]*:${uid}:`, 'm').test(passwd())

function findNamedUser(): User {
  const users = passwd()
  const entry = /^postgres:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users)
  if (!entry) {
    throw new Error(
      'PostgreSQL refuses to run as root, and there is no user postgres or nobody: run as an ordinary user.',
    )
  }
  return { uid: Number(entry[1]), gid: Number(entry[2]) }
}

/** Whether a program of that owner may enter a folder or run a file. */
export const canEnter = (owner: ProcessOwner, path: string): boolean => findBarred(owner, [path]) === undefined

const until_barred = 'for path; do test -x "$path" || { printf %s "$path"; exit; }; done'

/**
 * The first of some folders and files that a program of that owner may not enter or run; everything, where no program
 * may be started as somebody. Asked of the system, which knows every rule, by one program for all of them.
 */
function findBarred({ prefix, user }: ProcessOwner, paths: string[]): string | undefined {
  const [command = '', ...args] = [...prefix, 'sh', '-c', until_barred, 'sh', ...paths]
  const { status, stdout } = spawnSync(command, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] })
  return status === 0 ? stdout.toString() || undefined : 'everything'
}

/**
 * Makes a folder and all in it the owner's, the folder itself last: killed meanwhile, the next start does it anew.
 */
export function give({ files }: ProcessOwner, folder: string): void {
  if (files === undefined || !existsSync(folder) || statSync(folder).uid === files.uid) return
  const { status, stderr } = spawnSync('chown', ['-R', `${files.uid}:${files.gid}`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${folder} can't be given to user ${files.uid}: ${stderr.trim()}`)
}

/** Whether a process runs as the owner, and not as somebody who ran it before. */
export function runsAs({ files }: ProcessOwner, pid: number): boolean {
  if (process.geteuid?.() !== 0) return true
  const uid =
    process.platform === 'linux'
      ? /^Uid:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`))?.[1]
      : spawnSync('ps', ['-o', 'uid=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.trim()
  return Number(uid) === (files?.uid ?? 0)
}
