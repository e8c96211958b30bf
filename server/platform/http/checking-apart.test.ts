import { afterEach, expect, it, vi } from 'vitest'
import { checkIn } from './checking-apart.ts'
import type { Endpoint } from '../endpoint.ts'

afterEach(() => void vi.useRealTimers())

const bytes = new Uint8Array(new ArrayBuffer(1))
const threadOf = (script: string) => {
  const checkApart = checkIn(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
  return (operation: string) =>
    checkApart('org_x', { operation } as Endpoint, { media_type: 'application/json', bytes }, undefined)
}
const answering = `import { workerData } from 'node:worker_threads'
  workerData.on('message', ({ operation }) => {
    if (operation === 'endless') for (;;);
    if (operation === 'broken') throw new Error('The file is gone.')
    workerData.postMessage({ shape: { body: operation }, row_count: 0 })
  })`
const later = { kind: { code: 'unavailable' }, headers: { 'retry-after': '2' } }

it('ends a thread that takes too long, asks to come again, and checks the next body in a new one', async () => {
  const check = threadOf(`${answering}; workerData.postMessage('ready')`)
  expect(await check('first')).toEqual({ body: 'first' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refused = expect(check('endless')).rejects.toMatchObject(later)
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
  expect(await check('next')).toEqual({ body: 'next' })
})

it('waits for a thread that is slow to load, and ends none for that', async () => {
  const loading = new BroadcastChannel('a thread that loads')
  const check = threadOf(`${answering}
    const loading = new BroadcastChannel('a thread that loads')
    loading.onmessage = () => { workerData.postMessage('ready'); loading.close() }
    loading.postMessage('loading')`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const begun = new Promise((resolve) => (loading.onmessage = resolve))
  const refused = expect(check('first')).rejects.toMatchObject(later)
  await begun
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
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
