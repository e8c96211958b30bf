import { mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const enough = 4 * 2 ** 30

/**
 * A new folder for the data of a PostgreSQL: in memory if there is plenty of it, otherwise among the temporary files. A
 * durable server waits for the disk very often, especially while others write to it.
 */
export const dataFolder = (name: string): string =>
  mkdtempSync(join(hasRoom() ? memory : tmpdir(), `openbenefits-${name}-`))

/** Whether some GiB of memory are free, on a file system that allows running programs. */
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
