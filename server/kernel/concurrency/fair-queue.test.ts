import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairQueue, type FairQueueOptions } from './fair-queue.ts'

const options: FairQueueOptions = { max_running: 2, max_running_per_key: 1, max_waiting_per_key: 3, timeout_ms: 1000 }

/** A queue and work that runs until the test ends it. `begun` lists the started work in order. */
function queueWithWork(more: Partial<FairQueueOptions> = {}) {
  const turns = new FairQueue({ ...options, ...more })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const send = (name: string) =>
    turns.run(name[0]!, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  /** Ends the nth started work, and runs the promise callbacks that follow. */
  const end = async (nth: number) => {
    ends[nth]!()
    for (let n = 0; n < 10; n++) await Promise.resolve()
  }
  return { turns, begun, send, end }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('work', () => {
  it('starts immediately if none waits', () => {
    const { begun, send } = queueWithWork()
    void send('a1')
    void send('b1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('runs round-robin by key, even if one key queued its work first', async () => {
    const { begun, send, end } = queueWithWork({ max_running: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void send(name)
    for (let nth = 0; nth < 7; nth++) await end(nth)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('of one key uses only its share of the slots', async () => {
    const { begun, send, end } = queueWithWork()
    for (const name of ['a1', 'a2', 'a3', 'b1']) void send(name)
    expect(begun).toEqual(['a1', 'b1'])
    await end(1)
    expect(begun).toEqual(['a1', 'b1'])
    await end(0)
    expect(begun).toEqual(['a1', 'b1', 'a2'])
  })

  it('is refused with 503 if too much of its key waits, without effect on other keys', async () => {
    const { begun, send } = queueWithWork()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void send(name)
    await expect(send('a5')).rejects.toMatchObject({ kind: { status: 503 }, headers: { 'retry-after': '2' } })
    void send('b1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('is refused after the timeout, and does not block later work', async () => {
    const { turns, begun, send, end } = queueWithWork()
    void send('a1')
    const late = send('a2').catch((error: { kind: { status: number } }) => error.kind.status)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await late).toBe(503)
    expect(turns.waiting()).toBe(0)
    void send('a3')
    await end(0)
    expect(begun).toEqual(['a1', 'a3'])
  })

  it('reports whether a key is busy', async () => {
    const { turns, send, end } = queueWithWork()
    void send('a1')
    void send('a2')
    expect(turns.isBusy('b')).toBe(false)
    await end(0)
    expect(turns.isBusy('a')).toBe(true)
    await end(1)
    expect(turns.isBusy('a')).toBe(false)
  })

  it('continues after a failure', async () => {
    const { turns } = queueWithWork({ max_running: 1 })
    await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(turns.run('a', async () => 'yes')).resolves.toBe('yes')
  })

  it('of one key gets fewer slots while other keys arrive, and all of them when it is alone', async () => {
    const { begun, send, end } = queueWithWork({
      max_running: 8,
      max_running_per_key: 3,
      max_running_beside_others: 1,
      timeout_ms: 60_000,
    })
    vi.advanceTimersByTime(5000)
    for (const name of ['a1', 'b1', 'b2', 'b3']) void send(name)
    expect(begun).toEqual(['a1', 'b1'])
    vi.advanceTimersByTime(900)
    await end(1)
    expect(begun).toEqual(['a1', 'b1', 'b2'])
    void send('b4')
    void send('b5')
    vi.advanceTimersByTime(900)
    await end(2)
    expect(begun).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'b5'])
  })
})
