import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue, type FairQueueOptions } from './fair-queue.ts'

const options: FairQueueOptions = { at_once: 2, at_once_of_one: 1, waiting_of_one: 3, patience_ms: 1000 }

/** Work that goes on until it is told to end; `begun` says whose did, in order. */
function stage(more: Partial<FairQueueOptions> = {}) {
  const turns = new FairQueue({ ...options, ...more })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string) =>
    turns.run(name[0]!, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  /** Ends what began as the nth, and lets what follows from it happen. */
  const end = async (nth: number) => {
    ends[nth]!()
    for (let n = 0; n < 10; n++) await Promise.resolve()
  }
  return { turns, begun, ask, end }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('turns', () => {
  it('begin at once when nobody is before them', () => {
    const { begun, ask } = stage()
    void ask('a1')
    void ask('b1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('are taken by turns, however many one brought before the others came', async () => {
    const { begun, ask, end } = stage({ at_once: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void ask(name)
    for (let nth = 0; nth < 7; nth++) await end(nth)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('leave room for others: one key fills no more than its share', async () => {
    const { begun, ask, end } = stage()
    for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
    expect(begun).toEqual(['a1', 'b1'])
    await end(1)
    expect(begun).toEqual(['a1', 'b1'])
    await end(0)
    expect(begun).toEqual(['a1', 'b1', 'a2'])
  })

  it('are refused with a 503 when too many of the key wait, and nobody else is', async () => {
    const { begun, ask } = stage()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name)
    await expect(ask('a5')).rejects.toMatchObject({ kind: { status: 503 }, headers: { 'retry-after': '2' } })
    void ask('b1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('are refused when they waited for too long, and who comes later is not kept by that', async () => {
    const { turns, begun, ask, end } = stage()
    void ask('a1')
    const late = ask('a2').catch((error: { kind: { status: number } }) => error.kind.status)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await late).toBe(503)
    expect(turns.waiting()).toBe(0)
    void ask('a3')
    await end(0)
    expect(begun).toEqual(['a1', 'a3'])
  })

  it('tell of a key whether anything of it goes on or waits', async () => {
    const { turns, ask, end } = stage()
    void ask('a1')
    void ask('a2')
    expect(turns.isBusy('b')).toBe(false)
    await end(0)
    expect(turns.isBusy('a')).toBe(true)
    await end(1)
    expect(turns.isBusy('a')).toBe(false)
  })

  it('go on after work that failed', async () => {
    const { turns } = stage({ at_once: 1 })
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(turns.run('a', async () => 'yes')).resolves.toBe('yes')
  })

  it('let less of one through at once while others come, and as much as ever when it is alone', async () => {
    const { begun, ask, end } = stage({ at_once: 8, at_once_of_one: 3, at_once_beside_others: 1, patience_ms: 60_000 })
    vi.advanceTimersByTime(5000)
    for (const name of ['a1', 'b1', 'b2', 'b3']) void ask(name)
    expect(begun).toEqual(['a1', 'b1'])
    vi.advanceTimersByTime(900)
    await end(1)
    expect(begun).toEqual(['a1', 'b1', 'b2'])
    void ask('b4')
    void ask('b5')
    vi.advanceTimersByTime(900)
    await end(2)
    expect(begun).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'b5'])
  })
})
