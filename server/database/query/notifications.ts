import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { sessionOf, type DatabaseAddress } from './session.ts'

/**
 * Calls back whenever a notice comes over a channel of the database, over a session of its own that is replaced when it
 * breaks. Notices may be lost meanwhile: whoever relies on them also looks from time to time.
 */
export function hearNotices(address: DatabaseAddress, channel: string, hear: () => void): { stop(): Promise<void> } {
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
      client.on('notification', hear)
      try {
        await client.connect()
        session = client
        // It may have been stopped while this one was on its way.
        if (stopping.signal.aborted) await client.end()
        else await client.query(`listen ${channel}`)
        hear()
        await ended
      } catch {
        await client.end().catch(() => undefined)
      }
      session = undefined
      await pause(1000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const heard = listen()
  return {
    async stop() {
      stopping.abort()
      await session?.end().catch(() => undefined)
      await heard
    },
  }
}
