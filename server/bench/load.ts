/** Sends requests from a process of its own, so that making them takes nothing from the server that is measured. */
import autocannon from 'autocannon'

/** What is sent to each path in turn instead of a GET: a body for each. */
type Sent = { method: 'PATCH' | 'POST'; bodies: string[] }

/** So many seconds of requests to these paths in turn, over 16 connections. */
export type Load = { url: string; paths: string[]; sent?: Sent; authorization: string; seconds: number }

/** How many were answered, and in how many seconds. */
export type Loaded = { answered: number; seconds: number }

async function fire({ url, paths, sent, authorization, seconds }: Load): Promise<Loaded> {
  const result = await autocannon({
    url,
    connections: 16,
    duration: seconds,
    headers: { authorization, ...(sent && { 'content-type': 'application/json' }) },
    requests: paths.map((path, at) => ({ path, ...(sent && { method: sent.method, body: sent.bodies[at]! }) })),
  })
  const refused = result.non2xx + result.errors + result.timeouts
  if (refused > 0) throw new Error(`${refused} requests to ${url} failed.`)
  return { answered: result['2xx'], seconds: result.duration }
}

process.on('disconnect', () => process.exit())
process.on('message', async (load: Load) => process.send!(await fire(load)))
