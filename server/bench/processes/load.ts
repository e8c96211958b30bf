/** Sends requests from a separate process, so that this does not slow down the measured server. */
import autocannon from 'autocannon'

/** Requests these paths in turn over some connections: by GET, or by POST if there is a body. */
export type Load = {
  url: string
  paths: string[]
  headers: Record<string, string>
  body?: string
  connections: number
  seconds: number
}

/** The number of responses by status. `none` counts requests without a response. */
export type Loaded = { statuses: Record<string, number>; seconds: number }

/** Seconds until a request counts as unanswered, which is longer than any delay by the service. */
const timeout = 30

async function load({ url, paths, headers, body, connections, seconds }: Load): Promise<Loaded> {
  const posted = body !== undefined && { method: 'POST' as const, body }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout,
    headers: { ...headers, ...(posted && { 'content-type': 'application/json' }) },
    requests: paths.map((path) => ({ path, ...posted })),
  })
  const counts = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count] as const)
  const none = result.errors + result.timeouts
  return { statuses: { ...Object.fromEntries(counts), ...(none > 0 && { none }) }, seconds: result.duration }
}

process.on('disconnect', () => process.exit())
process.on('message', async (message: Load) => process.send!(await load(message)))
