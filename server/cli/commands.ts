import { InvalidArgumentError, type Command } from 'commander'
import type { Io } from '@openbenefits/cli'
import { verifyAudit, type VerifyOptions } from './audit.ts'
import { makeOwner } from './owner.ts'
import { readConfig } from '../kernel/config.ts'
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

/** `audit` and `owner`: for whoever runs the service, by its settings and its database. */
export function addOperatorCommands(program: Command, { stdout, env }: Io): void {
  const say = (line: string) => void stdout.write(`${line}\n`)
  program
    .command('audit')
    .description('The audit trail of the service whose settings are in the environment.')
    .command('verify')
    .description('Finds every entry that was changed, removed or put in. Only reads; ends with 1 when it found any.')
    .option('--from <day>', 'the first day', day)
    .option('--to <day>', 'the last day', day)
    .option('--seal <day:hash>', 'a seal that was noted elsewhere; again for more', seal)
    .addHelpText('after', '\nExamples:\n  $ openbenefits audit verify --from 2026-11-01')
    .action(async (options: VerifyOptions) => {
      process.exitCode = (await verifyAudit(env, options, say)) ? 0 : 1
    })
  program
    .command('owner')
    .description('Makes an owner of this installation with an operator key, when all others are lost.')
    .requiredOption('--name <name>', 'who it is', checkedBy(text()))
    .requiredOption('--email <address>', 'their e-mail address', checkedBy(Email))
    .addHelpText('after', '\nExamples:\n  $ openbenefits owner --name "Ada Lindgren" --email ada@example.com')
    .action(async (owner: { name: string; email: string }) => say(await makeOwner(readConfig(env), owner)))
}
