import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countRetired, type Rule, textsOf } from '../tools/language.ts'

type Counts = Record<string, Partial<Record<Rule, number>>>

const root = join(import.meta.dirname, '../..')
const list = join(import.meta.dirname, 'language-known.json')
const generated = new RegExp(
  [
    '\\.gen\\.ts$|^sdk/api\\.md$|^sdk/src/(?:v1|operator)/|^docs/permissions\\.md$',
    '^server/(?:schema|statements)\\.sql$|statement-types\\.ts$|contract-types\\.ts$',
  ].join('|'),
)

/** Without the rules themselves and their test, which contain the words. */
const files = globSync(
  '{*.md,{cli,sdk,server,console,widgets,ui,docs,deploy,scripts}/**/*.{ts,tsx,js,mjs,sql,md,css,html,yml,yaml}}',
  { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist|\.built|package)$/.test(path) },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !generated.test(path) && !/(?:language|language\.test|commit-message\.test)\.ts$/.test(path))
  .sort()

const countsOf = (path: string) => {
  const { comments, literals } = textsOf(path, readFileSync(join(root, path), 'utf8'))
  return countRetired([...comments, ...literals])
}

describe('a retired wording is counted:', () => {
  it.each<[string, Rule]>([
    ['What fails is retried.', 'opens with what'],
    ['Rows are kept. Whoever reads them sees all.', 'opens with who'],
    ['The response tells the reason.', 'tell'],
    ['Says whether the window is open.', 'say'],
    ['Asks the database for the day.', 'ask'],
    ['Looks at the header.', 'look'],
    ['The next file mends it.', 'mend'],
    ['The deductions of each pay add up.', 'pay as a noun'],
    ['It is read by nobody.', 'nobody'],
    ['Null: since ever.', 'unclear null'],
  ])('%s', (sentence, rule) => expect(countRetired([sentence])).toMatchObject({ [rule]: 1 }))

  it.each([
    'What happens when an employee is terminated?',
    'Looks up the employer by its EIN.',
    'The last pay period ends on Friday.',
    'A retry waits no more than 5 seconds.',
  ])('but not in: %s', (sentence) => expect(countRetired([sentence])).toEqual({}))
})

describe('texts that a person reads are found in', () => {
  const texts = (path: string, source: string) => Object.values(textsOf(path, source)).flat()

  it('comments that go on over several lines, titles, templates and JSX', () => {
    const source = `// one and\n// the same\nit('a title here', () => <p>shown to people</p>)\nlog(\`read \${n} rows\`)`
    const found = texts('a.tsx', source).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(found).toEqual(['one and the same', 'a title here', 'shown to people', 'read x rows'])
  })

  it('the prose of Markdown, without its code', () => {
    const found = texts('a.md', 'Some prose.\n\n```sh\necho tell\n```\n\n- a point\n- `tell` it')
    expect(found.join(' ')).toMatch(/Some prose[^]*a point[^]*x it/)
    expect(found.join(' ')).not.toMatch(/tell/)
  })
})

/**
 * The list holds today's counts of each file and may only shrink. After an improvement
 * `RECORD_LANGUAGE=1 npm test -- server/test/language.test.ts` lowers it; nothing raises it.
 */
it('no file has more retired wordings than it had before', () => {
  const known = JSON.parse(readFileSync(list, 'utf8')) as Counts
  const all = files.map((path) => ({ path, counts: countsOf(path) }))
  const found = all.filter(({ counts }) => Object.keys(counts).length > 0)
  const today: Counts = Object.fromEntries(found.map(({ path, counts }) => [path, counts]))
  const lower = lowered(known, today)
  if (process.env.RECORD_LANGUAGE) writeList(lower)
  expect(differences(today, lower), 'retired wordings were added').toEqual([])
  if (!process.env.RECORD_LANGUAGE) expect(differences(known, lower), 'the list can be lowered').toEqual([])
})

/** The counts of `some` that differ from those of `others`, as "file: rule 3, not 2". */
const differences = (some: Counts, others: Counts): string[] =>
  Object.entries(some).flatMap(([path, counts]) =>
    Object.entries(counts)
      .map(([rule, count]) => ({ rule, count, other: others[path]?.[rule as Rule] ?? 0 }))
      .filter(({ count, other }) => count !== other)
      .map(({ rule, count, other }) => `${path}: ${rule} ${count}, not ${other}`),
  )

function lowered(known: Counts, today: Counts): Counts {
  const both = Object.entries(today).map(([path, counts]) => {
    const kept = Object.entries(counts).map(([rule, count]) => [
      rule,
      Math.min(count, known[path]?.[rule as Rule] ?? 0),
    ])
    return [path, Object.fromEntries(kept.filter(([, count]) => Number(count) > 0))] as const
  })
  return Object.fromEntries(both.filter(([, counts]) => Object.keys(counts).length > 0))
}

/** A line per file, so that changes of different files do not conflict. */
function writeList(counts: Counts): void {
  const lines = Object.entries(counts).map(([path, each]) => `  ${JSON.stringify(path)}: ${JSON.stringify(each)}`)
  writeFileSync(list, `{\n${lines.join(',\n')}\n}\n`)
}
