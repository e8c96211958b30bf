import { afterEach, expect, it, vi } from 'vitest'
import { SharedBuffers } from './shared-buffers.ts'

const mebibyte = 1024 * 1024
afterEach(() => void vi.useRealTimers())

it('gives a buffer that was given back to the next who asks for as much', () => {
  const buffers = new SharedBuffers()
  const first = buffers.take(3 * mebibyte)
  const second = buffers.take(3 * mebibyte)
  expect(second.buffer).not.toBe(first.buffer)
  buffers.give(first)
  expect(buffers.take(2 * mebibyte + 1).buffer).toBe(first.buffer)
  expect(buffers.take(3 * mebibyte).buffer).not.toBe(first.buffer)
})

it.each([
  [0, 1024],
  [1, 1024],
  [1025, 2048],
  [3 * mebibyte, 4 * mebibyte],
  [4 * mebibyte, 4 * mebibyte],
])('has at least %i bytes in one of %i', (asked, length) => {
  expect(new SharedBuffers().take(asked).length).toBe(length)
})

it('keeps 64 MiB at most, and nothing when nobody has asked for a while', () => {
  vi.useFakeTimers()
  const buffers = new SharedBuffers()
  const five = Array.from({ length: 5 }, () => buffers.take(16 * mebibyte))
  for (const one of five) buffers.give(one)
  const again = five.map(() => buffers.take(16 * mebibyte).buffer)
  expect(five.filter(({ buffer }) => again.includes(buffer))).toHaveLength(4)

  buffers.give(five[0]!)
  vi.advanceTimersByTime(10_000)
  expect(buffers.take(16 * mebibyte).buffer).not.toBe(five[0]!.buffer)
})
