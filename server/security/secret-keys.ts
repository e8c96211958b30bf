/**
 * The keys that a database has recorded: those that have been in use, by check values instead of the keys themselves.
 * Only a retired hash key is stored, encrypted, since it verifies the audit log of its days.
 */
import { ConfigError } from '../kernel/config.ts'
import type { Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'
import {
  checkValueOf,
  isCheckValueOf,
  openSecrets,
  ringOf,
  type AuditKeys,
  type RingKey,
  type RingName,
  type SecretKeys,
  type Secrets,
  isOutdated,
  reseal,
} from './secrets.ts'

/** A key that has been in use. `retired_at` is null while it still is. */
export type NotedKey = {
  secret: RingName
  id: string
  check_value: Buffer
  recorded_at: string
  audit_from: string | null
  retired_at: string | null
  key_sealed: Buffer | null
}

export const listNotedKeys = statement(
  'secretKeys.listNoted',
  `select secret, id, check_value, recorded_at, audit_from, retired_at, key_sealed from secret_keys
    order by audit_from desc nulls last, recorded_at desc, id`,
).rows<NotedKey>

const other_hash_key =
  'The hash key differs from the one with which this database finds EINs. Start with the previous one, ' +
  'from HASH_KEY or secrets.json.'
const otherEncryptionKey = (id: string) =>
  `The encryption key ${id} is missing, or differs from the one with which values of this database are ` +
  'encrypted. Start with the previous one, from ENCRYPTION_KEYS or secrets.json.'
const replaced = (secret: RingName) =>
  `${secret} begins with a key that was replaced. Remove it, or move its successor to the front.`

/**
 * Throws ConfigError if a key of stored values is missing, or if a retired key would be used. Token keys may be
 * missing: their tokens and links become invalid.
 */
export function requireNotedKeys(known: NotedKey[], keys: SecretKeys): void {
  for (const { secret, id, check_value, retired_at } of known) {
    const ring = ringOf(secret, keys)
    if (retired_at !== null) {
      if (ring[0]!.id === id) throw new ConfigError(replaced(secret))
      continue
    }
    if (secret === 'TOKEN_KEY') continue
    const is_there = ring.some((key) => key.id === id && isCheckValueOf(secret, key, check_value))
    if (!is_there) throw new ConfigError(secret === 'HASH_KEY' ? other_hash_key : otherEncryptionKey(id))
  }
}

const key_noted = statement(
  'secretKeys.recordKey',
  `insert into secret_keys (secret, id, check_value, recorded_at, audit_from)
   values (:secret, :id, :check_value, now(),
           case when :secret::text = 'HASH_KEY' then
             case when exists (select from secret_keys where secret = 'HASH_KEY')
                  -- Every process has loaded the key by the start of this day.
                  then (now() at time zone 'UTC')::date + 2 else '-infinity'::date end end)
   on conflict do nothing`,
)

export const recordKey = (db: Db, secret: RingName, key: RingKey) =>
  key_noted.rows({ db }, { secret, id: key.id, check_value: checkValueOf(secret, key) })

const key_retired = statement(
  'secretKeys.retireKey',
  `update secret_keys set retired_at = coalesce(retired_at, now()), key_sealed = :key_sealed
    where secret = :secret and id = :id`,
)

/** Retires a key. A hash key is kept, encrypted, to verify the audit log of its days. */
export const retireKey = (db: Db, secrets: Secrets, secret: RingName, { id, key }: RingKey) =>
  key_retired.rows(
    { db },
    {
      secret,
      id,
      key_sealed: secret === 'HASH_KEY' ? secrets.encrypt(key.toString('base64')) : null,
    },
  )

/** Encrypts the retired hash keys with the current key. */
export async function resealHashKeys(db: Db, secrets: Secrets): Promise<void> {
  for (const { secret, id, key_sealed } of await listNotedKeys({ db }))
    if (key_sealed && isOutdated(secrets, key_sealed))
      await key_retired.rows({ db }, { secret, id, key_sealed: reseal(secrets, key_sealed) })
}

/** The hash key of each period of the audit log. */
function auditKeysOf(known: NotedKey[], keys: SecretKeys): AuditKeys {
  const ring = ringOf('HASH_KEY', keys)
  const secrets = openSecrets(keys)
  return known.flatMap(({ id, audit_from, key_sealed }) => {
    if (audit_from === null) return []
    const key = key_sealed ? Buffer.from(secrets.decrypt(key_sealed), 'base64') : ring.find((key) => key.id === id)?.key
    return key ? [{ from: audit_from, key }] : []
  })
}

/** The secrets of an installation's keys, including the retired hash keys that a database stores. */
export const openKnownSecrets = async (db: Db, keys: SecretKeys): Promise<Secrets> =>
  openSecrets(keys, auditKeysOf(await listNotedKeys({ db }), keys))

/** Replaces the keys of secrets in use, including the retired hash keys that a database stores. */
export const renewSecrets = async (db: Db, secrets: Secrets, keys: SecretKeys): Promise<void> =>
  secrets.renew(keys, auditKeysOf(await listNotedKeys({ db }), keys))
