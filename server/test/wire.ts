import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'

/** A connection over which a test says what no client would. */
export type Wire = {
  say: (bytes: string) => void
  /** Waits until what was answered so far fits, and returns it. */
  hears: (pattern: RegExp) => Promise<string>
  /** All that was answered, once the connection is closed. */
  closed: Promise<string>
  hangUp: () => void
}

/** Connects to the server at an address. Like a rude client it never closes by itself. */
export async function wireTo(url: string): Promise<Wire> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  let heard = ''
  socket.on('data', (data) => (heard += data))
  // Whoever is cut off while speaking hears of it so.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return {
    say: (bytes) => void socket.write(bytes),
    hears: async (pattern) => {
      await expect.poll(() => heard, { timeout: 20_000 }).toMatch(pattern)
      return heard
    },
    closed: new Promise((resolve) => socket.once('close', () => resolve(heard))),
    hangUp: () => void socket.destroy(),
  }
}

/** Says something and returns all that is answered until the server has ended the connection. */
export async function speak(url: string, bytes: string): Promise<string> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1' })
  let heard = ''
  socket.on('data', (data) => (heard += data))
  socket.write(bytes)
  await once(socket, 'close')
  return heard
}
