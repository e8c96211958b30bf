import { processIo, run } from '@openbenefits/cli'
import { addOperatorCommands } from './commands.ts'

// The command line on the machine of the service: the commands of partners, and those of the service operator.
const code = await run(process.argv.slice(2), processIo(), [addOperatorCommands])
if (code !== 0) process.exitCode = code
