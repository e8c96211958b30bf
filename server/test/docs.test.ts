import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../kernel/config.ts'
import { integrations } from '../modules.ts'
import { newSecretKeys } from '../security/secrets.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The tables of a text as rows of cells. */
const tablesIn = (text: string): string[][][] =>
  [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table.split('\n').map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  )

const code = (cell: string): string | undefined => /^`([^`]*)`/.exec(cell)?.[1]

describe('the settings in docs/operating/settings.md', () => {
  const [, , ...rows] = tablesIn(read('docs/operating/settings.md')).find(([head]) => head![0] === 'Setting')!
  const documented = rows.filter((cells) => cells.length > 0)

  it('are those of config.ts and of the integrations, in the same order', () => {
    const source = /z\.object\(\{\n(.*?)\n\}\)\n/s.exec(read('server/kernel/config.ts'))![1]!
    const settings = [...source.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)
    expect(settings.length).toBeGreaterThan(15)
    const outside = [...integrations].flatMap(({ settings: own }) => Object.keys(own))
    expect(documented.map(([name]) => code(name!))).toEqual([...settings, ...outside])
  })

  it('have the defaults of config.ts', () => {
    const documented_defaults = documented
      .filter(([, value]) => code(value!))
      .map(([name, value]) => [code(name!), code(value!)])
    const { DATA_DIR, CORS_ORIGINS, TRUSTED_PROXIES, ...others } = readConfig({}, integrations)
    expect([CORS_ORIGINS, TRUSTED_PROXIES]).toEqual([[], []])
    const defaults = { ...others, DATA_DIR: relative(process.cwd(), DATA_DIR) }
    const texts = Object.entries(defaults).map(([name, value]) => [name, String(value)])
    expect(Object.fromEntries(documented_defaults)).toEqual(Object.fromEntries(texts))
  })

  it.each([
    ['with `DATABASE_URL`', { DATABASE_URL: 'postgresql://localhost/benefits' }],
    ['with `IDP_PROVIDER=external_idp`', { IDP_PROVIDER: 'external_idp' }],
    ['with `OIDC_ISSUER`', { OIDC_ISSUER: 'https://id.example.com' }],
    ['with `SMTP_URL`', { SMTP_URL: 'smtp://mail.example.com' }],
  ])('are marked as required %s where config.ts requires them', (when, given) => {
    const marked = documented.filter((cells) => cells[3] === when).map(([name]) => code(name!))
    expect(marked).toEqual(requiredWith(given))
  })

  it('are required in no other case', () => {
    const cases = ['DATABASE_URL', 'IDP_PROVIDER=external_idp', 'OIDC_ISSUER', 'SMTP_URL']
    const known = ['', ...cases.map((setting) => `with \`${setting}\``)]
    expect(documented.filter((cells) => !known.includes(cells[3]!))).toEqual([])
    expect(requiredWith({})).toEqual([])
  })
})

/** The settings that readConfig requires, one after the other, with these given. */
function requiredWith(given: Record<string, string>): string[] {
  const keys = newSecretKeys()
  const samples: Record<string, string> = {
    ENCRYPTION_KEYS: keys.encryption_keys,
    HASH_KEY: keys.hash_key,
    TOKEN_KEY: keys.token_key,
    OPERATOR_KEY: keys.operator_key,
    KEYCLOAK_URL: 'https://id.example.com',
    SMTP_FROM: 'benefits@example.com',
    PUBLIC_URL: 'https://benefits.example.com',
  }
  const required: string[] = []
  for (;;) {
    const filled = required.map((name) => [name, samples[name] ?? 'something'])
    try {
      readConfig({ ...given, ...Object.fromEntries(filled) }, integrations)
      return required
    } catch (error) {
      const name = /^The setting (\w+) is required/.exec((error as Error).message)?.[1]
      if (!name || required.includes(name)) throw error
      required.push(name)
    }
  }
}

describe('the documents', () => {
  const design = globSync('docs/design/**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/README.md', 'cli/README.md'], { cwd: root })

  it.each(pages.map((path) => path.replaceAll('\\', '/')))('%s names only existing files and headings', (path) => {
    const text = read(path)
    const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)
    const missing = (files: string[], from: string) => files.filter((file) => !existsSync(join(root, from, file)))
    expect(missing(all(/\]\(([^)#]+)/g), dirname(path))).toEqual([])
    // Build outputs may not exist yet, so paths in `dist` are not checked.
    expect(missing(all(/`((?:sdk|server|scripts|docs)\/(?!dist\b)[\w./-]+)`/g), '')).toEqual([])
    const headings = headingsOf(text)
    expect(all(/\]\(#([^)]*)\)/g).filter((name) => !headings.includes(name))).toEqual([])
  })

  it('are listed in the index of the design pages, which lists no missing page', () => {
    const listed = [...read('docs/design/README.md').matchAll(/^- \[.*\]\((.+)\)$/gm)].map(([, path]) => path!)
    const there = design.map((path) => path.slice('docs/design/'.length)).filter((path) => path !== 'README.md')
    expect(listed.sort()).toEqual(there.sort())
  })

  it('link only to headings that exist', () => {
    const broken = pages.flatMap((path) =>
      [...read(path).matchAll(/\]\(([^)#:]+\.md)#([^)]+)\)/g)]
        .filter(([, file, name]) => !headingsOf(read(join(dirname(path), file!))).includes(name!))
        .map(([link]) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

const headingsOf = (text: string): string[] => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => slug(heading!))

/** The anchor of a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
