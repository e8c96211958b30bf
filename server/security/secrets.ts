import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The keys of an installation. Three of them are rings of comma-separated keys: the first one encrypts, hashes or signs
 * new values, and all can read existing values. This allows rotation while the service runs.
 */
export type SecretKeys = {
  /** `id:base64 of 32 bytes`. Keys that encrypt values. */
  encryption_keys: string
  /** Base64. Keys of the hashes that are used to find encrypted values, such as EINs. */
  hash_key: string
  /** Base64. Keys that sign access tokens and links. */
  token_key: string
  /** The bootstrap key, `obop_…`, which can only create the first owner. */
  operator_key: string
}

/** The secrets that are rings, by the names of their settings. */
export const ring_fields = {
  ENCRYPTION_KEYS: 'encryption_keys',
  HASH_KEY: 'hash_key',
  TOKEN_KEY: 'token_key',
} as const satisfies Record<string, keyof SecretKeys>

export type RingName = keyof typeof ring_fields

export const ring_names = Object.keys(ring_fields) as RingName[]

/** A key of a ring. `id` does not reveal the key; `text` is its form in the setting. */
export type RingKey = { id: string; key: Buffer; text: string }

/** Fixed strings whose hash with a key identifies the key. */
const probes = { HASH_KEY: 'the hash key of this database', TOKEN_KEY: 'a token key of this database' }
const encryption_probe = 'an encryption key of this database'

const keyedHash = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The keys of a ring. The first one is used for new values. */
export const ringOf = (name: RingName, keys: SecretKeys): RingKey[] =>
  keys[ring_fields[name]].split(',').map((text) => {
    const [first = '', second = ''] = text.split(':')
    if (name === 'ENCRYPTION_KEYS') return { id: first, key: Buffer.from(second, 'base64'), text }
    const key = Buffer.from(first, 'base64')
    return { id: keyedHash(key, probes[name]).toString('hex').slice(0, 8), key, text }
  })

/** The check value of a key: a fixed text, hashed or encrypted with it. A database stores it to recognize the key. */
export const checkValueOf = (name: RingName, { id, key }: RingKey): Buffer =>
  name === 'ENCRYPTION_KEYS' ? seal({ id, key }, encryption_probe) : keyedHash(key, probes[name])

/** True if a check value belongs to a key. */
export function isCheckValueOf(name: RingName, ring_key: RingKey, check_value: Buffer): boolean {
  if (name !== 'ENCRYPTION_KEYS') return checkValueOf(name, ring_key).equals(check_value)
  try {
    return unseal(ring_key.key, check_value).toString() === encryption_probe
  } catch {
    return false
  }
}

/** The hash keys of the audit log with the first day of each, latest first. */
export type AuditKeys = { from: string; key: Buffer }[]

export type Secrets = {
  encrypt(plain: string | Uint8Array): Buffer
  decrypt(sealed: Buffer): string
  decryptBytes(sealed: Buffer): Buffer
  /** Encrypts with a separate key, derived from the current key and the purpose. */
  encryptFor(purpose: string, plain: string): Buffer
  /** Decrypts a value that was encrypted for the same purpose. Throws for any other. */
  decryptFor(purpose: string, sealed: Buffer): string
  /** The prefix of every value that is encrypted with the current key, and of no other value. */
  mark(): Buffer
  /** 32 bytes that are equal for equal strings, to find an encrypted value without decrypting. */
  lookupHash(text: string): Buffer
  /** All hashes under which a string may be stored during a rotation, the current one first. */
  lookupHashes(text: string): Buffer[]
  /** The key of a day of the audit log. */
  auditKey(day: string): Buffer
  /** The first key signs; all are valid for verification. */
  tokenKeys(): Buffer[]
  /** Compares the SHA-256 of a candidate in constant time. */
  isBootstrapKey(candidate_hash: Buffer): boolean
  /** Replaces the keys for all holders of this object. */
  renew(keys: SecretKeys, audit: AuditKeys): void
}

/** SHA-256, for storing credentials that have enough entropy themselves. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number in base62, padded with zeros to a length. */
function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits.padStart(length, '0')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6)

/**
 * A new key that is shown once. Only its SHA-256 is stored. It consists of the prefix, 192 random bits in base62, and
 * the CRC32 of both in the last six characters.
 */
