import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tasks } from '../modules.ts'
import type { Sandbox } from '../sandbox/open.ts'
import { plantStory } from '../sandbox/story.ts'
import { useApi } from './harness.ts'

/** The tour of the README, pasted into a shell as a reader would, twice. */
const api = useApi()
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-readme-'))

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const tour = readme.split('\n## The first request\n')[1]!.split('\n## Where to read on\n')[0]!

/** What is to be pasted, and what is shown below it. */
const steps: { pasted: string; shown: string }[] = []
for (const [, language, text = ''] of tour.matchAll(/```(\w*)\n(.*?)```/gs)) {
  if (language === 'sh') steps.push({ pasted: text, shown: '' })
  else steps.at(-1)!.shown += text
}

const end_of_step = '--- end of a step ---'

/** What the tour said, step by step, and what it complained of: on its first and on its second run. */
let said: string[][]
let complaints: string

// A worker would do its work while the reader waits.
const worker = createServer((_, response) => void api.work().then(() => response.end()))

beforeAll(async () => {
  api.wait(Date.now() - api.runtime.clock())
  const story = await plantStory(api.runtime, tasks)
  const sandbox: Sandbox = { base_url: api.url, sign_in_url: '', ...story }
  mkdirSync(join(folder, '.data'))
  writeFileSync(join(folder, '.data/sandbox.json'), JSON.stringify(sandbox))
  worker.listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const { port } = worker.address() as AddressInfo
  const once_over = steps.map(({ pasted }) => `${pasted}\necho '${end_of_step}'\n`).join('')
  const script = `sleep() { curl -s http://127.0.0.1:${port}/; }\n${once_over}${once_over}`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  const all = stdout.split(`${end_of_step}\n`)
  said = [all.slice(0, steps.length), all.slice(steps.length, -1)]
  complaints = stderr
}, 120_000)

afterAll(() => {
  worker.close()
  rmSync(folder, { recursive: true })
})

/** An answer without what differs each time: ids, instants, days and years. */
const masked = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, '$1_…')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
        .replace(/\d{4}-\d\d-\d\d/g, 'day')
        .replace(/"year":\d{4}/, '"year":0'),
    )
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : line))

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
  for (const line of complaints.trim().split('\n')) expect(line).toMatch(/^\w+: [A-Z].*\.$/)
  expect(said[1]).toHaveLength(steps.length)
})
