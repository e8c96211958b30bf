import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { expect, test } from 'vitest'
import { matchProcessPriority } from './background-thread.ts'

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
