import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { OpenBenefits } from 'openbenefits'
import { expect, it } from 'vitest'
import { answering, openReceiver } from '../../server/test/fakes/receiver.ts'
import { createEmployer } from '../../server/test/fixtures.ts'
import { blockOf } from '../../server/test/guides/code-blocks.ts'
import { useApi } from '../../server/test/harness.ts'
import { listen, signingSecretOf, printForPeople } from '../src/commands/listen.ts'
import { command, start, useSettings } from './command.ts'

const api = useApi({ outbound: { allow_loopback: true } })
const settings = useSettings()
const env = () => ({ ...settings, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key })

it('forwards each new event once and signed, regardless of the response', async () => {
  const receiver = await openReceiver()
  const secret = signingSecretOf({ api_key: 'one key' })
  await createEmployer(api)
  const stopping = new AbortController()
  const example = blockOf('docs/integrating/webhooks.md', 'npx openbenefits listen')
    .trim()
    .replace('npx openbenefits ', '')
  const line = `${example.replace(/http:\S+/, receiver.url)} --secret ${secret}`
  const { output, ended } = start(line, env(), '', stopping.signal)
  await expect.poll(() => output.out).toContain('Ready.')
  const first = await createEmployer(api)
  await expect.poll(() => receiver.received).not.toEqual([])
  receiver.answer = answering(500)
  api.wait(10 * 60_000)
  const second = await createEmployer(api)
  await expect.poll(() => output.out).toContain('→ 500')
  stopping.abort()
  expect((await ended).code).toBe(0)
  expect(receiver.received.map(({ body }) => [body.type, body.data.resource_id])).toEqual([
    ['employer.created', first],
    ['employer.created', second],
  ])
  for (const { text, headers, body } of receiver.received) {
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
  }
  expect(output.out).toMatch(/employer\.created +empr_\w+ {2}→ 204\n/)
  expect(output.out).toMatch(/→ 500\n/)
})

it('long-polls for up to 20 seconds per request, and sends no other requests', async () => {
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
  const ob = new OpenBenefits({ baseUrl: api.url, apiKey: api_key })
  const listener = {
    ...printForPeople({} as never),
    ready: () => void lines.push('Ready.'),
    forwarded: () => undefined,
  }
  const options = { ob, forward_to: receiver.url, secret: signingSecretOf({ api_key }), events: 'employer.updated' }
  const listening = listen(options, listener, stopping.signal)
  await expect.poll(() => lines).toContain('Ready.')
  const before = await left()
  const employer_id = await createEmployer(api, {}, { key: api_key })
  await api.put(`/v1/employers/${employer_id}`, { reference_id: 'R-1' }, { key: api_key })
  await expect.poll(() => receiver.received).not.toEqual([])
  const spent = before - (await left())
  stopping.abort()
  await listening
  expect(receiver.received.map(({ body }) => body.type)).toEqual(['employer.updated'])
  // The two writes, the request of `left`, and the polling: at most one request per event, and a last one.
  expect(spent).toBeLessThanOrEqual(6)
})

it('prints the reason if the service refuses', async () => {
  const wrong = { ...env(), OPENBENEFITS_API_KEY: 'nonsense' }
  const { code, err } = await command('listen --forward-to http://127.0.0.1:9/', wrong)
  expect([code, err.split('\n')[1]]).toEqual([4, 'code: unauthorized'])
})

it('sends a test event immediately, directly to a URL or through a subscription', async () => {
  const receiver = await openReceiver()
  const none = await command(`trigger employee.rehired --forward-to ${receiver.url}`, env())
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('no employee.rehired event exists yet')])
  for (const [name, error] of [
    ['employee.fired', "event: 'employee.fired' is not an event. The names are at "],
    ['employee.create', "event: 'employee.create' is not a known value. Did you mean employee.created?"],
  ]) {
    const unknown = await command(`trigger ${name} --forward-to ${receiver.url}`, env())
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining(error!)])
    expect(unknown.err).not.toContain('[0]')
  }
  // The service may be below a path of its proxy.
  const detail = { field: 'event_name[0]', message: 'must be one of employee.created' }
  const body_of_refusal = JSON.stringify({ error: { code: 'invalid_request', message: 'Wrong', details: [detail] } })
  const proxy = createServer((_, response) => response.writeHead(400).end(body_of_refusal)).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/benefits`
  const below = await command(`trigger a.b --forward-to ${receiver.url}`, { ...env(), OPENBENEFITS_URL: url })
  proxy.close()
  expect(below.err).toContain(`The names are at ${url}/docs/events`)
  const employer_id = await createEmployer(api)
  const posted = await command(`trigger employer.created --forward-to ${receiver.url} --json`, env())
  const { secret, outcome } = JSON.parse(posted.out)
  const [{ text, headers, body }] = receiver.received as [(typeof receiver.received)[number]]
  expect([outcome, body.data.resource_id]).toEqual(['→ 204', employer_id])
  expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
  const repeated = await command(`trigger employer.created --forward-to ${receiver.url}`, env())
  expect(repeated.out).toContain(`Signing secret: ${secret}\n`)

  const nowhere = await command('trigger employer.created', env())
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('--forward-to')])
  const { id } = (await api.post('/v1/webhook-subscriptions', { url: receiver.url })).body.data
  const later = await createEmployer(api)
  await api.deliver()
  for (const name of ['webhook_subscription.test', 'employer.created']) {
    const sent = await command(`trigger ${name}`, env())
    expect([sent.code, sent.out]).toEqual([0, expect.stringContaining(`Sending ${name} to ${id}`)])
    await api.deliver()
  }
  expect(receiver.received.slice(-2).map((each) => [each.body.type, each.body.data.resource_id])).toEqual([
    ['webhook_subscription.test', id],
    ['employer.created', later],
  ])
})
