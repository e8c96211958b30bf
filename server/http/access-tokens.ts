import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { z } from 'zod'
import type { Secrets } from '../security/secrets.ts'

const prefix = 'obat_'
const signing = { alg: 'HS256', issuer: 'openbenefits' }

/** Whether a string claims to be an access token. */
export const isAccessToken = (text: string): boolean => text.startsWith(prefix)

/** Signs an access token, `obat_…`. `lifetime` is in seconds from `now`. */
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

/** The claims of a token. Undefined if it is forged, changed, expired or incomplete. */
export const readAccessToken = <Shape extends z.ZodType>(
  secrets: Secrets,
  shape: Shape,
  token: string,
  now_ms: number,
): Promise<z.output<Shape> | undefined> => readSigned(secrets, signing, shape, token.slice(prefix.length), now_ms)

/** The required `exp` claim of a token: Unix seconds within the range of a Date. */
export const Expiry = z.int().positive().max(8.64e12)

/**
 * The claims of an unexpired token that one of our token keys signed for this issuer. Their shape is checked, because
 * other programs may have the key.
 */
export async function readSigned<Shape extends z.ZodType>(
  { tokenKeys }: Secrets,
  { alg, issuer }: { alg: string; issuer: string },
  shape: Shape,
  jwt: string,
  now_ms: number,
): Promise<z.output<Shape> | undefined> {
  const options = { algorithms: [alg], issuer, currentDate: new Date(now_ms) }
  for (const key of tokenKeys()) {
    try {
      return shape.safeParse((await jwtVerify(jwt, key, options)).payload).data
    } catch {
      // Try the next key.
    }
  }
  return undefined
}
