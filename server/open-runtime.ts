/** Opens the database and everything else that requests and jobs need. */
import { randomUUID } from 'node:crypto'
import { name as database_name } from '../packages/embedded-postgres/data-directory.ts'
import type { Opened } from '../packages/embedded-postgres/cluster.ts'
import { printLine as print, startEmbedded } from '../packages/embedded-postgres/embedded-cluster.ts'
import { ensureRoles, roleUrls, servicePasswordAt } from '../packages/embedded-postgres/roles.ts'
import { hasDailyWork, runDay } from './daily-run.ts'
import { openAsFound } from './database/citus/sharding-state.ts'
import { DatabaseRefused } from './database/query/database.ts'
import { no_organization } from './database/query/rows-of.ts'
import type { DatabaseAddress } from './database/query/session.ts'
import { openReplica } from './database/replica/replica.ts'
import { keepPartitions } from './database/schema/partitions.ts'
import { makeReady, type Addresses } from './database/schema/roles.ts'
import { PageAnchors } from './database/sql/page-anchors.ts'
import { openAuditLog } from './http/audit/audit-log.ts'
import { openOutbound } from './integrations/outbound/outbound.ts'
import { openQueue } from './jobs/enqueue.ts'
import { matchProcessPriority } from './kernel/concurrency/background-thread.ts'
import { directUrlOf, type Config } from './kernel/config.ts'
import { openIntegrations } from './kernel/integration.ts'
import { reads } from './interface-reads.ts'
import { integrations } from './modules.ts'
import { openEventWaits } from './runtime/event-waits.ts'
import { lockInstallation } from './runtime/process/installation-lock.ts'
import { openLog } from './runtime/process/log.ts'
import type { Runtime } from './runtime/runtime.ts'
import { readSettings, unknownSettings } from './runtime/settings.ts'
import { watchKeys } from './security/key-watch.ts'
import { readStoredKeys, keyFiles, loadKeys, makeKeys, type StoredKeys } from './security/keys.ts'
import { openKnownSecrets } from './security/secret-keys.ts'
import { waitAtMost, shutdown } from './runtime/process/shutdown.ts'

/** `cluster`: the embedded PostgreSQL, if there is one, so that a child process can connect to it. */
export type OpenedRuntime = { runtime: Runtime; address: DatabaseAddress; cluster: Opened | undefined }

/** Opens the runtime of a process that may have to start PostgreSQL and migrate the database. */
export async function openRuntime(config: Config): Promise<OpenedRuntime> {
  const keys = makeKeys(config)
  const log = openLog(config.LOG_LEVEL)
  for (const name of unknownSettings(process.env, integrations))
    log.warn(`${name} is not a setting of the service and has no effect.`)
  const cluster = directUrlOf(config) === undefined ? await startPostgres(config, keys) : undefined
  const addresses = addressesOf(config, cluster)
  for (const warning of await makeReady(addresses)) log.warn(warning)
  const opened = await open(config, config.ROLE, addresses, keys, log)
  await keepPartitions({ database: opened.runtime.database, clock: Date.now, log }, config.AUDIT_RETENTION_YEARS)
  return { ...opened, cluster }
}

/** Opens the runtime of a worker whose parent has started PostgreSQL and migrated the database. */
export const openWorkerRuntime = async (config: Config, cluster: Opened | undefined): Promise<OpenedRuntime> => ({
  ...(await open(config, 'worker', addressesOf(config, cluster), loadKeys(config), openLog(config.LOG_LEVEL))),
  cluster,
})

async function startPostgres(config: Config, kept: StoredKeys): Promise<Opened> {
  const starting = startEmbedded({
    data_dir: config.DATA_DIR,
    password: kept.database_password,
    next_password: kept.next_database_password,
    postgres_bin: config.POSTGRES_BIN,
    log: print,
  })
  // Register before it runs, so that a signal during the start does not leave it behind.
  shutdown.close(async () => (await starting.catch(() => undefined))?.stop())
  const cluster = await starting
  void cluster.ended.then(() => {
    // Nothing in progress can succeed any longer.
    shutdown.timeout_ms = 0
    // The supervisor of this process restarts both. Committed data is preserved.
    throw new Error(`PostgreSQL is no longer running. See the end of ${config.DATA_DIR}/postgres.log.`)
  })
  return cluster
}

/** The addresses of the operator's database, or of the embedded one. */
function addressesOf(config: Config, cluster: Opened | undefined): Addresses {
  if (!cluster) return { url: directUrlOf(config)!, migration_url: config.MIGRATION_DATABASE_URL }
  return {
    ...roleUrls(cluster, cluster.password, database_name),
    password: servicePasswordAt(cluster, () => readStoredKeys(config.DATA_DIR)),
    createRoles: () => ensureRoles(cluster, cluster.password, database_name),
  }
}

async function open(
  config: Config,
  role: Config['ROLE'],
  { url, password }: Addresses,
  keys: StoredKeys,
  log: Runtime['log'],
) {
  const database = await openAsFound({
    url: config.DATABASE_URL ?? url,
    password,
    prepared_statements: config.PREPARED_STATEMENTS,
    job_connections: config.WORKER_CONCURRENCY,
    onJobSession: config.DATABASE_URL === undefined ? matchProcessPriority : undefined,
  })
  shutdown.close(() => waitAtMost(500, database.close()))
  const process_id = randomUUID()
  const kind = await lockInstallation(database, keys, config, process_id)
  const secrets = await openKnownSecrets(database.reads(no_organization), keys)
  if (database.distribution && config.READ_DATABASE_URL !== undefined)
    throw new DatabaseRefused(
      'READ_DATABASE_URL requires a database on one server, and this one is distributed over several.',
    )
  const replica =
    config.READ_DATABASE_URL === undefined
      ? undefined
      : openReplica({ url: config.READ_DATABASE_URL, database, log, prepared_statements: config.PREPARED_STATEMENTS })
  if (replica) shutdown.close(() => waitAtMost(500, replica.close()))
  const runtime: Runtime = {
    database,
    replica,
    clock: Date.now,
    log,
    secrets,
    settings: {
      sandbox: kind === 'sandbox',
      public_url: config.PUBLIC_URL ?? null,
      audit_retention_years: config.AUDIT_RETENTION_YEARS,
    },
    integrations: openIntegrations(integrations, config),
    outbound: openOutbound({ allow_loopback: config.ALLOW_PRIVATE_WEBHOOKS }),
    page_anchors: new PageAnchors(),
    runDay,
    hasDailyWork,
    reads,
    queueIn: openQueue(database),
    event_waits: openEventWaits(database, Date.now),
    audit_log: openAuditLog({ database, clock: Date.now, secrets, log }),
  }
  shutdown.close(() => waitAtMost(500, runtime.outbound.close()))
  const paths = keyFiles(process.env, config)
  const records_writes = replica !== undefined
  const watch = watchKeys(runtime, { id: process_id, role, records_writes, keys, paths, read: readKeys })
  shutdown.close(() => waitAtMost(500, watch.close()))
  return { runtime, address: { url, password } }
}

function readKeys() {
  const config = readSettings(process.env, integrations)
  return { config, keys: loadKeys(config) }
}
