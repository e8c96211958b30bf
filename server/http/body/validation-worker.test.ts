import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkIn, rest_ms, type Ahead } from './validation-worker.ts'
import type { Endpoint } from '../endpoint.ts'
import { sent_census } from '../../modules/roster/census/schemas.ts'

afterEach(() => void vi.useRealTimers())

const bytes = new Uint8Array(new ArrayBuffer(1))
const threadOf = (script: string) => {
  const { check, prepare } = checkIn(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
  const of = (operation: string) =>
    check('org_x', { operation } as Endpoint, { media_type: 'application/json', bytes }, undefined)
  return Object.assign(of, { prepare })
}
const answering = `import { workerData } from 'node:worker_threads'
  workerData.on('message', ({ operation }) => {
    if (operation === 'endless') for (;;);
    if (operation === 'broken') throw new Error('The file is gone.')
    workerData.postMessage({ shape: { body: operation } })
  })`
const later = { kind: { code: 'unavailable' }, headers: { 'retry-after': '2' } }

it('ends a thread that takes too long, asks to come again, and checks the next body in a new one', async () => {
  const check = threadOf(`${answering}; workerData.postMessage('ready')`)
  expect(await check('first')).toEqual({ body: 'first' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refused = check('endless').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await refused).toMatchObject(later)
  expect(await check('next')).toEqual({ body: 'next' })
})

it('waits for a thread that is slow to load, and ends none for that', async () => {
  const loading = new BroadcastChannel('a thread that loads')
  const check = threadOf(`${answering}
    const loading = new BroadcastChannel('a thread that loads')
    loading.onmessage = () => { workerData.postMessage('ready'); loading.close() }
    loading.postMessage('loading')`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const begun = once(loading, 'message')
  const refused = check('first').catch((error: unknown) => error)
  await begun
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await refused).toMatchObject(later)
  const second = check('second')
  loading.postMessage('go on')
  expect(await second).toEqual({ body: 'second' })
  loading.close()
})

it('says of what a thread ended', async () => {
  const check = threadOf(`${answering}; workerData.postMessage('ready')`)
  await expect(check('broken')).rejects.toThrow('The file is gone.')
  expect(await check('next')).toEqual({ body: 'next' })
})

it('ends a thread after a rest, and checks the next body in a new one', async () => {
  const check = threadOf(`import { threadId, workerData } from 'node:worker_threads'
    workerData.on('message', () => workerData.postMessage({ shape: { body: threadId } }))
    workerData.postMessage('ready')`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { body: first } = await check('first')
  await vi.advanceTimersByTimeAsync(rest_ms - 1)
  expect(await check('second')).toEqual({ body: first })
  await vi.advanceTimersByTimeAsync(rest_ms)
  expect(await check('third')).not.toEqual({ body: first })
})

it('starts a thread before there is something to check, which ends when nothing comes', async () => {
  const started = new BroadcastChannel('a thread that is prepared')
  const check = threadOf(`import { threadId, workerData } from 'node:worker_threads'
    const started = new BroadcastChannel('a thread that is prepared')
    started.postMessage(threadId)
    started.close()
    workerData.on('message', () => workerData.postMessage({ shape: { body: threadId } }))
    workerData.postMessage('ready')`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const heard = once(started, 'message') as Promise<[{ data: number }]>
  check.prepare()
  const [{ data: prepared }] = await heard
  expect(await check('first')).toEqual({ body: prepared })
  check.prepare()
  await vi.advanceTimersByTimeAsync(rest_ms)
  expect(await check('second')).not.toEqual({ body: prepared })
  started.close()
})

describe('a body that is read while it comes', () => {
  const endpoint = { operation: 'employers_submit_census_sync', ...sent_census } as unknown as Endpoint
  /** 300 kB of rows, the first of them of somebody of this name. */
  const bodyOf = (name: string) =>
    Buffer.from(
      JSON.stringify({
        employees: Array.from({ length: 2000 }, (_, at) => ({
          first_name: at === 0 ? name : 'Ana',
          last_name: `Costa ${at}`,
          email: `ana${at}@example.com`,
          phone: `2${String(at).padStart(9, '0')}`,
          date_of_birth: '1990-02-03',
        })),
      }),
    )
  // What is told while it comes differs from what was sent, to see which of the two was read.
  const [told, sent] = [bodyOf('Told'), bodyOf('Sent')]
  const open = () => {
    const apart = checkIn(new URL('../../checking-thread.ts', import.meta.url))
    apart.prepare()
    const firstOf = async (ahead?: Ahead) => {
      const raw = { media_type: 'application/json', bytes: sent } as const
      const { staged } = await apart.check('org_x', endpoint, raw, undefined, ahead)
      expect(staged).toMatchObject({ count: 2000, pieces: { length: 2 } })
      return JSON.parse(new TextDecoder().decode(staged!.pieces[0]))[0].first_name
    }
    return { firstOf, readAhead: () => apart.readAhead(endpoint, sent.length, undefined) }
  }

  it('is not read again when it is whole, and gives its place to the next when it ends', async () => {
    const { firstOf, readAhead } = open()
    const ahead = readAhead()!
    ahead.tell(told.subarray(0, 150_000))
    expect(readAhead()).toBeUndefined()
    expect(await firstOf(ahead)).toBe('Told')
    ahead.end()
    const next = readAhead()!
    next.tell(told.subarray(0, 1000))
    expect(await firstOf(next)).toBe('Sent')
    next.end()
  })

  it('is read whole when it has come so slowly that it gave way to another', async () => {
    const { firstOf, readAhead } = open()
    const slow = readAhead()!
    slow.tell(told.subarray(0, 150_000))
    vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 501)
    const quick = readAhead()!
    quick.tell(told.subarray(0, 150_000))
    slow.tell(told.subarray(0, 290_000))
    slow.end()
    expect(await firstOf(slow)).toBe('Sent')
    expect(await firstOf(quick)).toBe('Told')
    quick.end()
  })

  it('is read by nobody where the thread has not begun, or it is small', () => {
    const { readAhead } = checkIn(new URL('../../checking-thread.ts', import.meta.url))
    expect(readAhead(endpoint, sent.length, undefined)).toBeUndefined()
    const apart = checkIn(new URL('../../checking-thread.ts', import.meta.url))
    apart.prepare()
    for (const bytes of [1000, Number.NaN]) expect(apart.readAhead(endpoint, bytes, undefined)).toBeUndefined()
  })
})
