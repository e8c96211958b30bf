import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import { addCall } from './commands/call.ts'
import { addCensus } from './commands/census.ts'
import { addClock, addExport, addKeys } from './commands/actions.ts'
import { addEmployees, addEmployers, addEvents } from './commands/reads.ts'
import { addLogin } from './commands/login.ts'
import { addListen } from './commands/listen.ts'
import { addMcp } from './commands/mcp.ts'
import { addTrigger } from './commands/trigger.ts'
import { exits, FaultsFound, failureOf } from './failures.ts'
import type { Io } from './io.ts'
import { hasColours } from './output.ts'
import about from '../package.json' with { type: 'json' }

export { FaultsFound, UsageError } from './failures.ts'
export { processIo, type Io } from './io.ts'
export { hasColours, progressOn, say, sayJson, tableOf, type Column } from './output.ts'

/** Adds commands to the program, such as those of whoever runs the service, which need its database. */
export type AddCommands = (program: Command, io: Io) => void

const of_partners: AddCommands[] = [
  addLogin,
  addEmployers,
  addEmployees,
  addCensus,
  addKeys,
  addExport,
  addEvents,
  addListen,
  addTrigger,
  addClock,
  addCall,
  addMcp,
]

const ends = `
Ends with:
  0  done
  1  failed, or found what it looked for faults in
  2  called wrongly; nothing was sent
  3  refused by the service, field by field
  4  no access: the key is wrong, has ended, or may not
  5  the service is not there, or failed

Begin with:
  $ openbenefits login --url https://benefits.example.com
  $ openbenefits employers
  $ openbenefits listen --forward-to http://localhost:3000/hooks
In the folder of a running sandbox no login is needed.`

/**
 * Runs the command line and answers its exit code. What goes wrong is said on stderr: `field: message`, the code and
 * the trace id; as JSON with `--json`.
 */
export async function run(argv: string[], io: Io, more: AddCommands[] = []): Promise<number> {
  const program = new Command('openbenefits')
    .description('Benefits administration from the command line: read, follow, and let assistants in.')
    .version(about.version)
    .addHelpText('after', ends)
    .showHelpAfterError('(openbenefits --help, or --help behind any command, says more)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => hasColours(io.stdout, io.env),
      getErrHasColors: () => hasColours(io.stderr, io.env),
    })
  for (const add of [...of_partners, ...more]) add(program, io)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exits.done
  } catch (error) {
    // Commander has said what was wrong, and help is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage
    if (error instanceof FaultsFound) return exits.failed
    return tell(error, io, argv.includes('--json'))
  }
}

function tell(error: unknown, io: Io, as_json: boolean): number {
  if (io.signal.aborted) return exits.done
  const { exit, lines, error: told } = failureOf(error)
  const mark = hasColours(io.stderr, io.env) ? styleText('red', 'error:', { validateStream: false }) : 'error:'
  const text = as_json
    ? JSON.stringify({ error: told })
    : lines.map((line, at) => (at === 0 ? `${mark} ${line}` : line)).join('\n')
  io.stderr.write(`${text}\n`)
  return exit
}
