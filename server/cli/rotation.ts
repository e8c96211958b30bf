/**
 * Rotates keys while processes run:
 *
 * 1. The new key is appended to the key ring, until every process knows it.
 * 2. It moves to the front: every process encrypts and hashes with it.
 * 3. Stored values of the old key are encrypted and hashed again.
 * 4. The old key is removed once the tokens and links that it signed have expired.
 *
 * The key rings and the keys recorded in the database show how far a rotation is, so an interrupted one can continue.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../kernel/config.ts'
import { listEntries } from '../modules/access/audit/queries.ts'
import { lockInstallation, requireKeys } from '../runtime/process/installation-lock.ts'
import type { Database } from '../database/query/database.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { listProcesses, namesOf, type ServiceProcess } from '../runtime/process/processes.ts'
import { reEncryptAll } from '../security/re-encrypt.ts'
import type { ReEncryption } from '../security/re-encryption.ts'
import { listNotedKeys, openKnownSecrets, retireKey, type NotedKey } from '../security/secret-keys.ts'
import {
  newOperatorSecret,
  newRingKey,
  ring_fields,
  ring_names,
  ringOf,
  type RingKey,
  type RingName,
  type SecretKeys,
} from '../security/secrets.ts'
import { commandScope, recordAction } from './audit.ts'
import type { SecretName, SecretStore } from './secret-store.ts'

export type KeyRotation = {
  config: Config
  store: SecretStore
  database: Database
  re_encryptions: ReEncryption[]
  onProgress: (done: number, all: number) => void
  /** how long a process may take to load a new key */
  timeout_ms: number
}

export type RotationOptions = {
  /** continues an unfinished rotation, and starts no new one */
  finish: boolean
  /** removes old keys before the tokens and links that they signed have expired */
  now: boolean
}

/**
 * The result for one secret. `overlaps`: an old key stays valid until `former_until`. `to_set`: this command cannot
 * write the secret; the operator has to set `value`.
 */
export type Rotated = { secret: SecretName } & (
  | { state: 'replaced'; key: string }
  | { state: 'overlaps'; key: string; former_until: string }
  | { state: 'to_set'; value: string; last: boolean }
  | { state: 'unchanged' }
)

/**
 * Longer than the lifetime of everything that is signed or encrypted for a client: tokens, links, unfinished sign-ins.
 */
const overlap_ms = 20 * 60_000

type Ring = [RingKey, ...RingKey[]]

const textOf = (ring: RingKey[]) => ring.map(({ text }) => text).join(',')
const currentRing = (rotation: KeyRotation, name: RingName) => ringOf(name, rotation.store.keys()) as Ring

const knownKeys = ({ database }: KeyRotation, name: RingName): Promise<NotedKey[]> =>
  listNotedKeys({ db: database.reads(no_organization) }).then((all) => all.filter(({ secret }) => secret === name))

/** Rotates the named secrets, or finishes rotations. Throws if a process does not load the new keys in time. */
export async function rotate(rotation: KeyRotation, names: SecretName[], options: RotationOptions): Promise<Rotated[]> {
  const { database, config, store } = rotation
  if (!(await requireKeys(database.reads(no_organization), store.keys())))
    throw new Error('The database has no keys yet. Start the service once first.')
  await lockInstallation(database, store.keys(), config)
  const results: Rotated[] = []
  let rings = ring_names.filter((name) => names.includes(name))
  const leave = (rotated: Rotated) => {
    results.push(rotated)
    rings = rings.filter((name) => name !== rotated.secret)
  }
  const put: Put = (name, ring, last = false) => {
    const is_put = store.put(name, textOf(ring))
    if (!is_put) leave({ secret: name, state: 'to_set', value: textOf(ring), last })
    return is_put
  }
  if (names.includes('OPERATOR_KEY')) results.push(await replaceOperatorKey(rotation, options))
  for (const name of rings) {
    const ring = currentRing(rotation, name)
    if (ring.length > 1) continue
    if (options.finish) leave({ secret: name, state: 'unchanged' })
    else put(name, [...ring, await addKey(rotation, name, ring)])
  }
  await awaitProcesses(rotation, rings, 'known_keys')
  for (const name of rings) await useNewKey(rotation, name, put)
  await awaitProcesses(rotation, rings, 'used_keys')
  for (const name of rings) await recordUseOnce(rotation, name)
  if (rings.some((name) => name !== 'TOKEN_KEY')) await reEncrypt(rotation)
  for (const name of rings) {
    const rotated = await removeOldKeys(rotation, name, options, put)
    if (rotated) results.push(rotated)
  }
  await awaitProcesses(rotation, rings, 'known_keys')
  return results
}

/** Stores a key ring. Returns false, and reports `to_set`, if this command cannot write it. */
type Put = (name: RingName, ring: RingKey[], last?: boolean) => boolean

async function addKey(rotation: KeyRotation, name: RingName, ring: Ring): Promise<RingKey> {
  const ids = [...ring, ...(await knownKeys(rotation, name))].map(({ id }) => id)
  return ringOf(name, { [ring_fields[name]]: newRingKey(name, ids) } as SecretKeys)[0]!
}

