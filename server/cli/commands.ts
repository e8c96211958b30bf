import { InvalidArgumentError, type Command } from 'commander'
import { FaultsFound, say, sayJson, type Io } from '@openbenefits/cli'
import { toldOf, verifyAudit, type VerifyOptions } from './audit.ts'
import { addBackup } from './backup.ts'
import { addDivide } from './divide.ts'
import { addDoctor } from './doctor.ts'
import { addMigrate } from './migrate.ts'
import { makeOwner } from './owner.ts'
import { settingsOf } from './reach.ts'
import { addSecrets } from './secrets.ts'
import { Email, text } from '../kernel/fields.ts'

/** What is wrong with a value is told as of a field of the interface. */
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
  throw new InvalidArgumentError('It must be a day and its seal, as the log and this command tell them.')
}

const as_json = ['--json', 'JSON for programs instead of text for people'] as const

/** What only whoever runs the service can do, by its settings and its database. */
export function addOperatorCommands(program: Command, io: Io): void {
  addDoctor(program, io)
  addMigrate(program, io)
  addDivide(program, io)
  addBackup(program, io)
  addSecrets(program, io)
  addAudit(program, io)
  addOwner(program, io)
}

function addAudit(program: Command, io: Io): void {
  program
    .command('audit')
    .description('The audit trail of the service whose settings are in the environment.')
    .command('verify')
    .description('Finds every entry that was changed, removed or put in. Only reads; ends with 1 when it found any.')
    .option('--from <day>', 'the first day', day)
    .option('--to <day>', 'the last day', day)
    .option('--seal <day:hash>', 'a seal that was noted elsewhere; again for more', seal)
    .option(...as_json)
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits audit verify --from 2026-11-01\n  $ openbenefits audit verify --json',
    )
    .action(async ({ json, ...options }: VerifyOptions & { json?: boolean }) => {
      const found = await verifyAudit(io.env, options)
      if (json) sayJson(io, found)
      else for (const line of toldOf(found)) say(io, line)
      if (found.faults.length > 0) throw new FaultsFound()
    })
}

function addOwner(program: Command, io: Io): void {
  program
    .command('owner')
    .description('Makes an owner of this installation with an operator key, when there is none or all are lost.')
    .requiredOption('--name <name>', 'who it is', checkedBy(text()))
    .requiredOption('--email <address>', 'their e-mail address', checkedBy(Email))
    .option(...as_json)
    .addHelpText('after', '\nExamples:\n  $ openbenefits owner --name "Ada Lindgren" --email ada@example.com')
    .action(async ({ json, ...owner }: { name: string; email: string; json?: boolean }) => {
      const operator_key = await makeOwner(settingsOf(io.env), owner)
      if (json) return sayJson(io, { operator_key })
      say(io, operator_key)
    })
}
