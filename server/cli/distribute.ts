import { withClient } from '../database/schema/roles.ts'
import type { Command } from 'commander'
import type pg from 'pg'
import { print, printJson, UsageError, type Io } from '@openbenefits/cli'
import { directUrlOf } from '../kernel/config.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { runShardingSteps, planSharding, planUnsharding, type ShardingStep } from '../database/citus/sharding.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { no_organization } from '../database/query/rows-of.ts'
import { readSettings } from '../runtime/settings.ts'

type DistributeOptions = { apply?: boolean; json?: boolean }

/** `distribute` and `undistribute`: tenants over several PostgreSQL servers with Citus, and back to one. */
export function addDistribute(program: Command, io: Io): void {
  program
    .command('distribute')
    .description('Distribute the tenants of the database over the registered Citus workers.')
    .option('--apply', 'apply the plan; without it, the command only shows the plan')
    .option('--json', 'print JSON')
    .addHelpText('after', `\n${about}\nExamples:\n  $ openbenefits distribute\n  $ openbenefits distribute --apply`)
    .action((options: DistributeOptions) => applyPlan(io, options, planSharding, 'The tenants are distributed.'))
  program
    .command('undistribute')
    .description('Move the tenants of a distributed database back to one server.')
    .option('--apply', 'apply the plan; without it, the command only shows the plan')
    .option('--json', 'print JSON')
    .addHelpText('after', `\n${about}\nExamples:\n  $ openbenefits undistribute\n  $ openbenefits undistribute --apply`)
    .action((options: DistributeOptions) => applyPlan(io, options, planUnsharding, 'The tenants are on one server.'))
}

const about = `Stop the service first, and back up all servers. Each step is a transaction: run the command
again after an interruption, and it continues. It needs the role that owns the tables, as
openbenefits migrate does.
`

const not_embedded =
  'The embedded database is one server and has no Citus: set DATABASE_URL to a PostgreSQL that has it.'

type MakePlan = (client: pg.ClientBase) => Promise<ShardingStep[]>

/** Shows the plan, and applies it with `--apply`. */
async function applyPlan(
  io: Io,
  { apply = false, json }: DistributeOptions,
  plan: MakePlan,
  done: string,
): Promise<void> {
  const config = readSettings(io.env)
  const url = config.MIGRATION_DATABASE_URL ?? directUrlOf(config)
  if (url === undefined) throw new UsageError(not_embedded)
  await requireMigrated(url)
  await withClient(url, async (client) => {
    const steps = await plan(client)
    if (apply) {
      await requireNoClients(client)
      await runShardingSteps(client, steps, ({ title }) => void (json || print(io, title)))
    }
    if (json) return printJson(io, { applied: apply, steps })
    if (steps.length === 0) return print(io, 'There is nothing to do.')
    if (apply) return print(io, `${done} ${steps.length} steps.`)
    for (const { title } of steps) print(io, title)
    print(io, `\n${steps.length} steps. Nothing was changed; run it with --apply to apply them.`)
  })
}

async function requireMigrated(url: string): Promise<void> {
  const database = openDatabase({ url })
  try {
    const missing = await missingMigrations(database.reads(no_organization))
    if (missing.length > 0)
      throw new UsageError(`${missing.length} migrations have not run. Run openbenefits migrate first.`)
  } finally {
    await database.close()
  }
}

/** Refuses while the service runs, because its processes would not notice the change. */
async function requireNoClients(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name in ('openbenefits', 'openbenefits worker')`,
  )
  if (rows[0]!.count > 0)
    throw new UsageError(`${rows[0]!.count} sessions of the service are open. Stop the service first.`)
}
