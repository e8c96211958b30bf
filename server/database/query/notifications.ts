import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { sessionOf, type DatabaseAddress } from './session.ts'

/**
 * Calls back for each notification on a channel of the database. It has its own session, and reconnects when the
 * session breaks. Notifications in between are lost, so callers must also poll from time to time.
 */
export function listenForNotices(
  address: DatabaseAddress,
  channel: string,
  onNotice: () => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let session: pg.Client | undefined
  const listen = async () => {
    while (!stopping.signal.aborted) {
      const client = new pg.Client({
        ...sessionOf(address),
        application_name: 'openbenefits notices',
        connectionTimeoutMillis: 10_000,
      })
      const ended = new Promise((resolve) => client.once('end', resolve))
      client.on('error', () => undefined)
      client.on('notification', onNotice)
      try {
        await client.connect()
        session = client
        // It may have been stopped while the session opened.
        if (stopping.signal.aborted) await client.end()
        else await client.query(`listen ${channel}`)
        onNotice()
        await ended
      } catch {
        await client.end().catch(() => undefined)
      }
      session = undefined
      await pause(1000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const listening = listen()
  return {
    async stop() {
      stopping.abort()
      await session?.end().catch(() => undefined)
      await listening
    },
  }
}
