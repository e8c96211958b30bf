import { describe, expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'

const hsts = 'max-age=31536000'

describe('behind a trusted proxy', () => {
  const api = useApi({ trusted_proxies: ['127.0.0.0/8'] })
  const sentOver = async (proto: string, path = '/v1/employers') =>
    (await api.get(path, { headers: { 'x-forwarded-proto': proto } })).headers.get('strict-transport-security')

  it('responses over https include Strict-Transport-Security', async () => {
    expect(await sentOver('https')).toBe(hsts)
    for (const path of ['/docs', '/sign-in', '/health/live', '/v1/nowhere', '/v1/openapi.json'])
      expect(await sentOver('https', path), path).toBe(hsts)
  })

  it('responses over http omit it', async () => {
    expect(await sentOver('http')).toBeNull()
  })
})

describe('without a trusted proxy', () => {
  const api = useApi()

  it('a client cannot claim that its request came over https', async () => {
    const { headers } = await api.get('/v1/employers', { headers: { 'x-forwarded-proto': 'https' } })
    expect(headers.get('strict-transport-security')).toBeNull()
  })
})
