import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sources } from '../docs-site/contents.ts'
import { blocksIn, readDocument, type Block } from './pasted.ts'
import { held_by, isBeyond, placeOf } from './unpasted.ts'

/** Every block of code of every page is pasted, shown as an answer, run as a program, or held by a test of its own. */
const files = [...new Set(sources.map(({ file }) => file))]

/** The blocks of a file that are on pages. */
function shownIn(file: string): Block[] {
  const { chapters } = sources.find((source) => source.file === file)!
  return blocksIn(readDocument(file)).filter(
    ({ heading }) => typeof chapters === 'string' || chapters.includes(heading),
  )
}

/** What others paste, by the file and heading: readme.test.ts, year/guides.test.ts and operating.test.ts. */
const elsewhere = [
  'README.md: The first request',
  'README.md: A short tour',
  'docs/integrating.md: A year with an employer',
  'docs/operations.md: A year of administration',
  'docs/operations.md: The first hour',
  'docs/operations.md: Upgrading',
]

/** Guides that guides.test.ts pastes whole. */
const pasted = [
  'docs/payroll-company.md',
  'docs/broker.md',
  'docs/staffing-platform.md',
  'docs/going-live.md',
  'docs/test-data.md',
  'docs/integrating.md',
  'docs/operations.md',
]

/** Programs that samples.test.ts runs, by the file, heading and language. */
const programs = ['docs/integrating.md: Errors: ts', 'docs/integrating.md: Webhooks: ts']

/** What widgets/test makes the page of a partner out of. */
const page = 'docs/widgets.md: Put one into a page'

/** A drawing, which nothing can run. */
const drawing = 'docs/scaling.md: '

/** A document whose programs sdk/test compiles, and runs where they show something. */
const sdk = 'sdk/README.md'

/** A document whose commands cli/test runs, and whose settings it reads. */
const commands = 'cli/README.md'

/** Whether a block shows what another before it is answered, which is pasted. */
const isAnswered = (file: string, { heading }: Block, other: Block): boolean =>
  other.language === 'sh' && other.heading === heading && !isBeyond(file, other)

/** Whether a test runs a block, or holds what it shows against what is answered. */
function isHeld(file: string, block: Block, before: Block[]): boolean {
  const place = `${file}: ${block.heading}`
  if (elsewhere.includes(place) || place === page || place === drawing) return true
  if (programs.includes(`${place}: ${block.language}`)) return true
  if (file === sdk && block.language !== 'sh') return true
  if (file === commands && ['sh', 'json'].includes(block.language)) return true
  if (isBeyond(file, block)) return true
  if (!pasted.includes(file)) return false
  if (block.language === 'sh') return true
  if (block.language === 'ts') return block.more === ' tab="TypeScript"'
  const is_answer = block.more === '' && ['', 'json'].includes(block.language)
  return is_answer && before.some((other) => isAnswered(file, block, other))
}

it('each block is held by a test', () => {
  const unheld = files.flatMap((file) => {
    const blocks = shownIn(file)
    return blocks.filter((block, at) => !isHeld(file, block, blocks.slice(0, at))).map((block) => placeOf(file, block))
  })
  expect(unheld).toEqual([])
})

it('each test that holds a block reads it, and every one that is named is there', () => {
  const places = files.flatMap((file) => shownIn(file).map((block) => ({ file, block, place: placeOf(file, block) })))
  const unread = Object.entries(held_by).filter(([place, test]) => {
    const shown = places.find((each) => each.place === place)
    const reads = [...readDocument(test).matchAll(/blockOf\('([^']+)', [`']([^\n]+?)[`']\)/g)]
    const begins = (beginning: string) => shown?.block.code.startsWith(beginning.replaceAll('\\n', '\n'))
    return !reads.some(([, file, beginning]) => shown?.file === file && begins(beginning!))
  })
  expect(unread).toEqual([])
})

it('every guide is a page', () => {
  const guides = readdirSync(join(import.meta.dirname, '../../docs')).filter((name) => name.endsWith('.md'))
  expect(guides.map((name) => `docs/${name}`).filter((file) => !files.includes(file))).toEqual([])
})
