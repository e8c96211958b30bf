/** Makes many reads from a process of its own, so that taking their answers holds up none that is measured. */
import { Pool } from 'undici'

/**
 * Paths that are asked for in turn, so many at once, until it is told to stop. What is refused for the crowd comes
 * again.
 */
export type Noise = { url: string; headers: Record<string, string>; paths: string[]; at_once: number }

let over = new AbortController()

async function make({ url, headers, paths, at_once }: Noise): Promise<number> {
  over = new AbortController()
  const pool = new Pool(url, { connections: at_once })
  let asked = 0
  let answered = 0
  const ask = async () => {
    while (!over.signal.aborted) {
      const path = paths[asked++ % paths.length]!
      const answer = await pool.request({ path, method: 'GET', headers })
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (answer.statusCode === 200) answered++
      else if (answer.statusCode !== 503) throw new Error(`${path} was answered with ${answer.statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: at_once }, ask))
  await pool.destroy()
  return answered
}

process.on('disconnect', () => process.exit())
process.on('message', async (told: Noise | 'stop') => {
  if (told === 'stop') over.abort()
  else process.send!(await make(told))
})
