import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

// The results mean nothing at this size.
it('completes every benchmark at its smallest size', async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'run.ts'), '--smoke'])
  const skipped = stdout.split('\n').filter((line) => line.includes('NOT RUN'))
  expect(skipped.filter((line) => !line.includes('npm run bench -- others'))).toEqual([])
}, 600_000)
