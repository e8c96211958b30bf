import type { Command } from 'commander'
import type pg from 'pg'
import { say, sayJson, UsageError, type Io } from '@openbenefits/cli'
import { directUrlOf } from '../kernel/config.ts'
import { openDatabase } from '../database/query/database.ts'
import { doSteps, planDivision, planReunion, type DivisionStep } from '../database/citus/sharding.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { settingsOf, withClient } from './reach.ts'

type DivideOptions = { apply?: boolean; json?: boolean }

/** `distribute` and `undistribute`: tenants over several PostgreSQL by Citus, and back to one. */
export function addDivide(program: Command, io: Io): void {
  program
    .command('distribute')
    .description('Divides the tenants of the database over the servers that Citus knows behind it.')
    .option('--apply', 'do it; else only the plan is told')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText('after', `\n${about}\nExamples:\n  $ openbenefits distribute\n  $ openbenefits distribute --apply`)
    .action((asked: DivideOptions) => carryOut(io, asked, planDivision, 'The tenants are divided.'))
  program
    .command('undistribute')
    .description('Brings the tenants of a divided database back to the one server.')
    .option('--apply', 'do it; else only the plan is told')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText('after', `\n${about}\nExamples:\n  $ openbenefits undistribute\n  $ openbenefits undistribute --apply`)
    .action((asked: DivideOptions) => carryOut(io, asked, planReunion, 'The tenants are on one server.'))
}

const about = `Stop the service first, and back all servers up. Each step is a transaction: interrupted, it
goes on when it is run again. It takes the role that owns the tables, as openbenefits migrate does.
`

const not_embedded =
  'The embedded database is one server and has no Citus: set DATABASE_URL to a PostgreSQL that has it.'

type MakePlan = (client: pg.ClientBase) => Promise<DivisionStep[]>

/** Tells the plan, and does it where that is asked for. */
async function carryOut(io: Io, { apply = false, json }: DivideOptions, plan: MakePlan, done: string): Promise<void> {
  const config = settingsOf(io.env)
  const url = config.MIGRATION_DATABASE_URL ?? directUrlOf(config)
  if (url === undefined) throw new UsageError(not_embedded)
  await requireMigrated(url)
  await withClient(url, async (client) => {
    const steps = await plan(client)
    if (apply) {
      await requireNobody(client)
      await doSteps(client, steps, ({ title }) => void (json || say(io, title)))
    }
    if (json) return sayJson(io, { applied: apply, steps })
    if (steps.length === 0) return say(io, 'Nothing is to be done.')
    if (apply) return say(io, `${done} ${steps.length} steps.`)
    for (const { title } of steps) say(io, title)
    say(io, `\n${steps.length} steps. --apply does them; nothing was changed.`)
  })
}

async function requireMigrated(url: string): Promise<void> {
  const database = openDatabase({ url })
  try {
    const missing = await missingMigrations(database.reads(no_organization))
    if (missing.length > 0)
      throw new UsageError(`${missing.length} migrations are missing: openbenefits migrate first.`)
  } finally {
    await database.close()
  }
}

/** Whoever serves meanwhile would go on as if nothing had changed. */
async function requireNobody(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name in ('openbenefits', 'openbenefits worker')`,
  )
  if (rows[0]!.count > 0)
    throw new UsageError(`${rows[0]!.count} sessions of the service are at the database: stop it first.`)
}
