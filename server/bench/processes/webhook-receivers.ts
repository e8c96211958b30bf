/** Webhook receivers in a process of their own. They report when webhooks arrived. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The arrival times of webhooks by receiver, in milliseconds by the clock of the machine. */
const receipts: number[][] = Array.from({ length: Number(process.env.RECEIVERS) }, () => [])

async function open(got: number[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      got.push(performance.timeOrigin + performance.now())
      response.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

process.on('message', (message: 'receipts' | 'forget') => {
  if (message === 'forget') for (const got of receipts) got.length = 0
  process.send!(receipts)
})
process.on('disconnect', () => process.exit())
process.send!(await Promise.all(receipts.map(open)))
