import { afterEach, expect, it, vi } from 'vitest'
import { checkIn } from './checking-apart.ts'
import type { Endpoint } from '../endpoint.ts'

afterEach(() => void vi.useRealTimers())

it('ends a thread that takes too long, and checks the next body in a new one', async () => {
  const script = `import { workerData } from 'node:worker_threads'
    workerData.on('message', ({ operation }) => {
      if (operation === 'endless') for (;;);
      workerData.postMessage({ shape: { body: operation }, row_count: 0 })
    })`
  const checkApart = checkIn(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
  const check = (operation: string) =>
    checkApart(
      'org_x',
      { operation } as Endpoint,
      { media_type: 'application/json', bytes: new Uint8Array(new ArrayBuffer(1)) },
      undefined,
    )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const endless = check('endless')
  vi.advanceTimersByTime(60_000)
  await expect(endless).rejects.toThrow('The thread that checks bodies ended.')
  expect(await check('next')).toEqual({ body: 'next' })
})
