import { beforeAll, expect, it } from 'vitest'
import { useApi } from '../harness.ts'
import { maskVariables, runSteps, stepsOf } from './code-blocks.ts'

/** Runs the tour twice in one shell, as a reader might. */
const api = useApi({ with_story: 'today' })
const steps = stepsOf('docs/tour.md', '## The first request', '## Next steps')

/** The output and the errors of each step, on the first and the second run. */
let input: string[][]
let complaints: string

beforeAll(async () => {
  const output = await runSteps(api, api.story, [...steps, ...steps])
  input = [output.input.slice(0, steps.length), output.input.slice(steps.length)]
  complaints = output.complaints
}, 300_000)

it('has several steps', () => {
  expect(steps.length).toBeGreaterThan(6)
  expect(steps.filter(({ shown }) => shown).length).toBeGreaterThan(5)
})

it.each(steps.map(({ command, shown }, index) => [command.split('\n').find(Boolean), shown, index] as const))(
  'matches the documented response: %s',
  (_, shown, index) => {
    expect(maskVariables(input[0]![index]!)).toEqual(maskVariables(shown))
  },
)

it('is refused with clear messages and no stack trace when it runs twice', () => {
  expect(complaints).toMatch(/^EIN_ALREADY_EXISTS: /)
  for (const line of complaints.trim().split('\n')) expect(line).toMatch(/^\w+: [A-Z][^{}]*$/)
  expect(input[1]).toHaveLength(steps.length)
})
