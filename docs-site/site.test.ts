import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { explainedRefusals } from '../server/tools/gen/refusals.ts'
import { endpoints } from '../server/modules.ts'
import { excluded, outside, pageOf, sidebar } from './pages.ts'
import { useSite } from '../server/test/clients/docs-site.ts'

const api = useSite()
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

beforeAll(() => walk('/docs/'))

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

it('explains every error code at its doc_url', async () => {
  const answer = await api.post('/v1/employers', { email: 'nobody' })
  expect(answer.error.doc_url).toBe(`${api.url}/docs/errors#invalid_request`)
  const ids = idsIn(pages.get('/docs/errors')!)
  expect(explainedRefusals(endpoints).filter(({ code }) => !ids.has(code.toLowerCase()))).toEqual([])
})

it('serves each page as Markdown, and lists all pages in an index for programs', async () => {
  const { text: list } = await get('/llms.txt')
  for (const path of pages.keys()) {
    const markdown = `${path.replace(/\/$/, '/index')}.md`
    expect(list).toContain(`(${markdown.slice(1)})`)
    expect((await get(markdown)).text).toMatch(/^# \S/)
  }
  expect((await get('/llms-full.txt')).text).toContain('\n# Quickstart for brokers\n')
})

it('compresses responses, and returns 304 for cached ones', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  const first = await fetch(`${api.url}/docs/`, { headers })
  const etag = first.headers.get('etag')!
  const again = await fetch(`${api.url}/docs/`, { headers: { ...headers, 'if-none-match': etag } })
  expect([first.headers.get('content-encoding'), again.status]).toEqual(['br', 304])
})
