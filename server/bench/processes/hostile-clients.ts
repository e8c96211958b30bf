/** Sends hostile requests from a separate process, so that this does not slow down the measured process. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** A request that a number of connections repeat until `stop` arrives. */
export type Attack = {
  url: string
  path: string
  authorization: string
  headers?: Record<string, string>
  body: Body
  max_running: number
}

/** A repeated text between two others. `slowly`: sent at a kilobyte per tenth of a second. */
export type Body = { before: string; text: string; times: number; after: string; slowly?: true }

/** The number of requests by status. `none` counts those without a response. */
export type Statuses = Record<string, number>

let over = new AbortController()

async function attack({ url, path, authorization, headers, body, max_running }: Attack): Promise<Statuses> {
  over = new AbortController()
  const { signal } = over
  const statuses: Statuses = {}
  const count = (status: string | number) => void (statuses[status] = (statuses[status] ?? 0) + 1)
  const pool = new Pool(url, { connections: max_running })
  const bytes = Buffer.from(body.before + body.text.repeat(body.times) + body.after)
  const sent = { authorization, 'content-type': 'application/json', ...headers }
  const send = async () => {
    const answer = await pool.request({ path, method: 'POST', headers: sent, body: bytes, signal })
    await answer.body.dump()
    count(answer.statusCode)
  }
  const client = async () => {
    while (!signal.aborted)
      await (body.slowly ? drip(url, path, authorization, bytes, signal) : send()).catch(
        () => signal.aborted || count('none'),
      )
  }
  await Promise.all(Array.from({ length: max_running }, client))
  await pool.destroy()
  return statuses
}

/** Sends a body slowly over a connection that is used only once. */
async function drip(url: string, path: string, authorization: string, bytes: Buffer, signal: AbortSignal) {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const headers = ['Host: x', `Authorization: ${authorization}`, 'Content-Type: application/json']
  socket.write([`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${bytes.length}`, '', ''].join('\r\n'))
  for (let at = 0; !signal.aborted && at < bytes.length && socket.writable; at += 1024) {
    socket.write(bytes.subarray(at, at + 1024))
    await sleep(100)
  }
  socket.destroy()
}

process.on('disconnect', () => process.exit())
process.on('message', async (message: Attack | 'stop') => {
  if (message === 'stop') over.abort()
  else process.send!(await attack(message))
})
