import type { Socket } from 'node:net'
import type { Caller } from './caller.ts'
import type { Clock } from './ctx.ts'
import type { Database } from '../database/query/database.ts'
import { numberEvents, positionsOf } from './event-positions.ts'
import { generic, Refusal } from '../kernel/refusal.ts'

/** A request that waits for an event. */
export type EventWaiter = {
  caller: Caller
  /** the only organization of the caller */
  organization_id: string
  seconds: number
  /** closed when the client has disconnected */
  socket: Socket
}

export type EventWaits = {
  /**
   * Calls `read` now and after each new event of the organization, until it finds something, the time has passed or the
   * service stops. Returns the last result. `seen`: the position up to which an earlier call found nothing. Refuses
   * with 429 if the credential has too many waiting requests, and with 503 if the service has.
   */
  readUntil<Found>(
    waiter: EventWaiter,
    read: (seen?: number) => Promise<Found>,
    isNothing: (found: Found) => boolean,
  ): Promise<Found>
  waiting(): number
  /** Ends all waits. Later ones end immediately. */
  close(): void
}

export const waits_of_a_credential = 5
const max_waits = 1000

const check_every_ms = 200

type Waiting = { organization_id: string; position: number; until: number; leave(): void }

/** Counts the waiting requests in total and per credential, and refuses those beyond the limits. */
function countWaits() {
  const by_credential = new Map<string, number>()
  let total = 0
  return {
    enter({ credential_id }: Caller): void {
      const count = by_credential.get(credential_id) ?? 0
      const headers = { 'retry-after': '1', 'ratelimit-reason': 'waiting' }
      if (count >= waits_of_a_credential) throw new Refusal(generic.rate_limited, [], headers)
      if (total >= max_waits) throw new Refusal(generic.unavailable, [], { 'retry-after': '5' })
      by_credential.set(credential_id, count + 1)
      total++
    },
    leave({ credential_id }: Caller): void {
      const count = by_credential.get(credential_id)! - 1
      if (count > 0) by_credential.set(credential_id, count)
      else by_credential.delete(credential_id)
      total--
    },
  }
}

/** Checks every 200 ms for new events of the organizations with waiting requests. */
function openEventChecks(database: Database, clock: Clock) {
  const waiters = new Set<Waiting>()
  let next_check: NodeJS.Timeout | undefined

  const check = async () => {
    const organization_ids = [...new Set([...waiters].map((waiting) => waiting.organization_id))]
    // If one of them fails, waits still end on time. Their next read then reports the failure.
    await numberEvents(database, organization_ids).catch(() => undefined)
    const positions = await positionsOf(database, organization_ids).catch(() => new Map<string, number>())
    for (const waiting of waiters) {
      const position = positions.get(waiting.organization_id) ?? 0
      if (position > waiting.position || clock() >= waiting.until) waiting.leave()
    }
    next_check = undefined
    scheduleCheck()
  }
  const scheduleCheck = () => {
    if (waiters.size > 0) next_check ??= setTimeout(check, check_every_ms)
  }

  return {
    waiters,
    /** Waits for an event after a position, the end of the time, or a disconnect. */
    untilEvent: ({ organization_id, socket }: EventWaiter, position: number, until: number) =>
      new Promise<void>((resolve) => {
        const waiting = { organization_id, position, until, leave: () => {} }
        waiting.leave = () => {
          waiters.delete(waiting)
          socket.off('close', waiting.leave)
          resolve()
        }
        socket.once('close', waiting.leave)
        waiters.add(waiting)
        scheduleCheck()
      }),
    close() {
      clearTimeout(next_check)
      for (const waiting of waiters) waiting.leave()
    },
  }
}

/**
 * Holds requests that wait for events without occupying a connection: every 200 ms, two statements find the new events
 * of all their organizations, and the positions. PostgreSQL notifications would slow down every write of every tenant,
 * because a commit with a notification takes a lock of the whole server.
 */
export function openEventWaits(database: Database, clock: Clock): EventWaits {
  const counts = countWaits()
  const checks = openEventChecks(database, clock)
  let closed = false
  return {
    async readUntil(waiter, read, isNothing) {
      counts.enter(waiter.caller)
      try {
        const until = clock() + waiter.seconds * 1000
        let seen: number | undefined
        for (;;) {
          // Read the position first, so that the next read finds events that are committed during this one.
          const { organization_id } = waiter
          const position = (await positionsOf(database, [organization_id])).get(organization_id) ?? 0
          const found = await read(seen)
          if (!isNothing(found) || closed || waiter.socket.destroyed || clock() >= until) return found
          seen = position
          await checks.untilEvent(waiter, position, until)
          if (waiter.socket.destroyed) return found
        }
      } finally {
        counts.leave(waiter.caller)
      }
    },
    waiting: () => checks.waiters.size,
    close() {
      closed = true
      checks.close()
    },
  }
}
