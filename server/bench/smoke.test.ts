import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { it } from 'vitest'

const run = promisify(execFile)

// The benchmark results mean nothing at this size.
it('completes every benchmark at its smallest size', async () => {
  await run(process.execPath, [join(import.meta.dirname, 'run.ts'), '--smoke'])
}, 600_000)
