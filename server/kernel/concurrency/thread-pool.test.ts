import { afterEach, expect, it, vi, test, describe } from 'vitest'
import { openThread } from './thread-pool.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { matchProcessPriority } from './background-thread.ts'

afterEach(() => void vi.useRealTimers())

const idle_ms = 60_000

/** Runs tasks in a thread with this function as its default export. It returns the id of its thread. */
function threadOf(work: string) {
  const script = `import { threadId } from 'node:worker_threads'; export default ${work}`
  return openThread<string, number>(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    timeout_ms: 60_000,
    idle_ms,
  })
}
const work = `(task) => {
  if (task === 'endless') for (;;);
  if (task === 'refused') throw new Error('refused')
  if (task === 'crash') return new Promise(() => process.nextTick(() => { throw new Error('crashed') }))
  return threadId
}`

it('loses only the running task when a thread crashes, and starts a new thread', async () => {
  const run = threadOf(work)
  const ended = await Promise.allSettled(['a', 'refused', 'b', 'crash', 'c', 'd'].map((task) => run(task)))
  const [a, refused, b, crash, c, d] = ended.map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  )
  expect([refused, crash]).toEqual(['refused', 'crashed'])
  expect([b, d]).toEqual([a, c])
  expect(c).not.toBe(a)
})

it('terminates a thread at its time limit, and starts a new thread', async () => {
  const run = threadOf(work)
  await run('first')
  const over = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(over.signal)
  const endless = run('endless')
  setTimeout(() => over.abort(), 50)
  await expect(endless).rejects.toMatchObject({ name: 'AbortError' })
  expect(await run('next')).toBeTypeOf('number')
})

it('ends an idle thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const run = threadOf(work)
  const first = await run('first')
  await vi.advanceTimersByTimeAsync(idle_ms - 1)
  expect(await run('second')).toBe(first)
  await vi.advanceTimersByTimeAsync(idle_ms)
  expect(await run('third')).not.toBe(first)
})

it('works under `node --watch`, where Node posts messages of its own', async () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')
  const run = threadOf(
    `async () => ((await import(${JSON.stringify(import.meta.resolve('./deadline.ts'))})), threadId)`,
  )
  expect(await run('a')).toBe(await run('b'))
  vi.unstubAllEnvs()
})

describe('thread priorities', () => {
  test('sets the priority of another process to its own, and ignores a process that has ended', async () => {
    const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    setPriority(child.pid!, Math.min(19, getPriority() + 5))
    matchProcessPriority(child.pid!)
    expect(getPriority(child.pid)).toBe(getPriority())
    const ended = once(child, 'exit')
    child.stdin.end()
    await ended
    expect(() => matchProcessPriority(child.pid!)).not.toThrow()
  })
})
