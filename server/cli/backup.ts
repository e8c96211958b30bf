import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import type pg from 'pg'
import { progressOn, say, sayJson, UsageError, type Io } from '@openbenefits/cli'
import type { Config } from '../kernel/config.ts'
import { claimDatabase, requireKeys } from '../runtime/installation-lock.ts'
import { loadKeys } from '../security/keys.ts'
import { openDatabase } from '../database/query/database.ts'
import { no_organization } from '../database/query/rows-of.ts'
import type { SecretKeys } from '../security/secrets.ts'
import {
  backUp,
  openBackup,
  unpackBackup,
  whyNotRestoreTo,
  type BackupInfo,
} from '../../packages/embedded-postgres/backup.ts'
import { startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { name as database_name } from '../../packages/embedded-postgres/data.ts'
import { lockDirectory } from '../../packages/embedded-postgres/lock.ts'
import { ensureRoles } from '../../packages/embedded-postgres/roles.ts'
import { reachCluster, settingsOf, withClient } from './reach.ts'
import { holdKeys } from './secrets.ts'

type BackupAsked = { keys: string; json?: boolean }

const not_embedded =
  'DATABASE_URL is set: back that server up by its own means (pg_basebackup with archived WAL, snapshots), and its ' +
  'four secrets elsewhere. This is for the embedded database.'

/** `backup` and `restore`: the embedded database, while it runs. */
export function addBackup(program: Command, io: Io): void {
  program
    .command('backup')
    .description('Copies the embedded database while it runs, and reads the copy to its end.')
    .argument('<folder>', 'the back-up: a folder that is to be made')
    .requiredOption('--keys <folder>', 'where its keys are kept, elsewhere; those of all back-ups together')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText(
      'after',
      `
Without the keys nobody can read EINs and secrets in it, you neither: keep both, and keep them apart.

Examples:
  $ openbenefits backup /backups/2026-11-20 --keys /vault/openbenefits
  $ openbenefits backup "/backups/$(date +%F)" --keys /vault/openbenefits --json`,
    )
    .action(async (folder: string, { keys, json }: BackupAsked) => {
      const info = await backUpService(settingsOf(io.env), folder, keys, io)
      if (json) return sayJson(io, { folder, ...info })
      say(io, `${folder} is whole as of ${info.ended_at}: ${info.files} files, ${megabytes(info.bytes)}, read back.`)
      say(io, `Its keys are ${keys}/keys-${info.keys}.json.`)
    })
  program
    .command('restore')
    .description('Puts a back-up into DATA_DIR, which must hold nothing, and tries whether it works.')
    .argument('<folder>', 'the back-up')
    .requiredOption('--keys <folder>', 'where its keys are kept')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText(
      'after',
      '\nExamples:\n  $ export DATA_DIR=/var/lib/openbenefits\n' +
        '  $ openbenefits restore /backups/2026-11-20 --keys /vault/openbenefits',
    )
    .action(async (folder: string, { keys, json }: BackupAsked) => {
      const config = settingsOf(io.env)
      const { info, kind, rows } = await restoreService(config, folder, keys)
      const tables = Object.keys(rows).length
      if (json) return sayJson(io, { data_dir: config.DATA_DIR, kind, as_of: info.ended_at, rows })
      const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
      say(
        io,
        `${config.DATA_DIR} is the ${kind} database as of ${info.ended_at}: ${all} rows of ${tables} tables, read.`,
      )
      say(io, 'Start the service: jobs and webhooks that waited then are done again.')
    })
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

async function backUpService(config: Config, folder: string, keys_folder: string, io: Io): Promise<BackupInfo> {
  if (config.DATABASE_URL) throw new UsageError(not_embedded)
  const { url, stop } = await reachCluster(config, loadKeys(config))
  const progress = progressOn(io, 'Copying')
  const release = await holdKeys(url, false)
  try {
    const keys = loadKeys(config)
    await requireTheirs(url, keys)
    const postgres = (
      await withClient(url, (client) => client.query<{ server_version: string }>('show server_version'))
    ).rows[0]!.server_version
    return await backUp({ url, postgres, keys, folder, keys_folder, onProgress: progress.tell })
  } finally {
    progress.end()
    await release()
    await stop()
  }
}

/** Keys that are not those of the data would be found out when nothing else is left: when it is restored. */
async function requireTheirs(url: string, keys: SecretKeys): Promise<void> {
  const database = openDatabase({ url })
  try {
    await requireKeys(database.reads(no_organization), keys)
  } finally {
    await database.close()
  }
}

/** Restores, starts what was restored for once, reads every row of it, and tries its keys. */
async function restoreService(config: Config, folder: string, keys_folder: string) {
  if (config.DATABASE_URL) throw new UsageError(not_embedded)
  const { DATA_DIR: data_dir, POSTGRES_BIN: postgres_bin } = config
  const { info, keys } = await openBackup(folder, keys_folder)
  const why = whyNotRestoreTo(data_dir)
  if (why) throw new UsageError(why)
  mkdirSync(data_dir, { recursive: true, mode: 0o700 })
  const release = await lockDirectory(data_dir)
  try {
    await unpackBackup(folder, keys, data_dir)
  } finally {
    release()
  }
  const { database_password: password, next_database_password: next_password } = keys
  const cluster = await startCluster({ data_dir, password, next_password, postgres_bin })
  try {
    const { url } = await ensureRoles(cluster, cluster.password, database_name)
    const database = openDatabase({ url })
    try {
      const kind = await claimDatabase(database, keys, { ...config, SANDBOX: undefined })
      return { info, kind, rows: await withClient(cluster.url, countRows) }
    } finally {
      await database.close()
    }
  } finally {
    await cluster.stop()
  }
}

/** Reads every row of every table, and answers how many there are. */
async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and not relispartition
        and relnamespace in (select oid from pg_namespace where nspname in ('public', 'graphile_worker'))
      order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(whole::text) as count from ${name} as whole`)
    counts[name] = Number(rows[0]!.count)
  }
  return counts
}
