/**
 * Receivers of webhooks, each as well-behaved as asked for, in a process of their own. They tell what arrived, and
 * when.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `sound` answers at once, `rough` misbehaves in 30 % of attempts, `dead` never answers. */
export type Manner = 'sound' | 'rough' | 'dead'

/**
 * A webhook as it arrived: which one, when by the clock of the machine in milliseconds, and whether it was accepted.
 */
export type Receipt = { id: string; at: number; accepted: boolean }

export type Question = 'receipts' | 'forget'

const manners = JSON.parse(process.env.MANNERS!) as Manner[]
const receipts: Receipt[][] = manners.map(() => [])

const megabytes = Buffer.alloc(4 * 1024 * 1024, 'x')

/** What a rough receiver does instead, with the share of attempts that it does it in, and whether it has accepted. */
const misdeeds: { share: number; accepts: boolean; answer: (response: ServerResponse) => void }[] = [
  { share: 0.13, accepts: false, answer: (response) => void response.writeHead(500).end() },
  { share: 0.08, accepts: false, answer: (response) => void response.socket!.resetAndDestroy() },
  { share: 0.05, accepts: false, answer: (response) => void response.writeHead(302, { location: '/' }).end() },
  { share: 0.03, accepts: true, answer: (response) => void response.writeHead(200).end(megabytes) },
  { share: 0.005, accepts: true, answer: (response) => void response.writeHead(200).write('drip') },
  { share: 0.005, accepts: false, answer: () => undefined },
]

function misdeed() {
  let chance = Math.random()
  return misdeeds.find(({ share }) => (chance -= share) < 0)
}

async function open(manner: Manner, got: Receipt[]): Promise<number> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('error', () => undefined)
    request.on('end', () => {
      const done = manner === 'rough' ? misdeed() : undefined
      const accepted = done ? done.accepts : manner === 'sound' || manner === 'rough'
      const id = String(request.headers['webhook-id'])
      got.push({ id, at: performance.timeOrigin + performance.now(), accepted })
      if (done) done.answer(response)
      else if (accepted) response.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ports = await Promise.all(manners.map((manner, at) => open(manner, receipts[at]!)))
process.send!(ports)

process.on('message', (question: Question) => {
  if (question === 'forget') for (const got of receipts) got.length = 0
  process.send!(receipts)
})
process.on('disconnect', () => process.exit())
