import { withClient } from '../database/schema/roles.ts'
import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import type pg from 'pg'
import { progressOn, print, printJson, UsageError, type Io } from '@openbenefits/cli'
import type { Config } from '../kernel/config.ts'
import { lockInstallation, requireKeys } from '../runtime/process/installation-lock.ts'
import { loadKeys } from '../security/keys.ts'
import { openDatabase } from '../database/query/open-database.ts'
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
import { name as database_name } from '../../packages/embedded-postgres/data-directory.ts'
import { lockDirectory } from '../../packages/embedded-postgres/lock.ts'
import { ensureRoles } from '../../packages/embedded-postgres/roles.ts'
import { reachCluster } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'
import { lockKeys } from './secrets.ts'

type BackupCommandOptions = { keys: string; json?: boolean }

const not_embedded =
  'DATABASE_URL is set, and this command is for the embedded database. Back up your server with its own tools ' +
  '(pg_basebackup with archived WAL, snapshots), and keep its four secrets elsewhere.'

/** `backup` and `restore`: the embedded database, while it runs. */
export function addBackup(program: Command, io: Io): void {
  program
    .command('backup')
    .description('Copy the embedded database while it runs, then verify the copy.')
    .argument('<folder>', 'the backup: a folder to create')
    .requiredOption('--keys <folder>', 'a separate folder for the keys of all backups')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Without its keys, the EINs and secrets in a backup are unreadable, also for you: keep both, in separate places.

Examples:
  $ openbenefits backup /backups/2026-11-20 --keys /vault/openbenefits
  $ openbenefits backup "/backups/$(date +%F)" --keys /vault/openbenefits --json`,
    )
    .action(async (folder: string, { keys, json }: BackupCommandOptions) => {
      const info = await backUpService(readSettings(io.env), folder, keys, io)
      if (json) return printJson(io, { folder, ...info })
      print(
        io,
        `${folder} is complete as of ${info.ended_at}: ${info.files} files, ${megabytes(info.bytes)}, verified.`,
      )
      print(io, `Its keys are in ${keys}/keys-${info.keys}.json.`)
    })
  program
    .command('restore')
    .description('Restore a backup to DATA_DIR, which must be empty, and verify it.')
    .argument('<folder>', 'the backup')
    .requiredOption('--keys <folder>', 'the folder of its keys')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ export DATA_DIR=/var/lib/openbenefits\n' +
        '  $ openbenefits restore /backups/2026-11-20 --keys /vault/openbenefits',
    )
    .action(async (folder: string, { keys, json }: BackupCommandOptions) => {
      const config = readSettings(io.env)
      const { info, kind, rows } = await restoreService(config, folder, keys)
      const tables = Object.keys(rows).length
      if (json) return printJson(io, { data_dir: config.DATA_DIR, kind, as_of: info.ended_at, rows })
      const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
      print(
        io,
        `${config.DATA_DIR} is the ${kind} database as of ${info.ended_at}. ` +
          `All ${all} rows in ${tables} tables are readable.`,
      )
      print(io, 'Start the service: jobs and webhooks that were pending at the time of the backup run again.')
    })
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

async function backUpService(config: Config, folder: string, keys_folder: string, io: Io): Promise<BackupInfo> {
  if (config.DATABASE_URL) throw new UsageError(not_embedded)
  const { url, stop } = await reachCluster(config, loadKeys(config))
  const progress = progressOn(io, 'Copying')
  const release = await lockKeys(url, false)
  try {
    const keys = loadKeys(config)
    await requireKeysOfData(url, keys)
    const postgres = (
      await withClient(url, (client) => client.query<{ server_version: string }>('show server_version'))
    ).rows[0]!.server_version
    return await backUp({ url, postgres, keys, folder, keys_folder, onProgress: progress.show })
  } finally {
    progress.end()
    await release()
    await stop()
  }
}

/** Checks now that the keys belong to the data. A restore would be too late to find out. */
async function requireKeysOfData(url: string, keys: SecretKeys): Promise<void> {
  const database = openDatabase({ url })
  try {
    await requireKeys(database.reads(no_organization), keys)
  } finally {
    await database.close()
  }
}

/** Restores a backup, starts the database once, reads every row and checks the keys. */
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
      const kind = await lockInstallation(database, keys, { ...config, SANDBOX: undefined })
      return { info, kind, rows: await withClient(cluster.url, countRows) }
    } finally {
      await database.close()
    }
  } finally {
    await cluster.stop()
  }
}

/** Reads every row of every table. Returns the number of rows by table. */
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
