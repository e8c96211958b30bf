import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'

/** A process that is loaded, and waits to be told what to do by a message. */
export type Hired = { child: ChildProcess; loaded: Promise<unknown>; ended: Promise<unknown[]> }

/**
 * Makes what starts a program in processes of its own, each of which says `loaded` first and ends with the tests of the
 * file: loaded while another is still at work.
 */
export function hiring(program: string): () => Hired {
  const processes: ChildProcess[] = []
  afterAll(() => {
    for (const child of processes) child.kill('SIGKILL')
  })
  return () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', dying + program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    processes.push(child)
    const ended = once(child, 'exit')
    const died = ended.then(() => Promise.reject(new Error('A process ended before it began.')))
    const loaded = Promise.race([once(child, 'message'), died])
    loaded.catch(() => undefined)
    return { child, loaded, ended }
  }
}

/** `dieAt(n)`: with the nth query on its way to PostgreSQL, a commit among them. 0: never. */
const dying = `
  import pg from ${JSON.stringify(import.meta.resolve('pg'))}
  const query = pg.Client.prototype.query
  const dieAt = (dies_at) => {
    let count = 0
    pg.Client.prototype.query = function (...said) {
      const answer = query.apply(this, said)
      if (++count === dies_at) process.kill(process.pid, 'SIGKILL')
      return answer
    }
  }
  process.on('disconnect', () => process.exit())`

/** Numbers below `limit`, always the same ones for a seed. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
