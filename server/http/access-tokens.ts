import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { z } from 'zod'
import type { Secrets } from '../security/secrets.ts'

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

/** The claims of a token; undefined for one that is not ours, was changed, has ended, or lacks a claim. */
export const readAccessToken = <Shape extends z.ZodType>(
  secrets: Secrets,
  shape: Shape,
  token: string,
  now_ms: number,
): Promise<z.output<Shape> | undefined> => readSigned(secrets, signing, shape, token.slice(prefix.length), now_ms)

/** The `exp` of a token, which must have one: a Unix second that a Date can hold. */
export const Expiry = z.int().positive().max(8.64e12)

/**
 * The claims that one of our token keys has signed as this issuer, as long as they are good. Their shape is checked
 * too, because other programs may have the key.
 */
export async function readSigned<Shape extends z.ZodType>(
  { tokenKeys }: Secrets,
  { alg, issuer }: { alg: string; issuer: string },
  shape: Shape,
  jwt: string,
  now_ms: number,
): Promise<z.output<Shape> | undefined> {
  const asked = { algorithms: [alg], issuer, currentDate: new Date(now_ms) }
  for (const key of tokenKeys()) {
    try {
      return shape.safeParse((await jwtVerify(jwt, key, asked)).payload).data
    } catch {
      // It may be the next one's.
    }
  }
  return undefined
}
