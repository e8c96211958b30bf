import type { Command } from 'commander'
import { say, sayJson, type Io } from '@openbenefits/cli'
import { openDatabase } from '../database/query/database.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { makeReady } from '../database/schema/roles.ts'
import { loadKeys } from '../security/keys.ts'
import { reachToMigrate, settingsOf } from './reach.ts'

/** `migrate`: brings the database to this version before its processes start. */
export function addMigrate(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Brings the database of this environment to this version, as the start of a service does.')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText(
      'after',
      '\nWith two roles it takes MIGRATION_DATABASE_URL, which the processes that serve then need not have.\n\n' +
        'Examples:\n  $ openbenefits migrate\n  $ openbenefits migrate --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const config = settingsOf(io.env)
      const { stop, ...addresses } = await reachToMigrate(config, loadKeys(config))
      try {
        const applied = await missingAt(addresses.migration_url ?? addresses.url)
        const warnings = await makeReady(addresses)
        if (json) return sayJson(io, { applied, warnings })
        for (const name of applied) say(io, name)
        say(io, applied.length === 0 ? 'Nothing was missing.' : `${applied.length} applied.`)
        for (const warning of warnings) say(io, `! ${warning}`)
      } finally {
        await stop()
      }
    })
}

async function missingAt(url: string): Promise<string[]> {
  const database = openDatabase({ url })
  try {
    return await missingMigrations(database.reads(no_organization))
  } finally {
    await database.close()
  }
}
