import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

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
  /** the operator's credential, `obop_…` */
  operator_key: string
}

export type Secrets = {
  encrypt(plain: string): Buffer
  decrypt(sealed: Buffer): string
  /** Finds an encrypted value without decrypting: the same text gives the same 32 bytes. */
  lookupHash(text: string): Buffer
  token_key: Uint8Array
  isOperatorKey(candidate: string): boolean
}

/** SHA-256: how credentials with enough entropy of their own are stored. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

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
  const operator = sha256(keys.operator_key)

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
    isOperatorKey: (candidate) => timingSafeEqual(sha256(candidate), operator),
  }
}
