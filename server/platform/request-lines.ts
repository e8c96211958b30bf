import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes; Node refuses a line that is longer. */
const longest = 16 * 1024
const line_feed = 10

/** What came so far of a request line that has not ended; nothing of a connection that is within a request. */
const begun = new WeakMap<Socket, string>()
const odd = new WeakSet<Socket>()

/** Whether two blanks stood together in the request line, on a server that is watched. */
export const isLineOdd = ({ socket }: IncomingMessage): boolean => odd.has(socket)

/**
 * Looks at the request lines of a server before Node's parser does, which takes any number of blanks, though whoever
 * stands before us may read another address in such a line. Requests that come before the one before them is answered
 * are not looked at.
 */
export function watchRequestLines(server: Server): void {
  server.on('connection', (socket: Socket) => {
    begun.set(socket, '')
    // Before the parser has them.
    socket.prependListener('data', (bytes: Buffer) => {
      const before = begun.get(socket)
      if (before === undefined) return
      // Empty lines may come before it.
      const start = before === '' ? bytes.findIndex((byte) => byte > line_feed && byte !== 13) : 0
      if (start < 0) return
      const end = bytes.indexOf(line_feed, start)
      const line = before + bytes.toString('latin1', start, end < 0 ? bytes.length : end)
      if (end < 0 && line.length <= longest) return void begun.set(socket, line)
      begun.delete(socket)
      if (line.includes('  ')) odd.add(socket)
    })
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const waitForNext = () => void begun.set(request.socket, '')
    response.once('close', () => (request.complete ? waitForNext() : request.once('end', waitForNext)))
  })
}
