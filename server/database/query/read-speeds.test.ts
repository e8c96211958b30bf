import { expect, it } from 'vitest'
import { openLanes } from './read-speeds.ts'

function stage() {
  let now = 0
  return { lanes: openLanes(() => now), wait: (ms: number) => void (now += ms) }
}

it('what nobody knows is tried, and what is quick for one is held to be quick for others', () => {
  const { lanes } = stage()
  expect(lanes.of('a', 'list')).toBe('trial')
  lanes.learn('a', 'list', 20)
  expect([lanes.of('a', 'list'), lanes.of('b', 'list'), lanes.of('a', 'search')]).toEqual(['quick', 'quick', 'trial'])
})

it('what was slow for somebody is so for 10 seconds, and tried then; for others it stays quick', () => {
  const { lanes, wait } = stage()
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

it('of several under way at once the slowest tells', () => {
  const { lanes } = stage()
  lanes.learn('a', 'search', Infinity)
  lanes.learn('a', 'search', 1)
  expect(lanes.of('a', 'search')).toBe('slow')
})

it('what was quick among the slow is tried again', () => {
  const { lanes } = stage()
  lanes.learn('a', 'search', 21)
  lanes.tryAgain('a', 'search')
  expect(lanes.of('a', 'search')).toBe('trial')
})
