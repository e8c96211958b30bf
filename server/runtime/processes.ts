/**
 * The processes of an installation that run now, and which keys each knows: before one makes anything with a new key,
 * all the others have to know it.
 */
import { statement } from '../database/sql/statement.ts'
import type { Db } from '../database/query/database.ts'
import { ring_names, ringOf, sha256, type SecretKeys } from '../security/secrets.ts'

export type ServiceProcess = {
  id: string
  role: string
  started_at: string
  /** names of keys, as `HASH_KEY/1a2b3c4d`: all that it has, and those with which it makes what is new */
  known_keys: string[]
  used_keys: string[]
  /** whether it notes what it has written, so that who reads from a replica knows how far that must be */
  notes_writes: boolean
}

/** The names of keys, which tell nothing of them. */
export function namesOf(keys: SecretKeys): Pick<ServiceProcess, 'known_keys' | 'used_keys'> {
  const operator_key = `OPERATOR_KEY/${sha256(keys.operator_key).toString('hex').slice(0, 8)}`
  const rings = ring_names.map((name) => ringOf(name, keys).map(({ id }) => `${name}/${id}`))
  return { known_keys: [...rings.flat(), operator_key], used_keys: [...rings.map(([first]) => first!), operator_key] }
}

/** How often a process tells that it is there, and after how long a silence it is held to be gone. */
export const tell_every_ms = 10_000

const told = statement(
  'processes.saveTold',
  `insert into service_processes (id, role, started_at, seen_at, known_keys, used_keys, notes_writes)
   values (:id, :role, now(), now(), :known_keys, :used_keys, :notes_writes)
   on conflict (id) do update
     set seen_at = excluded.seen_at, known_keys = excluded.known_keys, used_keys = excluded.used_keys`,
)

export const saveTold = (db: Db, process: Omit<ServiceProcess, 'started_at'>) => told.rows({ db }, process)

const left = statement('processes.saveLeaving', 'delete from service_processes where id = :id')

export const saveLeaving = (db: Db, id: string) => left.rows({ db }, { id })

const listed = statement(
  'processes.listProcesses',
  `select id, role, started_at, known_keys, used_keys, notes_writes from service_processes
    where seen_at > now() - interval '35 seconds' order by started_at`,
)

/** Those that have told of themselves lately. */
export const listProcesses = (db: Db) => listed.rows<ServiceProcess>({ db })

const forgotten = statement(
  'processes.forgetProcesses',
  `delete from service_processes where seen_at < now() - interval '1 day'`,
)

/** Forgets those that were killed. */
export const forgetProcesses = (db: Db) => forgotten.rows({ db })
