import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'

/** A connection over which a test can send bytes that no client would. */
export type RawConnection = {
  print: (bytes: string) => void
  /** Waits until the response so far matches the pattern, and returns it. */
  receives: (pattern: RegExp) => Promise<string>
  /** The whole response, once the connection is closed. */
  closed: Promise<string>
  hangUp: () => void
}

/** Connects to the server at an address. It never closes the connection by itself. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  socket.on('data', (data) => (received += data))
  // A reset while sending causes an error, which is expected.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return {
    print: (bytes) => void socket.write(bytes),
    receives: async (pattern) => {
      await expect.poll(() => received).toMatch(pattern)
      return received
    },
    closed: new Promise((resolve) => socket.once('close', () => resolve(received))),
    hangUp: () => void socket.destroy(),
  }
}

/** Sends bytes and returns the whole response once the server has closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  let received = ''
  socket.on('data', (data) => (received += data))
  socket.write(bytes)
  await once(socket, 'close')
  return received
}
