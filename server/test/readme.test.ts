import { beforeAll, expect, it } from 'vitest'
import { useApi } from './harness.ts'
import { masked, paste, stepsOf } from './pasted.ts'

/** The tour of the README, pasted into a shell as a reader would, twice. */
const api = useApi({ told: 'today' })
const steps = stepsOf('README.md', '## The first request', '## Where to read on')

/** What the tour said, step by step, and what it complained of: on its first and on its second run. */
let said: string[][]
let complaints: string

beforeAll(async () => {
  const pasted = await paste(api, api.story, [...steps, ...steps])
  said = [pasted.said.slice(0, steps.length), pasted.said.slice(steps.length)]
  complaints = pasted.complaints
}, 300_000)

it('is a tour of several steps', () => {
  expect(steps.length).toBeGreaterThan(6)
  expect(steps.filter(({ shown }) => shown).length).toBeGreaterThan(5)
})

it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
  'is answered as it shows: %s',
  (_, shown, index) => {
    expect(masked(said[0]![index]!)).toEqual(masked(shown))
  },
)

it('is refused by name when it is pasted twice, without a stack trace', () => {
  expect(complaints).toMatch(/^EIN_ALREADY_EXISTS: /)
  for (const line of complaints.trim().split('\n')) expect(line).toMatch(/^\w+: [A-Z][^{}]*$/)
  expect(said[1]).toHaveLength(steps.length)
})
