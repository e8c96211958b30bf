import { describe, expect, it } from 'vitest'
import {
  afterAttempt,
  isForgettable,
  mustRelease,
  newReceiver,
  roomOf,
  roomsOf,
  type Receiver,
} from './receiver-rules.ts'

const now = Date.parse('2026-03-10T16:00:00.000Z')
const second = 1000

describe('a subscription', () => {
  const unknown = { ...newReceiver('org_1'), failures: 0 }
  it.each([
    [{}, 10],
    [{ taken: 4, failures: 9, held_until: now - 1 }, 6],
    [{ taken: 12 }, 0],
    [{ failures: 10 }, 1],
    [{ taken: 1, failures: 99 }, 0],
    [{ held_until: now + 1 }, 0],
    // Claims ahead as many as the receiver probably handles within a second.
    [{ answered_in_ms: 0 }, 200],
    [{ answered_in_ms: 200 }, 60],
    [{ answered_in_ms: 200, taken: 55 }, 5],
    [{ answered_in_ms: 15_000 }, 10],
    [{ answered_in_ms: 0, failures: 1 }, 10],
    [{ answered_in_ms: 0, held_until: now + 1 }, 0],
  ])('with %j has room for %i more', (receiver, room) => expect(roomOf({ ...unknown, ...receiver }, now)).toBe(room))

  it('gets one attempt at a time until the first one succeeds', () => {
    const initial = newReceiver('org_1')
    expect(roomOf(initial, now)).toBe(1)
    const after = (delivered_at: string | null) =>
      roomOf(afterAttempt(initial, { delivered_at, held_until: 0 }, 9), now)
    expect([after(null), after('now')]).toEqual([1, 200])
  })

  it('is forgotten without claimed deliveries, unless it requested a pause', () => {
    expect(
      [{ failures: 99 }, { taken: 1 }, { held_until: now + 1 }, { held_until: now }].map((change) =>
        isForgettable({ ...unknown, ...change }, now),
      ),
    ).toEqual([true, false, false, true])
  })

  const quick = (organization_id: string) => ({ ...unknown, organization_id, answered_in_ms: 1 })
  const takenOf = (receivers: Map<string, Receiver>, organization: string) =>
    [...receivers.values()]
      .filter(({ organization_id }) => organization_id === organization)
      .reduce((sum, { taken }) => sum + taken, 0)

  /** Adds 50 quick receivers of an organization, and claims for all receivers as long as there is room. */
  function joinAndClaim(receivers: Map<string, Receiver>, organization: string): void {
    for (let number = 0; number < 50; number++) receivers.set(`${organization}_${number}`, quick(organization))
    for (let round = 0; round < 20; round++)
      for (const [id, room] of roomsOf(receivers, now)) receivers.get(id)!.taken += room
  }

  it('leaves half of the free slots to other organizations, even if many quick receivers stop responding', () => {
    const receivers = new Map<string, Receiver>()
    for (const organization of ['org_1', 'org_2', 'org_3', 'org_4']) joinAndClaim(receivers, organization)
    const taken = ['org_1', 'org_2', 'org_3', 'org_4'].map((organization) => takenOf(receivers, organization))
    expect(taken).toEqual([1000, 500, 250, 150])
  })

  it('shares the slots equally with the other organizations that claim in the same round', () => {
    const both = Array.from({ length: 100 }, (_, at) => [`wsub_${at}`, quick(`org_${at % 2}`)] as const)
    expect(new Set(roomsOf(new Map(both), now).values())).toEqual(new Set([14]))
  })

  it('gets its share of the slots regardless of how many receivers of its organization fail', () => {
    const dead = Array.from({ length: 49 }, (_, at) => [`wsub_${at}`, newReceiver('org_1')] as const)
    const rooms = roomsOf(new Map<string, Receiver>([...dead, ['quick', quick('org_1')]]), now)
    expect(rooms.get('quick')).toBe(200)
  })

  it('gets its share of the slots regardless of how many other organizations are paused or failing', () => {
    const others = Array.from({ length: 500 }, (_, at) => {
      const change = at % 2 === 0 ? { taken: 1 } : { failures: 0, held_until: now + 1 }
      return [`wsub_${at}`, { ...newReceiver(`org_${at}`), ...change }] as const
    })
    const rooms = roomsOf(new Map<string, Receiver>([...others, ['quick', quick('org_1000')]]), now)
    expect(rooms.get('quick')).toBe(200)
  })

  it.each([1, 9, 49])('keeps 10 slots while %i other receivers of its organization stop responding', (count) => {
    const receivers = new Map<string, Receiver>([['quick', quick('org_1')]])
    for (let number = 0; number < count; number++) receivers.set(`wsub_${number}`, quick('org_1'))
    for (let round = 0; round < 20; round++) {
      const rooms = roomsOf(receivers, now)
      expect(rooms.get('quick')).toBeGreaterThanOrEqual(10)
      for (const [id, receiver] of receivers) if (id !== 'quick') receiver.taken += rooms.get(id)!
    }
  })

  it('counts slower responses immediately, and faster ones gradually', () => {
    const delivered = { delivered_at: 'now', held_until: 0 }
    const slow = afterAttempt({ ...unknown, answered_in_ms: 100 }, delivered, 2000)
    expect(slow.answered_in_ms).toBe(2000)
    expect(afterAttempt(slow, delivered, 100).answered_in_ms).toBe(1800)
  })

  it('releases deliveries during a pause, or if an attempt would outlast the claim', () => {
    expect(mustRelease(unknown, now + 15 * second, now)).toBe(false)
    expect(mustRelease(unknown, now + 15 * second - 1, now)).toBe(true)
    expect(mustRelease({ ...unknown, held_until: now + 1 }, now + 30 * second, now)).toBe(true)
  })
})
