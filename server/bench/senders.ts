/**
 * Sends hostile requests from a process of its own, so that making them takes nothing from the server that is measured.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'

/** One request that so many send at once, each again as soon as it is answered, until they are told to stop. */
export type Attack = {
  url: string
  path: string
  authorization: string
  headers?: Record<string, string>
  body: Body
  at_once: number
}
/** A text as often as said, between two others. */
export type Body = { before: string; text: string; times: number; after: string; slowly?: true }
/** How many were answered with which status, and how many not at all. */
export type Repelled = Record<string, number>

const bodyOf = ({ before, text, times, after }: Body) => Buffer.from(before + text.repeat(times) + after)

let over = new AbortController()

async function attack({ url, path, authorization, headers, body, at_once }: Attack): Promise<Repelled> {
  over = new AbortController()
  const { signal } = over
  const repelled: Repelled = {}
  const count = (what: string | number) => void (repelled[what] = (repelled[what] ?? 0) + 1)
  const pool = new Pool(url, { connections: at_once })
  const sent = bodyOf(body)
  const send = async () => {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: sent,
      signal,
    })
    await answer.body.dump()
    count(answer.statusCode)
  }
  const one = async () => {
    while (!signal.aborted)
      await (body.slowly ? drip(url, path, authorization, sent, signal) : send()).catch(
        () => signal.aborted || count('none'),
      )
  }
  await Promise.all(Array.from({ length: at_once }, one))
  await pool.destroy()
  return repelled
}

/** A kilobyte every tenth of a second, over a connection that is never used for more. */
async function drip(
  url: string,
  path: string,
  authorization: string,
  sent: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const headers = ['Host: x', `Authorization: ${authorization}`, 'Content-Type: application/json']
  socket.write([`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${sent.length}`, '', ''].join('\r\n'))
  for (let at = 0; !signal.aborted && at < sent.length && socket.writable; at += 1024) {
    socket.write(sent.subarray(at, at + 1024))
    await sleep(100)
  }
  socket.destroy()
}

process.on('disconnect', () => process.exit())
process.on('message', async (told: Attack | 'stop') => {
  if (told === 'stop') over.abort()
  else process.send!(await attack(told))
})
