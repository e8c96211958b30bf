/**
 * One process per data directory. The kernel holds the lock and gives it back however the process ends, so a lock left
 * by a dead process, or a pid that another process has got since, can't mislead anybody. Node has no flock, but the
 * SQLite inside it takes exactly such a lock on every platform: an open write transaction on an empty file that
 * nothing is ever written to.
 */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const sqlite_busy = 5

// Node closes a database that nobody refers to, and the lock would go with it.
const held = new Set<DatabaseSync>()

/**
 * Takes the directory for this process; answers how to release it. Throws, naming the other process, when it is taken.
 */
export async function lockDirectory(data_dir: string): Promise<() => void> {
  const owner_file = join(data_dir, 'owner')
  const lock = lockFile(join(data_dir, 'lock'))
  if (!lock)
    throw new Error(`${data_dir} is in use by ${await nameOwner(owner_file)}: stop it first, or set another DATA_DIR.`)
  held.add(lock)
  writeFileSync(owner_file, `process ${process.pid} (${nameSelf()}), running since ${new Date().toISOString()}`, {
    mode: 0o600,
  })
  return () => {
    if (!held.delete(lock)) return
    rmSync(owner_file, { force: true })
    lock.close()
  }
}

function lockFile(path: string): DatabaseSync | undefined {
  try {
    closeSync(openSync(path, 'a', 0o600))
    const database = new DatabaseSync(path)
    // Without a journal beside it: after a kill that would be a change to roll back.
    database.exec('pragma journal_mode = memory; begin immediate')
    return database
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (errcode === sqlite_busy) return undefined
    throw new Error(`${path} can't be locked by user ${process.geteuid?.()} (${message}).`, { cause: error })
  }
}

async function nameOwner(owner_file: string): Promise<string> {
  // Of two that start together the other has its lock, but may not have written its name yet.
  await sleep(50)
  try {
    return readFileSync(owner_file, 'utf8')
  } catch {
    return 'another process'
  }
}

// Not the arguments: they may hold secrets.
const nameSelf = () => ['node', process.argv[1] && relative(process.cwd(), process.argv[1])].filter(Boolean).join(' ')
