import { expect, it, describe } from 'vitest'
import { codeOf } from '../../test/response.ts'
import { useApi } from '../../test/harness.ts'
import Fastify from 'fastify'
import { senderOf } from './fixed-texts.ts'

const api = useApi()
const anonymous = { key: null }

it('redirects browsers to the console or the sandbox start page, and lists addresses for programs', async () => {
  const visit = async () => {
    const answer = await fetch(api.url, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await visit()).toEqual([302, '/sign-in'])
  api.runtime.settings.sandbox = false
  expect(await visit()).toEqual([302, '/console'])
  api.runtime.settings.sandbox = true
  const program = await fetch(api.url)
  expect(program.headers.get('vary')).toContain('accept')
  const { openapi, docs } = (await program.json()) as Record<string, string>
  expect((await fetch(openapi!)).status).toBe(200)
  expect(docs).toBe(`${api.url}/docs`)
})

it('states the first problem in the message of a validation error', async () => {
  const body = { name: 'A', legal_name: 'B', ein: '47-2915386', email: 'nobody', address: {} }
  const answer = await api.post('/v1/employers', body)
  expect(codeOf(answer)).toEqual([400, 'invalid_request'])
  const { message } = answer.error
  expect(message).toBe('email: must be an email address')
  expect((answer.body as unknown as { message: string }).message).toBe(message)
})

it('shows browsers a page for unknown addresses, and returns an error body to programs', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml' }
  const page = await api.get('/nowhere' as '/docs', { ...anonymous, headers })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Page not found')
  expect(codeOf(await api.get('/nowhere' as '/docs', anonymous))).toEqual([404, 'not_found'])
  expect(codeOf(await api.get('/v1/nowhere' as '/docs', { headers }))).toEqual([404, 'not_found'])
})

describe('a fixed text', () => {
  it('creates a document once, and retries on the next request after a failure', async () => {
    let made = 0
    const app = Fastify()
    app.get(
      '/',
      senderOf('text/plain', async () => {
        made++
        if (made === 1) throw new Error('The thread ended.')
        return 'a text'
      }),
    )
    const send = () => app.inject({ url: '/', headers: { 'accept-encoding': 'identity' } })
    expect((await send()).statusCode).toBe(500)
    const answers = [await send(), await send()]
    expect(answers.map(({ statusCode, payload }) => [statusCode, payload])).toEqual([
      [200, 'a text'],
      [200, 'a text'],
    ])
    expect(made).toBe(2)
  })
})
