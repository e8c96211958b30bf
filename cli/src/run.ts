import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import about from '../package.json' with { type: 'json' }
import { addClock, addExport, addKeys } from './commands/actions.ts'
import { addAgreements, addBeneficiaries, addDrafts, addRemind } from './commands/enrollment.ts'
import { addCall } from './commands/call.ts'
import { addCensus } from './commands/census.ts'
import { addDocuments } from './commands/documents.ts'
import { addHours } from './commands/hours.ts'
import { addListen } from './commands/listen.ts'
import { addLogin } from './commands/login.ts'
import { addMcp } from './commands/mcp.ts'
import { addActivity, addEmployees, addEmployers, addEvents, addTasks } from './commands/reads.ts'
import { addTrigger } from './commands/trigger.ts'
import { shared_options } from './connection.ts'
import { exits, failureOf, FaultsFound } from './failures.ts'
import { hasColors, type Io } from './output.ts'

export { FaultsFound, UsageError } from './failures.ts'
export { hasColors, print, printJson, processIo, progressOn, tableOf, type Column, type Io } from './output.ts'

/** Adds commands to the program, such as operator commands that need the database. */
export type AddCommands = (program: Command, io: Io) => void

const of_partners: AddCommands[] = [
  addLogin,
  addEmployers,
  addEmployees,
  addCensus,
  addDocuments,
  addHours,
  addDrafts,
  addAgreements,
  addBeneficiaries,
  addRemind,
  addKeys,
  addExport,
  addTasks,
  addActivity,
  addEvents,
  addListen,
  addTrigger,
  addClock,
  addCall,
  addMcp,
]

const ends = `
Exit codes:
  0  done
  1  failed, or found problems
  2  invalid arguments; nothing was sent
  3  refused by the service, with a message per field
  4  no access: the key is wrong, has expired, or lacks a permission
  5  the service is unreachable or failed

Getting started:
  $ openbenefits login --url https://benefits.example.com
  $ openbenefits employers
  $ openbenefits listen --forward-to http://localhost:3000/hooks
In the folder of a running sandbox, you do not need to log in.`

/**
 * Runs the command line and returns its exit code. Errors go to stderr as `field: message` with code and trace id, or
 * as JSON with `--json`.
 */
export async function run(argv: string[], io: Io, more: AddCommands[] = []): Promise<number> {
  const program = new Command('openbenefits')
    .description('OpenBenefits from the command line: read data, upload rosters, follow events, and serve assistants.')
    .version(about.version)
    .addHelpText('after', ends)
    .showHelpAfterError('(run openbenefits --help, or add --help to any command, for more)')
    .configureHelp({
      // The options of a command come before those that all commands share.
      groupItems: (_, visible, groupOf) => {
        const sorted = visible.toSorted(
          (a, b) => Number(groupOf(a) === shared_options) - Number(groupOf(b) === shared_options),
        )
        return new Map(sorted.map(groupOf).map((group) => [group, sorted.filter((item) => groupOf(item) === group)]))
      },
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => hasColors(io.stdout, io.env),
      getErrHasColors: () => hasColors(io.stderr, io.env),
    })
  for (const add of [...of_partners, ...more]) add(program, io)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exits.done
  } catch (error) {
    // Commander has already printed the error. Printing help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage
    if (error instanceof FaultsFound) return exits.failed
    return printFailure(error, io, argv.includes('--json'))
  }
}

function printFailure(error: unknown, io: Io, as_json: boolean): number {
  if (io.signal.aborted) return exits.done
  const { exit, lines, error: failure } = failureOf(error)
  const mark = hasColors(io.stderr, io.env) ? styleText('red', 'error:', { validateStream: false }) : 'error:'
  const text = as_json
    ? JSON.stringify({ error: failure })
    : lines.map((line, index) => (index === 0 ? `${mark} ${line}` : line)).join('\n')
  io.stderr.write(`${text}\n`)
  return exit
}
