import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The keys of an installation. Each encryption key has an id so that old ciphertexts stay readable after a rotation.
 */
export type SecretKeys = {
  /** `id:base64 of 32 bytes`, comma separated; the first encrypts, all decrypt */
  encryption_keys: string
  /** keys the hash by which encrypted values are found, such as an EIN */
  hash_key: string
  /** signs access tokens */
  token_key: string
  /** the bootstrap key, `obop_…`: it makes the first owner, and nothing else */
  operator_key: string
}

export type Secrets = {
  encrypt(plain: string): Buffer
  decrypt(sealed: Buffer): string
  /** Finds an encrypted value without decrypting: the same text gives the same 32 bytes. */
  lookupHash(text: string): Buffer
  token_key: Uint8Array
  isBootstrapKey(candidate: string): boolean
}

/** SHA-256: how credentials with enough entropy of their own are stored. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A number in base62, padded with zeros to a length. */
function base62(number: bigint, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits
  return digits.padStart(length, '0')
}

const checksum = (text: string): string => base62(BigInt(crc32(text)), 6)

/**
 * A new key that is shown once, and of which only the SHA-256 is stored: the prefix, 192 random bits in base62, and the
 * CRC32 of all before it in the last six characters.
 */
export function mintKey(prefix: string): string {
  const body = prefix + base62(BigInt(`0x${randomBytes(24).toString('hex')}`), 33)
  return body + checksum(body)
}

/** Whether a text can be a key with this prefix: a typo is found by its checksum, without asking the database. */
export const isMintedKey = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) &&
  /^[0-9A-Za-z]{39}$/.test(text.slice(prefix.length)) &&
  checksum(text.slice(0, -6)) === text.slice(-6)

/** New random keys for an installation that has none. */
export const newSecretKeys = (): SecretKeys => ({
  encryption_keys: `k1:${randomBytes(32).toString('base64')}`,
  hash_key: randomBytes(32).toString('base64'),
  token_key: randomBytes(32).toString('base64'),
  operator_key: `obop_${randomBytes(30).toString('base64url')}`,
})

/**
 * Makes the working functions of an installation's keys. Ciphertext: key id length, key id, 12-byte nonce, 16-byte tag,
 * text (AES-256-GCM).
 */
export function openSecrets(keys: SecretKeys): Secrets {
  const ring = new Map(
    keys.encryption_keys.split(',').map((entry) => {
      const [id = '', key = ''] = entry.split(':')
      return [id, Buffer.from(key, 'base64')]
    }),
  )
  const [current = ''] = ring.keys()
  const hash_key = Buffer.from(keys.hash_key, 'base64')
  const bootstrap = sha256(keys.operator_key)

  return {
    encrypt(plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', ring.get(current)!, nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([current.length]), Buffer.from(current), nonce, cipher.getAuthTag(), body])
    },
    decrypt(sealed) {
      const start = 1 + sealed[0]!
      const key = ring.get(sealed.subarray(1, start).toString())
      if (!key) throw new Error('A stored value was encrypted with a key that ENCRYPTION_KEYS no longer names.')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(start, start + 12))
      decipher.setAuthTag(sealed.subarray(start + 12, start + 28))
      return decipher.update(sealed.subarray(start + 28), undefined, 'utf8') + decipher.final('utf8')
    },
    lookupHash: (text) => createHmac('sha256', hash_key).update(text).digest(),
    token_key: Buffer.from(keys.token_key, 'base64'),
    isBootstrapKey: (candidate) => timingSafeEqual(sha256(candidate), bootstrap),
  }
}
