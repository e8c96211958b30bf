import { InvalidArgumentError, type Command } from 'commander'
import { FaultsFound, print, printJson, type Io } from '@openbenefits/cli'
import { linesOf, verifyAudit, type VerifyOptions, commandScope, recordAction } from './audit.ts'
import { addBackup } from './backup.ts'
import { addDistribute } from './distribute.ts'
import { addDoctor } from './doctor.ts'
import { addMigrate } from './migrate.ts'
import { reachCluster } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'
import { addSecrets } from './secrets.ts'
import { Email, text } from '../kernel/fields.ts'
import { directUrlOf, type Config } from '../kernel/config.ts'
import { createOperator } from '../modules/access/operators/actions.ts'
import { isDatabaseError, type Database } from '../database/query/database.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import type { SecretKeys } from '../security/secrets.ts'

/** Checks an option by the schema of an API field, with the same messages. */
const checkedBy = (field: typeof Email) => (value: string) => {
  const { data, error } = field.safeParse(value)
  if (error) throw new InvalidArgumentError(`It ${error.issues[0]!.message}.`)
  return data
}

const day = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a day such as 2026-03-10.')
}
const seal = (text: string, former: string[] = []): string[] => {
  if (/^\d{4}-\d{2}-\d{2}:[0-9a-f]{64}$/.test(text)) return [...former, text]
  throw new InvalidArgumentError('It must be a day and its seal, as printed in the log and by this command.')
}

/** Adds the commands that need the settings and the database of the service. */
export function addOperatorCommands(program: Command, io: Io): void {
  addDoctor(program, io)
  addMigrate(program, io)
  addDistribute(program, io)
  addBackup(program, io)
  addSecrets(program, io)
  addAudit(program, io)
  addOwner(program, io)
}

function addAudit(program: Command, io: Io): void {
  program
    .command('audit')
    .description('Verify the audit log of the service of this environment.')
    .command('verify')
    .description('Find every entry that was changed, removed or inserted. Only reads; exits with 1 if it found any.')
    .option('--from <day>', 'the first day', day)
    .option('--to <day>', 'the last day', day)
    .option('--seal <day:hash>', 'a seal that you kept elsewhere; repeatable', seal)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits audit verify --from 2026-11-01\n  $ openbenefits audit verify --json',
    )
    .action(async ({ json, ...options }: VerifyOptions & { json?: boolean }) => {
      const found = await verifyAudit(io.env, options)
      if (json) printJson(io, found)
      else for (const line of linesOf(found)) print(io, line)
      if (found.faults.length > 0) throw new FaultsFound()
    })
}

function addOwner(program: Command, io: Io): void {
  program
    .command('owner')
    .description(
      'Create an owner of this installation and an operator key, for the first start or if all keys are lost.',
    )
    .requiredOption('--name <name>', 'full name', checkedBy(text()))
    .requiredOption('--email <address>', 'their email address', checkedBy(Email))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  $ openbenefits owner --name "Ada Lindgren" --email ada@example.com')
    .action(async ({ json, ...owner }: { name: string; email: string; json?: boolean }) => {
      const operator_key = await makeOwner(readSettings(io.env), owner)
      if (json) return printJson(io, { operator_key })
      print(io, operator_key)
    })
}

const undefined_table = '42P01'

/**
 * Creates an owner of the installation, and returns the operator key. It writes to the database directly, so it works
 * even if all operator keys are lost. This needs only access to the database. Throws if there is no database.
 */
async function makeOwner(config: Config, owner: { name: string; email: string }): Promise<string> {
  const direct_url = directUrlOf(config)
  if (direct_url !== undefined) return makeOwnerAt(direct_url, loadKeys(config), owner)
  const keys = loadKeys(config)
  const { url, stop } = await reachCluster(config, keys)
  try {
    return await makeOwnerAt(url, keys, owner)
  } finally {
    await stop()
  }
}

async function makeOwnerAt(url: string, keys: SecretKeys, owner: { name: string; email: string }): Promise<string> {
  const database = openDatabase({ url })
  try {
    return await makeOwnerIn(database, keys, owner)
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== undefined_table) throw error
    throw new Error(
      'The database does not have the schema of this version. Run openbenefits migrate, or start the service once.',
      {
        cause: error,
      },
    )
  } finally {
    await database.close()
  }
}

const makeOwnerIn = (database: Database, keys: SecretKeys, owner: { name: string; email: string }): Promise<string> =>
  database.transaction(every_organization, async (db) => {
    const scope = commandScope(db)
    const { operator_id, key } = await createOperator(scope, { ...owner, role: 'owner' })
    const fields = ['name', 'email', 'role']
    const action = { operation: 'operator_create_operator', resource_id: operator_id, fields }
    await recordAction(scope, keys, { command: 'openbenefits/owner', ...action })
    return key.operator_key
  })
