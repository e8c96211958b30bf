import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Characters; Node refuses a head that is longer than 16 KiB and a little. */
const longest = 20 * 1024

/** Where a connection stands: in a head, of which this much came, or in a body of which so many bytes are to come. */
type Position = { head: string; body_left: number; is_odd: boolean[] }

const places = new WeakMap<Socket, Position>()
const odd = new WeakSet<IncomingMessage>()

/** Whether two blanks stood together in the request line, on a server that is watched. */
export const isLineOdd = (request: IncomingMessage): boolean => odd.has(request)

/**
 * Looks at the request lines of a server as they were sent, since Node's parser takes any number of blanks, though
 * whoever stands before us may read another address in such a line. Bodies are passed over by their length; behind one
 * that tells none (chunked) the connection is not looked at any more, since what a body holds must never be taken for a
 * line: on the connections of a proxy it would stand before the request of somebody else.
 */
export function watchRequestLines(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const place: Position = { head: '', body_left: 0, is_odd: [] }
    places.set(socket, place)
    // Before the parser has them, which tells of the requests in them at once.
    socket.prependListener('data', (bytes: Buffer) => look(place, bytes))
  })
  server.prependListener('request', (request: IncomingMessage) => {
    if (places.get(request.socket)?.is_odd.shift()) odd.add(request)
  })
}

function look(place: Position, bytes: Buffer): void {
  let at = 0
  while (at < bytes.length) {
    if (place.body_left > 0) {
      const passed = Math.min(place.body_left, bytes.length - at)
      place.body_left -= passed
      at += passed
      continue
    }
    const piece = bytes.toString('latin1', at, at + longest)
    // Empty lines may come before it.
    const came = (place.head + piece).replace(/^[\r\n]+/, '')
    const end = came.indexOf('\r\n\r\n')
    if (end < 0) {
      const is_too_long = came.length > longest
      place.head = is_too_long ? '' : came
      if (is_too_long) place.body_left = Infinity
      at += piece.length
      continue
    }
    const head = came.slice(0, end)
    place.is_odd.push(head.split('\r\n', 1)[0]!.includes('  '))
    place.head = ''
    place.body_left = bodyLength(head)
    at += piece.length - (came.length - end - 4)
  }
}

/** Bytes of the body behind a head; more than any where it doesn't say. */
const bodyLength = (head: string): number =>
  /\r\ntransfer-encoding:/i.test(head) ? Infinity : Number(/\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0)
