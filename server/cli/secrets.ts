import { InvalidArgumentError, type Command } from 'commander'
import pg from 'pg'
import { progressOn, say, sayJson, UsageError, type Io } from '@openbenefits/cli'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { loadKeys } from '../security/keys.ts'
import type { Remake } from '../security/re-encrypt.ts'
import { replaceDatabasePassword } from './database-password.ts'
import { reach, settingsOf } from './reach.ts'
import { rotate, type Rotated, type RotationAsked } from './rotation.ts'
import { openStore, secret_names, type SecretName } from './secret-store.ts'

type RotateOptions = { finish?: boolean; now?: boolean; json?: boolean }

const secretName = (text: string, former: SecretName[] = []): SecretName[] => {
  const name = secret_names.find((each) => each === text)
  if (name) return [...former, name]
  throw new InvalidArgumentError(`It must be one of ${secret_names.join(', ')}.`)
}

/** `secrets rotate`: other keys for the service of this environment, while it runs. */
export function addSecrets(program: Command, io: Io): void {
  program
    .command('secrets')
    .description('The keys of the service of this environment.')
    .command('rotate')
    .description('Has a new key follow each old one while the service runs, and makes anew what the old ones made.')
    .argument('[names...]', `which of ${secret_names.join(', ')}; all unless said`, secretName)
    .option('--finish', 'begins nothing: goes on with what was begun, and takes former keys away that nothing needs')
    .option('--now', 'takes former keys away at once, as when one has leaked: tokens and links of theirs end')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText(
      'after',
      `
Processes that have their keys from files or from DATA_DIR take the new ones by themselves. For those that have them
from their environment it says what to set, step by step. Stopped at any moment, it goes on when it is run again.

Examples:
  $ openbenefits secrets rotate
  $ openbenefits secrets rotate --finish
  $ openbenefits secrets rotate HASH_KEY ENCRYPTION_KEYS --now`,
    )
    .action(async (names: SecretName[], { json, finish = false, now = false }: RotateOptions) => {
      const told = await rotateSecrets(io, names, { finish, now })
      if (json) return sayJson(io, { secrets: told })
      for (const line of told.flatMap(linesOf)) say(io, line)
      if (told.some(({ state }) => state === 'overlaps')) say(io, 'Then: openbenefits secrets rotate --finish')
    })
}

/** How each module that keeps something encrypted or hashed makes it anew; other commands begin without them. */
async function loadRemakes(): Promise<Remake[]> {
  const [employers, billing_systems, hris, life_events, webhooks] = await Promise.all([
    import('../modules/directory/employers/actions.ts'),
    import('../modules/money/billing-systems/actions.ts'),
    import('../modules/roster/hris/actions.ts'),
    import('../modules/coverage/life-events/attachment-actions.ts'),
    import('../modules/events/webhooks/actions.ts'),
  ])
  return [
    employers.remakeEins,
    billing_systems.remakeStripeSecrets,
    hris.remakeAccess,
    life_events.remakeAttachments,
    webhooks.remakeSecrets,
  ]
}

/** How long a process may take to learn of a key: one that was killed is not waited for longer than that. */
const patience_ms = 45_000

/** Replaces the named secrets, or all that are ours. */
async function rotateSecrets(io: Io, named: SecretName[], asked: RotationAsked): Promise<Rotated[]> {
  const config = settingsOf(io.env)
  if (config.DATABASE_URL && named.includes('DATABASE_PASSWORD'))
    throw new UsageError('DATABASE_URL is set: the password in it is that of a role of yours. Make a second role.')
  const ours = secret_names.filter((name) => name !== 'DATABASE_PASSWORD' || !config.DATABASE_URL)
  const names = named.length > 0 ? named : ours
  const remakes = await loadRemakes()
  const { url, stop } = await reach(config, loadKeys(config))
  const database = await openAsFound({ url, prepared_statements: config.PREPARED_STATEMENTS })
  const progress = progressOn(io, 'Making anew')
  const release = await holdKeys(url, true)
  try {
    const about = { config, store: openStore(io.env), database, remakes, onProgress: progress.tell, patience_ms }
    const told = await rotate(about, names, asked)
    return names.includes('DATABASE_PASSWORD') ? [...told, await replaceDatabasePassword(about, asked)] : told
  } finally {
    progress.end()
    await release()
    await database.close()
    await stop()
  }
}

/**
 * Holds the keys of a database as they are, until it is released: for whoever changes them, and for whoever copies what
 * they made. Throws when another does.
 */
export async function holdKeys(url: string, alone: boolean): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'openbenefits keys' })
  client.on('error', () => undefined)
  await client.connect()
  const lock = `pg_try_advisory_lock${alone ? '' : '_shared'}(hashtext('openbenefits keys'))`
  const { rows } = await client.query<{ held: boolean }>(`select ${lock} as held`)
  if (rows[0]!.held) return () => client.end()
  await client.end()
  throw new UsageError('The keys are being replaced, or copied with a back-up, by another command: wait for its end.')
}

function linesOf(rotated: Rotated): string[] {
  const { secret } = rotated
  if (rotated.state === 'unchanged') return [`${secret} has one key; nothing was begun.`]
  if (rotated.state === 'replaced') return [`${secret} is replaced: ${rotated.key}.`]
  if (rotated.state === 'overlaps')
    return [`${secret}: ${rotated.key} is in use. The former is good until ${rotated.former_until} for what it made.`]
  const then = rotated.last ? 'That is the last step.' : 'Then: openbenefits secrets rotate --finish'
  return [`${secret} is not this command's to write. Set it in every process and here, and restart them one by one:`]
    .concat(`  ${secret}=${rotated.value}`)
    .concat(`  ${then}`)
}