/** Moves the unused key of a ring to the front, if there is one. */
async function useNewKey(rotation: KeyRotation, name: RingName, put: Put): Promise<void> {
  const { database, config, store } = rotation
  const [first, ...others] = currentRing(rotation, name)
  const noted = new Set((await knownKeys(rotation, name)).map(({ id }) => id))
  const fresh = others.findLast(({ id }) => !noted.has(id))
  if (!fresh || !put(name, [fresh, first, ...others.filter(({ id }) => id !== fresh.id)])) return
  await lockInstallation(database, store.keys(), config)
}

/** Adds the use of a key to the audit log once, even if the operator has set the key. */
async function recordUseOnce(rotation: KeyRotation, name: RingName): Promise<void> {
  const [{ id }] = currentRing(rotation, name)
  const scope = commandScope(rotation.database.reads(every_organization))
  const options = { organization_id: null, operation: 'use_secret', resource_id: `${name}/${id}` }
  const { items } = await listEntries(scope, options, 1, undefined)
  if (items === '') await recordUse(rotation, name, id)
}

/** Removes the old keys of a ring once everything that they signed has expired. */
async function removeOldKeys(rotation: KeyRotation, name: RingName, { now }: RotationOptions, put: Put) {
  const [first, ...former] = currentRing(rotation, name)
  const { recorded_at } = (await knownKeys(rotation, name)).find(({ id }) => id === first.id)!
  const until = Date.parse(recorded_at) + overlap_ms
  const former_until = new Date(until).toISOString()
  if (!now && Date.now() < until) return { secret: name, state: 'overlaps', key: first.id, former_until } as const
  for (const key of former) await retire(rotation, name, key)
  return put(name, [first], true) ? ({ secret: name, state: 'replaced', key: first.id } as const) : undefined
}

async function reEncrypt({ database, store, re_encryptions, onProgress }: KeyRotation): Promise<void> {
  const secrets = await openKnownSecrets(database.reads(no_organization), store.keys())
  await reEncryptAll(database, secrets, re_encryptions, onProgress)
}

async function retire(rotation: KeyRotation, name: RingName, key: RingKey): Promise<void> {
  const keys = rotation.store.keys()
  await rotation.database.transaction(every_organization, async (db) => {
    await retireKey(db, await openKnownSecrets(db, keys), name, key)
  })
  await record(rotation, 'retire_secret', name, key.id)
}

/** The operator key only creates the first owner, so no stored value depends on it. */
async function replaceOperatorKey(rotation: KeyRotation, { finish }: RotationOptions): Promise<Rotated> {
  const secret = 'OPERATOR_KEY'
  if (finish) return { secret, state: 'unchanged' }
  const value = newOperatorSecret()
  if (!rotation.store.put(secret, value)) return { secret, state: 'to_set', value, last: true }
  const key = namesOf(rotation.store.keys())
    .used_keys.find((name) => name.startsWith(secret))!
    .slice(secret.length + 1)
  await awaitProcesses(rotation, [secret], 'used_keys')
  await recordUse(rotation, secret, key)
  return { secret, state: 'replaced', key }
}

type Recording = Pick<KeyRotation, 'database' | 'store'>

/** Adds an audit entry: a secret is in use from now on. `id` identifies the secret without revealing it. */
export const recordUse = (recording: Recording, name: SecretName, id: string): Promise<void> =>
  record(recording, 'use_secret', name, id)

const record = ({ database, store }: Recording, operation: string, name: SecretName, id: string): Promise<void> =>
  database.transaction(every_organization, (db) =>
    recordAction(commandScope(db), store.keys(), {
      command: 'openbenefits/secrets/rotate',
      operation,
      resource_id: `${name}/${id}`,
      fields: [name],
    }),
  )

/** Waits until every running process has loaded exactly the stored keys of the named secrets. */
async function awaitProcesses(
  { database, store, timeout_ms }: KeyRotation,
  names: SecretName[],
  field: 'known_keys' | 'used_keys',
): Promise<void> {
  const keysOfNames = (keys: string[]) => keys.filter((key) => names.some((name) => key.startsWith(`${name}/`))).join()
  const wanted = keysOfNames(namesOf(store.keys())[field])
  const late_at = Date.now() + timeout_ms
  for (;;) {
    const processes = await listProcesses({ db: database.reads(no_organization) })
    const late = processes.filter((running) => keysOfNames(running[field]) !== wanted)
    if (late.length === 0) return
    if (Date.now() > late_at) throw new Error(linesOfLate(late, names))
    await pause(200)
  }
}

const linesOfLate = (late: ServiceProcess[], names: SecretName[]): string =>
  `${late.length} running processes do not use the keys of this environment (${names.join(', ')}): ` +
  `${late.map(({ role, started_at }) => `${role}, since ${started_at}`).join('; ')}. ` +
  'Set the same keys for each, restart those that read them from their environment, and run this again with --finish.'
