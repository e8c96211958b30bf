import { expect, test } from 'vitest'
import { memorySettings } from './data-directory.ts'

const GiB = 2 ** 30

test.each([
  [0.5 * GiB, '128MB', '256MB', '64MB', '1024MB'],
  [2 * GiB, '512MB', '1024MB', '128MB', '1024MB'],
  [8 * GiB, '1024MB', '4096MB', '256MB', '2048MB'],
  [64 * GiB, '1024MB', '32768MB', '256MB', '4096MB'],
])('derives the settings of PostgreSQL from %s bytes of memory', (bytes, ...expected) => {
  expect(Object.values(memorySettings(bytes))).toEqual(expected)
})