export function mintKey(prefix: string): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(24).toString('hex')}`), 33)
  return body + checksum(body)
}

/** True if a string has the form of a key with this prefix. The checksum detects typos without a database query. */
export const isMintedKey = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) &&
  /^[0-9A-Za-z]{39}$/.test(text.slice(prefix.length)) &&
  checksum(text.slice(0, -6)) === text.slice(-6)

const newKey = (): string => randomBytes(32).toString('base64')

export const newOperatorSecret = (): string => `obop_${randomBytes(30).toString('base64url')}`

/** New random keys for an installation that has none. */
export const newSecretKeys = (): SecretKeys => ({
  encryption_keys: `k1:${newKey()}`,
  hash_key: newKey(),
  token_key: newKey(),
  operator_key: newOperatorSecret(),
})

/** A new key for a ring in the form of its setting. An encryption key gets an unused id. */
export function newRingKey(name: RingName, ids: string[]): string {
  if (name !== 'ENCRYPTION_KEYS') return newKey()
  const numbers = ids.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0))
  return `k${Math.max(...numbers) + 1}:${newKey()}`
}

/** Ciphertext: key id length, key id, 12-byte nonce, 16-byte tag, text or bytes (AES-256-GCM). */
function seal({ id, key }: Pick<RingKey, 'id' | 'key'>, plain: string | Uint8Array): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([markOf(id), nonce, cipher.getAuthTag(), body])
}

const markOf = (id: string): Buffer => Buffer.concat([Buffer.from([id.length]), Buffer.from(id)])

/** The id of the key that encrypted a value. */
const sealedBy = (sealed: Buffer): string => sealed.subarray(1, 1 + sealed[0]!).toString()

function unseal(key: Buffer, sealed: Buffer): Buffer {
  const start = 1 + sealed[0]!
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(start, start + 12))
  decipher.setAuthTag(sealed.subarray(start + 12, start + 28))
  return Buffer.concat([decipher.update(sealed.subarray(start + 28)), decipher.final()])
}

/**
 * Reads the keys of an installation. If a day of the audit log is older than the first key in `audit`, the current hash
 * key applies to it.
 */
export function openSecrets(keys: SecretKeys, audit: AuditKeys = []): Secrets {
  const open = (given: SecretKeys, audit_keys: AuditKeys) => ({
    encrypting: ringOf('ENCRYPTION_KEYS', given),
    hashing: ringOf('HASH_KEY', given).map(({ key }) => key),
    signing: ringOf('TOKEN_KEY', given).map(({ key }) => key),
    bootstrap: sha256(given.operator_key),
    audit_keys,
  })
  let now = open(keys, audit)
  const keyOf = (sealed: Buffer): Buffer => {
    const by = now.encrypting.find(({ id }) => id === sealedBy(sealed))
    if (!by) throw new Error('A stored value was encrypted with a key that ENCRYPTION_KEYS no longer contains.')
    return by.key
  }
  const decryptBytes = (sealed: Buffer): Buffer => unseal(keyOf(sealed), sealed)

  return {
    encrypt: (plain) => seal(now.encrypting[0]!, plain),
    decrypt: (sealed) => decryptBytes(sealed).toString(),
    decryptBytes,
    encryptFor: (purpose, plain) => {
      const { id, key } = now.encrypting[0]!
      return seal({ id, key: keyedHash(key, purpose) }, plain)
    },
    decryptFor: (purpose, sealed) => unseal(keyedHash(keyOf(sealed), purpose), sealed).toString(),
    mark: () => markOf(now.encrypting[0]!.id),
    lookupHash: (text) => keyedHash(now.hashing[0]!, text),
    lookupHashes: (text) => now.hashing.map((key) => keyedHash(key, text)),
    auditKey: (day) =>
      keyedHash(now.audit_keys.find(({ from }) => from <= day)?.key ?? now.hashing[0]!, `audit trail of ${day}`),
    tokenKeys: () => now.signing,
    isBootstrapKey: (candidate_hash) => timingSafeEqual(candidate_hash, now.bootstrap),
    renew: (others, audit_keys) => void (now = open(others, audit_keys)),
  }
}

/** Whether a value was encrypted with a key other than the current one. */
export function isOutdated(secrets: Secrets, sealed: Buffer): boolean {
  const mark = secrets.mark()
  return !sealed.subarray(0, mark.length).equals(mark)
}

/**
 * SQL: whether a column was encrypted with a key other than the current one. Null if the column is null. `:mark` is the
 * prefix of values encrypted with the current key.
 */
export const isOutdatedIn = (column: string): string => `substr(${column}, 1,
octet_length(:mark::bytea)) <> :mark::bytea`

/** The same text or bytes, encrypted with the current key. */
export const reseal = (secrets: Secrets, sealed: Buffer): Buffer => secrets.encrypt(secrets.decryptBytes(sealed))
