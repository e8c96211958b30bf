import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../modules.ts'
import { plantStory, type Story } from '../sandbox/story.ts'
import { useApi } from './harness.ts'
import { blocksIn, masked, paste, readDocument, stepsIn, stepsOf, type Block, type Step } from './pasted.ts'

/**
 * The guides, pasted into a shell as a reader would, in the sandbox with its story. RECORD_GUIDES=1 writes what is
 * answered into them.
 */
const api = useApi()
let story: Story
beforeAll(async () => {
  if (process.env.GUIDES_ON) api.moveTo(process.env.GUIDES_ON)
  else api.wait(Date.now() - api.runtime.clock())
  story = await plantStory(api.runtime, tasks)
}, 120_000)

/** `$URL`, `$AUTH`, `$OPERATOR`, `$JSON`, `field` and `sandbox`, without an employer. */
const shell = stepsOf('docs/payroll-company.md', '## The shell', '## ')

function record(path: string, said: string[]): void {
  let at = -1
  const text = readDocument(path).replaceAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms, (block, language: string) => {
    if (language === 'sh') at++
    return language === '' && at >= 0 ? `\`\`\`\n${said[at]!.trimEnd()}\n\`\`\`` : block
  })
  writeFileSync(join(import.meta.dirname, '../..', path), text)
}

describe.each([
  ['docs/payroll-company.md', []],
  ['docs/broker.md', []],
  ['docs/staffing-platform.md', []],
  ['docs/test-data.md', shell],
  ['docs/going-live.md', shell],
] as [string, Step[]][])('%s', (path, before) => {
  const steps = stepsIn(blocksIn(readDocument(path)))
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, story, [...before, ...steps])
    said = pasted.said.slice(before.length)
    complaints = pasted.complaints
    if (process.env.RECORD_GUIDES) record(path, said)
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
    'is answered as it shows: %s',
    (_, shown, index) => expect(masked(said[index] ?? '')).toEqual(masked(shown)),
  )

  it('is refused nothing', () => expect(complaints).toBe(''))
})

/** What runs on until it is ended, or needs a machine of another kind: see `elsewhere` in blocks.test.ts. */
const isEndless = ({ code }: Block) => code.startsWith('npx openbenefits listen')

describe('docs/integrating.md', () => {
  const tour = stepsOf('README.md', '## The first request', '## Where to read on')
  const blocks = blocksIn(readDocument('docs/integrating.md'))
  const steps = stepsIn(blocks.filter((block) => block.heading !== 'A year with an employer' && !isEndless(block)))
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, story, [...tour, statements, ...steps])
    said = pasted.said.slice(tour.length + 1)
    complaints = pasted.complaints
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
    'is answered alike: %s',
    (_, shown, index) => expect(unlike(shown, said[index] ?? '')).toEqual([]),
  )

  it('is refused nothing', () => expect(complaints).toBe(''))
})

/** What an employer has that pays its people, and the one of the tour has not yet. */
const statements: Step = {
  pasted:
    'RUN=$URL/operator/v1/employers/$EMPLOYER/payroll-deduction-statements/run\n' +
    'curl -s $RUN -H "$OPERATOR" -H "$JSON" -d "{}"\nsleep 5',
  shown: '',
}

/** Where an answer is not of the shape that is shown: lines of JSON field by field, others by how many they are. */
function unlike(shown: string, said: string): string[] {
  const [these, those] = [shown, said].map((text) => text.trim().split('\n'))
  if (shown === '') return []
  if (these!.length !== those!.length) return [`${these!.length} lines, and not ${those!.length}`]
  return these!.flatMap((line, at) => (line.startsWith('{') ? differences(JSON.parse(line), parsed(those![at]!)) : []))
}

const parsed = (line: string): unknown => (line.startsWith('{') ? JSON.parse(line) : line)

/** The paths at which two values differ in kind: what is null or an empty list in one may be anything in the other. */
function differences(a: unknown, b: unknown, path = ''): string[] {
  if (a === null || b === null) return []
  if (Array.isArray(a) && Array.isArray(b))
    return a.length > 0 && b.length > 0 ? differences(a[0], b[0], `${path}[]`) : []
  if (typeof a !== typeof b) return [`${path}: ${typeof a}, and not ${typeof b}`]
  if (typeof a !== 'object' || typeof b !== 'object') return []
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].flatMap((key) => {
    const at = `${path}.${key}`
    if (!(key in a) || !(key in b)) return [at]
    return differences((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], at)
  })
}
