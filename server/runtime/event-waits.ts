import type { Socket } from 'node:net'
import type { Caller } from './caller.ts'
import type { Clock } from './ctx.ts'
import type { Database } from '../database/query/database.ts'
import { positionsOf } from './events.ts'
import { generic, Refusal } from '../kernel/refusal.ts'

/** Somebody who waits for an event. */
export type EventWaiter = {
  caller: Caller
  /** the one organization that the caller is at */
  organization_id: string
  seconds: number
  /** closed when nobody wants the answer any more */
  socket: Socket
}

export type EventWaits = {
  /**
   * Looks, and looks again whenever the organization has new events, until something is found, the time is over or the
   * service ends; returns what was found last. `seen`: up to which position nothing was found before. Refuses with 429
   * who waits too often already, with 503 when too many do.
   */
  lookUntil<Found>(
    waiter: EventWaiter,
    look: (seen?: number) => Promise<Found>,
    isNothing: (found: Found) => boolean,
  ): Promise<Found>
  /** How many wait now. */
  waiting(): number
  /** Nobody waits any more, and nobody may from now on. */
  close(): void
}

export const waits_of_a_credential = 5
const waits_in_all = 1000

const tick_ms = 200

type Waiting = { organization_id: string; position: number; until: number; leave(): void }

/**
 * Requests that wait hold no connection: one statement in a while asks for all of them together whose organization has
 * new events. No notices, since each would be committed under one lock of the whole cluster, for every write of
 * everybody, whether or not anybody waits.
 */
export function openEventWaits({ reads }: Database, clock: Clock): EventWaits {
  const places = new Set<Waiting>()
  const entered = new Map<string, number>()
  let ticking: NodeJS.Timeout | undefined
  let closed = false
  let in_all = 0

  const tick = async () => {
    const organization_ids = [...new Set([...places].map((place) => place.organization_id))]
    // Without an answer those whose time is over leave all the same: what they read then says that we are not well.
    const positions = await positionsOf(reads(organization_ids), organization_ids).catch(
      () => new Map<string, number>(),
    )
    for (const place of places) {
      const position = positions.get(place.organization_id) ?? 0
      if (position > place.position || clock() >= place.until) place.leave()
    }
    ticking = undefined
    keepTicking()
  }
  const keepTicking = () => {
    if (places.size > 0) ticking ??= setTimeout(tick, tick_ms)
  }

  /** Waits until there is an event after a position, or the waiter is to go. */
  const untilEvent = ({ organization_id, socket }: EventWaiter, position: number, until: number) =>
    new Promise<void>((resolve) => {
      const place = { organization_id, position, until, leave: () => {} }
      place.leave = () => {
        places.delete(place)
        socket.off('close', place.leave)
        resolve()
      }
      socket.once('close', place.leave)
      places.add(place)
      keepTicking()
    })

  const enter = ({ credential_id }: Caller) => {
    const count = entered.get(credential_id) ?? 0
    const too_often = { 'retry-after': '1', 'ratelimit-reason': 'waiting' }
    if (count >= waits_of_a_credential) throw new Refusal(generic.rate_limited, [], too_often)
    if (in_all >= waits_in_all) throw new Refusal(generic.unavailable, [], { 'retry-after': '5' })
    entered.set(credential_id, count + 1)
    in_all++
  }
  const leave = ({ credential_id }: Caller) => {
    const count = entered.get(credential_id)! - 1
    if (count > 0) entered.set(credential_id, count)
    else entered.delete(credential_id)
    in_all--
  }

  return {
    async lookUntil(waiter, look, isNothing) {
      enter(waiter.caller)
      try {
        const until = clock() + waiter.seconds * 1000
        let seen: number | undefined
        for (;;) {
          // Before the look, so that what is committed during it is found by the next one.
          const position =
            (await positionsOf(reads([waiter.organization_id]), [waiter.organization_id])).get(
              waiter.organization_id,
            ) ?? 0
          const found = await look(seen)
          if (!isNothing(found) || closed || waiter.socket.destroyed || clock() >= until) return found
          seen = position
          await untilEvent(waiter, position, until)
          if (waiter.socket.destroyed) return found
        }
      } finally {
        leave(waiter.caller)
      }
    },
    waiting: () => places.size,
    close() {
      closed = true
      clearTimeout(ticking)
      for (const place of places) place.leave()
    },
  }
}
