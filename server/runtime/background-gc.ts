import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { behindOthers } from '../kernel/background-thread.ts'

/** What V8 would divide among its helpers while a thread stands still for it: the thread does it alone. */
const alone = ['--no-parallel-scavenge', '--no-parallel-compaction', '--no-parallel-pointer-update']

/**
 * Has the helpers of V8, which collect garbage for all threads of the process, work behind the event loop as well:
 * large bodies that are thrown away keep them busy. No thread waits for them from then on (decision 128). Call it
 * before any other thread is started; only on Linux.
 */
export function collectBehindOthers(): void {
  const threads = '/proc/self/task'
  // A container may hide it: nobody is kept from starting by that.
  if (process.platform !== 'linux' || !existsSync(threads)) return
  for (const flag of alone) setFlagsFromString(flag)
  for (const id of readdirSync(threads)) {
    const thread = `${threads}/${id}`
    try {
      if (readFileSync(`${thread}/comm`, 'utf8').startsWith('node-V8Worker')) setPriority(Number(id), behindOthers())
    } catch (error) {
      // One may end between being listed and being looked at: nobody is kept from starting by that either.
      if (existsSync(thread)) throw error
    }
  }
}
