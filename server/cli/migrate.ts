import type { Command } from 'commander'
import { print, printJson, type Io } from '@openbenefits/cli'
import { openDatabase } from '../database/query/open-database.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { makeReady } from '../database/schema/roles.ts'
import { loadKeys } from '../security/keys.ts'
import { reachToMigrate } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'

/** `migrate`: migrates the database before the processes of this version start. */
export function addMigrate(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Migrate the database of this environment to this version, as a start of the service does.')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWith two roles it uses MIGRATION_DATABASE_URL, which the service itself then does not need.\n\n' +
        'Examples:\n  $ openbenefits migrate\n  $ openbenefits migrate --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const config = readSettings(io.env)
      const { stop, ...addresses } = await reachToMigrate(config, loadKeys(config))
      try {
        const applied = await missingAt(addresses.migration_url ?? addresses.url)
        const warnings = await makeReady(addresses)
        if (json) return printJson(io, { applied, warnings })
        for (const name of applied) print(io, name)
        print(io, applied.length === 0 ? 'Nothing was missing.' : `${applied.length} applied.`)
        for (const warning of warnings) print(io, `! ${warning}`)
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
