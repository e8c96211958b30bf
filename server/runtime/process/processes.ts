/**
 * The running processes of an installation and the keys that each knows. Before a process uses a new key, all others
 * must know it.
 */
import { statement } from '../../database/sql/statement.ts'
import { ring_names, ringOf, sha256, type SecretKeys } from '../../security/secrets.ts'

export type ServiceProcess = {
  id: string
  role: string
  started_at: string
  /** names of keys, such as `HASH_KEY/1a2b3c4d`: all known keys, and those that protect new data */
  known_keys: string[]
  used_keys: string[]
  /** whether it saves write positions, which readers of a replica need */
  records_writes: boolean
}

/** The names of keys. They reveal nothing about the keys. */
export function namesOf(keys: SecretKeys): Pick<ServiceProcess, 'known_keys' | 'used_keys'> {
  const operator_key = `OPERATOR_KEY/${sha256(keys.operator_key).toString('hex').slice(0, 8)}`
  const rings = ring_names.map((name) => ringOf(name, keys).map(({ id }) => `${name}/${id}`))
  return { known_keys: [...rings.flat(), operator_key], used_keys: [...rings.map(([first]) => first!), operator_key] }
}

/** The interval of a process's heartbeats. The list below omits processes that are silent for 35 seconds. */
export const report_every_ms = 10_000

export const saveProcess = statement(
  'processes.saveProcess',
  `insert into service_processes (id, role, started_at, seen_at, known_keys, used_keys, records_writes)
   values (:id, :role, now(), now(), :known_keys, :used_keys, :records_writes)
   on conflict (id) do update
     set seen_at = excluded.seen_at, known_keys = excluded.known_keys, used_keys = excluded.used_keys`,
).rows

export const saveLeaving = statement('processes.saveLeaving', 'delete from service_processes where id = :id').rows

/** The processes with a recent heartbeat. */
export const listProcesses = statement(
  'processes.listProcesses',
  `select id, role, started_at, known_keys, used_keys, records_writes from service_processes
    where seen_at > now() - interval '35 seconds' order by started_at`,
).rows<ServiceProcess>

/** Deletes the rows of processes that were killed, and so could not delete their own. */
export const purgeProcesses = statement(
  'processes.purgeProcesses',
  `delete from service_processes where seen_at < now() - interval '1 day'`,
).rows
