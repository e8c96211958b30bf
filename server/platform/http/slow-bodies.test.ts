import { expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'
import { wireTo } from '../../test/wire.ts'

const api = useApi()

/** Sends half a census by a key of its own, lets something happen meanwhile, and then the rest. */
async function sendSlowly(employer_id: string, meanwhile: (api_key_id: string) => Promise<void>): Promise<string> {
  const { id, api_key } = (await api.post('/v1/api-keys', { name: 'Slow' })).body.data
  const body = JSON.stringify({ employees: [aPerson(), aPerson()] })
  const wire = await wireTo(api.url)
  const head = [
    `POST /v1/employers/${employer_id}/census-sync HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${api_key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  wire.say(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 100)}`)
  // Answered one after the other, these say that the head has long been read.
  for (let asked = 0; asked < 5; asked++) await createEmployer(api)
  await meanwhile(id)
  wire.say(body.slice(100))
  return wire.hears(/^HTTP[^]*\r\n\r\n[^]/)
}

const syncs = async (employer_id: string) =>
  (await api.get(`/v1/employers/${employer_id}/census-sync` as const)).body.data.length

it('takes a body that comes slowly', async () => {
  const employer_id = await createEmployer(api)
  expect(await sendSlowly(employer_id, async () => api.wait(20_000))).toMatch(/^HTTP\/1.1 202 /)
  expect(await syncs(employer_id)).toBe(1)
})

it('takes none whose key was revoked 5 seconds ago, while it came', async () => {
  const employer_id = await createEmployer(api)
  const answer = await sendSlowly(employer_id, async (id) => {
    expect((await api.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(200)
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  expect(await syncs(employer_id)).toBe(0)
})
