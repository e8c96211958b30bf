import { processIo, run } from './run.ts'

const code = await run(process.argv.slice(2), processIo())
if (code !== 0) process.exitCode = code
