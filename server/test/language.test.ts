import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countRetired, type Rule, textsOf } from './source/language.ts'
import { repositoryFiles, root } from './source/repository-files.ts'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'

const generated = new RegExp(
  [
    '\\.gen\\.ts$|^sdk/api\\.md$|^sdk/src/(?:v1|operator)/|^docs/permissions\\.md$',
    '^server/(?:schema|statements)\\.sql$|statement-types\\.ts$|contract-types\\.ts$',
  ].join('|'),
)

/** Excludes the rules and this test, which contain the words. */
const files = repositoryFiles(
  ':(glob)*.md',
  ':(glob)*.ts',
  'cli',
  'sdk',
  'server',
  'console',
  'widgets',
  'ui',
  'docs',
  'docs-site',
  'deploy',
  'packages',
  'scripts',
)
  .filter((path) => /\.(?:tsx?|m?js|sql|md|css|html|ya?ml|tpl|service)$|Containerfile$/.test(path))
  .filter(
    (path) => !generated.test(path) && !/(?:language|language\.test|identifiers|identifiers\.test)\.ts$/.test(path),
  )

const countsOf = (path: string) => {
  const { comments, literals } = textsOf(path, readFileSync(join(root, path), 'utf8'))
  return countRetired([...comments, ...literals])
}

describe('counts a retired wording:', () => {
  it.each<[string, Rule]>([
    ['What fails is retried.', 'opens with what'],
    ['Rows are kept. Whoever reads them sees all.', 'opens with who'],
    ['The response tells the reason.', 'tell'],
    ['Says whether the window is open.', 'say'],
    ['Asks the database for the day.', 'ask'],
    ['Looks at the header.', 'look'],
    ['The next file mends it.', 'mend'],
    ['The deductions of each pay add up.', 'pay as a noun'],
    ['The e-mail is required.', 'e-mail'],
    ['It is read by nobody.', 'nobody'],
    ['Null: since ever.', 'unclear null'],
  ])('%s', (sentence, rule) => expect(countRetired([sentence])).toMatchObject({ [rule]: 1 }))

  it.each([
    'What happens when an employee is terminated?',
    'Looks up the employer by its EIN.',
    'The last pay period ends on Friday.',
    'First name,E-mail,Phone',
    'A retry waits no more than 5 seconds.',
    'The gender is unknown if they prefer not to say.',
  ])('does not count: %s', (sentence) => expect(countRetired([sentence])).toEqual({}))
})

describe('finds texts that people read:', () => {
  const texts = (path: string, source: string) => Object.values(textsOf(path, source)).flat()

  it('comments over several lines, titles, templates and JSX', () => {
    const source = `// one and\n// the same\nit('a title here', () => <p>shown to people</p>)\nlog(\`read \${n} rows\`)`
    const found = texts('a.tsx', source).map((text) => text.replaceAll(/\s+/g, ' ').trim())
    expect(found).toEqual(['one and the same', 'a title here', 'shown to people', 'read x rows'])
  })

  it('the comments and values of configuration files', () => {
    const found = texts('a.yaml', '# One comment\n# over two lines\nsummary: A job is late.')
    expect(found.map((text) => text.trim())).toEqual(['One comment over two lines', 'summary: A job is late.'])
  })

  it('the prose of Markdown, without its code', () => {
    const found = texts('a.md', 'Some prose.\n\n```sh\necho tell\n```\n\n- a point\n- `tell` it')
    expect(found.join(' ')).toMatch(/Some prose[^]*a point[^]*x it/)
    expect(found.join(' ')).not.toMatch(/tell/)
  })
})

it('finds no retired wording in any file', () => {
  const found = files.flatMap((path) =>
    Object.entries(countsOf(path)).map(([rule, count]) => `${path}: ${rule}, ${count} times`),
  )
  expect(found).toEqual([])
})

describe('a commit message', () => {
  const hook = join(import.meta.dirname, '../../.githooks/commit-msg')

  function check(subject: string): { status: number | null; stderr: string } {
    const folder = mkdtempSync(join(tmpdir(), 'openbenefits-commit-'))
    const file = join(folder, 'message')
    writeFileSync(file, `${subject}\n\nThe reason.\n`)
    const { status, stderr } = spawnSync('sh', [hook, file], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    return { status, stderr }
  }

  it.each([
    'Fix duplicate deduction after a rehire',
    `Add ${'x'.repeat(68)}`,
    'Merge branch main of a clone whose name is very long, longer than any subject may be in this repository',
  ])('the commit hook accepts the subject: %s', (subject) => expect(check(subject)).toEqual({ status: 0, stderr: '' }))

  it.each([
    ['Say plainly until when a child is added', 'The subject begins with "Say"'],
    ['Leave closed months taxed as they were', 'The subject begins with "Leave"'],
    [`Add ${'x'.repeat(69)}`, 'The subject has 73 characters. The limit is 72.'],
  ])('the commit hook refuses the subject: %s', (subject, reason) => {
    const { status, stderr } = check(subject)
    expect(status).toBe(1)
    expect(stderr).toContain(reason)
  })
})
