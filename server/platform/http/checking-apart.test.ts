import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { checkIn, rest_ms } from './checking-apart.ts'
import type { Endpoint } from '../endpoint.ts'

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
