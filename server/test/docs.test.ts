import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../modules.ts'
import { readConfig } from '../kernel/config.ts'
import { integrations } from '../modules.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { refusalsOf } from '../http/openapi/openapi-errors.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The tables of a text, each as its rows, each row as its cells. */
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

describe('the settings in docs/operations.md', () => {
  const [, , ...rows] = tablesIn(read('docs/operations.md')).find(([head]) => head![0] === 'Setting')!
  const documented = rows.filter((cells) => cells.length > 0)

  it('are those of config.ts and of the integrations, in their order', () => {
    const source = /z\.object\(\{\n(.*?)\n\}\)\n/s.exec(read('server/kernel/config.ts'))![1]!
    const settings = [...source.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)
    expect(settings.length).toBeGreaterThan(15)
    const outside = [...integrations].flatMap(({ settings: own }) => Object.keys(own))
    expect(documented.map(([name]) => code(name!))).toEqual([...settings, ...outside])
  })

  it('have the defaults of config.ts', () => {
    const told = documented.filter(([, value]) => code(value!)).map(([name, value]) => [code(name!), code(value!)])
    const { DATA_DIR, CORS_ORIGINS, TRUSTED_PROXIES, ORGANIZATION_HEADER_ALIASES, ...others } = readConfig(
      {},
      integrations,
    )
    expect([CORS_ORIGINS, TRUSTED_PROXIES, ORGANIZATION_HEADER_ALIASES]).toEqual([[], [], []])
    const defaults = { ...others, DATA_DIR: relative(process.cwd(), DATA_DIR) }
    const texts = Object.entries(defaults).map(([name, value]) => [name, String(value)])
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(texts))
  })

  it.each([
    ['with `DATABASE_URL`', { DATABASE_URL: 'postgresql://localhost/benefits' }],
    ['with `IDP_PROVIDER=external_idp`', { IDP_PROVIDER: 'external_idp' }],
    ['with `OIDC_ISSUER`', { OIDC_ISSUER: 'https://id.example.com' }],
  ])('are required %s where config.ts requires them', (when, given) => {
    const told = documented.filter((cells) => cells[3] === when).map(([name]) => code(name!))
    expect(told).toEqual(requiredWith(given))
  })

  it('are required with nothing else', () => {
    const known = ['', 'with `DATABASE_URL`', 'with `IDP_PROVIDER=external_idp`', 'with `OIDC_ISSUER`']
    expect(documented.filter((cells) => !known.includes(cells[3]!))).toEqual([])
    expect(requiredWith({})).toEqual([])
  })
})

/** The settings that readConfig asks for, one after the other, when these are given. */
function requiredWith(given: Record<string, string>): string[] {
  const keys = newSecretKeys()
  const samples: Record<string, string> = {
    ENCRYPTION_KEYS: keys.encryption_keys,
    HASH_KEY: keys.hash_key,
    TOKEN_KEY: keys.token_key,
    OPERATOR_KEY: keys.operator_key,
    KEYCLOAK_URL: 'https://id.example.com',
  }
  const asked: string[] = []
  for (;;) {
    const filled = asked.map((name) => [name, samples[name] ?? 'something'])
    try {
      readConfig({ ...given, ...Object.fromEntries(filled) }, integrations)
      return asked
    } catch (error) {
      const name = /^The setting (\w+) is required/.exec((error as Error).message)?.[1]
      if (!name || asked.includes(name)) throw error
      asked.push(name)
    }
  }
}

describe('the refusals', () => {
  const codesOf = (prefix: string) =>
    new Set(
      endpoints
        .filter(({ path }) => path.startsWith(prefix))
        .flatMap(refusalsOf)
        .map((kind) => kind.code),
    )

  it('of the partner interface are in docs/integrating.md, each with its status', () => {
    const rows = tablesIn(read('docs/integrating.md')).find(([head]) => head![0] === 'Code')!
    const told = rows.flatMap(([codes = '', status]) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${code} ${status}`),
    )
    const kinds = endpoints.filter(({ path }) => path.startsWith('/v1/')).flatMap(refusalsOf)
    const wanted = new Set(kinds.map(({ code, status }) => `${code} ${status}`))
    expect(told).toEqual(expect.arrayContaining([...wanted]))
    expect(told.filter((each) => !wanted.has(each))).toEqual(['method_not_allowed 405'])
  })

  it('of the operator interface alone are in docs/operations.md', () => {
    const partners = codesOf('/v1/')
    const own = [...codesOf('/operator/')].filter((code) => !partners.has(code))
    const text = read('docs/operations.md')
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((code) => !text.includes(`\`${code}\``))).toEqual([])
  })
})

describe('the documents', () => {
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`)
  const pages = [
    'README',
    'CONTRIBUTING',
    'CHANGELOG',
    'SECURITY',
    'docs/operations',
    'docs/integrating',
    'docs/glossary',
    'sdk/README',
  ]

  it.each([...pages.map((name) => `${name}.md`), ...decisions])(
    '%s names files and headings that are there',
    (path) => {
      const text = read(path)
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!)
      const missing = (files: string[], from: string) => files.filter((file) => !existsSync(join(root, from, file)))
      expect(missing(all(/\]\(([^)#]+)/g), dirname(path))).toEqual([])
      // What is built is not there before it is needed.
      expect(missing(all(/`((?:sdk|server|scripts|docs)\/(?!dist\b)[\w./-]+)`/g), '')).toEqual([])
      const headings = all(/^#+ (.*)$/gm).map(slug)
      expect(all(/\]\(#([^)]*)\)/g).filter((name) => !headings.includes(name))).toEqual([])
    },
  )

  it('number each decision once', () => {
    const numbers = decisions.map((path) => Number(/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]))
    expect(numbers.filter((number, at) => !(number > 0) || numbers.indexOf(number) !== at)).toEqual([])
  })
})

/** The name by which a heading is linked to. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
