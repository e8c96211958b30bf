import { expect, it } from 'vitest'
import { openLanes } from './reads.ts'

function openTestLanes() {
  let now = 0
  return { lanes: openLanes(() => now), wait: (ms: number) => void (now += ms) }
}

it('an unknown statement starts as a trial, and counts as quick for all callers once it was quick for one', () => {
  const { lanes } = openTestLanes()
  expect(lanes.of('a', 'list')).toBe('trial')
  lanes.learn('a', 'list', 20)
  expect([lanes.of('a', 'list'), lanes.of('b', 'list'), lanes.of('a', 'search')]).toEqual(['quick', 'quick', 'trial'])
})

it('a statement that was slow for a caller is slow for 10 seconds, then a trial, and stays quick for others', () => {
  const { lanes, wait } = openTestLanes()
  lanes.learn('a', 'search', 1)
  lanes.learn('a', 'search', 21)
  expect([lanes.of('a', 'search'), lanes.of('b', 'search')]).toEqual(['slow', 'quick'])
  wait(9999)
  expect(lanes.of('a', 'search')).toBe('slow')
  wait(1)
  expect(lanes.of('a', 'search')).toBe('trial')
  lanes.learn('a', 'search', 20)
  expect(lanes.of('a', 'search')).toBe('quick')
})

it('of several concurrent reads, the slowest decides', () => {
  const { lanes } = openTestLanes()
  lanes.learn('a', 'search', Infinity)
  lanes.learn('a', 'search', 1)
  expect(lanes.of('a', 'search')).toBe('slow')
})

it('a read that was quick in the slow lane is tried again', () => {
  const { lanes } = openTestLanes()
  lanes.learn('a', 'search', 21)
  lanes.tryAgain('a', 'search')
  expect(lanes.of('a', 'search')).toBe('trial')
})
