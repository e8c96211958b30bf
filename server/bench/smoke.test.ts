import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** Accepted reasons to skip a benchmark: the machine lacks a requirement, or another test runs it. */
const known_reasons = /PgBouncer|npm run bench -- others|\.test\.ts runs it$/

// At this size no figure means anything: what counts is that each benchmark runs to its end.
it('runs every benchmark at its smallest size', async ({ annotate }) => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'run.ts'), '--smoke'])
  const not_run = stdout.split('\n').filter((line) => line.includes('NOT RUN'))
  for (const line of not_run) {
    await annotate(line.trim())
    expect(line).toMatch(known_reasons)
  }
}, 1_800_000)
