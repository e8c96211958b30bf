import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { haveWorkBehind } from './background-thread.ts'

test('A process is told to work behind the event loop, and one that has ended is left alone.', async () => {
  const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  haveWorkBehind(child.pid!)
  expect(getPriority(child.pid)).toBe(Math.min(19, getPriority() + 5))
  const ended = once(child, 'exit')
  child.stdin.end()
  await ended
  expect(() => haveWorkBehind(child.pid!)).not.toThrow()
})
