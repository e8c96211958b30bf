import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Secrets } from '../secrets.ts'

const prefix = 'obat_'
const signing = { alg: 'HS256', issuer: 'openbenefits' }

/** Whether a text claims to be an access token. */
export const isAccessToken = (text: string): boolean => text.startsWith(prefix)

/** Signs an access token, `obat_…`, that lives for so many seconds from an instant on. */
export async function signAccessToken(
  { tokenKeys }: Secrets,
  claims: JWTPayload,
  now: string,
  lifetime: number,
): Promise<string> {
  const issued_at = Math.floor(Date.parse(now) / 1000)
  const jwt = await new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg })
    .setIssuer(signing.issuer)
    .setIssuedAt(issued_at)
    .setExpirationTime(issued_at + lifetime)
    .setJti(randomUUID())
    .sign(tokenKeys()[0]!)
  return prefix + jwt
}

/** What is signed into a token; undefined for one that is not ours, was changed, or has ended. */
export const readAccessToken = <Claims>(secrets: Secrets, token: string, now_ms: number): Promise<Claims | undefined> =>
  readSigned<Claims>(secrets, signing, token.slice(prefix.length), now_ms)

/** What one of our token keys has signed as this issuer, as long as it is good. */
export async function readSigned<Claims>(
  { tokenKeys }: Secrets,
  { alg, issuer }: { alg: string; issuer: string },
  jwt: string,
  now_ms: number,
): Promise<Claims | undefined> {
  const asked = { algorithms: [alg], issuer, currentDate: new Date(now_ms) }
  for (const key of tokenKeys()) {
    try {
      return (await jwtVerify<Claims>(jwt, key, asked)).payload
    } catch {
      // It may be the next one's.
    }
  }
  return undefined
}
