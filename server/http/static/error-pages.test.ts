import { expect, it } from 'vitest'
import { errorPagesOf } from './error-pages.ts'
import { endpoints } from '../../modules.ts'
import { codeOf } from '../../test/answer.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const anonymous = { key: null }
const pages = errorPagesOf(endpoints)

/** Codes whose refusals don't say yet what to do about them. This list may only shrink. */
const known_without_remedy: string[] = []

it('each code says what to do about it', () => {
  const silent = pages.filter(({ kind }) => !kind.remedy).map(({ kind }) => kind.code)
  expect(silent).toEqual(known_without_remedy)
})

it('each code has a page with cause, remedy and an example', async () => {
  expect(pages.length).toBeGreaterThan(80)
  for (const { kind } of pages) {
    const page = await api.get(`/docs/errors/${kind.code}`, anonymous)
    expect([page.status, page.headers.get('content-type')], kind.code).toEqual([200, 'text/html; charset=utf-8'])
    for (const part of ['Cause', 'Remedy', 'Example'])
      expect(page.text).toContain(`<h2 id="${part.toLowerCase()}">${part}<`)
    const { text } = await api.get(`/docs/errors/${kind.code}.md`, anonymous)
    expect(text).toContain(kind.message)
    const [, example] = /```json\n(.*)\n```/s.exec(text)!
    expect(JSON.parse(example!)).toMatchObject({
      error: { code: kind.code, doc_url: `${api.url}/docs/errors/${kind.code}` },
      app_error_code: kind.code,
    })
  }
  const index = await api.get('/docs/errors', anonymous)
  expect(index.text.match(/<tr><td>/g)).toHaveLength(pages.length)
})

it('is what a refusal leads to', async () => {
  const answer = await api.post('/v1/employers', { email: 'nobody' })
  const { pathname } = new URL(answer.error.doc_url)
  const { text } = await api.get(pathname, anonymous)
  expect(text.replaceAll('<wbr>', '')).toContain('<h1>invalid_request</h1>')
})

it('says the first fault in the message too, for those who show nothing else', async () => {
  const body = { name: 'A', legal_name: 'B', ein: '47-2915386', email: 'nobody', address: {} }
  const answer = await api.post('/v1/employers', body)
  expect(codeOf(answer)).toEqual([400, 'invalid_request'])
  const { message } = answer.error
  expect(message).toBe('email: must be an e-mail address')
  expect((answer.body as unknown as { message: string }).message).toBe(message)
})

it('tells a browser of a page that is not there on a page, and a program as of all else', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  for (const path of ['/nowhere', '/docs/nowhere']) {
    const page = await api.get(path as '/docs', { ...anonymous, headers })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Page not found')
    expect(codeOf(await api.get(path as '/docs', anonymous))).toEqual([404, 'not_found'])
  }
  expect(codeOf(await api.get('/v1/nowhere' as '/docs', { headers }))).toEqual([404, 'not_found'])
})
