import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, expect, it, vi } from 'vitest'
import { resolveName } from './outbound.ts'

const known: Record<string, { 1?: number[]; 28?: number[] }> = {
  'both.example.com': { 1: [93, 184, 216, 34], 28: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  'four.example.com': { 1: [93, 184, 216, 35] },
}
/** Requests without a response. */
const held: (() => void)[] = []

/** A name server that delays its response for names that begin with `slow`. */
const socket = createSocket('udp4')
socket.on('message', (query, { port, address }) => {
  const labels: string[] = []
  let end = 12
  for (; query[end]; end += query[end]! + 1) labels.push(query.toString('latin1', end + 1, end + 1 + query[end]!))
  const name = labels.join('.')
  const type = query.readUInt16BE(end + 1)
  const data = known[name]?.[type as 1 | 28]
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(known[name] ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(data ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = data ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, data.length, ...data] : []
  const answer = () =>
    socket.send(Buffer.concat([head, query.subarray(12, end + 5), Buffer.from(record)]), port, address)
  if (name.startsWith('slow')) held.push(answer)
  else answer()
})
socket.bind(0, '127.0.0.1')
await once(socket, 'listening')
afterAll(() => void socket.close())
const servers = [`127.0.0.1:${socket.address().port}`]

it('resolves a name to its IPv4 and IPv6 addresses', async () => {
  expect(await resolveName('both.example.com', servers)).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
  expect(await resolveName('four.example.com', servers)).toEqual([{ address: '93.184.216.35', family: 4 }])
})

it.each(['unknown.example.com', 'a..b', `${'a'.repeat(300)}.com`, '.'])('an invalid name is not found: %s', (name) =>
  expect(resolveName(name, servers)).rejects.toMatchObject({ code: 'ENOTFOUND' }),
)

it.each(['localhost', 'LOCALHOST.', 'app.localhost'])('%s is this machine', async (name) =>
  expect(await resolveName(name, servers)).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]),
)

it('unresolvable names do not block others', async () => {
  let given_up = 0
  const slow = Array.from({ length: 20 }, (_, at) =>
    resolveName(`slow-${at}.example.com`, servers).catch(() => given_up++),
  )
  expect(await resolveName('four.example.com', servers)).toHaveLength(1)
  expect(given_up).toBe(0)
  await vi.waitUntil(() => held.length >= 40)
  held.forEach((answer) => answer())
  await Promise.all(slow)
  expect(given_up).toBe(20)
})
