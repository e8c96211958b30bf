import { mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const enough = 4 * 2 ** 30

/**
 * A new folder for the data of a PostgreSQL: in memory where the machine has plenty of it, or else among the temporary
 * files. A server that keeps its promises waits for the disk again and again, longest while others write to it.
 */
export const dataFolder = (name: string): string =>
  mkdtempSync(join(hasRoom() ? memory : tmpdir(), `openbenefits-${name}-`))

/** Whether there are some GiB of memory to spare, and programs may be copied there that are run. */
function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory)
    const { bavail, bsize } = statfsSync(memory)
    const is_open = mount !== undefined && !mount.includes('noexec')
    return is_open && bavail * bsize > enough && process.availableMemory() > enough
  } catch {
    return false
  }
}
