/** Sends many concurrent reads from a separate process, so that this does not slow down the measured process. */
import { Pool } from 'undici'

/**
 * Paths to request in turn with `max_running` concurrent requests, until `stop` arrives. A busy service (503) is
 * retried.
 */
export type Noise = { url: string; headers: Record<string, string>; paths: string[]; max_running: number }

let over = new AbortController()

async function load({ url, headers, paths, max_running }: Noise): Promise<number> {
  over = new AbortController()
  const pool = new Pool(url, { connections: max_running })
  let requested = 0
  let answered = 0
  const send = async () => {
    while (!over.signal.aborted) {
      const path = paths[requested++ % paths.length]!
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers })
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      if (statusCode === 200) answered++
      else if (statusCode !== 503) throw new Error(`GET ${path} returned ${statusCode}.`)
    }
  }
  await Promise.all(Array.from({ length: max_running }, send))
  await pool.destroy()
  return answered
}

process.on('disconnect', () => process.exit())
process.on('message', async (message: Noise | 'stop') => {
  if (message === 'stop') over.abort()
  else process.send!(await load(message))
})
