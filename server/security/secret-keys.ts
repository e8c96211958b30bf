/**
 * What a database knows of the keys by which its values were made: which have been in use, by check values, and not the
 * keys. A hash key that is in use no more is kept itself, encrypted, for the days of the audit trail that it holds
 * together.
 */
import { ConfigError } from '../kernel/config.ts'
import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'
import {
  checkValueOf,
  isOf,
  openSecrets,
  ringOf,
  type AuditKeys,
  type RingKey,
  type RingName,
  type SecretKeys,
  type Secrets,
} from './secrets.ts'
import { isStale, reseal } from './key-age.ts'

/** A key that has been in use; `retired_at`: since when it is so no more. */
export type NotedKey = {
  secret: RingName
  id: string
  check_value: Buffer
  noted_at: string
  audit_from: string | null
  retired_at: string | null
  key_sealed: Buffer | null
}

const noted = statement(
  'secretKeys.listNoted',
  `select secret, id, check_value, noted_at, audit_from, retired_at, key_sealed from secret_keys
    order by audit_from desc nulls last, noted_at desc, id`,
)

export const listNotedKeys = (db: Db) => noted.rows<NotedKey>({ db })

export const other_hash_key =
  'The hash key is another than the one by which this database finds EINs: start with the one that it was ' +
  'started with before, from HASH_KEY or secrets.json.'
export const otherEncryptionKey = (id: string) =>
  `The encryption key ${id} is missing, or another than the one with which values of this database are ` +
  'encrypted: start with the one that it was started with before, from ENCRYPTION_KEYS or secrets.json.'
const replaced = (secret: RingName) =>
  `${secret} begins with a key that was replaced: take it away, or put the one that followed it in front.`

/**
 * Throws ConfigError where a key is missing by which values of the database were made, or one is to be used that was
 * replaced. Token keys may be missing: what they signed ends then.
 */
export function requireNotedKeys(known: NotedKey[], keys: SecretKeys): void {
  for (const { secret, id, check_value, retired_at } of known) {
    const ring = ringOf(secret, keys)
    if (retired_at !== null) {
      if (ring[0]!.id === id) throw new ConfigError(replaced(secret))
      continue
    }
    if (secret === 'TOKEN_KEY') continue
    const is_there = ring.some((each) => each.id === id && isOf(secret, each, check_value))
    if (!is_there) throw new ConfigError(secret === 'HASH_KEY' ? other_hash_key : otherEncryptionKey(id))
  }
}

const key_noted = statement(
  'secretKeys.noteKey',
  `insert into secret_keys (secret, id, check_value, noted_at, audit_from)
   values (:secret, :id, :check_value, now(),
           case when :secret::text = 'HASH_KEY' then
             case when exists (select from secret_keys where secret = 'HASH_KEY')
                  -- From a day on by whose begin every process has learned of it.
                  then (now() at time zone 'UTC')::date + 2 else '-infinity'::date end end)
   on conflict do nothing`,
)

export const noteKey = (db: Db, secret: RingName, key: RingKey) =>
  key_noted.rows({ db }, { secret, id: key.id, check_value: checkValueOf(secret, key) })

const key_retired = statement(
  'secretKeys.retireKey',
  `update secret_keys set retired_at = coalesce(retired_at, now()), key_sealed = :key_sealed
    where secret = :secret and id = :id`,
)

/** Notes that a key is needed no more; a hash key only for the days of the audit trail that it holds. */
export const retireKey = (db: Db, secrets: Secrets, secret: RingName, { id, key }: RingKey) =>
  key_retired.rows(
    { db },
    {
      secret,
      id,
      key_sealed: secret === 'HASH_KEY' ? secrets.encrypt(key.toString('base64')) : null,
    },
  )

/** Encrypts the hash keys that are kept for the audit trail with the key of now. */
export async function resealHashKeys(db: Db, secrets: Secrets): Promise<void> {
  for (const { secret, id, key_sealed } of await listNotedKeys(db))
    if (key_sealed && isStale(secrets, key_sealed))
      await key_retired.rows({ db }, { secret, id, key_sealed: reseal(secrets, key_sealed) })
}

/** By which key each day of the audit trail is held together. */
function auditKeysOf(known: NotedKey[], keys: SecretKeys): AuditKeys {
  const ring = ringOf('HASH_KEY', keys)
  const secrets = openSecrets(keys)
  return known.flatMap(({ id, audit_from, key_sealed }) => {
    if (audit_from === null) return []
    const key = key_sealed
      ? Buffer.from(secrets.decrypt(key_sealed), 'base64')
      : ring.find((each) => each.id === id)?.key
    return key ? [{ from: audit_from, key }] : []
  })
}

/** The working functions of keys, with what a database knows of former ones. */
export const openKnownSecrets = async (db: Db, keys: SecretKeys): Promise<Secrets> =>
  openSecrets(keys, auditKeysOf(await listNotedKeys(db), keys))

/** Has everybody who has some secrets go by other keys, with what a database knows of former ones. */
export const renewSecrets = async (db: Db, secrets: Secrets, keys: SecretKeys): Promise<void> =>
  secrets.renew(keys, auditKeysOf(await listNotedKeys(db), keys))
