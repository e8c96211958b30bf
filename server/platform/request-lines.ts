import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes; Node refuses a head that is longer than 16 KiB and a little. */
const longest = 20 * 1024

/** The latest bytes of a connection that may hold the head of a request: those before the present ones, and these. */
type Latest = { before: Buffer; bytes: Buffer }
const latest = new WeakMap<Socket, Latest>()
const nothing = Buffer.alloc(0)
const odd = new WeakSet<IncomingMessage>()

/** Whether two blanks stood together in the request line, on a server that is watched. */
export const isLineOdd = (request: IncomingMessage): boolean => odd.has(request)

/**
 * Looks for the request lines of a server as they were sent, since Node's parser takes any number of blanks, though
 * whoever stands before us may read another address in such a line. The parser says where requests begin, also of those
 * that come before the one before them is answered, or right behind a body: what it read as a method and an address is
 * looked for in the latest bytes, with a blank too many. A body or header that says such a line just before is a 400 too.
 */
export function watchRequestLines(server: Server): void {
  server.on('connection', (socket: Socket) => {
    // Before the parser has them, which tells of the requests in them at once.
    socket.prependListener('data', (bytes: Buffer) => {
      latest.set(socket, { before: latest.get(socket)?.before ?? nothing, bytes })
    })
    socket.on('data', () => {
      const rest = latest.get(socket)
      if (rest) latest.set(socket, { before: endOf(rest), bytes: nothing })
    })
  })
  server.prependListener('request', (request: IncomingMessage) => {
    const { before, bytes } = latest.get(request.socket) ?? { before: nothing, bytes: nothing }
    const sent = before.length > 0 ? Buffer.concat([before, bytes]) : bytes
    if (sent.includes('  ') && isOdd(request, sent.toString('latin1'))) odd.add(request)
    // What follows may be another.
    const end = sent.indexOf('\r\n\r\n')
    latest.set(request.socket, { before: nothing, bytes: end < 0 ? nothing : sent.subarray(end + 4) })
  })
}

/** A copy, so that no larger buffer is kept for it. */
const endOf = ({ before, bytes }: Latest): Buffer =>
  bytes.length >= longest || before.length === 0
    ? Buffer.from(bytes.subarray(-longest))
    : Buffer.concat([before, bytes]).subarray(-longest)

function isOdd({ method, url }: IncomingMessage, sent: string): boolean {
  const [verb, address] = [RegExp.escape(method!), RegExp.escape(url!)]
  return new RegExp(`${verb}(?: {2,}${address} +| +${address} {2,})HTTP/`).test(sent)
}
