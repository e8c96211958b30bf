/** Sends requests from a separate process, so that this does not slow down the measured server. */
import autocannon from 'autocannon'

/** Requests these paths in turn over 16 connections: by GET, or by POST where there is a body for each. */
export type Load = { url: string; paths: string[]; bodies?: string[]; authorization: string; seconds: number }

export type Loaded = { answered: number; seconds: number }

async function load({ url, paths, bodies, authorization, seconds }: Load): Promise<Loaded> {
  const result = await autocannon({
    url,
    connections: 16,
    duration: seconds,
    headers: { authorization, ...(bodies && { 'content-type': 'application/json' }) },
    requests: paths.map((path, at) => ({ path, ...(bodies && { method: 'POST' as const, body: bodies[at]! }) })),
  })
  const refused = result.non2xx + result.errors + result.timeouts
  if (refused > 0) throw new Error(`${refused} requests to ${url} failed.`)
  return { answered: result['2xx'], seconds: result.duration }
}

process.on('disconnect', () => process.exit())
process.on('message', async (message: Load) => process.send!(await load(message)))
