/**
 * Allows one process per data directory. The kernel holds the lock and releases it regardless of how the process ends,
 * so the lock of a dead process or a reused pid causes no confusion. Node has no flock, but its SQLite takes such a
 * lock on every platform: an open write transaction on an empty file that is never written.
 */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const sqlite_busy = 5

// Node closes a database without references, which would release the lock.
const held = new Set<DatabaseSync>()

/**
 * Locks the directory for this process. Returns a function that unlocks it. Throws with the name of the other process
 * if it is locked.
 */
export async function lockDirectory(data_dir: string): Promise<() => void> {
  const owner_file = join(data_dir, 'owner')
  const lock = lockFile(join(data_dir, 'lock'))
  if (!lock)
    throw new Error(`${data_dir} is in use by ${await nameOwner(owner_file)}. Stop it first, or set another DATA_DIR.`)
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
    // No journal file is written. After a kill, the next process would have to roll it back.
    database.exec('pragma journal_mode = memory; begin immediate')
    return database
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    if (errcode === sqlite_busy) return undefined
    throw new Error(`${path} cannot be locked by user ${process.geteuid?.()} (${message}).`, { cause: error })
  }
}

async function nameOwner(owner_file: string): Promise<string> {
  // Another process that started at the same time may have the lock but not have written its name yet.
  await sleep(50)
  try {
    return readFileSync(owner_file, 'utf8')
  } catch {
    return 'another process'
  }
}

// The arguments are omitted, because they may contain secrets.
const nameSelf = () => ['node', process.argv[1] && relative(process.cwd(), process.argv[1])].filter(Boolean).join(' ')
