/**
 * How one key follows another while processes run: the new one is put behind the old one, until every process knows it;
 * then in front, so that all makes what is new with it; what the old one made is made anew; then the old one goes.
 * Where it stands is known by the keys and by what the database has noted of them, so that whoever was stopped goes on.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../kernel/config.ts'
import { listEntries } from '../modules/access/audit/queries.ts'
import { claimDatabase, requireKeys } from '../runtime/installation-lock.ts'
import type { Database } from '../database/query/database.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { listProcesses, namesOf, type ServiceProcess } from '../runtime/processes.ts'
import { remakeAll, type Remake } from '../security/re-encrypt.ts'
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
import { commandScope, recordAction } from './command-action.ts'
import type { SecretName, SecretStore } from './secret-store.ts'

export type KeyRotation = {
  config: Config
  store: SecretStore
  database: Database
  remakes: Remake[]
  onProgress: (done: number, all: number) => void
  /** how long a process may take to learn of a key */
  patience_ms: number
}

export type RotationAsked = {
  /** only goes on with what was begun */
  finish: boolean
  /** takes former keys away before what they signed has ended by itself */
  now: boolean
}

/**
 * What became of a secret. `overlaps`: a former key is good until an instant, and is to be taken away then; `to_set`:
 * it is not ours to write, and what it is to be follows.
 */
export type Rotated = { secret: SecretName } & (
  | { state: 'replaced'; key: string }
  | { state: 'overlaps'; key: string; former_until: string }
  | { state: 'to_set'; value: string; last: boolean }
  | { state: 'unchanged' }
)

/**
 * Longer than all lives that was signed or encrypted for somebody to bring back: tokens, links, sign-ins under way.
 */
const overlap_ms = 20 * 60_000

type Ring = [RingKey, ...RingKey[]]

const textOf = (ring: RingKey[]) => ring.map(({ text }) => text).join(',')
const ringIn = (rotation: KeyRotation, name: RingName) => ringOf(name, rotation.store.keys()) as Ring

const notedIn = ({ database }: KeyRotation, name: RingName): Promise<NotedKey[]> =>
  listNotedKeys(database.reads(no_organization)).then((all) => all.filter(({ secret }) => secret === name))

/** Has new keys follow old ones, or ends what was begun. Throws when a process does not learn of them. */
export async function rotate(rotation: KeyRotation, names: SecretName[], asked: RotationAsked): Promise<Rotated[]> {
  const { database, config, store } = rotation
  if (!(await requireKeys(database.reads(no_organization), store.keys())))
    throw new Error('The database has no keys yet: start the service once first.')
  await claimDatabase(database, store.keys(), config)
  const told: Rotated[] = []
  let rings = ring_names.filter((name) => names.includes(name))
  const leave = (rotated: Rotated) => {
    told.push(rotated)
    rings = rings.filter((name) => name !== rotated.secret)
  }
  const put: Put = (name, ring, last = false) => {
    const is_put = store.put(name, textOf(ring))
    if (!is_put) leave({ secret: name, state: 'to_set', value: textOf(ring), last })
    return is_put
  }
  if (names.includes('OPERATOR_KEY')) told.push(await replaceOperatorKey(rotation, asked))
  for (const name of rings) {
    const ring = ringIn(rotation, name)
    if (ring.length > 1) continue
    if (asked.finish) leave({ secret: name, state: 'unchanged' })
    else put(name, [...ring, await newIn(rotation, name, ring)])
  }
  await untilAll(rotation, rings, 'known_keys')
  for (const name of rings) await bringIntoUse(rotation, name, put)
  await untilAll(rotation, rings, 'used_keys')
  for (const name of rings) await recordUseOnce(rotation, name)
  if (rings.some((name) => name !== 'TOKEN_KEY')) await remake(rotation)
  for (const name of rings) {
    const rotated = await endFormer(rotation, name, asked, put)
    if (rotated) told.push(rotated)
  }
  await untilAll(rotation, rings, 'known_keys')
  return told
}

/** Puts a ring into the store; one that is not ours to write is told, and left for later. */
type Put = (name: RingName, ring: RingKey[], last?: boolean) => boolean

async function newIn(rotation: KeyRotation, name: RingName, ring: Ring): Promise<RingKey> {
  const ids = [...ring, ...(await notedIn(rotation, name))].map(({ id }) => id)
  return ringOf(name, { [ring_fields[name]]: newRingKey(name, ids) } as SecretKeys)[0]!
}

