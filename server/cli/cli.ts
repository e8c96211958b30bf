import { processIo, run } from '@openbenefits/cli'
import { addOperatorCommands } from './commands.ts'

// The command line where the service is installed: that of partners, and what only whoever runs it can do.
const code = await run(process.argv.slice(2), processIo(), [addOperatorCommands])
if (code !== 0) process.exitCode = code
