import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, it, vi } from 'vitest'
import { listen } from './listen.ts'
import { newSecret } from '../modules/webhooks/rules.ts'
import { createEmployer } from '../test/cast.ts'
import { useApi } from '../test/harness.ts'
import { answering, openReceiver } from '../test/fakes/receiver.ts'

const api = useApi()

it('forwards what happens from now on, once and signed, whatever is answered', async () => {
  const receiver = await openReceiver()
  const secret = newSecret()
  await createEmployer(api)
  const stopping = new AbortController()
  const lines: string[] = []
  const options = { url: api.url, api_key: api.story.api_key, forward_to: receiver.url, secret }
  const listening = listen(options, (line) => void lines.push(line), stopping.signal)
  await vi.waitUntil(() => lines.includes('Ready.'))
  const first = await createEmployer(api)
  await vi.waitUntil(() => receiver.received.length > 0)
  receiver.answer = answering(500)
  api.wait(10 * 60_000)
  const second = await createEmployer(api)
  await vi.waitUntil(() => lines.length > 2)
  stopping.abort()
  await listening
  expect(receiver.received.map(({ body }) => [body.type, body.data.resource_id])).toEqual([
    ['employer.created', first],
    ['employer.created', second],
  ])
  for (const { text, headers, body } of receiver.received) {
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
  }
  expect(lines[1]).toMatch(/employer\.created +empr_\w+ {2}→ 204$/)
  expect(lines[2]).toMatch(/→ 500$/)
})

it('is answered by an event or after 20 seconds, and asks no oftener', async () => {
  const receiver = await openReceiver()
  const stopping = new AbortController()
  const lines: string[] = []
  const user = (await api.post('/operator/v1/users', { name: 'Uma' }, { key: api.operator_key })).body.data
  const organization = await api.post(
    '/operator/v1/organizations',
    { name: 'Quiet', admin_user_id: user.id, sandbox: false },
    { key: api.operator_key },
  )
  const owner = { user_id: user.id, organization_id: organization.body.data.id, mode: 'live' }
  const { api_key } = (await api.post('/operator/v1/api-keys', owner, { key: api.operator_key })).body.data
  const left = async () => {
    const { headers } = await api.get('/v1/groups', { key: api_key })
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const options = { url: api.url, api_key, forward_to: receiver.url, secret: newSecret(), events: 'employer.updated' }
  const listening = listen(options, (line) => void lines.push(line), stopping.signal)
  await vi.waitUntil(() => lines.includes('Ready.'))
  const before = await left()
  const employer_id = await createEmployer(api, {}, { key: api_key })
  await api.put(`/v1/employers/${employer_id}`, { reference_id: 'R-1' }, { key: api_key })
  await vi.waitUntil(() => receiver.received.length > 0)
  const spent = before - (await left())
  stopping.abort()
  await listening
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['employer.updated'])
  // The creation, the change, our own question, and at most one of it for each of the events and the next.
  expect(spent).toBeLessThanOrEqual(6)
})

it('says why when the service refuses it', async () => {
  const options = { url: api.url, api_key: 'nonsense', forward_to: 'http://127.0.0.1:9/', secret: newSecret() }
  await expect(listen(options, () => undefined, new AbortController().signal)).rejects.toThrow(
    'The service answered 401',
  )
})

it('is a command', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../openbenefits.js'),
    'listen',
    '--help',
  ])
  expect(stdout).toContain('--forward-to')
})
