import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openid, type SignInFlow } from './openid.ts'

const client = { client_id: 'openbenefits', client_secret: 'a-secret-of-the-client-of-the-tests' }
const redirect_uri = 'http://127.0.0.1/sign-in/callback'

/** A provider whose next ID token is defined by the test. */
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/jwks') return void response.end(JSON.stringify({ keys: [jwk] }))
  if (request.url !== '/token') return void response.end(JSON.stringify(metadata()))
  void sign(next!).then((id_token) =>
    response.end(JSON.stringify({ access_token: 'at', token_type: 'bearer', id_token })),
  )
})
let issuer: string
let own_key: CryptoKey
let other_key: CryptoKey
let jwk: object
let next: { nonce: string; key: CryptoKey | undefined; claims: Record<string, unknown> } | undefined

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = await generateKeyPair('RS256')
  own_key = own.privateKey
  other_key = (await generateKeyPair('RS256')).privateKey
  jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
})
afterAll(() => void server.close())

const metadata = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  id_token_signing_alg_values_supported: ['RS256'],
})

function sign({ nonce, key, claims }: NonNullable<typeof next>): Promise<string> {
  const all = { iss: issuer, aud: client.client_id, sub: 'kate', nonce, email_verified: true, ...claims }
  const times = <T extends SignJWT | UnsecuredJWT>(jwt: T) => jwt.setIssuedAt().setExpirationTime('5m') as T
  if (!key) return Promise.resolve(times(new UnsecuredJWT(all)).encode())
  return times(new SignJWT(all)).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)
}

/** The identity after the provider returned these claims, signed with this key. */
async function cameBack(claims: Record<string, unknown>, key: CryptoKey | undefined = own_key) {
  const provider = openid({ issuer, ...client, allowed_domains: [] })
  const { flow }: { flow: SignInFlow } = await provider.begin(redirect_uri, 60)
  next = { nonce: flow.nonce, key, claims: { email: 'kate@example.com', ...claims } }
  return provider.finish(`${redirect_uri}?code=c&state=${flow.state}`, flow)
}

it('accepts an ID token that the provider has signed', async () => {
  expect(await cameBack({})).toMatchObject({ issuer, subject: 'kate', email: 'kate@example.com' })
})

it('rejects an ID token that is unsigned or signed with another key', async () => {
  expect(await cameBack({}, other_key)).toBeUndefined()
  next = undefined
  const provider = openid({ issuer, ...client, allowed_domains: [] })
  const { flow } = await provider.begin(redirect_uri, 60)
  next = { nonce: flow.nonce, key: undefined, claims: { email: 'kate@example.com' } }
  expect(await provider.finish(`${redirect_uri}?code=c&state=${flow.state}`, flow)).toBeUndefined()
})

it.each([
  ['an empty subject', { sub: '' }],
  ['a blank subject', { sub: '  ' }],
  ['a subject that is not text', { sub: 7 }],
  ['a null subject', { sub: null }],
  ['a subject that is longer than the standard allows', { sub: 'x'.repeat(256) }],
])('rejects an ID token with %s', async (_, claims) => {
  expect(await cameBack(claims)).toBeUndefined()
})

it.each([
  ['the Kelvin sign for k', '\u212aate@example.com'],
  ['full-width letters', 'ｋate@example.com'],
  ['a Kelvin sign in the domain', 'ada@\u212aorp.example'],
  ['a value that is not an address', 'kate'],
  ['a value that is not text', ['kate@example.com']],
])('trusts no email address with %s', async (_, email) => {
  expect(await cameBack({ email })).toMatchObject({ subject: 'kate', email: null })
})
