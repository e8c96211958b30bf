import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Secrets } from '../secrets.ts'

const prefix = 'obat_'
const signing = { alg: 'HS256', issuer: 'openbenefits' }

/** Whether a text claims to be an access token. */
export const isAccessToken = (text: string): boolean => text.startsWith(prefix)

/** Signs an access token, `obat_…`, that lives for so many seconds from an instant on. */
export async function signAccessToken(
  { token_key }: Secrets,
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
    .sign(token_key)
  return prefix + jwt
}

/** What is signed into a token; undefined for one that is not ours, was changed, or has ended. */
export async function readAccessToken<Claims>(
  { token_key }: Secrets,
  token: string,
  now_ms: number,
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify<Claims>(token.slice(prefix.length), token_key, {
      algorithms: [signing.alg],
      issuer: signing.issuer,
      currentDate: new Date(now_ms),
    })
    return payload
  } catch {
    return undefined
  }
}