/** Puts the key of a ring in front that nothing was made with yet, if there is one. */
async function bringIntoUse(rotation: KeyRotation, name: RingName, put: Put): Promise<void> {
  const { database, config, store } = rotation
  const [first, ...others] = ringIn(rotation, name)
  const noted = new Set((await notedIn(rotation, name)).map(({ id }) => id))
  const fresh = others.findLast(({ id }) => !noted.has(id))
  if (!fresh || !put(name, [fresh, first, ...others.filter(({ id }) => id !== fresh.id)])) return
  await claimDatabase(database, store.keys(), config)
}

/** Has the trail tell of a key that is in use, unless it does: also of one that whoever runs the service has set. */
async function recordUseOnce(rotation: KeyRotation, name: RingName): Promise<void> {
  const [{ id }] = ringIn(rotation, name)
  const scope = commandScope(rotation.database.reads(every_organization))
  const asked = { organization_id: null, operation: 'use_secret', resource_id: `${name}/${id}` }
  const { items } = await listEntries(scope, asked, 1, undefined)
  if (items === '') await recordUse(rotation, name, id)
}

/** Takes the former keys of a ring away, once what they signed has ended. */
async function endFormer(rotation: KeyRotation, name: RingName, { now }: RotationAsked, put: Put) {
  const [first, ...former] = ringIn(rotation, name)
  const { noted_at } = (await notedIn(rotation, name)).find(({ id }) => id === first.id)!
  const until = Date.parse(noted_at) + overlap_ms
  const former_until = new Date(until).toISOString()
  if (!now && Date.now() < until) return { secret: name, state: 'overlaps', key: first.id, former_until } as const
  for (const key of former) await retire(rotation, name, key)
  return put(name, [first], true) ? ({ secret: name, state: 'replaced', key: first.id } as const) : undefined
}

async function remake({ database, store, remakes, onProgress }: KeyRotation): Promise<void> {
  const secrets = await openKnownSecrets(database.reads(no_organization), store.keys())
  await remakeAll(database, secrets, remakes, onProgress)
}

async function retire(rotation: KeyRotation, name: RingName, key: RingKey): Promise<void> {
  const keys = rotation.store.keys()
  await rotation.database.transaction(every_organization, async (db) => {
    await retireKey(db, await openKnownSecrets(db, keys), name, key)
  })
  await record(rotation, 'retire_secret', name, key.id)
}

/** It makes the first owner and nothing else, so that nothing was made with it. */
async function replaceOperatorKey(rotation: KeyRotation, { finish }: RotationAsked): Promise<Rotated> {
  const secret = 'OPERATOR_KEY'
  if (finish) return { secret, state: 'unchanged' }
  const value = newOperatorSecret()
  if (!rotation.store.put(secret, value)) return { secret, state: 'to_set', value, last: true }
  const key = namesOf(rotation.store.keys())
    .used_keys.find((name) => name.startsWith(secret))!
    .slice(secret.length + 1)
  await untilAll(rotation, [secret], 'used_keys')
  await recordUse(rotation, secret, key)
  return { secret, state: 'replaced', key }
}

type Recording = Pick<KeyRotation, 'database' | 'store'>

/** Has the audit trail tell that a secret is in use from now on. `id`: what names it, and tells nothing of it. */
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

/** Waits until every process that runs has taken what stands in the store of some secrets, and has nothing else. */
async function untilAll(
  { database, store, patience_ms }: KeyRotation,
  names: SecretName[],
  which: 'known_keys' | 'used_keys',
): Promise<void> {
  const theirs = (keys: string[]) => keys.filter((key) => names.some((name) => key.startsWith(`${name}/`))).join()
  const wanted = theirs(namesOf(store.keys())[which])
  const late_at = Date.now() + patience_ms
  for (;;) {
    const processes = await listProcesses(database.reads(no_organization))
    const behind = processes.filter((each) => theirs(each[which]) !== wanted)
    if (behind.length === 0) return
    if (Date.now() > late_at) throw new Error(toldOfLate(behind, names))
    await pause(200)
  }
}

const toldOfLate = (behind: ServiceProcess[], names: SecretName[]): string =>
  `${behind.length} of the processes that run do not go by the keys of this environment (${names.join(', ')}): ` +
  `${behind.map(({ role, started_at }) => `${role}, since ${started_at}`).join('; ')}. ` +
  'Let each have the same settings, restart those that have them from their environment, and run this again ' +
  'with --finish.'
