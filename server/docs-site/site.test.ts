import { gzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'

const api = useApi()
const anonymous = { key: null }
const get = (path: string) => api.get(path, anonymous)

const hrefsIn = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href!)
const idsIn = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))

/** Every page that is reached from the first one by links, by its path. */
const pages = new Map<string, string>()

async function walk(path: string): Promise<void> {
  const { status, text } = await get(path)
  expect([path, status]).toEqual([path, 200])
  pages.set(path, text)
  for (const href of hrefsIn(text)) {
    const [to = ''] = href.split('#')
    if (to.startsWith('/docs') && !/\.(?:md|css|svg|js|woff2)$|\/$/.test(to) && !pages.has(to)) await walk(to)
  }
}

beforeAll(() => walk('/docs'))

it('has the quickstarts, the main job, the test data, errors, events and the changelog', () => {
  const wanted = [
    'payroll-company',
    'broker',
    'staffing-platform',
    'from-employer-to-election',
    'test-data',
    'going-live',
  ]
  for (const page of [
    ...wanted,
    'errors',
    'events',
    'webhooks',
    'changelog',
    'operations/upgrading',
    'api',
    'api/employers',
    'operator/people',
  ])
    expect([...pages.keys()]).toContain(`/docs/${page}`)
})

it('has chapters of operators among their own contents', () => {
  const theirs = [...pages].filter(([path]) => path.startsWith('/docs/operations/'))
  expect(theirs.length).toBeGreaterThan(20)
  for (const [path, text] of theirs) expect([path, text.includes('aria-label="Running it"')]).toEqual([path, true])
})

it('says where the shell comes from in which the blocks of a page go on', () => {
  const said = (path: string) => pages.get(path)!.replaceAll(/<[^>]+>/g, '')
  expect(said('/docs/invoices')).toContain('$EMPLOYEE come from there.')
  expect(said('/docs/life-events')).toContain('come from there, day from employer to election.')
  expect(said('/docs/eligibility-and-enrollments')).toContain('day and $INES from employer to election.')
  expect(said('/docs/payroll-company')).not.toContain('come from there')
})

it('has one title on each page', () => {
  for (const [path, text] of pages) expect([path, text.match(/<h1>/g)?.length]).toEqual([path, 1])
})

it('leads nowhere in vain: every link of every page is answered, and names a heading that is there', async () => {
  const missing: string[] = []
  const others = new Map<string, Promise<number>>()
  for (const [path, text] of pages) {
    for (const href of hrefsIn(text)) {
      if (/^https?:/.test(href)) continue
      const [to = '', anchor] = href.split('#')
      const page = to === '' ? text : pages.get(to)
      if (page === undefined && !others.has(to))
        others.set(
          to,
          get(to).then(({ status }) => status),
        )
      const is_there = page === undefined ? (await others.get(to)) === 200 : true
      const is_named = page === undefined || anchor === undefined || idsIn(page).has(anchor)
      if (!is_there || !is_named) missing.push(`${path} → ${href}`)
    }
  }
  expect(missing).toEqual([])
})

it('loads nothing from elsewhere, runs nothing but files of ours, and at most 150 kB of them', async () => {
  const { text, headers } = await get('/docs/employers')
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(text).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/)
  const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path!)
  expect(scripts.length).toBeGreaterThan(2)
  const sizes = await Promise.all(
    [...scripts, '/docs/assets/minisearch.js'].map(async (path) => gzipSync((await get(path)).text).length),
  )
  expect(sizes.reduce((all, each) => all + each, 0)).toBeLessThan(150_000)
  expect(policy).toContain("font-src 'self'")
  const font = await get(/<link[^>]* href="([^"]+)"[^>]* as="font"/.exec(text)![1]!)
  expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
  expect(font.headers.get('cache-control')).toContain('max-age')
})

it('shows of an operation how it is called by curl and from TypeScript, and what is answered', () => {
  const text = pages.get('/docs/api/employers')!
  for (const tab of ['curl', 'TypeScript', 'Answer, 201']) expect(text).toContain(`data-tab="${tab}"`)
  expect(text.replaceAll(/<[^>]+>/g, '')).toContain('await ob.employers.create({')
})

it('is kept by who has it until it changes', async () => {
  const accepted = { 'accept-encoding': 'gzip, br' }
  const first = await fetch(`${api.url}/docs`, { headers: accepted })
  const again = await fetch(`${api.url}/docs`, {
    headers: { ...accepted, 'if-none-match': first.headers.get('etag')! },
  })
  expect([first.headers.get('content-encoding'), again.status]).toEqual(['br', 304])
})

describe('for programs', () => {
  it('each page is there as Markdown under its address, and llms.txt lists those of the contents', async () => {
    for (const path of pages.keys()) expect([path, (await get(`${path}.md`)).status]).toEqual([path, 200])
    const { text } = await get('/llms.txt')
    const listed = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, url]) => url!)
    expect(listed.length).toBeGreaterThan(50)
    for (const url of listed) {
      const answer = await fetch(url)
      expect([url, answer.status]).toEqual([url, 200])
      if (url.endsWith('.md')) expect(await answer.text()).toMatch(/^# \S/)
    }
    const whole = (await get('/llms-full.txt')).text
    for (const heading of ['# Employers', '# Webhooks', '# Quickstart for brokers'])
      expect(whole).toContain(`\n${heading}\n`)
  })

  it('the bare address leads a browser to the console, and a program to a list', async () => {
    const browser = await fetch(api.url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console'])
    const program = await fetch(api.url)
    expect(program.headers.get('vary')).toContain('accept')
    const { openapi, docs } = (await program.json()) as Record<string, string>
    for (const url of [openapi, docs]) expect((await fetch(url!)).status).toBe(200)
  })
})

describe('the search', () => {
  let index: MiniSearch
  beforeAll(async () => {
    const { options, index: made } = JSON.parse((await get('/docs/search.json')).text)
    index = MiniSearch.loadJS(made, options)
  })
  it.each([
    ['rate limit', '/docs/rate-limits'],
    ['EIN_ALREADY_EXISTS', '/docs/errors/EIN_ALREADY_EXISTS'],
    ['employee.reinstated', '/docs/events#employeereinstated'],
    ['create an employer', '/docs/api/employers#create-an-employer'],
    ['repeat a request safly', '/docs/repeating-a-request-safely'],
    ['PgBouncer', '/docs/operations/pgbouncer'],
  ])('finds %s', (words, path) => {
    expect(
      index
        .search(words)
        .slice(0, 8)
        .map((found) => found.path as string),
    ).toContain(path)
  })

  it('leads to what is there', () => {
    for (const { path } of index.search(MiniSearch.wildcard)) {
      const [to, anchor] = (path as string).split('#')
      expect([path, pages.has(to!)]).toEqual([path, true])
      if (anchor) expect([path, idsIn(pages.get(to!)!).has(anchor)]).toEqual([path, true])
    }
  })
})
