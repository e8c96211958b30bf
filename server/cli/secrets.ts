import { withClient } from '../database/schema/roles.ts'
import { InvalidArgumentError, type Command } from 'commander'
import pg from 'pg'
import { FaultsFound, progressOn, print, printJson, UsageError, type Io } from '@openbenefits/cli'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { loadKeys, readStoredKeys, newDatabasePassword } from '../security/keys.ts'
import type { ReEncryption } from '../security/re-encryption.ts'
import { reach, reachCluster } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'
import { rotate, type Rotated, type RotationOptions, recordUse, type KeyRotation } from './rotation.ts'
import { openStore, secret_names, type SecretName } from './secret-store.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { name as database_name } from '../../packages/embedded-postgres/data-directory.ts'
import { replacePasswords, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { sha256 } from '../security/secrets.ts'

type RotateOptions = { finish?: boolean; now?: boolean; json?: boolean }

const secretName = (text: string, former: SecretName[] = []): SecretName[] => {
  const name = secret_names.find((each) => each === text)
  if (name) return [...former, name]
  throw new InvalidArgumentError(`It must be one of ${secret_names.join(', ')}.`)
}

/** `secrets rotate`: replaces the keys of the service of this environment while it runs. */
export function addSecrets(program: Command, io: Io): void {
  program
    .command('secrets')
    .description('Manage the keys of the service of this environment.')
    .command('rotate')
    .description('Replace each key while the service runs, and encrypt stored values with the new one.')
    .argument('[names...]', `some of ${secret_names.join(', ')} (default: all)`, secretName)
    .option(
      '--finish',
      'start no rotation: continue the current one and remove old keys; exits with 1 if they are still needed',
    )
    .option('--now', 'remove old keys immediately, for example after a leak: their tokens and links stop working')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Processes that read their keys from files or from DATA_DIR load the new ones by themselves. For those that read them
from their environment, the command prints what to set, step by step. If it is interrupted, run it again to continue.

Examples:
  $ openbenefits secrets rotate
  $ openbenefits secrets rotate --finish
  $ openbenefits secrets rotate HASH_KEY ENCRYPTION_KEYS --now`,
    )
    .action(async (names: SecretName[], { json, finish = false, now = false }: RotateOptions) => {
      const results = await rotateSecrets(io, names, { finish, now })
      const overlap = results.some(({ state }) => state === 'overlaps')
      if (json) printJson(io, { secrets: results })
      else {
        for (const line of results.flatMap(linesOf)) print(io, line)
        if (results.every(({ state }) => state === 'unchanged'))
          print(io, `No rotation of ${results.map(({ secret }) => secret).join(', ')} is in progress.`)
        if (overlap) print(io, finish ? 'It is too early to finish. Run this command again at that time.' : then_finish)
      }
      if (finish && overlap) throw new FaultsFound()
    })
}

/** Re-encrypts the encrypted or hashed values of each module. Loaded here so that other commands start faster. */
async function loadReEncryptions(): Promise<ReEncryption[]> {
  const [employers, files, confirmations, billing_systems, hris, webhooks, tax_identifiers, filings, transmissions] =
    await Promise.all([
      import('../modules/directory/employers/actions.ts'),
      import('../modules/directory/files/actions.ts'),
      import('../modules/coverage/submissions/confirmation-actions.ts'),
      import('../modules/money/billing-systems/actions.ts'),
      import('../modules/roster/hris/actions.ts'),
      import('../modules/events/webhooks/actions.ts'),
      import('../modules/aca/tax-identifiers/actions.ts'),
      import('../modules/aca/filings/actions.ts'),
      import('../modules/aca/filings/transmission-actions.ts'),
    ])
  return [
    employers.reEncryptEins,
    files.reEncryptFiles,
    confirmations.reEncryptConfirmations,
    billing_systems.reEncryptStripeSecrets,
    hris.reEncryptAccess,
    webhooks.reEncryptSecrets,
    tax_identifiers.reEncryptTaxIdentifiers,
    filings.reEncryptForms,
    transmissions.reEncryptTransmissions,
  ]
}

/** How long to wait for a process to load a key. A killed process never loads it. */
const timeout_ms = 45_000

/** Replaces the named secrets, or by default all secrets that this installation manages itself. */
async function rotateSecrets(io: Io, named: SecretName[], options: RotationOptions): Promise<Rotated[]> {
  const config = readSettings(io.env)
  if (config.DATABASE_URL && named.includes('DATABASE_PASSWORD'))
    throw new UsageError(
      'DATABASE_URL is set, so you manage its password yourself. To replace it, create a second role.',
    )
  const ours = secret_names.filter((name) => name !== 'DATABASE_PASSWORD' || !config.DATABASE_URL)
  const names = named.length > 0 ? named : ours
  const re_encryptions = await loadReEncryptions()
  const { url, stop } = await reach(config, loadKeys(config))
  const database = await openAsFound({ url, prepared_statements: config.PREPARED_STATEMENTS })
  const progress = progressOn(io, 'Re-encrypting')
  const release = await lockKeys(url, true)
  try {
    const about = { config, store: openStore(io.env), database, re_encryptions, onProgress: progress.show, timeout_ms }
    const results = await rotate(about, names, options)
    return names.includes('DATABASE_PASSWORD') ? [...results, await replaceDatabasePassword(about, options)] : results
  } finally {
    progress.end()
    await release()
    await database.close()
    await stop()
  }
}

/**
 * Locks the keys of a database until the returned function is called. A rotation takes the lock alone, backups share
 * it. Throws if another command holds it.
 */
export async function lockKeys(url: string, alone: boolean): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'openbenefits keys' })
  client.on('error', () => undefined)
  await client.connect()
  const lock = `pg_try_advisory_lock${alone ? '' : '_shared'}(hashtext('openbenefits keys'))`
  const { rows } = await client.query<{ held: boolean }>(`select ${lock} as held`)
  if (rows[0]!.held) return () => client.end()
  await client.end()
  throw new UsageError('Another command is rotating the keys or making a backup. Wait until it finishes.')
}

const then_finish = 'Then: openbenefits secrets rotate --finish'

function linesOf(rotated: Rotated): string[] {
  const { secret } = rotated
  if (rotated.state === 'unchanged') return []
  if (rotated.state === 'replaced') return [`${secret} is replaced: the new one has the id ${rotated.key}.`]
  if (rotated.state === 'overlaps')
    return [`${secret}: ${rotated.key} is in use. The old key stays valid until ${rotated.former_until}.`]
  const then = rotated.last ? 'That is the last step.' : then_finish
  return [`This command cannot write ${secret}. Set it for every process and here, then restart them one by one:`]
    .concat(`  ${secret}=${rotated.value}`)
    .concat(`  ${then}`)
}

/**
 * Replaces the password of the embedded database. The new one is stored next to the old one, then set for all three
 * roles in one transaction, then stored alone. In between, new sessions try both. Open sessions continue, so the
 * service does not have to reload anything. An interrupted replacement continues with the stored password.
 */
async function replaceDatabasePassword(
  { config, store }: Pick<KeyRotation, 'config' | 'store'>,
  { finish }: RotationOptions,
): Promise<Rotated> {
  const secret = 'DATABASE_PASSWORD'
  const kept = readStoredKeys(config.DATA_DIR)
  if (finish && kept.next_database_password === undefined) return { secret, state: 'unchanged' }
  const { database_password, next_database_password = newDatabasePassword() } = kept
  store.putPassword({ database_password, next_database_password })
  const { url, stop } = await reachCluster(config, readStoredKeys(config.DATA_DIR))
  try {
    await withClient(url, (client) => replacePasswords(client, next_database_password))
    store.putPassword({ database_password: next_database_password })
    const database = openDatabase(roleUrls({ url }, next_database_password, database_name))
    const key = sha256(next_database_password).toString('hex').slice(0, 8)
    try {
      await recordUse({ database, store }, secret, key)
    } finally {
      await database.close()
    }
    return { secret, state: 'replaced', key }
  } finally {
    await stop()
  }
}
