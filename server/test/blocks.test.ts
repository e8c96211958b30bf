import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sources } from '../platform/docs/contents.ts'
import { blocksIn, readDocument, type Block } from './pasted.ts'
import { isBeyond, placeOf, unpasted } from './unpasted.ts'

/** Every block of code of every page is pasted, shown as an answer or run as a program, or is named here. */
const files = [...new Set(sources.map(({ file }) => file))]

/** The blocks of a file that are on pages. */
function shownIn(file: string): Block[] {
  const { chapters } = sources.find((source) => source.file === file)!
  return blocksIn(readDocument(file)).filter(
    ({ heading }) => typeof chapters === 'string' || chapters.includes(heading),
  )
}

/** What others than guides.test.ts paste, by the file and heading: readme.test.ts, and year/guides.test.ts. */
const elsewhere = [
  'README.md: The first request',
  'README.md: A short tour',
  'docs/integrating.md: A year with an employer',
  'docs/operations.md: A year of administration',
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

/** A document whose programs sdk/test compiles, and runs where they show something. */
const sdk = 'sdk/README.md'

/** Whether a block shows what another before it is answered, which is pasted. */
const isAnswered = (file: string, { heading }: Block, other: Block): boolean =>
  other.language === 'sh' && other.heading === heading && !isBeyond(file, other)

/** Whether a test runs a block, or holds what it shows against what is answered. */
function isHeld(file: string, block: Block, before: Block[]): boolean {
  const place = `${file}: ${block.heading}`
  if (elsewhere.includes(place) || place === page) return true
  if (programs.includes(`${place}: ${block.language}`)) return true
  if (file === sdk && block.language !== 'sh') return true
  if (!pasted.includes(file) || isBeyond(file, block)) return false
  if (block.language === 'sh') return true
  const is_answer = block.more === '' && ['', 'json'].includes(block.language)
  return is_answer && before.some((other) => isAnswered(file, block, other))
}

it('each block is held by a test, or is on the list of those that none can run yet', () => {
  const unheld = files.flatMap((file) => {
    const blocks = shownIn(file)
    return blocks.filter((block, at) => !isHeld(file, block, blocks.slice(0, at))).map((block) => placeOf(file, block))
  })
  expect(unheld).toEqual(unpasted)
})

it('every guide is a page', () => {
  const guides = readdirSync(join(import.meta.dirname, '../../docs')).filter((name) => name.endsWith('.md'))
  expect(guides.map((name) => `docs/${name}`).filter((file) => !files.includes(file))).toEqual([])
})
