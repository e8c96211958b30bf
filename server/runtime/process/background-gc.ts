import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { backgroundPriority } from '../../kernel/concurrency/background-thread.ts'

/**
 * Without these flags, V8 splits this work among its helpers while a thread waits for them. With them, the thread does
 * it alone.
 */
const alone = ['--no-parallel-scavenge', '--no-parallel-compaction', '--no-parallel-pointer-update']

/**
 * Lowers the priority of V8's helpers, which collect garbage for all threads of the process, below that of the event
 * loop. Discarded large bodies keep them busy. Threads no longer wait for them (docs/design/service/reads.md). Call it
 * before any other thread starts. Only on Linux.
 */
export function lowerGcPriority(): void {
  const threads = '/proc/self/task'
  // A container may hide the folder. That must not prevent a start.
  if (process.platform !== 'linux' || !existsSync(threads)) return
  for (const flag of alone) setFlagsFromString(flag)
  for (const id of readdirSync(threads)) {
    const thread = `${threads}/${id}`
    try {
      if (readFileSync(`${thread}/comm`, 'utf8').startsWith('node-V8Worker'))
        setPriority(Number(id), backgroundPriority())
    } catch (error) {
      // A thread may end between the listing and the read. That must not prevent a start.
      if (existsSync(thread)) throw error
    }
  }
}
