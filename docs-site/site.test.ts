import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { accessibilityViolations, openBrowser } from '../server/test/clients/browser.ts'
import { useApi } from '../server/test/harness.ts'
import { explainedRefusals } from '../server/tools/gen/refusals.ts'
import { endpoints } from '../server/modules.ts'
import { excluded, outside, pageOf, sidebar } from './pages.ts'

const api = useApi({ with_story: 'usual_day' })
const get = (path: string) => api.get(path as '/docs', { key: null })
const root = join(import.meta.dirname, '..')

/** Every page that the home page reaches by links, by its path. */
const pages = new Map<string, string>()

const hrefsIn = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href!)
const idsIn = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))

async function walk(path: string): Promise<void> {
  const { status, text } = await get(path)
  expect([path, status]).toEqual([path, 200])
  pages.set(path, text)
  for (const href of hrefsIn(text)) {
    const [to = ''] = href.split('#')
    if (/^\/docs\/(?!assets\/|reference\/|operator\/|.*\.\w+$)/.test(to) && !pages.has(to)) await walk(to)
  }
}

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/run.js', 'build', 'docs-site'], { cwd: root })
  // Another test file may be building the same site.
  await vi.waitUntil(async () => (await get('/docs/')).status === 200, { timeout: 120_000, interval: 500 })
  await walk('/docs/')
}, 240_000)

it('has a page for each Markdown file, and lists every page in the sidebar', () => {
  const files = [...globSync('docs/**/*.md', { cwd: root, exclude: excluded }), ...Object.keys(outside)]
  const links = files.map((file) => `/${pageOf(file.replaceAll('\\', '/')).replace(/(?:index)?\.md$/, '')}`)
  const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link))
  expect(listed.toSorted()).toEqual([...links, '/errors', '/events'].toSorted())
  expect([...pages.keys()].toSorted()).toEqual(listed.map((link) => `/docs${link}`).toSorted())
})

it('links only to pages and headings that exist', async () => {
  const missing: string[] = []
  for (const [path, text] of pages)
    for (const href of hrefsIn(text).filter((each) => !/^https?:/.test(each))) {
      const [to = '', anchor] = href.split('#')
      const page = to === '' ? text : (pages.get(to) ?? '')
      if (page ? anchor && !idsIn(page).has(decodeURIComponent(anchor)) : (await get(to)).status !== 200)
        missing.push(`${path} → ${href}`)
    }
  expect(missing).toEqual([])
})

it('runs only its own files and hashed inline scripts, and applies no inline styles', async () => {
  const { headers } = await get('/docs/')
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  for (const [path, text] of pages) {
    expect([path, text.match(/<style| style=| on\w+="/)]).toEqual([path, null])
    for (const [, script] of text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g))
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script!).digest('base64')}'`)
    expect(text).not.toContain('/__BASE__')
  }
})

it('explains every error code where its doc_url leads', async () => {
  const answer = await api.post('/v1/employers', { email: 'nobody' })
  expect(answer.error.doc_url).toBe(`${api.url}/docs/errors#invalid_request`)
  const ids = idsIn(pages.get('/docs/errors')!)
  expect(explainedRefusals(endpoints).filter(({ code }) => !ids.has(code.toLowerCase()))).toEqual([])
})

it('serves each page as Markdown, and lists the pages for programs', async () => {
  const { text: list } = await get('/llms.txt')
  for (const path of pages.keys()) {
    const markdown = `${path.replace(/\/$/, '/index')}.md`
    expect(list).toContain(`(${markdown.slice(1)})`)
    expect((await get(markdown)).text).toMatch(/^# \S/)
  }
  expect((await get('/llms-full.txt')).text).toContain('\n# Quickstart for brokers\n')
})

it('sends compressed responses and confirms cached ones', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  const first = await fetch(`${api.url}/docs/`, { headers })
  const etag = first.headers.get('etag')!
  const again = await fetch(`${api.url}/docs/`, { headers: { ...headers, 'if-none-match': etag } })
  expect([first.headers.get('content-encoding'), again.status]).toEqual(['br', 304])
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => void (browser = await openBrowser()), 60_000)
  afterAll(() => browser?.close())

  /** Opens a page and works on it. Any complaint of the browser fails the test. */
  async function on(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    try {
      await page.goto(api.url + path, { waitUntil: 'networkidle' })
      await work(page)
      expect(complaints).toEqual([])
    } finally {
      await context.close()
    }
  }

  const phone = { viewport: { width: 390, height: 780 } }
  const dark = { colorScheme: 'dark' } as const

  it.each([
    ['/docs/', {}],
    ['/docs/payroll-company', dark],
    ['/docs/test-data', phone],
    ['/docs/permissions', { ...phone, ...dark }],
    ['/docs/errors', dark],
    ['/docs/glossary', phone],
  ] as [string, BrowserContextOptions][])(
    '%s has no accessibility violations and fits its window %o',
    async (path, options) => {
      await on(path, options, async (page) => {
        expect(await accessibilityViolations(page)).toEqual([])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      })
    },
  )

  it('finds error codes and guides from the keyboard', async () => {
    await on('/docs/', {}, async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('EIN_ALREADY_EXISTS')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/errors#ein_already_exists')
    })
  })

  it('switches tabs and shows the ids of a sandbox', async () => {
    await on('/docs/payroll-company', {}, async (page) => {
      await page.locator('label', { hasText: 'TypeScript' }).first().click()
      await page.locator('.language-ts').first().waitFor()
      await page.goto(`${api.url}/docs/test-data`)
      await page
        .getByText(/^empr_/)
        .first()
        .waitFor()
    })
  })
})
