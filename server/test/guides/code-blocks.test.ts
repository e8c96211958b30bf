import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, beforeAll, describe } from 'vitest'
import { excluded, outside } from '../../../docs-site/pages.ts'
import { integrating, operating, tested_by, isTestedElsewhere, positionOf } from './tested-blocks.ts'
import { blocksIn, readDocument, type Block, maskVariables, runSteps, stepsOf } from './code-blocks.ts'
import { useApi } from '../harness.ts'

/** Every code block of every page is run, compared with a response, or checked by its own test. */
const root = join(import.meta.dirname, '../../..')
const files = [
  ...globSync('docs/**/*.md', { cwd: root, exclude: excluded }).map((file) => file.replaceAll('\\', '/')),
  ...Object.keys(outside),
]

const shownIn = (file: string): Block[] => blocksIn(readDocument(file))

/** Pages whose commands are run by the README test below, and by other tests of this folder. */
const elsewhere = [
  'docs/integrating/a-year.md',
  'docs/integrating/staffing-year.md',
  'docs/operating/a-year.md',
  'docs/operating/first-hour.md',
  'docs/operating/upgrading.md',
  'docs/tour.md',
]

/** Pages whose commands are run by guides.test.ts. */
const guides_run = [
  'docs/payroll-company.md',
  'docs/broker.md',
  'docs/staffing-platform.md',
  'docs/going-live.md',
  'docs/test-data.md',
  ...integrating,
  ...operating,
]

/** Pages whose programs are run by samples.test.ts. */
const programs = ['docs/integrating/errors.md', 'docs/integrating/webhooks.md']

/** The block that widgets/test uses as a partner's page. */
const page = 'docs/widgets.md: Add a widget to a page'

/** A drawing, which cannot be run. */
const drawing = 'docs/scaling.md: '

/** A document whose programs are compiled by sdk/test, and run where they show output. */
const sdk = 'sdk/README.md'

/** A document whose commands are run and whose settings are read by cli/test. */
const commands = 'cli/README.md'

/** Whether a block shows the response to an earlier block of commands. */
const isAnswered = (file: string, { heading }: Block, other: Block): boolean =>
  other.language === 'sh' && other.heading === heading && !isTestedElsewhere(file, other)

/** Whether a test runs a block or compares its content with real output. */
function isHeld(file: string, block: Block, before: Block[]): boolean {
  const position = `${file}: ${block.heading}`
  if (elsewhere.includes(file) || position === page || position === drawing) return true
  if (programs.includes(file) && block.language === 'ts') return true
  if (file === sdk && block.language !== 'sh') return true
  if (file === commands && ['sh', 'json'].includes(block.language)) return true
  if (isTestedElsewhere(file, block)) return true
  if (!guides_run.includes(file)) return false
  if (block.language === 'sh') return true
  if (block.language === 'ts') return block.more === ' tab="TypeScript"'
  const is_answer = block.more === '' && ['', 'json'].includes(block.language)
  return is_answer && before.some((other) => isAnswered(file, block, other))
}

it('has a test for each block', () => {
  const unheld = files.flatMap((file) => {
    const blocks = shownIn(file)
    return blocks
      .filter((block, at) => !isHeld(file, block, blocks.slice(0, at)))
      .map((block) => positionOf(file, block))
  })
  expect(unheld).toEqual([])
})

it('reads each block in its test, and lists no missing block', () => {
  const positions = files.flatMap((file) =>
    shownIn(file).map((block) => ({ file, block, position: positionOf(file, block) })),
  )
  const unread = Object.entries(tested_by).filter(([position, test]) => {
    const shown = positions.find((each) => each.position === position)
    const reads = [...readDocument(test).matchAll(/blockOf\('([^']+)', [`']([^\n]+?)[`']\)/g)]
    const begins = (beginning: string) => shown?.block.code.startsWith(beginning.replaceAll('\\n', '\n'))
    return !reads.some(([, file, beginning]) => shown?.file === file && begins(beginning!))
  })
  expect(unread).toEqual([])
})

describe('the README', () => {
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
  })

  it('contains several steps', () => {
    expect(steps.length).toBeGreaterThan(6)
    expect(steps.filter(({ shown }) => shown).length).toBeGreaterThan(5)
  })

  it.each(steps.map(({ command, shown }, index) => [command.split('\n').find(Boolean), shown, index] as const))(
    'matches the documented response: %s',
    (_, shown, index) => {
      expect(maskVariables(input[0]![index]!)).toEqual(maskVariables(shown))
    },
  )

  it('refuses a second run with clear messages and no stack trace', () => {
    expect(complaints).toMatch(/^EIN_ALREADY_EXISTS: /)
    // A message may contain the parameter of a path, but no JSON.
    for (const line of complaints.trim().split('\n')) expect(line).toMatch(/^\w+: [A-Z](?:[^{}]|\{\w+\})*$/)
    expect(input[1]).toHaveLength(steps.length)
  })
})
