import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** In characters. Node refuses a head that is slightly longer than 16 KiB. */
const max_head_length = 20 * 1024

/** The parser position of a connection: the head received so far, or the remaining bytes of a body. */
type Position = { head: string; body_left: number; is_odd: boolean[] }

const positions = new WeakMap<Socket, Position>()
const odd = new WeakSet<IncomingMessage>()

/** Whether the request line contained two consecutive spaces, on a watched server. */
export const hasRepeatedSpaces = (request: IncomingMessage): boolean => odd.has(request)

/**
 * Checks the raw request lines of a server. Node's parser accepts repeated spaces, and a proxy may read another path in
 * such a line (request smuggling). Bodies are skipped by their length. After a chunked body the connection is no longer
 * checked, because body content must never be mistaken for a request line: behind a proxy, another client's request may
 * follow.
 */
export function watchRequestLines(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const state: Position = { head: '', body_left: 0, is_odd: [] }
    positions.set(socket, state)
    // Before the parser, which emits the requests synchronously.
    socket.prependListener('data', (bytes: Buffer) => readBytes(state, bytes))
  })
  server.prependListener('request', (request: IncomingMessage) => {
    if (positions.get(request.socket)?.is_odd.shift()) odd.add(request)
  })
}

function readBytes(state: Position, bytes: Buffer): void {
  let at = 0
  while (at < bytes.length) {
    if (state.body_left > 0) {
      const skipped = Math.min(state.body_left, bytes.length - at)
      state.body_left -= skipped
      at += skipped
      continue
    }
    const piece = bytes.toString('latin1', at, at + max_head_length)
    // Empty lines may precede the request line.
    const received = (state.head + piece).replace(/^[\r\n]+/, '')
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) {
      const is_too_long = received.length > max_head_length
      state.head = is_too_long ? '' : received
      if (is_too_long) state.body_left = Infinity
      at += piece.length
      continue
    }
    const head = received.slice(0, end)
    state.is_odd.push(head.split('\r\n', 1)[0]!.includes('  '))
    state.head = ''
    state.body_left = bodyLength(head)
    at += piece.length - (received.length - end - 4)
  }
}

/** The length of the body after a head. Infinity if it is unknown. */
const bodyLength = (head: string): number =>
  /\r\ntransfer-encoding:/i.test(head) ? Infinity : Number(/\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1] ?? 0)
