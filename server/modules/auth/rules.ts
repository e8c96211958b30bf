import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Caller, Reach } from '../../platform/caller.ts'
import { declareRefusals } from '../../kernel/refusal.ts'
import type { Role } from '../../platform/permissions.ts'
import type { BoundEntity } from './schemas.ts'

export const refusals = declareRefusals({
  user_is_not_a_member: [422, 'A key is bound to an organization of its owner: make the user a member of it first.'],
})

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number in base62, padded with zeros to a length. */
function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits.padStart(length, '0')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6)

/**
 * A new API key: `obk_live_` or `obk_test_`, 192 random bits in base62, and the CRC32 of all before it in the
 * last six characters. Shown once; only its SHA-256 is stored.
 */
export function newApiKey(mode: 'live' | 'test'): string {
  const body = `obk_${mode}_${base62(BigInt(`0x${randomBytes(24).toString('hex')}`), 33)}`
  return body + checksum(body)
}

/** Whether a text can be an API key: a typo is found by its checksum, without asking the database. */
export const isApiKey = (text: string): boolean =>
  /^obk_(live|test)_[0-9A-Za-z]{39}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)

/** How long an access token lives, in seconds. */
export const token_lifetime = 900

/** What is signed into an access token, besides its times. */
export type TokenClaims = { key_id: string; bound_entity: BoundEntity | null; organization_id: string | null }

/** An API key as stored, with what its owner reaches today. */
export type Credential = {
  key_id: string
  user_id: string
  rate_limited: boolean
  /** null: every organization */
  organization_ids: string[] | null
  /** the owner's role in each of its organizations that the key is open to */
  roles: Record<string, Role>
  /** the owner's role in the organization whose members reach every one, when the key is of such a one */
  super_role: Role | null
  /** how many days ahead those of them live that do */
  clocks: Record<string, number>
}

/** Whether a key reaches an organization. */
export const reachesOrganization = ({ organization_ids }: Credential, organization_id: string): boolean =>
  organization_ids === null || organization_ids.includes(organization_id)

const everything = { employer_id: null, employee_id: null }

/** The caller behind an API key. */
export const keyCaller = (credential: Credential): Caller => ({
  kind: 'api_key',
  credential_id: credential.key_id,
  key_id: credential.key_id,
  user_id: credential.user_id,
  reach: { organization_ids: credential.organization_ids, ...everything },
  roles: credential.roles,
  super_role: credential.super_role,
  rate_limited: credential.rate_limited,
  clocks: credential.clocks,
})

/**
 * The caller behind an access token: unbound, as its API key; bound, one employer or one employee and nothing
 * else. Undefined when the key no longer reaches the organization of the bound entity.
 */
export function tokenCaller(credential: Credential, claims: TokenClaims): Caller | undefined {
  const caller = keyCaller(credential)
  const { bound_entity, organization_id } = claims
  if (!bound_entity || organization_id === null) return { ...caller, kind: 'access_token' }
  if (!reachesOrganization(credential, organization_id)) return undefined
  const reach: Reach =
    bound_entity.type === 'employer'
      ? { organization_ids: [organization_id], employer_id: bound_entity.id, employee_id: null }
      : { organization_ids: [organization_id], employer_id: null, employee_id: bound_entity.id }
  return {
    ...caller,
    kind: `${bound_entity.type}_token`,
    credential_id: `${credential.key_id}/${bound_entity.id}`,
    reach,
  }
}
